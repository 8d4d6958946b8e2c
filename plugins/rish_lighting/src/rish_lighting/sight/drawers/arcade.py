"""Draws fog with OpenGL: the grid is a texture of two channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass

from ...drawers.arcade.programs import Screen
from ...drawers.matrices import backwards, matrices
from ...post.drawers.contexts import PerContext


class ArcadeFog:
    """Draws `light.fog`."""

    needs = frozenset({"targets", "copy"})
    steady = True

    def __init__(self) -> None:
        self._veil = PerContext(_Veil)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw fog onto the target."""
        self._veil(device).draw(target, batch, pass_)


class _Veil:
    """The program and the grid's texture of one context."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self._screen = Screen(ctx, "fog.frag")
        self._squares: Any = None
        self._seen: tuple[int, Any] = (-1, None)

    def draw(self, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw one triangle over the complete target."""
        numbers = batch.arrays["numbers"]
        self._upload(batch.arrays["squares"], int(batch.arrays["version"][0]))
        linear, shift = matrices(pass_, target.size, batch.origin)
        back, start = backwards(linear, shift, target.size)
        (picture,) = target.inputs.values()
        scale = 1 / (float(numbers[6]) * np.array(self._squares.size))
        self._screen.replace(
            ["ENCODED"] if numbers[7] else [], {"picture": picture, "squares": self._squares},
            back=tuple((back * scale[:, None]).T.ravel()), start=tuple(start * scale),
            colour=tuple(float(part) for part in numbers[:4]), dim=float(numbers[4]), saturation=float(numbers[5]),
        )  # fmt: skip

    def _upload(self, squares: Any, version: int) -> None:
        """Upload the grid to the graphics card, unless this version is there already."""
        if self._seen == (version, squares.shape):
            return
        if self._squares is None or self._squares.size != (squares.shape[1], squares.shape[0]):
            linear = (self.ctx.LINEAR, self.ctx.LINEAR)
            self._squares = self.ctx.texture(
                (squares.shape[1], squares.shape[0]), components=2, dtype="f4", filter=linear
            )
            self._squares.wrap_x = self._squares.wrap_y = self.ctx.CLAMP_TO_EDGE
        self._squares.write(np.ascontiguousarray(squares))
        self._seen = (version, squares.shape)
