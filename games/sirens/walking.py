"""The walker: keys move it, walls stop it; and the walls as `Edges`, which muffle sounds."""

from __future__ import annotations

import numpy as np

from rish_core import Input, Stage, Transform, World, publish_edges, system
from rish_jit import Array

from .components import Door, Settings, Walker, Wall

BOUNDS = (24.0, 224.0, 864.0, 632.0)
"""The lower left and the upper right corner of where the walker may go."""
_RADIUS = 8.0


def walker_of(world: World) -> int:
    """Return the walker; 0 if this exhibit has none."""
    found = world.query(Walker).entities
    return int(found[0]) if len(found) else 0


def closed_walls(world: World) -> Array:
    """Return the walls that are there, without open doors, as boxes: float64 (n, 4), left, low, right, high."""
    walls = world.query(Wall, Transform)
    if not len(walls):
        return np.zeros((0, 4))
    doors = world.query(Door)
    opened = doors.entities[doors[Door.open]]
    kept = ~np.isin(walls.entities, opened)
    place = walls[Transform.position][kept].astype(np.float64)
    half = walls[Wall.size][kept].astype(np.float64) / 2
    return np.hstack([place - half, place + half])


def publish_walls(world: World) -> None:
    """Publish the middle line of each wall, so that a wall is crossed once."""
    left, low, right, high = closed_walls(world).T
    wide = right - left > high - low
    x, y = (left + right) / 2, (low + high) / 2
    publish_edges(
        world, "sirens", x0=np.where(wide, left, x), y0=np.where(wide, y, low), x1=np.where(wide, right, x),
        y1=np.where(wide, y, high),
    )  # fmt: skip


@system(Stage.STEP, reads=(Input, Settings, Wall, Door), writes=(Walker, Transform))
def walk(world: World, dt: float) -> None:
    """Move the walker along each axis, unless it would be in a wall."""
    entity = walker_of(world)
    if not entity:
        return
    keys, speed, boxes = world[Input], world[Settings].walk_speed, closed_walls(world)
    before = world.get(entity, Transform).position.tolist()
    place = list(before)
    pushed = keys.axis("left", "right"), keys.axis("down", "up")
    slower = 0.7071 if pushed[0] and pushed[1] else 1.0
    for axis, push in enumerate(pushed):
        tried = list(place)
        tried[axis] = min(max(tried[axis] + push * slower * speed * dt, BOUNDS[axis]), BOUNDS[axis + 2])
        if not _inside(boxes, tried):
            place = tried
    x, y = place
    velocity = ((x - before[0]) / dt, (y - before[1]) / dt)
    world.set(entity, Transform(position=(x, y)), Walker(velocity=velocity))


def _inside(boxes: Array, place: list[float]) -> bool:
    """Whether the walker at a place would touch a wall."""
    x, y = place
    left, low, right, high = boxes.T
    return bool(((x > left - _RADIUS) & (x < right + _RADIUS) & (y > low - _RADIUS) & (y < high + _RADIUS)).any())
