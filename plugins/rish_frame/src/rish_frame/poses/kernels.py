"""Compiled forms of the plain numpy code of `interpolation`, for many rows.

Drawing needs a sine of only seven digits: two short polynomials, which a processor computes for eight angles at a
time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.declarations import Column
from rish_jit import maths, njit

from .sines import PER_TAU, TAU, quick_sincos

_ONE = np.float32(1)
_HALF = np.float32(0.5)


@njit
def bases_of(matrices: Column, uneven: Any, out: Column) -> None:
    """Fill `out` with the bases of matrices, see `Poses.bases`; same result as `poses.plain_bases`."""
    for k in range(len(matrices)):
        a, b, c, d = matrices[k, 0], matrices[k, 1], matrices[k, 2], matrices[k, 3]
        area = a * d - b * c
        sign = -_ONE if area < np.float32(0) else _ONE
        size = np.float32(np.sqrt(abs(area)))
        uniform = (abs(a - sign * d) <= uneven * size) & (abs(b + sign * c) <= uneven * size)
        uniform &= size < np.float32(np.inf)
        # translation, first column of the matrix, angle, and size = sqrt(|determinant|) with the sign of a mirror
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = matrices[k, 4], matrices[k, 5], a, b
        out[k, 4] = maths.atan2(np.float64(b * sign), np.float64(a * sign))
        out[k, 5] = (size if uniform else np.float32(np.inf)) * sign


@njit
def drawn_matrices(
    rows: Column, indices: Column, slots: Column, position: Column, rotation: Column, scale: Column,
    last_position: Column, last_rotation: Column, last_scale: Column, back: Any, bases: Column, out: Column,
) -> None:  # fmt: skip
    """Compute the matrices of some rows between two ticks, each multiplied by its base; see `poses.plain_matrices`.

    rows: of the table. indices: the index in `out` of each row. slots: the base of each row of the table, 0 for none.
    All other columns are flat. bases and out, six numbers each, may be the same array if each base precedes the rows
    that use it.
    """
    six = np.uint64(6)
    for k in range(len(rows)):
        i = np.uint64(rows[k])
        x = np.uint64(2) * i
        y = x + np.uint64(1)
        # the shortest difference of the angles, within -π..π
        turn = rotation[i] - last_rotation[i]
        turn -= TAU * np.float32(np.floor(turn * PER_TAU + _HALF))
        sin, cos = quick_sincos(rotation[i] - back * turn)
        width = scale[x] - back * (scale[x] - last_scale[x])
        height = scale[y] - back * (scale[y] - last_scale[y])
        a, b, c, d = cos * width, sin * width, -sin * height, cos * height
        tx = position[x] - back * (position[x] - last_position[x])
        ty = position[y] - back * (position[y] - last_position[y])
        o = six * np.uint64(indices[k])
        if slots[i] != np.uint32(0):
            # product of the base's affine matrix and the local one
            p = six * np.uint64(slots[i])
            pa, pb = bases[p], bases[p + np.uint64(1)]
            pc, pd = bases[p + np.uint64(2)], bases[p + np.uint64(3)]
            a, b, c, d = pa * a + pc * b, pb * a + pd * b, pa * c + pc * d, pb * c + pd * d
            tx, ty = (
                pa * tx + pc * ty + bases[p + np.uint64(4)],
                pb * tx + pd * ty + bases[p + np.uint64(5)],
            )
        out[o] = a
        out[o + np.uint64(1)] = b
        out[o + np.uint64(2)] = c
        out[o + np.uint64(3)] = d
        out[o + np.uint64(4)] = tx
        out[o + np.uint64(5)] = ty


def warm_up() -> None:
    """Call each kernel with two rows, so that it is compiled."""
    row = np.array([0, 1], np.int32)
    flat, pairs = np.ones(2, np.float32), np.ones(4, np.float32)
    matrices = np.zeros((2, 6), np.float32)
    bases_of(matrices, np.float32(1e-3), np.zeros((2, 8), np.float32))
    drawn_matrices(
        row, row, np.zeros(2, np.uint32), pairs, flat, pairs, pairs, flat, pairs, np.float32(0.5),
        matrices.reshape(-1), np.zeros(12, np.float32),
    )  # fmt: skip
