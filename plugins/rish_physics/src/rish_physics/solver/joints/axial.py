"""The constraints of a joint along one axis, a displacement or an angle: a spring, a motor, and two limits.

All kinds share this code. Along its axis a joint has one coordinate (its place), and one speed at which the place
changes. An impulse `p` along the axis changes that speed by `inverse_mass * p`, where `inverse_mass` is the inverse
effective mass. The caller passes place, speed and inverse mass to `solve_axis`, which applies, in this order:

- the spring, a soft constraint with the joint's own frequency and damping ratio, with or without a maximum force. A rod
  is a spring as stiff as joints are (`settings.physics.joint_hertz`), without softness in the relaxing pass;
- the motor, which brings the speed to its own with no more than its maximum force;
- the limits, each an impulse that only pushes. Before the limit is reached, the axis may just reach it in the sub-step.

The limits are rigid: a soft one would give way in proportion to its load. But before the impulses of a limit are
applied again, a fifth of them fades. The next pass finds it again: a limit that bears its load alone at once, and the
limits of a rope together, little by little. Without this loss ropes of heavy bodies would gain energy, because they get
too few passes to agree on rigid impulses.

Spring and motor push towards a limit only with the impulse that reaches it. Otherwise their impulses and those of the
limit would both grow, and the small difference of two large float32 is noise.

Errors are corrected with bounded speeds: no spring or rod drives faster than the greatest speed or spin of a body, and
a limit that is violated by far is approached with a share of it (`SNAP`).

All numbers are vectors of eight lanes in a block; the kinds choose their position: `o` is where they begin.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import maths, njit
from rish_jit.simd import LANES, load, maximum, minimum, select, splat, store

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
SOFT, LASTS, FASTEST = 48, 72, 80
"""The spring: rate, mass share, impulse share (see `solver.soft`); 1 if they also apply while relaxing; the greatest
speed with which it corrects its error.
"""
REST, SPRING_LIMIT = 88, 96
LOW_AT, HIGH_AT = 104, 112
"""The limits; -FAR and FAR if there are none."""
AXIS = 120
"""The number of float32 in the vectors of an axis."""

FAR = np.float32(1e30)
"""A length or angle beyond all others, whose products with masses are still finite."""
SNAP = np.float32(0.1)
"""The share of the greatest speed or spin with which a violated limit is approached."""

MOTOR_AT = 2
"""The index of the first impulse of an axis in a row of `Joints.impulses`."""

_zero, _one, _half, _least = np.float32(0), np.float32(1), np.float32(0.5), np.float32(1e-30)
_tangent3, _tangent5, _pi = np.float32(1 / 24), np.float32(1 / 240), np.float32(maths.PI)
_two, _tau, _endless = np.float32(2), np.float32(maths.TAU), np.float32(np.inf)


@njit(forceinline=True, borrows=True)
def fill_soft(block: Any, o: Any, parts: int, hertz: Any, damping: Any, numbers: Any, fastest: Any) -> None:
    """Write the numbers of a spring of one lane, see `SOFT`; `parts` says what a frequency of 0 means.

    fastest: the greatest speed or spin of a body.
    """
    h = numbers[H]
    block[o + 3 * LANES] = _one
    block[o + 4 * LANES] = _endless
    omega = _tau * hertz
    stiff = _two * damping + h * omega
    if hertz > _zero and stiff > _zero:
        # Catto: rate = omega / a1, mass = a2 / (1 + a2), impulse = 1 / (1 + a2); see `solver.soft`.
        force = h * omega * stiff
        keep = _one / (_one + force)
        block[o] = omega / stiff
        block[o + LANES] = force * keep
        block[o + 2 * LANES] = keep
        block[o + 4 * LANES] = fastest / max(force * keep, _least)
    elif parts & STIFF:
        block[o] = numbers[JOINT + RATE]
        block[o + LANES] = numbers[JOINT + MASS]
        block[o + 2 * LANES] = numbers[JOINT + IMPULSE]
        block[o + 3 * LANES] = _zero
        block[o + 4 * LANES] = fastest
    elif parts & BRAKE:
        block[o + LANES] = _one


@njit(forceinline=True, borrows=True)
def fill_axis(
    block: Any, o: Any, parts: int, values: Any, g: Any, impulses: Any, f: Any, share: Any, numbers: Any, fastest: Any
) -> None:
    """Fill one lane of an axis with its `parts`; the numbers begin at `values[g]`, the impulses at `impulses[f]`.

    share: factor of the last step's impulses for warm starting. fastest: see `fill_soft`. The vectors must be zeros
    before.
    """
    block[o + SPRING_LIMIT] = _endless
    block[o + LASTS] = _one
    block[o + LOW_AT], block[o + HIGH_AT] = -FAR, FAR
    if parts & HAS_MOTOR:
        block[o + SPEED] = max(min(values[g + MOTOR_SPEED], fastest), -fastest)
        block[o + MAX] = numbers[H] * max(values[g + MAX_PUSH], _zero)
        block[o + MOTOR] = impulses[f + MOTOR_AT] * share
    if parts & HAS_SPRING:
        hertz = _zero if parts & ROD else values[g + HERTZ]
        fill_soft(block, o + SOFT, parts | (STIFF if parts & ROD else 0), hertz, values[g + DAMPING], numbers, fastest)
        block[o + REST] = values[g + REST_PLACE]
        block[o + SPRING] = impulses[f + MOTOR_AT + 1] * share
        if parts & WEAK and values[g + MAX_SPRING] >= _zero:
            block[o + SPRING_LIMIT] = numbers[H] * values[g + MAX_SPRING]
    if parts & HAS_LIMIT:
        block[o + LOW_AT] = max(values[g + LOWER], -FAR)
        block[o + HIGH_AT] = min(values[g + UPPER], FAR)
        block[o + LOW] = impulses[f + MOTOR_AT + 2] * share
        block[o + HIGH] = impulses[f + MOTOR_AT + 3] * share


@njit(forceinline=True, borrows=True)
def faded(block: Any, o: Any, part: Any) -> Any:
    """Multiply a vector of impulses in a block by a factor; return it."""
    impulse = load(block, o) * part
    store(block, o, impulse)
    return impulse


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
def clamped(x: Any, bound: Any) -> Any:
    """Return x within [-bound, bound]."""
    return maximum(minimum(x, bound), -bound)


@njit(forceinline=True, borrows=True)
def yielding(impulse: Any, least: Any, most: Any) -> Any:
    """Limit the impulse of a spring or motor so that it does not push the axis beyond a limit.

    least, most: the impulses with which the axis just reaches its lower and its upper limit. An impulse beyond them is
    reduced, at most to 0, because the limit itself brakes the axis.
    """
    zero = splat(_zero)
    impulse = minimum(impulse, maximum(most, minimum(impulse, zero)))
    return maximum(impulse, minimum(least, maximum(impulse, zero)))


@njit(forceinline=True, borrows=True)
def solve_axis(
    block: Any, o: Any, what: int, speed: Any, place: Any, inverse_mass: Any, numbers: Any, inverse_h: Any, bias: bool,
    fastest: Any,
) -> Any:  # fmt: skip
    """Do one pass over the parts in `what` (HAS_SPRING, HAS_MOTOR and HAS_LIMIT); return the impulse along the axis.

    fastest: the greatest speed or spin of a body.
    """
    zero, one = splat(_zero), splat(_one)
    mass = select(inverse_mass > zero, one / inverse_mass, zero)
    total = zero
    slowest, quickest = -splat(FAR), splat(FAR)
    if what & HAS_LIMIT:
        # The speeds that just reach the limits within the sub-step, or, beyond a limit, correct the error.
        rate = splat(numbers[JOINT + RATE] if bias else _zero)
        snap = splat(SNAP) * fastest
        room = place - load(block, o + LOW_AT)
        slowest = -select(room > zero, room * inverse_h, maximum(rate * room, -snap))
        room = load(block, o + HIGH_AT) - place
        quickest = select(room > zero, room * inverse_h, maximum(rate * room, -snap))
    if what & HAS_SPRING:
        # Soft constraint: impulse = -m · mass share · (speed + rate · error) - impulse share · accumulated.
        rate, share, relax = softness(block, o + SOFT, bias)
        before = load(block, o + SPRING)
        back = clamped(rate * (place - load(block, o + REST)), load(block, o + FASTEST))
        after = before - mass * share * (speed + back) - relax * before
        after = clamped(after, load(block, o + SPRING_LIMIT))
        if what & HAS_LIMIT:
            after = yielding(after, before + mass * (slowest - speed), before + mass * (quickest - speed))
        store(block, o + SPRING, after)
        total = total + (after - before)
        speed = speed + inverse_mass * (after - before)
    if what & HAS_MOTOR:
        # Motor: drive the speed to its target, clamped to the maximum impulse.
        before = load(block, o + MOTOR)
        after = clamped(before - mass * (speed - load(block, o + SPEED)), load(block, o + MAX))
        if what & HAS_LIMIT:
            after = yielding(after, before + mass * (slowest - speed), before + mass * (quickest - speed))
        store(block, o + MOTOR, after)
        total = total + (after - before)
        speed = speed + inverse_mass * (after - before)
    if what & HAS_LIMIT:
        # Lower limit: only pushes.
        before = load(block, o + LOW)
        after = maximum(before + mass * (slowest - speed), zero)
        store(block, o + LOW, after)
        total = total + (after - before)
        speed = speed + inverse_mass * (after - before)
        # Upper limit: the same with the opposite sign.
        before = load(block, o + HIGH)
        after = maximum(before + mass * (speed - quickest), zero)
        store(block, o + HIGH, after)
        total = total - (after - before)
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
