"""The set of all pairs of shapes that have a contact, so that the broad phase creates no contact twice.

A hash table with open addressing. A pair of shapes a < b is the number `(a << 32 | b) + 1`, so that 0 means an empty
place. A key is stored at its home place (`home_of`, multiplicative hashing after Knuth, The Art of Computer Programming
3, 6.4), or at the first free place behind it. A deletion leaves no tombstone: the keys behind it move forward unless
that would put a key before its home (algorithm R in the same chapter). So a search never becomes slower in a
long-running world. At most half of the places are used.

The set is derived data: it can be built from the table of contacts at any time, and the place of a key does not affect
any result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

_MULTIPLIER = np.uint64(0x9E3779B1)
_LOW_MASK = np.uint64(0xFFFFFFFF)
_EMPTY = np.uint64(0)
_1, _4, _32 = np.uint64(1), np.uint64(4), np.uint64(32)
_MIN_SIZE = 64


@njit(borrows=True, inline="always")
def key_of(a: Any, b: Any) -> Any:
    """Return the number (uint64) of a pair of two shapes, in either order."""
    low, high = (a, b) if a < b else (b, a)
    return ((np.uint64(low) << _32) | np.uint64(high)) + _1


@njit(borrows=True, inline="always")
def home_of(key: Any, mask: Any) -> Any:
    """Return the home place (uint64) of a key. mask: the number of places (a power of two) minus 1, uint64."""
    low, high = (key - _1) >> _32, (key - _1) & _LOW_MASK
    return (_4 * low + (high - low) * _MULTIPLIER) & mask


@njit(borrows=True)
def place_of(keys: Array, key: Any, mask: Any) -> Any:
    """Return the place (uint64) of a key, or the empty place where it would be inserted."""
    i = home_of(key, mask)
    while keys[i] != _EMPTY and keys[i] != key:
        i = (i + _1) & mask
    return i


@njit(borrows=True)
def delete_key(keys: Array, key: Any) -> bool:
    """Remove a key; return True if it was in the set."""
    mask = np.uint64(len(keys) - 1)
    hole = place_of(keys, key, mask)
    if keys[hole] == _EMPTY:
        return False
    # Backward shift deletion (Knuth, algorithm 6.4R): a key fills the hole unless its home is behind the hole.
    i = hole
    while True:
        i = (i + _1) & mask
        if keys[i] == _EMPTY:
            break
        if ((i - home_of(keys[i], mask)) & mask) >= ((i - hole) & mask):
            keys[hole] = keys[i]
            hole = i
    keys[hole] = _EMPTY
    return True


@njit(borrows=True)
def insert_keys(keys: Array, new: Array) -> int:
    """Insert keys (uint64) into an array that has room for them; return the number of keys that were not in it
    before.
    """
    mask = np.uint64(len(keys) - 1)
    added = 0
    for k in range(len(new)):
        i = place_of(keys, new[k], mask)
        if keys[i] == _EMPTY:
            keys[i] = new[k]
            added += 1
    return added


class PairSet:
    """The places of the hash table, and the number of keys in it."""

    __slots__ = ("count", "keys")

    def __init__(self) -> None:
        self.keys: Array = np.zeros(_MIN_SIZE, np.uint64)
        self.count = 0

    def add(self, new: Array) -> int:
        """Insert keys (uint64); return the number of keys that were not in the set before."""
        if not len(new):
            return 0
        size, needed = len(self.keys), 2 * (self.count + len(new))
        if needed > size:
            while size < needed:
                size *= 2
            keys, self.keys = self.keys, np.zeros(size, np.uint64)
            insert_keys(self.keys, keys[keys != _EMPTY])
        added = int(insert_keys(self.keys, new))
        self.count += added
        return added

    def fill(self, pairs: Array) -> None:
        """Replace the content by pairs, in any order and with duplicates: int (n, 2)."""
        low, high = np.sort(pairs, axis=1).astype(np.uint64).T
        self.keys, self.count = np.zeros(_MIN_SIZE, np.uint64), 0
        self.add(((low << _32) | high) + _1)
