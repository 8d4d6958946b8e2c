"""The sub-steps: a tick is divided into small steps, and each is solved with few passes instead of many.

Each sub-step has five parts. Forces change the velocities. The previous impulses are applied again (warm starting). The
constraints are solved with a bias that pushes overlaps apart. The positions are integrated. The constraints are solved
again without the bias, which removes the velocity that it added (relaxing). The integrator is semi-implicit Euler:
velocity first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, load, onward, splat, store

from ..components.tables import DRIVEN, DYNAMIC, TYPE
from .contact import solve, warm, warm_closed
from .finalize import limited
from .soft import CLOSED, GRAVITY_X, GRAVITY_Y, MAX_SPEED, MAX_SPIN, H

_zero = np.float32(0)
_one = np.float32(1)
_spare = np.float32(4)


@njit(borrows=True)
def velocities(awake: Any, flags: Any, state: Any, drive: Any, numbers: Any) -> None:
    """Integrate the velocities of the bodies over one sub-step: gravity, and the forces of `Bodies.drive`."""
    h = numbers[H]
    gx = numbers[GRAVITY_X]
    gy = numbers[GRAVITY_Y]
    for k in range(LANES):
        state[k] = _zero
    state[0] = h * gx
    state[1] = h * gy
    fall = load(state, 0)
    state[0] = _zero
    state[1] = _zero
    for q in range(len(awake)):
        i = np.int64(awake[q])
        o = 8 * i
        kind = flags[i] & (TYPE | DRIVEN)
        if kind == DYNAMIC:
            store(state, o, load(state, o) + fall)
        elif kind == DYNAMIC | DRIVEN:
            # v += h (scale g + F / m), w += h T / I; damping is implicit: v /= 1 + h c; quadratic drag: v /= 1 + h k
            # |v| / m.
            inverse = state[o + 3]
            scale = drive[o]
            vx = state[o] + h * (scale * gx + inverse * drive[o + 4])
            vy = state[o + 1] + h * (scale * gy + inverse * drive[o + 5])
            w = state[o + 2] + h * state[o + 7] * drive[o + 6]
            slow = _one / (_one + h * drive[o + 1])
            vx *= slow
            vy *= slow
            w *= _one / (_one + h * drive[o + 2])
            if drive[o + 3] != _zero:
                slow = _one / (_one + h * inverse * drive[o + 3] * np.sqrt(vx * vx + vy * vy))
                vx *= slow
                vy *= slow
            if vx * vx + vy * vy > numbers[MAX_SPEED] * numbers[MAX_SPEED]:
                slower = limited(vx, vy, numbers[MAX_SPEED])
                vx = slower[0]
                vy = slower[1]
            state[o] = vx
            state[o + 1] = vy
            state[o + 2] = max(min(w, _spare * numbers[MAX_SPIN]), -_spare * numbers[MAX_SPIN])


@njit(borrows=True)
def positions(awake: Any, state: Any, numbers: Any) -> None:
    """Integrate the positions of the bodies over one sub-step.

    A body with finite mass moves and turns at most four times as fast as the limits to which `finalize` clamps
    velocities at the end of the step. A constraint that overshoots, such as a strong motor on a light body, could
    otherwise move its body anywhere within one step, and the error would grow with each sub-step.
    """
    h = numbers[H]
    wide_h = splat(h)
    max_speed = _spare * numbers[MAX_SPEED]
    max_spin = _spare * numbers[MAX_SPIN]
    fastest = max_speed * max_speed
    for q in range(len(awake)):
        o = 8 * np.int64(awake[q])
        vx = state[o]
        vy = state[o + 1]
        w = state[o + 2]
        too_fast = vx * vx + vy * vy > fastest
        if (too_fast or abs(w) > max_spin) and state[o + 3] > _zero:
            if too_fast:
                slower = limited(vx, vy, max_speed)
                vx = slower[0]
                vy = slower[1]
            state[o + 4] += h * vx
            state[o + 5] += h * vy
            state[o + 6] += h * max(min(w, max_spin), -max_spin)
        else:
            row = load(state, o)
            store(state, o, row + wide_h * onward(row))


@njit(borrows=True)
def substeps(
    count: int, iterations: int, relaxations: int, awake: Any, flags: Any, drive: Any, parts: Any, state: Any,
    blocks: Any, lanes: Any, numbers: Any,
) -> None:  # fmt: skip
    """Run all sub-steps of a world without joints and cold contacts, in one call."""
    bias = count > 0  # a variable, since numba compiles the callee again for each constant
    closed = numbers[CLOSED] > _zero
    for _ in range(count):
        velocities(awake, flags, state, drive, numbers)
        warm(parts, state, blocks, lanes)
        if closed:
            warm_closed(parts, state, blocks, lanes, numbers)
        for _ in range(iterations):
            solve(parts, state, blocks, lanes, numbers, bias)
        positions(awake, state, numbers)
        for _ in range(relaxations):
            solve(parts, state, blocks, lanes, numbers, not bias)
