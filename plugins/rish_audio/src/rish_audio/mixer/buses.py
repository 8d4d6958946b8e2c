"""Buses: children go through their effects and into their parents, the master comes last; levels are measured."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs import maths
from rish_ecs.jit import njit

from ..components.block import (
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
    PARENT,
    REVERB_DAMP,
    REVERB_MIX,
    REVERB_ROOM,
)
from .echoes import delay_bus, reverb_bus
from .filters import filter_bus, limit_bus
from .state import DUCK, LEVEL, LIMITER

RELEASE_SECONDS = 0.2
"""In which the limiter's reduction falls to 1/e."""


@njit(borrows=True)
def mix_buses(rows: Any, last: Any, mixed: Any, effects: Any, meters: Any, work: Any, frames: Any, times: Any) -> None:
    """Send all buses through their effects and into their parents.

    rows, last: of `Block.buses`, of this block and the one before. mixed: float32 (buses, channels, MAX_FRAMES).
    effects: memories, see `unpack`. meters: peak and rms, float32 (buses, channels). work: float32 (2, MAX_FRAMES).
    times: frames mixed before, and the sample rate.
    """
    levels, memory, delays, counts, filters, rings = effects
    mixed_before, rate = times
    for bus in range(rows.shape[0] - 1, -1, -1):
        row, old, buffer = rows[bus], last[bus], mixed[bus]
        filter_bus(buffer, frames, old[LOW_PASS], row[LOW_PASS], False, memory[bus])
        filter_bus(buffer, frames, old[HIGH_PASS], row[HIGH_PASS], True, memory[bus, :, 2:])
        before = (old[DELAY], old[DELAY_FEEDBACK], old[DELAY_MIX])
        after = (row[DELAY], row[DELAY_FEEDBACK], row[DELAY_MIX])
        delay_bus(buffer, frames, before, after, delays[bus], counts[bus])
        before = (old[REVERB_MIX], old[REVERB_ROOM], old[REVERB_DAMP])
        after = (row[REVERB_MIX], row[REVERB_ROOM], row[REVERB_DAMP])
        reverb_bus(buffer, frames, before, after, filters, rings[bus], memory[bus, :, 4:], mixed_before, work)
        duck = levels[bus, DUCK]
        levels[bus, DUCK] = _ducked(row, levels, duck, frames)
        scale_bus(buffer, frames, old[GAIN] * duck, row[GAIN] * levels[bus, DUCK])
        release = maths.exp(-1.0 / (RELEASE_SECONDS * rate))
        levels[bus, LIMITER] = limit_bus(buffer, frames, old[LIMIT], row[LIMIT], release, levels[bus, LIMITER])
        measure_bus(buffer, frames, meters[0][bus], meters[1][bus])
        parent = int(row[PARENT])
        if 0 <= parent < bus:
            for c in range(buffer.shape[0]):
                for n in range(frames):
                    mixed[parent, c, n] += buffer[c, n]
    for bus in range(rows.shape[0]):
        levels[bus, LEVEL] = 0.0
        for c in range(mixed.shape[1]):
            levels[bus, LEVEL] = max(levels[bus, LEVEL], np.float64(meters[0][bus, c]))
        for i in range(rows.shape[1]):
            last[bus, i] = rows[bus, i]


@njit(borrows=True)
def _ducked(row: Any, levels: Any, duck: Any, frames: Any) -> Any:
    """Return the factor of ducking at the end of a block, by the peak of the other bus in the block before."""
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
