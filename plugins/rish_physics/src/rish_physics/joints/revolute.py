"""The revolute joint: a pin through two bodies, about which they turn; with limits, a motor and a spring on the angle.

The pin is a constraint on two numbers at once, so that its effective mass is a matrix of two by two, turned over in
closed form. Angle, motor and limits are constraints on the angular velocities alone and are solved before it, since the
pin must hold most of all. A plain pin, which is what nets and chains are made of, takes the short way: nothing but the
point is solved.

numbers: lowest and highest angle (radians, B against A), motor speed (radians/s), most torque of the motor, frequency
(Hz) and damping ratio of the spring, the angle at which it rests.
impulses: x, y of the pin, motor, spring, lower limit, upper limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import maths
from rish_core.jit import njit

from ..solver.simd import LANES, gather, gather4, least, load, most, scatter, select, splat, store
from ..solver.soft import IMPULSE, INVERSE_H, JOINT, MASS, RATE, H, numbers_of
from .kinds import HAS_LIMIT, HAS_MOTOR, HAS_SPRING

if TYPE_CHECKING:
    from ..state import State
    from .blocks import Plan

LOWER, UPPER, MOTOR_SPEED, MOST_TORQUE, HERTZ, DAMPING, REST_ANGLE = range(7)
"""Where the numbers of a joint stand."""

# Vectors of a block of pins
ANCHOR_A, ANCHOR_B = 0, 16
"""The anchors from the centres in world axes, x and y, when the step began."""
BETWEEN = 32
"""From the centre of A to that of B, x and y, when the step began."""
PUSH_X, PUSH_Y = 48, 56
"""Accumulated impulse of the pin."""
SIZE = 64
"""float32 of a block of pins."""

# Vectors of a block of angles
MOTOR, SPRING, LOW, HIGH = 0, 8, 16, 24
"""Accumulated angular impulses."""
ANGLE, AXIAL_MASS = 32, 40
SPEED, TORQUE = 48, 56
"""Of the motor: radians/s, and the most angular impulse of a sub-step."""
SPRING_RATE, SPRING_MASS, SPRING_IMPULSE, SPRING_ERROR = 64, 72, 80, 88
LOW_ANGLE, HIGH_ANGLE, LIMIT_MASS = 96, 104, 112
WIDE = 120
"""float32 of a block of angles; there is one for each block from `Plan.short` on."""

_zero, _one, _half, _sixth, _tiny = np.float32(0), np.float32(1), np.float32(0.5), np.float32(1 / 6), np.float32(1e-30)
_tau = np.float32(maths.TAU)
_two = np.float32(2)


def simple(flags: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Which joints are nothing but a pin."""
    return (flags & (HAS_LIMIT | HAS_MOTOR | HAS_SPRING)) == 0


def prepare(state: State, plan: Plan) -> None:
    """Fill the blocks from the tables."""
    joints, bodies = state.flats(state.joints), state.flats(state.bodies)
    share = np.float32(1 if state.scaled.warm_starting else 0)
    pose, frames, impulses = bodies.pose, joints.frames, joints.impulses
    pair = state.scratch.take("revolute.pair", 2 * LANES, np.int32)
    plan.wide = state.scratch.take("revolute.angles", (plan.count - plan.short) * WIDE)
    ends = joints.pair
    prepare_pins(plan.count, plan.rows, plan.used, ends, pose, frames, impulses, share, pair, plan.blocks)
    if plan.short < plan.count:
        prepare_angles(
            plan.short, plan.count, plan.order, plan.lanes, ends, joints.flags, joints.numbers, pose,
            bodies.state, frames, impulses, share, numbers_of(state), plan.wide,
        )  # fmt: skip


def warm(state: State, plan: Plan) -> None:
    """Apply the impulses that the blocks hold."""
    speeds = state.flats(state.bodies).state
    warm_pins(plan.count, speeds, plan.blocks, plan.lanes)
    if plan.short < plan.count:
        warm_angles(plan.short, plan.count, speeds, plan.wide, plan.lanes)


def solve(state: State, plan: Plan, bias: bool) -> None:
    """One pass over all blocks."""
    speeds, numbers = state.flats(state.bodies).state, numbers_of(state)
    if plan.short < plan.count:
        solve_angles(plan.short, plan.count, speeds, plan.wide, plan.lanes, numbers, bias)
    solve_pins(plan.count, speeds, plan.blocks, plan.lanes, numbers, bias)


