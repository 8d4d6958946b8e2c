"""Pieces: a stroke as convex polygons, one for each segment, joint and cap, with a fringe that fades to transparent.

Every piece has a body, drawn opaque, and along its outer border a fringe one pixel wide, whose outer corners are
transparent; this makes the edges smooth. A border has its inner side half a pixel inside and its outer side half a
pixel outside the true edge. A stroke thinner than a pixel has no body, and a fainter fringe. Pieces overlap at the
joints; `difference` removes the overlaps where they would be visible.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rish_jit import Array

from .cells import Polygons, runs
from .path import Path

MITER, ROUND, BEVEL = 0, 1, 2
BUTT, ROUND_CAP, SQUARE = 0, 1, 2
_MOST = 64  # pieces of an arc

# The 14 corners of a segment, of its body and two fringes: at which end, on which side, and whether on the outer border
_SIZES = np.array([6, 4, 4])
_END = np.array([0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0])
_SIDE = np.array([0.0, 1, 1, 0, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1])
_OUTER = np.array([False] * 6 + [False, False, True, True] * 2)

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Style:
    """The look of a stroke: joint and cap as numbers of `Joint` and `Cap`, and the longest miter in widths."""

    joint: int = 1
    cap: int = 1
    miter_limit: float = 4.0


class _Piece(NamedTuple):
    """A joint or a cap. key: orders the pieces along the path. apex: an additional corner of the body, or ().

    border: of each point inner x y, outer x y, coverage, along, across.
    """

    key: int
    apex: Numbers
    border: list[Numbers]


class _Point(NamedTuple):
    """A point of a path. low, high: the distances of the two sides of a border. cover: 0..1, of its inner side."""

    x: float
    y: float
    low: float
    high: float
    cover: float
    along: float

    def edge(self, dx: float, dy: float, across: float) -> Numbers:
        """Return a point of a border, in a direction from here."""
        x, y, low, high, cover, along = self
        return x + dx * low, y + dy * low, x + dx * high, y + dy * high, cover, along, across

    def arc(self, nx: float, ny: float, angle: float, fine: float, side: float, turn: bool) -> list[Numbers]:
        """Return an arc from direction n through an angle (radians, signed). turn: `across` goes from side to -side."""
        # The largest angle whose arc is at most `fine` away from its chord: 2·acos(1 - fine / radius).
        step = 2.0 * math.acos(max(1.0 - fine / max(self.high, fine), 0.5))
        pieces = min(max(math.ceil(abs(angle) / max(step, 1e-9)), 1), _MOST)
        border: list[Numbers] = []
        for k in range(pieces + 1):
            cos, sin = math.cos(angle * k / pieces), math.sin(angle * k / pieces)
            across = side * math.cos(math.pi * k / pieces) if turn else side
            border.append(self.edge(cos * nx - sin * ny, sin * nx + cos * ny, across))
        return border


def make_pieces(path: Path, style: Style, fringe: float, overlap: float) -> tuple[Polygons, Array]:
    """Return the polygons of strokes, and their marks: twice the number of the piece, 1 more for a fringe.

    fringe: a pixel, in the unit of the points. overlap: how far joints reach into segments; without overlap, rounding
    may leave a hole.
    """
    maker = _Maker(path, style, fringe, overlap)
    parts = zip(_bordered(list(maker.joints_and_caps())), maker.segments(), strict=True)
    corners, sizes, keys, fringes = (np.concatenate(part) for part in parts)
    order = np.argsort(keys, kind="stable")
    first, sizes, keys = (np.cumsum(sizes) - sizes)[order], sizes[order], keys[order]
    piece = np.cumsum(np.diff(keys, prepend=-1) > 0) - 1
    return Polygons(corners[runs(first, sizes)], np.concatenate([[0], np.cumsum(sizes)])), 2 * piece + fringes[order]


class _Maker:
    """Makes the pieces of strokes; the arguments are those of `make_pieces`."""

    def __init__(self, path: Path, style: Style, fringe: float, overlap: float) -> None:
        self.path, self.style, self.fringe, self.overlap, self.fine = path, style, fringe, overlap, 0.12 * fringe
        low = np.maximum(path.half - 0.5 * fringe, 0.0)
        high = np.maximum(path.half, 0.5 * fringe) + 0.5 * fringe
        self.levels = np.stack([low, high, np.minimum(1.0, 2.0 * path.half / fringe), path.along], axis=1)
        step = np.diff(path.points, axis=0)
        length = np.sqrt(step[:, 0] * step[:, 0] + step[:, 1] * step[:, 1])[:, None]
        self.way = np.divide(step, length, out=np.tile([1.0, 0.0], (len(step), 1)), where=length > 0)
        trimmed = (length[:, 0] > fringe) & (style.cap == BUTT and not path.closed)
        self.trim = np.where(trimmed, 0.5 * fringe, 0.0)
        self.begin, self.end = path.starts[:-1], path.starts[1:]
        sizes, same = self.end - self.begin, path.along[self.begin] == path.along[self.end - 1]
        self.dots = (sizes == 1) | ((sizes == 2) & same)  # strokes with a position and no direction

    def joints_and_caps(self) -> Iterator[_Piece]:
        """Yield the joints and caps of all strokes."""
        closed, ways, trim = self.path.closed, self.way.tolist(), self.trim.tolist()
        points = [_Point(*row) for row in np.concatenate([self.path.points, self.levels], axis=1).tolist()]
        for begin, end, dot in zip(self.begin.tolist(), self.end.tolist(), self.dots.tolist(), strict=True):
            if dot and self.style.cap == BUTT:
                continue
            if dot:
                ends = [(begin, *(ways[begin - 1] if 0 < begin < len(ways) else (1.0, 0.0)), 0.0)] * 2
            else:
                ends = [(begin, *ways[begin], trim[begin]), (end - 1, *ways[end - 2], trim[end - 2])]
                for k in range(begin if closed else begin + 1, end - 1):
                    before = ways[k - 1] if k > begin else ways[end - 2]
                    apex, border = self._joint(points[k], *before, *ways[k])
                    if border:
                        yield _Piece(4 * k, apex, border)
            if not closed:
                for number, (k, x, y, shift) in enumerate(ends):
                    out = 2.0 * number - 1.0
                    yield _Piece(4 * k + 1 + number, (), self._cap(points[k], out * x, out * y, shift, -out))

    def _joint(self, point: _Point, x0: float, y0: float, x1: float, y1: float) -> tuple[Numbers, list[Numbers]]:
        """Return the apex behind a corner and the outline on its outer side, empty if the two segments leave no gap.

        x0, y0, x1, y1: the directions before and after the corner.
        """
        cross, dot = x0 * y1 - y0 * x1, x0 * x1 + y0 * y1
        side = -1.0 if cross > 0.0 else 1.0
        angle = math.atan2(abs(cross), dot)
        if angle * point.high < 0.2 * self.fine:
            return (), []
        ax, ay, bx, by = -side * y0, side * x0, -side * y1, side * x1
        mx, my = (x0 - x1, y0 - y1) if angle > 3.0 else (ax + bx, ay + by)
        size = math.sqrt(mx * mx + my * my)
        mx, my = mx / size, my / size
        inward = min(self.overlap, point.low)
        apex = point.x - mx * inward, point.y - my * inward, point.cover, point.along, 0.0
        if self.style.joint == ROUND:
            return apex, point.arc(ax, ay, -side * angle, self.fine, side, False)
        ends = [point.edge(ax, ay, side), point.edge(bx, by, side)]
        # The point of a miter is 1 / cos(angle / 2) half widths away; above the limit the corner becomes a bevel.
        cos = math.cos(0.5 * angle)
        if self.style.joint == MITER and cos * self.style.miter_limit >= 1.0:
            return apex, [ends[0], point.edge(mx / cos, my / cos, side), ends[1]]
        wide = point.high - point.low
        cut = [(x, y, x + mx * wide, y + my * wide, *rest) for x, y, _, _, *rest in ends]
        return apex, [ends[0], *cut, ends[1]]

    def _cap(self, point: _Point, ox: float, oy: float, shift: float, side: float) -> list[Numbers]:
        """Return the border of an end. o: the outward direction. shift: how far the end is drawn back.

        side: 1 at the start of a stroke, -1 at its end.
        """
        point = point._replace(x=point.x - ox * shift, y=point.y - oy * shift)
        if self.style.cap == ROUND_CAP:
            return point.arc(oy, -ox, math.pi, self.fine, side, True)
        low, high = (point.low, point.high) if self.style.cap == SQUARE else (0.0, self.fringe)
        left, right = point.edge(oy, -ox, side), point.edge(-oy, ox, -side)
        border = [left]
        for (ix, iy, x, y, *rest), out in ((left, low), (left, high), (right, high), (right, low)):
            border.append((ix + ox * low, iy + oy * low, x + ox * out, y + oy * out, *rest))
        return [*border, right]

    def segments(self) -> tuple[Array, Array, Array, Array]:
        """Return the bodies and fringes of straight segments, like `_bordered`. Bodies include the path's points."""
        inside = np.ones(len(self.way), np.bool_)
        inside[self.end[:-1] - 1] = False
        inside[self.begin[self.dots & (self.begin < len(inside))]] = False
        at = np.flatnonzero(inside)
        points, way, trim = self.path.points, self.way[at], self.trim[at, None]
        first, last = np.isin(at, self.begin)[:, None], np.isin(at + 2, self.end)[:, None]
        ends = points[at] + np.where(first, trim, 0.0) * way, points[at + 1] - np.where(last, trim, 0.0) * way
        low, high, cover, along = np.moveaxis(self.levels[at[:, None] + _END], 2, 0)
        reach = (_SIDE * np.where(_OUTER, high, low))[:, :, None]
        left = np.stack([-way[:, 1], way[:, 0]], axis=1)[:, None]
        corners = np.empty((len(at), len(_END), 5))
        corners[:, :, :2] = np.where(_END[:, None], ends[1][:, None], ends[0][:, None]) + left * reach
        corners[:, :, 2], corners[:, :, 3], corners[:, :, 4] = np.where(_OUTER, 0.0, cover), along, _SIDE
        sizes, fringes = np.tile(_SIZES, len(at)), np.tile([0, 1, 1], len(at))
        return corners.reshape(-1, 5), sizes, np.repeat(4 * at + 3, 3), fringes


