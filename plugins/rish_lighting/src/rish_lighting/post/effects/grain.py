"""Film grain: noise that changes over time, added to the square root of light, weaker in bright areas."""

from __future__ import annotations

import numpy as np

from rish_core import field
from rish_jit import njit

from ..effect import Block, Size, Stage, Values, effect
from ..kernels import random

_GLSL = """
vec4 shade(vec4 pixel, vec2 at) {
    ivec2 p = ivec2(at * resolution / grain_side);
    int frame = int(time * rate);
    float lie = random(ivec3(p, frame)) + random(ivec3(p, frame + 7919)) - 1.0;
    vec3 root = sqrt(max(pixel.rgb, vec3(0.0)));
    float much = lie * strength * (1.0 - 0.7 * min(dot(root, vec3(0.3333)), 1.0));
    root = max(root + vec3(much), vec3(0.0));
    return vec4(root * root, pixel.a);
}
"""


@njit
def grain(top, height, side, frame, strength, out):
    """Add noise to the square root of light. side: the size of a grain, pixels."""
    for y in range(out.shape[0]):
        row = np.int64((np.float32(height - 1 - top - y) + np.float32(0.5)) / side)
        for x in range(out.shape[1]):
            column = np.int64((np.float32(x) + np.float32(0.5)) / side)
            lie = random(column, row, frame) + random(column, row, frame + 7919) - np.float32(1)
            r, g, b = (
                np.sqrt(max(out[y, x, 0], np.float32(0))),
                np.sqrt(max(out[y, x, 1], np.float32(0))),
                np.sqrt(max(out[y, x, 2], np.float32(0))),
            )
            mean = min((r + g + b) * np.float32(0.3333), np.float32(1))
            amount = lie * strength * (np.float32(1) - np.float32(0.7) * mean)
            r, g, b = max(r + amount, np.float32(0)), max(g + amount, np.float32(0)), max(b + amount, np.float32(0))
            out[y, x, 0], out[y, x, 1], out[y, x, 2] = r * r, g * g, b * b


def _fallback(block: Block) -> None:
    values = block.values
    frame, side = int(block.time * values["rate"]), values["grain_side"]
    grain(block.row, block.size[1], np.float32(side), frame, np.float32(values["strength"]), block.out)


def _stages(values: Values, size: Size, unit: float) -> list[Stage]:
    return [Stage(_GLSL, _fallback, values={"grain_side": max(values["size"] * unit, 1.0)})]


@effect(stages=_stages)
class Grain:
    """Noise that changes over time, as in film."""

    strength: float = field(0.04, low=0, high=1, doc="how far it reaches")
    size: float = field(1.0, unit="px", low=0.1, high=100, doc="side of a grain")
    rate: float = field(24.0, unit="1/s", low=0, high=240, doc="how often it changes")
