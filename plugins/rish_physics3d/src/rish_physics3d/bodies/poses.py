"""Poses of entities in the world, and back to those relative to their parents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core.common import hierarchy_of
from rish_jit import Array
from rish_space3d import Transform3D, quaternions

from .placing import place_entities

if TYPE_CHECKING:
    from rish_core import World

AWAY = np.float32(1e9)
"""Coordinates beyond this one are not simulated, m. Bodies without a place are there."""
_IDENTITY = np.array([0, 0, 0, 1], np.float64)
_NO_PARENTS = np.zeros(0, np.int32)


def unit_quaternions(rotation: Array) -> Array:
    """Return quaternions of length 1, float64; those without a length turn nothing."""
    with np.errstate(all="ignore"):
        unit = quaternions.normalized(rotation)
    is_sound = np.abs(quaternions.dot(unit, unit) - 1) < 1e-6
    return unit if is_sound.all() else np.where(is_sound[:, None], unit, _IDENTITY)


def world_poses(world: World) -> tuple[Array, Array, Array]:
    """Return the positions (n, 3), rotations (n, 4) and scales (n, 3) of all rows of Transform3D in the world, float64.

    Below a parent that is scaled differently along its axes, scales are products along the child's own axes: a box that
    is turned in such a parent keeps its right angles.
    """
    table = world.table(Transform3D)
    position, scale = table.position.astype(np.float64), table.scale.astype(np.float64)
    rotation = unit_quaternions(table.rotation)
    if table.parent.any():
        tree = hierarchy_of(world, Transform3D)
        for rank in tree.generations:
            above = tree.parents[rank]
            position[rank] = position[above] + quaternions.turned(rotation[above], position[rank] * scale[above])
            rotation[rank] = quaternions.product(rotation[above], rotation[rank])
            scale[rank] *= scale[above]
    return position, rotation, scale


def poses_at(world: World, rows: Array) -> tuple[Array, Array, Array]:
    """Return the positions, rotations and scales of some rows of Transform3D, as `world_poses`."""
    table, count = world.table(Transform3D), len(rows)
    columns = table.flat("position"), table.flat("rotation"), table.flat("scale")
    parents = hierarchy_of(world, Transform3D).parents if table.parent[rows].any() else _NO_PARENTS
    position, rotation, scale = np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 3))
    place_entities(rows, parents, columns, position.ravel(), rotation.ravel(), scale.ravel())
    return position, rotation, scale


def local_poses(world: World, rows: Array, position: Array, rotation: Array) -> tuple[Array, Array]:
    """Return poses of the world relative to the parents of these rows of Transform3D."""
    parents = world.table(Transform3D).parent
    if not parents.any() or not parents[rows].any():
        return position, rotation
    above = hierarchy_of(world, Transform3D).parents[rows]
    hung = above >= 0
    places, turns, scales = (column[above[hung]] for column in world_poses(world))
    position, rotation = position.copy(), rotation.copy()
    back = quaternions.inverse(turns)
    with np.errstate(all="ignore"):
        inverse = np.where(scales != 0, 1 / scales, 0)
    position[hung] = quaternions.turned(back, position[hung] - places) * inverse
    rotation[hung] = quaternions.product(back, rotation[hung])
    return position, rotation
