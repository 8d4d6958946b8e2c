"""Decomposes concave outlines into convex pieces: cuts them into triangles and merges these while they stay convex.

An outline is first triangulated by ear clipping (mapbox-earcut). Then every unnecessary diagonal is removed: the two
pieces that share it are merged if the result is convex and has no more corners than a hull may have (Hertel and
Mehlhorn, Fast Triangulation of Simple Polygons, 1983; at most four times the minimum number of pieces, usually close to
the minimum). Long diagonals are removed first, which avoids slivers.
"""

from __future__ import annotations

import mapbox_earcut
import numpy as np
import numpy.typing as npt

from rish_ecs import UsageError

from .hull import (
    MAX_CORNERS,
    WELD,
    Given,
    Points,
    area_of,
    convex_hull,
    cross,
    crossing_of,
    points_of,
    size_of,
    turns_left,
    weld,
)  # fmt: skip

Piece = list[int]
"""A convex piece: the indices of its points, counter-clockwise."""


def decompose(sequence: Given) -> list[Points]:
    """Return the convex pieces of an outline, each (n, 2) float64 with 3 to `MAX_CORNERS` corners,
    counter-clockwise.

    sequence: the corners in order, in either direction. Raises UsageError if the outline crosses or touches itself, or
    encloses no area.
    """
    points = outline_of(sequence)
    if len(points) <= MAX_CORNERS and turns_left(points):
        return [convex_hull(points)]
    ends = np.array([len(points)], np.uint32)
    corners = np.asarray(mapbox_earcut.triangulate_float64(points, ends)).reshape(-1, 3)
    pieces = joined(points, [_turned_left(points, triangle) for triangle in corners.tolist()])
    near = WELD * size_of(points)
    return [points[piece] for piece in pieces if _width(points[piece]) > near / 4]


def outline_of(corners: Given) -> Points:
    """Return the corners of a simple outline, welded, counter-clockwise. Raises UsageError if it is not a simple
    outline.
    """
    points = points_of(corners)
    near = WELD * size_of(points)
    points = weld(points, near)
    if len(points) < 3:
        raise UsageError("the outline encloses no area", hint="Give three corners that don't line up")
    crossing = crossing_of(points)
    if crossing is not None:
        i, j = crossing
        raise UsageError(
            f"the outline crosses itself: the edge from {_said(points, i)} meets the edge from {_said(points, j)}",
            hint="Give the corners in order around the shape",
        )
    area = area_of(points)
    if abs(area) <= near * size_of(points):
        raise UsageError(
            "the outline encloses no area: it is thinner than the smallest distance between points",
            hint="Give three corners that don't line up",
        )
    return points if area > 0 else points[::-1].copy()


def joined(points: Points, pieces: list[Piece]) -> list[Piece]:
    """Merge convex pieces across as many shared edges as possible; points: (n, 2); pieces: by indices of points."""
    shared: dict[tuple[int, int], int] = {}
    owner = list(range(len(pieces)))
    for k, piece in enumerate(pieces):
        shared.update(dict.fromkeys(_edges(piece), k))
    diagonals = [(a, b) for a, b in shared if a < b and (b, a) in shared]
    diagonals.sort(key=lambda edge: (-float(((points[edge[0]] - points[edge[1]]) ** 2).sum()), edge))
    for a, b in diagonals:
        left, right = _owner(owner, shared[a, b]), _owner(owner, shared[b, a])
        merged = _merged(pieces[left], pieces[right], a, b)
        if len(merged) <= MAX_CORNERS and _bends_left(points, merged):
            pieces[left], pieces[right], owner[right] = merged, [], left
    return [piece for piece in pieces if piece]


def _turned_left(points: Points, triangle: Piece) -> Piece:
    a, b, c = triangle
    return triangle if cross(points[b] - points[a], points[c] - points[a]) >= 0 else [a, c, b]


def _edges(piece: Piece) -> list[tuple[int, int]]:
    return list(zip(piece, piece[1:] + piece[:1], strict=True))


def _owner(owner: list[int], k: int) -> int:
    while owner[k] != k:
        k = owner[k]
    return k


def _merged(left: Piece, right: Piece, a: int, b: int) -> Piece:
    """Return the outline of both pieces, where left has the edge a-b and right b-a."""
    i, j = left.index(b), right.index(a)
    return left[i:] + left[:i] + (right[j:] + right[:j])[1:-1]


def _bends_left(points: Points, piece: Piece) -> bool:
    """Return True if every corner turns left or is straight, within a tolerance of 1e-9 for the sine of the angle."""
    corners: npt.NDArray[np.float64] = points[piece]
    edges = np.roll(corners, -1, 0) - corners
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    return bool((cross(np.roll(edges, 1, 0), edges) > -1e-9 * lengths * np.roll(lengths, 1)).all())


def _width(corners: Points) -> float:
    """Return the least distance between two parallel lines that enclose the corners."""
    edges = np.roll(corners, -1, 0) - corners
    lengths = np.maximum(np.hypot(edges[:, 0], edges[:, 1]), 1e-300)
    return float(
        min(
            cross(edge / length, corners - corner).max()
            for edge, length, corner in zip(edges, lengths, corners, strict=True)
        )
    )


def _said(points: Points, i: int) -> str:
    (x, y), (u, v) = points[i], points[(i + 1) % len(points)]
    return f"({x:g}, {y:g}) to ({u:g}, {v:g})"
