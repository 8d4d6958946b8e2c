"""Radiance cascades in memory: the software version, and what the passes on the card are compared with."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import maths

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Quality:
    """directions: of the first cascade, whose probes are the texels. length: of its rays, texels. bounces: how often
    walls throw light back. spread: texels between the probes of the second cascade; from one to the next it doubles.
    """

    directions: int = 8
    length: float = 4.0
    bounces: int = 1
    spread: int = 4

    def spacing_of(self, number: int) -> int:
        """Texels between the probes of a cascade."""
        return self.spread << number - 1 if number else 1

    def count(self, size: tuple[int, int]) -> int:
        """How many cascades reach across a grid of a size."""
        return max(1, math.ceil(math.log(3 * math.hypot(*size) / self.length + 1, 4)))

    def stretch(self, number: int, size: tuple[int, int]) -> tuple[float, float]:
        """Where the rays of a cascade begin and end; those of the last one end beyond the grid."""
        end = self.begin(number + 1) if number + 1 < self.count(size) else 2 * math.hypot(*size)
        return self.begin(number), end

    def rough(self) -> Quality:
        """For light that will be thrown back: fewer probes."""
        return replace(self, spread=2 * self.spread)

    def begin(self, number: int) -> float:
        """Where the rays of a cascade begin, texels from their probe."""
        return self.length * (4**number - 1) / 3


def depth_of(size: tuple[int, ...]) -> int:
    """How deep walls are lit, texels of a grid of a size."""
    return max(2, round(max(size) / 32))


@cache
def directions(count: int) -> Array:
    """float32 (count, 2): the middles of as many parts of the circle."""
    turn = (np.arange(count) + 0.5) * (2 * np.pi / count)
    return np.stack([maths.cos(turn), maths.sin(turn)], axis=1).astype(np.float32)


def illuminate(solid: Array, emission: Array, albedo: Array, quality: Quality = Quality()) -> Array:
    """float32 (h, w, 3): the mean radiance over all directions at each texel; see `reference`.

    solid: uint8 (h, w), 1 where light is blocked. emission, albedo: float32 (h, w, 3), of solid texels, linear.
    """
    from . import kernels

    high, wide = solid.shape
    out, thrown = np.zeros((high, wide, 3), np.float32), np.zeros((high, wide, 3), np.float32)
    for bounce in range(quality.bounces + 1):
        used = quality if bounce == quality.bounces else quality.rough()
        first = _cascades(solid, emission, albedo, thrown, used)
        kernels.gather(solid, first, directions(used.directions), out, thrown)
    return out


def _cascades(solid: Array, emission: Array, albedo: Array, thrown: Array, quality: Quality) -> Array:
    """The first cascade, merged with all others: float32 (h, w, directions, 3)."""
    from . import kernels

    high, wide = solid.shape
    upper = np.zeros((1, 1, 1, 3), np.float32)
    last = quality.count((wide, high)) - 1
    for number in range(last, -1, -1):
        count = quality.directions << 2 * number
        spacing, above = quality.spacing_of(number), quality.spacing_of(number + 1)
        shape = (-(-high // spacing), -(-wide // spacing), count, 3)
        made = np.empty(shape, np.float32)
        begin, end = (np.float32(place) for place in quality.stretch(number, (wide, high)))
        kernels.merge(
            solid, emission, albedo, thrown, np.float32(spacing), np.float32(above / spacing), begin, end,
            directions(count), upper, number == last, made,
        )  # fmt: skip
        upper = made
    return upper
