"""Exhibits of surfaces: restitution, friction, belts, lifts, one-way shelves and sensors."""

from __future__ import annotations

import numpy as np

from rish_core import Stage, Transform, World, in_scene, spawn_prefab, system
from rish_jit import maths
from rish_physics import Body, Collider, SensorBegin
from rish_render import Shape

from . import parts
from .components import Flash, Fleeting, Lift, Portal
from .parts import FLOOR, caption, label
from .sounds import sound


def bounce(world: World) -> None:
    """Eleven balls, each with a greater restitution than the previous one."""
    for number in range(11):
        x = 80 + 80 * number
        parts.ball(world, x, 420, 24, color=number % parts.SPAN, restitution=number / 10, body={"allow_sleep": False})
        label(world, x, 452, f"{number / 10:g}")


def throw_up(world: World) -> None:
    """Throw all balls up again from their positions."""
    made = world.query(Flash, Body).entities
    world.set(made, Body(velocity=(0.0, 640.0)))


_FRICTIONS = (0.0, 0.2, 0.4, 0.5, 0.7, 1.0)
_ROLLING = (0.0, 0.02, 0.05, 0.1, 0.2)
_SLOPE = 0.45


def friction(world: World) -> None:
    """Boxes on a slope, and balls on shelves."""
    angle = float(maths.atan2(_SLOPE, 1.0))
    parts.wedge(world, [(2, FLOOR), (520, FLOOR), (2, FLOOR + 518 * _SLOPE + 10)], friction=1)
    _slide(world, angle)
    for number, resistance in enumerate(_ROLLING):
        y = 120 + 72 * number
        parts.wall(world, 750, y - 5, 400, 10)
        label(world, 568, y - 20, f"{resistance:g}")
    caption(world, 750, 458, "rolling")
    caption(world, 160, 66, "friction")
    _roll(world)


def _slide(world: World, angle: float) -> None:
    """Spawn boxes with a label of their friction on the slope, which is the geometric mean of both frictions."""
    for number, value in enumerate(_FRICTIONS):
        x = 430 - 72 * number
        y = FLOOR + (520 - x) * _SLOPE + 10 + 20
        made = parts.box(world, x + 8, y + 4, 38, 38, color=number, angle=-angle, friction=value * value)
        parts.tag(world, made, f"{value:g}")


def _roll(world: World) -> None:
    """Spawn balls that start with the same speed."""
    for number, resistance in enumerate(_ROLLING):
        y = 120 + 72 * number
        parts.ball(
            world, 572, y + 18, 16, color=number + 3, rolling_resistance=resistance,
            body={"velocity": (170, 0), "angular_velocity": -170 / 16},
        )  # fmt: skip


def again(world: World) -> None:
    """Start the balls again, and move the boxes at the bottom of the slope back to its top."""
    made = world.query(Flash, Body, Transform)
    for entity, (x, y) in zip(made.entities.tolist(), made[Transform.position].tolist(), strict=True):
        radius = float(world.get(entity, Collider).radius)
        if radius:
            row = min(max(round((y - 138) / 72), 0), len(_ROLLING) - 1)
            world.set(entity, Transform(position=(572.0, 138.0 + 72 * row)))
            world.set(entity, Body(velocity=(170.0, 0.0), angular_velocity=-170 / 16))
        elif x > 440:
            world.set(entity, Transform(position=(60.0, 330.0)))


_BELTS = ((300, 790, 370, 90.0), (250, 740, 270, -90.0), (164, 790, 170, 90.0), (170, 960, FLOOR + 4, 120.0))


def platforms(world: World) -> None:
    """Belts in a zigzag, a portal from the floor to the top, shelves above a springboard, and a lift."""
    for left, right, y, speed in _BELTS:
        _belt(world, left, right, y, speed)
    spawn_prefab(world, "portal", Portal(to=(330.0, 440.0)), *_sized(40, 84), at=(928, 96))
    spawn_prefab(world, "way_out", at=(330, 440))
    _shelves(world)
    spawn_prefab(world, "lift", Lift(home=(850, 300), swing=(0, 130), period=7), *_sized(76, 10), at=(850, 300))
    for number in range(22):
        x, y = 300 + 40 * (number % 11), 400 - 100 * (number // 11)
        if number % 3:
            parts.box(world, x, y, 24, 24, color=number % parts.SPAN)
        else:
            parts.ball(world, x, y, 13, color=number % parts.SPAN)


def _belt(world: World, left: float, right: float, y: float, speed: float) -> None:
    """Spawn a moving surface, with arrows that show its direction."""
    length, way = right - left, 1 if speed > 0 else -1
    spawn_prefab(
        world, "belt", Collider(size=(length, 16), surface_speed=speed), Shape(size=(length, 16)),
        at=((left + right) / 2, y),
    )  # fmt: skip
    arrow = Shape(points=[(-4 * way, -4), (5 * way, 0), (-4 * way, 4)])
    for x in np.arange(left + 30, right - 10, 60).tolist():
        spawn_prefab(world, "arrow", arrow, at=(x, y))


def _sized(w: float, h: float) -> tuple[Collider, Shape]:
    """Return a box collider and its shape."""
    return Collider(size=(w, h)), Shape(size=(w, h))


def _shelves(world: World) -> None:
    """Spawn one-way shelves, and balls that a springboard throws up through them."""
    for y in (150, 240, 330):
        spawn_prefab(world, "shelf", *_sized(120, 8), at=(76, y))
    parts.wall(world, 76, FLOOR + 5, 120, 10, restitution=1.0)
    for number in range(3):
        place, push = (46 + 30 * number, 80), (0, 420 + 60 * number)
        parts.ball(world, *place, 11, color=parts.YELLOW + number, body={"velocity": push})


def carry(world: World, time: float, step: float) -> None:
    """Set the velocity of lifts so that they reach their positions a step later and carry the bodies on them."""
    lifts = world.query(Lift, Body, Transform)
    if len(lifts) and step:
        phase = maths.TAU * (time + step) / lifts[Lift.period].astype(np.float64)
        there = lifts[Lift.home] + lifts[Lift.swing] * maths.sin(phase)[:, None]
        lifts[Body.velocity] = ((there - lifts[Transform.position]) / step).astype(np.float32)


@system(Stage.POST, reads=(SensorBegin, Portal), writes=(Transform, Body), run_if=in_scene("platforms"))
def send(world: World, dt: float) -> None:
    """Teleport the bodies that entered a portal."""
    for visit in world.events(SensorBegin):
        if world.alive(visit.visitor_body) and world.alive(visit.sensor):
            world.set(visit.visitor_body, Transform(position=tuple(world.get(visit.sensor, Portal).to.tolist())))
            world.set(visit.visitor_body, Body(velocity=(60.0, 0.0)))
            sound(world, "portal", world.get(visit.sensor, Portal).to)


def drop_crate(world: World) -> None:
    """Drop one more crate, for a while."""
    parts.box(world, 420, 450, 30, 30, color=parts.RED, more=[Fleeting(left=20)])
