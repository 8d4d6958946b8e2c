"""Draws fog with OpenGL: the grid is a texture of two channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass, PerContext

from ...drawers.arcade.programs import CachedTexture, Screen
from ...drawers.matrices import backwards, matrices


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
        edge, linear = ctx.CLAMP_TO_EDGE, (ctx.LINEAR, ctx.LINEAR)
        self._squares = CachedTexture(ctx, components=2, dtype="f4", filter=linear, wrap_x=edge, wrap_y=edge)

    def draw(self, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw one triangle over the complete target."""
        numbers = batch.arrays["numbers"]
        squares = self._squares.shown(batch.arrays["squares"])
        linear, shift = matrices(pass_, target.size, batch.origin)
        back, start = backwards(linear, shift, target.size)
        (picture,) = target.inputs.values()
        scale = 1 / (float(numbers[6]) * np.array(squares.size))
        self._screen.replace(
            ["ENCODED"] if numbers[7] else [], {"picture": picture, "squares": squares},
            back=tuple((back * scale[:, None]).T.ravel()), start=tuple(start * scale),
            color=tuple(float(part) for part in numbers[:4]), dim=float(numbers[4]), saturation=float(numbers[5]),
        )  # fmt: skip
