"""The compiled twins of the transforms' plain numpy code, for many rows.

`local_matrices` is for the simulation and has the same bits as its twin on every machine. The others are for the eye,
where a sine of seven digits is enough: two short polynomials, which processors compute for eight angles at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import maths
from ..ecs.columns import Column
from ..jit import njit
from .sines import PER_TAU, TAU, quick_sincos

_ONE = np.float32(1)
_HALF = np.float32(0.5)
_TAU = np.float32(maths.TAU)


@njit
def local_matrices(position: Column, rotation: Column, scale: Column, out: Column) -> None:
    """The pose of each row as a matrix, exactly; see `transform._local_matrices`."""
    for k in range(len(rotation)):
        cos, sin = maths.cos(rotation[k]), maths.sin(rotation[k])
        out[k, 0] = cos * scale[k, 0]
        out[k, 1] = sin * scale[k, 0]
        out[k, 2] = -sin * scale[k, 1]
        out[k, 3] = cos * scale[k, 1]
        out[k, 4] = position[k, 0]
        out[k, 5] = position[k, 1]


@njit
def remember(now: Column, last: Column) -> None:
    """Copy a flat column; quicker than numpy's copy, which asks about the types first."""
    for k in range(len(now)):
        last[k] = now[k]


@njit
def drawn_matrices(
    rows: Column, places: Column, slots: Column, position: Column, rotation: Column, scale: Column,
    last_position: Column, last_rotation: Column, last_scale: Column, back: Any, bases: Column, out: Column,
) -> None:  # fmt: skip
    """The matrices of some rows between two ticks, each on its base; see `poses.plain_matrices`.

    rows: of the table. places: where in `out` each goes. slots: the base of each row of the table, 0 for none. All
    but these are flat. bases and out, six numbers each, may be one array, where bases come before what hangs on them.
    """
    six = np.uint64(6)
    for k in range(len(rows)):
        i = np.uint64(rows[k])
        x = np.uint64(2) * i
        y = x + np.uint64(1)
        turn = rotation[i] - last_rotation[i]
        turn -= TAU * np.float32(np.floor(turn * PER_TAU + _HALF))
        sin, cos = quick_sincos(rotation[i] - back * turn)
        width = scale[x] - back * (scale[x] - last_scale[x])
        height = scale[y] - back * (scale[y] - last_scale[y])
        a, b, c, d = cos * width, sin * width, -sin * height, cos * height
        tx = position[x] - back * (position[x] - last_position[x])
        ty = position[y] - back * (position[y] - last_position[y])
        o = six * np.uint64(places[k])
        if slots[i] != np.uint32(0):
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
