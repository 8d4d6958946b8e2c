"""Convex shapes: converts the points that an author gave to the packed rows that kernels read.

Every shape is the convex hull of 1 to 8 points, rounded by a radius: one point is a circle, two are a capsule (or a
segment, without radius), three and more a polygon. Points run counter-clockwise, and edge `i` goes from point `i` to
the next one; its outward normal is the edge turned right.

Neighbors that nearly coincide are welded, and points that are nearly on the line between their neighbors are left
out: the normal of an edge of almost no length is meaningless, and a stack that rests on such an edge falls over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import UsageError

Points = npt.NDArray[np.float64]
"""Points as rows: (n, 2)."""
Given = Sequence[Sequence[float]] | npt.NDArray[Any]

MAX_CORNERS = 8
"""The greatest number of points of a hull."""
WELD = 1e-4
"""Points that are nearer than this share of the outline's size are merged."""


def points_of(sequence: Given) -> Points:
    """Return an author's points as float64 in rows (n, 2). Raises UsageError if they are not a list of valid points."""
    try:
        points = np.array(sequence, np.float64)
    except (TypeError, ValueError):
        points = np.zeros(0)
    if points.ndim != 2 or points.shape[-1] != 2 or len(points) == 0:
        raise UsageError("an outline is a list of points, each with x and y", hint="Write [[0, 0], [1, 0], [0, 1]]")
    bad = np.flatnonzero(~np.isfinite(points).all(1) | (np.abs(points) > 1e9).any(1))
    if len(bad):
        x, y = points[bad[0]]
        raise UsageError(
            f"point {bad[0]} of the outline, ({x:g}, {y:g}), is not finite or too large",
            hint="Give finite numbers below 1e9",
        )
    return points


def size_of(points: Points) -> float:
    """Return the longer side of the box around the points."""
    return float(np.ptp(points, axis=0).max())


def weld(points: Points, distance: float, *, closed: bool = True) -> Points:
    """Return the points without those that are within `distance` of the previous point. closed: the first point
    follows the last one.
    """
    welded: list[Any] = []
    for point in points:
        if not welded or np.hypot(*(point - welded[-1])) > distance:
            welded.append(point)
    while closed and len(welded) > 1 and np.hypot(*(welded[-1] - welded[0])) <= distance:
        welded.pop()
    return np.array(welded)


def convex_hull(sequence: Given) -> Points:
    """Return the corners of the convex hull of the points, in any order, counter-clockwise: (n, 2), float64.

    Points that are nearer than `WELD` times the size are merged, and corners that are nearly straight are removed.
    Raises UsageError if the points are on one line, or if more than `MAX_CORNERS` corners remain. Uses Andrew's
    monotone chain.
    """
    points = points_of(sequence)
    near = WELD * size_of(points)
    corners = _corners(weld(points[np.lexsort((points[:, 1], points[:, 0]))], 0.0, closed=False))
    corners = _without_straight(weld(corners, near), near)
    if len(corners) < 3:
        raise UsageError(
            f"the {len(points)} points are on one line or coincide, so they enclose no area",
            hint="Give three corners that don't line up, or two points and a radius for a capsule",
        )  # fmt: skip
    if len(corners) > MAX_CORNERS:
        raise UsageError(
            f"the outline has {len(corners)} corners, but a convex shape can have at most {MAX_CORNERS}",
            hint="Give fewer points, or let the outline be split into pieces",
        )  # fmt: skip
    return corners


def _corners(points: Points) -> Points:
    """Return the convex hull of points sorted by x, then y, without points on its edges."""
    halves: list[Any] = []
    for half in (points, points[::-1]):
        chain: list[Any] = []
        for point in half:
            while len(chain) > 1 and cross(chain[-1] - chain[-2], point - chain[-1]) <= 0:
                chain.pop()
            chain.append(point)
        halves += chain[:-1]
    return np.array(halves) if halves else points


def _without_straight(corners: Points, near: float) -> Points:
    """Return the corners without those less than `near` from the line between their neighbors, flattest first."""
    while len(corners) > 2:
        before, after = np.roll(corners, 1, 0), np.roll(corners, -1, 0)
        base = after - before
        height = np.abs(cross(base, corners - before)) / np.maximum(np.hypot(base[:, 0], base[:, 1]), 1e-300)
        flattest = int(np.argmin(height))
        if height[flattest] > near:
            break
        corners = np.delete(corners, flattest, 0)
    return corners


