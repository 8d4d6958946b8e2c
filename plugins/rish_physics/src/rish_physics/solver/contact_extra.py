"""Cold contacts: restitution, rolling resistance, moving surfaces, two coefficients of friction, hit events.

Few contacts need any of this. Those that do have their own blocks (the COLD parts), with a second block beside the
first for the additional data. So other contacts have no cost for it, not even memory.

Restitution is applied once, after the sub-steps: a contact whose approach was fast enough gets its separation speed if
it had any impulse (as in Box2D). Rolling resistance is a torque against the difference of the angular velocities,
limited by the normal force times a length. A moving surface is friction towards a speed other than zero: that of a belt
that runs clockwise around its shape. Friction uses the static coefficient for a contact that does not slide, and the
dynamic coefficient for one that slides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.jit import njit
from rish_ecs.jit.simd import LANES, load, maximum, minimum, select, splat, store

from .blocks import (
    ARM_A,
    ARM_B,
    FRICTION,
    LEVER_A,
    LEVER_B,
    NORMAL,
    NORMAL_MASS,
    NORMAL_X,
    NORMAL_Y,
    POINT0,
    POINT1,
    SIZE,
    TANGENT,
    TANGENT_MASS,
)
from .colour import COLD, STILL
from .contact import common_place, normal_step, small_turn, soft_step
from .pairs import read_pair, turn_pair, write_pair
from .prepare import mixed
from .soft import BOUNCE_SPEED, CLOSED, SLIP_SPEED

# Vectors of an extra block
RESTITUTION, SPEED = 0, 8
"""The coefficient of restitution, and the speed of the surfaces along the tangent."""
ROLLING, ROLLING_MASS, ROLL = 16, 24, 32
"""The length that limits the torque, the effective mass, and the accumulated angular impulse."""
SLIDING = 40
"""The dynamic coefficient of friction."""
APPROACH, PEAK = 48, 64
"""For each of the two points, the approach speed before the step, and the greatest impulse since."""
EXTRA = 80
"""The number of float32 in an extra block. Extra blocks have the order of the contact blocks."""
_STEP = POINT1 - POINT0

_zero, _one = np.float32(0), np.float32(1)
MAX, MIN = 0, 1
"""The selection of the restitution; numbers of `settings.RestitutionMix`."""


@njit(borrows=True)
def prepare_extra(
    parts: Any, order: Any, pair: Any, surface: Any, size: Any, cold: Any, friction_mix: int, restitution_mix: int,
    share: Any, state: Any, blocks: Any, lanes: Any, extra: Any,
) -> None:  # fmt: skip
    """Fill the extra blocks; call after `prepare`. share: factor of the last step's rolling impulse for warm
    starting.
    """
    zero = splat(_zero)
    e = 0
    for part in range(COLD, COLD + STILL + 1, STILL):
        for block in range(parts[part], parts[part + 1]):
            s = block * LANES
            x = block * 2 * LANES
            o = block * SIZE
            for k in range(LANES):
                for v in range(0, EXTRA, LANES):
                    extra[e + v + k] = _zero
                c = np.int64(order[s + k])
                if c < 0:
                    continue
                a = np.int64(pair[4 * c])
                b = np.int64(pair[4 * c + 1])
                f = 8 * a
                g = 8 * b
                extra[e + SPEED + k] = surface[f + 4] + surface[g + 4]
                if restitution_mix == MIN:
                    extra[e + RESTITUTION + k] = min(surface[f + 2], surface[g + 2])
                else:
                    extra[e + RESTITUTION + k] = max(surface[f + 2], surface[g + 2])
                radius = max(size[4 * a + 2], size[4 * b + 2])
                extra[e + ROLLING + k] = max(surface[f + 3], surface[g + 3]) * radius
                slide_a = surface[f + 1] if surface[f + 1] >= _zero else surface[f]
                slide_b = surface[g + 1] if surface[g + 1] >= _zero else surface[g]
                extra[e + SLIDING + k] = mixed(slide_a, slide_b, friction_mix)
                extra[e + ROLL + k] = cold[8 * c] * share
                both = state[8 * np.int64(lanes[x + k]) + 7] + state[8 * np.int64(lanes[x + LANES + k]) + 7]
                if both > _zero:
                    extra[e + ROLLING_MASS + k] = _one / both
            a_row, b_row = read_pair(state, lanes, block)
            nx = load(blocks, o + NORMAL_X)
            ny = load(blocks, o + NORMAL_Y)
            speed = (b_row[0] - a_row[0]) * nx + (b_row[1] - a_row[1]) * ny
            for p in range(2):
                q = o + POINT0 + p * _STEP
                found = speed + (b_row[2] * load(blocks, q + ARM_B) - a_row[2] * load(blocks, q + ARM_A))
                there = load(blocks, q + NORMAL_MASS) > zero
                store(extra, e + APPROACH + p * LANES, select(there, -found, zero))
            e += EXTRA


@njit(borrows=True)
def warm_extra(parts: Any, state: Any, extra: Any, lanes: Any) -> None:
    """Apply the rolling impulses; the other impulses are applied with those of all contacts."""
    e = 0
    for part in range(COLD, COLD + STILL + 1, STILL):
        for block in range(parts[part], parts[part + 1]):
            a, b = read_pair(state, lanes, block)
            roll = load(extra, e + ROLL)
            turn_pair(state, lanes, block, a, b, a[7] * roll, b[7] * roll)
            e += EXTRA


@njit(borrows=True)
def solve_extra(parts: Any, state: Any, blocks: Any, extra: Any, lanes: Any, numbers: Any, bias: bool) -> None:
    """Do one pass over the cold blocks; see `contact.solve`."""
    zero = splat(_zero)
    slip = splat(numbers[SLIP_SPEED])
    near = splat(numbers[CLOSED])
    closed = numbers[CLOSED] > _zero
    begin = 0
    for part in range(COLD, COLD + STILL + 1, STILL):
        soft = soft_step(numbers, part >= STILL, bias)
        n = parts[part + 1] - parts[part]
        for k in range(n):
            at = k if bias else n - 1 - k
            block = parts[part] + at
            e = begin + at * EXTRA
            o = block * SIZE
            a, b = read_pair(state, lanes, block)
            nx = load(blocks, o + NORMAL_X)
            ny = load(blocks, o + NORMAL_Y)
            mass = a[3] + b[3]
            sine_a, fall_a = small_turn(a[6])
            sine_b, fall_b = small_turn(b[6])
            way = (b[4] - a[4]) * nx + (b[5] - a[5]) * ny
            speed = (b[0] - a[0]) * nx + (b[1] - a[1]) * ny
            spin_a = a[2]
            spin_b = b[2]
            total = zero
            drag = zero
            pressing = zero
            more_a = more_b = higher_a = higher_b = zero
            if closed:
                more_a, higher_a, more_b, higher_b = common_place(a, b, nx, ny, near)
            for p in range(2):
                q = o + POINT0 + p * _STEP
                arm_a, arm_b, before, hold, stiff = normal_step(blocks, q, sine_a, fall_a, sine_b, fall_b, way, soft)
                arm_a = arm_a + more_a
                arm_b = arm_b + more_b
                found = speed + (spin_b * arm_b - spin_a * arm_a)
                after = maximum(hold - stiff * found, zero)
                store(blocks, q + NORMAL, after)
                store(extra, e + PEAK + p * LANES, maximum(after, load(extra, e + PEAK + p * LANES)))
                change = after - before
                total = total + change
                pressing = pressing + after
                speed = speed + mass * change
                spin_a = spin_a - a[7] * (arm_a * change)
                spin_b = spin_b + b[7] * (arm_b * change)
            if not bias:
                slide = (b[0] - a[0]) * ny - (b[1] - a[1]) * nx - load(extra, e + SPEED)
                friction = load(blocks, o + FRICTION)
                sliding = load(extra, e + SLIDING)
                for p in range(2):
                    q = o + POINT0 + p * _STEP
                    lever_a = load(blocks, q + LEVER_A) + higher_a
                    lever_b = load(blocks, q + LEVER_B) + higher_b
                    normal = load(blocks, q + NORMAL)
                    before = load(blocks, q + TANGENT)
                    found = slide + (spin_b * lever_b - spin_a * lever_a)
                    free = before - load(blocks, q + TANGENT_MASS) * found
                    stick = friction * normal
                    # Coulomb cone with the dynamic coefficient while sliding, otherwise the static one.
                    slips = (found > slip) | (found < -slip)
                    limit = select(slips, sliding * normal, stick)
                    after = maximum(minimum(free, limit), -limit)
                    store(blocks, q + TANGENT, after)
                    change = after - before
                    drag = drag + change
                    slide = slide + mass * change
                    spin_a = spin_a - a[7] * (lever_a * change)
                    spin_b = spin_b + b[7] * (lever_b * change)
                before = load(extra, e + ROLL)
                limit = load(extra, e + ROLLING) * pressing
                # Rolling resistance: an angular impulse against the relative spin, |roll| <= length · normal impulse.
                free = before - load(extra, e + ROLLING_MASS) * (spin_b - spin_a)
                after = maximum(minimum(free, limit), -limit)
                store(extra, e + ROLL, after)
                spin_a = spin_a - a[7] * (after - before)
                spin_b = spin_b + b[7] * (after - before)
            px = total * nx + drag * ny
            py = total * ny - drag * nx
            write_pair(state, lanes, block, a, b, px, py, spin_a, spin_b)
        begin += n * EXTRA


@njit(borrows=True)
def bounce(parts: Any, order: Any, state: Any, blocks: Any, extra: Any, lanes: Any, numbers: Any, cold: Any) -> None:
    """Apply restitution after the sub-steps to points that met faster than the threshold; then write rolling impulses,
    greatest impulses and approach speeds to the contacts.
    """
    zero = splat(_zero)
    threshold = splat(numbers[BOUNCE_SPEED])
    near = splat(numbers[CLOSED])
    closed = numbers[CLOSED] > _zero
    e = 0
    for part in range(COLD, COLD + STILL + 1, STILL):
        for block in range(parts[part], parts[part + 1]):
            o = block * SIZE
            a, b = read_pair(state, lanes, block)
            nx = load(blocks, o + NORMAL_X)
            ny = load(blocks, o + NORMAL_Y)
            mass = a[3] + b[3]
            restitution = load(extra, e + RESTITUTION)
            speed = (b[0] - a[0]) * nx + (b[1] - a[1]) * ny
            spin_a = a[2]
            spin_b = b[2]
            total = zero
            more_a = more_b = zero
            if closed:
                more_a, _, more_b, _ = common_place(a, b, nx, ny, near)
            for p in range(2):
                q = o + POINT0 + p * _STEP
                arm_a = load(blocks, q + ARM_A) + more_a
                arm_b = load(blocks, q + ARM_B) + more_b
                approach = load(extra, e + APPROACH + p * LANES)
                met = (restitution > zero) & (approach > threshold) & (load(extra, e + PEAK + p * LANES) > zero)
                found = speed + (spin_b * arm_b - spin_a * arm_a)
                before = load(blocks, q + NORMAL)
                after = maximum(before - load(blocks, q + NORMAL_MASS) * (found - restitution * approach), zero)
                after = select(met, after, before)
                store(blocks, q + NORMAL, after)
                store(extra, e + PEAK + p * LANES, maximum(after, load(extra, e + PEAK + p * LANES)))
                change = after - before
                total = total + change
                speed = speed + mass * change
                spin_a = spin_a - a[7] * (arm_a * change)
                spin_b = spin_b + b[7] * (arm_b * change)
            write_pair(state, lanes, block, a, b, total * nx, total * ny, spin_a, spin_b)
            for k in range(LANES):
                c = np.int64(order[block * LANES + k])
                if c >= 0:
                    cold[8 * c] = extra[e + ROLL + k]
                    cold[8 * c + 1] = extra[e + PEAK + k]
                    cold[8 * c + 2] = extra[e + PEAK + LANES + k]
                    cold[8 * c + 3] = extra[e + APPROACH + k]
                    cold[8 * c + 4] = extra[e + APPROACH + LANES + k]
            e += EXTRA
