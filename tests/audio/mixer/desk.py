"""A stand-in for the World: clips, voices that play them, and the blocks of ticks."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import numpy as np

from rish_audio import Block, Mixer
from rish_audio.components import block as b
from rish_jit import Array

RATE = 44100


class Desk:
    """Voices in slots, whose positions go on from block to block. Blocks are `block`, with bus 0 at a gain of 1."""

    def __init__(self, *, channels: int = 1, slots: int = 2, buses: int = 1, frames: int = 735) -> None:
        self.now = Block.empty(slots, channels, buses)
        self.now.head[b.FRAMES] = frames
        self.now.buses[:, [b.PARENT, b.GAIN, b.DUCK_BY]] = 0.0, 1.0, -1.0
        self.now.buses[0, b.PARENT] = -1
        self.now.real[:, b.CUTOFF] = 0.5
        self.now.whole[:, b.SEND] = -1
        self.clips = np.zeros((0, b.CLIP_COLUMNS), np.int64)
        self._kept: list[Array] = []
        self._serial = 0

    def mixer(self) -> Mixer:
        """Return a new mixer for these blocks."""
        slots, _, channels = self.now.gains.shape
        return Mixer(RATE, channels, slots, len(self.now.buses))

    def clip(self, samples: Any, *, first: int = 0, end: int | None = None, length: int | None = None) -> int:
        """Add a clip and return its row. samples: (frames,) or (frames, channels)."""
        array = np.array(samples, np.float32)
        array = np.ascontiguousarray(array.reshape(len(array), -1))
        self._kept.append(array)
        frames = len(array)
        row = np.zeros(b.CLIP_COLUMNS, np.int64)
        row[: b.LENGTH + 1] = array.ctypes.data, array.shape[1], frames, first, frames, frames
        row[b.END] = frames if end is None else end
        row[b.LENGTH] = frames if length is None else length
        self.clips = np.vstack([self.clips, row])
        return len(self.clips) - 1

    def sine(self, hertz: float, seconds: float = 2.0) -> int:
        """Add a sine of amplitude 1 and return its row."""
        return self.clip(np.sin(2 * np.pi * hertz / RATE * np.arange(int(RATE * seconds))))

    def play(self, clip: int, slot: int = 0, *, at: float = 0.0, rate: float = 1.0, gain: Any = 1.0) -> None:
        """Start a voice in a slot. gain: (channels,) or (2, channels)."""
        self._serial += 1
        self.now.whole[slot] = 0
        self.now.whole[slot, [b.SERIAL, b.CLIP, b.SEND]] = self._serial, clip, -1
        self.now.real[slot] = 0.0
        self.now.real[slot, [b.POSITION, b.RATE_BEGIN, b.RATE_END, b.CUTOFF]] = at, rate, rate, 0.5
        self.now.gains[slot] = gain

    def loop(self, begin: int, end: int, slot: int = 0) -> None:
        """Make a voice repeat these frames."""
        self.now.whole[slot, [b.LOOPS, b.LOOP_BEGIN, b.LOOP_END]] = 1, begin, end

    def take(self) -> Block:
        """Return a copy of the block, and go on to the next one."""
        taken = deepcopy(self.now)
        head, real = self.now.head, self.now.real
        head[b.SEQUENCE] += 1
        real[:, b.POSITION] += head[b.FRAMES] * (real[:, b.RATE_BEGIN] + real[:, b.RATE_END]) / 2
        real[:, b.RATE_BEGIN] = real[:, b.RATE_END]
        return taken

    def run(self, mixer: Mixer, blocks: int = 1) -> Array:
        """Mix blocks; return float32 (frames, channels)."""
        return np.concatenate([mixer.mix(self.take(), self.clips) for _ in range(blocks)])

    def mix_all(self, blocks: Iterable[Block]) -> Array:
        """Mix blocks by a new mixer; return float32 (frames, channels)."""
        mixer = self.mixer()
        return np.concatenate([mixer.mix(block, self.clips) for block in blocks])
