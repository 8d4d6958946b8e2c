"""Poses of many entities in the world, and conversion of vectors between the world and their spaces; float64.

A matrix is six numbers a b c d x y: x' = a·x + c·y + x and y' = b·x + d·y + y.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform, world_matrices
from rish_jit import Array

if TYPE_CHECKING:
    from rish_core import World

_MAX_DEPTH = 64
"""The greatest number of levels of parents that are followed, so that a cycle ends."""
_MAX_SINGLE = 32
"""Up to this number, matrices are computed one by one, which is faster than those of all entities."""


def roots(world: World, handles: Array, kind: type = Transform) -> Array:
    """Return the entities that have a Transform and none of whose ancestors is among the given ones, int64.

    kind: another component with the field `parent`.
    """
    table = world.table(kind)
    handles = np.asarray(handles, np.int64)
    handles = handles[table.rows_of(handles) >= 0]
    if len(handles) < 2:
        return handles
    parent = table.column("parent")
    above = parent[table.rows_of(handles)]
    is_root = np.ones(len(handles), np.bool_)
    for _ in range(_MAX_DEPTH):
        if not above.any():
            break
        is_root &= ~np.isin(above, handles)
        rows = table.rows_of(above)
        above = np.where(rows >= 0, parent[np.maximum(rows, 0)], 0)
    return handles[is_root]


def world_poses(world: World, handles: Array) -> Array:
    """Return the current world matrices of entities, float64 (n, 6); that of the world for 0 and without Transform."""
    table = world.table(Transform)
    rows = table.rows_of(np.asarray(handles, np.int64))
    poses = np.tile(np.array([1.0, 0, 0, 1, 0, 0]), (len(rows), 1))
    there = np.flatnonzero(rows >= 0)
    if len(there) <= _MAX_SINGLE:
        for k in there.tolist():
            poses[k] = _walk(table, int(rows[k]))
    else:
        poses[there] = world_matrices(world)[rows[there]]
    return poses


def _walk(table: Any, row: int) -> tuple[float, ...]:
    """Return the world matrix of a row of the table, multiplied along its parents."""
    position, rotation, scale, parents = (table.column(name) for name in ("position", "rotation", "scale", "parent"))
    pose = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    for _ in range(_MAX_DEPTH):
        if row < 0:
            break
        cos, sin = math.cos(rotation[row]), math.sin(rotation[row])
        (w, h), (x, y) = scale[row].tolist(), position[row].tolist()
        a, b, c, d = cos * w, sin * w, -sin * h, cos * h
        pa, pb, pc, pd, px, py = pose
        pose = (
            a * pa + c * pb, b * pa + d * pb, a * pc + c * pd, b * pc + d * pd, a * px + c * py + x, b * px + d * py + y
        )  # fmt: skip
        row = table.row_of(int(parents[row])) if parents[row] else -1
    return pose


def into(matrix: Array, vectors: Array) -> Array:
    """Return vectors (n, 2) of the world in the space of matrices (n, 6), without their position.

    A matrix that has no inverse gives vectors of 0.
    """
    a, b, c, d = (matrix[:, k] for k in range(4))
    area = a * d - b * c
    safe = np.where(area == 0, 1.0, area)
    x, y = vectors[:, 0], vectors[:, 1]
    local = np.stack([(d * x - c * y) / safe, (a * y - b * x) / safe], axis=1)
    return np.where((area == 0)[:, None], 0.0, local)


def out_of(matrix: Array, vectors: Array) -> Array:
    """Return vectors (n, 2) in the space of matrices (n, 6) as vectors of the world."""
    a, b, c, d = (matrix[:, k] for k in range(4))
    x, y = vectors[:, 0], vectors[:, 1]
    return np.stack([a * x + c * y, b * x + d * y], axis=1)
