"""Finds the entities that take part in the simulation: those with an active body, and the body of each active
collider.

A body or collider is active if it is enabled, has a Transform, and its entity is not `Disabled`. A collider belongs to
the body of its own entity, otherwise to the body of its nearest ancestor. A collider without such a body gets an
implicit body, which is static and which no code can access. A collider whose body is not active is not active either.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_core import Transform, World
from rish_core.common import hierarchy_of
from rish_ecs.storage import INDEX_MASK
from rish_jit import Array

from ..components.bodies import Body, Collider


class Participants(NamedTuple):
    """owners: int64, the entities with bodies. implicit: bool, whether the body is implicit. colliders: int64. holders:
    int64, the owner of each collider.
    """

    owners: Array
    implicit: Array
    colliders: Array
    holders: Array


def find_participants(world: World) -> Participants:
    """Return the current participants. Bodies are in the order of their table, followed by implicit bodies, so that
    equal worlds get equal slots.
    """
    owners, colliders = _enabled(world, Body), _enabled(world, Collider)
    holders = _holders(world, colliders)
    alone = holders == 0
    holders = np.where(alone, colliders, holders)
    implicit = np.repeat([False, True], [len(owners), int(alone.sum())])
    owners = np.concatenate([owners, colliders[alone]])
    present = _present(world, owners, holders)
    return Participants(owners, implicit, colliders[present], holders[present])


def _enabled(world: World, cls: type) -> Array:
    """Return the entities of a table that have a Transform and are enabled, in the order of its rows, int64."""
    table = world.table(cls)
    rows = np.sort(world.query(cls, Transform).rows(cls))
    return table.entities[rows[table.enabled[rows]]]


def _holders(world: World, colliders: Array) -> Array:
    """Return the entity whose body is the nearest to each collider, int64; 0 for none."""
    table, places = world.table(Body), world.table(Transform)
    holders = np.where(table.rows_of(colliders) >= 0, colliders, 0)
    lost = np.flatnonzero(holders == 0)
    rows = places.rows_of(colliders[lost])
    hung = places.parent[rows] != 0
    lost, rows = lost[hung], rows[hung]
    if not len(lost):
        return holders
    parents = hierarchy_of(world).parents
    while len(lost):
        rows = parents[rows]
        lost, rows = lost[rows >= 0], rows[rows >= 0]
        above = places.entities[rows]
        bodied = table.rows_of(above) >= 0
        holders[lost[bodied]] = above[bodied]
        lost, rows = lost[~bodied], rows[~bodied]
    return holders


def _present(world: World, owners: Array, holders: Array) -> Array:
    """Return for each of `holders` whether it is one of `owners`, bool."""
    present = np.zeros(world.entities.used + 1, np.bool_)
    present[owners & INDEX_MASK] = True
    return present[holders & INDEX_MASK]
