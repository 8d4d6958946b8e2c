"""Transitions between the images of two scenes.

`old(at)` is the last image of the previous scene. Images are mixed by the square roots of their light, which looks
even.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rish_core import Color, Vec2, field
from rish_jit import njit

from ..effect import Array, Block, Size, Stage, Values, effect
from ..kernels import noise, smoothstep
from .gauss import half

_HALF = np.float32(0.5)
_MIX = """
vec4 mixed_by(vec4 pixel, vec2 at, float share) {
    vec3 root = mix(sqrt(max(old(at).rgb, vec3(0.0))), sqrt(max(pixel.rgb, vec3(0.0))), share);
    return vec4(root * root, pixel.a);
}
"""


@njit(inline="always")
def mixed(a, b, share):
    """Interpolate light between a and b by its square root."""
    root_a, root_b = np.sqrt(max(a, np.float32(0))), np.sqrt(max(b, np.float32(0)))
    root = root_a + (root_b - root_a) * share
    return root * root


@njit
def mix_each(previous, shares, out):
    """Mix rows of the old image with those of the new one, with a share for each pixel."""
    for y in range(out.shape[0]):
        row, before, share = out[y], previous[y], shares[y]
        for x in range(out.shape[1]):
            for c in range(3):
                row[x, c] = mixed(before[x, c], row[x, c], share[x])


def _rows(block: Block) -> Array:
    """Return the block's rows of the old image."""
    return block.pictures["old"][block.row : block.row + len(block.out)]


def _places(block: Block) -> tuple[Array, Array]:
    """Return x of the middles of the columns, and y of the middles of the rows from the top, in pixels of the complete
    image, float32.
    """
    rows, width = block.out.shape[:2]
    return np.arange(width, dtype=np.float32) + _HALF, np.arange(block.row, block.row + rows, dtype=np.float32) + _HALF


def _mix_within(block: Block, far: Array) -> None:
    """Mix both images: the new one up to a soft edge, which moves with the progress. far: 0..1, of each pixel."""
    softness, progress = block.values["softness"], block.values["progress"]
    edge = np.float32(progress * (1 + softness))
    low = edge - np.float32(softness)
    t = np.minimum(np.maximum((far - low) / (edge - low), np.float32(0)), np.float32(1))
    mix_each(_rows(block), np.float32(1) - t * t * (np.float32(3) - np.float32(2) * t), block.out)


# Crossfade


def _crossfade(block: Block) -> None:
    mix_each(_rows(block), np.full(block.out.shape[:2], block.values["progress"], np.float32), block.out)


@effect(
    glsl=_MIX + "vec4 shade(vec4 pixel, vec2 at) { return mixed_by(pixel, at, progress); }",
    fallback=_crossfade,
    transition=True,
)
class Crossfade:
    """One image fades into the next."""

    progress: float = field(0.0, low=0, high=1, doc="0: the old picture, 1: the new one")


# Wipe and iris

_WIPE = """
vec4 shade(vec4 pixel, vec2 at) {
    vec2 way = vec2(cos(angle), sin(angle));
    float far = 0.5 + dot(at - 0.5, way) / (abs(way.x) + abs(way.y));
    float edge = progress * (1.0 + softness);
    return mixed_by(pixel, at, 1.0 - smoothstep(edge - softness, edge, far));
}
"""


def _wipe(block: Block) -> None:
    x, y = math.cos(block.values["angle"]), math.sin(block.values["angle"])
    way_x, way_y = np.float32(x / (abs(x) + abs(y))), np.float32(y / (abs(x) + abs(y)))
    column, row = _places(block)
    width, height = map(np.float32, block.size)
    u, v = column / width - _HALF, _HALF - row / height
    _mix_within(block, (_HALF + u * way_x) + (v * way_y)[:, None])


@effect(glsl=_MIX + _WIPE, fallback=_wipe, transition=True)
class Wipe:
    """The next image moves in from one side."""

    progress: float = field(0.0, low=0, high=1, doc="0: the old picture, 1: the new one")
    angle: float = field(0.0, angle=True, unit="rad", doc="of the way that the edge takes; 0 to the right")
    softness: float = field(0.15, low=0.001, high=1, doc="of the edge, share of the picture")


_IRIS = """
vec4 shade(vec4 pixel, vec2 at) {
    float far = length((at - center) * resolution) / length(resolution * (0.5 + abs(center - 0.5)));
    float edge = progress * (1.0 + softness);
    return mixed_by(pixel, at, 1.0 - smoothstep(edge - softness, edge, far));
}
"""


def _iris(block: Block) -> None:
    x, y = block.values["center"]
    longest = math.hypot(block.size[0] * (0.5 + abs(x - 0.5)), block.size[1] * (0.5 + abs(y - 0.5)))
    column, row = _places(block)
    width, height = map(np.float32, block.size)
    u, v = column - width * np.float32(x), height * (np.float32(1) - np.float32(y)) - (row - _HALF) - _HALF
    _mix_within(block, np.sqrt(u * u + (v * v)[:, None]) / np.float32(longest))


