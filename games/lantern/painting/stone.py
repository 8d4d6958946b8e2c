"""Stone: slabs, bricks, pebbles and bare rock, each as colors and heights for a normal map."""

from __future__ import annotations

import numpy as np

from rish_jit import Array

from .noise import cells, cloudy, hashed, smooth
from .palette import shade

_LAYOUTS = (
    ((0, 0, 32, 32),),
    ((0, 0, 32, 16), (0, 16, 16, 16), (16, 16, 16, 16)),
    ((0, 0, 16, 32), (16, 0, 16, 16), (16, 16, 16, 16)),
    ((0, 0, 20, 16), (20, 0, 12, 16), (0, 16, 12, 16), (12, 16, 20, 16)),
    ((0, 0, 16, 16), (16, 0, 16, 32), (0, 16, 16, 16)),
    ((0, 0, 32, 14), (0, 14, 14, 18), (14, 14, 18, 18)),
)
"""Ways to divide a square of 32 pixels into slabs: x, y, width, height of each."""


def slabs(shape: tuple[int, int], seed: int = 1) -> tuple[Array, Array, Array]:
    """Return a floor of flagstones: distance to the stone's border, the stone's number 0..1, its slope (h, w, 2)."""
    border, number, lean = np.zeros(shape), np.zeros(shape), np.zeros((*shape, 2))
    for top in range(0, shape[0], 32):
        for left in range(0, shape[1], 32):
            pick = int(hashed(left, top, seed) * len(_LAYOUTS))
            for x, y, wide, high in _LAYOUTS[pick]:
                x0, y0 = left + x, top + y
                x1, y1 = min(x0 + wide, shape[1]), min(y0 + high, shape[0])
                if x1 <= x0 or y1 <= y0:
                    continue
                v, u = np.mgrid[0 : y1 - y0, 0 : x1 - x0]
                near = np.minimum(np.minimum(u, wide - 1 - u), np.minimum(v, high - 1 - v)).astype(np.float64)
                corner = np.minimum(u, wide - 1 - u) + np.minimum(v, high - 1 - v)
                border[y0:y1, x0:x1] = np.where(corner < 2, 0, near)
                number[y0:y1, x0:x1] = hashed(x0, y0, seed + 1)
                tilt = np.array([hashed(x0, y0, seed + 2), hashed(x0, y0, seed + 3)]) - 0.5
                lean[y0:y1, x0:x1] = tilt * 0.34
    return border, number, lean


def cracks(shape: tuple[int, int], seed: int) -> Array:
    """Return the bool mask of thin winding lines here and there."""
    field = cloudy(shape, 46, seed, 4)
    where = smooth(shape, 70, seed + 9)
    return (np.abs(field - 0.5) < 0.006) & (where > 0.62)


def floor(shape: tuple[int, int]) -> tuple[Array, Array, Array]:
    """Return a floor of flagstones: colors (h, w, 3), heights in pixels, and slopes (h, w, 2)."""
    border, number, lean = slabs(shape)
    grain, stains = cloudy(shape, 5, 4, 2), cloudy(shape, 90, 5, 3)
    crack = cracks(shape, 6) & (border > 0)
    value = 0.50 + (number - 0.5) * 0.26 + (grain - 0.5) * 0.22 + (stains - 0.5) * 0.35
    value = np.where(border == 1, value + 0.07, value)
    value = np.where(border < 1, 0.20 + 0.1 * grain, value)
    value = np.where(crack, value - 0.2, value)
    color = shade("slab", value)
    warm = (number > 0.80)[..., None] | (stains > 0.72)[..., None]
    color = np.where(warm, shade("warm", value), color)
    moss = cloudy(shape, 60, 8, 4) + 0.05 * (border < 2) + 0.05 * (grain - 0.5)
    color = np.where((moss > 0.73)[..., None], shade("moss", value), color)
    height = np.minimum(border, 2.0) * 0.85 + (grain - 0.5) * 1.1 - crack * 1.2 + (moss > 0.73) * grain * 1.2
    return color, height, lean


def cave(shape: tuple[int, int]) -> tuple[Array, Array, Array]:
    """Return a natural floor, pebbles in sand: colors, heights and slopes."""
    border, number = cells(shape, 13, 21)
    small, tiny = cells(shape, 6, 27)
    grain, dunes = cloudy(shape, 6, 24, 3), cloudy(shape, 70, 25, 3)
    stone = (number > 0.45) & (border > 0.8)
    pebble = ~stone & (tiny > 0.8) & (small > 0.6)
    value = 0.42 + (grain - 0.5) * 0.3 + (dunes - 0.5) * 0.4
    value = np.where(stone, 0.5 + (number - 0.5) * 0.3 + np.minimum(border, 4) * 0.03 + (grain - 0.5) * 0.2, value)
    value = np.where(pebble, value + 0.14, value)
    color = np.where((stone | pebble)[..., None], shade("cave", value), shade("slab", value - 0.06))
    height = np.where(stone, np.minimum(border, 3.5) * 0.8, 0) + np.where(pebble, np.minimum(small, 2) * 0.8, 0)
    return color, height + (grain - 0.5) * 1.4 + dunes * 5, np.zeros((*shape, 2))


