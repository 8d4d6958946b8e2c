"""Current contacts: what bodies touch, and what sensors overlap.

Events report contacts that begin and end; these functions return the contacts that exist now. Both accept one entity or
many. Results are in the order of the entities, and for each in the order of the solver's contacts. An entity means its
own collider, or, if it is a body, all of its colliders. A collider that was cut into convex pieces counts as one shape.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rish_core import UsageError, World
from rish_jit import Array

from ..components.tables import IS_SENSOR, PIECE, POINT0, SENSOR, TOUCHING
from ..contacts.state import State
from .answers import first_rows
from .queries import state_of

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
    of the bodies they belong to. normal: float32 (n, 2), towards the other. point: float32 (n, 2),
    in the world, the mean of the points. points: int32, their number. separation: float32, units, of the deepest point;
    below 0 if they overlap. impulse: float32, kg·units/s, which pushed them apart in the last sub-step of the last
    step.
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


def contacts_of(world: World, entities: int | Array) -> Touches:
    """Return the touching contacts of one entity, or of each of many (int64).

    Pieces of two colliders that touch with the same normal are one row: its points and impulses are added up. So a box
    on a floor of many segments has one row, and a box in a V has two.
    """
    state = state_of(world)
    query, rows, sides = _find(state, entities, TOUCHING)
    who = _who(state, query, rows, sides)
    manifold, count = state.contacts.manifold[rows], state.contacts.info[rows, 0]
    two = manifold[:, POINT0:].reshape(-1, 2, 8)
    there_are = np.arange(2) < count[:, None]
    center = state.bodies.pose[state.contacts.pair[rows, 2], :2]
    normal = manifold[:, :2] * np.where(sides == 0, 1, -1).astype(np.float32)[:, None]
    cut = (state.shapes.flags[state.contacts.pair[rows, :2]] & PIECE).any()
    into = _groups(who, normal) if cut else np.arange(len(rows))
    firsts = np.flatnonzero(into == np.arange(len(into)))
    point, points, impulse = np.zeros((len(into), 2)), np.zeros(len(into), np.int32), np.zeros(len(into))
    np.add.at(point, into, center * count[:, None] + (two[:, :, :2] * there_are[:, :, None]).sum(axis=1))
    np.add.at(points, into, count)
    np.add.at(impulse, into, (two[:, :, 6] * there_are).sum(axis=1))
    separation = np.full(len(into), np.inf, np.float32)
    np.minimum.at(separation, into, np.where(there_are, two[:, :, 4], np.inf).min(axis=1, initial=np.inf))
    return Touches(
        *(column[firsts] for column in who),
        normal=normal[firsts],
        point=(point[firsts] / np.maximum(points[firsts], 1)[:, None]).astype(np.float32),
        points=points[firsts],
        separation=separation[firsts],
        impulse=impulse[firsts].astype(np.float32),
    )


def overlaps_of(world: World, sensors: int | Array) -> SensorOverlaps:
    """Return the colliders that one sensor overlaps, or each of many sensors (int64); nothing for other entities."""
    state = state_of(world)
    query, rows, sides = _find(state, sensors, TOUCHING | IS_SENSOR)
    shapes = state.contacts.pair[rows, sides]
    holds = (state.shapes.flags[shapes] & SENSOR) != 0
    who = _who(state, query[holds], rows[holds], sides[holds])
    firsts = first_rows(*who[:3])
    return SensorOverlaps(*(column[firsts] for column in who))


def _who(state: State, query: Array, rows: Array, sides: Array) -> tuple[Array, ...]:
    """Return (query, entity, other, body, other_body) of contacts."""
    pair, k = state.contacts.pair[rows], np.arange(len(rows))
    entity, body = state.shapes.entity, state.bodies.entity
    return (
        query, entity[pair[k, sides]], entity[pair[k, 1 - sides]], body[pair[k, 2 + sides]], body[pair[k, 3 - sides]]
    )  # fmt: skip


def _groups(who: tuple[Array, ...], normals: Array) -> Array:
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


def _find(state: State, entities: int | Array, flags: int) -> tuple[Array, Array, Array]:
    """Return (query, rows, sides): the contacts of the entities that have these flags. query: the index of the entity.
    rows: of the contact. sides: 0 or 1, the side of the contact on which the entity is.
    """
    handles = np.atleast_1d(np.asarray(entities))
    if handles.ndim != 1 or (handles.dtype.kind not in "iu" and len(handles)):
        raise UsageError("expected the handle of an entity, or an array of handles", hint="Give int64")
    if not len(handles) or not len(state.contacts):
        none = np.zeros(0, np.int32)
        return none, none, none
    order = np.argsort(handles, kind="stable")
    sorted_handles = handles[order]
    rows = np.flatnonzero((state.contacts.info[:, 1] & (TOUCHING | IS_SENSOR)) == flags)
    parts = []
    for side in (0, 1):
        shape, body = state.contacts.pair[rows, side], state.contacts.pair[rows, 2 + side]
        colliders, bodies = state.shapes.entity[shape], state.bodies.entity[body]
        for handle, counts in ((colliders, colliders != 0), (bodies, (bodies != 0) & (bodies != colliders))):
            first = np.searchsorted(sorted_handles, handle, "left")
            times = (np.searchsorted(sorted_handles, handle, "right") - first) * counts
            which = np.repeat(np.arange(len(rows)), times)
            nth = np.arange(len(which)) - np.repeat(np.cumsum(times) - times, times)
            parts.append((order[np.repeat(first, times) + nth], rows[which], np.full(len(which), side)))
    query, at, sides = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.lexsort((sides, at, query))
    return query[order].astype(np.int32), at[order], sides[order]