@effect(glsl=_MIX + _IRIS, fallback=_iris, transition=True)
class Iris:
    """The next image opens in a circle from a point."""

    progress: float = field(0.0, low=0, high=1, doc="0: the old picture, 1: the new one")
    center: Vec2 = field((0.5, 0.5), low=0, high=1, doc="of the circle, shares of the picture from the bottom left")
    softness: float = field(0.04, low=0.001, high=1, doc="of the edge")


# Dissolve

_PATTERN = """
vec4 shade(vec2 at) {
    vec2 p = at * resolution / cell;
    float n = 0.6 * noise(p, 1) + 0.28 * noise(p * 2.1 + 5.0, 2) + 0.12 * noise(p * 4.3 + 9.0, 3);
    return vec4(clamp((n - 0.18) / 0.64, 0.0, 1.0));
}
"""
_DISSOLVE = """
vec4 shade(vec4 pixel, vec2 at) {
    float n = pattern(at).r, edge = progress * (1.0 + softness + rim) - rim;
    float share = 1.0 - smoothstep(edge - softness, edge, n);
    float hot = smoothstep(edge - softness, edge, n) * (1.0 - smoothstep(edge, edge + rim + 0.0001, n));
    vec4 both = mixed_by(pixel, at, share);
    return vec4(both.rgb + color.rgb * hot * hot * heat * min(progress * 12.0, 1.0), both.a);
}
"""


@njit
def pattern(top, height, cell, out):
    """Fill rows with noise of three sizes. cell: the size of the largest noise, pixels."""
    for y in range(out.shape[0]):
        v = (np.float32(height - 1 - top - y) + np.float32(0.5)) / cell
        for x in range(out.shape[1]):
            u = (np.float32(x) + np.float32(0.5)) / cell
            n = np.float32(0.6) * noise(u, v, np.int64(1))
            n += np.float32(0.28) * noise(
                u * np.float32(2.1) + np.float32(5), v * np.float32(2.1) + np.float32(5), np.int64(2)
            )
            n += np.float32(0.12) * noise(
                u * np.float32(4.3) + np.float32(9), v * np.float32(4.3) + np.float32(9), np.int64(3)
            )
            n = min(max((n - np.float32(0.18)) / np.float32(0.64), np.float32(0)), np.float32(1))
            for c in range(4):
                out[y, x, c] = n


@njit
def dissolve(previous, noises, edge, softness, rim, red, green, blue, out):
    """Show the new image where the noise is below the edge, and add a glow just above the edge."""
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            n = noises[y, x, 0]
            above = smoothstep(edge - softness, edge, n)
            hot = above * (np.float32(1) - smoothstep(edge, edge + rim + np.float32(0.0001), n))
            for c in range(3):
                glow = red if c == 0 else (green if c == 1 else blue)
                out[y, x, c] = mixed(previous[y, x, c], out[y, x, c], np.float32(1) - above) + glow * hot * hot


def _pattern(block: Block) -> None:
    pattern(block.row, block.size[1], np.float32(block.values["cell"]), block.out)


def _dissolve(block: Block) -> None:
    values = block.values
    softness, rim, progress = values["softness"], values["rim"], values["progress"]
    heat = values["heat"] * min(progress * 12, 1.0)
    glow = (part * heat for part in values["color"][:3])
    numbers = (progress * (1 + softness + rim) - rim, softness, rim, *glow)
    arguments: Any = (*map(np.float32, numbers), block.out)
    dissolve(_rows(block), block.resized("pattern"), *arguments)


def _stages(values: Values, size: Size, unit: float) -> list[Stage]:
    small = half(half(size))
    cell = max(values["scale"] * unit * small[1] / size[1], 0.5)
    return [
        Stage(_PATTERN, _pattern, True, source=None, writes="pattern", size=small, values={"cell": cell}),
        Stage(_MIX + _DISSOLVE, _dissolve, reads=(("pattern", "pattern"),), old=True),
    ]


@effect(stages=_stages, transition=True)
class Dissolve:
    """The old image burns away in patches."""

    progress: float = field(0.0, low=0, high=1, doc="0: the old picture, 1: the new one")
    scale: float = field(90.0, unit="px", low=1, high=2000, doc="size of the patches")
    softness: float = field(0.06, low=0.001, high=1, doc="of their edge, in the noise's range of 1")
    rim: float = field(0.09, low=0, high=1, doc="width of the glowing rim, in the same range")
    heat: float = field(3.0, low=0, high=100, doc="brightness of the rim")
    color: Color = field((1.0, 0.54, 0.24, 1.0), doc="of the rim")
