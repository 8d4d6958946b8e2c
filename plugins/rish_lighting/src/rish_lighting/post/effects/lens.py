"""Chromatic aberration: a lens that bends red less than blue, the more the further from its middle."""

from __future__ import annotations

import numpy as np

from rish_core import field
from rish_core.jit import njit

from ..effect import Block, effect
from ..kernels import spot

_GLSL = """
vec4 shade(vec2 at) {
    vec2 off = at - 0.5;
    vec2 far = off * dot(off, off) * 4.0 * strength * unit / max(resolution.x, resolution.y);
    vec4 middle = picture(at);
    float red = picture(at + far).r, blue = picture(at - far).b;
    float orange = picture(at + far * 0.5).r, violet = picture(at - far * 0.5).b;
    return vec4(red * 0.6 + orange * 0.4, middle.g, blue * 0.6 + violet * 0.4, middle.a);
}
"""


@njit(inline="always")
def read(picture, u, v, channel):
    """One channel of a picture at u, v in texels from its top left corner."""
    x0, x1, fx = spot(u, picture.shape[1])
    y0, y1, fy = spot(v, picture.shape[0])
    upper = picture[y0, x0, channel] + (picture[y0, x1, channel] - picture[y0, x0, channel]) * fx
    lower = picture[y1, x0, channel] + (picture[y1, x1, channel] - picture[y1, x0, channel]) * fx
    return upper + (lower - upper) * fy


@njit
def aberration(picture, top, strength, out):
    """Read red further out and blue further in. strength: pixels, in the corners of a square of the longer side."""
    height, width = np.float32(picture.shape[0]), np.float32(picture.shape[1])
    for y in range(out.shape[0]):
        v = np.float32(top + y) + np.float32(0.5)
        dv = v / height - np.float32(0.5)
        for x in range(out.shape[1]):
            u = np.float32(x) + np.float32(0.5)
            du = u / width - np.float32(0.5)
            far = (du * du + dv * dv) * np.float32(4) * strength
            fu, fv = du * far * width, dv * far * height
            out[y, x, 0] = read(picture, u + fu, v + fv, 0) * np.float32(0.6) + read(
                picture, u + fu * np.float32(0.5), v + fv * np.float32(0.5), 0
            ) * np.float32(0.4)
            out[y, x, 1] = picture[top + y, x, 1]
            out[y, x, 2] = read(picture, u - fu, v - fv, 2) * np.float32(0.6) + read(
                picture, u - fu * np.float32(0.5), v - fv * np.float32(0.5), 2
            ) * np.float32(0.4)
            out[y, x, 3] = picture[top + y, x, 3]


def _twin(block: Block) -> None:
    strength = block.values["strength"] * block.unit / max(block.size)
    aberration(block.pictures["picture"], block.row, np.float32(strength), block.out)


@effect(name="aberration", glsl=_GLSL, twin=_twin, samples=True)
class Aberration:
    """Colours part towards the rim, as in a cheap lens."""

    strength: float = field(4.0, unit="px", low=0, high=200, doc="how far red and blue are from green in the corners")
