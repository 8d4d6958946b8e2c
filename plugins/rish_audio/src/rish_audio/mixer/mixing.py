"""The mixer: blocks become samples, at once and in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs.jit import njit

from ..components.block import BUS_COLUMNS, CLIP_COLUMNS, FLAGS, FRAMES, MAX_FRAMES, SILENT, Block
from .buses import mix_buses
from .state import LAST_FRAMES, MIXED, READ, RENDERED, WAVE, State, unpack
from .voices import mix_voices

Array = npt.NDArray[Any]


@njit(borrows=True)
def mix_entry(state: Any, entry: Any) -> None:
    """Mix one entry of the ring of blocks into `out`, interleaved."""
    control, (heads, wholes, reals, gains, buses), last, shown, clips, scratch, effects, rate = state
    last_whole, last_real, last_gains, last_buses = last
    peak, rms, wave, out = shown
    mixed = scratch[6]
    frames = min(max(int(heads[entry, FRAMES]), 1), MAX_FRAMES)
    silent = int(heads[entry, FLAGS]) & SILENT != 0
    channels = mixed.shape[1]
    for bus in range(mixed.shape[0]):
        for c in range(channels):
            for n in range(frames):
                mixed[bus, c, n] = np.float32(0)
    block = (wholes[entry], reals[entry], gains[entry])
    if control[MIXED] == 0:
        for bus in range(mixed.shape[0]):
            for i in range(BUS_COLUMNS):
                last_buses[bus, i] = buses[entry, bus, i]
    mix_voices(block, (last_whole, last_real, last_gains), clips, scratch, frames, silent)
    mix_buses(buses[entry], last_buses, mixed, effects, (peak, rms), scratch[0], frames, (control[MIXED], rate))
    for c in range(channels):
        for n in range(frames):
            out[n * channels + c] = mixed[0, c, n]
            wave[(control[MIXED] + n) % WAVE, c] = mixed[0, c, n]
    control[LAST_FRAMES] = control[RENDERED] = frames
    control[READ] = 0
    control[MIXED] += frames


@njit(borrows=True)
def mix_staged(address: Any) -> Any:
    """Mix the first entry of the ring; return its frames. address: of the table of a `State`."""
    state = unpack(address)
    mix_entry(state, 0)
    return state[0][RENDERED]


class Mixing:
    """What all mixers have: a state, and what can be read of it at any time."""

    def __init__(self, state: State) -> None:
        self.state = state

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
        return np.roll(self.state.wave, -int(self.state.control[MIXED]) % WAVE, axis=0)

    @property
    def frames(self) -> int:
        """How many frames were mixed."""
        return int(self.state.control[MIXED])


class Mixer(Mixing):
    """Mixes blocks to samples in memory. The samples depend only on the blocks and the clips.

    rate: frames per second. channels: of the output, 1 to 8. slots, buses: of the blocks.
    """

    def __init__(self, rate: int, channels: int, slots: int, buses: int) -> None:
        super().__init__(State(rate, channels, slots, buses, 0, np.zeros((0, CLIP_COLUMNS), np.int64)))

    def mix(self, block: Block, clips: Array, out: Array | None = None) -> Array:
        """Mix a block and return its samples, float32 (frames, channels): a new array, or the begin of `out`.

        clips: int64 (rows, CLIP_COLUMNS).
        """
        self.state.use_clips(clips)
        self.state.write(0, block)
        frames = mix_staged(self.state.address)
        if out is None:
            return self.state.out[:frames].copy()
        out[:frames] = self.state.out[:frames]
        return out[:frames]
