"""Current contacts: what bodies touch, and what sensors overlap.

Events report contacts that begin and end; these functions return the contacts that exist now. Both accept one entity or
many. Results are in the order of the entities, and for each in the order of the solver's contacts. An entity means its
own collider, or, if it is a body, all of its colliders.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import UsageError, World

from ..components.tables import IS_SENSOR, POINT0, SENSOR, TOUCHING
from ..contacts.state import State
from .queries import state_of

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False, slots=True)
class Touches:
    """Contacts seen from one of their sides, one row each.

    query: int32, the index of the entity in the call. entity, other: int64 handles of both colliders. body, other_body:
    of the bodies they belong to. normal: float32 (n, 2), towards the other. point: float32 (n, 2), in the world, the
    mean of the points. points: int32, their number. separation: float32, units, of the deepest point; below 0 if they
    overlap. impulse: float32, kg·units/s, which pushed them apart in the last sub-step of the last step.
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
    """Return the touching contacts of one entity, or of each of many (int64)."""
    state = state_of(world)
    query, rows, sides = _find(state, entities, TOUCHING)
    table = state.contacts
    pair, manifold, count = table.pair[rows], table.manifold[rows], table.info[rows, 0]
    k = np.arange(len(rows))
    here, there = pair[k, sides], pair[k, 1 - sides]
    body_here, body_there = pair[k, 2 + sides], pair[k, 3 - sides]
    two = manifold[:, POINT0:].reshape(-1, 2, 8)
    there_are = np.arange(2) < count[:, None]
    share = there_are / np.maximum(count, 1)[:, None]
    point = state.bodies.pose[pair[:, 2], :2] + (two[:, :, :2] * share[:, :, None]).sum(axis=1)
    separation = np.where(there_are, two[:, :, 4], np.inf).min(axis=1, initial=np.inf)
    return Touches(
        query,
        *(state.shapes.entity[slots] for slots in (here, there)),
        *(state.bodies.entity[slots] for slots in (body_here, body_there)),
        normal=manifold[:, :2] * np.where(sides == 0, 1, -1).astype(np.float32)[:, None],
        point=point.astype(np.float32),
        points=count,
        separation=separation.astype(np.float32),
        impulse=(two[:, :, 6] * there_are).sum(axis=1).astype(np.float32),
    )


def overlaps_of(world: World, sensors: int | Array) -> tuple[Array, Array]:
    """Return (query, entity): int32 index of the sensor and int64 handle of each collider that it overlaps.

    sensors: one entity, or many (int64).
    """
    state = state_of(world)
    query, rows, sides = _find(state, sensors, TOUCHING | IS_SENSOR)
    pair, k = state.contacts.pair[rows], np.arange(len(rows))
    holds = (state.shapes.flags[pair[k, sides]] & SENSOR) != 0
    return query[holds], state.shapes.entity[pair[k, 1 - sides]][holds]


def _find(state: State, entities: int | Array, flags: int) -> tuple[Array, Array, Array]:
    """Return (query, rows, sides): the contacts with these flags, with the entity and its side, 0 or 1."""
    handles = np.atleast_1d(np.asarray(entities))
    if handles.ndim != 1 or (handles.dtype.kind not in "iu" and len(handles)):
        raise UsageError("expected the handle of an entity, or an array of handles", hint="Give int64")
    if not len(handles) or not len(state.contacts):
        none = np.zeros(0, np.int32)
        return none, none, none
    order = np.argsort(handles, kind="stable")
    known = handles[order]
    rows = np.flatnonzero((state.contacts.info[:, 1] & (TOUCHING | IS_SENSOR)) == flags)
    found = []
    for side in (0, 1):
        shape, body = state.contacts.pair[rows, side], state.contacts.pair[rows, 2 + side]
        own, whole = state.shapes.entity[shape], state.bodies.entity[body]
        for handle, counts in ((own, own != 0), (whole, (whole != 0) & (whole != own))):
            first = np.searchsorted(known, handle, "left")
            times = (np.searchsorted(known, handle, "right") - first) * counts
            which = np.repeat(np.arange(len(rows)), times)
            nth = np.arange(len(which)) - np.repeat(np.cumsum(times) - times, times)
            found.append((order[np.repeat(first, times) + nth], rows[which], np.full(len(which), side)))
    query, at, sides = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.lexsort((sides, at, query))
    return query[order].astype(np.int32), at[order], sides[order]
