"""Smooth noise in space and time, with the same bits on every machine.

Value noise: each corner of a grid has random vectors, computed from its coordinates by a hash, and points between the
corners get a mixture of the eight corners around them (Perlin, "An image synthesizer", 1985, describes the idea).
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array

_PRIMES = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
_CORNERS = np.array([(k & 1, k >> 1 & 1, k >> 2 & 1) for k in range(8)])
_MIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def noise(places: Array, seed: int) -> Array:
    """Return two smooth values from -1 to 1 for each place, float64 (n, 2).

    places: float64 (n, 3), x, y and time in cells of the grid. Places that are not finite give 0.
    """
    finite: Array = np.asarray(np.isfinite(places).all(axis=1))
    clean = np.clip(np.where(finite[:, None], places, 0), -1e9, 1e9)
    low: Array = np.floor(clean)
    inner = clean - low
    weight = inner * inner * (3 - 2 * inner)
    cells = low.astype(np.int64)
    shares = np.where(_CORNERS, weight[:, None], 1 - weight[:, None]).prod(axis=2)
    values = _random((cells[:, None] + _CORNERS).reshape(-1, 3), seed).reshape(-1, 8, 2)
    return np.where(finite[:, None], (shares[..., None] * values).sum(axis=1), 0)


def _random(cells: Array, seed: int) -> Array:
    """Return two random numbers from -1 to 1 for each cell, float64 (n, 2); splitmix64 of the coordinates."""
    bits: Array = (cells.astype(np.uint64) * _PRIMES).sum(axis=1, dtype=np.uint64) + np.array([seed], np.uint64)
    for shift, factor in ((np.uint64(30), _MIX[0]), (np.uint64(27), _MIX[1])):
        bits = (bits ^ (bits >> shift)) * factor
    bits ^= bits >> np.uint64(31)
    halves = np.stack([bits >> np.uint64(32), bits & np.uint64(0xFFFFFFFF)], axis=1)
    return halves.astype(np.float64) / 2**31 - 1
