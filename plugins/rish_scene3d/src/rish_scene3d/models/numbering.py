"""Distinct values of long columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_SMALL = 1 << 16


def numbered(values: Array) -> tuple[Array, Array]:
    """Return the distinct ones of whole numbers, rising, and the place of each value among them, int64 n.

    None is negative. Small numbers are counted and not sorted, which is ten times as quick for 100,000.
    """
    if not len(values):
        return values, np.zeros(0, np.int64)
    most = int(values.max())
    if most > max(_SMALL, 4 * len(values)):
        distinct, place = np.unique(values, return_inverse=True)
        return distinct, place.reshape(-1)
    seen = np.zeros(most + 1, np.bool_)
    seen[values] = True
    distinct = np.flatnonzero(seen).astype(values.dtype)
    if len(distinct) == 1:
        return distinct, np.zeros(len(values), np.int64)
    return distinct, (np.cumsum(seen) - 1)[values]
