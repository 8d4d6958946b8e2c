"""The floor of the benchmark `ecs`: the same work over arrays that belong to nobody."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .harness import Task

COUNT = 100_000
"""Entities."""
FEW = 10_000
"""Entities that come, go or change at once."""
DT = 1 / 60


def places() -> Any:
    """Positions, float32 (COUNT, 2)."""
    return np.random.default_rng(7).uniform(-500, 500, (COUNT, 2)).astype(np.float32)


def shuffled() -> NDArray[np.int64]:
    """The numbers below COUNT in random order."""
    return np.random.default_rng(8).permutation(COUNT)


def _columns() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    return places().ravel(), np.tile(np.array([1, 0.5], np.float32), COUNT)


def move() -> Task:
    """A loop over two flat arrays."""
    import numba

    @numba.njit(error_model="numpy")
    def loop(position: Any, velocity: Any, dt: Any) -> None:
        for i in range(len(position)):
            position[i] += velocity[i] * dt

    position, velocity = _columns()
    return Task(lambda: loop(position, velocity, np.float32(DT)))


def gather() -> Task:
    """A loop over two flat arrays by rows: the rows of one in order, of the other at random."""
    import numba

    @numba.njit(error_model="numpy")
    def loop(rows: Any, others: Any, position: Any, velocity: Any, dt: Any) -> None:
        for k in range(len(rows)):
            i, j = 2 * rows[k], 2 * others[k]
            position[i] += velocity[j] * dt
            position[i + 1] += velocity[j + 1] * dt

    position, velocity = _columns()
    others = np.argsort(shuffled()).astype(np.int32)
    rows = np.arange(COUNT, dtype=np.int32)
    return Task(lambda: loop(rows, others, position, velocity, np.float32(DT)))


def _arrays() -> list[NDArray[Any]]:
    """Arrays of the sizes that a snapshot of the aligned world holds."""
    from . import _ecs_rish

    snapshot = _ecs_rish.move_world().snapshot()
    arrays = [snapshot.entities[name] for name in ("generation", "state", "free")]
    for table in snapshot.tables.values():
        arrays += [table.handles, table.added_at, *table.fields.values()]
    return arrays


def copy() -> Task:
    """numpy's copy of every array of a snapshot."""
    arrays = _arrays()
    return Task(lambda: [array.copy() for array in arrays])


def hash_bytes() -> Task:
    """blake2b over every array of a snapshot, joined."""
    joined = b"".join(array.tobytes() for array in _arrays())
    return Task(lambda: hashlib.blake2b(joined, digest_size=16).hexdigest())
