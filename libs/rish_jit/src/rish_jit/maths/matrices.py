"""Products of matrices of the plane, along trees: the same bits on every machine.

A matrix is six float32 `a b c d tx ty`: x' = a·x + c·y + tx and y' = b·x + d·y + ty.
"""

from __future__ import annotations

from struct import Struct
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_FEW = 12
"""The number of matrices up to which a loop is faster than numpy."""
_TWO, _SIX, _TWELVE = Struct("2f"), Struct("6f"), Struct("12f")


def hang_matrices(matrices: Array, parents: Array, order: Array, depths: Array) -> None:
    """Multiply matrices by those of their parents, in place.

    matrices: float32 (n, 6). parents: int, the index of the parent of each. order: indices, sorted by depth. depths:
    int, of these indices in any order; those of depth 0 stay. Ranks of few matrices are multiplied one by one:
    otherwise a chain of 10,000 takes 14 times as long.
    """
    if len(order) <= _FEW:
        _multiply_each(matrices, parents, order[len(order) - np.count_nonzero(depths) :])
        return
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


def _multiply_each(matrices: Array, parents: Array, rows: Array) -> None:
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


def product(p: Array, m: Array) -> Array:
    """Return (n, 6): the products of the matrices p and m, row by row."""
    out = np.empty_like(m)
    out[:, 0] = p[:, 0] * m[:, 0] + p[:, 2] * m[:, 1]
    out[:, 1] = p[:, 1] * m[:, 0] + p[:, 3] * m[:, 1]
    out[:, 2] = p[:, 0] * m[:, 2] + p[:, 2] * m[:, 3]
    out[:, 3] = p[:, 1] * m[:, 2] + p[:, 3] * m[:, 3]
    out[:, 4] = p[:, 0] * m[:, 4] + p[:, 2] * m[:, 5] + p[:, 4]
    out[:, 5] = p[:, 1] * m[:, 4] + p[:, 3] * m[:, 5] + p[:, 5]
    return out
