"""Mixes the voices: the clip of each slot is read, filtered and added to its bus. A voice that ends or jumps fades
out.

The mixer stores for each slot the state at the end of the previous block. If a voice does not continue from there, the
old voice continues for a few milliseconds while it fades out, and the new one fades in. Both fades have the form of a
raised cosine, and together they are 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import array_at, maths, njit

from ..components.block import (
    BUS,
    CUTOFF,
    MAX_FRAMES,
    POSITION,
    RATE_BEGIN,
    RATE_END,
    REALS,
    SEND,
    SEND_GAIN,
    SERIAL,
    WHOLES,
)  # fmt: skip
from .state import (
    BUSES,
    CHANNELS,
    CURVE,
    FADE,
    GAINS,
    LAST_GAINS,
    LAST_REAL,
    LAST_WHOLE,
    LINES,
    MIXED,
    REAL,
    RING,
    SLOTS,
    SMOOTHED,
    WHOLE,
)  # fmt: skip
from .windows import read_clip

ATTACK = 64
"""The number of frames in which a sound that begins at position 0 fades in; all other fades have FADE frames."""
JUMP = 0.5
"""The greatest difference, in frames, between a position and the end of the previous block that is not a jump."""
_ZERO, _ONE = np.float32(0), np.float32(1)


@njit(borrows=True)
def mix_voices(table: Any, entry: Any, frames: Any, silent: Any) -> None:
    """Add all voices of a block to the buffers of their buses.

    table: of a `State`. entry: of the queue. silent: all voices fade out.
    """
    slots, buses, channels, ring = table[SLOTS], table[BUSES], table[CHANNELS], table[RING]
    whole = array_at(table[WHOLE], (ring, slots, WHOLES), np.int64)[entry]
    real = array_at(table[REAL], (ring, slots, REALS), np.float64)[entry]
    gains = array_at(table[GAINS], (ring, slots, 2, channels), np.float32)[entry]
    last_whole = array_at(table[LAST_WHOLE], (slots, WHOLES), np.int64)
    last_real = array_at(table[LAST_REAL], (slots, REALS), np.float64)
    last_gains = array_at(table[LAST_GAINS], (slots, 2, channels), np.float32)
    smoothed = array_at(table[SMOOTHED], (slots, 2), np.float64)
    mixed = array_at(table[MIXED], (buses, channels, MAX_FRAMES), np.float32)
    for slot in range(slots):
        playing = whole[slot, SERIAL] != 0 and not silent
        going_on = playing and _continues(whole[slot], real[slot], last_whole[slot], last_real[slot])
        if last_whole[slot, SERIAL] != 0 and not going_on:
            rate, cutoff, send = last_real[slot, RATE_END], last_real[slot, CUTOFF], last_real[slot, SEND_GAIN]
            path, ends = (last_real[slot, POSITION], rate, 0.0), (cutoff, cutoff, send, send)
            gain, times = last_gains[slot], (min(FADE, frames), -FADE)
            _play(table, last_whole[slot], path, ends, gain, gain, times, smoothed[slot], mixed)
        if not playing:
            last_whole[slot, SERIAL] = 0
            continue
        begin, end, fade = real[slot, RATE_BEGIN], real[slot, RATE_END], 0
        if not going_on:
            _remember(whole[slot], real[slot], gains[slot], last_whole[slot], last_real[slot], last_gains[slot])
            smoothed[slot, 0] = smoothed[slot, 1] = 0.0
            fade = ATTACK if real[slot, POSITION] == 0.0 else FADE
        path = (real[slot, POSITION], begin, (end - begin) / (2.0 * frames))
        ends = (last_real[slot, CUTOFF], real[slot, CUTOFF], last_real[slot, SEND_GAIN], real[slot, SEND_GAIN])
        _play(table, whole[slot], path, ends, last_gains[slot], gains[slot], (frames, fade), smoothed[slot], mixed)
        _remember(whole[slot], real[slot], gains[slot], last_whole[slot], last_real[slot], last_gains[slot])
        last_real[slot, POSITION] += frames * (begin + end) / 2.0


@njit(borrows=True)
def _play(
    table: Any, whole: Any, path: Any, ends: Any, gain: Any, gain_end: Any, times: Any, smoothed: Any, mixed: Any
) -> None:
    """Add one voice to the buffers of its buses.

    path: as in `read_clip`. ends: the cutoff at the beginning and the end, and the gain of the send. gain, gain_end:
    float32 (2, channels). times: the number of frames, and the number of frames of the fade-in, 0 for none, negative
    for a fade-out. smoothed: float64 (2,), the memory of the low-pass. mixed: float32 (buses, channels, MAX_FRAMES).
    """
    frames, fade = times
    cutoff, cutoff_end, send, send_end = ends
    if not _is_heard(gain, gain_end):
        return
    lines = array_at(table[LINES], (2, MAX_FRAMES), np.float32)
    curve = array_at(table[CURVE], FADE + 1, np.float32)
    inputs = read_clip(table, whole, path, frames, lines)
    for c in range(inputs):
        line = lines[c]
        if cutoff < 0.5 or cutoff_end < 0.5:
            smooth, smooth_end = _smoothing(cutoff), _smoothing(cutoff_end)
            smoothed[c] = _low_pass(line, frames, smooth, (smooth_end - smooth) / frames, smoothed[c])
        else:
            smoothed[c] = np.float64(line[frames - 1])
        if fade != 0:
            _fade(line, curve, frames, fade)
        for out in range(mixed.shape[1]):
            g, g_end = gain[c, out], gain_end[c, out]
            if 0 <= whole[BUS] < mixed.shape[0]:
                _add(line, frames, g, g_end, mixed[whole[BUS], out])
            if 0 <= whole[SEND] < mixed.shape[0]:
                _add(line, frames, np.float32(g * send), np.float32(g_end * send_end), mixed[whole[SEND], out])


@njit(borrows=True)
def _remember(whole: Any, real: Any, gains: Any, last_whole: Any, last_real: Any, last_gains: Any) -> None:
    """Copy the numbers of a voice to those of the previous block."""
    for i in range(len(whole)):
        last_whole[i] = whole[i]
    for i in range(len(real)):
        last_real[i] = real[i]
    for c in range(gains.shape[0]):
        for out in range(gains.shape[1]):
            last_gains[c, out] = gains[c, out]


@njit(borrows=True)
def _continues(whole: Any, real: Any, last_whole: Any, last_real: Any) -> Any:
    """Return True if a voice continues from its position at the end of the previous block."""
    for i in range(SEND + 1):
        if whole[i] != last_whole[i]:
            return False
    return abs(real[POSITION] - last_real[POSITION]) <= JUMP


@njit(borrows=True)
def _is_heard(gain: Any, gain_end: Any) -> Any:
    for c in range(gain.shape[0]):
        for out in range(gain.shape[1]):
            if gain[c, out] != _ZERO or gain_end[c, out] != _ZERO:
                return True
    return False


@njit(borrows=True)
def _smoothing(cutoff: Any) -> Any:
    """Return the coefficient of a one-pole low-pass, 1 - exp(-2π cutoff): the share of the difference to the input by
    which it changes in each frame.
    """
    return 1.0 - maths.exp(-maths.TAU * max(cutoff, 0.0)) if cutoff < 0.5 else 1.0


@njit(borrows=True)
def _low_pass(line: Any, frames: Any, smooth: Any, change: Any, value: Any) -> Any:
    """Apply a one-pole low-pass to a line, starting with `value`; return the last value."""
    for n in range(frames):
        value += (smooth + n * change) * (line[n] - value)
        line[n] = np.float32(value)
    return value if 1e-15 < abs(value) < 1e6 else 0.0


@njit(borrows=True)
def _fade(line: Any, curve: Any, frames: Any, fade: Any) -> None:
    """Fade a line in, or out to 0. In a block that is shorter than the fade, the fade is shortened."""
    length = min(abs(fade), frames)
    for n in range(length):
        factor = curve[n * FADE // length]
        line[n] *= factor if fade > 0 else _ONE - factor


@njit(borrows=True)
def _add(line: Any, frames: Any, gain: Any, gain_end: Any, buffer: Any) -> None:
    """Add a line to a buffer with a gain that changes linearly."""
    if gain == gain_end:
        if gain != _ZERO:
            for n in range(frames):
                buffer[n] += gain * line[n]
        return
    change = (gain_end - gain) / np.float32(frames)
    for n in range(frames):
        buffer[n] += (gain + change * np.float32(n)) * line[n]
