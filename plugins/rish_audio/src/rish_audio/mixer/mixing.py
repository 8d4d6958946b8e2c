"""The mixer: blocks become samples, at once and in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs.jit import njit

from ..components.block import BUS_COLUMNS, CLIP_COLUMNS, FLAGS, FRAMES, MAX_FRAMES, SILENT, Block
from .buses import mix_buses
from .state import LAST_FRAMES, MIXED, RENDERED, WAVE, State, unpack
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
    control[MIXED] += frames


@njit(borrows=True)
def mix_staged(address: Any) -> Any:
    """Mix the first entry of the ring; return its frames. address: of the table of a `State`."""
    state = unpack(address)
    mix_entry(state, 0)
    return state[0][RENDERED]


class Mixer:
    """Mixes blocks to samples in memory. The samples depend only on the blocks and the clips.

    rate: frames per second. channels: of the output, 1 to 8. slots, buses: of the blocks.
    """

    def __init__(self, rate: int, channels: int, slots: int, buses: int) -> None:
        self.rate, self.channels = rate, channels
        self._state = State(rate, channels, slots, buses, 1, np.zeros((0, CLIP_COLUMNS), np.int64))

    def mix(self, block: Block, clips: Array, out: Array | None = None) -> Array:
        """Mix a block; return float32 (frames, channels). clips: int64 (rows, CLIP_COLUMNS). out: is filled if given."""
        state = self._state
        state.use_clips(clips)
        state.write(0, block)
        frames = mix_staged(state.address)
        mixed = state.out[:frames]
        if out is None:
            return mixed.copy()
        out[:frames] = mixed
        return out[:frames]

    @property
    def peak(self) -> Array:
        """The greatest absolute sample of each bus in the last block, float32 (buses, channels)."""
        return self._state.peak

    @property
    def rms(self) -> Array:
        """The root of the mean square of each bus in the last block, float32 (buses, channels)."""
        return self._state.rms

    @property
    def wave(self) -> Array:
        """The last 4096 frames of the output in their order, float32 (4096, channels); a copy."""
        return self._state.newest()
