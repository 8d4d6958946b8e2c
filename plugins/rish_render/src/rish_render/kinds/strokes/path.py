"""Paths: the middle line of a stroke, prepared for drawing.

Invalid points are dropped first: NaN, infinity, and points too close to the previous one. Then points are added where
a color or a texture changes between two corners, and last the path is cut into dashes. A path is three arrays: points
float64 (n, 2), half float64 n (half the width), along float64 n (distance from the start).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_jit import Array

MAX_DASHES = 20_000
"""The most dashes of a line. A pattern with more is too fine to be visible, and the line is drawn without gaps."""


class Path(NamedTuple):
    """One or several strokes: part i has the points starts[i] up to starts[i + 1]. closed: it ends where it began."""

    points: Array
    half: Array
    along: Array
    starts: Array
    closed: bool = False

    @property
    def length(self) -> float:
        """The length of all parts together with the gaps between them."""
        return float(self.along[-1]) if len(self.along) else 0.0


def make_path(points: Array, widths: tuple[float, float], closed: bool, minimum: float) -> Path:
    """Return a path through points, with a width that changes linearly from the first to the second.

    closed: an edge leads back to the start. minimum: points nearer to one another than this count as one. The first
    point of a closed path is repeated at its end.
    """
    p = np.asarray(points, np.float64).reshape(-1, 2)
    p = p[np.isfinite(p).all(axis=1) & (np.abs(p) < 1e9).all(axis=1) & np.isfinite(widths).all()]
    p = _apart(p, minimum)
    while closed and len(p) > 1 and float(np.hypot(*(p[-1] - p[0]))) <= minimum:
        p = p[:-1]
    closed = closed and len(p) > 2
    if closed:
        p = np.concatenate([p, p[:1]])
    steps = np.hypot(*np.diff(p, axis=0).T) if len(p) else np.zeros(0)
    along = np.concatenate([[0.0], np.cumsum(steps)])[: len(p)]
    length = along[-1] if len(along) else 0.0
    part = along / length if length > 0 else along
    half = 0.5 * (widths[0] + (widths[1] - widths[0]) * part)
    return Path(p, half, along, np.array([0, len(p)] if len(p) else [0], np.int64), closed)


def _apart(p: Array, minimum: float) -> Array:
    """Return the points without those within `minimum` of the last point that was kept."""
    if len(p) < 2:
        return p
    near = np.hypot(*np.diff(p, axis=0).T) <= minimum
    if not near.any():
        return p
    numbers = [0]
    for k in range(1, len(p)):
        if not near[k - 1] or float(np.hypot(*(p[k] - p[numbers[-1]]))) > minimum:
            numbers.append(k)
    return p[numbers]


def with_points_at(path: Path, places: Array) -> Path:
    """Return the path with additional points at the given distances from its start."""
    places = np.asarray(places, np.float64)
    places = places[(places > 0) & (places < path.length)]
    if not len(places):
        return path
    after = np.searchsorted(path.along, places)
    gap = np.minimum(path.along[after] - places, places - path.along[after - 1])
    places = places[gap > 1e-6 * path.length]
    along = np.insert(path.along, np.searchsorted(path.along, places), places)
    return _at(path, along, np.array([0, len(along)], np.int64), path.closed)


def _at(path: Path, along: Array, starts: Array, closed: bool) -> Path:
    """Return the points of a path at the given distances from its start."""
    x, y, half = (np.interp(along, path.along, column) for column in (*path.points.T, path.half))
    return Path(np.stack([x, y], axis=1), half, along, starts, closed)


def dashed(path: Path, pattern: Array, offset: float) -> Path:
    """Return the path cut into dashes. pattern: lengths of dash and gap in turn; an odd number of them is used twice.

    offset: the position in the pattern at which the path begins; increasing it moves the dashes back along the line.
    """
    pattern = np.asarray(pattern, np.float64)
    if not len(pattern) or not np.isfinite(pattern).all() or (pattern < 0).any() or path.length <= 0:
        return path
    if len(pattern) % 2:
        pattern = np.concatenate([pattern, pattern])
    period = float(pattern.sum())
    if period <= 0 or path.length / period * len(pattern) / 2 > MAX_DASHES:
        return path
    shift = (offset if np.isfinite(offset) else 0.0) % period
    rounds = np.arange(int(np.ceil((path.length + shift) / period)) + 1) * period - shift
    ends = np.cumsum(pattern)
    first = (rounds[:, None] + np.concatenate([[0.0], ends[1:-1:2]])).ravel()
    last = (rounds[:, None] + ends[::2]).ravel()
    dot = first == last
    seen = ((first < path.length) & (last > 0)) | (dot & (first >= 0) & (first <= path.length))
    return _cut(path, np.maximum(first[seen], 0), np.minimum(last[seen], path.length))


def _cut(path: Path, first: Array, last: Array) -> Path:
    """Return the parts of a path from `first` to `last`, distances along it."""
    low = np.searchsorted(path.along, first, side="right")
    high = np.maximum(np.searchsorted(path.along, last, side="left"), low)
    counts = high - low + 2
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    along = np.empty(starts[-1])
    inside = np.ones(len(along), np.bool_)
    along[starts[:-1]], along[starts[1:] - 1] = first, last
    inside[starts[:-1]] = inside[starts[1:] - 1] = False
    between = np.arange(len(along)) - np.repeat(starts[:-1], counts) - 1 + np.repeat(low, counts)
    along[inside] = path.along[between[inside]]
    return _at(path, along, starts, closed=False)