def remember(state: State, plan: Plan) -> None:
    """Write the impulses back, and force and torque of the step."""
    joints = state.flats(state.joints)
    store_impulses(plan.short, plan.order, plan.blocks, plan.wide, numbers_of(state), joints.impulses, joints.load)


@njit
def prepare_pins(
    count: int, rows: Any, used: Any, pair: Any, pose: Any, frames: Any, impulses: Any, share: Any, ends: Any,
    blocks: Any,
) -> None:  # fmt: skip
    """Fill what belongs to the pin. ends: int32 of 16, for the bodies of a block."""
    kept = splat(share)
    for block in range(count):
        o = block * SIZE
        s = block * LANES
        for k in range(LANES):
            j = np.int64(rows[s + k])
            ends[k] = pair[2 * j]
            ends[k + LANES] = pair[2 * j + 1]
        there = load(used, s)
        a = gather4(pose, 4, 0, ends, 0)
        b = gather4(pose, 4, 0, ends, LANES)
        frame = gather(frames, 8, 0, rows, s)
        push = gather4(impulses, 8, 0, rows, s)
        store(blocks, o + ANCHOR_A, a[2] * frame[0] - a[3] * frame[1])
        store(blocks, o + ANCHOR_A + LANES, a[3] * frame[0] + a[2] * frame[1])
        store(blocks, o + ANCHOR_B, b[2] * frame[4] - b[3] * frame[5])
        store(blocks, o + ANCHOR_B + LANES, b[3] * frame[4] + b[2] * frame[5])
        store(blocks, o + BETWEEN, b[0] - a[0])
        store(blocks, o + BETWEEN + LANES, b[1] - a[1])
        store(blocks, o + PUSH_X, push[0] * kept * there)
        store(blocks, o + PUSH_Y, push[1] * kept * there)


