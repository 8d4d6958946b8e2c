"""Rish's side of the benchmark `scene3d`: drawing many things, without a device."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import App, parse_manifest
from rish_frame import NullBackend
from rish_scene3d import Model3D
from rish_scene3d.scene import packing
from rish_space3d import Transform3D, quaternions
from rish_space3d.matrices import READY

from ._task import Task

CUBES, OBJECTS = 100_000, 1_000
_TEXT = """
rish: 1
game: {size: [960, 540]}
plugins: [scene3d]
scenes:
  main:
    - {name: eye, Transform3D: {position: [0, 60, 220], rotation: [-15, 0, 0]}, Camera3D: {far: 800}}
"""
_LAMPS = """
    - {Transform3D: {rotation: [-60, 20, 0]}, Sun3D: {cascades: 4, reach: 200}}
    - {Transform3D: {position: [-20, 15, 0]}, Lamp3D: {range: 60, shadows: true}}
    - {Transform3D: {position: [20, 15, 0], rotation: [-90, 0, 0]}, Lamp3D: {range: 60, angle: 60, shadows: true}}
    - {Transform3D: {position: [0, 15, 20], rotation: [-90, 0, 0]}, Lamp3D: {range: 60, angle: 60, shadows: true}}
"""
"""Twelve shadow maps: four cascades, six faces and two spots."""


def _game(count: int, wide: float, more: str = "") -> tuple[App, Any, Any]:
    """Return a game with cubes in a wide field, and two poses of them all."""
    assert READY.now()
    assert packing.READY.now()
    app = App(parse_manifest(_TEXT + more), backend=NullBackend(keep=0, check=False), headless=True)
    random = np.random.default_rng(1)
    table = app.world.table(Transform3D)
    app.world.spawn_many(count, Transform3D, Model3D)
    position = (random.uniform(-1, 1, (2, count, 3)) * [wide, 10, wide]).astype(np.float32)
    rotation = quaternions.normalized(random.normal(size=(2, count, 4))).astype(np.float32)
    table.position[-count:], table.rotation[-count:] = position[0], rotation[0]
    app.run(frames=3)
    return app, position, rotation


def _moving(count: int, wide: float, more: str = "") -> Task:
    """Move all cubes, and draw them: matrices, culling and batches."""
    app, position, rotation = _game(count, wide, more)
    table, turn = app.world.table(Transform3D), [0]

    def run() -> None:
        turn[0] ^= 1
        table.position[-count:], table.rotation[-count:] = position[turn[0]], rotation[turn[0]]
        table.mark()
        app.draw()

    return Task(run)


def moving() -> Task:
    """A frame in which a hundred thousand cubes move."""
    return _moving(CUBES, 150.0)


def still() -> Task:
    """A frame in which nothing moves."""
    app, _, _ = _game(CUBES, 150.0)
    return Task(lambda: app.draw())


def shadows() -> Task:
    """A frame in which a thousand cubes move in the light of twelve shadow maps."""
    return _moving(OBJECTS, 40.0, _LAMPS)


def copying() -> Task:
    """The same number of poses in numpy: only written, not drawn."""
    app, position, rotation = _game(CUBES, 150.0)
    table, turn = app.world.table(Transform3D), [0]

    def run() -> None:
        turn[0] ^= 1
        table.position[-CUBES:], table.rotation[-CUBES:] = position[turn[0]], rotation[turn[0]]

    return Task(run)
