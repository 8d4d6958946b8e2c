"""Current contacts as rows of arrays: what bodies touch, and what sensors overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rish_jit import Array
from rish_jit.errors import UsageError

_MIN_COSINE = 0.999
"""Two contacts of the same colliders are one if the dot product of their normals is above this."""


@dataclass(frozen=True, eq=False, slots=True)
class SensorOverlaps:
    """The colliders that sensors overlap, one row for each sensor and collider.

    query: int32, the index of the entity in the call. entity, other: int64 handles of the sensor and of the collider
    that it overlaps. body, other_body: of the bodies they belong to.
    """

    query: Array
    entity: Array
    other: Array
    body: Array
    other_body: Array

    def __len__(self) -> int:
        return len(self.query)


@dataclass(frozen=True, eq=False, slots=True)
class Touches:
    """The contacts of the queried entities. Two colliders that touch with several distinct normals have a row for
    each.

    query: int32, the index of the entity in the call. entity, other: int64 handles of both colliders. body, other_body:
    of the bodies they belong to. normal: float32 (n, d), towards the other, in d dimensions. point: float32 (n, d), in
    the world, the mean of the points. points: int32, their number. separation: float32, a length, of the deepest point;
    below 0 if they overlap. impulse: float32, mass times speed, which pushed them apart in the last sub-step of the
    last step.
    """

    query: Array
    entity: Array
    other: Array
    body: Array
    other_body: Array
    normal: Array
    point: Array
    points: Array
    separation: Array
    impulse: Array

    def __len__(self) -> int:
        return len(self.query)


def find_sides(entities: int | Array, colliders: Array, bodies: Array) -> tuple[Array, Array, Array]:
    """Return (query, contacts, sides): at which side of which contacts the entities are, ordered by all three.

    entities: one or many; each means a collider, or a body with all its colliders. colliders, bodies: int64 (n, 2), of
    the contacts; 0 for none. query: the index of the entity. sides: 0 or 1. Raises UsageError for what is no handle.
    """
    handles = np.atleast_1d(np.asarray(entities))
    if handles.ndim != 1 or (handles.dtype.kind not in "iu" and len(handles)):
        raise UsageError("expected the handle of an entity, or an array of handles", hint="Give int64")
    if not len(handles) or not len(colliders):
        none = np.zeros(0, np.int32)
        return none, none, none
    order = np.argsort(handles, kind="stable")
    sorted_handles = handles[order]
    parts: list[tuple[Array, Array, Array]] = []
    for side in (0, 1):
        own, body = colliders[:, side], bodies[:, side]
        for handle, counts in ((own, own != 0), (body, (body != 0) & (body != own))):
            first = np.searchsorted(sorted_handles, handle, "left")
            times = (np.searchsorted(sorted_handles, handle, "right") - first) * counts
            which = np.repeat(np.arange(len(own)), times)
            nth = np.arange(len(which)) - np.repeat(np.cumsum(times) - times, times)
            parts.append((order[np.repeat(first, times) + nth], which, np.full(len(which), side)))
    query, at, sides = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.lexsort((sides, at, query))
    return query[order].astype(np.int32), at[order], sides[order]


def same_touches(who: tuple[Array, ...], normals: Array) -> Array:
    """Return for each contact the index of the first contact that has the same colliders and a similar normal."""
    leaders, remaining = np.arange(len(normals)), np.arange(len(normals))
    while len(remaining):
        # Each iteration compares the remaining contacts with the first one of their colliders.
        _, first, group = np.unique(
            np.column_stack([column[remaining] for column in who[:3]]), axis=0, return_index=True, return_inverse=True
        )
        leader = remaining[first[group.ravel()]]
        alike = (remaining == leader) | ((normals[remaining] * normals[leader]).sum(axis=1) > _MIN_COSINE)
        leaders[remaining[alike]] = leader[alike]
        remaining = remaining[~alike]
    return leaders
