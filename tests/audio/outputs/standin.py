"""A small mixer for tests of devices: it counts what the device asks for, with the time of each call."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_audio.outputs.device import USER_DATA
from rish_ecs.jit import array_at, njit

ROOM = 4096
CALLS, FRAMES, CHANNELS, TIMES, SECONDS, NANOSECONDS, LEVEL, COLUMNS = 0, 1, 2, 3, 4, 5, 6, 8
"""Columns of the control array. TIMES: the address of the nanoseconds of each call, int64 (ROOM,)."""
_CLOCK = 1  # CLOCK_MONOTONIC
_read_clock: Any = ctypes.CDLL(None).clock_gettime
_read_clock.argtypes, _read_clock.restype = (ctypes.c_int, ctypes.c_int64), ctypes.c_int


@njit(callback=True, borrows=True)
def deliver(device, out, unused, frames):
    """Fill the device's samples with a level, and count."""
    address = array_at(device, USER_DATA + 1, np.int64)[USER_DATA]
    control = array_at(address, COLUMNS, np.int64)
    samples = array_at(out, frames * control[CHANNELS], np.float32)
    for i in range(len(samples)):
        samples[i] = control[LEVEL] / 100
    _read_clock(_CLOCK, address + SECONDS * 8)  # writes seconds and nanoseconds
    times = array_at(control[TIMES], ROOM, np.int64)
    times[control[CALLS] % ROOM] = control[SECONDS] * 1_000_000_000 + control[NANOSECONDS]
    control[CALLS] += 1
    control[FRAMES] += frames


class StandIn:
    """Has what an output for sound cards asks of a live mixer."""

    def __init__(self, channels: int = 2) -> None:
        self.deliver: Any = deliver
        self.times = np.zeros(ROOM, np.int64)
        self.control: npt.NDArray[Any] = np.zeros(COLUMNS, np.int64)
        self.control[CHANNELS], self.control[TIMES] = channels, self.times.ctypes.data
        self.pending = 735
        self.pushed: list[Any] = []

    @property
    def counters(self) -> dict[str, int]:
        """The frames that the device asked for."""
        return {"frames": int(self.control[FRAMES])}

    def push(self, block: Any, clips: Any) -> None:
        """Keep a block."""
        self.pushed.append(block)

    @property
    def calls(self) -> npt.NDArray[np.int64]:
        """The times of the calls so far, in nanoseconds."""
        return self.times[: int(self.control[CALLS])].copy()
