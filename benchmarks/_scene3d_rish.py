"""Rish's side of the benchmark `scene3d`: rays, and the poses of a frame."""

from __future__ import annotations

import numpy as np

from rish_core import App, parse_manifest
from rish_space3d import Bvh, Transform3D, WorldMatrices3D, prepare_bvh, quaternions

from ._scene3d_boxes import RAYS, scene
from ._task import Task

POSES = 100_000


def rays() -> Task:
    """The nearest of a hundred thousand boxes for ten thousand rays."""
    boxes, origins, ways = scene()
    assert prepare_bvh()
    tree = Bvh(boxes)
    assert (tree.nearest(origins, ways)[0] >= 0).sum() > RAYS // 10
    return Task(lambda: tree.nearest(origins, ways))


def refit() -> Task:
    """All boxes move, and one ray needs the refitted tree."""
    boxes, origins, ways = scene()
    assert prepare_bvh()
    tree = Bvh(boxes)

    def run() -> None:
        tree.refit(boxes)
        tree.nearest(origins[:50], ways[:50])

    return Task(run)


def poses() -> Task:
    """The matrices of a frame in which a hundred thousand entities move."""
    entries = f"{{main: [{{count: {POSES}, Transform3D: {{}}}}]}}"
    app = App(parse_manifest(f"rish: 1\nplugins: [space3d, frame]\nscenes: {entries}"), headless=True)
    app.tick()  # the scene begins, and its kernels are prepared
    world, random = app.world, np.random.default_rng(1)
    table, matrices = world.table(Transform3D), world[WorldMatrices3D]
    matrices.moves.remember(world, table)
    table.position = random.normal(size=(POSES, 3)).astype(np.float32)
    table.rotation = quaternions.normalized(random.normal(size=(POSES, 4))).astype(np.float32)
    turn = [0.25]

    def run() -> None:
        turn[0] = 1.0 - turn[0]
        world.alpha = turn[0]
        matrices.look(world, table)
        assert len(matrices.matrix) == POSES

    return Task(run, after=app.close)
