"""Fingerprints of colliders: detect whether the columns have changed since the shapes were made.

A fingerprint is a 64-bit hash of everything that a shape is made of: the columns (a layer by its bits, points by their
content) and the frame of the collider in its body. It is stored with the shapes, so that a restored World also detects
what has not changed.
"""

from __future__ import annotations

import hashlib

import numpy as np

from rish_core import World, kind_of
from rish_jit import Array

from ..components.bodies import Collider

_HASHED_SEPARATELY = ("points", "collision_layer")
_COLUMNS = tuple(name for name in kind_of(Collider).fields if name not in _HASHED_SEPARATELY)
_START, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


def fingerprints_of(world: World, rows: Array, frames: Array, filters: Array) -> Array:
    """Return the fingerprints, int32 (n, 2). rows: of Collider. frames: (n, 6). filters: int32 (n, 2), category and
    mask.

    The hash is FNV-1a, computed over 32-bit words instead of bytes (Fowler, Noll, Vo).
    """
    table = world.table(Collider)
    digests: Array = np.full(len(rows), _START)
    if not len(rows):
        return digests.view(np.int32).reshape(0, 2)
    for name in _COLUMNS:
        _mix(digests, _words(table.column(name)[rows]))
    _mix(digests, _words(frames.astype(np.float32)))
    _mix(digests, _words(filters))
    spans, items = table.points.spans[rows], table.points.items
    content: Array = np.zeros((len(rows), 1), np.uint32)
    for k in np.flatnonzero(spans[:, 1]).tolist():
        first, count = spans[k].tolist()
        digest = hashlib.blake2b(items[first : first + count].tobytes(), digest_size=4).digest()
        content[k] = int.from_bytes(digest, "little")
    _mix(digests, content)  # also for rows without points: a fingerprint must not depend on the other rows of the call
    return digests.view(np.int32).reshape(-1, 2)


def _words(values: Array) -> Array:
    """Return the bits of a column, uint32 (n, k)."""
    flat = np.ascontiguousarray(values).reshape(len(values), -1)
    return flat.view(np.uint32) if flat.itemsize == 4 else flat.astype(np.uint32)


def _mix(digests: Array, words: Array) -> None:
    with np.errstate(over="ignore"):
        for k in range(words.shape[1]):
            digests ^= words[:, k]
            digests *= _PRIME
