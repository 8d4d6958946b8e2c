"""The mixer of a sound card: blocks wait in a queue, and the card's callback mixes them when it needs samples.

One thread gives blocks and another takes them, without a lock: each writes only its own counter, the giver after the
block is complete. If the queue is empty because the game is late, the mixer *holds*: it goes on with all voices at
their rates and gains, so that nothing breaks off. After a second of that they fade out. When blocks come again, as many
of them as were held are passed over if more than enough wait, since their time has been played; otherwise voices jump
back, with a cross-fade.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs.jit import array_at, njit

from ..components.block import (
    CLIP,
    FLAGS,
    FRAMES,
    RATE_BEGIN,
    RATE_END,
    SEQUENCE,
    SERIAL,
    SILENT,
    Block,
)
from .mixing import Mixing, mix_entry
from .state import (
    GIVEN,
    HELD,
    HOLDING,
    LAST_FRAMES,
    LATE,
    NEWEST,
    READ,
    RENDERED,
    SKIPPED,
    START,
    TAKEN,
    State,
    unpack,
)

Array = npt.NDArray[Any]

SMOOTHING = 1 / 64
"""The share of each new measure in the average of how much waits."""


@njit(callback=True, borrows=True)
def deliver_at(address: Any, out: Any, frames: Any) -> None:
    """Write the next samples, interleaved, to an address. The function that a sound card's callback calls.

    address: of the table of a `State`. out: of float32 (frames, channels). Types: (i8, i8, i8).
    """
    state = unpack(address)
    control, rendered, channels = state[0], state[3][3], state[3][2].shape[1]
    samples = array_at(out, frames * channels, np.float32)
    done = 0
    while done < frames and (control[READ] < control[RENDERED] or _mix_next(state)):
        count = min(frames - done, control[RENDERED] - control[READ])
        begin = control[READ] * channels
        for i in range(count * channels):
            samples[done * channels + i] = rendered[begin + i]
        control[READ] += count
        done += count
    for i in range(done * channels, frames * channels):
        samples[i] = np.float32(0)


@njit(borrows=True)
def _mix_next(state: Any) -> Any:
    """Mix the next block, or repeat the last one; return False while there is nothing to play."""
    control, heads, rate = state[0], state[1][0], state[7]
    ring = heads.shape[0] - 1
    waiting, start = control[GIVEN] - control[TAKEN], control[START]
    going_on = control[TAKEN] > 0 and control[HOLDING] == 0
    if waiting > 0 and (going_on or waiting >= start):
        skipped = max(0, min(control[HOLDING], waiting - max(start, 1)))
        control[TAKEN] += skipped
        control[SKIPPED] += skipped
        entry = control[TAKEN] % ring
        mix_entry(state, entry)
        control[NEWEST] = int(heads[entry, SEQUENCE])
        control[HOLDING] = 0
        control[TAKEN] += 1
        return True
    if control[LAST_FRAMES] == 0:
        return False
    _repeat(state, ring)
    heads[ring, FLAGS] = SILENT if control[HOLDING] * control[LAST_FRAMES] > rate else 0
    control[LATE] += 1 if control[HOLDING] == 0 else 0
    control[HOLDING] += 1
    control[HELD] += 1
    mix_entry(state, ring)
    return True


@njit(borrows=True)
def _repeat(state: Any, entry: Any) -> None:
    """Write into an entry of the ring how the last block goes on."""
    heads, wholes, reals, gains, buses = state[1]
    last_whole, last_real, last_gains, last_buses = state[2]
    heads[entry, FRAMES] = state[0][LAST_FRAMES]
    for slot in range(last_whole.shape[0]):
        for i in range(last_whole.shape[1]):
            wholes[entry, slot, i] = last_whole[slot, i]
        for i in range(last_real.shape[1]):
            reals[entry, slot, i] = last_real[slot, i]
        reals[entry, slot, RATE_BEGIN] = last_real[slot, RATE_END]
        for c in range(2):
            for out in range(last_gains.shape[2]):
                gains[entry, slot, c, out] = last_gains[slot, c, out]
    for bus in range(last_buses.shape[0]):
        for i in range(last_buses.shape[1]):
            buses[entry, bus, i] = last_buses[bus, i]


class LiveMixer(Mixing):
    """A mixer with a queue of blocks, for a sound card.

    rate, channels, slots, buses: as of `Mixer`. clips: the clip table, int64 (rows, CLIP_COLUMNS), the same array for
    all time. room: blocks of the queue. start: blocks that must wait before the first sample is heard, and again after
    a hold. latency: blocks that should wait on average; None: whatever waits. With a latency, `push` refuses blocks
    while twice as many and more wait, until the latency is reached. Small differences, as between the clocks of the
    computer and the card, are corrected: while the average differs by more than half a block, each block gets one frame
    more or less, and rates that lead to the same positions. That is inaudible (2 cents), and corrects 0.1 % of drift.
    """

    def __init__(
        self,
        rate: int,
        channels: int,
        slots: int,
        buses: int,
        clips: Array,
        room: int = 32,
        start: int = 2,
        latency: float | None = None,
    ) -> None:
        super().__init__(State(rate, channels, slots, buses, room, clips))
        self._room, self._latency = room, latency
        self._average = latency or 0.0
        self._refusing = False
        self.state.control[START] = start
        self.dropped = 0

    @property
    def address(self) -> int:
        """The address that `deliver_at` needs; the mixer must live as long as it is used."""
        return self.state.address

    @property
    def pending(self) -> int:
        """How many blocks wait."""
        return int(self.state.control[GIVEN] - self.state.control[TAKEN])

    @property
    def newest(self) -> int:
        """The sequence of the newest block that was taken from the queue."""
        return int(self.state.control[NEWEST])

    @property
    def held(self) -> int:
        """How many blocks were repeated because none waited."""
        return int(self.state.control[HELD])

    @property
    def late(self) -> int:
        """How often the queue was empty when a block was needed."""
        return int(self.state.control[LATE])

    @property
    def skipped(self) -> int:
        """How many blocks were passed over after a hold."""
        return int(self.state.control[SKIPPED])

    def push(self, block: Block) -> bool:
        """Add a block to the queue; return False if it was dropped, because too many wait."""
        control, pending = self.state.control, self.pending
        if pending >= self._room or self._too_many(pending):
            self.dropped += 1
            return False
        entry = int(control[GIVEN]) % self._room
        self.state.write(entry, block)
        if self._latency is not None:
            unread = (control[RENDERED] - control[READ]) / max(block.head[FRAMES], 1.0)
            self._average += SMOOTHING * (pending + float(unread) - self._average)
            self._adjust(entry, self._average - self._latency)
        control[GIVEN] += 1
        return True

    def deliver(self, out: Array) -> None:
        """Write the next samples into `out`, float32 (frames, channels), as a sound card's callback does."""
        deliver_at(self.state.address, out.ctypes.data, len(out))

    def clips_in_use(self) -> set[int]:
        """Return the rows of the clip table that waiting blocks and the newest one need; others can be released."""
        taken, given = int(self.state.control[TAKEN]), int(self.state.control[GIVEN])
        entries = [index % self._room for index in range(max(taken - 1, 0), given)]
        wholes = [*self.state.ring.whole[entries], self.state.last.whole]
        return {int(row) for whole in wholes for row in whole[whole[:, SERIAL] != 0, CLIP]}

    def _too_many(self, pending: int) -> bool:
        if self._latency is None:
            return False
        self._refusing = pending > (self._latency if self._refusing else 2 * self._latency + 2)
        return self._refusing

    def _adjust(self, entry: int, excess: float) -> None:
        """Make a block shorter if too much waits, and longer if too little."""
        ring = self.state.ring
        frames = ring.head[entry, FRAMES]
        if abs(excess) > 0.5 and frames > 1:
            ring.head[entry, FRAMES] -= np.sign(excess)
            ring.real[entry, :, RATE_BEGIN : RATE_END + 1] *= frames / ring.head[entry, FRAMES]
