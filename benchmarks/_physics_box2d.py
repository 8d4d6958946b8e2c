"""Box2D 2.3 by pybox2d: eight velocity iterations, three position iterations."""

from __future__ import annotations

from typing import Any

import Box2D as b2  # noqa: N813 (as everybody calls it)

from ._physics_scenes import (
    BOX,
    CIRCLE,
    DISTANCE,
    DT,
    FRICTION,
    GRAVITY,
    PRISMATIC,
    REVOLUTE,
    SCENES,
    WELD,
    Scene,
    ray_field,
    rays,
)
from ._physics_task import stepping
from ._task import Task

VELOCITY, POSITION = 8, 3
"""Velocity and position iterations per step, as the manual of Box2D recommends."""


def build(scene: Scene) -> tuple[Any, list[Any]]:
    """Return the scene as a world, and its bodies. A capsule is two circles and a box."""
    world = b2.b2World(gravity=(0.0, GRAVITY))
    world.allowSleeping = scene.sleep
    types = (b2.b2_staticBody, b2.b2_kinematicBody, b2.b2_dynamicBody)
    bodies = [
        world.CreateBody(type=types[int(kind)], position=(x, y), angle=angle, angularVelocity=spin)
        for x, y, angle, kind, spin in scene.table("bodies").tolist()
    ]
    surface = {"density": 1.0, "friction": FRICTION, "restitution": scene.restitution}
    if not scene.collide:
        surface["maskBits"] = 0
    for body, kind, p, q, x, y, angle in scene.table("pieces").tolist():
        if kind == BOX:
            shapes = [b2.b2PolygonShape(box=(p, q, (x, y), angle))]
        elif kind == CIRCLE:
            shapes = [b2.b2CircleShape(radius=p, pos=(x, y))]
        else:
            ends = [b2.b2CircleShape(radius=q, pos=(x + side * p, y)) for side in (-1, 1)]
            shapes = [b2.b2PolygonShape(box=(p, q, (x, y), 0.0)), *ends]
        for shape in shapes:
            bodies[int(body)].CreateFixture(shape=shape, **surface)
    for number, (kind, a, b, ax, ay, bx, by) in enumerate(scene.table("joints").tolist()):
        _join(world, scene, number, int(kind), bodies[int(a)], bodies[int(b)], (ax, ay), (bx, by))
    return world, bodies


def _join(
    world: Any, scene: Scene, number: int, kind: int, a: Any, b: Any, at: tuple[float, float], to: tuple[float, float]
) -> None:
    anchors = {"bodyA": a, "bodyB": b, "localAnchorA": at, "localAnchorB": to}
    if kind == REVOLUTE:
        speed, torque = scene.motor if number == 0 else (0.0, 0.0)
        motor = {"enableMotor": True, "motorSpeed": speed, "maxMotorTorque": torque} if torque else {}
        world.CreateRevoluteJoint(**anchors, **motor)
    elif kind == DISTANCE:
        world.CreateDistanceJoint(**anchors, length=0.1)
    elif kind == WELD:
        world.CreateWeldJoint(**anchors)
    elif kind == PRISMATIC:
        limits = {"enableLimit": True, "lowerTranslation": -0.2, "upperTranslation": 0.2}
        world.CreatePrismaticJoint(**anchors, localAxisA=(0.0, 1.0), **limits)
    else:
        world.CreateWheelJoint(**anchors, localAxisA=(0.0, 1.0), frequencyHz=4.0, dampingRatio=0.7)


def _task(name: str) -> Task:
    world, bodies = build(SCENES[name]())
    task = stepping(lambda: world.Step(DT, VELOCITY, POSITION))
    task.after = bodies.clear
    return task


def __getattr__(name: str) -> Any:
    if name in SCENES:
        return lambda: _task(name)
    raise AttributeError(name)


class _Closest(b2.b2RayCastCallback):
    """Keeps the nearest hit."""

    def ReportFixture(self, fixture: Any, point: Any, normal: Any, fraction: float) -> float:  # noqa: N802 (its name)
        self.fraction = fraction
        return fraction


def raycasts() -> Task:
    """Cast ten thousand rays, with a callback for each."""
    world, bodies = build(ray_field())
    lines = [(b2.b2Vec2(x, y), b2.b2Vec2(x + dx, y + dy)) for x, y, dx, dy in rays().tolist()]

    def run() -> None:
        for start, end in lines:
            world.RayCast(_Closest(), start, end)

    return Task(run, after=bodies.clear)
