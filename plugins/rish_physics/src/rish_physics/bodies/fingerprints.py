"""Fingerprints of colliders: whether anything in their columns is another than when their shapes were made.

A fingerprint is 64 bits over all that a shape is made of: the columns (a layer as the bits that it stands for, points
by their content) and the frame in which it hangs on its body. It is kept with the shapes, so that a restored World
knows as well what has not changed.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import World, kind_of

from ..components.bodies import Collider

Array = npt.NDArray[Any]
_APART = ("points", "collision_layer")
_COLUMNS = tuple(name for name in kind_of(Collider).fields if name not in _APART)
_START, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


def fingerprints_of(world: World, rows: Array, frames: Array, filters: Array) -> Array:
    """int32 (n, 2): fingerprints. rows: of Collider. frames: (n, 6). filters: int32 (n, 2), category and mask.

    The function is FNV-1a, taken over words of 32 bits instead of bytes (Fowler, Noll, Vo).
    """
    table = world.table(Collider)
    found: Array = np.full(len(rows), _START)
    if not len(rows):
        return found.view(np.int32).reshape(0, 2)
    for name in _COLUMNS:
        _mix(found, _words(table.column(name)[rows]))
    _mix(found, _words(frames.astype(np.float32)))
    _mix(found, _words(filters))
    spans, items = table.points.spans[rows], table.points.items
    content: Array = np.zeros((len(rows), 1), np.uint32)
    for k in np.flatnonzero(spans[:, 1]).tolist():
        first, count = spans[k].tolist()
        digest = hashlib.blake2b(items[first : first + count].tobytes(), digest_size=4).digest()
        content[k] = int.from_bytes(digest, "little")
    _mix(found, content)  # of all, with points or without: a print must not depend on which others are computed with it
    return found.view(np.int32).reshape(-1, 2)


def _words(values: Array) -> Array:
    """uint32 (n, k): the bits of a column."""
    flat = np.ascontiguousarray(values).reshape(len(values), -1)
    return flat.view(np.uint32) if flat.itemsize == 4 else flat.astype(np.uint32)


def _mix(found: Array, words: Array) -> None:
    with np.errstate(over="ignore"):
        for k in range(words.shape[1]):
            found ^= words[:, k]
            found *= _PRIME
