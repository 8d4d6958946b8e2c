"""The light of a picture all around, prepared for surfaces: nine harmonics, and the atlas of mirrored light.

Sources: Ramamoorthi and Hanrahan 2001 (harmonics); Karis 2013 (mirrored light of each roughness, seen straight on);
Krivanek and Colbert 2008 (each sample reads a picture as coarse as the solid angle that it stands for).
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from .. import layout as at
from .environment_light import harmonics, octahedral, octahedral_direction, picture_light, turned
from .formulas import Array, dot

Floats = npt.NDArray[np.float32]

SAMPLES = 32
"""The number of directions that are mixed for one texel of the atlas."""
MIN_ROWS = 16
"""Rows of the coarsest picture."""
_COARSE = 20
"""Side of the rough levels while they are computed; they are smooth."""
_UP, _ASIDE = np.eye(3, dtype=np.float32)[[1, 0]]
_SQUARES = np.array([1, 3, 3, 3, 15, 15, 1.25, 15, 3.75]) / (4 * np.pi)
_BANDS = np.array([1, 2 / 3, 2 / 3, 2 / 3, 0.25, 0.25, 0.25, 0.25, 0.25])
"""Squared norms of the harmonics, and the factor of each band for a matt surface."""


def directions_of(high: int, wide: int) -> tuple[Array, Array]:
    """Return the directions (h, w, 3) of the texels of a picture all around, and their solid angles (h, 1)."""
    polar = (np.arange(high) + 0.5) / high * np.pi
    turn = ((np.arange(wide) + 0.5) / wide - 0.5) * 2 * np.pi
    t, a = np.meshgrid(polar, turn, indexing="ij")
    ways = np.stack([np.sin(t) * np.sin(a), np.cos(t), -np.sin(t) * np.cos(a)], axis=-1)
    edges = np.cos(np.arange(high + 1) / high * np.pi)
    return ways, ((edges[:-1] - edges[1:]) * 2 * np.pi / wide)[:, None]


def ambient_of(picture: Array) -> Floats:
    """Return float32 (9, 3): the light of a picture (h, w, 3) for `environment_light.ambient_light`, not yet turned."""
    small = pyramid(picture)[-1]
    # A picture of one column is the same all around, but the harmonics are not.
    small = np.broadcast_to(small, (small.shape[0], max(small.shape[1], 16), 3))
    ways, angles = directions_of(*small.shape[:2])
    parts = np.einsum("hwk,hwc->kc", harmonics(ways) * angles[..., None], small)
    return (parts * (_SQUARES * _BANDS)[:, None]).astype(np.float32)


def turned_ambient(ambient: Array, angle: float) -> Floats:
    """Return ambient light (9, 3) of a sky that is turned by an angle around y."""
    ways = directions_of(5, 6)[0].reshape(-1, 3)
    return (np.linalg.pinv(harmonics(ways)) @ (harmonics(turned(ways, angle)) @ ambient)).astype(np.float32)


def atlas_of(picture: Array) -> Floats:
    """Return float32 (ATLAS_LEVELS, ATLAS_SIDE, ATLAS_SIDE, 3) of a picture (h, w, 3), not turned."""
    levels, is_even = pyramid(picture), picture.shape[1] == 1
    side, count = at.ATLAS_SIDE, at.ATLAS_LEVELS
    atlas = np.empty((count, side, side, 3), np.float32)
    (fine, each), (coarse, repeated), square = _texels(side, is_even), _texels(_COARSE, is_even), _square(side)
    atlas[0] = picture_light(_as_wide_as(levels, 4 * side), fine)[each]
    atlas[1] = _sampled(levels, fine, 1 / (count - 1))[each]
    for level in range(2, count):
        rows = 32 if level == 2 else 16
        small = _summed(_as_wide_as(levels, rows), coarse, level / (count - 1))[repeated]
        atlas[level] = _enlarged(small, square)
    return atlas


def pyramid(picture: Array) -> list[Array]:
    """Return the picture and coarser ones, whose heights are powers of two down to 16, and twice as wide as high."""
    levels = [picture]
    high = 1 << max(picture.shape[0] - 1, 1).bit_length() - 1
    while high >= MIN_ROWS:
        levels.append(_reduced(levels[-1], high, min(2 * high, picture.shape[1])))
        high //= 2
    return levels


def _reduced(picture: Array, high: int, wide: int) -> Array:
    """Return the means over the texels of a picture that fall into each of fewer texels, by their solid angles."""
    weights = directions_of(picture.shape[0], 1)[1][:, :, None]
    rows, columns = (np.arange(n) * length // n for n, length in zip((high, wide), picture.shape, strict=False))
    sums = np.add.reduceat(picture * weights, rows, axis=0) / np.add.reduceat(weights, rows, axis=0)
    counts = np.diff(columns, append=picture.shape[1])
    return (np.add.reduceat(sums, columns, axis=1) / counts[:, None]).astype(np.float32)


def _square(side: int) -> Array:
    """Return the directions (side, side, 3) of the texels of an octahedral square."""
    y, x = np.mgrid[0:side, 0:side] / (side - 1)
    return octahedral_direction(np.stack([x, y], axis=-1)).astype(np.float32)


def _texels(side: int, is_even: bool) -> tuple[Array, npt.NDArray[np.int64]]:
    """Return directions (n, 3) of an octahedral square, and the index of each texel's direction, int64 (side, side).

    is_even: the sky is equal all around, so texels that mirrorings of the square map to each other share a direction.
    """
    ways = _square(side).reshape(-1, 3)
    number = np.arange(side * side).reshape(side, side)
    if not is_even:
        return ways, number
    mirrored = np.minimum(np.arange(side), side - 1 - np.arange(side))
    near, far = np.minimum(mirrored[:, None], mirrored), np.maximum(mirrored[:, None], mirrored)
    distinct, each = np.unique(number[near, far], return_inverse=True)
    return ways[distinct], each.reshape(side, side).astype(np.int64)


def _as_wide_as(levels: list[Array], rows: int) -> Array:
    """Return the finest picture with at most `rows` rows, or the coarsest one."""
    return next((level for level in levels if level.shape[0] <= rows), levels[-1])


def _summed(picture: Array, ways: Array, rough: float) -> Array:
    """Return the light (..., 3) that surfaces of one roughness mirror, seen straight on: the sum over all texels."""
    high = picture.shape[0]
    wide = max(picture.shape[1], 2 * high)
    light = np.broadcast_to(picture, (high, wide, 3)).reshape(-1, 3)
    texels, angles = directions_of(high, wide)
    cosine = ways.reshape(-1, 3) @ texels.reshape(-1, 3).astype(np.float32).T
    # Seen straight on, the half vector is as far from the normal as from the light: cos(a / 2)**2 = (1 + cos(a)) / 2.
    below = (1 + cosine) * np.float32((rough**4 - 1) / 2) + 1
    weights = np.maximum(cosine, 0) * np.broadcast_to(angles, (high, wide)).reshape(-1) / (below * below)
    return ((weights @ light) / weights.sum(axis=1, keepdims=True)).reshape(*ways.shape[:-1], 3)


def _sampled(levels: list[Array], ways: Array, rough: float) -> Array:
    """Return the same by samples, for a lobe that is too narrow to sum over all texels."""
    light, solid, weight = _lobe(rough)
    up = np.where(np.abs(ways[..., 1:2]) < 0.9, _UP, _ASIDE)
    side = np.cross(up, ways)
    side /= np.sqrt(dot(side, side))[..., None]
    third = np.cross(ways, side)
    total = np.zeros((*ways.shape[:-1], 3), np.float32)
    for (x, y, z), angle, share in zip(light, solid, weight, strict=True):
        coarse = _as_wide_as(levels, int(np.pi / np.sqrt(angle)))
        total += share * picture_light(coarse, side * x + third * y + ways * z)
    return total


@cache
def _lobe(rough: float) -> tuple[Array, Array, Array]:
    """Return sampled directions (n, 3) around z, the solid angle of each (n,), and their weights, whose sum is 1."""
    alpha2 = max(rough, 0.045) ** 4
    number = np.arange(SAMPLES)
    part, turn = (number + 0.5) / SAMPLES, number * np.pi * (3 - np.sqrt(5))
    cosine2 = (1 - part) / (1 + (alpha2 - 1) * part)
    sine = np.sqrt(1 - cosine2)
    normal = np.stack([sine * np.cos(turn), sine * np.sin(turn), np.sqrt(cosine2)], axis=-1)
    light = 2 * normal[:, 2:3] * normal - np.array([0.0, 0.0, 1.0])
    spread = alpha2 / (np.pi * (cosine2 * (alpha2 - 1) + 1) ** 2)
    solid = 4 / (spread * SAMPLES)
    is_above = light[:, 2] > 1e-3
    weight = light[is_above, 2]
    return light[is_above].astype(np.float32), solid[is_above], (weight / weight.sum()).astype(np.float32)


def _enlarged(small: Array, ways: Array) -> Array:
    """Return a smaller octahedral square at the directions of a larger one."""
    place = octahedral(ways) * (len(small) - 1)
    corner = np.minimum(place.astype(np.int64), len(small) - 2)
    x, y = corner[..., 0], corner[..., 1]
    a, b = (place[..., 0] - x)[..., None], (place[..., 1] - y)[..., None]
    top = small[y, x] * (1 - a) + small[y, x + 1] * a
    return top * (1 - b) + (small[y + 1, x] * (1 - a) + small[y + 1, x + 1] * a) * b