def cross(a: Any, b: Any) -> Any:
    """Return the 2D cross product of plane vectors, positive if b is to the left of a."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def area_of(outline: Points) -> float:
    """Return the area inside an outline, negative if it runs clockwise (the shoelace formula)."""
    from_first = outline - outline[0]
    return float(cross(from_first, np.roll(from_first, -1, 0)).sum() / 2)


def turns_left(outline: Points) -> bool:
    """Return True if an outline turns left or goes straight at each corner. If it does not cross itself, it
    is convex.
    """
    edges = np.roll(outline, -1, 0) - outline
    turns = cross(np.roll(edges, 1, 0), edges)
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    return bool((turns >= -1e-9 * lengths * np.roll(lengths, 1)).all())


def crossing_of(outline: Points) -> tuple[int, int] | None:
    """Return the indices of two edges of an outline that intersect or overlap; None if the outline is simple."""
    n = len(outline)
    start, end = outline, np.roll(outline, -1, 0)
    for i in range(n - 1):
        others = np.arange(i + 1, n)
        crosses = _meet(start[i], end[i], start[others], end[others])
        beside = (others == i + 1) | ((others + 1) % n == i)
        crosses[beside] = _folds(outline, i, others[beside])
        if crosses.any():
            return i, int(others[np.argmax(crosses)])
    return None


def _meet(a: Points, b: Points, c: Points, d: Points) -> npt.NDArray[np.bool_]:
    """Return, for each segment c-d, whether segment a-b has a point in common with it."""
    side_c, side_d = cross(b - a, c - a), cross(b - a, d - a)
    side_a, side_b = cross(d - c, a - c), cross(d - c, b - c)
    apart = (np.minimum(c, d) > np.maximum(a, b)).any(1) | (np.maximum(c, d) < np.minimum(a, b)).any(1)
    return (side_c * side_d <= 0) & (side_a * side_b <= 0) & ~apart


def _folds(outline: Points, i: int, others: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    """Return for each neighbor of edge i whether it runs back along that edge, bool."""
    n = len(outline)
    edge = outline[(i + 1) % n] - outline[i]
    other_edges = outline[(others + 1) % n] - outline[others]
    back = other_edges @ edge < 0
    return back & (
        np.abs(cross(edge, other_edges)) <= 1e-12 * np.hypot(*edge) * np.hypot(other_edges[:, 0], other_edges[:, 1])
    )


def normals_of(points: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the outward unit normals of the edges of hulls: (..., n, 2) to (..., n, 2); zeros for a single point."""
    edges = np.roll(points, -1, -2) - points
    length = np.sqrt(edges[..., 0] ** 2 + edges[..., 1] ** 2)[..., None]
    turned = np.stack((edges[..., 1], -edges[..., 0]), -1)
    return np.divide(turned, length, out=np.zeros_like(turned), where=length > 0)


def hull_rows(points: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return hulls of n points each, (m, n, 2), as rows of `Shapes.hull`: (m, 32), float32. Normals are computed in
    float64.
    """
    exact = np.asarray(points, np.float64)
    m, n, _ = exact.shape
    rows = np.zeros((m, 4 * MAX_CORNERS), np.float32)
    rows[:, : 2 * n] = exact.reshape(m, 2 * n)
    rows[:, 2 * MAX_CORNERS : 2 * MAX_CORNERS + 2 * n] = normals_of(exact).reshape(m, 2 * n)
    return rows


def chain_rows(sequence: Given, *, loop: bool) -> npt.NDArray[np.float32]:
    """Return a chain of one-sided segments, which collide on their right, as rows of `Shapes.hull`, one per segment:
    (m, 32).

    The points of a row are ghost, first, second, ghost: the ghosts are the far ends of the neighbors. They limit the
    directions in which a segment may push, so that shapes slide smoothly over a joint. At an open end the ghost is the
    other end of the segment itself: that corner pushes in any direction. A loop that runs counter-clockwise collides on
    its outside. Raises UsageError for fewer than two points (three for a loop), and for neighbors that coincide.
    """
    points = points_of(sequence)
    count = len(points)
    minimum = 3 if loop else 2
    if count < minimum:
        raise UsageError(f"a chain of {count} points is too short", hint=f"Give at least {minimum} points")
    ends = np.roll(points, -1, 0) if loop else points[1:]
    starts = points if loop else points[:-1]
    short = np.flatnonzero(np.hypot(*(ends - starts).T) <= 1e-7 * size_of(points))
    if len(short):
        x, y = starts[short[0]]
        raise UsageError(
            f"points {short[0]} and {(short[0] + 1) % count} of the chain coincide at ({x:g}, {y:g})",
            hint="Leave one of them out",
        )  # fmt: skip
    before, after = np.roll(starts, 1, 0), np.roll(ends, -1, 0)
    if not loop:
        before[0], after[-1] = ends[0], starts[-1]
    return hull_rows(np.stack((before, starts, ends, after), 1))
