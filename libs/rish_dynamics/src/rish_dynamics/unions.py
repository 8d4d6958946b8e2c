"""Disjoint sets inside kernels: union-find (Galler and Fischer, 1964) with path halving.

The root of a set is its lowest number, so that the result does not depend on the order of unions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit


@njit(borrows=True, inline="always")
def root_of(parent: Array, s: Any) -> Any:
    """Return the root of the set of s, as uint64. parent: int32; that of a root is itself. s: uint64."""
    up = np.uint64(parent[s])
    while up != s:
        above = parent[up]
        parent[s] = above
        s = np.uint64(above)
        up = np.uint64(parent[s])
    return s


@njit(borrows=True, inline="always")
def unite(parent: Array, a: Any, b: Any) -> None:
    """Make one set of the sets of a and b, both uint64."""
    a, b = root_of(parent, a), root_of(parent, b)
    if a < b:
        parent[b] = a
    elif b < a:
        parent[a] = b
