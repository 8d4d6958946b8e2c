"""The memory of a mixer: all its arrays, and a table of their addresses by which kernels find them.

A sound card's callback is compiled code that gets numbers only. So all kernels get one number, the address of the
table, and `unpack` makes the arrays of it. Nothing is allocated while a mixer runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import maths
from rish_ecs.jit import array_at, njit

from ..components.block import BUS_COLUMNS, CLIP_COLUMNS, HEAD, MAX_FRAMES, REALS, WHOLES, Block
from .echoes import ALL_PASSES, COMBS, SPREAD, TUNING
from .voices import FADE
from .windows import WINDOW

Array = npt.NDArray[Any]

WAVE = 4096
"""Frames of the newest output that are kept, for a display."""

# The table: sizes, then the addresses of arrays.
SLOTS, BUSES, CHANNELS, RING, DELAY, REVERB, CLIPS, RATE, SIZES = 0, 1, 2, 3, 4, 5, 6, 7, 8

# Elements of the control array, int64.
LAST_FRAMES, RENDERED, READ, MIXED, GIVEN, TAKEN, START, HOLDING, HELD, LATE, SKIPPED, NEWEST, CONTROLS = range(13)
"""last_frames: of the newest mixed block; rendered: its frames in `out`, of which `read` were delivered. mixed: all
frames ever mixed. given, taken: blocks that were written into the ring and read from it, ever. start: blocks that must
wait before the first is taken, or the next after a hold. holding: blocks that were repeated since the last one was
taken; held: ever; late: how often that began. skipped: blocks that were passed over because their time had been held.
newest: the sequence of the newest block that was taken."""

# Columns of levels, float64, one row a bus.
DUCK, LIMITER, LEVEL, LEVELS = 0, 1, 2, 4


class State:
    """The arrays of a mixer, by name; `table` is what kernels get.

    ring: how many blocks the queue holds. There is one entry more, for blocks that are repeated.
    """

    def __init__(self, rate: int, channels: int, slots: int, buses: int, ring: int, clips: Array) -> None:
        lengths = _reverb_lengths(rate, channels)
        delay, reverb = 2 * rate, int(lengths.sum(axis=1).max())
        self.shape = (slots, buses, channels, ring, delay, reverb, len(clips), rate)
        self.control = np.zeros(CONTROLS, np.int64)
        self.ring = Block(
            np.zeros((ring + 1, HEAD)),
            np.zeros((ring + 1, slots, WHOLES), np.int64),
            np.zeros((ring + 1, slots, REALS)),
            np.zeros((ring + 1, slots, 2, channels), np.float32),
            np.zeros((ring + 1, buses, BUS_COLUMNS)),
        )
        self.last = Block.empty(slots, channels, buses)
        self.peak, self.rms = np.zeros((buses, channels), np.float32), np.zeros((buses, channels), np.float32)
        self.wave = np.zeros((WAVE, channels), np.float32)
        self.out = np.zeros((MAX_FRAMES, channels), np.float32)
        self.clips = clips
        self.levels = np.zeros((buses, LEVELS))
        self.levels[:, :LEVEL] = 1.0
        rise = np.array([0.5 - 0.5 * maths.cos(maths.PI * i / FADE) for i in range(FADE + 1)], np.float32)
        ends = np.cumsum(lengths, axis=1)
        self.arrays: tuple[Array, ...] = (
            self.control, self.ring.head, self.ring.whole, self.ring.real, self.ring.gains, self.ring.buses,
            self.last.whole, self.last.real, self.last.gains, self.last.buses, self.peak, self.rms, self.wave, self.out,
            self.clips, self.levels, rise,
            np.stack([ends - lengths, lengths], axis=2),
            np.zeros((2, MAX_FRAMES), np.float32),
            np.zeros(2 * WINDOW, np.float32),
            np.zeros(MAX_FRAMES, np.int64),
            np.zeros(MAX_FRAMES, np.float32),
            np.zeros((slots, 2)),
            np.zeros((buses, channels, MAX_FRAMES), np.float32),
            np.zeros((buses, channels, 4 + COMBS)),
            np.zeros((buses, channels, delay), np.float32),
            np.zeros((buses, 2), np.int64),
            np.zeros((buses, channels, reverb), np.float32),
        )  # fmt: skip
        self.table = np.array([*self.shape, *(array.ctypes.data for array in self.arrays)], np.int64)
        self.address = int(self.table.ctypes.data)

    def use_clips(self, clips: Array) -> None:
        """Read another clip table from now on, int64 (rows, CLIP_COLUMNS)."""
        if clips is not self.clips:
            self.clips = clips
            self.table[CLIPS], self.table[SIZES + 14] = len(clips), clips.ctypes.data

    def write(self, entry: int, block: Block) -> None:
        """Copy a block into the ring."""
        ring = self.ring
        ring.head[entry], ring.whole[entry], ring.real[entry] = block.head, block.whole, block.real
        ring.gains[entry], ring.buses[entry] = block.gains, block.buses


def _reverb_lengths(rate: int, channels: int) -> Array:
    """Return the lengths of the filters of each channel, int64 (channels, COMBS + ALL_PASSES)."""
    frames = np.array(TUNING) + SPREAD * np.arange(channels)[:, None]
    return np.maximum(1, np.rint(frames * (rate / 44100))).astype(np.int64)


@njit(borrows=True)
def unpack(address: Any) -> Any:
    """Return the arrays of a state by the address of its table: control, ring, last, meters, buffers and memories."""
    sizes = array_at(address, SIZES, np.int64)
    slots, buses, channels, ring = sizes[SLOTS], sizes[BUSES], sizes[CHANNELS], sizes[RING] + 1
    at = array_at(address, SIZES + 28, np.int64)[SIZES:]
    blocks = (
        array_at(at[1], ring * HEAD, np.float64).reshape((ring, HEAD)),
        array_at(at[2], ring * slots * WHOLES, np.int64).reshape((ring, slots, WHOLES)),
        array_at(at[3], ring * slots * REALS, np.float64).reshape((ring, slots, REALS)),
        array_at(at[4], ring * slots * 2 * channels, np.float32).reshape((ring, slots, 2, channels)),
        array_at(at[5], ring * buses * BUS_COLUMNS, np.float64).reshape((ring, buses, BUS_COLUMNS)),
    )
    last = (
        array_at(at[6], slots * WHOLES, np.int64).reshape((slots, WHOLES)),
        array_at(at[7], slots * REALS, np.float64).reshape((slots, REALS)),
        array_at(at[8], slots * 2 * channels, np.float32).reshape((slots, 2, channels)),
        array_at(at[9], buses * BUS_COLUMNS, np.float64).reshape((buses, BUS_COLUMNS)),
    )
    shown = (
        array_at(at[10], buses * channels, np.float32).reshape((buses, channels)),
        array_at(at[11], buses * channels, np.float32).reshape((buses, channels)),
        array_at(at[12], WAVE * channels, np.float32).reshape((WAVE, channels)),
        array_at(at[13], MAX_FRAMES * channels, np.float32),
    )
    clips = array_at(at[14], sizes[CLIPS] * CLIP_COLUMNS, np.int64).reshape((sizes[CLIPS], CLIP_COLUMNS))
    mixed = array_at(at[23], buses * channels * MAX_FRAMES, np.float32).reshape((buses, channels, MAX_FRAMES))
    scratch = (
        array_at(at[18], 2 * MAX_FRAMES, np.float32).reshape((2, MAX_FRAMES)),
        array_at(at[19], 2 * WINDOW, np.float32),
        array_at(at[20], MAX_FRAMES, np.int64),
        array_at(at[21], MAX_FRAMES, np.float32),
        array_at(at[16], FADE + 1, np.float32),
        array_at(at[22], slots * 2, np.float64).reshape((slots, 2)),
        mixed,
    )
    filters = COMBS + ALL_PASSES
    effects = (
        array_at(at[15], buses * LEVELS, np.float64).reshape((buses, LEVELS)),
        array_at(at[24], buses * channels * (4 + COMBS), np.float64).reshape((buses, channels, 4 + COMBS)),
        array_at(at[25], buses * channels * sizes[DELAY], np.float32).reshape((buses, channels, sizes[DELAY])),
        array_at(at[26], buses * 2, np.int64).reshape((buses, 2)),
        array_at(at[17], channels * filters * 2, np.int64).reshape((channels, filters, 2)),
        array_at(at[27], buses * channels * sizes[REVERB], np.float32).reshape((buses, channels, sizes[REVERB])),
    )
    return array_at(at[0], CONTROLS, np.int64), blocks, last, shown, clips, scratch, effects, sizes[RATE]