def bricks(shape: tuple[int, int], down: Array) -> tuple[Array, Array, Array]:
    """Return the face of a brick wall that faces south. down: pixels below the wall's upper end, of 32."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    course = down // 8
    shift = np.where(course % 2 == 1, 8, 0) + np.where(course == 0, 4, 0)
    along = (x + shift) % 16
    number = hashed((x + shift) // 16, course + 100 * (y // 64), 41)
    up = (down % 8).astype(np.float64)
    border = np.minimum(np.minimum(along, 15 - along), np.minimum(up, 7 - up))
    grain = cloudy(shape, 4, 43, 2)
    value = 0.56 + (number - 0.5) * 0.26 + (grain - 0.5) * 0.24
    value = np.where(up == 1, value + 0.08, value)
    value = np.where(border < 1, 0.2, value)
    value = value - np.clip((down - 22) / 10, 0, 1) * 0.2 * (0.5 + grain)
    color = np.where((number > 0.78)[..., None], shade("warm", value), shade("brick", value))
    damp = cloudy(shape, 34, 47, 3) + np.clip((down - 14) / 40, 0, 0.3)
    color = np.where((damp > 0.84)[..., None], shade("moss", value - 0.04), color)
    lintel = down < 5
    ledge = 0.66 + (hashed((x + 6) // 24, y * 0, 45) - 0.5) * 0.12 + (grain - 0.5) * 0.14 - (down == 4) * 0.3
    ledge = np.where((x + 6) % 24 == 0, 0.3, ledge)
    color = np.where(lintel[..., None], shade("brick", ledge), color)
    height = np.minimum(border, 1.5) * 1.0 + (grain - 0.5) * 1.4 + (number - 0.5) * 0.8
    height = np.where(lintel, 2.5 + (grain - 0.5), height)
    lean = np.zeros((*shape, 2))
    lean[..., 0] = (number - 0.5) * 0.3
    lean[..., 1] = -0.75
    return color, height, lean


def cliff(shape: tuple[int, int], down: Array) -> tuple[Array, Array, Array]:
    """Return the face of bare rock, in overhanging lumps."""
    border, number = cells(shape, 11, 51)
    grain = cloudy(shape, 5, 53, 2)
    lumps = cloudy(shape, 18, 55, 2)
    value = 0.46 + (number - 0.5) * 0.24 + (grain - 0.5) * 0.24 + (lumps - 0.5) * 0.3
    value = np.where(border < 0.7, value - 0.2, value) - np.clip((down - 20) / 12, 0, 1) * 0.16
    color = shade("cave", value)
    height = np.minimum(border, 3.0) * 1.1 + (grain - 0.5) * 1.6 + lumps * 5
    lean = np.zeros((*shape, 2))
    lean[..., 1] = -0.6
    return color, height, lean


def rock(shape: tuple[int, int], inward: Array, built: Array) -> tuple[Array, Array, Array]:
    """Return the top of the walls. inward: pixels from the rock's edge. built: True where the edge has a coping."""
    grain = cloudy(shape, 6, 61, 3)
    lumps, number = cells(shape, 10, 63)
    value = 0.52 - np.clip(inward / 26, 0, 1) * 0.5 + (grain - 0.5) * 0.26 - (lumps < 0.7) * 0.1 + (number - 0.5) * 0.1
    color = shade("rock", value)
    rim = (inward <= 5) & built
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    joint = ((x + 5) % 14 == 0) | ((y + 3) % 14 == 0)
    stones = hashed((x + 5) // 14, (y + 3) // 14, 66)
    edge = 0.5 + (stones - 0.5) * 0.2 + (grain - 0.5) * 0.2 + (inward <= 1) * 0.14 - joint * 0.24 - (inward >= 5) * 0.3
    color = np.where(rim[..., None], shade("brick", edge), color)
    height = np.minimum(lumps, 3) * 0.9 + (grain - 0.5) * 1.4 + np.minimum(inward, 3) * 0.8
    height = np.where(rim, 3 + np.minimum(inward, 2) * 0.8 - joint * 1.2 - (inward >= 5) * 1.5, height)
    return color, height, np.zeros((*shape, 2))
