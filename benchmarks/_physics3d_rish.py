"""Rish's side of the benchmark `physics3d`: complete ticks of an App, with entities, columns, filters and events."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import App, World, parse_manifest
from rish_physics3d import Body3D, Collider3D, ColliderShape3D, HingeJoint3D, ray_cast_3d
from rish_space3d import Transform3D

from ._physics3d_scenes import DENSITY, FRICTION, GRAVITY, SCENES, SUBSTEPS, Scene, heap, wall
from ._physics_task import stepping
from ._task import Task, figure


def open_app(scene: Scene, *, sleeping: bool = False) -> tuple[App, list[int]]:
    """Return the scene as a running game that draws nothing, and its bodies."""
    manifest = parse_manifest(
        "rish: 1\nplugins: [space3d, physics3d]\nsettings:\n  physics3d: {gravity: [0, "
        f"{GRAVITY}, 0], substeps: {SUBSTEPS}, sleeping: {str(sleeping).lower()}}}\nscenes: {{main: []}}\n"
    )
    app = App(manifest, headless=True, policy="raise")
    return app, _fill(app.world, scene)


def _fill(world: World, scene: Scene) -> list[int]:
    surface: dict[str, Any] = {"friction": FRICTION, "density": DENSITY}
    if scene.terrain is None:
        world.spawn(Transform3D(position=(0, -0.5, 0)), Collider3D(size=(120, 1, 120), **surface))
    else:
        points, triangles = scene.terrain
        world.spawn(
            Transform3D(),
            Collider3D(
                shape=ColliderShape3D.MESH, points=points.tolist(), triangles=triangles.ravel().tolist(), **surface
            ),
        )
    bodies = [
        world.spawn(
            Transform3D(position=tuple(place), rotation=tuple(turn)), Body3D(), Collider3D(size=tuple(size), **surface)
        )
        for place, turn, size in zip(scene.places, scene.turns, scene.sizes, strict=True)
    ]
    for a, b, at, axis in scene.hinges:
        anchors = [tuple(np.array(at) - scene.places[body]) for body in (a, b)]
        world.spawn(HingeJoint3D(a=bodies[a], b=bodies[b], anchor_a=anchors[0], anchor_b=anchors[1], axis=axis))
    return bodies


def _task(name: str) -> Task:
    app, _ = open_app(SCENES[name]())
    return stepping(app.tick, app.close)


def wall_ticks() -> Task:
    """Ticks of the wall."""
    return _task("wall")


def heap_ticks() -> Task:
    """Ticks of the heap."""
    return _task("heap")


def ragdolls_ticks() -> Task:
    """Ticks of the dolls."""
    return _task("ragdolls")


def terrain_ticks() -> Task:
    """Ticks of boxes on a mesh."""
    return _task("terrain")


def _moved(axes: tuple[int, ...]) -> float:
    app, bodies = open_app(wall())
    for _ in range(200):
        app.tick()
    table = app.world.table(Transform3D)
    places = table.position[table.rows_of(np.array(bodies, np.int64))]
    app.close()
    return float(np.abs(places - wall().places)[:, axes].max())


def wall_sag() -> Task:
    """How far the wall sinks in 200 ticks."""
    return figure(lambda: _moved((1,)))


def wall_drift() -> Task:
    """How far boxes of the wall move sideways in 200 ticks."""
    return figure(lambda: _moved((0, 2)))


def asleep() -> Task:
    """Ticks of 5,000 boxes that sleep."""
    scene = wall(99)  # 4,950 boxes
    app, _ = open_app(scene, sleeping=True)
    app.world.table(Body3D).asleep[:] = True
    app.world.table(Body3D).mark()
    return stepping(app.tick, app.close)


def coming() -> Task:
    """A tick in which 1,000 boxes come; they go unmeasured."""
    app, _ = open_app(wall(2))
    app.tick()
    scene, bodies = heap(), list[int]()

    def before() -> None:
        if bodies:
            app.world.despawn(np.array(bodies, np.int64))
            bodies.clear()
            app.tick()

    def run() -> None:
        places: Any = scene.places.astype(np.float32)
        turns: Any = scene.turns.astype(np.float32)
        place = Transform3D(position=places, rotation=turns)  # a row for each of them
        bodies.extend(app.world.spawn_many(len(places), place, Body3D(), Collider3D()).tolist())
        app.tick()

    return Task(run, before=before, after=app.close, once=True)


def rays() -> Task:
    """10,000 rays from above onto 1,000 boxes of a heap that has settled for 100 ticks."""
    app, _ = open_app(heap())
    for _ in range(100):
        app.tick()
    rng = np.random.default_rng(5)
    starts = rng.uniform(-10, 10, (10_000, 3))
    starts[:, 1] = 40
    ways = np.tile([0.0, -50.0, 0.0], (len(starts), 1)) + rng.uniform(-5, 5, starts.shape) * [1, 0, 1]
    return Task(lambda: ray_cast_3d(app.world, starts, starts + ways), after=app.close)
