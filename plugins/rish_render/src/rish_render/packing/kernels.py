"""Kernels that convert poses to packed sprites, for very large numbers of sprites.

They work block by block, so that all data between the steps stays in the processor's nearest cache. Most blocks are
complete, and their rows are consecutive and have the same base: for these, `lanes` packs eight sprites at a time. In
any other block, the poses are read and interpolated between two ticks, each sprite gets its base, and the sprites are
placed and culled one by one. Then `scatter` copies the sixteen bytes of each to its group. `packing` has the same in
numpy, with the same bytes as the result.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rish_frame.poses import PER_TAU, TAU, quick_sincos
from rish_jit import Array, njit

from .lanes import ACROSS, ALONG, AT, BACK, FAR, FINE, FINER, MAX, MIRROR, ORIGIN, REACH, SIZE, TURN, pack8
from .order import BLOCK
from .scatter import all_good, close_gaps, scatter, scatter_good, tell_states

SCRATCH = 16 * BLOCK
"""The size of a kernel's scratch memory, in numbers of four bytes."""
_1, _2, _3, _4, _8 = (np.uint64(number) for number in (1, 2, 3, 4, 8))
_ZERO, _HALF, _UNIT, _TURN = np.float32(0), np.float32(0.5), np.float32(1), np.float32(65536)
_ODD = np.uint8(2)
_LOW, _HIGH = np.uint32(0xFFFF), np.uint32(16)


@njit(borrows=True, inline="always")
def read_poses(
    rows: Array, first: Any, count: Any, back: Any, position: Array, rotation: Array, scale: Array,
    last_position: Array, last_rotation: Array, last_scale: Array, x: Array, y: Array, angle: Array, w: Array, h: Array,
) -> None:  # fmt: skip
    """Read the poses of sprites, interpolated between two ticks. rows: empty if the rows are consecutive."""
    for k in range(count):
        i = np.uint64(rows[first + k]) if len(rows) else first + k
        j = i + i
        turn = rotation[i] - last_rotation[i]
        turn -= TAU * np.float32(np.floor(turn * PER_TAU + _HALF))
        angle[k] = rotation[i] - back * turn
        x[k] = position[j] - back * (position[j] - last_position[j])
        y[k] = position[j + _1] - back * (position[j + _1] - last_position[j + _1])
        w[k] = scale[j] - back * (scale[j] - last_scale[j])
        h[k] = scale[j + _1] - back * (scale[j + _1] - last_scale[j + _1])


@njit(borrows=True, inline="always")
def read_bases(
    rows: Array, first: Any, count: Any, slots: Array, bases: Array, at: Array, axis: Array, turn: Array
) -> None:
    """Read the base of each sprite. rows: empty if the rows are consecutive.

    Pairs of float32 are copied as one uint64.
    """
    for k in range(count):
        b = np.uint64(slots[np.uint64(rows[first + k]) if len(rows) else first + k]) * _4
        at[k], axis[k], turn[k] = bases[b], bases[b + _1], bases[b + _2]


@njit(borrows=True, inline="always")
def shift_anchors(
    first: Any, count: Any, angle: Array, w: Array, h: Array, at: Array, turn: Array, sizes: Array, shift: Array
) -> None:
    """Move the base of each sprite by its anchor. shift: two numbers per sprite."""
    for k in range(count):
        i = first + k
        j = k + k
        mirror = np.float32(math.copysign(_UNIT, turn[j + _1]))
        size = abs(turn[j + _1])
        size = size if size < np.float32(np.inf) else _ZERO
        sin, cos = quick_sincos(turn[j] + mirror * angle[k])
        dx = mirror * w[k] * size * sizes[i + i] * shift[i + i]
        dy = h[k] * size * sizes[i + i + _1] * shift[i + i + _1]
        at[j] += cos * dx - sin * dy
        at[j + _1] += sin * dx + cos * dy


@njit(borrows=True, inline="always")
def snap(
    first: Any, count: Any, x: Array, y: Array, angle: Array, w: Array, h: Array, at: Array, axis: Array, turn: Array,
    sizes: Array, snaps: Array, window: Array,
) -> None:  # fmt: skip
    """Move the base of each sprite that snaps, so that its lower left corner is on a pixel corner."""
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
        sw, sh = abs(w[k]) * size * sizes[i + i] * _HALF, abs(h[k]) * size * sizes[i + i + _1] * _HALF
        left, low = (sh, sw) if lying else (sw, sh)
        dx, dy = (cx - left) * density, (cy - low) * density
        chosen = (snaps[i] != np.uint8(0)) & straight
        at[j] += (np.float32(np.floor(dx + _HALF)) - dx) / density if chosen else _ZERO
        at[j + _1] += (np.float32(np.floor(dy + _HALF)) - dy) / density if chosen else _ZERO


