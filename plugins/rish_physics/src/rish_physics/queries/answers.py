"""What questions are answered with: rows of hits and of overlaps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..contacts.state import State

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False, slots=True)
class RayHit:
    """What one ray hit.

    entity, body: handles. point: float32 (2,), in the world. normal: float32 (2,), out of the surface; (0, 0) where it
    started inside. fraction: of the way, 0 to 1.
    """

    entity: int
    body: int
    point: Array
    normal: Array
    fraction: float


@dataclass(frozen=True, eq=False, slots=True)
class RayHits:
    """What many rays hit, one row a hit.

    ray: int32, which ray. entity, body: int64 handles, 0 where nothing was hit. point, normal: float32 (n, 2).
    fraction: float32. A ray without a hit ends at its end: fraction 1, normal (0, 0).
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
        """bool: which rows are hits."""
        return self.entity != 0

    def row(self, k: int) -> RayHit | None:
        """One row by itself; None where nothing was hit."""
        if not self.entity[k]:
            return None
        return RayHit(
            int(self.entity[k]), int(self.body[k]), self.point[k], self.normal[k], float(self.fraction[k])
        )  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Overlaps:
    """What lies at many places, one row a find. query: int32, which place. entity, body: int64 handles."""

    query: Array
    entity: Array
    body: Array

    def __len__(self) -> int:
        return len(self.query)

    def of(self, query: int) -> Array:
        """int64: the entities found at one place."""
        return self.entity[self.query == query]


def hits_of(
    state: State, origin: Array, ways: Array, rays: Array, shapes: Array, shares: Array, normals: Array
) -> RayHits:
    """The rows of some hits. rays: int32, shapes: int32 slots, -1 for none; origin, ways: float64, of all rays."""
    hit = shapes >= 0
    if len(state.shapes):
        entity = np.where(hit, state.shapes.entity[shapes], 0)
        body = np.where(hit, state.bodies.entity[state.shapes.body[shapes]], 0)
    else:
        entity = body = np.zeros(len(rays), np.int64)
    points = (origin[rays] + shares[:, None] * ways[rays]).astype(np.float32)
    return RayHits(rays, entity, body, points, normals.astype(np.float32), shares.astype(np.float32))


def overlaps_of_shapes(state: State, queries: Array, shapes: Array) -> Overlaps:
    """The rows of some finds, ordered by query and shape slot."""
    order = np.lexsort((shapes, queries))
    slots = shapes[order]
    body = state.bodies.entity[state.shapes.body[slots]]
    return Overlaps(queries[order].astype(np.int32), state.shapes.entity[slots].copy(), body)
