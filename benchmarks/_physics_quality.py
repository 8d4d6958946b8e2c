"""How well stacks stand: the same boxes in Rish and in Box2D v3.1 (pyb2d3), measured from outside by the same formulas.

`python -m benchmarks._physics_quality` prints one line a case and engine. A box is one unit wide. drift: how far a box
is at most from where it was put. sag: how far the highest box came down. moved: by how much a box was elsewhere after
60 s than after 5 s. overlap: the deepest of two boxes, by their separating axes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rish_core import Transform

from ._physics_pyb2d3 import build
from ._physics_rish import open_app
from ._physics_scenes import DT, DYNAMIC, SCENES, STATIC, SUBSTEPS, Scene

Poses = Any


def stack10() -> Scene:
    """Ten boxes on one another."""
    scene = Scene()
    scene.box(0, -1, 50, 1, STATIC)
    for k in range(10):
        scene.box(0, k + 0.5, 0.5, 0.5)
    return scene


def rish(scene: Scene) -> tuple[Callable[[], object], Callable[[], Poses]]:
    """A step, and the poses (n, 3) of all bodies: x, y, angle."""
    app, handles = open_app(scene)

    def poses() -> Poses:
        table = app.world[Transform]
        rows = table.rows_of(handles)
        return np.column_stack([table.position[rows], table.rotation[rows]]).astype(np.float64)

    return app.tick, poses


def pyb2d3(scene: Scene) -> tuple[Callable[[], object], Callable[[], Poses]]:
    """The same of Box2D."""
    world, bodies = build(scene)
    return lambda: world.step(DT, SUBSTEPS), lambda: np.array([(*body.position, body.angle) for body in bodies])


def overlap(poses: Poses) -> float:
    """The deepest overlap of any two boxes of width 1."""
    deepest = 0.0
    for x, y, angle in poses:
        near = np.abs(poses[:, :2] - (x, y)).max(axis=1) < 1.2
        others = poses[near & (np.abs(poses[:, :2] - (x, y)).max(axis=1) > 0)]
        gap = np.full(len(others), -np.inf)
        turn = others[:, 2] - angle
        width = 0.5 + 0.5 * (np.abs(np.cos(turn)) + np.abs(np.sin(turn)))
        for axis in (np.full(len(others), angle), others[:, 2]):
            for quarter in (0, np.pi / 2):
                along = (others[:, 0] - x) * np.cos(axis + quarter) + (others[:, 1] - y) * np.sin(axis + quarter)
                gap = np.maximum(gap, np.abs(along) - width)
        deepest = max(deepest, -float(gap.min(initial=0.0)))
    return deepest


def measure(name: str, scene: Scene, seconds: int) -> None:
    """Run a scene in both engines, and say how it stands."""
    moving = np.array([body[3] == DYNAMIC for body in scene.bodies])
    for engine in (rish, pyb2d3):
        step, poses = engine(scene)
        start = poses()[moving]
        for _ in range(300):
            step()
        early = poses()[moving]
        for _ in range(60 * seconds - 300):
            step()
        late = poses()[moving]
        drift, moved = (np.abs(late - each)[:, :2].max() for each in (start, early))
        sag = start[:, 1].max() - late[:, 1].max()
        print(
            f"{name} {engine.__name__}: drift {drift:.4f} sag {sag:.4f} moved {moved:.5f} overlap {overlap(late):.4f}"
        )


if __name__ == "__main__":
    measure("stack10", stack10(), 60)
    measure("pyramid100", SCENES["pyramid100"](), 10)
