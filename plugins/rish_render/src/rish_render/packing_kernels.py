"""From poses to packed sprites in one go, for very many of them.

Block by block, so that all that lies between the steps stays in the processor's nearest cache: the poses are read and
brought between two ticks, each gets the base it hangs on, eight sprites at a time are placed, culled and packed, and
the sixteen bytes of each go to the next free place of its group. A culled sprite is written as well, to a place that
nobody reads; that is quicker than to ask. `packing` has the same in numpy, with the same bytes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core.common.sines import PER_TAU, TAU, quick_sincos
from rish_core.jit import njit

Array = npt.NDArray[Any]

BLOCK = 256
"""Sprites a block."""
SCRATCH = 17 * BLOCK
"""Numbers of four bytes that a kernel needs beside its arguments."""
_1, _2, _4 = np.uint64(1), np.uint64(2), np.uint64(4)
_ZERO, _HALF, _UNIT, _TURN = np.float32(0), np.float32(0.5), np.float32(1), np.float32(65536)
_ODD = np.uint32(1)
_LOW, _HIGH = np.uint32(0xFFFF), np.uint32(16)


@njit
def read_range(
    first: Any, count: Any, back: Any, position: Array, rotation: Array, scale: Array, last_position: Array,
    last_rotation: Array, last_scale: Array, x: Array, y: Array, angle: Array, w: Array, h: Array,
) -> None:  # fmt: skip
    """The poses of rows that follow one another, between two ticks."""
    for k in range(count):
        i = first + k
        j = i + i
        turn = rotation[i] - last_rotation[i]
        turn -= TAU * np.float32(np.floor(turn * PER_TAU + _HALF))
        angle[k] = rotation[i] - back * turn
        x[k] = position[j] - back * (position[j] - last_position[j])
        y[k] = position[j + _1] - back * (position[j + _1] - last_position[j + _1])
        w[k] = scale[j] - back * (scale[j] - last_scale[j])
        h[k] = scale[j + _1] - back * (scale[j + _1] - last_scale[j + _1])


@njit
def read_now(
    first: Any, count: Any, position: Array, rotation: Array, scale: Array, x: Array, y: Array, angle: Array, w: Array,
    h: Array,
) -> None:  # fmt: skip
    """The same at the last tick."""
    for k in range(count):
        i = first + k
        j = i + i
        angle[k] = rotation[i]
        x[k] = position[j]
        y[k] = position[j + _1]
        w[k] = scale[j]
        h[k] = scale[j + _1]


@njit
def read_rows(
    rows: Array, first: Any, count: Any, back: Any, position: Array, rotation: Array, scale: Array,
    last_position: Array, last_rotation: Array, last_scale: Array, x: Array, y: Array, angle: Array, w: Array, h: Array,
) -> None:  # fmt: skip
    """The same for any rows."""
    for k in range(count):
        i = np.uint64(rows[first + k])
        j = i + i
        turn = rotation[i] - last_rotation[i]
        turn -= TAU * np.float32(np.floor(turn * PER_TAU + _HALF))
        angle[k] = rotation[i] - back * turn
        x[k] = position[j] - back * (position[j] - last_position[j])
        y[k] = position[j + _1] - back * (position[j + _1] - last_position[j + _1])
        w[k] = scale[j] - back * (scale[j] - last_scale[j])
        h[k] = scale[j + _1] - back * (scale[j + _1] - last_scale[j + _1])


@njit
def read_bases(
    rows: Array, first: Any, count: Any, slots: Array, bases: Array, at: Array, axis: Array, turn: Array
) -> None:
    """The base of each; all pairs of float32 are copied as one number. rows: empty where they follow one another."""
    if len(rows):
        for k in range(count):
            b = np.uint64(slots[np.uint64(rows[first + k])]) * _4
            at[k], axis[k], turn[k] = bases[b], bases[b + _1], bases[b + _2]
    else:
        for k in range(count):
            b = np.uint64(slots[first + k]) * _4
            at[k], axis[k], turn[k] = bases[b], bases[b + _1], bases[b + _2]


@njit
def read_base(slot: Any, bases: Array, at: Array, axis: Array, turn: Array) -> None:
    """One base for a whole block."""
    b = np.uint64(slot) * _4
    place, axes, turns = bases[b], bases[b + _1], bases[b + _2]
    for k in range(np.uint64(BLOCK)):
        at[k] = place
        axis[k] = axes
        turn[k] = turns


@njit
def alike(slots: Array, first: Any, count: Any) -> bool:
    """Whether rows that follow one another hang on one base."""
    one = slots[first]
    unlike = np.uint32(0)
    for k in range(count):
        unlike |= slots[first + k] ^ one
    return unlike == np.uint32(0)


@njit
def shift_anchors(
    first: Any, count: Any, angle: Array, w: Array, h: Array, at: Array, turn: Array, width: Array, height: Array,
    shift: Array,
) -> None:  # fmt: skip
    """Move the base of each, so that what lies on it comes to lie by its anchor. shift: two numbers a sprite."""
    for k in range(count):
        i = first + k
        j = k + k
        mirror = np.float32(math.copysign(_UNIT, turn[j + _1]))
        size = abs(turn[j + _1])
        size = size if size < np.float32(np.inf) else _ZERO
        sin, cos = quick_sincos(turn[j] + mirror * angle[k])
        dx = mirror * w[k] * size * width[i] * shift[i + i]
        dy = h[k] * size * height[i] * shift[i + i + _1]
        at[j] += cos * dx - sin * dy
        at[j + _1] += sin * dx + cos * dy


@njit
def snap(
    first: Any, count: Any, x: Array, y: Array, angle: Array, w: Array, h: Array, at: Array, axis: Array, turn: Array,
    width: Array, height: Array, snaps: Array, window: Array,
) -> None:  # fmt: skip
    """Move the base of each that snaps, so that its lower left corner comes to lie on a corner of a pixel."""
    density = window[7]
    for k in range(count):
        i = first + k
        j = k + k
        mirror = np.float32(math.copysign(_UNIT, turn[j + _1]))
        size = abs(turn[j + _1])
        quarters = (turn[j] + mirror * angle[k]) * PER_TAU * np.float32(4)
        whole = np.float32(np.floor(quarters + _HALF))
        straight = abs(quarters - whole) < np.float32(1e-3)
        lying = whole - np.float32(2) * np.float32(np.floor(whole * _HALF)) != _ZERO
        px, py = x[k], y[k] * mirror
        cx = (axis[j] * px - axis[j + _1] * py + at[j]) + window[0]
        cy = (axis[j + _1] * px + axis[j] * py + at[j + _1]) + window[1]
        sw, sh = abs(w[k]) * size * width[i] * _HALF, abs(h[k]) * size * height[i] * _HALF
        left, low = (sh, sw) if lying else (sw, sh)
        dx, dy = (cx - left) * density, (cy - low) * density
        chosen = (snaps[i] != np.uint8(0)) & straight
        at[j] += (np.float32(np.floor(dx + _HALF)) - dx) / density if chosen else _ZERO
        at[j + _1] += (np.float32(np.floor(dy + _HALF)) - dy) / density if chosen else _ZERO


@njit
def place(
    first: Any, count: Any, x: Array, y: Array, angle: Array, w: Array, h: Array, at: Array, axis: Array, turn: Array,
    window: Array, width: Array, height: Array, frame: Array, rgba: Array, key: Array, unseen: Any, near: Array,
    far: Array, goal: Array,
) -> None:  # fmt: skip
    """Place, cull and pack; see `packing.plain_pack`. near, far: the two halves of an instance. goal: its group."""
    ox, oy, hx, hy, fine, reach, most = window[0], window[1], window[2], window[3], window[4], window[5], window[6]
    finer = fine + fine
    for k in range(count):
        i = first + k
        j = k + k
        mirror = np.float32(math.copysign(_UNIT, turn[j + _1]))
        size = abs(turn[j + _1])
        px, py = x[k], y[k] * mirror
        sx, sy = w[k] * mirror, h[k]
        cx = (axis[j] * px - axis[j + _1] * py + at[j]) + ox
        cy = (axis[j + _1] * px + axis[j] * py + at[j + _1]) + oy
        wide, high = abs(sx) * size * width[i], abs(sy) * size * height[i]
        r = (wide + high) * _HALF
        part = (turn[j] + mirror * angle[k]) * PER_TAU + (_HALF if sy < _ZERO else _ZERO)
        part -= np.float32(np.floor(part))
        ax, ay = abs(cx), abs(cy)
        seen = (ax - r <= hx) & (ay - r <= hy) & (wide * high > _ZERO) & (part >= _ZERO)
        fits = ((ax if ax > ay else ay) <= reach) & (r <= most)
        qx, qy = np.int32(np.floor(cx * fine + _HALF)), np.int32(np.floor(cy * fine + _HALF))
        qw, qh = np.int32(np.floor(wide * finer + _HALF)), np.int32(np.floor(high * finer + _HALF))
        qr = np.int32(np.floor(part * _TURN + _HALF))
        flip = np.uint32(sx < _ZERO) ^ np.uint32(sy < _ZERO)
        near[j] = np.uint32((np.uint32(qx) & _LOW) | (np.uint32(qy) << _HIGH))
        near[j + _1] = np.uint32((np.uint32(qw) & _LOW) | (np.uint32(qh) << _HIGH))
        far[j] = np.uint32((np.uint32(qr) & _LOW) | ((np.uint32(frame[i]) ^ flip) << _HIGH))
        far[j + _1] = rgba[i]
        odd = unseen + _ODD
        goal[k] = np.uint32(unseen + np.uint32(seen) * (_ODD + np.uint32(fits) * (key[i] - odd)))


@njit
def any_odd(goal: Array, count: Any, unseen: Any) -> bool:
    """Whether one of a block is seen and doesn't fit."""
    odd, found = unseen + _ODD, np.uint32(0)
    for k in range(count):
        found |= np.uint32(goal[k] == odd)
    return found != np.uint32(0)


