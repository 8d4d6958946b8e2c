"""The memory of a mixer: all its arrays, and a table of their addresses by which kernels find them.

The callback of a sound card is compiled code that gets only numbers. So all kernels get the table, and create from it
views of the arrays that they need. Nothing is allocated while a mixer runs.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array, maths

from ..components.block import BUS_COLUMNS, CLIP_COLUMNS, HEAD, MAX_FRAMES, REALS, WHOLES, Block
from .delay_reverb import COMBS, SPREAD, TUNING

WAVE = 4096
"""The number of frames of the newest output that are stored for a display."""
WINDOW = 4096
"""The size of the window into which parts of clips are copied, in frames."""
FADE = 256
"""The length of the curve by which sounds fade, in frames."""

# The table, int64: sizes, and the table's own address, where a device of miniaudio holds it too; then addresses.
SLOTS, BUSES, CHANNELS, RING, DELAY_LINE, REVERB_LINE, SELF, CLIP_ROWS, RATE = range(9)
CONTROL, HEADS, WHOLE, REAL, GAINS, ROWS = range(9, 15)
LAST_WHOLE, LAST_REAL, LAST_GAINS, LAST_ROWS = range(15, 19)
PEAK, RMS, WAVES, OUT, CLIP_TABLE, LEVELS = range(19, 25)
CURVE, LINES, WINDOWS, PLACES, PARTS, SMOOTHED, MIXED = range(25, 32)
FILTERS, DELAYS, DELAY_COUNTS, REVERB_RINGS, REVERBS, COMB_STATES, TABLE = range(32, 39)
"""control: see below. heads, whole, real, gains, rows: the queue, arrays of blocks; the last entry is for blocks that
are repeated. last: the end of the newest block. peak, rms: float32 (buses, channels). waves: float32 (WAVE, channels).
out: float32 (MAX_FRAMES, channels), the newest block. levels: see below. curve: float32 (FADE + 1,), from 0 to 1.
lines, windows, places, parts: see `read_clip`. smoothed: float64 (slots, 2), low-passes of voices. mixed: float32
(buses, channels, MAX_FRAMES). filters: float64 (buses, 2, channels, 2), of low-pass and high-pass. delays: float32
(buses, channels, frames). delay_counts: int64 (buses, 2). reverb_rings, reverbs, comb_states: see `reverb_bus`."""

# Elements of the control array, int64.
LAST_FRAMES, RENDERED, READ, FRAMES_MIXED, GIVEN, TAKEN, START, HOLDING, HELD, LATE, SKIPPED, NEWEST, CONTROLS = range(
    13
)
"""last_frames: of the newest mixed block; rendered: its frames in `out`, of which `read` were delivered. frames_mixed:
ever. given, taken: blocks that were written into the queue and read from it, ever. start: blocks that must wait before
the first is taken, or the next after a hold. holding: blocks that were repeated since the last one was taken; held:
ever; late: the number of times that this began. skipped: blocks that were skipped because the mixer had held for their
time. newest: the sequence of the newest block that was taken.
"""

# Columns of levels, float64, one row a bus.
DUCK, LIMITER, LEVEL, LEVEL_COLUMNS = 0, 1, 2, 4
"""duck, limiter: factors at the end of the newest block. level: the greatest absolute sample of it."""


class State:
    """The arrays of a mixer; `table` is what kernels get.

    queue: the greatest number of blocks that can wait. clips: the clip table, int64 (rows, CLIP_COLUMNS).
    """

    def __init__(self, rate: int, channels: int, slots: int, buses: int, queue: int, clips: Array) -> None:
        lengths = _reverb_lengths(rate, channels)
        ends = np.cumsum(lengths, axis=1)
        delay, reverb, ring = 2 * rate, int(ends.max()), queue + 1
        self.table = np.zeros(TABLE, np.int64)
        self.table[: RATE + 1] = slots, buses, channels, ring, delay, reverb, self.table.ctypes.data, 0, rate
        self._kept: list[Array] = []
        self.clips = np.zeros((0, CLIP_COLUMNS), np.int64)
        self.use_clips(clips)
        self.control = self._put(CONTROL, np.zeros(CONTROLS, np.int64))
        self.ring = Block(
            self._put(HEADS, np.zeros((ring, HEAD))),
            self._put(WHOLE, np.zeros((ring, slots, WHOLES), np.int64)),
            self._put(REAL, np.zeros((ring, slots, REALS))),
            self._put(GAINS, np.zeros((ring, slots, 2, channels), np.float32)),
            self._put(ROWS, np.zeros((ring, buses, BUS_COLUMNS))),
        )
        self.last_whole = self._put(LAST_WHOLE, np.zeros((slots, WHOLES), np.int64))
        self._put(LAST_REAL, np.zeros((slots, REALS)))
        self._put(LAST_GAINS, np.zeros((slots, 2, channels), np.float32))
        self._put(LAST_ROWS, np.zeros((buses, BUS_COLUMNS)))
        self.peak = self._put(PEAK, np.zeros((buses, channels), np.float32))
        self.rms = self._put(RMS, np.zeros((buses, channels), np.float32))
        self.wave = self._put(WAVES, np.zeros((WAVE, channels), np.float32))
        self._put(OUT, np.zeros((MAX_FRAMES, channels), np.float32))
        self._put(LEVELS, np.full((buses, LEVEL_COLUMNS), [1.0, 1.0, 0.0, 0.0]))
        self._put_scratch(slots, buses, channels)
        self._put(FILTERS, np.zeros((buses, 2, channels, 2)))
        self._put(DELAYS, np.zeros((buses, channels, delay), np.float32))
        self._put(DELAY_COUNTS, np.zeros((buses, 2), np.int64))
        self._put(REVERB_RINGS, np.stack([ends - lengths, lengths], axis=2))
        self._put(REVERBS, np.zeros((buses, channels, reverb), np.float32))
        self._put(COMB_STATES, np.zeros((buses, channels, COMBS)))

    def use_clips(self, clips: Array) -> None:
        """Use another clip table from now on, int64 (rows, CLIP_COLUMNS), with at least as many rows.

        The old table stays in memory, because a callback may be reading it.
        """
        if clips is not self.clips:
            self.clips = self._put(CLIP_TABLE, clips)
            self.table[CLIP_ROWS] = len(clips)

    def write(self, entry: int, block: Block) -> None:
        """Copy a block into an entry of the queue."""
        ring = self.ring
        ring.head[entry], ring.whole[entry], ring.real[entry] = block.head, block.whole, block.real
        ring.gains[entry], ring.buses[entry] = block.gains, block.buses

    def _put(self, place: int, array: Array) -> Array:
        self._kept.append(array)
        self.table[place] = array.ctypes.data
        return array

    def _put_scratch(self, slots: int, buses: int, channels: int) -> None:
        rise = [0.5 - 0.5 * maths.cos(maths.PI * i / FADE) for i in range(FADE + 1)]
        self._put(CURVE, np.array(rise, np.float32))
        self._put(LINES, np.zeros((2, MAX_FRAMES), np.float32))
        self._put(WINDOWS, np.zeros(2 * WINDOW, np.float32))
        self._put(PLACES, np.zeros(MAX_FRAMES, np.int64))
        self._put(PARTS, np.zeros(MAX_FRAMES, np.float32))
        self._put(SMOOTHED, np.zeros((slots, 2)))
        self._put(MIXED, np.zeros((buses, channels, MAX_FRAMES), np.float32))


def _reverb_lengths(rate: int, channels: int) -> Array:
    """Return the lengths of the filters of each channel, int64 (channels, COMBS + ALL_PASSES)."""
    frames = np.array(TUNING) + SPREAD * np.arange(channels)[:, None]
    return np.maximum(1, np.rint(frames * (rate / 44100))).astype(np.int64)
