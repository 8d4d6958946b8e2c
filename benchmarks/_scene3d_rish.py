"""Rish's side of the benchmark `scene3d`, and the same rays in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import World
from rish_core.common import HierarchyCache
from rish_space3d import Bvh, Transform3D, WorldMatrices3D, prepare_bvh, quaternions
from rish_space3d.bvh.plain import plain_distances
from rish_space3d.matrices import READY

from ._task import Task

BOXES, RAYS, POSES = 100_000, 10_000, 100_000
SPACE = np.array([500.0, 10.0, 500.0])


def _scene() -> tuple[Any, Any, Any]:
    random = np.random.default_rng(1)
    low = random.uniform(-1, 1, (BOXES, 3)) * SPACE
    boxes = np.concatenate([low, low + random.uniform(0.2, 2, (BOXES, 3))], axis=1).astype(np.float32)
    origins = (random.uniform(-1, 1, (RAYS, 3)) * SPACE).astype(np.float32)
    return boxes, origins, quaternions.normalized(random.normal(size=(RAYS, 3))).astype(np.float32)


def rays() -> Task:
    """The nearest of a hundred thousand boxes for ten thousand rays."""
    boxes, origins, ways = _scene()
    assert prepare_bvh()
    tree = Bvh(boxes)
    assert (tree.nearest(origins, ways)[0] >= 0).sum() > RAYS // 10
    return Task(lambda: tree.nearest(origins, ways))


def brute() -> Task:
    """One ray against all boxes in numpy, which is a ten-thousandth of the work."""
    boxes, origins, ways = _scene()
    given = np.concatenate([origins, 1 / ways], axis=1)[:1].astype(np.float32)
    reach = np.full(1, 1e30, np.float32)
    return Task(lambda: plain_distances(given, reach, boxes).argmin(axis=1))


def refit() -> Task:
    """All boxes move, and one ray needs the refitted tree."""
    boxes, origins, ways = _scene()
    assert prepare_bvh()
    tree = Bvh(boxes)

    def run() -> None:
        tree.refit(boxes)
        tree.nearest(origins[:50], ways[:50])

    return Task(run)


def poses() -> Task:
    """The matrices of a frame in which a hundred thousand entities move."""
    world, random = World([Transform3D]), np.random.default_rng(1)
    world.put(HierarchyCache())
    world.put(WorldMatrices3D())
    assert READY.now()
    world.spawn_many(POSES, Transform3D)
    table, matrices = world.table(Transform3D), world[WorldMatrices3D]
    matrices.remember(world, table)
    table.position = random.normal(size=(POSES, 3)).astype(np.float32)
    table.rotation = quaternions.normalized(random.normal(size=(POSES, 4))).astype(np.float32)
    turn = [0.25]

    def run() -> None:
        turn[0] = 1.0 - turn[0]
        matrices.look(world, table, turn[0])
        assert len(matrices.matrix) == POSES

    return Task(run)
