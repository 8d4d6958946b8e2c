"""World matrices of `Transform3D`; they are bit-identical on every machine, so they may be stored as state.

A matrix is float32 (3, 4): a point p becomes `m[:, :3] @ p + m[:, 3]`. The kernel and its numpy form give the same
bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core.common import Hierarchy, hierarchy_of
from rish_ecs.storage import POSE
from rish_jit import Array, Ready, njit
from rish_jit.simd import LANES, gather4, load, pick, put4, select, splat, store, store_first

from .components import Transform3D

if TYPE_CHECKING:
    from rish_core import Table, World

KERNEL_ROWS = 1024
"""The smallest number of rows for which a compiled kernel saves more time than it takes to load."""
_ZERO, _ONE, _TWO = np.float32(0), np.float32(1), np.float32(2)
_TINY = np.float32(1e-30)
"""The squared length below which a quaternion counts as the identity; smaller squares have no inverse in float32."""
_1, _2, _3, _4, _8, _12 = (np.uint64(k) for k in (1, 2, 3, 4, 8, 12))
"""Indices are unsigned, so that numba does not look for negative ones, which count from the end."""


def world_matrices_3d(world: World) -> Array:
    """Return float32 (n, 3, 4): the current world matrix of every Transform3D, in the table's row order.

    For systems of the tick; drawing uses `WorldMatrices3D`, which interpolates.
    """
    table = world.table(Transform3D)
    out = np.empty((len(table), 3, 4), np.float32)
    tree = hierarchy_of(world, Transform3D)
    write_matrices(table, tree, None, _ZERO, out, last=POSE)
    return out


def write_matrices(
    table: Table, tree: Hierarchy, rows: Array | None, back: Any, out: Array, last: Sequence[str]
) -> None:  # fmt: skip
    """Write the world matrices of the rows, None for all, into `out`, float32 (n, 3, 4).

    tree: of the table. Matrices of parents that are not among the rows must be in `out` already. back: float32, how far
    the pose is before the current one on the way from the last one, 0..1. last: the columns of the last pose.
    """
    count = len(table) if rows is None else len(rows)
    if not count:
        return
    columns: Any = [table.column(name) for name in (*POSE, *last)]
    if READY.serve(count, KERNEL_ROWS):
        a, b, c, d, e, f = (column.reshape(-1) for column in columns)
        fill_matrices(_order(tree, rows), tree.parents, a, b, c, d, e, f, back, out.reshape(-1))
        return
    is_wanted = None if rows is None else _flags(tree, rows)
    with np.errstate(all="ignore"):
        for full_rank in tree.ranks:
            rank = full_rank if is_wanted is None else full_rank[is_wanted[full_rank]]
            a, b, c, d, e, f = (column[rank] for column in columns)
            local = local_matrices(a, b, c, d, e, f, back)
            above = tree.parents[rank]
            out[rank] = local
            hung = above >= 0
            if hung.any():
                out[rank[hung]] = product(out[above[hung]], local[hung])


def _order(tree: Hierarchy, rows: Array | None) -> Array:
    """Return the rows, int32, parents before children."""
    if rows is None:
        return tree.order
    return rows.astype(np.int32) if tree.flat else tree.order[_flags(tree, rows)[tree.order]]


def _flags(tree: Hierarchy, rows: Array) -> Array:
    """Return for each row of the tree whether it is in `rows`, bool (n,)."""
    flags = np.zeros(len(tree.parents), np.bool_)
    flags[rows] = True
    return flags


def product(p: Array, m: Array) -> Array:
    """Return (n, 3, 4): the products of the matrices p and m, one by one."""
    products = p[:, :, 0:1] * m[:, 0:1] + p[:, :, 1:2] * m[:, 1:2] + p[:, :, 2:3] * m[:, 2:3]
    products[:, :, 3] += p[:, :, 3]
    return products


def local_matrices(
    position: Array, rotation: Array, scale: Array, last_position: Array, last_rotation: Array, last_scale: Array,
    back: Any,
) -> Array:  # fmt: skip
    """Return float32 (n, 3, 4): the matrices of poses that lie `back` before the current ones.

    Quaternions are interpolated along the shorter turn, without scaling: the matrix of a quaternion is divided by its
    length.
    """
    (lx, ly, lz, lw), (qx, qy, qz, qw) = last_rotation.T, rotation.T
    sign = np.where(qx * lx + qy * ly + qz * lz + qw * lw < _ZERO, -_ONE, _ONE)
    x, y = qx - back * (qx - sign * lx), qy - back * (qy - sign * ly)
    z, w = qz - back * (qz - sign * lz), qw - back * (qw - sign * lw)
    square = x * x + y * y + z * z + w * w
    s = np.where(square < _TINY, _ZERO, _TWO / square)
    sx, sy, sz = (scale - back * (scale - last_scale)).T
    out = np.empty((len(position), 3, 4), np.float32)
    out[:, 0, 0], out[:, 0, 1] = (_ONE - s * (y * y + z * z)) * sx, s * (x * y - z * w) * sy
    out[:, 0, 2], out[:, 1, 0] = s * (x * z + y * w) * sz, s * (x * y + z * w) * sx
    out[:, 1, 1], out[:, 1, 2] = (_ONE - s * (x * x + z * z)) * sy, s * (y * z - x * w) * sz
    out[:, 2, 0], out[:, 2, 1] = s * (x * z - y * w) * sx, s * (y * z + x * w) * sy
    out[:, 2, 2] = (_ONE - s * (x * x + y * y)) * sz
    out[:, :, 3] = position - back * (position - last_position)
    return out


@njit
def fill_matrices(
    order: Array, parents: Array, position: Array, rotation: Array, scale: Array, last_position: Array,
    last_rotation: Array, last_scale: Array, back: Any, out: Array,
) -> None:  # fmt: skip
    """Write the world matrices of the rows in `order`, parents first; see `local_matrices`. All columns are flat.

    Eight rows at a time take half as long as one by one.
    """
    local, rows = np.empty(13 * LANES, np.float32), np.empty(LANES, np.int32)
    zero, one, two, b = splat(_ZERO), splat(_ONE), splat(_TWO), splat(back)
    for first in range(0, len(order), LANES):
        count = min(LANES, len(order) - first)
        for k in range(LANES):
            rows[k] = order[first + min(k, count - 1)]
        qx, qy, qz, qw = gather4(rotation, 4, 0, rows, 0)
        lx, ly, lz, lw = gather4(last_rotation, 4, 0, rows, 0)
        sign = select(zero > qx * lx + qy * ly + qz * lz + qw * lw, splat(-_ONE), one)
        x, y = qx - b * (qx - sign * lx), qy - b * (qy - sign * ly)
        z, w = qz - b * (qz - sign * lz), qw - b * (qw - sign * lw)
        square = x * x + y * y + z * z + w * w
        s = select(splat(_TINY) > square, zero, two / square)
        sx, sy, sz = pick(scale, 3, 0, rows, 0), pick(scale, 3, 1, rows, 0), pick(scale, 3, 2, rows, 0)
        sx = sx - b * (sx - pick(last_scale, 3, 0, rows, 0))
        sy = sy - b * (sy - pick(last_scale, 3, 1, rows, 0))
        sz = sz - b * (sz - pick(last_scale, 3, 2, rows, 0))
        px, py, pz = pick(position, 3, 0, rows, 0), pick(position, 3, 1, rows, 0), pick(position, 3, 2, rows, 0)
        px = px - b * (px - pick(last_position, 3, 0, rows, 0))
        py = py - b * (py - pick(last_position, 3, 1, rows, 0))
        pz = pz - b * (pz - pick(last_position, 3, 2, rows, 0))
        put4(local, 12, 0, (one - s * (y * y + z * z)) * sx, s * (x * y - z * w) * sy, s * (x * z + y * w) * sz, px)
        put4(local, 12, 4, s * (x * y + z * w) * sx, (one - s * (x * x + z * z)) * sy, s * (y * z - x * w) * sz, py)
        put4(local, 12, 8, s * (x * z - y * w) * sx, s * (y * z + x * w) * sy, (one - s * (x * x + y * y)) * sz, pz)
        for k in range(count):
            row, m = np.uint64(rows[k]), 12 * k
            o = _12 * row
            if parents[row] < 0:
                store(out, o, load(local, m))
                store_first(out, o + _8, load(local, m + 8))
                continue
            p = _12 * np.uint64(parents[row])
            for _ in range(3):
                f, g, h = out[p], out[p + _1], out[p + _2]
                for e in range(4):
                    out[o + np.uint64(e)] = f * local[m + e] + g * local[m + 4 + e] + h * local[m + 8 + e]
                out[o + _3] += out[p + _3]
                o, p = o + _4, p + _4


def _warm_up() -> None:
    rows, flat = np.zeros(1, np.int32), np.ones(4, np.float32)
    fill_matrices(
        rows, np.full(1, -1, np.int32), flat, flat, flat, flat, flat, flat, np.float32(0.5), np.zeros(12, np.float32)
    )


READY = Ready(_warm_up)
"""Whether the kernel can be called."""
