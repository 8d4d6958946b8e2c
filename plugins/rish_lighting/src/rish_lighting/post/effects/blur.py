"""Blur: the image is out of focus.

A Gaussian of any size: the image is halved until nine texels are wide enough for it, blurred, and enlarged again.
"""

from __future__ import annotations

import numpy as np

from rish_core import field

from ..effect import Block, Size, Stage, Values, effect
from .gauss import HALVE, gauss, half, resampled

_LAY = "vec4 shade(vec4 pixel, vec2 at) { return mix(pixel, soft(at), share); }"
_MAX_SIGMA = 2.0
"""The largest standard deviation, in texels, for which nine texels approximate a Gaussian well."""


def _lay(block: Block) -> None:
    soft = block.resized("soft")
    soft -= block.out
    soft *= np.float32(block.values["share"])
    block.out += soft


def _stages(values: Values, size: Size, unit: float) -> list[Stage]:
    sigma = values["radius"] * unit / 2
    if sigma <= 0 or values["strength"] <= 0:
        return []
    stages: list[Stage] = []
    source, each, level = "", size, 0
    while sigma > _MAX_SIGMA and min(each) > 2 and level < 8:
        each, sigma, level = half(each), sigma / 2, level + 1
        stages.append(Stage(HALVE, resampled, True, source=source, writes=f"small{level}", size=each))
        source = f"small{level}"
    stages += gauss(source, "side", "soft", each, min(sigma, _MAX_SIGMA))
    return [*stages, Stage(_LAY, _lay, reads=(("soft", "soft"),), values={"share": values["strength"]})]


@effect(stages=_stages)
class Blur:
    """Blurs the image, as if it were out of focus."""

    radius: float = field(6.0, unit="px", low=0, high=500, doc="how far a point is spread: twice the Gaussian's sigma")
    strength: float = field(1.0, low=0, high=1, doc="share of the soft picture")
