"""The constraints of a joint along one axis, a displacement or an angle: a spring, a motor, and two limits.

All kinds share this code. Along its axis a joint has one coordinate (its place), and one speed at which the place
changes. An impulse `p` along the axis changes that speed by `both * p`, where `both` is the inverse effective mass. The
caller passes place, speed and `both` to `solve_axis`, which applies, in this order:

- the spring, a soft constraint with the joint's own frequency and damping ratio, with or without a maximum force. A rod
  is a spring as stiff as joints are (`settings.physics.joint_hertz`), without softness in the relaxing pass;
- the motor, which brings the speed to its own with no more than its maximum force;
- the limits, each an impulse that only pushes. Before the limit is reached, the axis may just reach it in the sub-step.

All numbers are vectors of eight lanes in a block; the kinds choose their position: `o` is where they begin.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs import maths
from rish_ecs.jit import njit
from rish_ecs.jit.simd import LANES, load, maximum, minimum, select, splat, store

from ...components.joint_kinds import HAS_LIMIT, HAS_MOTOR, HAS_SPRING
from ..soft import IMPULSE, JOINT, MASS, RATE, H

LOWER, UPPER, MOTOR_SPEED, MAX_PUSH, HERTZ, DAMPING, REST_PLACE, MAX_SPRING = range(8)
"""The indices of the numbers of an axis in a row of `Joints.numbers`."""

STIFF = 128
"""A part besides HAS_LIMIT, HAS_MOTOR and HAS_SPRING: a spring without a frequency has the stiffness of joints."""
ROD = 256
"""A part: the spring has the stiffness of joints, regardless of its frequency."""
BRAKE = 512
"""A part: a spring without a frequency only brakes and has no position."""
WEAK = 1024
"""A part: the spring has a maximum force, or no limit if the value is negative."""

# Vectors of an axis
MOTOR, SPRING, LOW, HIGH = 0, 8, 16, 24
"""The accumulated impulses, in the order of `Joints.impulses` from MOTOR_AT on."""
SPEED, MAX = 32, 40
"""The motor: its speed, and its greatest impulse in a sub-step."""
SOFT, LASTS = 48, 72
"""The spring: rate, mass share, impulse share (see `solver.soft`), and 1 if they also apply while relaxing."""
REST, SPRING_LIMIT = 80, 88
LOW_AT, HIGH_AT, LIMITED = 96, 104, 112
"""The limits, and 1 if there are limits."""
AXIS = 120
"""The number of float32 in the vectors of an axis."""

MOTOR_AT = 2
"""The index of the first impulse of an axis in a row of `Joints.impulses`."""

_zero, _one, _half = np.float32(0), np.float32(1), np.float32(0.5)
_tangent3, _tangent5, _pi = np.float32(1 / 24), np.float32(1 / 240), np.float32(maths.PI)
_two, _tau, _endless = np.float32(2), np.float32(maths.TAU), np.float32(np.inf)


@njit(forceinline=True, borrows=True)
def fill_soft(block: Any, o: Any, parts: int, hertz: Any, damping: Any, numbers: Any) -> None:
    """Write rate, mass share, impulse share and `LASTS` of one lane; `parts` says what a frequency of 0 means."""
    h = numbers[H]
    block[o + 3 * LANES] = _one
    if hertz > _zero:
        # Catto: rate = omega / a1, mass = a2 / (1 + a2), impulse = 1 / (1 + a2); see `solver.soft`.
        omega = _tau * hertz
        stiff = _two * damping + h * omega
        force = h * omega * stiff
        whole = _one / (_one + force)
        block[o] = omega / stiff
        block[o + LANES] = force * whole
        block[o + 2 * LANES] = whole
    elif parts & STIFF:
        block[o] = numbers[JOINT + RATE]
        block[o + LANES] = numbers[JOINT + MASS]
        block[o + 2 * LANES] = numbers[JOINT + IMPULSE]
        block[o + 3 * LANES] = _zero
    elif parts & BRAKE:
        block[o + LANES] = _one


@njit(forceinline=True, borrows=True)
def fill_axis(
    block: Any, o: Any, parts: int, given: Any, g: Any, impulses: Any, f: Any, share: Any, numbers: Any
) -> None:
    """Fill one lane of an axis with its `parts`; the numbers begin at `given[g]`, the impulses at `impulses[f]`.

    share: factor of the last step's impulses for warm starting. The vectors must be zeros before.
    """
    block[o + SPRING_LIMIT] = _endless
    block[o + LASTS] = _one
    if parts & HAS_MOTOR:
        block[o + SPEED] = given[g + MOTOR_SPEED]
        block[o + MAX] = numbers[H] * max(given[g + MAX_PUSH], _zero)
        block[o + MOTOR] = impulses[f + MOTOR_AT] * share
    if parts & HAS_SPRING:
        hertz = _zero if parts & ROD else given[g + HERTZ]
        fill_soft(block, o + SOFT, parts | (STIFF if parts & ROD else 0), hertz, given[g + DAMPING], numbers)
        block[o + REST] = given[g + REST_PLACE]
        block[o + SPRING] = impulses[f + MOTOR_AT + 1] * share
        if parts & WEAK and given[g + MAX_SPRING] >= _zero:
            block[o + SPRING_LIMIT] = numbers[H] * given[g + MAX_SPRING]
    if parts & HAS_LIMIT:
        block[o + LOW_AT] = given[g + LOWER]
        block[o + HIGH_AT] = given[g + UPPER]
        block[o + LIMITED] = _one
        block[o + LOW] = impulses[f + MOTOR_AT + 2] * share
        block[o + HIGH] = impulses[f + MOTOR_AT + 3] * share


@njit(forceinline=True, borrows=True)
def pushed(block: Any, o: Any) -> Any:
    """Return the total impulse along the axis."""
    return load(block, o + MOTOR) + load(block, o + SPRING) + load(block, o + LOW) - load(block, o + HIGH)


@njit(forceinline=True, borrows=True)
def softness(block: Any, o: Any, bias: bool) -> Any:
    """Return rate, mass share and impulse share of the springs in a block, for this pass."""
    rate, share, relax = load(block, o), load(block, o + LANES), load(block, o + 2 * LANES)
    if not bias:
        lasts = load(block, o + 3 * LANES)
        rate = rate * lasts
        share = select(lasts > splat(_zero), share, splat(_one))
        relax = relax * lasts
    return rate, share, relax


@njit(forceinline=True, borrows=True)
def solve_axis(
    block: Any, o: Any, what: int, speed: Any, place: Any, both: Any, numbers: Any, inverse_h: Any, bias: bool
) -> Any:
    """Do one pass over the parts in `what` (HAS_SPRING, HAS_MOTOR and HAS_LIMIT); return the impulse along the axis."""
    zero, one = splat(_zero), splat(_one)
    mass = select(both > zero, one / both, zero)
    total = zero
    if what & HAS_SPRING:
        # Soft constraint: impulse = -m · mass share · (speed + rate · error) - impulse share · accumulated.
        rate, share, relax = softness(block, o + SOFT, bias)
        old = load(block, o + SPRING)
        bound = load(block, o + SPRING_LIMIT)
        new = old - mass * share * (speed + rate * (place - load(block, o + REST))) - relax * old
        new = maximum(minimum(new, bound), -bound)
        store(block, o + SPRING, new)
        total = total + (new - old)
        speed = speed + both * (new - old)
    if what & HAS_MOTOR:
        old = load(block, o + MOTOR)
        # Motor: drive the speed to its target, clamped to the maximum impulse.
        bound = load(block, o + MAX)
        new = old - mass * (speed - load(block, o + SPEED))
        new = maximum(minimum(new, bound), -bound)
        store(block, o + MOTOR, new)
        total = total + (new - old)
        speed = speed + both * (new - old)
    if what & HAS_LIMIT:
        rate = splat(numbers[JOINT + RATE] if bias else _zero)
        share = splat(numbers[JOINT + MASS] if bias else _one)
        relax = splat(numbers[JOINT + IMPULSE] if bias else _zero)
        mass = mass * load(block, o + LIMITED)
        # Lower limit: only pushes. While there is room, the speed may close it within the sub-step.
        room = place - load(block, o + LOW_AT)
        free = room > zero
        wanted = select(free, room * inverse_h, rate * room)
        old = load(block, o + LOW)
        new = old - mass * select(free, one, share) * (speed + wanted) - select(free, zero, relax) * old
        new = maximum(new, zero)
        store(block, o + LOW, new)
        total = total + (new - old)
        speed = speed + both * (new - old)
        # Upper limit: the same with the opposite sign.
        room = load(block, o + HIGH_AT) - place
        free = room > zero
        wanted = select(free, room * inverse_h, rate * room)
        old = load(block, o + HIGH)
        new = old - mass * select(free, one, share) * (wanted - speed) - select(free, zero, relax) * old
        new = maximum(new, zero)
        store(block, o + HIGH, new)
        total = total - (new - old)
    return total


@njit(forceinline=True, borrows=True)
def turned(x: Any, y: Any, turn: Any) -> Any:
    """Return a vector rotated by the angle of one step; its length is kept for every angle.

    Uses the tangent t of half the angle, as a series: the cosine is (1 - t²) / (1 + t²) and the sine 2 t / (1 + t²). At
    1 radian the angle is 0.1 % too small.
    """
    one, max_turn_step = splat(_one), splat(_pi)
    turn = maximum(minimum(turn, max_turn_step), -max_turn_step)
    square = turn * turn
    t = turn * (splat(_half) + square * (splat(_tangent3) + square * splat(_tangent5)))
    twice = splat(_two) / (one + t * t)
    c = twice - one
    s = t * twice
    return c * x - s * y, s * x + c * y
