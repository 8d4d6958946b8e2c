"""Rish's side of the benchmark `scene3d`: drawing many things, without a device."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from rish_core import App, parse_manifest
from rish_frame import NullBackend, look_at, perspective
from rish_scene3d import Model3D
from rish_space3d import Transform3D, frustum_planes, quaternions

from ._task import Task

CUBES, FEWER, OBJECTS = 100_000, 10_000, 1_000
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
_FIRST = "    - {Transform3D: {position: [0, -900, 0]}, Model3D: {}}\n" * 256
"""So many models that the kernels are prepared before the scene begins."""


def _game(count: int, wide: float, more: str = "") -> tuple[App, Any, Any]:
    """Return a game with cubes in a wide field, and two poses of them all."""
    app = App(parse_manifest(_TEXT + _FIRST + more), backend=NullBackend(keep=0, check=False), headless=True)
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


def coming() -> Task:
    """A frame in which one of ten thousand cubes goes and another comes; the others stand still."""
    app, _, _ = _game(FEWER, 150.0)
    world = app.world
    there = deque(world.table(Model3D).entities[-FEWER:].tolist())

    def run() -> None:
        world.despawn(there.popleft())
        there.append(world.spawn(Transform3D, Model3D))
        app.draw()

    return Task(run)


def shadows() -> Task:
    """A frame in which a thousand cubes move in the light of twelve shadow maps."""
    return _moving(OBJECTS, 40.0, _LAMPS)


def by_hand() -> Task:
    """The same frame in numpy, as a game with a library for OpenGL alone computes it: matrices, culling, packing."""
    random = np.random.default_rng(1)
    position = (random.uniform(-1, 1, (2, CUBES, 3)) * [150.0, 10, 150.0]).astype(np.float32)
    rotation = quaternions.normalized(random.normal(size=(2, CUBES, 4))).astype(np.float32)
    eye = look_at((0, 60, 220), (0, 1, 0))
    planes, turn = frustum_planes(perspective(0.87, 16 / 9, 0.1, 800) @ eye), [0]

    def run() -> None:
        turn[0] ^= 1
        places, (x, y, z, w) = position[turn[0]], rotation[turn[0]].T
        made = np.empty((CUBES, 3, 4), np.float32)
        made[:, 0, 0], made[:, 0, 1], made[:, 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
        made[:, 1, 0], made[:, 1, 1], made[:, 1, 2] = 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)
        made[:, 2, 0], made[:, 2, 1], made[:, 2, 2] = 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)
        made[:, :, 3] = places
        seen = (places @ planes[:, :3].T + planes[:, 3] >= -0.87).all(axis=1)
        assert len(made[seen])

    return Task(run)
