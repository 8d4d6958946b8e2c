"""Walking and jumping: the hero's rectangle moves along x, then along y, and stops at the first block."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rish_core import Input, Stage, Transform, World, system
from rish_render import Shape

from .components import Block, Hero, Noise

SPEED, RUN_UP, GRAVITY, JUMP, FALL = 240.0, 2400.0, 1900.0, 640.0, 900.0
"""The walking speed, the acceleration, gravity, jump speed and largest falling speed, in units/s and units/s²."""
GRACE = 0.09
"""Seconds after leaving the ground in which a jump is still possible."""
LOW_JUMP = 0.45
"""The share of the upward speed that remains when the key is released."""
HALF = (14.0, 19.0)
STRIDE = 60.0
"""The distance between two steps, in units."""

Boxes = npt.NDArray[np.float64]


def blocks(world: World) -> Boxes:
    """Return float64 (n, 4): left, bottom, right, top of every block."""
    query = world.query(Block, Transform, Shape)
    at, half = query[Transform.position].astype(np.float64), query[Shape.size].astype(np.float64) / 2
    return np.column_stack([at - half, at + half])


@system(Stage.STEP, reads=(Input, Block, Shape), writes=(Hero, Transform, Noise), layer="world")
def walk(world: World, dt: float) -> None:
    """Set the hero's velocity from the keys and gravity, and move it until it meets a block."""
    for entity in world.query(Hero).entities.tolist():
        hero, place = world.get(entity, Hero), world.get(entity, Transform)
        keys = world[Input]
        vx, vy = (float(v) for v in hero.velocity)
        wanted = SPEED * keys.axis("left", "right")
        vx += max(-RUN_UP * dt, min(RUN_UP * dt, wanted - vx))
        late = 0.0 if hero.grounded else hero.late + dt
        if keys.pressed("jump") and late < GRACE:
            vy, late = JUMP, GRACE
            _make_noise(world, "jump", place.position)
        elif keys.released("jump") and vy > 0:
            vy *= LOW_JUMP
        vy = max(-FALL, vy - GRAVITY * dt)
        x, y = (float(v) for v in place.position)
        boxes = blocks(world)
        x, vx = _slide(boxes, x, y, vx, vx * dt, 0)
        fall = vy
        y, vy = _slide(boxes, x, y, vy, vy * dt, 1)
        landed = fall < 0 and vy == 0.0
        squash = 0.35 if landed and not hero.grounded else max(0.0, hero.squash - 3 * dt)
        if landed and not hero.grounded:
            _make_noise(world, "land", (x, y), -fall / FALL)
        elif landed and x // STRIDE != float(place.position[0]) // STRIDE:
            _make_noise(world, "step", (x, y))
        facing = hero.facing if abs(wanted) < 1 else (1.0 if wanted > 0 else -1.0)
        world.set(entity, Hero(velocity=(vx, vy), grounded=landed, late=late, facing=facing, squash=squash))
        stretch = min(0.18, abs(vy) / 4000)
        scale = (1 + squash * 0.5 - stretch, 1 - squash * 0.5 + stretch)
        world.set(entity, Transform(position=(min(946.0, max(14.0, x)), y), scale=scale))


def _make_noise(world: World, what: str, place: Sequence[float], strength: float = 1.0) -> None:
    world.emit(Noise, what=what, x=float(place[0]), y=float(place[1]), strength=strength)


def _slide(boxes: Boxes, x: float, y: float, speed: float, way: float, axis: int) -> tuple[float, float]:
    """Move along an axis up to the first block; return the new coordinate and the remaining speed."""
    at = [x, y]
    other = 1 - axis
    beside = (boxes[:, other] < at[other] + HALF[other] - 0.01) & (boxes[:, other + 2] > at[other] - HALF[other] + 0.01)
    goal = at[axis] + way
    if way > 0:
        sides = boxes[beside, axis] - HALF[axis]
        near = sides[sides >= at[axis] - 0.01]
        limit = float(near.min()) if len(near) else np.inf
        return (goal, speed) if goal <= limit else (limit, 0.0)
    sides = boxes[beside, axis + 2] + HALF[axis]
    near = sides[sides <= at[axis] + 0.01]
    limit = float(near.max()) if len(near) else -np.inf
    return (goal, speed) if goal >= limit else (limit, 0.0)
