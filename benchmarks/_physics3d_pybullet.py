"""Bullet by pybullet: four sub-steps, one thread, no sleep."""

from __future__ import annotations

from typing import Any

import pybullet

from ._physics3d_scenes import DENSITY, DT, FRICTION, GRAVITY, SCENES, SUBSTEPS, Scene
from ._physics_task import stepping
from ._task import Task


def build(scene: Scene) -> Any:
    """Return the scene as a client of a physics server in this process."""
    client = pybullet.connect(pybullet.DIRECT)
    pybullet.setGravity(0, GRAVITY, 0)
    pybullet.setPhysicsEngineParameter(fixedTimeStep=DT, numSubSteps=SUBSTEPS)
    if scene.terrain is None:
        floor, place = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[60, 0.5, 60]), [0, -0.5, 0]
    else:
        points, triangles = scene.terrain
        # A mesh that is no convex hull may only be static.
        floor = pybullet.createCollisionShape(
            pybullet.GEOM_MESH, vertices=points.tolist(), indices=triangles.ravel().tolist(),
            flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
        )  # fmt: skip
        place = [0, 0, 0]
    bodies = [pybullet.createMultiBody(0, floor, basePosition=place)]
    shapes: dict[bytes, int] = {}
    for at, turn, size in zip(scene.places, scene.turns, scene.sizes, strict=True):
        key = size.tobytes()
        if key not in shapes:
            shapes[key] = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=(size / 2).tolist())
        mass = float(DENSITY * size.prod())
        bodies.append(
            # In maximal coordinates Bullet is several times as fast for free bodies.
            pybullet.createMultiBody(
                mass, shapes[key], basePosition=at, baseOrientation=turn, useMaximalCoordinates=True
            )
        )
    for body in bodies:
        pybullet.changeDynamics(body, -1, lateralFriction=FRICTION)
    return client


def _task(name: str) -> Task:
    client = build(SCENES[name]())
    return stepping(pybullet.stepSimulation, lambda: pybullet.disconnect(client))


def wall_ticks() -> Task:
    """Ticks of the wall."""
    return _task("wall")


def heap_ticks() -> Task:
    """Ticks of the heap."""
    return _task("heap")


def terrain_ticks() -> Task:
    """Ticks of boxes on a mesh."""
    return _task("terrain")
