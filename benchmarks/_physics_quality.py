"""The stability of stacks: the same boxes in Rish and Box2D v3.1 (pyb2d3), measured by the same formulas.

A box is one meter wide. sag: how far the highest box moved down. drift: the largest distance of a box from its first
place. moved: the largest distance between a box's place at the end and its place after five seconds. overlap: the
deepest overlap of two boxes, by their separating axes.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from rish_core import Transform

from ._physics_scenes import DT, DYNAMIC, SCENES, STATIC, SUBSTEPS, Scene
from ._task import Task, figure

Poses = Any
_EARLY = 300
"""The number of ticks in the first five seconds."""


def stack10() -> Scene:
    """Return a stack of ten boxes."""
    scene = Scene()
    scene.box(0, -1, 50, 1, STATIC)
    for k in range(10):
        scene.box(0, k + 0.5, 0.5, 0.5)
    return scene


_STACKS: dict[str, tuple[Callable[[], Scene], int]] = {
    "stack10": (stack10, 60),
    "pyramid100": (SCENES["pyramid100"], 10),
}
"""The scenes, and the number of seconds for which they are observed."""


def _rish(scene: Scene) -> tuple[Callable[[], object], Callable[[], Poses]]:
    """Return a function that steps the scene, and one that returns the poses (n, 3) of all bodies: x, y, angle."""
    from ._physics_rish import open_app

    app, handles = open_app(scene)

    def poses() -> Poses:
        table = app.world[Transform]
        rows = table.rows_of(handles)
        return np.column_stack([table.position[rows], table.rotation[rows]]).astype(np.float64)

    return app.tick, poses


def _pyb2d3(scene: Scene) -> tuple[Callable[[], object], Callable[[], Poses]]:
    """Return the same two functions for Box2D."""
    world, bodies = importlib.import_module("._physics_pyb2d3", __package__).build(scene)
    return lambda: world.step(DT, SUBSTEPS), lambda: np.array([(*body.position, body.angle) for body in bodies])


_ENGINES = {"rish": _rish, "pyb2d3": _pyb2d3}


def overlap(poses: Poses) -> float:
    """Return the deepest overlap of any two boxes of width 1."""
    deepest = 0.0
    for x, y, angle in poses:
        near = np.abs(poses[:, :2] - (x, y)).max(axis=1) < 1.2
        others = poses[near & (np.abs(poses[:, :2] - (x, y)).max(axis=1) > 0)]
        gap = np.full(len(others), -np.inf)
        # half extents of both boxes along an axis of one of them, by the separating axis theorem
        turn = others[:, 2] - angle
        width = 0.5 + 0.5 * (np.abs(np.cos(turn)) + np.abs(np.sin(turn)))
        for axis in (np.full(len(others), angle), others[:, 2]):
            for quarter in (0, np.pi / 2):
                along = (others[:, 0] - x) * np.cos(axis + quarter) + (others[:, 1] - y) * np.sin(axis + quarter)
                gap = np.maximum(gap, np.abs(along) - width)
        deepest = max(deepest, -float(gap.min(initial=0.0)))
    return deepest


@functools.cache
def measured(engine: str, name: str) -> dict[str, float]:
    """Run a scene in an engine; return sag, drift, moved and overlap in meters."""
    make, seconds = _STACKS[name]
    scene = make()
    moving = np.array([body[3] == DYNAMIC for body in scene.bodies])
    step, poses = _ENGINES[engine](scene)
    start = poses()[moving]
    for _ in range(_EARLY):
        step()
    early = poses()[moving]
    for _ in range(60 * seconds - _EARLY):
        step()
    late = poses()[moving]
    drift, moved = (float(np.abs(late - each)[:, :2].max()) for each in (start, early))
    sag = float(start[:, 1].max() - late[:, 1].max())
    return {"sag": sag, "drift": drift, "moved": moved, "overlap": overlap(late)}


def __getattr__(name: str) -> Any:
    engine, _, rest = name.partition("_")
    scene, _, what = rest.rpartition("_")
    if engine not in _ENGINES or scene not in _STACKS:
        raise AttributeError(name)

    def task() -> Task:
        found = measured(engine, scene)[what]
        return figure(lambda: found)

    return task
