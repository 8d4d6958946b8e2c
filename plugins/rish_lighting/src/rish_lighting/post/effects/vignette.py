"""Vignette: the image darkens towards its corners."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rish_core import Color, field
from rish_jit import njit

from ..effect import Block, effect

_GLSL = """
vec4 shade(vec4 pixel, vec2 at) {
    vec2 wide = mix(vec2(1.0), resolution / max(resolution.x, resolution.y), roundness);
    float far = length((at * 2.0 - 1.0) * wide) / length(wide);
    float much = strength * smoothstep(inner, 1.0, far);
    return mix(pixel, vec4(color.rgb, 1.0) * pixel.a, much);
}
"""


@njit
def vignette(top, height, wide_x, wide_y, inner, strength, red, green, blue, out):
    """Mix a color into rows, more so towards the corners of the image."""
    width, one = out.shape[1], np.float32(1)
    shares = np.empty(width, np.float32)
    scale = one / (one - inner)
    for y in range(out.shape[0]):
        v = (one - np.float32(2) * (np.float32(top + y) + np.float32(0.5)) / np.float32(height)) * wide_y
        for x in range(width):
            u = (np.float32(2) * (np.float32(x) + np.float32(0.5)) / np.float32(width) - one) * wide_x
            t = min(max((np.sqrt(u * u + v * v) - inner) * scale, np.float32(0)), one)
            shares[x] = strength * t * t * (np.float32(3) - np.float32(2) * t)  # smoothstep
        row = out[y].reshape(-1)
        for x in range(width):
            remaining, share = one - shares[x], row[4 * x + 3] * shares[x]
            row[4 * x] = row[4 * x] * remaining + red * share
            row[4 * x + 1] = row[4 * x + 1] * remaining + green * share
            row[4 * x + 2] = row[4 * x + 2] * remaining + blue * share


def _fallback(block: Block) -> None:
    values, size = block.values, block.size
    wide = [1 + (side / max(size) - 1) * values["roundness"] for side in size]
    length = math.hypot(*wide)
    numbers = (*(side / length for side in wide), values["inner"], values["strength"], *values["color"][:3])
    arguments: Any = (*map(np.float32, numbers), block.out)
    vignette(block.row, size[1], *arguments)


@effect(glsl=_GLSL, fallback=_fallback)
class Vignette:
    """The image darkens towards its corners."""

    strength: float = field(0.75, low=0, high=1, doc="share of the color in the corners")
    inner: float = field(0.35, low=0, high=0.99, doc="where it begins: 0 in the middle, 1 in the corners")
    roundness: float = field(0.5, low=0, high=1, doc="0: as wide as the picture, 1: a circle")
    color: Color = field((0, 0, 0, 1), doc="of the corners")
