"""The delay and the reverb of a bus.

The reverb has the structure of Schroeder, with the numbers of Freeverb (Jezar, 2000): for each channel eight comb
filters with a low-pass in their feedback, side by side, and four all-pass filters one after the other. Each channel has
longer filters than the one before, so that the channels differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

COMBS, ALL_PASSES = 8, 4
TUNING = (1116, 1188, 1277, 1356, 1422, 1491, 1557, 1617, 556, 441, 341, 225)
"""The frames of the filters at 44,100 Hz, the combs first."""
SPREAD = 23
"""The number of frames by which the filters of a channel are longer than those of the previous channel."""
REVERB_INPUT = 0.09
"""The gain before the combs, with which the reverb is about as loud as the sound."""
_ALL_PASS = 0.5
_TINY, _HUGE = 1e-15, 1e6
"""Samples smaller than _TINY are stored as 0, because denormal numbers are slow; samples above _HUGE and NaN are
stored as 0, because they would remain in the feedback.
"""


@njit(borrows=True)
def delay_bus(buffer: Any, frames: Any, before: Any, after: Any, ring: Any, counts: Any) -> None:
    """Add echoes to the channels of a bus.

    before, after: frames of the delay, its feedback and its mix, at the beginning and the end of the block. If the
    frames change, the two echoes are cross-faded. ring: float32 (channels, most frames). counts: int64 (2,), the
    position in the ring and the number of frames in it.
    """
    (time, feedback, mix), (time_end, feedback_end, mix_end) = before, after
    if mix == 0.0 and mix_end == 0.0:
        return
    size = ring.shape[1]
    if mix == 0.0:
        counts[1], time, feedback = 0, time_end, feedback_end
    elif mix_end == 0.0:
        time_end, feedback_end = time, feedback
    delay, delay_end = min(max(int(time), 1), size), min(max(int(time_end), 1), size)
    feed, feed_change = 1.0, 0.0
    if mix == 0.0:
        feed, feed_change = 0.0, 1.0 / frames
    feedback, feedback_end = min(max(feedback, -0.98), 0.98), min(max(feedback_end, -0.98), 0.98)
    for c in range(buffer.shape[0]):
        line, stored, at, stored_frames = buffer[c], ring[c], counts[0], counts[1]
        for n in range(frames):
            part, dry = n / frames, np.float64(line[n])
            echo = np.float64(stored[(at - delay) % size]) if delay <= stored_frames + n else 0.0
            if delay_end != delay:
                other = np.float64(stored[(at - delay_end) % size]) if delay_end <= stored_frames + n else 0.0
                echo += part * (other - echo)
            value = (feed + n * feed_change) * dry + (feedback + part * (feedback_end - feedback)) * echo
            stored[at] = np.float32(value if _TINY < abs(value) < _HUGE else 0.0)
            line[n] = np.float32(dry + (mix + part * (mix_end - mix)) * echo)
            at = at + 1 if at + 1 < size else 0
    counts[0] = (counts[0] + frames) % size
    counts[1] = min(size, counts[1] + frames)


@njit(borrows=True)
def reverb_bus(
    buffer: Any, frames: Any, before: Any, after: Any, filters: Any, rings: Any, states: Any, count: Any, work: Any
) -> None:
    """Mix the channels of a bus with their reverb.

    before, after: mix, room and damp, at the beginning and the end of the block. filters: int64 (channels, COMBS +
    ALL_PASSES, 2), the begin and the length of each ring of a channel. rings: float32 (channels, sum of lengths).
    states: float64 (channels, COMBS), of the low-passes. count: frames before this block. work: float32 (3,
    MAX_FRAMES).
    """
    (mix, room, damp), (mix_end, room_end, damp_end) = before, after
    if mix == 0.0 and mix_end == 0.0:
        return
    if mix == 0.0:
        for c in range(buffer.shape[0]):
            for k in range(COMBS):
                states[c, k] = 0.0
            for i in range(rings.shape[1]):
                rings[c, i] = np.float32(0)
        room, damp = room_end, damp_end
    elif mix_end == 0.0:
        room_end, damp_end = room, damp
    channels = buffer.shape[0]
    source, wet, gain = work[0], work[1], REVERB_INPUT / channels
    for n in range(frames):
        value = 0.0
        for c in range(channels):
            value += np.float64(buffer[c, n])
        source[n] = np.float32(value * gain)
    if mix == 0.0:
        for n in range(frames):
            source[n] = np.float32(np.float64(source[n]) * (n / frames))
    feedback, feedback_end = 0.7 + 0.28 * room, 0.7 + 0.28 * room_end
    for c in range(channels):
        for n in range(frames):
            wet[n] = np.float32(0)
        for k in range(COMBS):
            first, length = filters[c, k]
            states[c, k] = _comb(
                source, wet, frames, rings[c], first, length, count % length, states[c, k],
                (feedback, (feedback_end - feedback) / frames, 0.4 * damp, 0.4 * (damp_end - damp) / frames),
            )  # fmt: skip
        for k in range(COMBS, COMBS + ALL_PASSES):
            first, length = filters[c, k]
            _all_pass(wet, frames, rings[c], first, length, count % length)
        for n in range(frames):
            part, dry = mix + (mix_end - mix) * (n / frames), np.float64(buffer[c, n])
            buffer[c, n] = np.float32(dry + part * (np.float64(wet[n]) - dry))


@njit(borrows=True)
def _comb(
    source: Any, wet: Any, frames: Any, ring: Any, first: Any, length: Any, at: Any, state: Any, change: Any
) -> Any:
    """Add the output of a comb to `wet`; return the state of its low-pass."""
    feedback, feedback_change, damp, damp_change = change
    for n in range(frames):
        out = np.float64(ring[first + at])
        wet[n] += np.float32(out)
        state = out + (damp + n * damp_change) * (state - out)
        value = np.float64(source[n]) + (feedback + n * feedback_change) * state
        ring[first + at] = np.float32(value if _TINY < abs(value) < _HUGE else 0.0)
        at = at + 1 if at + 1 < length else 0
    return state if _TINY < abs(state) < _HUGE else 0.0


@njit(borrows=True)
def _all_pass(wet: Any, frames: Any, ring: Any, first: Any, length: Any, at: Any) -> None:
    """Replace `wet` by the output of an all-pass."""
    for n in range(frames):
        out = np.float64(ring[first + at])
        value = np.float64(wet[n]) + _ALL_PASS * out
        ring[first + at] = np.float32(value if _TINY < abs(value) < _HUGE else 0.0)
        wet[n] = np.float32(out - np.float64(wet[n]))
        at = at + 1 if at + 1 < length else 0
