"""Transforms: where things are, in 2D, each relative to its parent.

`Transform` holds the local pose. At the start of every tick the pose of the tick before is remembered, so that
drawing can show the world between two ticks; `WorldMatrices` holds those interpolated poses as matrices, filled in
LATE, parents before children. Simulation code that needs world poses within a tick asks `world_matrices`.

A matrix is six float32 `a b c d tx ty`: x' = a·x + c·y + tx and y' = b·x + d·y + ty. y points up, angles are radians
counter-clockwise.
"""

from __future__ import annotations

import logging
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import maths
from ..ecs.columns import Column, Entity, Vec2
from ..ecs.component import component, field
from ..ecs.resource import resource
from ..ecs.system import Stage, system
from ..ecs.table import Table

if TYPE_CHECKING:
    from ..ecs.world import World

_log = logging.getLogger("rish.transform")
_KERNEL_ROWS = 2048
"""From this many rows on a compiled kernel is worth its loading."""


@component
class Transform:
    """Where an entity is: position, rotation and scale relative to its parent, or to the world."""

    position: Vec2 = field((0, 0), unit="units")
    rotation: float = field(0.0, unit="rad", angle=True, doc="counter-clockwise")
    scale: Vec2 = field((1, 1))
    parent: Entity = field(0, cascade=True, doc="despawning the parent takes this entity along")
    last_position: Vec2 = field((0, 0), view=True, hidden=True)
    last_rotation: float = field(0.0, view=True, hidden=True)
    last_scale: Vec2 = field((1, 1), view=True, hidden=True)


@resource(derived=True)
class WorldMatrices:
    """The interpolated world matrix of every Transform: `matrix` is float32 (n, 6) in the table's row order.

    sequence: the number of the last change when poses were remembered; younger rows have no past to start from.
    ring: the entities that were reported because their parents go in a ring.
    """

    matrix: Column = dataclass_field(default_factory=lambda: np.zeros((0, 6), np.float32))
    sequence: int = 0
    ring: tuple[int, ...] = ()

    def rebuild(self, world: World) -> None:
        """After a restore nothing has a past that is worth showing."""
        self.sequence = -1


@system(Stage.INPUT, writes=Transform, view=True)
def remember_poses(world: World, dt: float) -> None:
    """Note where everything was at the start of the tick; runs before all others."""
    table = world[Transform]
    if len(table):
        table.last_position[:] = table.position
        table.last_rotation[:] = table.rotation
        table.last_scale[:] = table.scale
    world[WorldMatrices].sequence = world.changes.sequence


@system(Stage.LATE, writes=(Transform, WorldMatrices))
def interpolate_poses(world: World, dt: float) -> None:
    """Fill `WorldMatrices` with the poses between the last two ticks."""
    table, matrices = world[Transform], world[WorldMatrices]
    if not len(table):
        matrices.matrix = matrices.matrix[:0]
        return
    fresh = table.added_at[: len(table)] > matrices.sequence
    if fresh.any():
        for name in ("position", "rotation", "scale"):
            table.column("last_" + name)[fresh] = table.column(name)[fresh]
    matrices.matrix = _world_matrices(world, table, world.alpha, np)


def world_matrices(world: World) -> Column:
    """float32 (n, 6): the world matrix of every Transform as it is now, in the table's row order.

    The same bits on every machine, so they may become state.
    """
    return _world_matrices(world, world.table(Transform), None, maths)


def teleport(world: World, entities: Any, position: Any) -> None:
    """Move entities (one handle or many) to positions ((2,) or (n, 2)) without a trace of the way in the picture.

    Raises StaleEntity, and UnknownName where one has no Transform; then none has moved.
    """
    places: Any = np.asarray(position, np.float32)
    world.set(entities, Transform(position=places, last_position=places))


def transform_points(matrix: Column, points: Column) -> Column:
    """Points (n, 2), or one (2,), by one matrix (6,); the dtype of `points`."""
    a, b, c, d, tx, ty = matrix
    x, y = points[..., 0], points[..., 1]
    return np.stack([a * x + c * y + tx, b * x + d * y + ty], axis=-1).astype(points.dtype)


