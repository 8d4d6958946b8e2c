"""Chipmunk by pymunk, in the version that arcade brings: ten iterations."""

from __future__ import annotations

import math
from typing import Any

import pymunk

from ._physics_scenes import (
    BOX,
    CIRCLE,
    DISTANCE,
    DT,
    DYNAMIC,
    FRICTION,
    GRAVITY,
    PRISMATIC,
    REVOLUTE,
    SCENES,
    STATIC,
    WELD,
    Scene,
    ray_field,
    rays,
)
from ._physics_task import stepping
from ._task import Task

ITERATIONS, SLOP = 10, 0.005


def build(scene: Scene) -> pymunk.Space:
    """Return the scene as a space."""
    space = pymunk.Space()
    space.gravity, space.iterations, space.collision_slop = (0.0, GRAVITY), ITERATIONS, SLOP
    if scene.sleep:
        space.sleep_time_threshold = 0.5
    types = (pymunk.Body.STATIC, pymunk.Body.KINEMATIC, pymunk.Body.DYNAMIC)
    bodies: list[pymunk.Body] = []
    shapes: list[pymunk.Shape] = []
    for x, y, angle, kind, spin in scene.table("bodies").tolist():
        body = pymunk.Body(body_type=types[int(kind)])
        body.position, body.angle, body.angular_velocity = (x, y), angle, spin
        bodies.append(body)
    for body, kind, p, q, x, y, angle in scene.table("pieces").tolist():
        shape = _shape(bodies[int(body)], int(kind), p, q, x, y, angle)
        shape.density, shape.friction, shape.elasticity = 1.0, FRICTION, scene.restitution
        if not scene.collide:
            shape.filter = pymunk.ShapeFilter(mask=0)
        shapes.append(shape)
    space.add(*bodies, *shapes)  # once the bodies have their masses
    for number, (kind, a, b, ax, ay, bx, by) in enumerate(scene.table("joints").tolist()):
        space.add(*_join(scene, number, int(kind), bodies[int(a)], bodies[int(b)], (ax, ay), (bx, by)))
    return space


def _shape(body: pymunk.Body, kind: int, p: float, q: float, x: float, y: float, angle: float) -> pymunk.Shape:
    if kind == CIRCLE:
        return pymunk.Circle(body, p, (x, y))
    if kind != BOX:
        return pymunk.Segment(body, (x - p, y), (x + p, y), q)
    cos, sin = math.cos(angle), math.sin(angle)
    corners = ((-p, -q), (p, -q), (p, q), (-p, q))
    return pymunk.Poly(body, [(x + cos * u - sin * v, y + sin * u + cos * v) for u, v in corners])


def _join(
    scene: Scene,
    number: int,
    kind: int,
    a: pymunk.Body,
    b: pymunk.Body,
    at: tuple[float, float],
    to: tuple[float, float],
) -> list[pymunk.Constraint]:
    made: list[pymunk.Constraint]
    if kind == REVOLUTE:
        made = [pymunk.PivotJoint(a, b, at, to)]
        if number == 0 and scene.motor[1]:
            made.append(pymunk.SimpleMotor(a, b, -scene.motor[0]))
            made[1].max_force = scene.motor[1]
    elif kind == DISTANCE:
        made = [pymunk.PinJoint(a, b, at, to)]
    elif kind == WELD:
        made = [pymunk.PivotJoint(a, b, at, to), pymunk.GearJoint(a, b, 0.0, 1.0)]
    elif kind == PRISMATIC:
        low, high = (at[0], at[1] - 0.2), (at[0], at[1] + 0.2)
        made = [pymunk.GrooveJoint(a, b, low, high, to), pymunk.GearJoint(a, b, 0.0, 1.0)]
    else:
        low, high = (at[0], at[1] - 1.0), (at[0], at[1] + 1.0)
        stiffness = (2 * math.pi * 4.0) ** 2 * (b.mass if b.body_type == DYNAMIC else 1.0)
        made = [pymunk.GrooveJoint(a, b, low, high, to), pymunk.DampedSpring(a, b, at, to, 0.0, stiffness, 5.0)]
    for joint in made:
        joint.collide_bodies = False
    return made


def _task(name: str) -> Task:
    space = build(SCENES[name]())
    return stepping(lambda: space.step(DT))


def __getattr__(name: str) -> Any:
    if name in SCENES:
        return lambda: _task(name)
    raise AttributeError(name)


def raycasts() -> Task:
    """Cast ten thousand rays, one call each; the library has no batch call."""
    space = build(ray_field())
    assert all(body.body_type == pymunk.Body.STATIC for body in space.bodies), STATIC
    space.step(DT)
    lines = [((x, y), (x + dx, y + dy)) for x, y, dx, dy in rays().tolist()]
    everything = pymunk.ShapeFilter()

    def run() -> None:
        for start, end in lines:
            space.segment_query_first(start, end, 0.0, everything)

    return Task(run)