@njit
def scatter(goal: Array, count: Any, unseen: Any, near: Array, far: Array, cursor: Array, out: Array) -> None:
    """Write each to the next place of its group."""
    nobody = np.uint64(unseen)
    for k in range(count):
        g = np.uint64(goal[k])
        c = np.uint64(cursor[g])
        cursor[g] = np.uint32(c + np.uint64(g < nobody))
        out[c + c] = near[k]
        out[c + c + _1] = far[k]


@njit
def scatter_all(
    first: Any, goal: Array, count: Any, unseen: Any, key: Array, near: Array, far: Array, cursor: Array, out: Array,
    source: Array, odd: Array, odds: Any,
) -> Any:  # fmt: skip
    """The same, and note which is where, and which don't fit; gives how many those are by now."""
    for k in range(count):
        g = np.uint64(goal[k])
        c = np.uint64(cursor[g])
        cursor[g] = np.uint32(c + np.uint64(g < np.uint64(unseen)))
        out[c + c] = near[k]
        out[c + c + _1] = far[k]
        if len(source):
            source[c] = np.int32(first + k)
        if g > np.uint64(unseen):
            odd[2 * odds] = np.int32(first + k)
            odd[2 * odds + 1] = np.int32(cursor[np.uint64(key[first + k])])
            odds += 1
    return odds


