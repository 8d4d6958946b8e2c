"""The mixer: computes samples from blocks, immediately and in memory, or when a sound card needs them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, array_at, njit

from ..components.block import (
    BUS_COLUMNS,
    CLIP_COLUMNS,
    FLAGS,
    FRAMES,
    HEAD,
    MAX_FRAMES,
    RATE_BEGIN,
    RATE_END,
    REALS,
    SEQUENCE,
    SILENT,
    WHOLES,
    Block,
)  # fmt: skip
from .buses import mix_buses
from .state import (
    BUSES,
    CHANNELS,
    CONTROL,
    CONTROLS,
    FRAMES_MIXED,
    GAINS,
    GIVEN,
    HEADS,
    HELD,
    HOLDING,
    LAST_FRAMES,
    LAST_GAINS,
    LAST_REAL,
    LAST_ROWS,
    LAST_WHOLE,
    LATE,
    MIXED,
    NEWEST,
    OUT,
    RATE,
    READ,
    REAL,
    RENDERED,
    RING,
    ROWS,
    SELF,
    SKIPPED,
    SLOTS,
    START,
    TABLE,
    TAKEN,
    WAVE,
    WAVES,
    WHOLE,
    State,
)  # fmt: skip
from .voices import mix_voices

LOUDEST = 1e6
"""Larger samples and NaN are replaced by 0: they come from a broken clip."""


@njit(callback=True, borrows=True)
def deliver(device: Any, out: Any, _unused: Any, frames: Any) -> None:
    """Write the next samples; a sound card's callback. Types: (i8, i8, i8, u4).

    device: the address of a structure whose seventh word of 64 bits is the address of the table of a `State`, as in
    that of a device of miniaudio, and in the table itself. out: the address of float32 (frames, channels).
    """
    table = array_at(array_at(device, SELF + 1, np.int64)[SELF], TABLE, np.int64)
    control = array_at(table[CONTROL], CONTROLS, np.int64)
    channels, delivered, total = table[CHANNELS], 0, np.int64(frames)
    heads = array_at(table[HEADS], (table[RING], HEAD), np.float64)
    samples = array_at(out, total * channels, np.float32)
    rendered = array_at(table[OUT], MAX_FRAMES * channels, np.float32)
    while delivered < total:
        if control[READ] == control[RENDERED]:
            entry = _next_entry(table, control, heads)
            if entry < 0:
                break
            size = min(max(int(heads[entry, FRAMES]), 1), MAX_FRAMES)
            _clear(table, size)
            mix_voices(table, entry, size, int(heads[entry, FLAGS]) & SILENT != 0)
            mix_buses(table, entry, size)
            _finish(table, control, rendered, size)
        count, begin = min(total - delivered, control[RENDERED] - control[READ]), control[READ] * channels
        for i in range(count * channels):
            samples[delivered * channels + i] = rendered[begin + i]
        control[READ] += count
        delivered += count
    for i in range(delivered * channels, total * channels):
        samples[i] = np.float32(0)


@njit(borrows=True)
def _next_entry(table: Any, control: Any, heads: Any) -> Any:
    """Return the entry of the queue to be mixed next, which may repeat the last block; -1 if nothing can be played."""
    repeated = table[RING] - 1
    waiting, start = control[GIVEN] - control[TAKEN], max(control[START], 1)
    if waiting >= (start if control[TAKEN] == 0 or control[HOLDING] > 0 else 1):
        skipped = max(0, min(control[HOLDING], waiting - start))
        entry = (control[TAKEN] + skipped) % repeated
        control[NEWEST] = int(heads[entry, SEQUENCE])
        control[SKIPPED] += skipped
        control[HOLDING] = 0
        control[TAKEN] += skipped
        return entry
    if control[LAST_FRAMES] == 0:
        return -1
    _repeat(table, repeated)
    heads[repeated, FRAMES] = control[LAST_FRAMES]
    heads[repeated, FLAGS] = SILENT if control[HOLDING] * control[LAST_FRAMES] > table[RATE] else 0
    control[LATE] += 1 if control[HOLDING] == 0 else 0
    control[HOLDING] += 1
    control[HELD] += 1
    return repeated


@njit(borrows=True)
def _repeat(table: Any, entry: Any) -> None:
    """Write into an entry of the queue a block that continues the last one."""
    slots, channels, buses, ring = table[SLOTS], table[CHANNELS], table[BUSES], table[RING]
    whole = array_at(table[WHOLE], (ring, slots * WHOLES), np.int64)[entry]
    real = array_at(table[REAL], (ring, slots * REALS), np.float64)[entry]
    gains = array_at(table[GAINS], (ring, slots * 2 * channels), np.float32)[entry]
    rows = array_at(table[ROWS], (ring, buses * BUS_COLUMNS), np.float64)[entry]
    last_whole = array_at(table[LAST_WHOLE], slots * WHOLES, np.int64)
    last_real = array_at(table[LAST_REAL], slots * REALS, np.float64)
    last_gains = array_at(table[LAST_GAINS], slots * 2 * channels, np.float32)
    last_rows = array_at(table[LAST_ROWS], buses * BUS_COLUMNS, np.float64)
    for i in range(len(whole)):
        whole[i] = last_whole[i]
    for i in range(len(real)):
        real[i] = last_real[i]
    for slot in range(slots):
        real[slot * REALS + RATE_BEGIN] = real[slot * REALS + RATE_END]
    for i in range(len(gains)):
        gains[i] = last_gains[i]
    for i in range(len(rows)):
        rows[i] = last_rows[i]


@njit(borrows=True)
def _clear(table: Any, frames: Any) -> None:
    """Silence the buffers of all buses."""
    lines = table[BUSES] * table[CHANNELS]
    mixed = array_at(table[MIXED], (lines, MAX_FRAMES), np.float32)
    for line in range(lines):
        for n in range(frames):
            mixed[line, n] = np.float32(0)


@njit(borrows=True)
def _finish(table: Any, control: Any, rendered: Any, frames: Any) -> None:
    """Write the samples of the master, interleaved, to the buffer of `deliver` and to the buffer of the display."""
    channels = table[CHANNELS]
    master = array_at(table[MIXED], (channels, MAX_FRAMES), np.float32)
    waves = array_at(table[WAVES], (WAVE, channels), np.float32)
    for c in range(channels):
        for n in range(frames):
            sample = master[c, n] if abs(master[c, n]) < LOUDEST else np.float32(0)
            rendered[n * channels + c] = waves[(control[FRAMES_MIXED] + n) % WAVE, c] = sample
    control[TAKEN] += 1 if control[HOLDING] == 0 else 0  # from now on the block's entry may be overwritten
    control[LAST_FRAMES] = control[RENDERED] = frames
    control[READ] = 0
    control[FRAMES_MIXED] += frames


class Mixing:
    """The base class of mixers: it has the state, and properties that can be read at any time."""

    deliver = deliver

    def __init__(self, state: State) -> None:
        self.state = state

    def read(self, out: Array) -> None:
        """Write the next samples into `out`, float32 (frames, channels) in C order, as a sound card's callback does."""
        deliver(int(self.state.table[SELF]), out.ctypes.data, 0, np.uint32(len(out)))

    @property
    def peak(self) -> Array:
        """The greatest absolute sample of each bus in the newest block, float32 (buses, channels)."""
        return self.state.peak

    @property
    def rms(self) -> Array:
        """The root of the mean square of each bus in the newest block, float32 (buses, channels)."""
        return self.state.rms

    @property
    def wave(self) -> Array:
        """The newest 4096 frames of the output in their order, float32 (4096, channels); a copy."""
        return np.roll(self.state.wave, -self.frames % WAVE, axis=0)

    @property
    def frames(self) -> int:
        """The number of frames that were mixed so far."""
        return int(self.state.control[FRAMES_MIXED])


class Mixer(Mixing):
    """Mixes blocks to samples in memory. The samples depend only on the blocks and the clips.

    rate: frames per second. channels: of the output, 1 to 8. slots, buses: of the blocks. sizes: these three.
    """

    def __init__(self, rate: int, channels: int, slots: int, buses: int) -> None:
        super().__init__(State(rate, channels, slots, buses, 1, np.zeros((0, CLIP_COLUMNS), np.int64)))
        self.sizes = slots, channels, buses

    def mix(self, block: Block, clips: Array, out: Array | None = None) -> Array:
        """Mix a block and return its samples, float32 (frames, channels): a new array, or the begin of `out`.

        clips: int64 (rows, CLIP_COLUMNS). out: in C order.
        """
        frames = min(max(int(block.head[FRAMES]), 1), MAX_FRAMES)
        samples = np.empty((frames, self.sizes[1]), np.float32) if out is None else out[:frames]
        self.state.use_clips(clips)
        self.state.write(0, block)
        self.state.control[GIVEN] += 1
        self.read(samples)
        return samples
