"""Draws fog with OpenGL: the grid is a texture of two channels."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from rish_frame import Batch, DrawTarget, Pass

from ...drawers.arcade.programs import Programs, put
from ...drawers.matrices import backwards, matrices


class ArcadeFog:
    """Draws `light.fog`."""

    needs = frozenset({"targets", "copy"})
    steady = True

    def __init__(self) -> None:
        self._contexts: WeakKeyDictionary[Any, _Veil] = WeakKeyDictionary()

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw fog onto the target."""
        veil = self._contexts.get(device)
        if veil is None:
            veil = self._contexts[device] = _Veil(device)
        veil.draw(target, batch, pass_)


class _Veil:
    """The program and the grid's texture of one context."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.programs = Programs(ctx)
        self._triangle = ctx.geometry([], mode=ctx.TRIANGLES)
        self._squares: Any = None
        self._seen: tuple[int, Any] = (-1, None)

    def draw(self, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw one triangle over the complete target."""
        numbers = batch.arrays["numbers"]
        self._upload(batch.arrays["squares"], int(batch.arrays["version"][0]))
        linear, shift = matrices(pass_, target.size, batch.origin)
        back, start = backwards(linear, shift, target.size)
        program = self.programs.program("", "fog.frag", ["ENCODED"] if numbers[7] else [])
        (picture,) = target.inputs.values()
        picture.use(0)
        self._squares.use(1)
        scale = 1 / (float(numbers[6]) * np.array(self._squares.size))
        put(
            program, picture=0, squares=1, back=tuple((back * scale[:, None]).T.ravel()), start=tuple(start * scale),
            colour=tuple(float(part) for part in numbers[:4]), dim=float(numbers[4]), saturation=float(numbers[5]),
        )  # fmt: skip
        self.ctx.disable(self.ctx.BLEND)
        self._triangle.render(program, vertices=3)
        self.ctx.enable(self.ctx.BLEND)

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
