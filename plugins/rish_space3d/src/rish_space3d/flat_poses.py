"""The 2D poses of entities in space: the system that carries out `Flat`."""

from __future__ import annotations

import numpy as np

from rish_core import Stage, Transform, World, system, world_matrices
from rish_core.common import hierarchy_of
from rish_jit import Array, maths

from .components import Flat, Plane, Transform3D
from .matrices import world_matrices_3d

_RIGHT = np.array([[1, 0, 0], [1, 0, 0], [0, 0, -1]], np.float64)
_UP = np.array([[0, 0, -1], [0, 1, 0], [0, 1, 0]], np.float64)
"""The directions of 2D x and y in space, by the number of the plane; the order is that of `Plane`."""
assert [plane.name for plane in Plane] == ["GROUND", "FRONT", "SIDE"]


@system(
    Stage.UPDATE, reads=Transform3D, writes=(Transform, Flat), after=("scripts.*", "rules.run"), before="audio.step",
    marks=True,
)  # fmt: skip
def flatten(world: World, dt: float) -> None:
    """Write the 2D poses of entities with `Flat`; rows that did not move are not marked."""
    flats = world.query(Flat, Transform3D, Transform)
    if not len(flats):
        return
    space, table = world.table(Transform3D), world.table(Transform)
    matrices = world_matrices_3d(world)[space.rows_of(flats.entities)].astype(np.float64)
    position, angle = flat_poses(matrices, flats[Flat.plane], flats[Flat.scale], flats[Flat.offset])
    rows = table.rows_of(flats.entities)
    angle = np.where(flats[Flat.turns], angle, table.rotation[rows])
    is_new = ~flats[Flat.placed]
    if not table.parent[rows].any():
        _write(world, rows, position, angle, is_new)
    else:
        turns = flats[Flat.turns]
        tree = hierarchy_of(world)
        for rank in (np.flatnonzero(tree.parents < 0), *tree.generations):
            indices = np.flatnonzero(np.isin(rows, rank))
            if len(indices):
                local = _below(world, tree.parents[rows[indices]], position[indices], angle[indices], turns[indices])
                _write(world, rows[indices], *local, is_new[indices])
    if is_new.any():
        flat_table = world.table(Flat)
        flat_table.placed[flat_table.rows_of(flats.entities[is_new])] = True


def flat_poses(matrices: Array, planes: Array, scale: Array, offset: Array) -> tuple[Array, Array]:
    """Return the 2D positions, float64 (n, 2), and angles in radians, (n,), of world matrices (n, 3, 4).

    planes: the numbers of members of `Plane`. scale, offset: as in `Flat`. The angle is that of the axis of the entity
    that points right when it is not turned; 0 if the axis stands upright on the plane.
    """
    right, up = _RIGHT[planes], _UP[planes]
    point = matrices[:, :, 3]
    axis = np.stack([_dot(matrices[:, r, :3], right) for r in range(3)], axis=-1)
    position = np.stack([_dot(point, right), _dot(point, up)], axis=-1) * scale[:, None] + offset
    return position, maths.atan2(_dot(axis, up), _dot(axis, right))


def _dot(a: Array, b: Array) -> Array:
    return a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2]


def _below(world: World, parents: Array, position: Array, angle: Array, turns: Array) -> tuple[Array, Array]:
    """Return poses of the world relative to the Transforms of these rows, -1 for none.

    turns: whether the angle is one of the world. Below a parent that is scaled to a line, the position is (0, 0).
    """
    hung = np.flatnonzero(parents >= 0)
    if not len(hung):
        return position, angle
    a, b, c, d, tx, ty = world_matrices(world)[parents[hung]].astype(np.float64).T
    area = a * d - b * c
    flat = area == 0
    area = np.where(flat, 1.0, area)
    x, y = position[hung, 0] - tx, position[hung, 1] - ty
    position, angle = position.copy(), angle.astype(np.float64)
    position[hung, 0] = np.where(flat, 0, (d * x - c * y) / area)
    position[hung, 1] = np.where(flat, 0, (a * y - b * x) / area)
    angle[hung] -= np.where(turns[hung], maths.atan2(b, a), 0)
    return position, angle


def _write(world: World, rows: Array, position: Array, angle: Array, is_new: Array) -> None:
    """Write the poses that differ; new rows also get them as their last poses, so that they are not interpolated."""
    table = world.table(Transform)
    with np.errstate(over="ignore"):
        position, angle = position.astype(np.float32), angle.astype(np.float32)
    has_moved = is_new | (table.position[rows] != position).any(axis=1) | (table.rotation[rows] != angle)
    has_moved &= np.isfinite(position).all(axis=1) & np.isfinite(angle)
    if has_moved.any():
        moved_rows = rows[has_moved]
        table.position[moved_rows], table.rotation[moved_rows] = position[has_moved], angle[has_moved]
        table.mark(moved_rows)
        new = has_moved & is_new
        table.last_position[rows[new]], table.last_rotation[rows[new]] = position[new], angle[new]
