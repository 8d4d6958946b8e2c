"""Box2D v3.1 by pyb2d3: four sub-steps, one thread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyb2d3 as b2

from . import _physics_busy as busy
from . import _physics_rain as shower
from ._physics_scenes import (
    BOX,
    CIRCLE,
    DISTANCE,
    DT,
    DYNAMIC,
    FRICTION,
    GRAVITY,
    HULL,
    PRISMATIC,
    REVOLUTE,
    SCENES,
    SUBSTEPS,
    WELD,
    Scene,
    hull_points,
    ray_field,
    rays,
)
from ._physics_task import WARM, stepping
from ._task import Task

_SCENES = SCENES | busy.BUSY
_SETTLED = 240
"""As in `_physics_rish`."""


def build(scene: Scene) -> tuple[Any, list[Any]]:
    """Return the scene as a world, and its bodies."""
    world = b2.World(gravity=(0.0, scene.gravity))
    world.sleeping_enabled = scene.sleep
    make = (world.create_static_body, world.create_kinematic_body, world.create_dynamic_body)
    bodies = [
        make[int(kind)](
            position=(x, y), rotation=angle, angular_velocity=spin, is_bullet=scene.bullets and kind == DYNAMIC
        )
        for x, y, angle, kind, spin in scene.table("bodies").tolist()
    ]
    materials = [
        b2.surface_material(friction=scene.friction, restitution=restitution, rolling_resistance=scene.rolling)
        for restitution in (scene.restitution, 1.0)
    ]
    senses = {"enable_sensor_events": scene.sensors > 0}
    definition, first = (
        b2.shape_def(density=density, material=materials[0], **senses) for density in (1.0, scene.thrown[1])
    )
    sensor, bouncing = b2.shape_def(is_sensor=True, **senses), b2.shape_def(density=1.0, material=materials[1])
    for body, speed in scene.speeds.items():
        bodies[body].linear_velocity = speed
    if scene.thrown[0]:
        bodies[0].linear_velocity = (scene.thrown[0], 0.0)
    if not scene.collide:
        definition.filter = first.filter = b2.make_filter(mask_bits=0)
    for body, kind, p, q, x, y, angle in scene.table("pieces").tolist():
        if kind == BOX:
            shape = b2.box(p, q) if not (x or y or angle) else b2.box(p, q, (x, y), angle)
        elif kind == CIRCLE:
            shape = b2.circle((x, y), p)
        elif kind == HULL:
            shape = b2.polygon(hull=b2.compute_hull(np.array(hull_points(p, int(q)))))
        else:
            shape = b2.capsule((x - p, y), (x + p, y), q)
        chosen = definition if body else first
        if 0 < body <= scene.sensors:
            chosen = sensor
        elif body >= len(bodies) - scene.bouncing:
            chosen = bouncing
        bodies[int(body)].create_shape(chosen, shape)
    for number, (kind, a, b, ax, ay, bx, by) in enumerate(scene.table("joints").tolist()):
        _join(world, scene, number, int(kind), bodies[int(a)], bodies[int(b)], (ax, ay), (bx, by))
    return world, bodies


def _join(
    world: Any, scene: Scene, number: int, kind: int, a: Any, b: Any, at: tuple[float, float], to: tuple[float, float]
) -> None:
    anchors = {"local_anchor_a": at, "local_anchor_b": to}
    if kind == REVOLUTE:
        speed, torque = scene.motor if number == 0 else (0.0, 0.0)
        motor = {"enable_motor": True, "motor_speed": speed, "max_motor_torque": torque} if torque else {}
        world.create_revolute_joint(a, b, **anchors, **motor)
    elif kind == DISTANCE:
        world.create_distance_joint(a, b, **anchors, length=0.1)
    elif kind == WELD:
        world.create_weld_joint(a, b, **anchors)
    elif kind == PRISMATIC:
        limits = {"enable_limit": True, "lower_translation": -0.2, "upper_translation": 0.2}
        world.create_prismatic_joint(a, b, **anchors, local_axis_a=(0.0, 1.0), **limits)
    else:
        spring = {"enable_spring": True, "hertz": 4.0, "damping_ratio": 0.7}
        world.create_wheel_joint(a, b, **anchors, local_axis_a=(0.0, 1.0), **spring)


def _task(name: str) -> Task:
    scene = _SCENES[name]()
    world, bodies = build(scene)
    pushed, count = scene.pushed, 0

    def step() -> None:
        nonlocal count
        if pushed is not None:
            bodies[0].linear_velocity = pushed(count)
            count += 1
        world.step(DT, SUBSTEPS)

    task = stepping(step, warm=_SETTLED if scene.sleep else WARM)
    task.after = bodies.clear  # keep them alive as long as the world steps
    return task


def coming() -> Task:
    """Boxes that come and go, by one call each."""
    world, _ = build(busy.coming())
    material = b2.surface_material(friction=FRICTION)
    definition, shape = b2.shape_def(density=1.0, material=material), b2.box(0.5, 0.5)
    alive: list[Any] = []
    count = 0

    def step() -> None:
        nonlocal count
        for _ in range(busy.COMING):
            if len(alive) == busy.ALIVE:
                alive.pop(0).destroy()
            body = world.create_dynamic_body(position=busy.place(count))
            body.create_shape(definition, shape)
            alive.append(body)
            count += 1
        world.step(DT, SUBSTEPS)

    return stepping(step, alive.clear, warm=busy.ALIVE // busy.COMING + WARM)


def __getattr__(name: str) -> Any:
    if name in _SCENES:
        return lambda: _task(name)
    raise AttributeError(name)


def raycasts() -> Task:
    """Cast ten thousand rays, one call each; the library has no batch call."""
    world, bodies = build(ray_field())
    world.step(DT, SUBSTEPS)
    lines = [((x, y), (dx, dy)) for x, y, dx, dy in rays().tolist()]

    def run() -> None:
        for start, way in lines:
            world.cast_ray_closest(start, way)

    return Task(run, after=bodies.clear)


def rain() -> Task:
    """Ragdolls that are spawned during play, by columns."""
    world = b2.World(gravity=(0.0, GRAVITY))
    world.sleeping_enabled = False
    material = b2.surface_material(friction=FRICTION)
    ground = world.create_static_body(position=(0, 0))
    for x, y in shower.floor_tiles().tolist():
        ground.create_shape(
            b2.shape_def(density=1.0, material=material), b2.box(shower.TILE / 2, shower.TILE / 2, (x, y), 0.0)
        )
    born: list[list[Any]] = []
    count = 0

    def step() -> None:
        nonlocal count
        if count % shower.EVERY == 0:
            if len(born) == shower.COLUMNS:
                for body in born.pop(0):
                    body.destroy()
            places = shower.column(count // shower.EVERY).tolist()
            first = count // shower.EVERY * len(places) + 1
            born.append([b for k, at in enumerate(places) for b in _ragdoll(world, at, first + k, material)])
        count += 1
        world.step(DT, SUBSTEPS)

    return stepping(step, born.clear, warm=shower.EVERY * (shower.COLUMNS + 2), chunk=shower.EVERY)


def _ragdoll(world: Any, at: list[float], number: int, material: Any) -> list[Any]:
    """Spawn a ragdoll and return its bodies. number: its own group, since its parts do not collide with each other."""
    definition = b2.shape_def(density=1.0, material=material)
    definition.filter = b2.make_filter(group_index=-number)
    bodies: list[Any] = []
    for k, bone in enumerate(shower.BONES):
        body = world.create_dynamic_body(position=(at[0] + bone.x, at[1] + bone.y))
        body.create_shape(definition, b2.capsule((0, -bone.half), (0, bone.half), bone.radius))
        if k in shower.SHINS:
            body.create_shape(
                definition, b2.polygon(hull=b2.compute_hull(np.array(shower.FOOT)), radius=shower.FOOT_RADIUS)
            )
        if bone.parent >= 0:
            above = shower.BONES[bone.parent]
            world.create_revolute_joint(
                bodies[bone.parent], body,
                local_anchor_a=(0.0, bone.joint_y - above.y), local_anchor_b=(0.0, bone.joint_y - bone.y),
                enable_limit=True, lower_angle=bone.lower, upper_angle=bone.upper,
                enable_spring=True, hertz=shower.SPRING_HERTZ, damping_ratio=shower.SPRING_DAMPING,
                enable_motor=True, max_motor_torque=shower.FRICTION_TORQUE,
            )  # fmt: skip
        bodies.append(body)
    return bodies
