"""Cameras that move by themselves: they follow, stay within limits, and recover from blows.

Where a camera stands is state of the World, written in the tick after everything has moved; drawing shows it between
two ticks, like all else. What is written depends on the game's own size, never on the window's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import Transform
from rish_ecs import Stage, UsageError, maths, system
from rish_ecs.declarations import Column

from ..components.visible import Camera
from .camera import limits_of, steady_view, view_of, world_pose

if TYPE_CHECKING:
    from rish_ecs import World

Point = tuple[float, float]


def shake(world: World, camera: int | None = None, strength: float = 0.5) -> None:
    """Give a camera a blow; None means the main one. strength: from 0 to 1, added to what it has not got over yet.

    To be called in a tick. Raises UsageError where the entity is no camera.
    """
    handle = view_of(world).camera if camera is None else camera
    row = world.table(Camera).row_of(handle)
    if row >= 0:
        trauma = world[Camera].trauma
        trauma[row] = min(max(float(trauma[row]) + strength, 0.0), 1.0)
    elif camera is not None:
        raise UsageError(f"entity {camera} is no camera")


def _busy(world: World) -> Column:
    """The rows of cameras that have anything to do."""
    table = world.table(Camera)
    if not len(table):
        return table.entities
    limits = table.column("limits")
    busy = (table.column("follow") != 0) | (table.column("trauma") > 0) | (limits[:, 2] > 0) | (limits[:, 3] > 0)
    return busy.nonzero()[0]


def _any_busy(world: World) -> bool:
    """So that the tables of a game whose cameras rest count as untouched."""
    table = world.table(Camera)
    return bool(table.used) and any(any(table.flat(name).tolist()) for name in ("follow", "trauma", "limits"))


@system(Stage.UPDATE, reads=Transform, writes=(Camera, Transform), after="*.*", run_if=_any_busy, marks=True)
def move_cameras(world: World, dt: float) -> None:
    """Each camera goes after what it follows, and its trauma wears off."""
    table, places = world.table(Camera), world.table(Transform)
    trauma = table.column("trauma")
    for row in _busy(world).tolist():
        handle = int(table.entities[row])
        table.mark(row)
        if trauma[row] > 0:
            decay = float(table.column("shake_decay")[row])
            world[Camera].trauma[row] = max(float(trauma[row]) - decay * dt, 0.0)
        if places.row_of(handle) >= 0:
            _move(world, row, handle, dt)


def _move(world: World, row: int, handle: int, dt: float) -> None:
    """Bring one camera to where it should be at the end of this tick."""
    cameras = world[Camera]
    a, b, _, _, x, y = world_pose(world, handle)
    angle = maths.atan2(b, a)
    wished = x, y
    jumps = False
    if world.table(Transform).row_of(int(cameras.follow[row])) >= 0:
        jumps = not cameras.settled[row]
        wished = _following(world, row, (x, y), angle, dt)
        cameras.settled[row] = True
    centre = steady_view(world, row, handle, wished, angle).kept_within(limits_of(world, row)).centre
    if centre != (x, y):
        _put(world, handle, (centre[0] - x, centre[1] - y), jumps=jumps)


def _share(smoothing: float, dt: float) -> float:
    """The part of the way that is made up in a tick, so that the rest shrinks by e in `smoothing` seconds."""
    return 1.0 if smoothing <= 0 else 1.0 - maths.exp(-dt / smoothing)


def _following(world: World, row: int, at: Point, angle: float, dt: float) -> Point:
    """Where a camera at a place goes: to what it follows the first time, then after it when it leaves the dead zone."""
    cameras = world[Camera]
    x, y = world_pose(world, int(cameras.follow[row]))[4:]
    dx, dy = x + float(cameras.offset[row, 0]) - at[0], y + float(cameras.offset[row, 1]) - at[1]
    if not cameras.settled[row]:
        return at[0] + dx, at[1] + dy
    share = _share(float(cameras.smoothing[row]), dt)
    sin, cos = maths.sincos(angle)
    across = _beyond(cos * dx + sin * dy, float(cameras.dead_zone[row, 0]) / 2)
    up = _beyond(cos * dy - sin * dx, float(cameras.dead_zone[row, 1]) / 2)
    return at[0] + share * (cos * across - sin * up), at[1] + share * (sin * across + cos * up)


def _beyond(distance: float, free: float) -> float:
    """How much of a distance lies outside of a zone around 0."""
    return distance - min(max(distance, -free), free)


def _put(world: World, handle: int, way: Point, *, jumps: bool) -> None:
    """Move an entity by a way in the world, whatever it rides on. jumps: without a trace of the way in the picture."""
    table = world[Transform]
    row = world.table(Transform).row_of(handle)
    parent = int(table.parent[row])
    dx, dy = way
    if parent:
        a, b, c, d, _, _ = world_pose(world, parent)
        area = a * d - b * c
        if area == 0:
            return
        dx, dy = (d * way[0] - c * way[1]) / area, (a * way[1] - b * way[0]) / area
    table.position[row] = float(table.position[row, 0]) + dx, float(table.position[row, 1]) + dy
    world.table(Transform).mark(row)
    if jumps:
        table.last_position[row] = table.position[row]
