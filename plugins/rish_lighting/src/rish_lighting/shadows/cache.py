"""The cache of the shadow maps of all lamps.

A map is computed again only when its lamp moved, or a wall within its radius. If nothing moves, no kernel runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field

import numpy as np

from rish_jit import Array

from .. import formulas as f
from ..lamps.lamps import Lamps
from ..walls.walls import NO_WALLS, Walls
from .diamond import WEDGES, bins_for, direction
from .directional_shadows import SunMaps, center_of

_ROOT2 = np.float32(1.4142137)


@dataclass
class Maps:
    """All maps of a frame.

    texels: float32, the maps one after another; another array whenever one of them changes. reach: float32 (n, WEDGES),
    the distance |x| + |y| that each lamp's light reaches in each wedge. kernels: the number of maps that were computed
    for this frame.
    """

    texels: Array = dataclass_field(default_factory=lambda: np.zeros(0, np.float32))
    reach: Array = dataclass_field(default_factory=lambda: np.zeros((0, WEDGES), np.float32))
    kernels: int = 0


@dataclass
class _Points:
    """The points that maps are computed from: one for a lamp, several for an area light.

    light: float32 (m, 3), x, y, radius. lamp: int64 m, the row of each point's lamp. bins, start, family, number:
    int64 m. mask: int32 m. reach: float32 (m, WEDGES). near: float32 m, the smallest |x| + |y| at which an edge blocks.
    """

    light: Array
    lamp: Array
    bins: Array
    start: Array
    family: Array
    mask: Array
    number: Array
    reach: Array
    near: Array

    @property
    def texels(self) -> int:
        """The number of texels of all maps."""
        return int(self.bins.sum())

    def same_layout(self, other: _Points) -> bool:
        """Return True if both have the same lamps and the maps are at the same offsets."""
        return np.array_equal(self.number, other.number) and np.array_equal(self.bins, other.bins)

    def places_in(self, other: _Points) -> Array:
        """Return for each point the index of the point with the same number in `other`, int64 (m,); an arbitrary index
        if there is none.
        """
        if np.array_equal(self.number, other.number):
            return np.arange(len(self.number))
        order = np.argsort(other.number, kind="stable")
        return order[np.minimum(np.searchsorted(other.number[order], self.number), len(order) - 1)]

    def moved(self, other: _Points, indices: Array) -> Array:
        """Return for each point whether it differs from the point with the given index of another object, bool
        (m,).
        """
        unlike = (self.light != other.light[indices]).any(axis=1)
        for name in ("number", "bins", "mask", "family"):
            unlike |= getattr(self, name) != getattr(other, name)[indices]
        return unlike


class ShadowCache:
    """Computes the maps and caches them."""

    def __init__(self) -> None:
        self.maps = Maps()
        self._suns = SunMaps()
        self._points: _Points | None = None
        self._walls = NO_WALLS

    def update(self, lamps: Lamps, walls: Walls, scale: float, view_box: Array) -> Maps:
        """Return the maps of all lamps that cast shadows, and write the offset of each into the lamps' table.

        scale: pixels of the light target per unit. view_box: float64 x0, y0, x1, y1, the visible part of the world.
        """
        maps = self.maps
        points = _points_of(lamps, scale)
        suns = np.flatnonzero((lamps.table[:, f.KIND] == f.SUN) & lamps.casts)
        size = points.texels + self._suns.aim(lamps, suns, points.texels, scale, view_box)
        due = self._due(points, walls)
        anew = size != len(maps.texels) or self._points is None or not points.same_layout(self._points)
        if anew:
            self._lay_out(points, due, size)
        elif self._points is not None:
            points.reach, points.near = self._points.reach, self._points.near
        _cast(points, walls, np.flatnonzero(due), maps.texels)
        sun_maps = self._suns.cast(maps.texels, walls, anew=anew or walls is not self._walls)
        maps.kernels = int(due.sum()) + sun_maps
        if maps.kernels:
            maps.texels = maps.texels[:]  # another array for the drawers, in the same memory
        self._points, self._walls = points, walls
        maps.reach = _describe(lamps, points, view_box)
        return maps

    def _due(self, points: _Points, walls: Walls) -> Array:
        """Return for each point whether its map must be computed, bool (m,). For the other points, store their index
        in the former points.
        """
        before = self._points
        if before is None or not len(before.number):
            return np.ones(len(points.number), np.bool_)
        self._old = points.places_in(before)
        return points.moved(before, self._old) | _touched(points.light, self._walls, walls)

    def _lay_out(self, points: _Points, due: Array, size: int) -> None:
        """Allocate the texels of all maps, and copy the maps that are still valid to their new offsets."""
        maps, before = self.maps, self._points
        texels = np.empty(size, np.float32)
        for k in np.flatnonzero(~due).tolist():
            assert before is not None
            earlier = int(self._old[k])
            source, count = before.start[earlier], points.bins[k]
            texels[points.start[k] : points.start[k] + count] = maps.texels[source : source + count]
            points.reach[k], points.near[k] = before.reach[earlier], before.near[earlier]
        maps.texels = texels


def _points_of(lamps: Lamps, scale: float) -> _Points:
    table = lamps.table
    kind = table[:, f.KIND]
    rows = np.where(kind == f.AREA, table[:, f.INNER], 1).astype(np.int64)
    rows[(kind == f.SUN) | (kind == f.GRADIENT) | ~lamps.casts] = 0
    lamp = np.repeat(np.arange(len(table)), rows)
    sub = np.arange(len(lamp)) - np.repeat(np.cumsum(rows) - rows, rows)
    share = np.where(rows[lamp] > 1, (sub + 0.5) / np.maximum(rows[lamp], 1) * 2 - 1, 0) * table[lamp, f.OUTER]
    light = np.empty((len(lamp), 3), np.float32)
    light[:, 0] = table[lamp, f.X] - share * table[lamp, f.AXIS_Y]
    light[:, 1] = table[lamp, f.Y] + share * table[lamp, f.AXIS_X]
    light[:, 2] = table[lamp, f.RADIUS]
    bins = bins_for(light[:, 2] * scale)
    order = np.argsort(-bins, kind="stable")  # the longest first, so that no map crosses a row of a texture
    start = np.empty(len(bins), np.int64)
    start[order] = np.cumsum(bins[order]) - bins[order]
    return _Points(
        light, lamp, bins, start, lamps.family[lamp], lamps.mask[lamp], lamps.number[lamp] * 64 + sub,
        np.zeros((len(lamp), WEDGES), np.float32), np.zeros(len(lamp), np.float32),
    )  # fmt: skip


def _touched(light: Array, before: Walls, after: Walls) -> Array:
    """Return for each light whether a wall within its radius has changed, bool (m,)."""
    if before is after:
        return np.zeros(len(light), np.bool_)
    if len(before) != len(after):
        return np.ones(len(light), np.bool_)
    changed = (before.edges != after.edges).any(axis=1) | (before.mask != after.mask)
    changed |= (before.two_sided != after.two_sided) | (before.family != after.family)
    edges = np.concatenate([before.edges[changed], after.edges[changed]])
    low, high = np.minimum(edges[:, :2], edges[:, 2:]), np.maximum(edges[:, :2], edges[:, 2:])
    near = np.zeros(len(light), np.bool_)
    for k, (x, y, radius) in enumerate(light.tolist()):
        inside = (low[:, 0] <= x + radius) & (high[:, 0] >= x - radius)
        near[k] = bool((inside & (low[:, 1] <= y + radius) & (high[:, 1] >= y - radius)).any())
    return near


def _cast(points: _Points, walls: Walls, due: Array, texels: Array) -> None:
    """Compute the maps of some points."""
    if not len(due):
        return
    from .kernels import cast_points, reach_of

    flat = points.light.reshape(-1)
    cast_points(
        walls.edges.reshape(-1), walls.family, walls.mask, walls.two_sided, flat, points.family, points.mask,
        points.start, points.bins, due, texels,
    )  # fmt: skip
    reach_of(flat, points.start, points.bins, due, WEDGES, texels, points.reach.reshape(-1), points.near)


_BORDERS = np.arctan2(*direction(np.arange(WEDGES + 1) * 4 / WEDGES).T[::-1])
_HALF_WEDGE = ((_BORDERS[1:] - _BORDERS[:-1]) % (2 * np.pi)) / 2
_MIDDLE = _BORDERS[:-1] + _HALF_WEDGE


def _describe(lamps: Lamps, points: _Points, view_box: Array) -> Array:
    """Write the offsets of the maps into the lamps' table; return the distance |x| + |y| that the light of each lamp
    reaches in each wedge, float32 (n, WEDGES).
    """
    table = lamps.table
    kind = table[:, f.KIND]
    reach = np.repeat((table[:, f.RADIUS] * _ROOT2)[:, None], WEDGES, axis=1).astype(np.float32)
    area = kind == f.AREA
    reach[area] += (table[area, f.OUTER] * _ROOT2)[:, None]
    reach[(kind == f.SUN) | (kind == f.GRADIENT)] = 2 * center_of(view_box)[2]
    first = np.flatnonzero(np.diff(points.lamp, prepend=-1) != 0)
    which = points.lamp[first]
    soft = table[which, f.SIZE] > 0
    table[which, f.START], table[which, f.BINS] = points.start[first], points.bins[first]
    table[which, f.SHADOW] = np.where(soft & ~area[which], f.SOFT, f.HARD)
    table[which, f.FIRST] = points.near[first]
    hard = ~soft & ~area[which]
    reach[which[hard]] = np.minimum(reach[which[hard]], points.reach[first[hard]])
    for row in np.flatnonzero(kind == f.SPOT).tolist():
        axis = np.arctan2(table[row, f.AXIS_Y], table[row, f.AXIS_X])
        off = np.abs((_MIDDLE - axis + np.pi) % (2 * np.pi) - np.pi)
        reach[row, off > np.arccos(np.clip(table[row, f.OUTER], -1, 1)) + _HALF_WEDGE + 1e-3] = 0
    return reach
