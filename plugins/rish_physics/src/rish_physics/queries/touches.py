"""Current contacts: what bodies touch, and what sensors overlap.

Events report contacts that begin and end; these functions return the contacts that exist now. Both accept one entity or
many. Results are in the order of the entities, and for each in the order of the solver's contacts. An entity means its
own collider, or, if it is a body, all of its colliders. A collider that was cut into convex pieces counts as one shape.
"""

from __future__ import annotations

import numpy as np

from rish_core import World
from rish_dynamics import SensorOverlaps, Touches, find_sides, same_touches
from rish_jit import Array

from ..components.tables import IS_SENSOR, PIECE, POINT0, SENSOR, TOUCHING
from ..contacts.state import State
from .answers import first_rows
from .queries import state_of


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
    into = same_touches(who, normal) if cut else np.arange(len(rows))
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


def _find(state: State, entities: int | Array, flags: int) -> tuple[Array, Array, Array]:
    """Return (query, rows, sides): the contacts of the entities that have these flags. query: the index of the entity.
    rows: of the contact. sides: 0 or 1, the side of the contact on which the entity is.
    """
    rows = np.flatnonzero((state.contacts.info[:, 1] & (TOUCHING | IS_SENSOR)) == flags)
    pair = state.contacts.pair[rows]
    query, at, sides = find_sides(entities, state.shapes.entity[pair[:, :2]], state.bodies.entity[pair[:, 2:4]])
    return query, rows[at], sides