@njit
def pack(
    rows: Array, first: Any, count: Any, back: Any, position: Array, rotation: Array, scale: Array,
    last_position: Array, last_rotation: Array, last_scale: Array, slots: Array, bases: Array, window: Array,
    width: Array, height: Array, frame: Array, rgba: Array, key: Array, shift: Array, snaps: Array, unseen: Any,
    cursor: Array, out: Array, source: Array, odd: Array, scratch: Array, pairs: Array, whole: Array,
) -> Any:  # fmt: skip
    """Pack `count` sprites; gives how many are seen but don't fit.

    rows: those of their poses; empty where they follow one another from `first` on. window: see `packing.Window`.
    unseen: the number of groups. cursor: where the next of each group goes, uint32 groups + 2, the last but one for
    what is not seen. out: two uint64 a sprite. source: which sprite is where in `out`, or empty. odd: int32, for each
    sprite that doesn't fit its number and how many of its group lie before it. scratch, pairs: the same SCRATCH
    numbers as float32 and as uint64; whole: as uint32.
    """
    b = np.uint64(BLOCK)
    x, y, angle = scratch[0:BLOCK], scratch[BLOCK : 2 * BLOCK], scratch[2 * BLOCK : 3 * BLOCK]
    w, h = scratch[3 * BLOCK : 4 * BLOCK], scratch[4 * BLOCK : 5 * BLOCK]
    at, axis = scratch[6 * BLOCK : 8 * BLOCK], scratch[8 * BLOCK : 10 * BLOCK]
    turn = scratch[10 * BLOCK : 12 * BLOCK]
    at64, axis64, turn64 = pairs[3 * BLOCK : 4 * BLOCK], pairs[4 * BLOCK : 5 * BLOCK], pairs[5 * BLOCK : 6 * BLOCK]
    near, far = whole[12 * BLOCK : 14 * BLOCK], whole[14 * BLOCK : 16 * BLOCK]
    near64, far64 = pairs[6 * BLOCK : 7 * BLOCK], pairs[7 * BLOCK : 8 * BLOCK]
    goal = whole[16 * BLOCK : 17 * BLOCK]
    done, end, start, odds = np.uint64(0), np.uint64(count), np.uint64(first), 0
    base, still = np.uint32(0), False
    while done < end:
        m = min(b, end - done)
        here = done if len(rows) else start + done
        if len(rows):
            read_rows(
                rows, here, m, back, position, rotation, scale, last_position, last_rotation, last_scale,
                x, y, angle, w, h,
            )  # fmt: skip
        elif back != _ZERO:
            read_range(
                here, m, back, position, rotation, scale, last_position, last_rotation, last_scale, x, y, angle, w, h
            )
        else:
            read_now(here, m, position, rotation, scale, x, y, angle, w, h)
        one = len(rows) == 0 and alike(slots, here, m)
        if not one:
            read_bases(rows, here, m, slots, bases, at64, axis64, turn64)
        elif not still or slots[here] != base:
            base = slots[here]
            read_base(base, bases, at64, axis64, turn64)
        still = one and len(shift) == 0 and len(snaps) == 0
        if len(shift):
            shift_anchors(done, m, angle, w, h, at, turn, width, height, shift)
        if len(snaps):
            snap(done, m, x, y, angle, w, h, at, axis, turn, width, height, snaps, window)
        place(
            done, m, x, y, angle, w, h, at, axis, turn, window, width, height, frame, rgba, key, unseen, near, far, goal
        )
        if len(source) == 0 and not any_odd(goal, m, unseen):
            scatter(goal, m, unseen, near64, far64, cursor, out)
        else:
            odds = scatter_all(done, goal, m, unseen, key, near64, far64, cursor, out, source, odd, odds)
        done += m
    return odds


