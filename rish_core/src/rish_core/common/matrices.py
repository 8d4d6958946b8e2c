"""World matrices for the simulation; they are bit-identical on every machine, so they may be stored as state.

A matrix is six float32 `a b c d tx ty`: x' = a·x + c·y + tx and y' = b·x + d·y + ty.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

import numpy as np

from rish_ecs.declarations import Column, distinct
from rish_jit import Ready, maths, njit

from .hierarchy import hierarchy_of
from .transform import Transform

if TYPE_CHECKING:
    from rish_ecs import World

KERNEL_ROWS = 2048
"""The number of rows from which the compiled kernel is used; with fewer, loading it takes longer than it saves."""
_DEEP = 16
"""The depth of a tree up to which the rows above some rows are found one rank after another."""
_FEW = 12
"""The number of matrices up to which a loop is faster than numpy."""
_TWO, _SIX, _TWELVE = Struct("2f"), Struct("6f"), Struct("12f")


def world_matrices(world: World, rows: Column | None = None) -> Column:
    """Return float32 (n, 6): the current world matrix of every Transform, in the table's row order.

    rows: int (k,), return only these rows of the table, (k, 6). Of the others, only those above them are computed.
    """
    table = world.table(Transform)
    if rows is not None:
        if table.column("parent")[rows].any():
            return _hung_matrices(world, rows)
        selected: Column = np.empty((len(rows), 6), np.float32)
        position, rotation, scale = (table.column(name)[rows] for name in ("position", "rotation", "scale"))
        plain_local_matrices(position, rotation, scale, selected)
        return selected
    matrix: Column = np.empty((len(table), 6), np.float32)
    if not len(table):
        return matrix
    local = local_matrices if READY.serve(len(table), KERNEL_ROWS) else plain_local_matrices
    local(table.column("position"), table.column("rotation"), table.column("scale"), matrix)
    hierarchy = hierarchy_of(world)
    if not hierarchy.flat:
        hang_matrices(matrix, hierarchy.parents, hierarchy.order, hierarchy.depths)
    return matrix


def hang_matrices(matrices: Column, parents: Column, order: Column, depths: Column) -> None:
    """Multiply matrices by those of their parents, in place.

    matrices: float32 (n, 6). parents: int, the index of the parent of each. order: indices, sorted by depth. depths:
    int, of these indices in any order; those of depth 0 stay. Ranks of few matrices are multiplied one by one:
    otherwise a chain of 10,000 takes 14 times as long.
    """
    sizes = np.bincount(depths, minlength=1)
    few = sizes <= _FEW
    few[0] = False
    ranks = 1 + np.flatnonzero(~(few[1:] & few[:-1]))  # the first rank of each run that is multiplied together
    ends = np.append(np.cumsum(sizes)[ranks - 1], len(order)).tolist()
    for is_few, first, end in zip(few[ranks].tolist(), ends, ends[1:], strict=False):
        rows = order[first:end]
        if is_few:
            _multiply_each(matrices, parents, rows)
        else:
            matrices[rows] = product(matrices[parents[rows]], matrices[rows])


def _multiply_each(matrices: Column, parents: Column, rows: Column) -> None:
    """Multiply matrices one by one: the same as `product`, with the same bits.

    A product of two float32 is exact in Python, and `Struct` rounds it to float32.
    """
    memory = matrices.reshape(-1).data.cast("B")
    read, write, pack, unpack = _SIX.unpack_from, _SIX.pack_into, _TWELVE.pack, _TWELVE.unpack
    for row, parent in zip((24 * rows).tolist(), (24 * parents[rows]).tolist(), strict=True):
        pa, pb, pc, pd, px, py = read(memory, parent)
        a, b, c, d, x, y = read(memory, row)
        aa, cb, ba, db, ac, cd, bc, dd, ax, cy, bx, dy = unpack(
            pack(pa * a, pc * b, pb * a, pd * b, pa * c, pc * d, pb * c, pd * d, pa * x, pc * y, pb * x, pd * y)
        )
        tx, ty = _TWO.unpack(_TWO.pack(ax + cy, bx + dy))
        write(memory, row, aa + cb, ba + db, ac + cd, bc + dd, tx + px, ty + py)


def product(p: Column, m: Column) -> Column:
    """Return (n, 6): the products of the matrices p and m, row by row."""
    out = np.empty_like(m)
    out[:, 0] = p[:, 0] * m[:, 0] + p[:, 2] * m[:, 1]
    out[:, 1] = p[:, 1] * m[:, 0] + p[:, 3] * m[:, 1]
    out[:, 2] = p[:, 0] * m[:, 2] + p[:, 2] * m[:, 3]
    out[:, 3] = p[:, 1] * m[:, 2] + p[:, 3] * m[:, 3]
    out[:, 4] = p[:, 0] * m[:, 4] + p[:, 2] * m[:, 5] + p[:, 4]
    out[:, 5] = p[:, 1] * m[:, 4] + p[:, 3] * m[:, 5] + p[:, 5]
    return out


def plain_local_matrices(position: Column, rotation: Column, scale: Column, out: Column) -> None:
    """Write the pose of each row as a matrix into out (n, 6); the NumPy reference for `local_matrices`."""
    sin, cos = maths.sincos(rotation)
    out[:, 0], out[:, 1] = cos * scale[:, 0], sin * scale[:, 0]
    out[:, 2], out[:, 3] = -sin * scale[:, 1], cos * scale[:, 1]
    out[:, 4:] = position


def _hung_matrices(world: World, rows: Column) -> Column:
    """Return the world matrices of some rows, float32 (k, 6); besides them, only the rows above them are computed.

    One child beside 100,000 roots takes 0.12 ms instead of 10.
    """
    table, hierarchy = world.table(Transform), hierarchy_of(world)
    levels = [rows]
    while len(levels[-1]) and len(levels) < _DEEP:
        above = hierarchy.parents[levels[-1]]
        levels.append(above[above >= 0])
    some = distinct(np.concatenate(levels))
    if len(levels) == _DEEP or 2 * len(some) > len(table):
        return world_matrices(world)[rows]
    matrix: Column = np.empty((len(some), 6), np.float32)
    position, rotation, scale = (table.column(name)[some] for name in ("position", "rotation", "scale"))
    plain_local_matrices(position, rotation, scale, matrix)
    parents, depths = np.searchsorted(some, hierarchy.parents[some]), hierarchy.depths[some]
    for depth in range(1, len(levels) - 1):
        rank = np.flatnonzero(depths == depth)
        matrix[rank] = product(matrix[parents[rank]], matrix[rank])
    return matrix[np.searchsorted(some, rows)]


@njit
def local_matrices(position: Column, rotation: Column, scale: Column, out: Column) -> None:
    """Write the pose of each row as a matrix into out (n, 6)."""
    for k in range(len(rotation)):
        cos, sin = maths.cos(rotation[k]), maths.sin(rotation[k])
        out[k, 0] = cos * scale[k, 0]
        out[k, 1] = sin * scale[k, 0]
        out[k, 2] = -sin * scale[k, 1]
        out[k, 3] = cos * scale[k, 1]
        out[k, 4] = position[k, 0]
        out[k, 5] = position[k, 1]


def _warm_up() -> None:
    pairs = np.ones((2, 2), np.float32)
    local_matrices(pairs, np.ones(2, np.float32), pairs, np.empty((2, 6), np.float32))


READY = Ready(_warm_up)
"""Whether the kernel can be called."""
