"""Interpolates what triangles have at their corners, with perspective, for the pixels of a block."""

from __future__ import annotations

import numpy as np

from rish_jit import njit, simd
from rish_jit.simd import gather4, load, maximum, splat, sqrt, store

from . import place as tables
from . import slots as at

F = np.float32
LANES = simd.LANES


@njit(borrows=True, forceinline=True)
def _weights(places, s, q, i):
    """Return the weights of the corners for eight pixels, and the parts of their slopes to the right and down."""
    px, py = load(s, at.PX + i), load(s, at.PY + i)
    ax, ay, _, aw = gather4(places, 4, 0, q, at.FIRST + i)
    bx, by, _, bw = gather4(places, 4, 0, q, at.SECOND + i)
    cx, cy, _, cw = gather4(places, 4, 0, q, at.THIRD + i)
    ea = ((bx - px) * (cy - py) - (by - py) * (cx - px)) * aw
    eb = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) * bw
    ec = ((ax - px) * (by - py) - (ay - py) * (bx - px)) * cw
    inverse = splat(F(1)) / (ea + eb + ec)
    right = ((by - cy) * aw * inverse, (cy - ay) * bw * inverse, (ay - by) * cw * inverse)
    down = ((cx - bx) * aw * inverse, (ax - cx) * bw * inverse, (bx - ax) * cw * inverse)
    return (ea * inverse, eb * inverse, ec * inverse), right, down


@njit(borrows=True, forceinline=True)
def _mixed(weights, a, b, c):
    """Return the sum of three vectors times the three weights of the corners."""
    return weights[0] * a + weights[1] * b + weights[2] * c


@njit(borrows=True, forceinline=True)
def _mix(table, wide, to, weights, s, q, i):
    """Fill the slots from `to` on with the columns of a table, and four more with the slopes of the last two.

    wide: the columns, a multiple of four. weights: see `_weights`.
    """
    near, right, down = weights
    for k in range(0, wide, 4):
        a = gather4(table, wide, k, q, at.FIRST + i)
        b = gather4(table, wide, k, q, at.SECOND + i)
        c = gather4(table, wide, k, q, at.THIRD + i)
        u, v = _mixed(near, a[2], b[2], c[2]), _mixed(near, a[3], b[3], c[3])
        place = to + k * at.BLOCK + i
        store(s, place, _mixed(near, a[0], b[0], c[0]))
        store(s, place + at.BLOCK, _mixed(near, a[1], b[1], c[1]))
        store(s, place + 2 * at.BLOCK, u)
        store(s, place + 3 * at.BLOCK, v)
        if k + 4 == wide:
            total = right[0] + right[1] + right[2]
            store(s, place + 4 * at.BLOCK, _mixed(right, a[2], b[2], c[2]) - u * total)
            store(s, place + 5 * at.BLOCK, _mixed(right, a[3], b[3], c[3]) - v * total)
            total = down[0] + down[1] + down[2]
            store(s, place + 6 * at.BLOCK, _mixed(down, a[2], b[2], c[2]) - u * total)
            store(s, place + 7 * at.BLOCK, _mixed(down, a[3], b[3], c[3]) - v * total)


@njit(borrows=True)
def read_attributes(places, world, more, view, n, s, q):
    """Fill the slots WX to DEPTH from the tables of `place`, all flat; the vertex color is in BR to BA.

    view: float32 (4): the row of the view matrix that gives the depth along the view, times -1.
    """
    for i in range(0, n, LANES):
        weights = _weights(places, s, q, i)
        _mix(world, tables.WORLD, at.WX, weights, s, q, i)
        x, y, z = load(s, at.WX + i), load(s, at.WY + i), load(s, at.WZ + i)
        store(s, at.DEPTH + i, splat(view[0]) * x + splat(view[1]) * y + splat(view[2]) * z + splat(view[3]))
        x, y, z = load(s, at.NX + i), load(s, at.NY + i), load(s, at.NZ + i)
        length = load(s, at.SIDE + i) / maximum(sqrt(x * x + y * y + z * z), splat(F(1e-20)))
        store(s, at.NX + i, x * length)
        store(s, at.NY + i, y * length)
        store(s, at.NZ + i, z * length)
        if more.shape[0]:
            _mix(more, tables.MORE, at.BR, weights, s, q, i)
            continue
        for k in range(tables.MORE):
            store(s, at.BR + k * at.BLOCK + i, splat(F(1) if k < 4 else F(0)))