@njit
def close_gaps(starts: Array, cursor: Array, groups: Any, out: Array, source: Array) -> Any:
    """Move the groups together, and set `starts` to where they begin now; gives where the last one ends."""
    free = np.uint64(0)
    for g in range(groups):
        begin, count = np.uint64(starts[g]), np.uint64(cursor[g]) - np.uint64(starts[g])
        if begin != free:
            for k in range(_2 * count):
                out[_2 * free + k] = out[_2 * begin + k]
            if len(source):
                for k in range(count):
                    source[free + k] = source[begin + k]
        starts[g] = np.uint32(free)
        free += count
    return free


@njit
def colour_bytes(tint: Array, opacity: Array, rows: Array, out: Array) -> None:
    """Colours 0..1 with an opacity as four bytes in one uint32; see `drawables.rgba_bytes`."""
    full, zero = np.float32(255), np.float32(0)
    for k in range(len(rows)):
        i = np.uint64(rows[k])
        j = _4 * i
        word = np.uint32(0)
        for part in range(4):
            value = tint[j + np.uint64(part)] * full
            value = value * opacity[i] if part == 3 else value
            value = np.float32(np.floor(value + _HALF))
            value = value if value > zero else zero
            value = value if value < full else full
            word |= np.uint32(np.uint32(value) << np.uint32(8 * part))
        out[k] = word
