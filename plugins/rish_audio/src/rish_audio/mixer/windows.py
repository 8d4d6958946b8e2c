"""The samples of a clip at the positions of a voice: windows of frames, and interpolation between them.

Each stretch of a block needs the frames of the clip from its lowest to its highest position and two more at each side.
If they lie in the clip's memory one after the other, they are read there. Otherwise (at the border of a loop, at the
ends of the clip, around the end of a stream's ring) they are copied into a window, where loops are unrolled and frames
outside the clip are zero. So the inner loop needs no checks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import array_at, njit

from ..components.block import (
    ADDRESS,
    CAPACITY,
    CHANNELS,
    CLIP,
    CLIP_COLUMNS,
    END,
    FIRST,
    LENGTH,
    LOOP_BEGIN,
    LOOP_END,
    LOOPS,
    MAX_FRAMES,
)  # fmt: skip
from .state import CLIP_ROWS, CLIP_TABLE, PARTS, PLACES, WINDOW, WINDOWS

_MAX_POSITION = 2.0**52
_ZERO, _HALF, _TWO, _FIVE_HALVES = (np.float32(value) for value in (0, 0.5, 2, 2.5))
_THREE_HALVES = np.float32(1.5)


@njit(borrows=True)
def read_clip(table: Any, whole: Any, path: Any, frames: Any, lines: Any) -> Any:
    """Write the samples of a clip along a path into `lines`; return the number of its channels, 0 for silence.

    table: of a `State`. whole: int64 (WHOLES,), of the voice. path: the position (frames of the clip) at the beginning,
    the rate, and half of the change of the rate per frame. lines: float32 (2, MAX_FRAMES).
    """
    clips = array_at(table[CLIP_TABLE], (table[CLIP_ROWS], CLIP_COLUMNS), np.int64)
    window = array_at(table[WINDOWS], 2 * WINDOW, np.float32)
    places = array_at(table[PLACES], MAX_FRAMES, np.int64)
    parts = array_at(table[PARTS], MAX_FRAMES, np.float32)
    position, begin, bend = path
    row = whole[CLIP]
    ahead = position + frames * (begin + frames * bend)
    if row < 0 or row >= clips.shape[0] or not (abs(position) < _MAX_POSITION and abs(ahead) < _MAX_POSITION):
        return 0
    clip = clips[row]
    channels = clip[CHANNELS]
    if clip[ADDRESS] == 0 or channels < 1 or channels > 2 or clip[CAPACITY] < 1:
        return 0
    samples = array_at(clip[ADDRESS], clip[CAPACITY] * channels, np.float32)
    fastest = max(abs(begin), abs(begin + 2.0 * frames * bend))
    size = frames if fastest * frames < WINDOW - 8 else max(1, int((WINDOW - 8) / fastest))
    for start in range(0, frames, size):
        stop = min(frames, start + size)
        low, high = _bounds(path, start, stop - 1)
        first, count = int(np.floor(low)) - 2, int(np.floor(high)) - int(np.floor(low)) + 6
        at = _place(clip, whole, first, count)
        if at >= 0:
            _interpolate(samples, at - first, channels, path, start, stop, lines, places, parts)
        else:
            _copy(clip, whole, samples, first, count, window)
            _interpolate(window, -first, channels, path, start, stop, lines, places, parts)
    return channels


@njit(borrows=True)
def _bounds(path: Any, start: Any, last: Any) -> Any:
    """Return the lowest and the highest position of a stretch."""
    position, begin, bend = path
    first = position + start * (begin + start * bend)
    second = position + last * (begin + last * bend)
    low, high = min(first, second), max(first, second)
    if bend != 0.0:
        turn = -begin / (2.0 * bend)
        if start < turn < last:
            far = position + turn * (begin + turn * bend)
            low, high = min(low, far), max(high, far)
    return low, high


@njit(borrows=True)
def _place(clip: Any, whole: Any, first: Any, count: Any) -> Any:
    """Return the row of the frame `first` if all `count` frames follow one another in memory, otherwise -1."""
    last = first + count
    if first < clip[FIRST] or last > clip[END]:
        return -1
    if clip[END] == clip[LENGTH] and clip[FIRST] == 0 and clip[CAPACITY] == clip[LENGTH]:
        return -1 if whole[LOOPS] != 0 and last > whole[LOOP_END] else first
    at = first % clip[CAPACITY]
    return at if at + count <= clip[CAPACITY] else -1


@njit(borrows=True)
def _copy(clip: Any, whole: Any, samples: Any, first: Any, count: Any, window: Any) -> None:
    """Copy frames into the window in the order of time, with loops unrolled."""
    channels, capacity = clip[CHANNELS], clip[CAPACITY]
    is_whole = clip[END] == clip[LENGTH] and clip[FIRST] == 0 and capacity == clip[LENGTH]
    begin, end = whole[LOOP_BEGIN], min(whole[LOOP_END], clip[LENGTH])
    loops = is_whole and whole[LOOPS] != 0 and 0 <= begin < end
    copied = 0
    while copied < count:
        frame = first + copied
        if loops and frame >= end:
            frame = begin + (frame - begin) % (end - begin)
        if frame < clip[FIRST]:
            run = min(count - copied, clip[FIRST] - frame)
        elif frame >= clip[END]:
            run = count - copied
        else:
            at = frame % capacity
            run = min(count - copied, (end if loops else clip[END]) - frame, capacity - at)
            for i in range(run * channels):
                window[copied * channels + i] = samples[at * channels + i]
            copied += run
            continue
        for i in range(run * channels):
            window[copied * channels + i] = _ZERO
        copied += run


@njit(borrows=True)
def _interpolate(
    source: Any, shift: Any, channels: Any, path: Any, start: Any, stop: Any, lines: Any, places: Any, parts: Any
) -> None:
    """Write samples at positions between frames: cubic Hermite curves through them (Catmull and Rom).

    source: float32; frame i of the clip is at index (i + shift) * channels.
    """
    position, begin, bend = path
    if begin == 1.0 and bend == 0.0 and position == np.floor(position):
        at = (int(position) + shift) * channels
        for c in range(channels):
            line = lines[c]
            for n in range(start, stop):
                line[n] = source[np.uint64(at + n * channels + c)]
        return
    for n in range(start, stop):
        place = position + n * (begin + n * bend)
        index = np.floor(place)
        places[n] = (int(index) + shift) * channels
        parts[n] = np.float32(place - index)
    for c in range(channels):
        line = lines[c]
        for n in range(start, stop):
            at, t = places[n] + c, parts[n]
            y0, y1 = source[np.uint64(at - channels)], source[np.uint64(at)]
            y2, y3 = source[np.uint64(at + channels)], source[np.uint64(at + 2 * channels)]
            slope = _HALF * (y2 - y0)
            square = y0 - _FIVE_HALVES * y1 + _TWO * y2 - _HALF * y3
            cube = _HALF * (y3 - y0) + _THREE_HALVES * (y1 - y2)
            line[n] = ((cube * t + square) * t + slope) * t + y1