def _bordered(pieces: Sequence[_Piece]) -> tuple[Array, Array, Array, Array]:
    """Return the bodies and then the fringes of joints and caps: corners, sizes, keys, and 1 for each fringe."""
    keys, size = np.array([(piece.key, len(piece.border)) for piece in pieces], np.int64).reshape(-1, 2).T
    border = np.array([point for piece in pieces for point in piece.border], np.float64).reshape(-1, 7)
    inner, outer = border[:, [0, 1, 4, 5, 6]], border[:, 2:] * [1, 1, 0, 1, 1]
    end, has = np.cumsum(size), np.array([len(piece.apex) > 0 for piece in pieces], np.bool_)
    apexes = np.array([piece.apex for piece in pieces if piece.apex], np.float64).reshape(-1, 5)
    body = np.insert(inner, (end - size)[has], apexes, axis=0)
    at = np.delete(np.arange(len(border)), end - 1)
    fringe = np.stack([inner[at], outer[at], outer[at + 1], inner[at + 1]], axis=1).reshape(-1, 5)
    sizes = np.concatenate([size + has, np.full(len(at), 4)])
    keys = np.concatenate([keys, np.repeat(keys, size - 1)])
    return np.concatenate([body, fringe]), sizes, keys, np.repeat([0, 1], [len(pieces), len(at)])
