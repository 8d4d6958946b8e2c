"""Chromatic aberration: red and blue are displaced against green, more so far from the middle of the image."""

from __future__ import annotations

import numpy as np

from rish_core import field
from rish_jit import njit

from ..effect import Block, effect

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


@njit
def displaced(picture, y, du, dv, share, channel, weight, first, fx, fy, out):
    """Add one channel of a row, read at each pixel displaced by share · (du, dv) texels, times a weight.

    picture: float32 (h, w, 4). first: int32 w, fx, fy: float32 w, scratch arrays. out: float32 4w. All positions are
    computed before any pixel is read, so that both loops are vectorized.
    """
    height, width = picture.shape[0], picture.shape[1]
    right, down = 4 * min(width - 1, 1), 4 * width * min(height - 1, 1)
    max_x, max_y = np.int32(max(width - 2, 0)), np.int32(max(height - 2, 0))
    for x in range(width):
        u = min(max(np.float32(x) + du[x] * share, np.float32(0)), np.float32(width - 1))
        v = min(max(np.float32(y) + dv[x] * share, np.float32(0)), np.float32(height - 1))
        column, line = min(np.int32(u), max_x), min(np.int32(v), max_y)
        fx[x], fy[x] = u - np.float32(column), v - np.float32(line)
        first[x] = np.int32(4) * (line * np.int32(width) + column)
    texels = picture.reshape(-1)
    side, below = np.uint64(right), np.uint64(down)
    for x in range(width):
        at = np.uint64(first[x]) + np.uint64(channel)
        upper = texels[at] + (texels[at + side] - texels[at]) * fx[x]
        lower = texels[at + below] + (texels[at + below + side] - texels[at + below]) * fx[x]
        out[np.uint64(4) * np.uint64(x) + np.uint64(channel)] += (upper + (lower - upper) * fy[x]) * weight


@njit
def aberration(picture, top, strength, out):
    """Read red farther out and blue farther in. strength: as a fraction of the longer side, in a square's corners."""
    rows, width, half = picture.shape[0], picture.shape[1], np.float32(0.5)
    du, dv = np.empty(width, np.float32), np.empty(width, np.float32)
    fx, fy = np.empty(width, np.float32), np.empty(width, np.float32)
    first = np.empty(width, np.int32)
    for y in range(out.shape[0]):
        off_y = (np.float32(top + y) + half) / np.float32(rows) - half
        for x in range(width):
            off_x = (np.float32(x) + half) / np.float32(width) - half
            far = (off_x * off_x + off_y * off_y) * np.float32(4) * strength
            du[x], dv[x] = off_x * far * np.float32(width), off_y * far * np.float32(rows)
        row, center = out[y].reshape(-1), picture[top + y].reshape(-1)
        for i in range(4 * width):
            row[i] = center[i] if i & 1 else np.float32(0)
        for channel, sign in ((0, np.float32(1)), (2, np.float32(-1))):
            displaced(picture, top + y, du, dv, sign, channel, np.float32(0.6), first, fx, fy, row)
            displaced(picture, top + y, du, dv, sign * half, channel, np.float32(0.4), first, fx, fy, row)


def _fallback(block: Block) -> None:
    strength = block.values["strength"] * block.unit / max(block.size)
    aberration(block.pictures["picture"], block.row, np.float32(strength), block.out)


@effect(name="aberration", glsl=_GLSL, fallback=_fallback, samples=True)
class Aberration:
    """Colors separate towards the edges, as in a cheap lens."""

    strength: float = field(4.0, unit="px", low=0, high=200, doc="how far red and blue are from green in the corners")
