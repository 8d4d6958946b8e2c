"""Bloom: bright parts of the image glow over their surroundings, as in a lens.

The parts that are brighter than the threshold are extracted at half the size, with a soft knee (Jimenez, "Next
generation post-processing in Call of Duty: Advanced Warfare", 2014). They are blurred by a Gaussian there, and at each
further halving of the size. From the smallest up, each level is added to the next larger one, and the sum is added to
the image.
"""

from __future__ import annotations

import math

import numpy as np

from rish_core import Color, field
from rish_jit import njit

from ..effect import Block, Size, Stage, Values, effect
from .gauss import HALVE, gauss, half, resampled

_BRIGHT = """
vec4 shade(vec2 at) {
    vec3 c = picture(at).rgb;
    float high = max(max(c.r, c.g), c.b);
    float soft = clamp(high - threshold + knee, 0.0, 2.0 * knee);
    float much = max(soft * soft / (4.0 * knee + 0.0001), high - threshold) / max(high, 0.0001);
    return vec4(min(max(c * max(much, 0.0), vec3(0.0)), vec3(64.0)), 1.0);
}
"""
_ADD = "vec4 shade(vec2 at) { return picture(at) + smaller(at) * spread; }"
_SHINE = """
vec4 shade(vec4 pixel, vec2 at) {
    return vec4(pixel.rgb + glow(at).rgb * color.rgb * (strength / total), pixel.a);
}
"""
MAX_LEVELS = 7
_SIGMA = 1.6


@njit(inline="always")
def cut(light):
    """Clamp light to 0..64, so that one pixel does not outshine the image; NaN becomes 0."""
    light = light if light > np.float32(0) else np.float32(0)
    return light if light < np.float32(64) else np.float32(64)


@njit
def bright(threshold, knee, out):
    """Keep the part of each pixel's light above the threshold, with a quadratic soft knee (Jimenez 2014)."""
    inverse = np.float32(1) / (np.float32(4) * knee + np.float32(0.0001))
    for y in range(out.shape[0]):
        row = out[y]
        for x in range(out.shape[1]):
            maximum = max(max(row[x, 0], row[x, 1]), row[x, 2])
            soft = min(max(maximum - threshold + knee, np.float32(0)), np.float32(2) * knee)
            strength = max(max(soft * soft * inverse, maximum - threshold), np.float32(0)) / max(
                maximum, np.float32(0.0001)
            )
            row[x, 0] = cut(row[x, 0] * strength)
            row[x, 1] = cut(row[x, 1] * strength)
            row[x, 2] = cut(row[x, 2] * strength)
            row[x, 3] = np.float32(1)


@njit
def shine(glow, red, green, blue, out):
    """Add the glow times a color."""
    for y in range(out.shape[0]):
        row, light = out[y], glow[y]
        for x in range(out.shape[1]):
            row[x, 0] += light[x, 0] * red
            row[x, 1] += light[x, 1] * green
            row[x, 2] += light[x, 2] * blue


def _bright(block: Block) -> None:
    resampled(block)
    threshold, knee = block.floats("threshold", "knee")
    bright(threshold, knee, block.out)


def _add(block: Block) -> None:
    out = block.resized("smaller", block.out)
    out *= np.float32(block.values["spread"])
    out += block.pictures["picture"][block.row : block.row + len(out)]


def _shine(block: Block) -> None:
    values = block.values
    red, green, blue = (np.float32(part * values["strength"] / values["total"]) for part in values["color"][:3])
    shine(block.resized("glow"), red, green, blue, block.out)


def _stages(values: Values, size: Size, unit: float) -> list[Stage]:
    """Return the stages: the bright parts, the blurred smaller levels, and their sum. `reach` sets the levels."""
    count = min(max(round(math.log2(max(values["reach"] * unit, 1.0) / 5.0)) + 1, 1), MAX_LEVELS)
    sizes = [half(size)]
    while len(sizes) < count and min(sizes[-1]) > 2:
        sizes.append(half(sizes[-1]))
    stages = [Stage(_BRIGHT, _bright, True, writes="raw0", size=sizes[0])]
    for k, each in enumerate(sizes):
        if k:
            stages.append(Stage(HALVE, resampled, True, source=f"soft{k - 1}", writes=f"raw{k}", size=each))
        stages += gauss(f"raw{k}", f"side{k}", f"soft{k}", each, _SIGMA)
    glow, total = f"soft{len(sizes) - 1}", 1.0
    for k in range(len(sizes) - 2, -1, -1):
        spread = {"spread": values["spread"]}
        smaller = ((glow, "smaller"),)
        stages.append(Stage(_ADD, _add, True, f"soft{k}", smaller, writes=f"sum{k}", size=sizes[k], values=spread))
        glow, total = f"sum{k}", 1.0 + total * values["spread"]
    return [*stages, Stage(_SHINE, _shine, reads=((glow, "glow"),), values={"total": total})]


@effect(stages=_stages)
class Bloom:
    """Bright parts of the image glow over their surroundings."""

    strength: float = field(1.4, low=0, high=10, doc="how much of it is added")
    threshold: float = field(0.5, low=0, high=100, doc="linear light above which a color shines")
    knee: float = field(0.35, low=0, high=10, doc="how softly that begins, below and above the threshold")
    reach: float = field(64.0, unit="px", low=1, high=1000, doc="how far it shines")
    spread: float = field(0.85, low=0, high=2, doc="weight of the far light beside the near; above 1 it is hazy")
    color: Color = field((1, 1, 1, 1), doc="of the light")