@njit
def prepare_angles(
    first: int, last: int, order: Any, lanes: Any, pair: Any, flags: Any, given: Any, pose: Any, state: Any,
    frames: Any, impulses: Any, share: Any, numbers: Any, angles: Any,
) -> None:  # fmt: skip
    """Fill what belongs to the angle, lane by lane, in the blocks from `first` to `last`."""
    h = numbers[H]
    for s in range(first * LANES, last * LANES):
        o = (s // LANES - first) * WIDE + s % LANES
        for k in range(0, WIDE, LANES):
            angles[o + k] = _zero
        j = np.int64(order[s])
        if j < 0:
            continue
        p = 4 * np.int64(pair[2 * j])
        q = 4 * np.int64(pair[2 * j + 1])
        f = 8 * j
        ax = pose[p + 2] * frames[f + 2] - pose[p + 3] * frames[f + 3]
        ay = pose[p + 3] * frames[f + 2] + pose[p + 2] * frames[f + 3]
        bx = pose[q + 2] * frames[f + 6] - pose[q + 3] * frames[f + 7]
        by = pose[q + 3] * frames[f + 6] + pose[q + 2] * frames[f + 7]
        angle = np.float32(maths.atan2(np.float64(ax * by - ay * bx), np.float64(ax * bx + ay * by)))
        x = s // LANES * 2 * LANES + s % LANES
        both = state[8 * np.int64(lanes[x]) + 7] + state[8 * np.int64(lanes[x + LANES]) + 7]
        mass = _one / both if both > _zero else _zero
        g = 16 * j
        angles[o + ANGLE] = angle
        angles[o + AXIAL_MASS] = mass
        if flags[j] & HAS_MOTOR:
            angles[o + SPEED] = given[g + MOTOR_SPEED]
            angles[o + TORQUE] = h * given[g + MOST_TORQUE]
            angles[o + MOTOR] = impulses[f + 2] * share
        if flags[j] & HAS_SPRING and given[g + HERTZ] > _zero:
            omega = _tau * given[g + HERTZ]
            stiff = _two * given[g + DAMPING] + h * omega
            force = h * omega * stiff
            angles[o + SPRING_RATE] = omega / stiff
            angles[o + SPRING_MASS] = force / (_one + force) * mass
            angles[o + SPRING_IMPULSE] = _one / (_one + force)
            angles[o + SPRING_ERROR] = angle - given[g + REST_ANGLE]
            angles[o + SPRING] = impulses[f + 3] * share
        if flags[j] & HAS_LIMIT:
            angles[o + LOW_ANGLE] = given[g + LOWER]
            angles[o + HIGH_ANGLE] = given[g + UPPER]
            angles[o + LIMIT_MASS] = mass
            angles[o + LOW] = impulses[f + 4] * share
            angles[o + HIGH] = impulses[f + 5] * share


@njit
def warm_pins(count: int, state: Any, blocks: Any, lanes: Any) -> None:
    """Apply the impulses of the pins."""
    one, half, sixth = splat(_one), splat(_half), splat(_sixth)
    for block in range(count):
        o = block * SIZE
        x = block * 2 * LANES
        a = gather(state, 8, 0, lanes, x)
        b = gather(state, 8, 0, lanes, x + LANES)
        px = load(blocks, o + PUSH_X)
        py = load(blocks, o + PUSH_Y)
        square = a[6] * a[6]
        c = one - half * square
        s = a[6] * (one - sixth * square)
        x0 = load(blocks, o + ANCHOR_A)
        y0 = load(blocks, o + ANCHOR_A + LANES)
        spin_a = (c * x0 - s * y0) * py - (s * x0 + c * y0) * px
        square = b[6] * b[6]
        c = one - half * square
        s = b[6] * (one - sixth * square)
        x0 = load(blocks, o + ANCHOR_B)
        y0 = load(blocks, o + ANCHOR_B + LANES)
        spin_b = (c * x0 - s * y0) * py - (s * x0 + c * y0) * px
        scatter(state, lanes, x, a[0] - a[3] * px, a[1] - a[3] * py, a[2] - a[7] * spin_a, a[3])
        scatter(state, lanes, x + LANES, b[0] + b[3] * px, b[1] + b[3] * py, b[2] + b[7] * spin_b, b[3])


@njit
def warm_angles(first: int, last: int, state: Any, angles: Any, lanes: Any) -> None:
    """Apply the angular impulses of the blocks from `first` to `last`."""
    for block in range(first, last):
        o = (block - first) * WIDE
        x = block * 2 * LANES
        a = gather(state, 8, 0, lanes, x)
        b = gather(state, 8, 0, lanes, x + LANES)
        total = load(angles, o + MOTOR) + load(angles, o + SPRING) + load(angles, o + LOW) - load(angles, o + HIGH)
        scatter(state, lanes, x, a[0], a[1], a[2] - a[7] * total, a[3])
        scatter(state, lanes, x + LANES, b[0], b[1], b[2] + b[7] * total, b[3])


@njit
def solve_pins(count: int, state: Any, blocks: Any, lanes: Any, numbers: Any, bias: bool) -> None:
    """One pass over the pins; the gap between the anchors counts as it is now."""
    one, half, sixth, tiny = splat(_one), splat(_half), splat(_sixth), splat(_tiny)
    rate = splat(numbers[JOINT + RATE] if bias else _zero)
    share = splat(numbers[JOINT + MASS] if bias else _one)
    relax = splat(numbers[JOINT + IMPULSE] if bias else _zero)
    for block in range(count):
        o = block * SIZE
        x = block * 2 * LANES
        a = gather(state, 8, 0, lanes, x)
        b = gather(state, 8, 0, lanes, x + LANES)
        square = a[6] * a[6]
        c = one - half * square
        s = a[6] * (one - sixth * square)
        x0 = load(blocks, o + ANCHOR_A)
        y0 = load(blocks, o + ANCHOR_A + LANES)
        ax = c * x0 - s * y0
        ay = s * x0 + c * y0
        square = b[6] * b[6]
        c = one - half * square
        s = b[6] * (one - sixth * square)
        x0 = load(blocks, o + ANCHOR_B)
        y0 = load(blocks, o + ANCHOR_B + LANES)
        bx = c * x0 - s * y0
        by = s * x0 + c * y0
        vx = (b[0] - a[0]) + (a[2] * ay - b[2] * by)
        vy = (b[1] - a[1]) + (b[2] * bx - a[2] * ax)
        if bias:
            vx = vx + rate * (((b[4] - a[4]) + load(blocks, o + BETWEEN)) + (bx - ax))
            vy = vy + rate * (((b[5] - a[5]) + load(blocks, o + BETWEEN + LANES)) + (by - ay))
        mass = a[3] + b[3]
        ax_turn = a[7] * ax
        ay_turn = a[7] * ay
        bx_turn = b[7] * bx
        by_turn = b[7] * by
        k11 = mass + (ay_turn * ay + by_turn * by)
        k22 = mass + (ax_turn * ax + bx_turn * bx)
        k12 = -(ay_turn * ax + by_turn * bx)
        scale = share / most(k11 * k22 - k12 * k12, tiny)
        old_x = load(blocks, o + PUSH_X)
        old_y = load(blocks, o + PUSH_Y)
        px = scale * (k12 * vy - k22 * vx) - relax * old_x
        py = scale * (k12 * vx - k11 * vy) - relax * old_y
        store(blocks, o + PUSH_X, old_x + px)
        store(blocks, o + PUSH_Y, old_y + py)
        spin_a = a[2] - (ax_turn * py - ay_turn * px)
        spin_b = b[2] + (bx_turn * py - by_turn * px)
        scatter(state, lanes, x, a[0] - a[3] * px, a[1] - a[3] * py, spin_a, a[3])
        scatter(state, lanes, x + LANES, b[0] + b[3] * px, b[1] + b[3] * py, spin_b, b[3])


@njit
def solve_angles(first: int, last: int, state: Any, angles: Any, lanes: Any, numbers: Any, bias: bool) -> None:
    """One pass over springs, motors and limits of the blocks from `first` to `last`."""
    zero, one = splat(_zero), splat(_one)
    inverse_h = splat(numbers[INVERSE_H])
    rate = splat(numbers[JOINT + RATE] if bias else _zero)
    share = splat(numbers[JOINT + MASS] if bias else _one)
    relax = splat(numbers[JOINT + IMPULSE] if bias else _zero)
    for block in range(first, last):
        o = (block - first) * WIDE
        x = block * 2 * LANES
        a = gather(state, 8, 0, lanes, x)
        b = gather(state, 8, 0, lanes, x + LANES)
        both = a[7] + b[7]
        speed = b[2] - a[2]
        turn = b[6] - a[6]
        total = zero

        old = load(angles, o + SPRING)
        error = load(angles, o + SPRING_ERROR) + turn
        change = -load(angles, o + SPRING_MASS) * (speed + load(angles, o + SPRING_RATE) * error)
        change = change - load(angles, o + SPRING_IMPULSE) * old
        store(angles, o + SPRING, old + change)
        total = total + change
        speed = speed + both * change

        limit = load(angles, o + TORQUE)
        old = load(angles, o + MOTOR)
        new = old - load(angles, o + AXIAL_MASS) * (speed - load(angles, o + SPEED))
        new = most(least(new, limit), -limit)
        store(angles, o + MOTOR, new)
        total = total + (new - old)
        speed = speed + both * (new - old)

        angle = load(angles, o + ANGLE) + turn
        mass = load(angles, o + LIMIT_MASS)
        room = angle - load(angles, o + LOW_ANGLE)
        free = room > zero
        wanted = select(free, room * inverse_h, rate * room)
        old = load(angles, o + LOW)
        new = old - mass * select(free, one, share) * (speed + wanted) - select(free, zero, relax) * old
        new = most(new, zero)
        store(angles, o + LOW, new)
        total = total + (new - old)
        speed = speed + both * (new - old)

        room = load(angles, o + HIGH_ANGLE) - angle
        free = room > zero
        wanted = select(free, room * inverse_h, rate * room)
        old = load(angles, o + HIGH)
        new = old - mass * select(free, one, share) * (wanted - speed) - select(free, zero, relax) * old
        new = most(new, zero)
        store(angles, o + HIGH, new)
        total = total - (new - old)
        scatter(state, lanes, x, a[0], a[1], a[2] - a[7] * total, a[3])
        scatter(state, lanes, x + LANES, b[0], b[1], b[2] + b[7] * total, b[3])


@njit
def store_impulses(short: int, order: Any, blocks: Any, angles: Any, numbers: Any, impulses: Any, load: Any) -> None:
    """Write back what was pushed; the load is that of the last sub-step."""
    inverse_h = numbers[INVERSE_H]
    for s in range(len(order)):
        j = np.int64(order[s])
        if j < 0:
            continue
        o = s // LANES * SIZE + s % LANES
        f = 8 * j
        impulses[f] = blocks[o + PUSH_X]
        impulses[f + 1] = blocks[o + PUSH_Y]
        load[4 * j] = blocks[o + PUSH_X] * inverse_h
        load[4 * j + 1] = blocks[o + PUSH_Y] * inverse_h
        load[4 * j + 2] = _zero
        if s >= short * LANES:
            o = (s // LANES - short) * WIDE + s % LANES
            for k in range(4):
                impulses[f + 2 + k] = angles[o + MOTOR + k * LANES]
            load[4 * j + 2] = inverse_h * (angles[o + MOTOR] + angles[o + SPRING] + angles[o + LOW] - angles[o + HIGH])
