"""Puts islands to sleep: finds groups of bodies at rest with `rish_dynamics.unions`.

An island is a set of dynamic bodies that touching contacts and joints connect. Static and kinematic bodies connect
nothing; otherwise one floor would join all bodies. An island sleeps when all its bodies have rested for `sleep_time`,
may sleep, and no moving kinematic body touches or holds one of them. Islands are computed only when some body has
rested for long enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_dynamics.unions import root_of, unite
from rish_jit import Array, njit

_never = np.float32(-1)


@njit(borrows=True)
def resting_islands(
    pairs: Array, awake: Array, stirs: Array, rest: Array, limit: Any, parent: Array, least: Array
) -> Any:
    """Find the islands that have rested for at least `limit` seconds; return the number of their bodies.

    pairs: int32, 2 a contact or joint: its bodies. awake: bool, the dynamic bodies that are awake. stirs: bool, the
    bodies that keep others awake without being a part of their island. rest: float32, the time of each body at rest,
    below 0 if it must not sleep. parent: int32, receives the root of each awake body's island, -1 if it does not rest.
    least: float32, working memory.
    """
    for s in range(len(awake)):
        parent[s], least[s] = s, rest[s]
    for k in range(len(pairs) // 2):
        a, b = np.uint64(pairs[2 * k]), np.uint64(pairs[2 * k + 1])
        if awake[a] and awake[b]:
            unite(parent, a, b)
        elif awake[a] and stirs[b]:
            least[a] = _never
        elif awake[b] and stirs[a]:
            least[b] = _never
    for s in range(len(awake)):
        if awake[s]:
            root = root_of(parent, np.uint64(s))
            parent[s] = root
            least[root] = min(least[root], least[s])
    count = 0
    for s in range(len(awake)):
        if awake[s] and least[np.uint64(parent[s])] >= limit:
            count += 1
        else:
            parent[s] = -1
    return count
