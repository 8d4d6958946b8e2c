"""Pixelate: draws the image in large squares; the color of each is the mean of four points inside it."""

from __future__ import annotations

import numpy as np

from rish_core import field
from rish_jit import njit

from ..effect import Block, Size, Stage, Values, effect
from ..kernels import spot

_GLSL = """
vec4 shade(vec2 at) {
    vec2 cell = vec2(size * unit);
    vec2 origin = resolution * 0.5;
    vec2 low = floor((at * resolution - origin) / cell) * cell + origin;
    vec2 one = cell * 0.25 / resolution, corner = low / resolution;
    return 0.25 * (picture(corner + one) + picture(corner + one * vec2(3.0, 1.0))
        + picture(corner + one * vec2(1.0, 3.0)) + picture(corner + one * 3.0));
}
"""


@njit(inline="always")
def read(picture, u, v, channel):
    """Return one channel of an image at u, v in texels from its top left corner, bilinear."""
    x0, x1, fx = spot(u, picture.shape[1])
    y0, y1, fy = spot(v, picture.shape[0])
    upper = picture[y0, x0, channel] + (picture[y0, x1, channel] - picture[y0, x0, channel]) * fx
    lower = picture[y1, x0, channel] + (picture[y1, x1, channel] - picture[y1, x0, channel]) * fx
    return upper + (lower - upper) * fy


@njit
def pixelate(picture, top, cell, out):
    """Fill rows with squares that are aligned to the middle of the image. cell: their side, texels."""
    height, width = np.float32(picture.shape[0]), np.float32(picture.shape[1])
    step = cell * np.float32(0.25)
    line, line_low = np.zeros((out.shape[1], 4), np.float32), np.float32(-1e30)
    for y in range(out.shape[0]):
        up = height - np.float32(top + y) - np.float32(0.5)
        low = np.floor((up - height * np.float32(0.5)) / cell) * cell + height * np.float32(0.5)
        if low != line_low:
            line_low = low
            before = np.float32(-1e30)
            for x in range(out.shape[1]):
                start = np.float32(x) + np.float32(0.5) - width * np.float32(0.5)
                start = np.floor(start / cell) * cell + width * np.float32(0.5)
                for c in range(4):
                    if start == before:
                        line[x, c] = line[x - 1, c]
                    else:
                        near, far = height - low - step, height - low - step * np.float32(3)
                        line[x, c] = np.float32(0.25) * (
                            read(picture, start + step, near, c) + read(picture, start + step * np.float32(3), near, c)
                            + read(picture, start + step, far, c) + read(picture, start + step * np.float32(3), far, c)
                        )  # fmt: skip
                before = start
        out[y] = line


def _fallback(block: Block) -> None:
    cell = block.values["size"] * block.unit
    pixelate(block.pictures["picture"], block.row, np.float32(cell), block.out)


def _stages(values: Values, size: Size, unit: float) -> list[Stage]:
    """Return a list with the stage that draws squares; empty if a square is not larger than a pixel."""
    return [_SQUARES] if values["size"] * unit > 1 else []


_SQUARES = Stage(_GLSL, _fallback, True)


@effect(stages=_stages)
class Pixelate:
    """Shows the image in large squares."""

    size: float = field(6.0, unit="px", low=0.1, high=1000, doc="side of a square")
