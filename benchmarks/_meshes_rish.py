"""Meshes on the software backend: spheres of triangles in perspective, tested against a depth buffer."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from ._task import Task

SIZE = (960, 540)


def _sphere(rings: int, sides: int) -> tuple[Any, Any]:
    """Return the points (m, 3) and the triangles (k, 3) of a sphere."""
    turn, rise = np.meshgrid(np.linspace(0, 2 * np.pi, sides + 1), np.linspace(0.05, np.pi - 0.05, rings + 1))
    points = np.stack([np.sin(rise) * np.cos(turn), np.cos(rise), np.sin(rise) * np.sin(turn)], axis=-1).reshape(-1, 3)
    row, column = np.mgrid[0:rings, 0:sides]
    a = (row * (sides + 1) + column).ravel()
    b, c, d = a + 1, a + sides + 1, a + sides + 2
    return points, np.concatenate([np.stack([a, c, b], axis=1), np.stack([b, c, d], axis=1)])


def spheres(count: int) -> dict[str, Any]:
    """Return the arrays of a `mesh` batch of 30 spheres with `count` triangles together."""
    sides = round((count / 60) ** 0.5)
    points, indices = _sphere(count // 60 // sides, sides)
    places = [(x * 2.2 - 5.5, y * 2.2 - 4.4, 0.7 * ((x + y) % 3)) for x in range(6) for y in range(5)]
    placed = np.concatenate([points + place for place in places]).astype(np.float32)
    colors = np.random.default_rng(7).integers(60, 255, (len(placed), 4)).astype(np.uint8)
    colors[:, 3] = 255
    order = np.concatenate([indices + k * len(points) for k in range(len(places))]).astype(np.int32)
    return {"positions": placed, "colors": colors, "indices": order}


def mesh(count: int, threads: int) -> Task:
    """Draw the spheres with a camera that moves, so that nothing is kept from frame to frame."""
    from rish_frame import Batch, Frame, Pass, Target, look_at, perspective
    from rish_render import make_software

    os.environ["RISH_THREADS"] = str(threads)
    backend = make_software()
    backend.open("meshes", SIZE, visible=False)
    frame = Frame(SIZE)
    frame.add_target(Target("scene", depth=True))
    lens = perspective(1.05, SIZE[0] / SIZE[1], 0.1, 100.0)
    frame.add_pass(Pass("scene", targets=("scene",), projection=lens, depth_test=True))
    frame.add(Batch("mesh", spheres(count), version=1), to="scene")
    shots = [0]

    def draw() -> None:
        shots[0] += 1
        frame.passes["scene"].view = look_at((0.01 * (shots[0] % 50), 0.0, 11.0), (0.0, 0.0, 0.0))
        backend.draw(frame)

    return Task(draw, clock="wall")


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the function for a name like `mesh_48000_2`: count of triangles, threads."""
    parts = name.split("_")
    if parts[0] != "mesh" or not all(part.isdecimal() for part in parts[1:]):
        raise AttributeError(name)
    return lambda: mesh(int(parts[1]), int(parts[2]))
