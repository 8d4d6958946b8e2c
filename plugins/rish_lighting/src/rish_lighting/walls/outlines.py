"""Outlines: simplified closed lines around the solid part of an image.

Each solid texel is a square. The border of the solid area is traced with the solid side on the left, so outer
borders run counter-clockwise and borders of holes clockwise. Then corners are removed while the line stays within a
tolerance of all of them (Ramer, Douglas and Peucker), so that a staircase of texels becomes a straight slope.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array

Points = list[tuple[int, int]]
_TOLERANCE = 0.75
"""The largest distance, in texels, from a line to a corner. For a staircase of one texel, it is 0.71."""


def outlines_of(mask: Array, threshold: int = 128, tolerance: float = _TOLERANCE) -> list[Array]:
    """Return closed lines, float64 (k, 2) each, in texels, y up from the image's bottom left.

    mask: uint8 (h, w), the top row first. threshold: the smallest opacity of a solid texel.
    """
    solid = np.pad(mask[::-1] >= threshold, 1)
    return [simplified(np.array(loop, np.float64), tolerance) for loop in _loops(_sides(solid))]


def _sides(solid: Array) -> dict[tuple[int, int], Points]:
    """Return the unit sides between solid texels and others: the end points by start point."""
    inside, out = solid[1:-1, 1:-1], ~solid
    ends: dict[tuple[int, int], Points] = {}
    sides = (
        (inside & out[:-2, 1:-1], (0, 0), (1, 0)),
        (inside & out[1:-1, 2:], (1, 0), (1, 1)),
        (inside & out[2:, 1:-1], (1, 1), (0, 1)),
        (inside & out[1:-1, :-2], (0, 1), (0, 0)),
    )
    for which, (x0, y0), (x1, y1) in sides:
        for y, x in np.argwhere(which).tolist():
            ends.setdefault((x + x0, y + y0), []).append((x + x1, y + y1))
    return ends


def _loops(ends: dict[tuple[int, int], Points]) -> list[Points]:
    """Link the sides to closed lines of corners; two lines that touch at a point stay separate."""
    loops: list[Points] = []
    while ends:
        first = next(iter(ends))
        loop, at, came = [first], first, (0, 0)
        while True:
            next_ends = ends[at]
            pick = 0
            if len(next_ends) > 1:  # turn left, along the same texel
                turns = [came[0] * (y - at[1]) - came[1] * (x - at[0]) for x, y in next_ends]
                pick = int(np.argmax(turns))
            after = next_ends.pop(pick)
            if not next_ends:
                del ends[at]
            way = (after[0] - at[0], after[1] - at[1])
            if way == came:
                loop.pop()
            at, came = after, way
            if at == first:
                break
            loop.append(at)
        loops.append(loop)
    return loops


def simplified(loop: Array, tolerance: float) -> Array:
    """Return a closed line without the corners that may be removed within the tolerance; at least three corners
    remain.
    """
    if len(loop) <= 4:
        return loop
    far = int(np.argmax(((loop - loop[0]) ** 2).sum(axis=1)))
    ring = np.concatenate([loop, loop[:1]])
    indices = sorted({*_kept(ring, 0, far, tolerance), *_kept(ring, far, len(loop), tolerance)} - {len(loop)})
    if len(indices) >= 3:
        return loop[indices]
    return simplified(loop, tolerance / 2) if tolerance > 0.05 else loop


def _kept(points: Array, first: int, last: int, tolerance: float) -> list[int]:
    """Return the indices of the corners that the simplification of a polyline keeps, its ends included."""
    indices, waiting = [first, last], [(first, last)]
    while waiting:
        a, b = waiting.pop()
        if b - a < 2:
            continue
        way = points[b] - points[a]
        off = points[a + 1 : b] - points[a]
        length = float(np.hypot(*way))
        across = np.abs(way[0] * off[:, 1] - way[1] * off[:, 0])
        away = across / length if length > 0 else np.hypot(off[:, 0], off[:, 1])
        worst = int(np.argmax(away))
        if away[worst] > tolerance:
            middle = a + 1 + worst
            indices.append(middle)
            waiting += [(a, middle), (middle, b)]
    return indices
