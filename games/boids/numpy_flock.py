"""The flock in numpy, for backends without compute shaders: the fallbacks of `flock.py`.

numpy sorts the birds by cell instead of linking lists, so the first two shaders have nothing to do here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rish_frame import pack_sprites
from rish_jit import Array

_F32 = np.float32


def nothing(arrays: Mapping[str, Array], uniforms: Mapping[str, Any]) -> None:
    """Do nothing: `steer` finds the neighbors by itself."""


def steer(arrays: Mapping[str, Array], uniforms: Mapping[str, Any]) -> None:
    """Do what `steer.comp` does."""
    u = {name: np.array(value, _F32) for name, value in uniforms.items()}
    at, way = arrays["birds"][:, :2], arrays["birds"][:, 2:]
    self = (np.arange(len(at), dtype=_F32) * _F32(0.618034) % 1)[:, None]
    push, near = _flocking(at, way, u)
    away = at - u["falcon"][:2]
    far = _length(away)
    push += away / np.maximum(far, 1) * u["falcon"][2] * np.maximum(1 - far / u["falcon"][3], 0)
    push += _F32(0.5) * (u["home"] - at) + 14 * (np.maximum(u["low"] - at, 0) - np.maximum(at - u["high"], 0))
    wander = np.sin(u["time"] * (1 + 2 * self) + 40 * self)
    push += 45 * wander * way[:, ::-1] * np.array([-1, 1], _F32) / np.maximum(_length(way), 1)
    way = way + push * np.minimum(1, 620 / np.maximum(_length(push), _F32(1e-6))) * u["dt"]
    speed = np.maximum(_length(way), 1)
    way = way * (np.clip(speed, 65 + 30 * self, 130 + 40 * self) / speed)
    at = at + way * u["dt"]
    arrays["flown"][:, :2], arrays["flown"][:, 2:] = at, way
    arrays["sprites"][:] = _sprites(at, way, near, self, u)


def _flocking(at: Array, way: Array, u: Mapping[str, Array]) -> tuple[Array, Array]:
    """Return the force of the neighbors on each bird, (n, 2), and how many there are, (n, 1)."""
    count = len(at)
    columns, rows = u["cells"].astype(int).tolist()
    one, other = pairs(at, float(u["reach"]), columns, rows)
    d = at[other] - at[one]
    gap = np.hypot(d[:, 0], d[:, 1])
    fit = (gap < u["reach"]) & (gap > 0)
    one, other, d, gap = one[fit], other[fit], d[fit], gap[fit, None]
    near = np.bincount(one, minlength=count).astype(_F32)[:, None]
    many = np.maximum(near, 1)
    along, middle = _sums(one, way[other], count) / many, _sums(one, d, count) / many
    push = 700 * _sums(one, -d / gap * np.maximum(1 - gap / u["room"], 0), count)
    return push + np.where(near > 0, _F32(2.2) * (along - way) + 5 * middle, 0), near


def _sprites(at: Array, way: Array, near: Array, self: Array, u: Mapping[str, Array]) -> Array:
    """Return the sprites of the birds. self: a number of each bird's own, 0 to 1."""
    beat = ((u["time"] * 5 + self[:, 0] * 7) % 1 * 4).astype(int)
    turned = np.arctan2(way[:, 1], way[:, 0])
    wave = 0.5 + 0.5 * np.cos(turned[:, None] + np.array([0.5, 1.4, 3.0], _F32))
    dark, bright = np.array([0.42, 0.40, 0.72], _F32), np.array([1.0, 0.86, 0.98], _F32)
    light = (dark + (bright - dark) * wave) * (_F32(0.72) + _F32(0.28) * np.clip(near / 16, 0, 1))
    rgba = np.floor(np.column_stack([light, np.ones(len(at))]) * 255 + 0.5).astype(np.uint8)
    x, y = (at - u["view"]).T
    width, height = (u["wing"] * (_F32(0.75) + _F32(0.5) * self)).T
    return pack_sprites(x, y, width, height, turned, u["frames"].astype(int)[beat], rgba, unit=0.25)


def _length(vectors: Array) -> Array:
    return np.hypot(vectors[:, :1], vectors[:, 1:])


def _sums(owner: Array, values: Array, count: int) -> Array:
    """Return the sum of the values of each owner, float32 (count, 2)."""
    return np.column_stack([np.bincount(owner, values[:, k], count) for k in (0, 1)]).astype(_F32)


def pairs(at: Array, reach: float, columns: int, rows: int) -> tuple[Array, Array]:
    """Return the numbers of all pairs of birds in the same or in neighboring cells, both ways.

    Sorted by cell, the birds of three cells of a row are one slice, so each bird has three slices.
    """
    place = np.clip(np.floor(at / _F32(reach)).astype(int), 0, (columns - 1, rows - 1))
    cell = place[:, 1] * columns + place[:, 0]
    order = np.argsort(cell, kind="stable")
    ends = np.searchsorted(cell[order], np.arange(columns * rows + 1))
    left, right = np.maximum(place[:, 0] - 1, 0), np.minimum(place[:, 0] + 1, columns - 1)
    ones: list[Array] = []
    others: list[Array] = []
    for y in (place[:, 1] - 1, place[:, 1], place[:, 1] + 1):
        row = np.clip(y, 0, rows - 1) * columns
        first = ends[row + left]
        count = np.where((y >= 0) & (y < rows), ends[row + right + 1] - first, 0)
        begin = np.cumsum(count) - count
        ones.append(np.repeat(np.arange(len(at)), count))
        others.append(order[np.repeat(first - begin, count) + np.arange(count.sum())])
    return np.concatenate(ones), np.concatenate(others)
