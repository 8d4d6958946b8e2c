"""Strokes: converts a path into triangles with smooth edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .path import Path

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Style:
    """The look of a stroke: joint and cap as numbers of `Joint` and `Cap`, and the longest miter in widths."""

    joint: int = 1
    cap: int = 1
    miter_limit: float = 4.0


@dataclass(frozen=True)
class Strip:
    """Triangles: points float32 (m, 2), cover float32 m, along and across float32 m, indices int32 (k, 3).

    cover: 0..1, a factor of the opacity. along: distance from the start. across: 1 on the left, -1 right. polygon:
    int32 m, the convex polygon that each corner belongs to.
    """

    points: Array
    cover: Array
    along: Array
    across: Array
    indices: Array
    polygon: Array


def make_strip(path: Path, style: Style, pixel: float, apart: bool) -> Strip:
    """Return the triangles of a stroke. pixel: its size in units. apart: cut overlaps, for translucent strokes."""
    from .pieces import WIDTH, make_pieces

    n = max(len(path.half), 1)
    room = 44 * n + 1024
    points, half, along = (np.ascontiguousarray(a, np.float64) for a in (path.points.ravel(), path.half, path.along))
    while True:
        corners, starts, marks = np.empty(WIDTH * room), np.empty(room, np.int64), np.empty(room, np.int64)
        count = make_pieces(
            points, half, along, path.starts, path.closed, style.joint, float(style.miter_limit), style.cap,
            float(pixel), 0.0 if apart else float(pixel), corners, starts, marks,
        )  # fmt: skip
        if count >= 0:
            break
        room *= 2
    if not apart or count < 2:
        return _strip(corners, starts, int(count))
    count, corners, starts = _separate(corners, starts, marks, int(count), pixel)
    return _fans(*_weld(corners, starts, count, pixel), count)


def _separate(corners: Array, starts: Array, marks: Array, count: int, pixel: float) -> tuple[int, Array, Array]:
    from .difference import separate

    room = 2 * int(starts[count]) + 1024
    while True:
        out, out_starts = np.empty(5 * room), np.empty(room, np.int64)
        made = separate(corners, starts, marks, count, 1e-3 * pixel, out, out_starts)
        if made >= 0:
            return int(made), out, out_starts
        room *= 2


def _weld(corners: Array, starts: Array, count: int, pixel: float) -> tuple[Array, Array]:
    """Return corners and starts of the polygons with the corners on their edges added."""
    from .weld import fill_cells, weld

    used = int(starts[count])
    if not used:
        return corners, starts
    points = corners[: 5 * used].reshape(-1, 5)[:, :2]
    low, high = points.min(axis=0), points.max(axis=0)
    cell = max(1.5 * pixel, float((high - low).max()) / 256)
    columns, rows = (int(n) + 1 for n in (high - low) // cell)
    first, members = np.empty(columns * rows + 1, np.int64), np.empty(used, np.int64)
    fill_cells(corners, used, low[0], low[1], cell, columns, first, members)
    room = 2 * used + 1024
    while True:
        out, out_starts = np.empty(5 * room), np.empty(count + 1, np.int64)
        grid = low[0], low[1], cell, columns, rows, first, members
        if weld(corners, starts, count, *grid, 2e-3 * pixel, out, out_starts) >= 0:
            return out, out_starts
        room *= 2


def _strip(corners: Array, starts: Array, count: int) -> Strip:
    """Return every convex polygon as a fan of triangles around its first corner."""
    used = int(starts[count])
    columns = corners[: 5 * used].reshape(-1, 5)
    sizes = np.diff(starts[: count + 1])
    triangles = np.maximum(sizes - 2, 0)
    first = np.repeat(starts[:count], triangles)
    turn = np.arange(int(triangles.sum())) - np.repeat(np.cumsum(triangles) - triangles, triangles)
    indices = np.stack([first, first + turn + 1, first + turn + 2], axis=1).astype(np.int32)
    return _packed(columns, indices, np.repeat(np.arange(count, dtype=np.int32), sizes))


def _fans(corners: Array, starts: Array, count: int) -> Strip:
    """Return every convex polygon as a fan of triangles around its middle; the middles are stored after the corners."""
    used = int(starts[count])
    columns = corners[: 5 * used].reshape(-1, 5)
    sizes = np.diff(starts[: count + 1])
    polygon = np.repeat(np.arange(count, dtype=np.int32), sizes)
    middles = np.stack([np.bincount(polygon, columns[:, k], count) for k in range(5)], axis=1)
    middles /= np.maximum(sizes, 1)[:, None]
    corner = np.arange(used)
    following = corner + 1
    following[starts[1 : count + 1][sizes > 0] - 1] = starts[:count][sizes > 0]
    indices = np.stack([used + polygon, corner, following], axis=1).astype(np.int32)
    return _packed(np.concatenate([columns, middles]), indices, np.concatenate([polygon, np.arange(count)]))


def _packed(columns: Array, indices: Array, polygon: Array) -> Strip:
    cover, along, across = (np.ascontiguousarray(columns[:, k], np.float32) for k in (2, 3, 4))
    return Strip(columns[:, :2].astype(np.float32), cover, along, across, indices, polygon.astype(np.int32))
