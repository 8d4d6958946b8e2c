"""The work of a step grows no faster than n log n with the number of bodies; it is counted, not timed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from physics_rig import Rig, Scene, many, t

from rish_physics.contacts import pairs
from rish_physics.solver.solve import solver_of

FEW, MANY = 1_000, 20_000
N_LOG_N = MANY / FEW * math.log(MANY) / math.log(FEW)


def heap(count: int) -> Scene:
    """Return a square of stacked boxes; neighboring stacks do not touch."""
    scene, side = Scene(), math.isqrt(count)
    scene.box(0, -0.5, side, 0.5, t.STATIC)
    for k in range(count):
        scene.box((k % side) * 1.05 - side / 2, k // side + 0.5, 0.5, 0.5)
    return scene


def pyramids(count: int) -> Scene:
    """Return small pyramids, with this many boxes in all."""
    side = math.isqrt(count // 10)
    return many(side, count // 10 // side, 4)


SCENES = {"pyramids": pyramids, "heap": heap}


def boxes_met(state: Any, moved: Any) -> int:
    """Return how many boxes the grid has compared with those of the moved shapes."""
    grid, fat = state.index.grid, state.shapes.fat[moved].astype(np.float64)
    mask, entries = len(grid.starts) - 3, 0
    first = np.floor((fat[:, :2] - grid.reach) * grid.inverse).astype(np.int64)
    last = np.floor((fat[:, 2:] + grid.reach) * grid.inverse).astype(np.int64)
    for (xa, ya), (xb, yb) in zip(first.tolist(), last.tolist(), strict=True):
        if (xb - xa + 1) * (yb - ya + 1) > grid.count or xb - xa > mask:
            entries += grid.count
            continue
        for y in range(ya, yb + 1):
            low, high = (xa + grid.step * y) & mask, (xb + grid.step * y) & mask
            begin, end = int(grid.starts[low + 1]), int(grid.starts[high + 2])
            entries += end - begin if low <= high else end + grid.count - begin
    return entries


def work(scene: Scene) -> dict[str, int]:
    """Return the work of the first step of a scene: compared boxes, contacts, lanes of the solver."""
    rig = Rig(scene)
    state = rig.state
    moved = state.moved.copy()
    pairs.update(state)
    found = {"tested": boxes_met(state, moved), "contacts": len(state.contacts)}
    state.stale()
    state.refresh()
    rig.step()
    state.solver.arrange(state)
    return found | {"lanes": solver_of(state).count}


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_work_grows_no_faster_than_n_log_n(scene: str) -> None:
    """From 1,000 to 20,000 bodies the work grows no faster than n log n."""
    few, many_ = work(SCENES[scene](FEW)), work(SCENES[scene](MANY))
    for name, count in few.items():
        assert count > 0
        assert many_[name] <= N_LOG_N * count, name


def test_a_shape_is_held_against_its_neighbors_only() -> None:
    """However many boxes there are, each is compared with a few dozen others."""
    for count in (FEW, 5_000, MANY):
        assert work(heap(count))["tested"] < 20 * count
