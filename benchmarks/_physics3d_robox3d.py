"""Box3D by robox3d: four sub-steps, one thread, no sleep."""

from __future__ import annotations

from typing import Any

import numpy as np
import robox3d

from ._physics3d_scenes import DENSITY, DT, FRICTION, GRAVITY, SCENES, SUBSTEPS, Scene, wall
from ._physics_task import stepping
from ._task import Task, figure


def build(scene: Scene) -> tuple[Any, list[Any]]:
    """Return the scene as a world, and its bodies."""
    world = robox3d.World(gravity=(0, GRAVITY, 0), substeps=SUBSTEPS, worker_count=1, enable_sleep=False)
    floor = world.create_body(position=(0, -0.5, 0), kind="static")
    floor.add_box((60, 0.5, 60), friction=FRICTION)
    bodies = []
    for place, turn, size in zip(scene.places, scene.turns, scene.sizes, strict=True):
        body = world.create_body(position=tuple(place), rotation=tuple(turn))
        body.add_box(tuple(size / 2), density=DENSITY, friction=FRICTION)
        bodies.append(body)
    for a, b, at, axis in scene.hinges:
        world.create_revolute_joint(bodies[a], bodies[b], at, axis)
    return world, bodies


def _task(name: str) -> Task:
    world, bodies = build(SCENES[name]())
    return stepping(lambda: world.step(DT), bodies.clear)


def wall_ticks() -> Task:
    """Ticks of the wall."""
    return _task("wall")


def heap_ticks() -> Task:
    """Ticks of the heap."""
    return _task("heap")


def ragdolls_ticks() -> Task:
    """Ticks of the dolls."""
    return _task("ragdolls")


def _moved(axes: tuple[int, ...]) -> float:
    scene = wall()
    world, bodies = build(scene)
    for _ in range(200):
        world.step(DT)
    return float(np.abs(np.array([body.position for body in bodies]) - scene.places)[:, axes].max())


def wall_sag() -> Task:
    """How far the wall sinks in 200 ticks."""
    return figure(lambda: _moved((1,)))


def wall_drift() -> Task:
    """How far boxes of the wall move sideways in 200 ticks."""
    return figure(lambda: _moved((0, 2)))
