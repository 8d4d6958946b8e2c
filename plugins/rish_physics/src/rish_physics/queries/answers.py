"""The results of queries: rows of hits and of overlaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rish_jit import Array

from ..components.tables import PIECE
from ..contacts.state import State


@dataclass(frozen=True, eq=False, slots=True)
class RayHit:
    """The hit of one ray.

    entity, body: handles. point: float32 (2,), in the world. normal: float32 (2,), out of the surface; (0, 0) if the
    ray started inside. fraction: position along the ray, 0 to 1.
    """

    entity: int
    body: int
    point: Array
    normal: Array
    fraction: float


@dataclass(frozen=True, eq=False, slots=True)
class RayHits:
    """The hits of many rays, one row per hit.

    ray: int32, the index of the ray. entity, body: int64 handles, 0 for no hit. point, normal: float32 (n, 2).
    fraction: float32. A ray without a hit has its end as the point, fraction 1 and normal (0, 0).
    """

    ray: Array
    entity: Array
    body: Array
    point: Array
    normal: Array
    fraction: Array

    def __len__(self) -> int:
        return len(self.ray)

    @property
    def hit(self) -> Array:
        """Whether each row is a hit, bool (n,)."""
        return self.entity != 0

    def row(self, k: int) -> RayHit | None:
        """Return one row as a `RayHit`; None if it is not a hit."""
        if not self.entity[k]:
            return None
        return RayHit(
            int(self.entity[k]), int(self.body[k]), self.point[k], self.normal[k], float(self.fraction[k])
        )  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Overlaps:
    """The overlaps at many places, one row per collider at each place. query: int32, the index of the place. entity,
    body: int64 handles.
    """

    query: Array
    entity: Array
    body: Array

    def __len__(self) -> int:
        return len(self.query)

    def of(self, query: int) -> Array:
        """Return the entities found at one place, int64."""
        return self.entity[self.query == query]


def hits_of(
    state: State, origin: Array, ways: Array, rays: Array, shapes: Array, shares: Array, normals: Array
) -> RayHits:
    """Return hits as `RayHits`. origin, ways: float64 (n, 2), start and displacement of all rays. rays: int32, the ray
    of each hit. shapes: int32 slots, -1 for no hit. shares: float64. normals: float64 (m, 2).
    """
    hit = shapes >= 0
    if len(state.shapes):
        entity = np.where(hit, state.shapes.entity[shapes], 0)
        body = np.where(hit, state.bodies.entity[state.shapes.body[shapes]], 0)
    else:
        entity = body = np.zeros(len(rays), np.int64)
    points = (origin[rays] + shares[:, None] * ways[rays]).astype(np.float32)
    return RayHits(rays, entity, body, points, normals.astype(np.float32), shares.astype(np.float32))


def overlaps_of_shapes(state: State, queries: Array, shapes: Array) -> Overlaps:
    """Return overlaps as `Overlaps`. queries, shapes: int32, ordered by both. If several pieces of one collider
    overlap, there is one row for the collider.
    """
    entity = state.shapes.entity[shapes]
    if (state.shapes.flags[shapes] & PIECE).any():
        firsts = first_rows(queries, entity)
        queries, shapes, entity = queries[firsts], shapes[firsts], entity[firsts]
    return Overlaps(queries, entity, state.bodies.entity[state.shapes.body[shapes]])


def first_rows(*columns: Array) -> Array:
    """Return the indices of the rows that are the first with their values in all columns, ascending."""
    order = np.lexsort(columns)
    is_first = np.zeros(len(order), np.bool_)
    is_first[:1] = True
    for column in columns:
        is_first[1:] |= column[order][1:] != column[order][:-1]
    return np.sort(order[is_first])
