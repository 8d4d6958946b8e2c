"""Noise without a random generator: the numbers depend only on the place, so an image is the same each time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rish_jit import Array

LEVELS = 30
"""The number of steps of a normal map. Few steps make a small file; an even number keeps flat surfaces flat."""


def hashed(x: npt.ArrayLike, y: npt.ArrayLike, seed: int = 0) -> Array:
    """Return 0..1 for each pair of integers (the finaliser of MurmurHash3)."""
    with np.errstate(over="ignore"):
        z = np.asarray(x, np.int64).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = z ^ np.asarray(y, np.int64).astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F) ^ np.uint64(seed * 7919 + 1)
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            z = (z ^ (z >> np.uint64(33))) * np.uint64(factor)
        return ((z ^ (z >> np.uint64(33))) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def smooth(shape: tuple[int, int], size: float, seed: int = 0) -> Array:
    """Return value noise, 0..1, with hills `size` pixels wide."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]] / size
    i, j = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    u, v = x - i, y - j
    # smoothstep: 3 u² - 2 u³
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    low = hashed(i, j, seed) * (1 - u) + hashed(i + 1, j, seed) * u
    high = hashed(i, j + 1, seed) * (1 - u) + hashed(i + 1, j + 1, seed) * u
    return low * (1 - v) + high * v


def cloudy(shape: tuple[int, int], size: float, seed: int = 0, octaves: int = 3) -> Array:
    """Return the sum of value noise of several sizes, each half as large and half as strong, 0..1."""
    total, weight = np.zeros(shape), 0.0
    for k in range(octaves):
        total += smooth(shape, size / 2**k, seed + 31 * k) / 2**k
        weight += 1 / 2**k
    return total / weight


def cells(shape: tuple[int, int], size: float, seed: int = 0) -> tuple[Array, Array]:
    """Return Worley noise (1996): each pixel's distance to its cell's border in pixels, and the cell's number 0..1."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float64)
    i, j = np.floor(x / size).astype(np.int64), np.floor(y / size).astype(np.int64)
    best, second, who = np.full(shape, 1e9), np.full(shape, 1e9), np.zeros(shape)
    for dj in (-1, 0, 1):
        for di in (-1, 0, 1):
            px = (i + di + 0.15 + 0.7 * hashed(i + di, j + dj, seed)) * size
            py = (j + dj + 0.15 + 0.7 * hashed(i + di, j + dj, seed + 1)) * size
            far = np.hypot(x - px, y - py)
            nearer = far < best
            second = np.where(nearer, best, np.minimum(second, far))
            who = np.where(nearer, hashed(i + di, j + dj, seed + 2), who)
            best = np.where(nearer, far, best)
    return (second - best) / 2, who


def distance(inside: Array, most: int) -> Array:
    """Return the distance in pixels from each place inside to the nearest outside, at most `most`.

    It is counted in steps to the eight neighbors; a diagonal step is 1.4142.
    """
    far = np.where(inside, 1e6, 0.0)
    for _ in range(most):
        padded = np.pad(far, 1, mode="edge")
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                step = 1.4142 if dx and dy else 1.0
                moved = padded[1 + dy : padded.shape[0] - 1 + dy, 1 + dx : padded.shape[1] - 1 + dx] + step
                far = np.minimum(far, moved)
    return np.minimum(far, most)


def normals(height: Array, strength: float = 1.0, lean: Array | None = None) -> Array:
    """Return uint8 (h, w, 3): the normal map of heights in pixels; red is right, green up, blue towards the viewer.

    lean: (h, w, 2), an additional slope of the surface to the right and up.
    """
    padded = np.pad(height, 1, mode="edge")
    right = (padded[1:-1, :-2] - padded[1:-1, 2:]) * 0.5 * strength
    up = (padded[2:, 1:-1] - padded[:-2, 1:-1]) * 0.5 * strength
    if lean is not None:
        right, up = right + lean[..., 0], up + lean[..., 1]
    length = np.sqrt(right * right + up * up + 1)
    parts = np.stack([right / length, up / length, 1 / length], axis=-1)
    return (np.round((parts * 0.5 + 0.5) * LEVELS) * (255 / LEVELS)).astype(np.uint8)