@njit(borrows=True)
def place(
    first: Any, count: Any, x: Array, y: Array, angle: Array, w: Array, h: Array, at: Array, axis: Array, turn: Array,
    window: Array, sizes: Array, frame: Array, rgba: Array, rows: Array, state: Array,
) -> None:  # fmt: skip
    """Place, cull and pack the sprites of a block; see `packing.plain_pack`.

    rows: uint32, four per sprite. state: 0 invisible, 1 packed, 2 visible but does not fit.
    """
    ox, oy, hx, hy, fine, reach, maximum = window[0], window[1], window[2], window[3], window[4], window[5], window[6]
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
        wide, high = abs(sx) * size * sizes[i + i], abs(sy) * size * sizes[i + i + _1]
        r = (wide + high) * _HALF
        part = (turn[j] + mirror * angle[k]) * PER_TAU + (_HALF if sy < _ZERO else _ZERO)
        part -= np.float32(np.floor(part))
        ax, ay = abs(cx), abs(cy)
        seen = (ax - r <= hx) & (ay - r <= hy) & (wide * high > _ZERO) & (part >= _ZERO)
        fits = ((ax if ax > ay else ay) <= reach) & (r <= maximum)
        qx, qy = np.int32(np.floor(cx * fine + _HALF)), np.int32(np.floor(cy * fine + _HALF))
        qw, qh = np.int32(np.floor(wide * finer + _HALF)), np.int32(np.floor(high * finer + _HALF))
        qr = np.int32(np.floor(part * _TURN + _HALF))
        flip = np.uint32(sx < _ZERO) ^ np.uint32(sy < _ZERO)
        row = _4 * k
        rows[row] = np.uint32((np.uint32(qx) & _LOW) | (np.uint32(qy) << _HIGH))
        rows[row + _1] = np.uint32((np.uint32(qw) & _LOW) | (np.uint32(qh) << _HIGH))
        rows[row + _2] = np.uint32((np.uint32(qr) & _LOW) | ((np.uint32(frame[i]) ^ flip) << _HIGH))
        rows[row + _3] = rgba[i]
        state[k] = np.uint8(seen) * (_ODD - np.uint8(fits))


@njit(borrows=True)
def set_terms(terms: Array, back: Any, window: Array, bases: Array, slot: Any) -> None:
    """Store the terms of `lanes`, see `PackingArea` and `Poses.bases`. Mirroring is included in the axes."""
    terms[BACK] = back
    terms[ORIGIN], terms[ORIGIN + 1] = window[0], window[1]
    terms[REACH], terms[REACH + 1] = window[2], window[3]
    terms[FAR], terms[MAX] = window[5], window[6]
    terms[FINE], terms[FINER] = window[4], window[4] + window[4]
    b = np.uint64(slot) * _8
    a, c, size = bases[b + _2], bases[b + _3], bases[b + np.uint64(5)]
    mirror = np.float32(math.copysign(_UNIT, size))
    terms[MIRROR] = mirror
    terms[ALONG], terms[ALONG + 1] = a, a * mirror
    terms[ACROSS], terms[ACROSS + 1] = -c * mirror, c
    terms[AT], terms[AT + 1] = bases[b], bases[b + _1]
    terms[SIZE], terms[TURN] = abs(size), bases[b + _4]


@njit(borrows=True, inline="always")
def _has_one_base(slots: Array, first: Any) -> bool:
    """Return True if the rows of a complete block, which are consecutive, have one base."""
    one, unlike = slots[first], np.uint32(0)
    for k in range(np.uint64(BLOCK)):
        unlike |= slots[first + k] ^ one
    return unlike == np.uint32(0)


