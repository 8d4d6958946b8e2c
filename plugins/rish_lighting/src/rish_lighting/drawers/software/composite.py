"""Draws lit sheets onto the frame in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass

from ...bands import bands_of
from ..matrices import drawn_box
from . import composite_kernels as kernels

_NO_LIGHT = np.ones((1, 1, 4), np.float32)


class SoftwareGround:
    """Draws `light.ground`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw the first input of the pass over the target."""
        onto, ground = target.colors[0], next(iter(target.inputs.values()))

        def draw_band(first: int, last: int) -> None:
            band, over = onto[first:last], ground[first:last]
            opacity = over[..., 3:]
            if opacity.min() < 1:
                band *= 1 - opacity
                band += over
            else:
                band[:] = over

        target.run(bands_of(0, *onto.shape[:2]), draw_band)


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

        def draw_band(first: int, last: int) -> None:
            box = np.array([clip[0], first, clip[2], last], np.int64)
            if encoded:
                kernels.lay_encoded(target.colors[0], sheet, light, emission, glows, glow, box, *tables)
            else:
                kernels.lay_linear(target.colors[0], sheet, light, lit, emission, glows, glow, box, *tables)

        target.run(bands_of(int(clip[1]), int(clip[3]), target.size[0]), draw_band)
