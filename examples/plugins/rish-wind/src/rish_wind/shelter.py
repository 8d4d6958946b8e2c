"""Shelter: the lee behind `Edges`, which physics, tile maps and occluders publish."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, maths

_MAX_PAIRS = 1 << 18
"""The greatest number of pairs of a point and an edge that are tested at a time, which limits the memory to some
megabytes."""


def shelter(edges: Any, places: Array, air: Array, length: float, mask: int) -> Array:
    """Return the share of the wind that is left at each place, float64 (n,): 0 behind a wall, 1 at `length` units.

    A ray goes from the place against the wind (air: its velocity, (n, 2)) and ends at the nearest edge of the mask.
    """
    share = np.ones(len(places))
    speed = maths.hypot(air[:, 0], air[:, 1])
    moved = np.flatnonzero(speed > 0)
    if not len(edges) or not len(moved):
        return share
    ways = -air[moved] / speed[moved, None] * length
    starts = np.column_stack([edges.x0, edges.y0]).astype(np.float64)
    sides = np.column_stack([edges.x1, edges.y1]) - starts
    near = _near(edges, starts, sides, mask, places[moved], length)
    starts, sides = starts[near], sides[near]
    if not len(starts):
        return share
    step = max(_MAX_PAIRS // len(starts), 1)
    for first in range(0, len(moved), step):
        part = slice(first, first + step)
        share[moved[part]] = _nearest(places[moved[part]], ways[part], starts, sides)
    return share


def _near(edges: Any, starts: Array, sides: Array, mask: int, places: Array, length: float) -> Array:
    """Return which edges can be met by any ray: those of the mask in the box around all rays, bool (m,)."""
    low, high = places.min(axis=0) - length, places.max(axis=0) + length
    ends = starts + sides
    meets = (np.minimum(starts, ends) <= high).all(axis=1) & (np.maximum(starts, ends) >= low).all(axis=1)
    return meets & ((edges.mask & mask) != 0)


def _nearest(places: Array, ways: Array, starts: Array, sides: Array) -> Array:
    """Return how far along its way each ray meets an edge, from 0 to 1; 1 if it meets none."""
    # place + t·way = start + s·side, solved by cross products.
    gap = starts[None] - places[:, None]
    across = ways[:, None, 0] * sides[None, :, 1] - ways[:, None, 1] * sides[None, :, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (gap[..., 0] * sides[None, :, 1] - gap[..., 1] * sides[None, :, 0]) / across
        s = (gap[..., 0] * ways[:, None, 1] - gap[..., 1] * ways[:, None, 0]) / across
    met = (across != 0) & (t >= 0) & (t <= 1) & (s >= 0) & (s <= 1)
    return np.where(met, t, 1).min(axis=1)
