"""Draws lit sheets onto the frame in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass

from ..matrices import drawn_box
from . import composite_kernels as kernels

BAND = 24
"""The number of rows that are drawn together, so that they stay in the processor's cache."""
_NO_LIGHT = np.ones((1, 1, 4), np.float32)


class SoftwareGround:
    """Draws `light.ground`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw the first input of the pass over the target."""
        onto, ground = target.colors[0], next(iter(target.inputs.values()))
        for first in range(0, len(onto), BAND):
            band, over = onto[first : first + BAND], ground[first : first + BAND]
            clear = 1 - over[..., 3:]
            if clear.any():
                band *= clear
                band += over
            else:
                band[:] = over


class SoftwareLay:
    """Draws `light.lay`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw a sheet with its light onto the target."""
        lit, glows, _, encoded = (bool(flag) for flag in batch.arrays["flags"])
        inputs = list(target.inputs.values())
        sheet = inputs.pop(0)
        light = np.ascontiguousarray(inputs.pop(0)) if lit else _NO_LIGHT
        emission = inputs.pop(0) if glows else sheet
        clip = drawn_box(pass_, batch, target.size)
        glow = np.float32(batch.arrays["glow"][0])
        tables = (kernels.DECODE, kernels.ENCODE)
        if encoded:
            kernels.lay_encoded(target.colors[0], sheet, light, emission, glows, glow, clip, *tables)
        else:
            kernels.lay_linear(target.colors[0], sheet, light, lit, emission, glows, glow, clip, *tables)
