"""The lower bound of the benchmark `ecs`: the same work over plain arrays."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._ecs_scene import COUNT, DT, places, shuffled
from ._task import Task


def _columns() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    return places().ravel(), np.tile(np.array([1, 0.5], np.float32), COUNT)


def move() -> Task:
    """Run a loop over two flat arrays."""
    import numba

    @numba.njit(error_model="numpy")
    def loop(position: Any, velocity: Any, dt: Any) -> None:
        for i in range(len(position)):
            position[i] += velocity[i] * dt

    position, velocity = _columns()
    return Task(lambda: loop(position, velocity, np.float32(DT)))


def gather() -> Task:
    """Run a loop over two flat arrays by rows: the rows of one in order, of the other at random."""
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
    """Return arrays of the sizes that a snapshot of the aligned world contains."""
    from ._ecs_rish import move_world

    snapshot = move_world().snapshot()
    arrays = [snapshot.entities[name] for name in ("generation", "state", "free")]
    for table in snapshot.tables.values():
        arrays += [table.handles, table.added_at, *table.fields.values()]
    return arrays


def copy() -> Task:
    """Copy every array of a snapshot with numpy."""
    arrays = _arrays()
    return Task(lambda: [array.copy() for array in arrays])


def hash_bytes() -> Task:
    """Hash every array of a snapshot, joined, with blake2b."""
    joined = b"".join(array.tobytes() for array in _arrays())
    return Task(lambda: hashlib.blake2b(joined, digest_size=16).hexdigest())
