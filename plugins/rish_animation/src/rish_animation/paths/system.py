"""The system that moves entities along paths, before forces and physics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Stage, Transform, World, system, world_matrices
from rish_jit import Array, maths

from ..clips.model import PlayMode
from .components import FollowPath, MotionPath, PathFinished
from .polylines import Polylines

if TYPE_CHECKING:
    from rish_core import Query

_ONCE, _PING_PONG = (list(PlayMode).index(mode) for mode in (PlayMode.ONCE, PlayMode.PING_PONG))


def _any_follower(world: World) -> bool:
    return len(world.table(FollowPath)) > 0


@system(
    Stage.PRE,
    reads=MotionPath,
    writes=(FollowPath, Transform, PathFinished),
    after=("scripts.*", "advance_tweens"),
    run_if=_any_follower,
    marks=True,
)
def follow_paths(world: World, dt: float) -> None:
    """Advance the distances of all followers, and place them."""
    lines, query, paths = world[Polylines], world.query(FollowPath, Transform), world.table(MotionPath)
    table = world.table(FollowPath)
    owners = np.where(query[FollowPath.path] == 0, query.entities, query[FollowPath.path])
    path_rows = paths.rows_of(owners)
    indices = np.flatnonzero(path_rows >= 0)
    if not len(indices):
        return
    rows, path_rows, owners = query.rows(FollowPath)[indices], path_rows[indices], owners[indices]
    fresh = ~table.began[rows]
    forward = _advance(world, lines, rows, path_rows, np.where(fresh, 0.0, dt))
    table.began[rows] = True
    table.mark(rows)
    length = lines.length[path_rows]
    distance = table.distance[rows].astype(np.float64)
    returning = (table.mode[rows] == _PING_PONG) & (distance > length)
    position, direction = lines.at(path_rows, np.where(returning, 2 * length - distance, distance))
    direction = np.where((returning == forward)[:, None], -direction, direction)
    orient, offset = table.orient[rows], table.offset[rows].astype(np.float64)
    ahead = np.where(orient[:, None], direction, (1.0, 0.0))
    position = position + ahead * offset[:, :1] + np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * offset[:, 1:]
    _place(world, query, indices, owners, position, direction, fresh)


def _advance(world: World, lines: Polylines, rows: Array, path_rows: Array, dt: Array) -> Array:
    """Advance the distances of rows of FollowPath; return bool (n,), whether they move forward."""
    table = world.table(FollowPath)
    length, seconds = lines.length[path_rows], table.seconds[rows].astype(np.float64)
    safe = np.where(seconds > 0, seconds, 1.0)
    speed = np.where(seconds > 0, length / safe, table.speed[rows])
    mode, playing = table.mode[rows], table.playing[rows]
    distance = table.distance[rows] + np.where(playing, speed * dt, 0.0)
    period = np.where(mode == _PING_PONG, 2 * length, length)
    full = np.where(period > 0, period, 1.0)
    slack = 1e-6 * full  # sums of float32 may lie just below the end
    once = mode == _ONCE
    ended = (
        once & playing & (speed != 0) & (dt > 0) & np.where(speed > 0, distance >= length - slack, distance <= slack)
    )
    distance = np.where(
        once,
        np.where(ended & (speed > 0), length, np.clip(distance, 0.0, length)),
        distance - full * maths.floor(distance / full),
    )
    table.distance[rows] = np.where(period > 0, distance, 0.0)
    if ended.any():
        table.playing[rows[ended]] = False
        world.emit(PathFinished, entity=table.entities[rows[ended]].copy())
    return speed >= 0


def _place(
    world: World, query: Query, indices: Array, owners: Array, position: Array, direction: Array, fresh: Array
) -> None:
    """Write positions and rotations. position, direction: relative to the path's entity, (n, 2) each."""
    transforms = world.table(Transform)
    rows, entities = query.rows(Transform)[indices], query.entities[indices]
    holder = np.where(owners == entities, -1, transforms.rows_of(owners))
    if (holder >= 0).any():
        position, direction = _to_parents(world, rows, holder, position, direction)
    transforms.position[rows] = position
    new = rows[fresh]
    transforms.last_position[new] = transforms.position[new]
    oriented = query[FollowPath.orient][indices] & direction.any(axis=1)
    if oriented.any():
        angle, extra = (
            maths.atan2(direction[oriented, 1], direction[oriented, 0]),
            query[FollowPath.rotation][indices][oriented],
        )
        transforms.rotation[rows[oriented]] = maths.wrap_angle(angle + extra) if extra.any() else angle
        new = rows[fresh & oriented]
        transforms.last_rotation[new] = transforms.rotation[new]
    transforms.mark(rows)


def _to_parents(world: World, rows: Array, holder: Array, position: Array, direction: Array) -> tuple[Array, Array]:
    """Return positions and directions relative to the parents of rows of Transform.

    holder: rows of the paths' entities; -1 for positions that are relative to the parent already. For a parent that is
    scaled to a flat line, the result has world coordinates.
    """
    transforms, elsewhere = world.table(Transform), holder >= 0
    m = world_matrices(world, holder[elsewhere]).astype(np.float64)
    position, direction = position.copy(), direction.copy()
    position[elsewhere] = _turned(m, position[elsewhere]) + m[:, 4:]
    direction[elsewhere] = _turned(m, direction[elsewhere])
    parents = np.where(elsewhere, transforms.rows_of(transforms.parent[rows]), -1)
    with_parent = parents >= 0
    p = world_matrices(world, parents[with_parent]).astype(np.float64)
    area = p[:, 0] * p[:, 3] - p[:, 1] * p[:, 2]
    safe = np.where(area == 0, 1.0, area)
    inverse = np.stack([p[:, 3], -p[:, 1], -p[:, 2], p[:, 0]], axis=1) / safe[:, None]
    inverse[area == 0] = (1.0, 0.0, 0.0, 1.0)
    position[with_parent] = _turned(inverse, position[with_parent] - p[:, 4:])
    direction[with_parent] = _turned(inverse, direction[with_parent])
    return position, direction


def _turned(matrices: Array, vectors: Array) -> Array:
    """Return vectors (n, 2) multiplied by the linear parts of matrices a b c d (n, 4 or 6)."""
    x, y = vectors.T
    return np.stack([matrices[:, 0] * x + matrices[:, 2] * y, matrices[:, 1] * x + matrices[:, 3] * y], axis=1)
