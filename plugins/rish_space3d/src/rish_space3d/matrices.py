"""World matrices of `Transform3D`; they are bit-identical on every machine, so they may be stored as state.

A matrix is float32 (3, 4): a point p becomes `m[:, :3] @ p + m[:, 3]`. The kernel and its numpy form give the same
bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core.common import Hierarchy, hierarchy_of
from rish_ecs.jit import Ready, njit

from .components import Transform3D

if TYPE_CHECKING:
    from rish_core import Table, World

Array = npt.NDArray[Any]
KERNEL_ROWS = 1024
"""The number of rows from which a compiled kernel is worth its loading time."""
POSE = ("position", "rotation", "scale")
_ZERO, _ONE, _TWO = np.float32(0), np.float32(1), np.float32(2)


def world_matrices_3d(world: World) -> Array:
    """Return float32 (n, 3, 4): the current world matrix of every Transform3D, in the table's row order.

    For systems of the tick; what draws uses `WorldMatrices3D`, which interpolates.
    """
    table = world.table(Transform3D)
    out = np.empty((len(table), 3, 4), np.float32)
    tree = hierarchy_of(world, Transform3D)
    write_matrices(table, tree.parents, ranks_of(tree), _ZERO, out, last=POSE)
    return out


def ranks_of(tree: Hierarchy) -> list[Array]:
    """Return the rows of a hierarchy by depth, roots first."""
    return [np.flatnonzero(tree.parents < 0), *tree.generations]


def write_matrices(
    table: Table, parents: Array, ranks: Sequence[Array], back: Any, out: Array, last: Sequence[str]
) -> None:
    """Write the world matrices of some rows into out, float32 (n, 3, 4).

    ranks: the rows by depth; matrices of parents that are not among them must be in `out` already. back: float32, how
    far the pose is before the current one on the way from the last one, 0..1. last: the columns of the last pose.
    """
    rows = sum(map(len, ranks))
    if not rows:
        return
    columns: Any = [table.column(name) for name in (*POSE, *last)]
    if READY.serve(rows, KERNEL_ROWS):
        order = np.concatenate(ranks).astype(np.int32)
        a, b, c, d, e, f = (column.reshape(-1) for column in columns)
        fill_matrices(order, parents, a, b, c, d, e, f, back, out.reshape(-1))
        return
    with np.errstate(all="ignore"):
        for rank in ranks:
            a, b, c, d, e, f = (column[rank] for column in columns)
            local = local_matrices(a, b, c, d, e, f, back)
            above = parents[rank]
            out[rank] = local
            hung = above >= 0
            if hung.any():
                out[rank[hung]] = product(out[above[hung]], local[hung])


def product(p: Array, m: Array) -> Array:
    """Return (n, 3, 4): the products of the matrices p and m, one by one."""
    made = p[:, :, 0:1] * m[:, 0:1] + p[:, :, 1:2] * m[:, 1:2] + p[:, :, 2:3] * m[:, 2:3]
    made[:, :, 3] += p[:, :, 3]
    return made


def local_matrices(
    position: Array, rotation: Array, scale: Array, last_position: Array, last_rotation: Array, last_scale: Array,
    back: Any,
) -> Array:  # fmt: skip
    """Return float32 (n, 3, 4): the matrices of poses that lie `back` before the current ones.

    Quaternions are mixed on the short way, without scaling: the matrix of a quaternion is divided by its length.
    """
    (lx, ly, lz, lw), (qx, qy, qz, qw) = last_rotation.T, rotation.T
    sign = np.where(qx * lx + qy * ly + qz * lz + qw * lw < _ZERO, -_ONE, _ONE)
    x, y = qx - back * (qx - sign * lx), qy - back * (qy - sign * ly)
    z, w = qz - back * (qz - sign * lz), qw - back * (qw - sign * lw)
    square = x * x + y * y + z * z + w * w
    s = np.where(square == _ZERO, _ZERO, _TWO / square)
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
    """Write the world matrices of the rows in `order`, parents first; see `local_matrices`. All columns are flat."""
    m = np.empty(12, np.float32)
    for k in range(len(order)):
        row = order[k]
        v, q, o = 3 * row, 4 * row, 12 * row
        qx, qy, qz, qw = rotation[q], rotation[q + 1], rotation[q + 2], rotation[q + 3]
        lx, ly, lz, lw = last_rotation[q], last_rotation[q + 1], last_rotation[q + 2], last_rotation[q + 3]
        sign = -_ONE if qx * lx + qy * ly + qz * lz + qw * lw < _ZERO else _ONE
        x, y = qx - back * (qx - sign * lx), qy - back * (qy - sign * ly)
        z, w = qz - back * (qz - sign * lz), qw - back * (qw - sign * lw)
        square = x * x + y * y + z * z + w * w
        s = _ZERO if square == _ZERO else _TWO / square
        sx = scale[v] - back * (scale[v] - last_scale[v])
        sy = scale[v + 1] - back * (scale[v + 1] - last_scale[v + 1])
        sz = scale[v + 2] - back * (scale[v + 2] - last_scale[v + 2])
        m[0], m[1], m[2] = (_ONE - s * (y * y + z * z)) * sx, s * (x * y - z * w) * sy, s * (x * z + y * w) * sz
        m[4], m[5], m[6] = s * (x * y + z * w) * sx, (_ONE - s * (x * x + z * z)) * sy, s * (y * z - x * w) * sz
        m[8], m[9], m[10] = s * (x * z - y * w) * sx, s * (y * z + x * w) * sy, (_ONE - s * (x * x + y * y)) * sz
        for c in range(3):
            m[4 * c + 3] = position[v + c] - back * (position[v + c] - last_position[v + c])
        if parents[row] < 0:
            for c in range(12):
                out[o + c] = m[c]
            continue
        p = 12 * parents[row]
        for r in range(3):
            a, b, c = out[p + 4 * r], out[p + 4 * r + 1], out[p + 4 * r + 2]
            for j in range(4):
                out[o + 4 * r + j] = a * m[j] + b * m[4 + j] + c * m[8 + j]
            out[o + 4 * r + 3] += out[p + 4 * r + 3]


def _warm_up() -> None:
    rows, flat = np.zeros(1, np.int32), np.ones(4, np.float32)
    fill_matrices(
        rows, np.full(1, -1, np.int32), flat, flat, flat, flat, flat, flat, np.float32(0.5), np.zeros(12, np.float32)
    )


READY = Ready(_warm_up)
"""Whether the kernel can be called."""
