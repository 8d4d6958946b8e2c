"""The tasks of the benchmark `churn` with models in space."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from rish_core import App, World, parse_manifest
from rish_scene3d import Material3D, Model3D
from rish_space3d import Transform3D

from ._churn_rish import DT, WARM, Undrawn
from ._churn_turns import above_still
from ._scene3d_cubes import EYE, FAR, FOV, TILT, WIDE
from ._task import Task, figure

_TEXT = f"""rish: 1
game: {{title: Churn, size: [640, 360]}}
plugins: [scene3d]
scenes:
  main:
    - {{Transform3D: {{position: {list(EYE)}, rotation: [{TILT}, 0, 0]}}, Camera3D: {{fov: {FOV}, far: {FAR}}}}}
    - {{Transform3D: {{rotation: [-60, 20, 0]}}, Sun3D: {{shadows: false}}}}
    - {{count: {WARM}, Transform3D: {{position: [0, -900, 0]}}, Model3D: {{}}}}
"""


def open_models(count: int) -> App:
    """Return a game with this many cubes and balls of eight materials, whose kernels are compiled."""
    app = App(parse_manifest(_TEXT), backend=Undrawn(), headless=True)
    world, random = app.world, np.random.default_rng(1)
    app.run(frames=1)
    app.headless = False
    world.despawn(world.table(Model3D).entities.copy())
    place = (random.uniform(-1, 1, (count, 3)) * [WIDE, 10, WIDE]).astype(np.float32)
    assets = np.array([world.intern(name) for name in ("box", "sphere")], np.int32)
    world.spawn_many(
        count, Transform3D(position=place), Model3D(asset=assets[random.integers(0, 2, count)]),
        Material3D(roughness=random.integers(1, 9, count).astype(np.float32) / 8),
    )  # fmt: skip
    for what in _WORK.values():
        for work in what:
            work(world)
            app.frame(seconds=DT)
            app.frame(seconds=DT)
    for _ in range(4):
        app.frame(seconds=DT)
    return app


def _one(world: World) -> int:
    table = world.table(Model3D)
    return int(table.entities[world.tick * 37 % len(table)])


def _comes(world: World) -> None:
    world.spawn(Transform3D(position=(world.tick % 64, 3, 5)), Model3D(asset="box"), Material3D(roughness=0.5))


def _goes(world: World) -> None:
    world.despawn(_one(world))


def _moves(world: World) -> None:
    world.set(_one(world), Transform3D(position=(world.tick % 64, 3, 5)))


def _changes(world: World) -> None:
    world.set(_one(world), Material3D(roughness=(world.tick % 8 + 1) / 8))


_WORK: dict[str, tuple[Callable[[World], None], Callable[[World], None]]] = {
    "comes": (_comes, _goes), "goes": (_goes, _comes), "moves": (_moves, _moves), "changes": (_changes, _changes)
}  # fmt: skip


def _churn(count: int, what: str) -> Task:
    app = open_models(count)
    work, undo = (partial(each, app.world) for each in _WORK[what])
    return figure(partial(above_still, partial(app.frame, seconds=DT), work, undo), app.close)


def __getattr__(name: str) -> Any:
    """Return the task of a name such as `comes_1000`."""
    what, _, count = name.partition("_")
    if what in _WORK and count.isdigit():
        return partial(_churn, int(count), what)
    raise AttributeError(name)
