"""Queries of line of sight: the area that is visible from a point, and whether two points see each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Edges, Transform, world_matrices
from rish_ecs import UsageError
from rish_jit import Array, maths

from ..walls.walls import families

if TYPE_CHECKING:
    from rish_core import World

ALL = -1
SIDES = 64
"""The number of corners of the circle that limits sight."""


@dataclass(frozen=True)
class Sights:
    """The polygons that are visible to m viewers.

    points: float64 (k, 2), the corners of all polygons, counter-clockwise, one viewer after another. starts: int64
    (m + 1), the index of each viewer's first corner.
    """

    points: Array
    starts: Array

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, viewer: int) -> Array:
        """Return the polygon of one viewer, float64 (k, 2)."""
        number = range(len(self))[viewer]
        return self.points[self.starts[number] : self.starts[number + 1]]

    def __iter__(self) -> Iterator[Array]:
        return (self[k] for k in range(len(self)))

    def areas(self) -> Array:
        """Return the area of each viewer's polygon, float64 m, square units."""
        around = np.arange(len(self.points)) + 1
        around[self.starts[1:] - 1] = self.starts[:-1]
        (x, y), (u, v) = self.points.T, self.points[around].T
        return np.add.reduceat(x * v - u * y, self.starts[:-1]) / 2 if len(self) else np.zeros(0)


def visible_from(
    world: World, points: npt.ArrayLike, radius: npt.ArrayLike = 320.0, mask: npt.ArrayLike = ALL
) -> Sights:
    """Return the area that is visible from m points: a polygon each, limited by the nearest `Edges` and the radius.

    points: (m, 2) in world units, or m entities with a Transform; the edges of an entity itself, its parents and
    children do not block its view. radius: units, one for all or m; the circle is a polygon of 64 sides. mask:
    bits of the edges that block, one for all or m. Edges block from both sides, may touch and may cross; an edge does
    not block a viewer on it. Raises UsageError for positions that are not finite, and radii that are not above 0.
    """
    from .kernels import polygons

    places, families = viewers_of(world, points)
    far = _each(radius, len(places), np.float64, "radius")
    if not (np.isfinite(far).all() and (far > 0).all()):
        raise UsageError("a radius of sight must be a number above 0, in units")
    blocks = blocks_of(world)
    polygon_arrays = polygons(
        *blocks, places.ravel(), far, families, _each(mask, len(places), np.int64, "mask"), unit_circle(SIDES).ravel()
    )
    return Sights(*polygon_arrays)


def can_see(world: World, a: npt.ArrayLike, b: npt.ArrayLike, mask: npt.ArrayLike = ALL) -> Array:
    """Return whether a and b see each other, with no edge between them, bool m.

    a, b: (m, 2) in world units, or m entities with a Transform, whose own edges are ignored; a single point or entity
    is used for all of the other side. mask: as in `visible_from`. A line that only touches a corner, or runs along an
    edge, is free if one of its sides is free; between two objects whose corners touch, sight is blocked. Raises
    UsageError.
    """
    from .kernels import free_lines

    (starts, families_a), (ends, families_b) = viewers_of(world, a), viewers_of(world, b)
    count = max(len(starts), len(ends)) if len(starts) and len(ends) else 0
    if {len(starts), len(ends)} - {1, count}:
        raise UsageError(f"can_see: {len(starts)} start points and {len(ends)} end points; the numbers must be equal")
    lines = np.concatenate([np.broadcast_to(starts, (count, 2)), np.broadcast_to(ends, (count, 2))], axis=1)
    families_a, families_b = (np.ascontiguousarray(np.broadcast_to(each, count)) for each in (families_a, families_b))
    out = np.empty(count, np.bool_)
    free_lines(*blocks_of(world), lines.ravel(), families_a, families_b, _each(mask, count, np.int64, "mask"), out)
    return out


def viewers_of(world: World, viewers: npt.ArrayLike) -> tuple[Array, Array]:
    """Return positions float64 (m, 2) of points or entities, and families int64 m whose edges don't block, or 0."""
    array = np.asarray(viewers)
    if array.ndim <= 1 and array.dtype.kind in "iu" and not (array.ndim == 1 and array.size == 0):
        entities = array.reshape(-1).astype(np.int64)
        rows = world.table(Transform).rows_of(entities)
        if (rows < 0).any():
            culprit = int(entities[int(np.argmax(rows < 0))])
            hint = "Points are an array (m, 2): write a single point as [(x, y)]; integers are read as entities"
            raise UsageError(f"entity {culprit} has no Transform to look from", hint=hint)
        return world_matrices(world)[rows][:, 4:6].astype(np.float64), families(world, entities)
    try:
        places = np.array(array, np.float64).reshape(-1, 2)
    except (TypeError, ValueError):
        raise UsageError(f"expected points (m, 2) or m entities, not an array of the form {array.shape}") from None
    if not np.isfinite(places).all():
        raise UsageError("a start or end point is not a finite number")
    return places, np.zeros(len(places), np.int64)


def blocks_of(world: World) -> tuple[Array, Array, Array]:
    """Return all edges of the world with finite coordinates, float64 4·n, and their families and masks, int64 n."""
    table = world[Edges]
    edges = np.stack([table.column(name) for name in ("x0", "y0", "x1", "y1")], axis=1).astype(np.float64)
    fine = np.isfinite(edges).all(axis=1)
    family = families(world, table.column("owner"))
    return edges[fine].ravel(), family[fine], table.column("mask")[fine].astype(np.int64)


@cache
def unit_circle(sides: int) -> Array:
    """Return the unit circle as a polygon, float64 (sides, 2), counter-clockwise; the same bits on every machine."""
    turn = np.arange(sides) * (2 * np.pi / sides)
    return np.stack([maths.cos(turn), maths.sin(turn)], axis=1)


def _each(value: npt.ArrayLike, count: int, dtype: Any, what: str) -> Array:
    try:
        return np.ascontiguousarray(np.broadcast_to(np.asarray(value, dtype), count))
    except (TypeError, ValueError):
        raise UsageError(f"{what}: expected one number, or {count}") from None
