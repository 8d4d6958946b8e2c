"""Poses of entities in the world, and back to those relative to their parents, in float64."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core.common import hierarchy_of
from rish_jit import Array, njit

from . import quaternions
from .components import Transform3D

if TYPE_CHECKING:
    from rish_core import World

_IDENTITY = np.array([0, 0, 0, 1], np.float64)
_NO_PARENTS = np.zeros(0, np.int32)
_ROUNDING = 1e-6
"""By how much the square of the length of a unit quaternion may differ from 1."""


def unit_quaternions(rotation: Array) -> Array:
    """Return quaternions of length 1, float64; those without a length turn nothing."""
    with np.errstate(all="ignore"):
        turns = quaternions.normalized(rotation)
    is_sound = np.abs(quaternions.dot(turns, turns) - 1) < _ROUNDING
    return turns if is_sound.all() else np.where(is_sound[:, None], turns, _IDENTITY)


def world_poses(world: World) -> tuple[Array, Array, Array]:
    """Return the positions (n, 3), rotations (n, 4) and scales (n, 3) of all rows of Transform3D in the world, float64.

    Below a parent that is scaled differently along its axes, scales are products along the child's own axes: a box that
    is turned in such a parent keeps its right angles.
    """
    return poses_at(world, np.arange(len(world.table(Transform3D)), dtype=np.int32))


def poses_at(world: World, rows: Array) -> tuple[Array, Array, Array]:
    """Return the positions, rotations and scales of some rows of Transform3D, as `world_poses`."""
    table, count = world.table(Transform3D), len(rows)
    columns = table.flat("position"), table.flat("rotation"), table.flat("scale")
    parents = hierarchy_of(world, Transform3D).parents if table.parent[rows].any() else _NO_PARENTS
    position, rotation, scale = np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 3))
    place_entities(np.asarray(rows, np.int32), parents, columns, position.ravel(), rotation.ravel(), scale.ravel())
    return position, rotation, scale


def local_poses(world: World, rows: Array, position: Array, rotation: Array) -> tuple[Array, Array]:
    """Return poses of the world relative to the parents of these rows of Transform3D."""
    parents = world.table(Transform3D).parent
    if not parents.any() or not parents[rows].any():
        return position, rotation
    above = hierarchy_of(world, Transform3D).parents[rows]
    hung = above >= 0
    places, turns, scales = poses_at(world, above[hung])
    position, rotation = position.copy(), rotation.copy()
    back = quaternions.inverse(turns)
    with np.errstate(all="ignore"):
        inverse = np.where(scales != 0, 1 / scales, 0)
    position[hung] = quaternions.turned(back, position[hung] - places) * inverse
    rotation[hung] = quaternions.product(back, rotation[hung])
    return position, rotation


@njit(borrows=True, inline="always")
def quaternion_product(ax: Any, ay: Any, az: Any, aw: Any, bx: Any, by: Any, bz: Any, bw: Any) -> Any:
    """Return the product of two quaternions, for kernels: the bits of `quaternions.product`."""
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


@njit(borrows=True, inline="always")
def quaternion_turned(x: Any, y: Any, z: Any, w: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a vector turned by a unit quaternion, for kernels: the bits of `quaternions.turned`."""
    u, v, t = y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c
    return a + 2.0 * (y * t - z * v), b + 2.0 * (z * u - x * t), c + 2.0 * (x * v - y * u)


@njit(borrows=True, inline="always")
def quaternion_unit(x: Any, y: Any, z: Any, w: Any) -> Any:
    """Return a quaternion with length 1, for kernels: the bits of `quaternions.normalized`."""
    largest = max(max(abs(x), abs(y)), max(abs(z), abs(w)))
    if not largest > 0.0:
        return x, y, z, w
    x, y, z, w = x / largest, y / largest, z / largest, w / largest
    length = np.sqrt(x * x + y * y + z * z + w * w)
    return x / length, y / length, z / length, w / length


@njit(borrows=True)
def place_entities(rows: Array, parents: Array, columns: Any, position: Array, rotation: Array, scale: Array) -> None:
    """Write the positions, rotations and scales in the world of some rows of Transform3D, float64 (3, 4 and 3 each).

    rows: int32. parents: the row of the parent of each row of the table, below 0 for none; empty if no entity has one.
    columns: of the table: position, rotation and scale, flat.
    """
    positions, rotations, scales = columns
    for k in range(len(rows)):
        p, q = 3 * k, 4 * k
        depth, row = 0, rows[k]
        while len(parents) > 0 and parents[row] >= 0:
            depth, row = depth + 1, parents[row]
        for level in range(depth, -1, -1):  # from the root down to the entity itself
            row = rows[k]
            for _ in range(level):
                row = parents[row]
            a, b, c = (
                np.float64(positions[3 * row]),
                np.float64(positions[3 * row + 1]),
                np.float64(positions[3 * row + 2]),
            )
            u, v, t = np.float64(scales[3 * row]), np.float64(scales[3 * row + 1]), np.float64(scales[3 * row + 2])
            x, y, z, w = quaternion_unit(
                np.float64(rotations[4 * row]), np.float64(rotations[4 * row + 1]), np.float64(rotations[4 * row + 2]),
                np.float64(rotations[4 * row + 3]),
            )  # fmt: skip
            if not abs(x * x + y * y + z * z + w * w - 1.0) < _ROUNDING:
                x, y, z, w = 0.0, 0.0, 0.0, 1.0
            if level < depth:
                px, py, pz, pw = rotation[q], rotation[q + 1], rotation[q + 2], rotation[q + 3]
                a, b, c = quaternion_turned(px, py, pz, pw, a * scale[p], b * scale[p + 1], c * scale[p + 2])
                a, b, c = position[p] + a, position[p + 1] + b, position[p + 2] + c
                x, y, z, w = quaternion_product(px, py, pz, pw, x, y, z, w)
                u, v, t = u * scale[p], v * scale[p + 1], t * scale[p + 2]
            position[p], position[p + 1], position[p + 2] = a, b, c
            rotation[q], rotation[q + 1], rotation[q + 2], rotation[q + 3] = x, y, z, w
            scale[p], scale[p + 1], scale[p + 2] = u, v, t
