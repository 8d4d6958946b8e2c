"""Vectors of three numbers for eight things at once, for kernels; see `rish_jit.simd`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, load, splat, store

_2 = np.float32(2)


@njit(borrows=True, forceinline=True)
def load3(array: Any, at: Any) -> Any:
    """Return three vectors that follow each other."""
    return load(array, at), load(array, at + LANES), load(array, at + 2 * LANES)


@njit(borrows=True, forceinline=True)
def store3(array: Any, at: Any, v: Any) -> None:
    """Write three vectors after each other."""
    store(array, at, v[0])
    store(array, at + LANES, v[1])
    store(array, at + 2 * LANES, v[2])


@njit(borrows=True, forceinline=True)
def dot(a: Any, b: Any) -> Any:
    """Return the dot product of two vectors of three numbers."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(borrows=True, forceinline=True)
def cross(a: Any, b: Any) -> Any:
    """Return the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(borrows=True, forceinline=True)
def scaled(a: Any, s: Any) -> Any:
    """Return a times a number."""
    return a[0] * s, a[1] * s, a[2] * s


@njit(borrows=True, forceinline=True)
def plus(a: Any, b: Any) -> Any:
    """Return the sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@njit(borrows=True, forceinline=True)
def minus(a: Any, b: Any) -> Any:
    """Return the difference."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@njit(borrows=True, forceinline=True)
def turned(q: Any, v: Any) -> Any:
    """Return a vector rotated by a unit quaternion: v + 2 w (q x v) + 2 q x (q x v)."""
    u = (q[0], q[1], q[2])
    t = scaled(cross(u, v), splat(_2))
    return plus(plus(v, scaled(t, q[3])), cross(u, t))
