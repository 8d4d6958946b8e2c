"""Reads positions and angles of entities from their Transforms; matrices are used only for entities with a parent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform, world_matrices
from rish_jit import Array, maths

if TYPE_CHECKING:
    from rish_core import World


def places_of(world: World, rows: Array) -> Array:
    """Return the positions of entities in the world, (n, 2). rows: of their Transforms."""
    table = world.table(Transform)
    return world_matrices(world, rows)[:, 4:] if table.parent[rows].any() else table.position[rows]


def angles_of(world: World, rows: Array) -> Array:
    """Return the rotations of entities in the world, float64 (n,)."""
    table = world.table(Transform)
    if not table.parent[rows].any():
        return table.rotation[rows].astype(np.float64)
    matrices = world_matrices(world, rows).astype(np.float64)
    return maths.atan2(matrices[:, 1], matrices[:, 0])


def jumped(world: World, rows: Array, before: Array, places: Array) -> Array:
    """Return for each entity whether `teleport` has moved it since it was at `before`, bool (n,). before, places: (n,
    2), world units.

    A Transform that `teleport` has moved has the same position at the beginning of the tick and now.
    """
    table = world.table(Transform)
    changed = (places != before).any(axis=1)
    if changed.any():
        changed &= (table.last_position[rows] == table.position[rows]).all(axis=1) & (table.parent[rows] == 0)
    return changed
