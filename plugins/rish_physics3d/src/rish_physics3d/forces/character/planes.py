"""Directions and the surfaces that limit them, for many characters at once."""

from __future__ import annotations

import numpy as np

from rish_jit import Array

_ROUNDING = 1e-9
"""How far a direction may point into a surface, relative to its length."""


def dot(a: Array, b: Array) -> Array:
    """Return the dot products of vectors (..., 3)."""
    product = a * b
    return product[..., 0] + product[..., 1] + product[..., 2]


def length(a: Array) -> Array:
    """Return the lengths of vectors (..., 3)."""
    return np.sqrt(dot(a, a))


def within(ways: Array, planes: Array) -> Array:
    """Return the vector closest to each way that points into no plane, float64 (n, 3).

    planes: normals, float64 (n, k, 3); zeros for none. The vectors that point into no plane are a convex cone, so the
    closest one is the way itself, its projection on a side or on an edge of the cone, or 0; all of them are tried.
    """
    if not planes.any():
        return ways
    count = planes.shape[1]
    sides = ways[:, None] - planes * dot(planes, ways[:, None])[..., None]
    i, j = np.triu_indices(count, 1)
    a, b = planes[:, i], planes[:, j]
    edges = a[..., [1, 2, 0]] * b[..., [2, 0, 1]] - a[..., [2, 0, 1]] * b[..., [1, 2, 0]]
    edges *= (dot(edges, ways[:, None]) / np.maximum(dot(edges, edges), 1e-12))[..., None]
    tried = np.concatenate([ways[:, None], sides, edges, np.zeros_like(ways[:, None])], axis=1)
    least = -_ROUNDING * length(ways)[:, None]
    allowed = np.ones(tried.shape[:2], np.bool_)
    for k in range(count):
        allowed &= dot(tried, planes[:, k, None]) >= least
    away = tried - ways[:, None]
    return tried[np.arange(len(ways)), np.argmin(np.where(allowed, dot(away, away), np.inf), axis=1)]
