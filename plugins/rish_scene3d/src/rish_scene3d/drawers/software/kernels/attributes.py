"""Interpolates what triangles have at their corners, with perspective, for the pixels of a block."""

from __future__ import annotations

import numpy as np

from rish_ecs.jit import njit, simd
from rish_ecs.jit.simd import gather, gather4, load, maximum, splat, sqrt, store

from . import slots as at

F = np.float32
LANES = simd.LANES


@njit(borrows=True, inline="always")
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


@njit(borrows=True, inline="always")
def _store_slopes(s, i, first, step, u, v, us, vs):
    """Store the slopes of texture coordinates; step: those of the weights. us, vs: at the three corners."""
    total = step[0] + step[1] + step[2]
    store(s, first + i, step[0] * us[0] + step[1] * us[1] + step[2] * us[2] - u * total)
    store(s, first + at.BLOCK + i, step[0] * vs[0] + step[1] * vs[1] + step[2] * vs[2] - v * total)


@njit(borrows=True)
def read_attributes(places, world, more, view, n, s, q):
    """Fill the slots WX to V1Y, TX to TS, and the vertex colour in BR to BA, from the tables of `place`, all flat.

    view: float32 (4): the row of the view matrix that gives the depth along the view, times -1.
    """
    zero, one = splat(F(0)), splat(F(1))
    for i in range(0, n, LANES):
        near, right, down = _weights(places, s, q, i)
        la, lb, lc = near
        a, b, c = (
            gather(world, 8, 0, q, at.FIRST + i),
            gather(world, 8, 0, q, at.SECOND + i),
            gather(world, 8, 0, q, at.THIRD + i),
        )
        x, y, z = (
            la * a[0] + lb * b[0] + lc * c[0],
            la * a[1] + lb * b[1] + lc * c[1],
            la * a[2] + lb * b[2] + lc * c[2],
        )
        store(s, at.WX + i, x)
        store(s, at.WY + i, y)
        store(s, at.WZ + i, z)
        depth = splat(view[0]) * x + splat(view[1]) * y + splat(view[2]) * z + splat(view[3])
        store(s, at.DEPTH + i, depth)
        nx, ny = la * a[3] + lb * b[3] + lc * c[3], la * a[4] + lb * b[4] + lc * c[4]
        nz = la * a[5] + lb * b[5] + lc * c[5]
        length = load(s, at.SIDE + i) / maximum(sqrt(nx * nx + ny * ny + nz * nz), splat(F(1e-20)))
        store(s, at.NX + i, nx * length)
        store(s, at.NY + i, ny * length)
        store(s, at.NZ + i, nz * length)
        u, v = la * a[6] + lb * b[6] + lc * c[6], la * a[7] + lb * b[7] + lc * c[7]
        store(s, at.U0 + i, u)
        store(s, at.V0 + i, v)
        _store_slopes(s, i, at.U0X, right, u, v, (a[6], b[6], c[6]), (a[7], b[7], c[7]))
        _store_slopes(s, i, at.U0Y, down, u, v, (a[6], b[6], c[6]), (a[7], b[7], c[7]))
        if more.shape[0] == 0:
            store(s, at.TS + i, zero)
            store(s, at.TX + i, zero)
            store(s, at.TY + i, zero)
            store(s, at.TZ + i, zero)
            store(s, at.U1 + i, zero)
            store(s, at.V1 + i, zero)
            store(s, at.BR + i, one)
            store(s, at.BG + i, one)
            store(s, at.BB + i, one)
            store(s, at.BA + i, one)
            continue
        a, b, c = (
            gather(more, 12, 0, q, at.FIRST + i),
            gather(more, 12, 0, q, at.SECOND + i),
            gather(more, 12, 0, q, at.THIRD + i),
        )
        store(s, at.TX + i, la * a[0] + lb * b[0] + lc * c[0])
        store(s, at.TY + i, la * a[1] + lb * b[1] + lc * c[1])
        store(s, at.TZ + i, la * a[2] + lb * b[2] + lc * c[2])
        store(s, at.TS + i, a[3])
        u, v = la * a[4] + lb * b[4] + lc * c[4], la * a[5] + lb * b[5] + lc * c[5]
        store(s, at.U1 + i, u)
        store(s, at.V1 + i, v)
        _store_slopes(s, i, at.U1X, right, u, v, (a[4], b[4], c[4]), (a[5], b[5], c[5]))
        _store_slopes(s, i, at.U1Y, down, u, v, (a[4], b[4], c[4]), (a[5], b[5], c[5]))
        d, e, f = (
            gather4(more, 12, 8, q, at.FIRST + i),
            gather4(more, 12, 8, q, at.SECOND + i),
            gather4(more, 12, 8, q, at.THIRD + i),
        )
        store(s, at.BR + i, la * d[0] + lb * e[0] + lc * f[0])
        store(s, at.BG + i, la * d[1] + lb * e[1] + lc * f[1])
        store(s, at.BB + i, la * d[2] + lb * e[2] + lc * f[2])
        store(s, at.BA + i, la * d[3] + lb * e[3] + lc * f[3])
