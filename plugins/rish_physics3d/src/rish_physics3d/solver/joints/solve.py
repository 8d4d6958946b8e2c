"""The joint solver: sequential impulses over the rows of all joints, eight joints at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, gather, gather4, load, maximum, minimum, scatter, select, splat, store

from ...maths.lanes import cross, dot, load3, minus, plus, scaled, turned
from .rows import (
    ARM_A,
    ARM_B,
    BIAS,
    COUPLING,
    HIGH,
    IMPULSE,
    KEEP,
    LINE,
    LOCKS,
    LOW,
    MASS,
    RELAXING,
    ROOM,
    ROW,
    SHARE,
    TOTAL,
    TURN_A,
    TURN_B,
)

_0 = np.float32(0)


@njit(borrows=True)
def push_rows(ends: Array, counts: Array, rows: Array, linear: Array, angular: Array, warm: bool, relax: bool) -> None:
    """Apply the stored impulses of all joints (warm), or solve their rows once, the free ones before the locks.

    ends: see `vectors.place_frames`; the joints of a block share no body that moves. relax: without bias, and in
    reverse order, so that impulses travel through a chain both ways.
    """
    zero, blocks = splat(_0), len(ends) // (3 * LANES)
    for number in range(blocks):
        block = blocks - 1 - number if relax else number
        base, at, free, locks = ROOM * ROW * block, 3 * LANES * block, 0, 0
        for k in range(2 * LANES * block, 2 * LANES * (block + 1), 2):
            free, locks = max(free, counts[k]), max(locks, counts[k + 1])
        a, b = gather4(linear, 8, 0, ends, at), gather4(linear, 8, 0, ends, at + LANES)
        c, d = gather4(angular, 8, 0, ends, at), gather4(angular, 8, 0, ends, at + LANES)
        v_a, v_b, w_a, w_b = (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2]), (d[0], d[1], d[2])
        for r in range(free + locks):
            q = base + ROW * (LOCKS + r if r < free else r - free)
            line, step = load3(rows, q + LINE), load(rows, q + IMPULSE)
            if not warm:
                speed = dot(line, minus(v_b, v_a)) + (
                    dot(load3(rows, q + ARM_B), w_b) - dot(load3(rows, q + ARM_A), w_a)
                )
                p = q + RELAXING if relax else q
                before, mass = step, load(rows, q + MASS)
                change = mass * load(rows, p + SHARE) * (speed + load(rows, p + BIAS)) + load(rows, p + KEEP) * before
                after = minimum(maximum(before - change, load(rows, q + LOW)), load(rows, q + HIGH))
                after = select(mass > zero, after, zero)
                store(rows, q + IMPULSE, after)
                step = after - before
            force = scaled(line, step)
            v_a, v_b = minus(v_a, scaled(force, a[3])), plus(v_b, scaled(force, b[3]))
            w_a = minus(w_a, scaled(load3(rows, q + TURN_A), step))
            w_b = plus(w_b, scaled(load3(rows, q + TURN_B), step))
        scatter(linear, ends, at, v_a[0], v_a[1], v_a[2], a[3])
        scatter(linear, ends, at + LANES, v_b[0], v_b[1], v_b[2], b[3])
        scatter(angular, ends, at, w_a[0], w_a[1], w_a[2], c[3])
        scatter(angular, ends, at + LANES, w_b[0], w_b[1], w_b[2], d[3])


@njit(borrows=True)
def keep_joints(ends: Array, frames: Array, counts: Array, rows: Array, pose: Array, load_of: Array, inverse_h: Any
                ) -> None:  # fmt: skip
    """Note the impulses of all joints along their rows before those were made conjugate, and the greatest squares of
    force and torque of the step so far, eight joints at a time.

    ends, frames: see `vectors.place_frames`. load_of: float32, of eight joints the forces, then the torques about the
    anchors on B.
    """
    zero, square = splat(_0), splat(inverse_h * inverse_h)
    for block in range(len(ends) // (3 * LANES)):
        base, at, free, locks = ROOM * ROW * block, 3 * LANES * block, 0, 0
        for k in range(2 * LANES * block, 2 * LANES * (block + 1), 2):
            free, locks = max(free, counts[k]), max(locks, counts[k + 1])
        force, torque = (zero, zero, zero), (zero, zero, zero)
        for back in range(free + locks):
            r = free + locks - 1 - back
            q = base + ROW * (r if r < locks else LOCKS + r - locks)
            impulse = select(load(rows, q + MASS) > zero, load(rows, q + IMPULSE), zero)
            force = plus(force, scaled(load3(rows, q + LINE), impulse))
            torque = plus(torque, scaled(load3(rows, q + ARM_B), impulse))
            for after in range(r + 1, locks):
                p = base + ROW * after
                impulse = impulse - load(rows, p + COUPLING + LANES * r) * load(rows, p + TOTAL)
            store(rows, q + TOTAL, impulse)
        b = gather(pose, 8, 0, ends, at + LANES)
        anchor = gather4(frames, 16, 8, ends, at + 2 * LANES)
        arm = turned((b[4], b[5], b[6], b[7]), (anchor[0], anchor[1], anchor[2]))
        torque = minus(torque, cross(arm, force))
        o = 2 * LANES * block
        store(load_of, o, maximum(square * dot(force, force), load(load_of, o)))
        store(load_of, o + LANES, maximum(square * dot(torque, torque), load(load_of, o + LANES)))
