"""The clip table: one row of plain numbers for each decoded clip or stream, read by the mixer.

A mixer thread reads the table while the game changes it, so a row is changed in an order that is safe at any moment:
the samples are complete before their address is written. A row that no voice plays any more is released in two steps,
each of which waits until the mixer has finished `WAIT_BLOCKS` more blocks: first its address becomes 0, then its
samples are freed and the row may be used again. So old voices can fade out, and a block that has just read the address
still finds the samples.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rish_jit import Array

from ..components.block import ADDRESS, CAPACITY, CHANNELS, CLIP_COLUMNS, END, FIRST, LENGTH

WAIT_BLOCKS = 16
"""The number of blocks between the two steps; a fade takes fewer blocks."""
SILENT_ROW = 0
"""The row that is always silent."""


class ClipTable:
    """rows: int64 (capacity, CLIP_COLUMNS), always the same array. size: the bytes of the samples of rows that were
    not released.

    made: the number of the newest block. mixed: the number of the last block that the mixer has finished.
    """

    def __init__(self, capacity: int = 1024) -> None:
        self.rows = np.zeros((capacity, CLIP_COLUMNS), np.int64)
        self.size = 0
        self.made = self.mixed = 0
        self._samples: dict[int, Array] = {}
        self._played = np.zeros(capacity, np.int64)
        self._free = list(range(capacity - 1, SILENT_ROW, -1))
        self._dropped: dict[int, int] = {}
        self._hidden: dict[int, int] = {}

    def take(self) -> int | None:
        """Return a free row, or None."""
        row = self._free.pop() if self._free else None
        if row is not None:
            self._played[row] = self.made
        return row

    def show(self, row: int, samples: Array, first: int, end: int, length: int) -> None:
        """Let a row refer to samples, float32 (frames, channels); the array is kept until the row is released."""
        self._samples[row] = samples
        self.size += samples.nbytes
        columns = self.rows[row]
        columns[CHANNELS], columns[CAPACITY], columns[LENGTH] = samples.shape[1], len(samples), length
        columns[FIRST], columns[END] = first, end
        columns[ADDRESS] = samples.ctypes.data

    def drop(self, row: int) -> None:
        """Release a row as soon as no voice plays it."""
        if row != SILENT_ROW and row not in self._dropped:
            self._dropped[row] = self.made
            self.size -= self._samples[row].nbytes if row in self._samples else 0

    def play(self, rows: Array) -> None:
        """Record that the newest block plays these rows."""
        self._played[rows] = self.made

    def idle(self, rows: Iterable[int]) -> list[int]:
        """Return the rows among `rows` that no recent block plays, the least recently played first."""
        idle_rows = [row for row in rows if self._played[row] + WAIT_BLOCKS <= self.mixed]
        return sorted(idle_rows, key=lambda row: (self._played[row], row))

    def settle(self, newest: int, mixed: int) -> None:
        """Store the numbers of the newest and of the last mixed block, and do the next step for rows that are being
        released.
        """
        self.made, self.mixed = newest, mixed
        for row, since in list(self._hidden.items()):
            if since + WAIT_BLOCKS <= mixed:
                del self._hidden[row]
                self._samples.pop(row, None)
                self._free.append(row)
        for row, since in list(self._dropped.items()):
            if max(since, int(self._played[row])) + WAIT_BLOCKS <= mixed:
                del self._dropped[row]
                self.rows[row, ADDRESS] = 0
                self._hidden[row] = newest

    @property
    def is_full(self) -> bool:
        """Whether the newest block plays all rows."""
        return not self._free and bool((self._played[SILENT_ROW + 1 :] == self.made).all())
