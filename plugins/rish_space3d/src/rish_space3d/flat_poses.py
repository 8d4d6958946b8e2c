"""The 2D poses of entities in space: the system that carries out `Flat`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import Stage, Transform, World, system, world_matrices
from rish_core.common import hierarchy_of
from rish_jit import maths

from .components import Flat, Plane, Transform3D
from .matrices import world_matrices_3d

Array = npt.NDArray[Any]
_RIGHT = np.array([[1, 0, 0], [1, 0, 0], [0, 0, -1]], np.float64)
_UP = np.array([[0, 0, -1], [0, 1, 0], [0, 1, 0]], np.float64)
"""The directions of 2D x and y in space, by the number of the plane; the order is that of `Plane`."""
assert [plane.name for plane in Plane] == ["GROUND", "FRONT", "SIDE"]


@system(
    Stage.UPDATE, reads=Transform3D, writes=(Transform, Flat), after=("scripts.*", "rules.run"), before="audio.step",
    marks=True,
)  # fmt: skip
def flatten(world: World, dt: float) -> None:
    """Write the 2D poses of entities with `Flat`; rows that did not move are not touched."""
    flats = world.query(Flat, Transform3D, Transform)
    if not len(flats):
        return
    space, table = world.table(Transform3D), world.table(Transform)
    matrices = world_matrices_3d(world)[space.rows_of(flats.entities)].astype(np.float64)
    place, angle = flat_poses(matrices, flats[Flat.plane], flats[Flat.scale], flats[Flat.offset])
    rows = table.rows_of(flats.entities)
    angle = np.where(flats[Flat.turns], angle, table.rotation[rows])
    fresh = ~flats[Flat.placed]
    if not table.parent[rows].any():
        _write(world, rows, place, angle, fresh)
    else:
        turns = flats[Flat.turns]
        tree = hierarchy_of(world)
        for rank in (np.flatnonzero(tree.parents < 0), *tree.generations):
            some = np.flatnonzero(np.isin(rows, rank))
            if len(some):
                local = _below(world, tree.parents[rows[some]], place[some], angle[some], turns[some])
                _write(world, rows[some], *local, fresh[some])
    if fresh.any():
        own = world.table(Flat)
        own.placed[own.rows_of(flats.entities[fresh])] = True


def flat_poses(matrices: Array, planes: Array, scale: Array, offset: Array) -> tuple[Array, Array]:
    """Return the 2D positions, float64 (n, 2), and angles in radians, (n,), of world matrices (n, 3, 4).

    planes: the numbers of members of `Plane`. scale, offset: as in `Flat`. The angle is that of the axis of the entity
    that points right when it is not turned; 0 if the axis stands upright on the plane.
    """
    right, up = _RIGHT[planes], _UP[planes]
    point = matrices[:, :, 3]
    axis = np.stack([_dot(matrices[:, r, :3], right) for r in range(3)], axis=-1)
    place = np.stack([_dot(point, right), _dot(point, up)], axis=-1) * scale[:, None] + offset
    return place, maths.atan2(_dot(axis, up), _dot(axis, right))


def _dot(a: Array, b: Array) -> Array:
    return a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2]


def _below(world: World, parents: Array, place: Array, angle: Array, turns: Array) -> tuple[Array, Array]:
    """Return poses of the world relative to the Transforms of these rows, -1 for none.

    turns: whether the angle is one of the world. Below a parent that is scaled to a line, the position is (0, 0).
    """
    hung = np.flatnonzero(parents >= 0)
    if not len(hung):
        return place, angle
    a, b, c, d, tx, ty = world_matrices(world)[parents[hung]].astype(np.float64).T
    area = a * d - b * c
    flat = area == 0
    area = np.where(flat, 1.0, area)
    x, y = place[hung, 0] - tx, place[hung, 1] - ty
    place, angle = place.copy(), angle.astype(np.float64)
    place[hung, 0] = np.where(flat, 0, (d * x - c * y) / area)
    place[hung, 1] = np.where(flat, 0, (a * y - b * x) / area)
    angle[hung] -= np.where(turns[hung], maths.atan2(b, a), 0)
    return place, angle


def _write(world: World, rows: Array, place: Array, angle: Array, fresh: Array) -> None:
    """Write the poses that differ; fresh rows get them as their last poses too, so that no frame shows a jump."""
    table = world.table(Transform)
    with np.errstate(over="ignore"):
        place, angle = place.astype(np.float32), angle.astype(np.float32)
    moved = fresh | (table.position[rows] != place).any(axis=1) | (table.rotation[rows] != angle)
    moved &= np.isfinite(place).all(axis=1) & np.isfinite(angle)
    if moved.any():
        some = rows[moved]
        table.position[some], table.rotation[some] = place[moved], angle[moved]
        table.mark(some)
        new = moved & fresh
        table.last_position[rows[new]], table.last_rotation[rows[new]] = place[new], angle[new]