def _world_matrices(world: World, table: Table, alpha: float | None, trig: Any) -> Column:
    """alpha: how far between the last two ticks; None for the pose as it is, in which the last one has no part.

    trig: numpy for the eye, which is quicker on few rows; `rish_core.maths` where the result may become state.
    """
    matrix: Column = np.empty((len(table), 6), np.float32)
    if not len(table):
        return matrix
    parents = table.column("parent")
    parent_rows = _parent_rows(world, table, parents) if parents.any() else None
    now = table.column("position"), table.column("rotation"), table.column("scale")
    last = table.column("last_position"), table.column("last_rotation"), table.column("last_scale")
    last = now if alpha is None else last
    weight = np.float32(1.0 if alpha is None else alpha)
    if len(table) >= _KERNEL_ROWS:
        from .transform_kernels import local_matrices

        local_matrices(*now, *last, weight, matrix)
    else:
        _local_matrices(*now, *last, weight, matrix, trig)
    if parent_rows is not None:
        _apply_parents(world, table, parent_rows, matrix)
    return matrix


def _parent_rows(world: World, table: Table, parents: Column) -> Column:
    """int32: the row of each parent; -1 for none, and for one that is gone or has no Transform."""
    alive = world.alive(parents)
    rows: Column = np.full(len(parents), -1, np.int32)
    rows[alive] = table.rows_of(parents[alive])
    return rows


def _local_matrices(
    position: Column, rotation: Column, scale: Column, last_position: Column, last_rotation: Column, last_scale: Column,
    alpha: Any, out: Column, trig: Any = maths,
) -> None:  # fmt: skip
    """The local pose between two ticks as a matrix; the short way round for angles. The kernel's plain twin."""
    turn = rotation - last_rotation
    turn = turn - np.float32(maths.TAU) * np.floor(turn / np.float32(maths.TAU) + np.float32(0.5))
    angle = rotation - (np.float32(1) - alpha) * turn
    size = scale - (np.float32(1) - alpha) * (scale - last_scale)
    cos, sin = trig.cos(angle), trig.sin(angle)
    out[:, 0], out[:, 1] = cos * size[:, 0], sin * size[:, 0]
    out[:, 2], out[:, 3] = -sin * size[:, 1], cos * size[:, 1]
    out[:, 4:] = position - (np.float32(1) - alpha) * (position - last_position)


def _apply_parents(world: World, table: Table, parent_rows: Column, matrix: Column) -> None:
    """Turn local matrices into world ones, a generation a pass; a ring of parents is cut and reported."""
    done = parent_rows < 0
    waiting = np.flatnonzero(~done)
    ring: tuple[int, ...] = ()
    while len(waiting):
        ready = done[parent_rows[waiting]]
        now = waiting[ready]
        if len(now):
            _multiply(matrix, parent_rows[now], now)
        else:
            ready = _in_ring(waiting, parent_rows)
            now = waiting[ready]
            ring = tuple(table.entities[now].tolist())
        done[now] = True
        waiting = waiting[~ready]
    _report_ring(world, ring)


def _in_ring(waiting: Column, parent_rows: Column) -> Column:
    """bool: which of these rows, none of which has a finished parent, lie on a ring and not below one."""
    inside = np.ones(len(waiting), np.bool_)
    while True:
        rows = waiting[inside]
        carried = np.isin(waiting, parent_rows[rows]) & inside
        if carried.sum() == len(rows):
            return carried
        inside = carried


def _report_ring(world: World, ring: tuple[int, ...]) -> None:
    """Say once, not every frame, which entities hang on themselves."""
    matrices = world.resources.get(WorldMatrices)
    if matrices is None or matrices.ring == ring:
        return
    matrices.ring = ring
    if ring:
        handles = ", ".join(str(handle) for handle in sorted(ring)[:4])
        _log.warning("Transform.parent goes in a ring: entities %s; they are placed as if they had no parent", handles)


def _multiply(matrix: Column, parents: Column, children: Column) -> None:
    p, m = matrix[parents], matrix[children]
    out = np.empty_like(m)
    out[:, 0] = p[:, 0] * m[:, 0] + p[:, 2] * m[:, 1]
    out[:, 1] = p[:, 1] * m[:, 0] + p[:, 3] * m[:, 1]
    out[:, 2] = p[:, 0] * m[:, 2] + p[:, 2] * m[:, 3]
    out[:, 3] = p[:, 1] * m[:, 2] + p[:, 3] * m[:, 3]
    out[:, 4] = p[:, 0] * m[:, 4] + p[:, 2] * m[:, 5] + p[:, 4]
    out[:, 5] = p[:, 1] * m[:, 4] + p[:, 3] * m[:, 5] + p[:, 5]
    matrix[children] = out
