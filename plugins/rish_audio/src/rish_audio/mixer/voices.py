"""Voices: each slot's clip is read, filtered and added to its bus; what ends or jumps fades out first.

The mixer remembers of each slot where the block before ended. If a voice does not continue from there, the old one is
played on for a few milliseconds while it fades out, and the new one fades in. Both fades have the form of a raised
cosine, and together they are 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs import maths
from rish_ecs.jit import njit

from ..components.block import (
    BUS,
    CUTOFF,
    POSITION,
    RATE_BEGIN,
    RATE_END,
    SEND,
    SEND_GAIN,
    SERIAL,
)
from .windows import read_clip

FADE = 256
"""Frames in which a sound fades out, and in which one that does not begin at position 0 fades in."""
ATTACK = 64
"""Frames in which a sound fades in that begins at position 0."""
JUMP = 0.5
"""Frames by which a position may differ from the end of the block before; more is a jump."""
_ZERO, _ONE = np.float32(0), np.float32(1)


@njit(borrows=True)
def mix_voices(block: Any, last: Any, clips: Any, scratch: Any, frames: Any, silent: Any) -> None:
    """Add all voices of a block to the buffers of their buses.

    block, last: whole, real and gains, as in `Block`; `last` is the end of the block before and becomes that of this
    one. clips: int64 (rows, CLIP_COLUMNS). scratch: see `_play`. silent: voices fade out and none plays.
    """
    (whole, real, gains), (last_whole, last_real, last_gains) = block, last
    for slot in range(whole.shape[0]):
        playing = whole[slot, SERIAL] != 0 and not silent
        going_on = playing and _continues(whole[slot], real[slot], last_whole[slot], last_real[slot])
        if last_whole[slot, SERIAL] != 0 and not going_on:
            rate, cutoff, send = last_real[slot, RATE_END], last_real[slot, CUTOFF], last_real[slot, SEND_GAIN]
            path, ends = (last_real[slot, POSITION], rate, 0.0), (cutoff, cutoff, send, send)
            gain = last_gains[slot]
            _play(clips, last_whole[slot], path, ends, gain, gain, (min(FADE, frames), -FADE), scratch, slot)
        if not playing:
            last_whole[slot, SERIAL] = 0
            continue
        if not going_on:
            _remember(whole[slot], real[slot], gains[slot], last_whole[slot], last_real[slot], last_gains[slot])
            scratch[5][slot, 0] = scratch[5][slot, 1] = 0.0
        begin, end = real[slot, RATE_BEGIN], real[slot, RATE_END]
        path = (real[slot, POSITION], begin, (end - begin) / (2.0 * frames))
        ends = (last_real[slot, CUTOFF], real[slot, CUTOFF], last_real[slot, SEND_GAIN], real[slot, SEND_GAIN])
        fade = 0 if going_on else ATTACK if real[slot, POSITION] == 0.0 else FADE
        _play(clips, whole[slot], path, ends, last_gains[slot], gains[slot], (frames, fade), scratch, slot)
        _remember(whole[slot], real[slot], gains[slot], last_whole[slot], last_real[slot], last_gains[slot])
        last_real[slot, POSITION] += frames * (begin + end) / 2.0


@njit(borrows=True)
def _remember(whole: Any, real: Any, gains: Any, last_whole: Any, last_real: Any, last_gains: Any) -> None:
    """Copy a voice."""
    for i in range(len(whole)):
        last_whole[i] = whole[i]
    for i in range(len(real)):
        last_real[i] = real[i]
    for c in range(gains.shape[0]):
        for out in range(gains.shape[1]):
            last_gains[c, out] = gains[c, out]


@njit(borrows=True)
def _continues(whole: Any, real: Any, last_whole: Any, last_real: Any) -> Any:
    """Return whether a voice goes on where it was."""
    for i in range(SEND + 1):
        if whole[i] != last_whole[i]:
            return False
    return abs(real[POSITION] - last_real[POSITION]) <= JUMP


@njit(borrows=True)
def _play(
    clips: Any, whole: Any, path: Any, ends: Any, gain: Any, gain_end: Any, times: Any, scratch: Any, slot: Any
) -> None:
    """Add one voice to the buffers of its buses.

    path: as in `read_clip`. ends: the cutoff at the beginning and the end, and the gain of the send. gain, gain_end:
    float32 (2, channels). times: how many frames, and in how many of these it fades in, 0 for none, negative to fade
    out. scratch: the four arrays of `read_clip`; curve, the fade, float32 (FADE + 1,); memory of the low-pass, float64
    (slots, 2); the buffers of the buses, float32 (buses, channels, MAX_FRAMES).
    """
    frames, fade = times
    lines, window, places, parts, curve, memory, mixed = scratch
    cutoff, cutoff_end, send, send_end = ends
    if not _is_heard(gain, gain_end):
        return
    inputs = read_clip(clips, whole, path, frames, (lines, window, places, parts))
    for c in range(inputs):
        if cutoff < 0.5 or cutoff_end < 0.5:
            smooth, smooth_end = _smoothing(cutoff), _smoothing(cutoff_end)
            memory[slot, c] = _low_pass(lines[c], frames, smooth, (smooth_end - smooth) / frames, memory[slot, c])
        else:
            memory[slot, c] = np.float64(lines[c, frames - 1])
        if fade != 0:
            _fade(lines[c], curve, frames, fade)
        for out in range(mixed.shape[1]):
            g, g_end = gain[c, out], gain_end[c, out]
            if 0 <= whole[BUS] < mixed.shape[0]:
                _add(lines[c], frames, g, g_end, mixed[whole[BUS], out])
            if 0 <= whole[SEND] < mixed.shape[0]:
                _add(lines[c], frames, np.float32(g * send), np.float32(g_end * send_end), mixed[whole[SEND], out])


@njit(borrows=True)
def _is_heard(gain: Any, gain_end: Any) -> Any:
    for c in range(gain.shape[0]):
        for out in range(gain.shape[1]):
            if gain[c, out] != _ZERO or gain_end[c, out] != _ZERO:
                return True
    return False


@njit(borrows=True)
def _smoothing(cutoff: Any) -> Any:
    """Return the part of the way to the input that a one-pole low-pass goes in each frame: 1 - exp(-2π cutoff)."""
    return 1.0 - maths.exp(-maths.TAU * max(cutoff, 0.0)) if cutoff < 0.5 else 1.0


@njit(borrows=True)
def _low_pass(line: Any, frames: Any, smooth: Any, change: Any, value: Any) -> Any:
    """Filter a line by one pole, from the value before it; return the last value."""
    for n in range(frames):
        value += (smooth + n * change) * (line[n] - value)
        line[n] = np.float32(value)
    return value if abs(value) > 1e-20 else 0.0


@njit(borrows=True)
def _fade(line: Any, curve: Any, frames: Any, fade: Any) -> None:
    """Fade a line in, or out to 0; a block that is shorter than the fade has a shorter one."""
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
