"""Fade: the image fades to one color."""

from __future__ import annotations

import numpy as np

from rish_core import Color, field
from rish_jit import njit

from ..effect import Block, effect
from ..formulas import decode, encode, encoding
from ..kernels import places_of

_GLSL = """
vec4 shade(vec4 pixel, vec2 at) {
    vec3 seen = mix(encode(pixel.rgb), encode(color.rgb), amount);
    return vec4(mix(pixel.rgb, decode(seen), step(0.00001, amount)), pixel.a);
}
"""


@njit
def fade(tables, out):
    """Look up each channel in its table, float32 (3, n) at even steps of the square root of light from 0 to 1."""
    width, steps = out.shape[1], np.float32(tables.shape[1] - 1)
    places = np.empty(4 * width, np.int32)
    red, green, blue = tables[0], tables[1], tables[2]
    for y in range(out.shape[0]):
        row = out[y].reshape(-1)
        places_of(row, steps, np.float32(1), places)
        for x in range(width):
            row[4 * x] = red[places[4 * x]]
            row[4 * x + 1] = green[places[4 * x + 1]]
            row[4 * x + 2] = blue[places[4 * x + 2]]


def _fallback(block: Block) -> None:
    values = block.values
    amount = values["amount"]
    if amount < 0.00001:
        return
    encoded = encoding().astype(np.float64) / 255
    goal = encode(np.array(values["color"][:3]))
    tables = decode(encoded[None] + (goal[:, None] - encoded[None]) * amount).astype(np.float32)
    fade(tables, block.out)


@effect(glsl=_GLSL, fallback=_fallback)
class Fade:
    """The image fades to one color, at a speed that looks constant."""

    amount: float = field(0.0, low=0, high=1, doc="share of the color; 1 hides the picture")
    color: Color = field((0, 0, 0, 1), doc="that is left")
