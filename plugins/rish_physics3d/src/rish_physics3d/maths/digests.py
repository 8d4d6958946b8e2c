"""Digests of rows of arrays: to notice that what a body or joint is made of has changed."""

from __future__ import annotations

import numpy as np

from rish_jit import Array

_MIX_A, _MIX_B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(29)


def digests(*columns: Array) -> Array:
    """Return a digest of each row of some arrays, int64 (n,). Equal rows have equal digests.

    columns: numbers of 4 or 8 bytes, (n, k) or (n,). The words are mixed by multiplication and shifts, one after
    another.
    """
    count = len(columns[0])
    total: Array = np.full(count, _MIX_B, np.uint64)
    for column in columns if count else ():
        rows = np.ascontiguousarray(column).reshape(count, -1)
        words = rows.view(np.uint32 if rows.itemsize == 4 else np.uint64).astype(np.uint64)
        for k in range(words.shape[1]):
            total = (total ^ words[:, k]) * _MIX_A
            total ^= total >> _SHIFT
    return total.view(np.int64)


def alike(rows: Array) -> tuple[Array, Array]:
    """Return the first row of each group of equal rows (n, k), and the group of each row, int64 each.

    Rows are grouped by their digests, which takes a tenth of the time of `np.unique` with an axis, and compared.
    """
    _, first, which = np.unique(digests(rows), return_index=True, return_inverse=True)
    if not np.array_equal(rows[first][which], rows):  # two digests are equal by chance, or a number is NaN
        _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, which.reshape(-1)
