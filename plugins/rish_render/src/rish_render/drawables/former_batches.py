"""Batches of the last frame that are used again although some of their things changed.

They stay the same objects with a new version, and name the rows that changed. So a backend uploads only these.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rish_frame import Batch, Patch

_versions = itertools.count(1)


def next_version() -> int:
    """Return a version that no batch had before."""
    return next(_versions)


BatchKey = tuple[int, int, int]
"""The first thing of a batch, their number and their state."""


class Move(NamedTuple):
    """Things from `first` to before `end` in the last frame that are the same now, `by` places further on."""

    first: int
    end: int
    by: int


class FormerBatches:
    """The batches of the last frame, in their order, and the things that are the same since then.

    name: of the array that has a row for each thing. moves: ascending.
    """

    def __init__(self, batches: Mapping[BatchKey, Batch], name: str, moves: Sequence[Move]) -> None:
        self._batches = list(batches.items())
        self._name, self._moves = name, moves

    def renew(self, number: int, key: BatchKey, batch: Batch) -> Batch:
        """Return the batch with a number in the last frame, with the contents of another one; that one if it has
        another state.
        """
        before, former = self._batches[number] if number < len(self._batches) else (None, None)
        if before is None or former is None or before[2] != key[2]:
            return batch
        changed, array = self._changed(before, key), former.arrays[self._name]
        if not changed and before == key:
            vars(former).update(vars(batch), arrays=former.arrays, version=former.version or 0, patch=former.patch)
        else:
            vars(former).update(vars(batch), version=next_version(), patch=Patch(array, changed))
        return former

    def _changed(self, before: BatchKey, now: BatchKey) -> list[tuple[int, int]]:
        """Return the ranges of rows in which a batch differs from a former one."""
        ranges, at = list[tuple[int, int]](), 0
        start, count = before[0], now[1]
        for first, end, by in self._moves:
            begin, stop = max(first - start, at), min(end - start, before[1], count)
            if by == now[0] - start and begin < stop:
                if begin > at:
                    ranges.append((at, begin))
                at = stop
        if at < count:
            ranges.append((at, count))
        return ranges
