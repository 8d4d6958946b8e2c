"""The mixer of a sound card: blocks wait in a queue, and the card's callback mixes them when it needs samples.

One thread writes blocks and another reads them, without a lock: each changes only its own counter, the writer after the
block is complete. If the queue is empty because the game is late, the mixer *holds*: it continues all voices at their
rates and gains, so that there is no gap. After a second of that they fade out. When blocks arrive again, and more than
enough of them wait, the mixer skips as many blocks as it held, because their time has been played; otherwise voices
jump back, with a cross-fade.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array

from ..components.block import CLIP_COLUMNS, FRAMES, RATE_BEGIN, RATE_END, Block
from .mixing import Mixing
from .state import GIVEN, HELD, LATE, NEWEST, READ, RENDERED, SKIPPED, START, TAKEN, State

REFUSAL_BLOCKS = 32
"""The number of blocks after which a block is refused if at all times more blocks waited than needed."""
SMOOTHING = 1 / 64
"""The weight of each new measurement in the average number of waiting frames."""


class LiveMixer(Mixing):
    """A mixer with a queue of blocks, for a sound card.

    rate, channels, slots, buses: see `Mixer`. room: blocks of the queue. start: blocks that must wait before the first
    sample is heard, and again after a hold. latency: the number of blocks that should wait on average; None for any
    number. With a latency, `push` refuses blocks while much more wait, until the latency is reached, and one block if
    for half a second never fewer than a block too many waited. Small differences, as between the clocks of the computer
    and the card, are corrected: while the average differs by more than half a block, each block gets one frame more or
    less, and rates that lead to the same positions. That is inaudible (2 cents), and corrects 0.1 % of drift.
    """

    def __init__(
        self,
        rate: int,
        channels: int,
        slots: int,
        buses: int,
        *,
        room: int = 32,
        start: int = 2,
        latency: float | None = None,
    ) -> None:
        super().__init__(State(rate, channels, slots, buses, room, np.zeros((0, CLIP_COLUMNS), np.int64)))
        self._room, self._latency = room, latency
        self._average = latency or 0.0
        self._refusing = False
        self._least, self._pushed = room, 0
        self.state.control[START] = start
        self._refused = 0

    @property
    def control(self) -> Array:
        """The array whose address the kernel `deliver` needs; it keeps nothing alive, so keep the mixer."""
        return self.state.table

    @property
    def pending(self) -> int:
        """The number of frames in the queue."""
        control = self.state.control
        read, written = int(control[TAKEN]), int(control[GIVEN])
        entries = [index % self._room for index in range(read, written)]
        return int(self.state.ring.head[entries, FRAMES].sum() + control[RENDERED] - control[READ])

    @property
    def newest(self) -> int:
        """The sequence of the newest block that was taken from the queue."""
        return int(self.state.control[NEWEST])

    @property
    def counters(self) -> dict[str, int]:
        """The counters since the start. held: blocks that were repeated because none waited; late: the number of times
        that this began; skipped: blocks that were skipped after that; refused: blocks that `push` refused.
        """
        names = {"held": HELD, "late": LATE, "skipped": SKIPPED}
        return {name: int(self.state.control[at]) for name, at in names.items()} | {"refused": self._refused}

    def push(self, block: Block, clips: Array) -> bool:
        """Add a block to the queue; return False if it was refused, because too many wait.

        clips: the clip table, int64 (rows, CLIP_COLUMNS).
        """
        control = self.state.control
        waiting = int(control[GIVEN] - control[TAKEN])
        if waiting >= self._room or self._too_many(waiting):
            self._refused += 1
            return False
        entry = int(control[GIVEN]) % self._room
        self.state.use_clips(clips)
        self.state.write(entry, block)
        if self._latency is not None:
            unread = float(control[RENDERED] - control[READ]) / max(block.head[FRAMES], 1.0)
            self._average += SMOOTHING * (waiting + unread - self._average)
            self._adjust(entry, self._average - self._latency)
        control[GIVEN] += 1
        return True

    def _too_many(self, waiting: int) -> bool:
        if self._latency is None:
            return False
        self._refusing = waiting > (self._latency if self._refusing else 2 * self._latency + 2)
        self._least, self._pushed = min(self._least, waiting), self._pushed + 1
        if self._pushed < REFUSAL_BLOCKS:
            return self._refusing
        always = self._least >= self._latency + 1
        self._least, self._pushed = self._room, 0
        return self._refusing or always

    def _adjust(self, entry: int, excess: float) -> None:
        """Make a block one frame shorter if too many frames wait, and one frame longer if too few wait."""
        ring = self.state.ring
        frames = ring.head[entry, FRAMES]
        if abs(excess) > 0.5 and frames > 1:
            ring.head[entry, FRAMES] -= np.sign(excess)
            ring.real[entry, :, RATE_BEGIN : RATE_END + 1] *= frames / ring.head[entry, FRAMES]
