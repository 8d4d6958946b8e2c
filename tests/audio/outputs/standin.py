"""Kernels for tests of devices: a small mixer that counts its calls, and a recorder of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_audio.mixer.mixing import deliver as deliver_mixed
from rish_audio.outputs.device import USER_DATA
from rish_jit import array_at, njit

RECORDED = 40_000
"""Frames that a `Recorder` keeps."""
CALLS, FRAMES, CHANNELS, MIXER, KEPT, COLUMNS = 0, 1, 2, 3, 4, 5
"""Columns of the control array. MIXER: the address of a live mixer. KEPT: of the samples that a recorder keeps, float32
(RECORDED, channels)."""


@njit(borrows=True)
def count(address, frames):
    """Count a call and its frames."""
    control = array_at(address, COLUMNS, np.int64)
    control[CALLS] += 1
    control[FRAMES] += frames


@njit(callback=True, borrows=True)
def deliver(device, out, unused, frames):
    """Fill the device's samples with silence, and count."""
    address = array_at(device, USER_DATA + 1, np.int64)[USER_DATA]
    samples = array_at(out, frames * array_at(address, COLUMNS, np.int64)[CHANNELS], np.float32)
    for i in range(len(samples)):
        samples[i] = np.float32(0)
    count(address, frames)


@njit(callback=True, borrows=True)
def deliver_and_record(device, out, unused, frames):
    """Deliver the samples of a live mixer, count, and keep the first samples. See `Recorder`."""
    address = array_at(device, USER_DATA + 1, np.int64)[USER_DATA]
    control = array_at(address, COLUMNS, np.int64)
    deliver_mixed(control[MIXER], out, np.int64(0), frames)
    channels, begin = control[CHANNELS], control[FRAMES]
    kept, samples = (
        array_at(control[KEPT], RECORDED * channels, np.float32),
        array_at(out, frames * channels, np.float32),
    )
    for i in range(min(frames, RECORDED - begin) * channels):
        kept[begin * channels + i] = samples[i]
    count(address, frames)


class StandIn:
    """Has what an output for sound cards asks of a live mixer."""

    counters = dict.fromkeys(("late", "held", "skipped", "refused"), 0)

    def __init__(self, channels: int = 2) -> None:
        self.control: npt.NDArray[Any] = np.zeros(COLUMNS, np.int64)
        self.control[CHANNELS] = channels
        self.pending = 735
        self.pushed: list[Any] = []

    @property
    def frames(self) -> int:
        """The frames that the device asked for."""
        return int(self.control[FRAMES])

    def push(self, block: Any, clips: Any) -> None:
        """Keep a block."""
        self.pushed.append(block)


class Recorder(StandIn):
    """Stands between a device and a live mixer, and keeps the first samples that the device gets."""

    def __init__(self, live: Any, channels: int = 2) -> None:
        super().__init__(channels)
        self.live = live
        self.samples = np.zeros((RECORDED, channels), np.float32)
        self.control[MIXER], self.control[KEPT] = live.control.ctypes.data, self.samples.ctypes.data

    def push(self, block: Any, clips: Any) -> None:
        """Give a block to the mixer."""
        self.live.push(block, clips)
