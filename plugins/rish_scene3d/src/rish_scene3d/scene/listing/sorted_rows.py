"""Rows sorted by a key, of which a few are replaced without a copy of the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array

FEW = 64
"""Up to this number, rows are moved span by span; more are merged in one pass over all."""


class SortedRows:
    """Columns with room for more rows: int64 keys, rising, and numbers of one dtype beside them.

    width: the number of values in a row of `values`, which is flat.
    """

    def __init__(self, dtype: Any, width: int = 1) -> None:
        self.count = 0
        self._width = width
        self._keys: Array = np.zeros(0, np.int64)
        self._values: Array = np.zeros(0, dtype)

    @property
    def keys(self) -> Array:
        """The keys, int64 (n,)."""
        return self._keys[: self.count]

    @property
    def values(self) -> Array:
        """The values, flat."""
        return self._values[: self.count * self._width]

    def room(self, count: int) -> tuple[Array, Array]:
        """Return the memory of the keys and the values, with room for at least `count` rows; the rows are lost if
        there was none."""
        if count > len(self._keys):
            self._keys = np.empty(count, np.int64)
            self._values = np.empty(count * self._width, self._values.dtype)
            self.count = 0
        return self._keys, self._values

    def fill(self, keys: Array, values: Array) -> None:
        """Replace all rows by others, sorted by their keys."""
        self.room(len(keys))
        self.count = len(keys)
        self.keys[:], self.values[:] = keys, values

    def replace(self, removed: Array, keys: Array, values: Array) -> None:
        """Remove the rows at some positions, rising, and insert others with rising keys. values: theirs, flat."""
        at = self.keys.searchsorted(keys)
        if len(removed) + len(keys) > FEW:
            self._merge(removed, at, keys, values)
            return
        count, wide = self.count + len(keys) - len(removed), self._width
        if count > len(self._keys):
            self._grow(2 * count)
        for first, last, shift in _spans(self.count, removed.tolist(), at.tolist()):
            for column, width in ((self._keys, 1), (self._values, wide)):
                memory = column.data  # a memoryview copies overlapping spans at once
                memory[(first + shift) * width : (last + shift) * width] = memory[first * width : last * width]
        self.count = count
        places = at + np.arange(len(at)) - removed.searchsorted(at)
        self._keys[places] = keys
        self._values.reshape(-1, wide)[places] = values.reshape(-1, wide)

    def _grow(self, room: int) -> None:
        count, keys, values = self.count, self.keys, self.values
        self.room(room)
        self.count = count
        self.keys[:], self.values[:] = keys, values

    def _merge(self, removed: Array, at: Array, keys: Array, values: Array) -> None:
        at = at - removed.searchsorted(at)
        rest = np.delete(self.values.reshape(-1, self._width), removed, axis=0)
        merged = np.insert(rest, at, values.reshape(-1, self._width), axis=0)
        self.fill(np.insert(np.delete(self.keys, removed), at, keys), merged.reshape(-1))


def _spans(count: int, removed: list[int], at: list[int]) -> list[tuple[int, int, int]]:
    """Return the spans of rows that move, in an order in which none overwrites another: first, last, and how far.

    removed: positions of rows that go. at: for each new row the position of the row that it comes before.
    """
    spans: list[tuple[int, int, int]] = []
    start = shift = 0
    for position, step in sorted([*((each, -1) for each in removed), *((each, 1) for each in at)]):
        if shift and position > start:
            spans.append((start, position, shift))
        start = max(start, position + (step < 0))
        shift += step
    if shift and count > start:
        spans.append((start, count, shift))
    return [span for span in spans if span[2] < 0] + [span for span in reversed(spans) if span[2] > 0]
