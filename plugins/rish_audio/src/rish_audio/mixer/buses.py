"""Mixes the buses: each passes through its effects and is added to its parent, the master last. Measures their
levels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import array_at, maths, njit

from ..components.block import (
    BUS_COLUMNS,
    DELAY,
    DELAY_FEEDBACK,
    DELAY_MIX,
    DUCK_ATTACK,
    DUCK_BY,
    DUCK_GAIN,
    DUCK_RELEASE,
    DUCK_THRESHOLD,
    GAIN,
    HIGH_PASS,
    LIMIT,
    LOW_PASS,
    MAX_FRAMES,
    PARENT,
    REVERB_DAMP,
    REVERB_MIX,
    REVERB_ROOM,
)  # fmt: skip
from .delay_reverb import ALL_PASSES, COMBS, delay_bus, reverb_bus
from .filters import filter_bus, limit_bus
from .state import (
    BUSES,
    CHANNELS,
    COMB_STATES,
    CONTROL,
    CONTROLS,
    DELAY_COUNTS,
    DELAY_LINE,
    DELAYS,
    DUCK,
    FILTERS,
    FRAMES_MIXED,
    LAST_ROWS,
    LEVEL,
    LEVEL_COLUMNS,
    LEVELS,
    LIMITER,
    LINES,
    MIXED,
    PEAK,
    RATE,
    REVERB_LINE,
    REVERB_RINGS,
    REVERBS,
    RING,
    RMS,
    ROWS,
)  # fmt: skip

RELEASE_SECONDS = 0.2
"""The time in seconds in which the limiter's reduction falls to 1/e."""


@njit(borrows=True)
def mix_buses(table: Any, entry: Any, frames: Any) -> None:
    """Apply the effects of all buses, and add each bus to its parent. table: of a `State`. entry: of the queue."""
    buses, channels, ring = table[BUSES], table[CHANNELS], table[RING]
    time = array_at(table[CONTROL], CONTROLS, np.int64)[FRAMES_MIXED]
    rows = array_at(table[ROWS], (ring, buses, BUS_COLUMNS), np.float64)[entry]
    last = array_at(table[LAST_ROWS], (buses, BUS_COLUMNS), np.float64)
    mixed = array_at(table[MIXED], (buses, channels, MAX_FRAMES), np.float32)
    levels = array_at(table[LEVELS], (buses, LEVEL_COLUMNS), np.float64)
    poles = array_at(table[FILTERS], (buses, 2, channels, 2), np.float64)
    delays = array_at(table[DELAYS], (buses, channels, table[DELAY_LINE]), np.float32)
    counts = array_at(table[DELAY_COUNTS], (buses, 2), np.int64)
    rings = array_at(table[REVERB_RINGS], (channels, COMBS + ALL_PASSES, 2), np.int64)
    reverbs = array_at(table[REVERBS], (buses, channels, table[REVERB_LINE]), np.float32)
    states = array_at(table[COMB_STATES], (buses, channels, COMBS), np.float64)
    work = array_at(table[LINES], (2, MAX_FRAMES), np.float32)
    peak = array_at(table[PEAK], (buses, channels), np.float32)
    rms = array_at(table[RMS], (buses, channels), np.float32)
    release = maths.exp(-1.0 / (RELEASE_SECONDS * table[RATE]))
    for bus in range(buses - 1, -1, -1):
        row, row_before, buffer = rows[bus], rows[bus] if time == 0 else last[bus], mixed[bus]
        filter_bus(buffer, frames, row_before[LOW_PASS], row[LOW_PASS], np.bool_(False), poles[bus, 0])
        filter_bus(buffer, frames, row_before[HIGH_PASS], row[HIGH_PASS], np.bool_(True), poles[bus, 1])
        parameters = (row_before[DELAY], row_before[DELAY_FEEDBACK], row_before[DELAY_MIX])
        delay_bus(
            buffer, frames, parameters, (row[DELAY], row[DELAY_FEEDBACK], row[DELAY_MIX]), delays[bus], counts[bus]
        )
        parameters = (row_before[REVERB_MIX], row_before[REVERB_ROOM], row_before[REVERB_DAMP])
        two = (row[REVERB_MIX], row[REVERB_ROOM], row[REVERB_DAMP])
        reverb_bus(buffer, frames, parameters, two, rings, reverbs[bus], states[bus], time, work)
        duck = levels[bus, DUCK]
        levels[bus, DUCK] = _ducked(row, levels, duck, frames)
        scale_bus(buffer, frames, row_before[GAIN] * duck, row[GAIN] * levels[bus, DUCK])
        levels[bus, LIMITER] = limit_bus(buffer, frames, row_before[LIMIT], row[LIMIT], release, levels[bus, LIMITER])
        measure_bus(buffer, frames, peak[bus], rms[bus])
        parent = int(row[PARENT])
        if 0 <= parent < bus:
            for c in range(channels):
                for n in range(frames):
                    mixed[parent, c, n] += buffer[c, n]
    for bus in range(buses):
        levels[bus, LEVEL] = 0.0
        for c in range(channels):
            levels[bus, LEVEL] = max(levels[bus, LEVEL], np.float64(peak[bus, c]))
        for i in range(BUS_COLUMNS):
            last[bus, i] = rows[bus, i]


@njit(borrows=True)
def _ducked(row: Any, levels: Any, duck: Any, frames: Any) -> Any:
    """Return the factor of ducking at the end of a block, from the peak of the other bus in the previous block."""
    by = int(row[DUCK_BY])
    loud = 0 <= by < levels.shape[0] and levels[by, LEVEL] > row[DUCK_THRESHOLD]
    goal = row[DUCK_GAIN] if loud else 1.0
    time = row[DUCK_ATTACK] if goal < duck else row[DUCK_RELEASE]
    return goal + (duck - goal) * (maths.exp(-frames / time) if time > 0.0 else 0.0)


@njit(borrows=True)
def scale_bus(buffer: Any, frames: Any, gain: Any, gain_end: Any) -> None:
    """Scale the channels of a bus by a gain that changes linearly."""
    if gain == 1.0 and gain_end == 1.0:
        return
    g, change = np.float32(gain), np.float32((gain_end - gain) / frames)
    for c in range(buffer.shape[0]):
        line = buffer[c]
        for n in range(frames):
            line[n] *= g + change * np.float32(n)


@njit(borrows=True)
def measure_bus(buffer: Any, frames: Any, peak: Any, rms: Any) -> None:
    """Write the greatest absolute sample and the root of the mean square of each channel of a bus."""
    for c in range(buffer.shape[0]):
        line, loudest, total = buffer[c], 0.0, 0.0
        for n in range(frames):
            value = np.float64(line[n])
            loudest = max(loudest, abs(value))
            total += value * value
        peak[c], rms[c] = np.float32(loudest), np.float32(np.sqrt(total / frames))