@njit(borrows=True)
def pack(
    sprites: Any, back: Any, poses: Any, ground: Any, window: Array, style: Any, groups: Any, packed: Any, working: Any
) -> Any:
    """Pack `count` sprites; returns how many are packed, and how many are visible but do not fit.

    sprites: the rows of their poses, empty if they are consecutive from `first` on, and `first` and `count`. poses:
    columns of Transform, the current ones and those of the last tick. ground: the slot of the base of each row, and the
    bases. window: see `PackingArea`. style:
    columns of `Style`. groups: order: uint8, the indices within their block of the sprites in the order of their
    groups; blocks: int64, the first stretch of each block, and the end of the last; ends, group: uint16 and uint32 for
    each stretch of one group, its end in the block and its group; starts: uint32, where the room of each group begins.

    packed is written: counts: int64, how many of each group are packed. taken: uint16, how many of each stretch. out:
    two uint64 per sprite. source: the index of the sprite at each place in `out`, or empty. odd: int32, two numbers for
    each sprite that does not fit: its index, and the place in `out`, before `close_gaps`, at which it would be. They
    are recorded in the order of blocks and groups. working: cursor: uint32, one per group; scratch: uint64, SCRATCH
    numbers of four bytes; terms: see `lanes`.
    """
    rows, first, count = sprites
    position, rotation, scale, last_position, last_rotation, last_scale = poses
    slots, bases = ground
    sizes, frame, rgba, shift, snaps = style
    order, blocks, ends, group, starts = groups
    counts, taken, out, source, odd = packed
    cursor, scratch, terms = working
    # Scratch: pose columns, states, bases, and the packed rows of one block.
    b = np.uint64(BLOCK)
    floats, whole, bytes_ = scratch.view(np.float32), scratch.view(np.uint32), scratch.view(np.uint8)
    x, y, angle = floats[0:BLOCK], floats[BLOCK : 2 * BLOCK], floats[2 * BLOCK : 3 * BLOCK]
    w, h = floats[3 * BLOCK : 4 * BLOCK], floats[4 * BLOCK : 5 * BLOCK]
    state, words = bytes_[20 * BLOCK : 21 * BLOCK], scratch[21 * BLOCK // 8 : 22 * BLOCK // 8]
    at, axis = floats[6 * BLOCK : 8 * BLOCK], floats[8 * BLOCK : 10 * BLOCK]
    turn = floats[10 * BLOCK : 12 * BLOCK]
    at64, axis64, turn64 = (
        scratch[3 * BLOCK : 4 * BLOCK],
        scratch[4 * BLOCK : 5 * BLOCK],
        scratch[5 * BLOCK : 6 * BLOCK],
    )
    rows64, rows32 = scratch[6 * BLOCK : 8 * BLOCK], whole[12 * BLOCK : 16 * BLOCK]
    bases64 = bases.view(np.uint64)
    for g in range(len(cursor)):
        cursor[g] = starts[g]
    plain = len(rows) == 0 and len(shift) == 0 and len(snaps) == 0
    done, end, start, odds, block = np.uint64(0), np.uint64(count), np.uint64(first), np.int64(0), 0
    # Block by block, so that all data stays in the nearest cache.
    while done < end:
        m = min(b, end - done)
        here = done if len(rows) else start + done
        good = False
        # The usual block: consecutive rows on one base, eight sprites at a time.
        if plain and m == b and _has_one_base(slots, here):
            set_terms(terms, back, window, bases, slots[here])
            k = np.uint64(0)
            while k < b:
                pack8(
                    position, rotation, scale, last_position, last_rotation, last_scale, here + k, sizes, frame, rgba,
                    done + k, terms, rows64, words, k,
                )  # fmt: skip
                k += _8
            good = len(source) == 0 and all_good(words)
            if not good:
                tell_states(words, state)
        # Any other block: poses, bases, anchors, snapping, then one sprite at a time.
        else:
            read_poses(
                rows, here, m, back, position, rotation, scale, last_position, last_rotation, last_scale, x, y, angle,
                w, h,
            )  # fmt: skip
            read_bases(rows, here, m, slots, bases64, at64, axis64, turn64)
            if len(shift):
                shift_anchors(done, m, angle, w, h, at, turn, sizes, shift)
            if len(snaps):
                snap(done, m, x, y, angle, w, h, at, axis, turn, sizes, snaps, window)
            place(done, m, x, y, angle, w, h, at, axis, turn, window, sizes, frame, rgba, rows32, state)
        # Copy the 16 bytes of each sprite to the next place of its group.
        begin, stop = np.uint64(blocks[block]), np.uint64(blocks[block + 1])
        if good:
            scatter_good(done, order, begin, stop, ends, group, cursor, rows64, taken, out)
        else:
            odds = scatter(done, order, begin, stop, ends, group, cursor, rows64, state, taken, out, source, odd, odds)
        done += m
        block += 1
    return close_gaps(starts, cursor, counts, out, source), odds
