"""The system that moves entities along paths, before forces and physics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Stage, Transform, World, system, world_matrices
from rish_jit import maths

from ..clips.model import PlayMode
from .components import FollowPath, MotionPath, PathFinished
from .polylines import Polylines

if TYPE_CHECKING:
    from rish_core import Query

Array = npt.NDArray[Any]
_ONCE, _PING_PONG = (list(PlayMode).index(mode) for mode in (PlayMode.ONCE, PlayMode.PING_PONG))


def _any_follower(world: World) -> bool:
    return len(world.table(FollowPath)) > 0


@system(
    Stage.PRE,
    reads=MotionPath,
    writes=(FollowPath, Transform, PathFinished, Polylines),
    after=("scripts.*", "advance_tweens"),
    run_if=_any_follower,
    marks=True,
)
def follow_paths(world: World, dt: float) -> None:
    """Advance the distances of all followers, and place them."""
    lines, query, paths = world[Polylines], world.query(FollowPath, Transform), world.table(MotionPath)
    lines.refresh(world)
    table = world.table(FollowPath)
    owners = np.where(query[FollowPath.path] == 0, query.entities, query[FollowPath.path])
    on = paths.rows_of(owners)
    chosen = np.flatnonzero(on >= 0)
    if not len(chosen):
        return
    rows, on, owners = query.rows(FollowPath)[chosen], on[chosen], owners[chosen]
    fresh = ~table.began[rows]
    forward = _advance(world, lines, rows, on, np.where(fresh, 0.0, dt))
    table.began[rows] = True
    table.mark(rows)
    length = lines.length[on]
    distance = table.distance[rows].astype(np.float64)
    back = (table.mode[rows] == _PING_PONG) & (distance > length)
    place, way = lines.at(on, np.where(back, 2 * length - distance, distance))
    way = np.where((back == forward)[:, None], -way, way)
    orient, offset = table.orient[rows], table.offset[rows].astype(np.float64)
    ahead = np.where(orient[:, None], way, (1.0, 0.0))
    place = place + ahead * offset[:, :1] + np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * offset[:, 1:]
    _place(world, query, chosen, owners, place, way, fresh)


def _advance(world: World, lines: Polylines, rows: Array, on: Array, dt: Array) -> Array:
    """Advance the distances of rows of FollowPath; return whether they move forward, bool n."""
    table = world.table(FollowPath)
    length, seconds = lines.length[on], table.seconds[rows].astype(np.float64)
    safe = np.where(seconds > 0, seconds, 1.0)
    speed = np.where(seconds > 0, length / safe, table.speed[rows])
    mode, going = table.mode[rows], table.playing[rows]
    distance = table.distance[rows] + np.where(going, speed * dt, 0.0)
    period = np.where(mode == _PING_PONG, 2 * length, length)
    full = np.where(period > 0, period, 1.0)
    slack = 1e-6 * full  # sums of float32 may lie just below the end
    once = mode == _ONCE
    ended = once & going & (speed != 0) & (dt > 0) & np.where(speed > 0, distance >= length - slack, distance <= slack)
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


def _place(world: World, query: Query, chosen: Array, owners: Array, place: Array, way: Array, fresh: Array) -> None:
    """Write positions and rotations. place, way: relative to the path's entity, (n, 2) each."""
    transforms = world.table(Transform)
    rows, entities = query.rows(Transform)[chosen], query.entities[chosen]
    holder = np.where(owners == entities, -1, transforms.rows_of(owners))
    if (holder >= 0).any():
        place, way = _to_parents(world, rows, holder, place, way)
    transforms.position[rows] = place
    new = rows[fresh]
    transforms.last_position[new] = transforms.position[new]
    turned = query[FollowPath.orient][chosen] & way.any(axis=1)
    if turned.any():
        angle, more = maths.atan2(way[turned, 1], way[turned, 0]), query[FollowPath.rotation][chosen][turned]
        transforms.rotation[rows[turned]] = maths.wrap_angle(angle + more) if more.any() else angle
        new = rows[fresh & turned]
        transforms.last_rotation[new] = transforms.rotation[new]
    transforms.mark(rows)


def _to_parents(world: World, rows: Array, holder: Array, place: Array, way: Array) -> tuple[Array, Array]:
    """Return places and ways relative to the parents of rows of Transform. holder: rows of the paths' entities; -1 for
    places that are relative to the parent already. A parent that is scaled to a flat line keeps world coordinates.
    """
    transforms, matrices = world.table(Transform), world_matrices(world).astype(np.float64)
    other = holder >= 0
    m = matrices[holder[other]]
    place, way = place.copy(), way.copy()
    place[other] = _turned(m, place[other]) + m[:, 4:]
    way[other] = _turned(m, way[other])
    parents = np.where(other, transforms.rows_of(transforms.parent[rows]), -1)
    hung = parents >= 0
    p = matrices[parents[hung]]
    area = p[:, 0] * p[:, 3] - p[:, 1] * p[:, 2]
    safe = np.where(area == 0, 1.0, area)
    inverse = np.stack([p[:, 3], -p[:, 1], -p[:, 2], p[:, 0]], axis=1) / safe[:, None]
    inverse[area == 0] = (1.0, 0.0, 0.0, 1.0)
    place[hung] = _turned(inverse, place[hung] - p[:, 4:])
    way[hung] = _turned(inverse, way[hung])
    return place, way


def _turned(matrices: Array, vectors: Array) -> Array:
    """Return vectors (n, 2) multiplied by the linear parts of matrices a b c d (n, 4 or 6)."""
    x, y = vectors.T
    return np.stack([matrices[:, 0] * x + matrices[:, 2] * y, matrices[:, 1] * x + matrices[:, 3] * y], axis=1)
