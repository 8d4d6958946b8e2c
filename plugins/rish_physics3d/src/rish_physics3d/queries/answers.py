"""The results of queries: rows of hits and of overlaps."""

from __future__ import annotations

from dataclasses import dataclass

from rish_jit import Array


@dataclass(frozen=True, eq=False, slots=True)
class RayHit3D:
    """The hit of one ray.

    entity, body: handles. point: float32 (3,), in the world. normal: float32 (3,), out of the surface; 0 if the ray
    started inside. fraction: position along the ray, 0 to 1.
    """

    entity: int
    body: int
    point: Array
    normal: Array
    fraction: float


@dataclass(frozen=True, eq=False, slots=True)
class RayHits3D:
    """The hits of many rays, one row per hit.

    ray: int32, the index of the ray. entity, body: int64 handles, 0 for no hit. point, normal: float32 (n, 3).
    fraction: float32. A ray without a hit has its end as the point, fraction 1 and normal 0.
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

    def row(self, k: int) -> RayHit3D | None:
        """Return one row as a `RayHit3D`; None if it is not a hit."""
        if not self.entity[k]:
            return None
        return RayHit3D(
            int(self.entity[k]), int(self.body[k]), self.point[k], self.normal[k], float(self.fraction[k])
        )  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Overlaps3D:
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
