"""Camera movement: cameras follow entities, stay within their limits, and recover from shaking.

The pose of a camera is state of the World. It is written during the tick, after everything else has moved; drawing
interpolates it between two ticks, like all other poses. The result depends on the game's own size, never on the size of
the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import Transform
from rish_ecs import Stage, UsageError, system
from rish_ecs.declarations import Column
from rish_frame import Frame
from rish_jit import maths

from ..components.visible import Camera
from .camera import followed, limits_of, look, view_of, world_pose
from .view import DrawArea

if TYPE_CHECKING:
    from rish_ecs import World

Point = tuple[float, float]


def shake(world: World, camera: int | None = None, strength: float = 0.5) -> None:
    """Shake a camera; None means the main one. strength: from 0 to 1, added to the trauma that is left from before.

    Call it during a tick. Raises UsageError if the entity is no camera.
    """
    handle = view_of(world).camera if camera is None else camera
    row = world.table(Camera).row_of(handle)
    if row >= 0:
        trauma = world[Camera].trauma
        trauma[row] = min(max(float(trauma[row]) + strength, 0.0), 1.0)
    elif camera is not None:
        raise UsageError(f"entity {camera} is not a camera")


def _busy(world: World) -> Column:
    """Return the rows of the cameras that follow an entity, shake, or have limits."""
    table = world.table(Camera)
    if not len(table):
        return table.entities
    limits = table.column("limits")
    busy = (table.column("follow") != 0) | (table.column("trauma") > 0) | (limits[:, 2] > 0) | (limits[:, 3] > 0)
    return busy.nonzero()[0]


def _any_busy(world: World) -> bool:
    """Return True if a camera may have to move. If not, `move_cameras` is skipped and its tables stay unchanged."""
    table = world.table(Camera)
    if table.used:
        for name in ("follow", "trauma", "limits"):  # every tick asks; a generator takes twice as long
            if any(table.flat(name).tolist()):
                return True
    return False


@system(Stage.UPDATE, reads=Transform, writes=(Camera, Transform), after="*.*", run_if=_any_busy, marks=True)
def move_cameras(world: World, dt: float) -> None:
    """Move each camera towards the entity that it follows, and reduce its trauma."""
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
    """Move one camera to its position at the end of this tick."""
    cameras = world[Camera]
    a, b, _, _, x, y = world_pose(world, handle)
    angle = maths.atan2(b, a)
    wished = x, y
    jumps = False
    goal = followed(world, row)
    if goal is not None:
        jumps = not cameras.settled[row]
        wished = _following(world, row, (x, y), goal, angle, dt)
        cameras.settled[row] = True
    design = DrawArea.plain("screen", world[Frame].design)  # the same on every machine
    center = look(world, row, handle, design, wished, angle).kept_within(limits_of(world, row)).center
    if center != (x, y):
        _put(world, handle, (center[0] - x, center[1] - y), jumps=jumps)


def _following(world: World, row: int, at: Point, goal: Point, angle: float, dt: float) -> Point:
    """Return the next position of a camera that follows an entity. goal: see `followed`.

    The first time it jumps to the entity; later it follows when the entity leaves the dead zone.
    """
    cameras = world[Camera]
    dx, dy = goal[0] - at[0], goal[1] - at[1]
    if not cameras.settled[row]:
        return at[0] + dx, at[1] + dy
    smoothing = float(cameras.smoothing[row])
    # The part of the distance to cover, so that the rest shrinks by a factor of e in `smoothing` seconds.
    share = 1.0 if smoothing <= 0 else 1.0 - maths.exp(-dt / smoothing)
    sin, cos = maths.sincos(angle)
    across = _beyond(cos * dx + sin * dy, float(cameras.dead_zone[row, 0]) / 2)
    up = _beyond(cos * dy - sin * dx, float(cameras.dead_zone[row, 1]) / 2)
    return at[0] + share * (cos * across - sin * up), at[1] + share * (sin * across + cos * up)


def _beyond(distance: float, free: float) -> float:
    """Return how much of a distance is outside of a zone around 0."""
    return distance - min(max(distance, -free), free)


def _put(world: World, handle: int, way: Point, *, jumps: bool) -> None:
    """Move an entity by a vector in world units, whatever its parents. jumps: do not interpolate this movement."""
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
