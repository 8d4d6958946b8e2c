"""The contact solver: non-penetration and friction impulses, eight contacts at a time.

Every pass over the blocks is one iteration of projected Gauss-Seidel (sequential impulses): the impulse of each contact
is changed so that its constraint holds. Its sum is clamped so that it never pulls, and friction is clamped to its
coefficient times the normal impulse. The separations are computed again from the positions in every sub-step (TGS,
"small steps", Macklin 2019).

The velocities of both bodies enter only by their difference along normal and tangent. The effect of the impulse at one
point on the other point is a single number too (`coupling`), so the two points are solved one after the other without
updating the bodies in between. This shortens the chain of dependent instructions, which limits the speed here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import load, maximum, minimum, select, splat, store

from .blocks import (
    ARM_A,
    ARM_B,
    FRICTION,
    GAP,
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
from .color import COLD, ONE, PARTS, STILL, TWO
from .pairs import read_pair, turn_pair, write_pair
from .soft import CLOSED, IMPULSE, INVERSE_H, MASS, PUSH, RATE
from .soft import STILL as SOFT_STILL

_zero = np.float32(0)
_one = np.float32(1)
_half = np.float32(0.5)
_sixth = np.float32(1 / 6)
_tiny = np.float32(1e-30)


@njit(borrows=True, inline="always")
def common_place(a: Any, b: Any, nx: Any, ny: Any, near: Any) -> Any:
    """Return the corrections of arm A, lever A, arm B, lever B that apply the impulse to both bodies at the same
    point.

    Bodies move during a step, but the arms of their contacts are those from its beginning. So the impulse acts on the
    two bodies at different points, and angular momentum changes a little. Under gravity this is accepted: it keeps tall
    stacks from buckling, and the ground takes up angular momentum anyway. Without gravity the relative displacement is
    added to the arms, most of it to those of the body that is harder to turn. A displacement whose square is above
    `near` is ignored: fast bodies move by many times their size in a sub-step, and arms of that length would spin them
    wildly.
    """
    wx = b[4] - a[4]
    wy = b[5] - a[5]
    share = select(wx * wx + wy * wy <= near, splat(_one), splat(_zero))
    wx = wx * share
    wy = wy * share
    share = b[7] / (a[7] + b[7] + splat(_tiny))
    across = wx * ny - wy * nx
    along = wx * nx + wy * ny
    return share * across, -share * along, (share * across) - across, along - share * along


@njit(borrows=True, forceinline=True)
def soft_step(numbers: Any, still: bool, bias: bool) -> Any:
    """Return the constants of a pass over the contacts between movable bodies, or with immovable ones (`still`).

    Those of the soft step (E. Catto, Soft Step, 2024) are the rate, the share and the part of the impulse that is kept,
    see `soft`; then the inverse of the sub-step, and the push speed, below 0.
    """
    soft = SOFT_STILL if still else 0
    rate = splat(numbers[soft + RATE] if bias else _zero)
    share = splat(numbers[soft + MASS] if bias else _one)
    keep = splat(_one - numbers[soft + IMPULSE] if bias else _one)
    return rate, share, keep, splat(numbers[INVERSE_H]), splat(-numbers[PUSH])


@njit(borrows=True, forceinline=True)
def small_turn(turn: Any) -> Any:
    """Return sin t and 1 - cos t of the rotation since the manifold was made, by series: t - t³/6 and t²/2."""
    square = turn * turn
    return turn * (splat(_one) - splat(_sixth) * square), splat(_half) * square


@njit(borrows=True, forceinline=True)
def normal_step(blocks: Any, q: Any, sine_a: Any, fall_a: Any, sine_b: Any, fall_b: Any, way: Any, soft: Any) -> Any:
    """Return the arms of a point, its normal impulse, and two numbers `hold` and `stiff`: at a relative speed v, the
    impulse becomes `hold - stiff * v`.

    way: the relative displacement of the centers along the normal. A positive gap may close within the sub-step; an
    overlap is opened at the rate of the soft constraint, at most at the push speed.
    """
    rate, share, keep, inverse_h, push = soft
    arm_a = load(blocks, q + ARM_A)
    arm_b = load(blocks, q + ARM_B)
    # gap: the current separation. target: the target speed.
    gap = (fall_b * load(blocks, q + LEVER_B) + sine_b * arm_b) - (fall_a * load(blocks, q + LEVER_A) + sine_a * arm_a)
    gap = gap + (load(blocks, q + GAP) + way)
    apart = gap > splat(_zero)
    target = select(apart, gap * inverse_h, maximum(rate * gap, push))
    effective = load(blocks, q + NORMAL_MASS)
    before = load(blocks, q + NORMAL)
    hold = select(apart, before, keep * before) - effective * target
    return arm_a, arm_b, before, hold, select(apart, effective, effective * share)


@njit(borrows=True)
def warm(parts: Any, state: Any, blocks: Any, lanes: Any) -> None:
    """Apply the accumulated impulses of all contacts (warm starting)."""
    for part in range(PARTS):
        two = part != ONE and part != ONE + STILL
        for block in range(parts[part], parts[part + 1]):
            o = block * SIZE
            a, b = read_pair(state, lanes, block)
            nx = load(blocks, o + NORMAL_X)
            ny = load(blocks, o + NORMAL_Y)
            q = o + POINT0
            # Sum the impulses of both points; arms and levers give the angular impulse r x p.
            along = load(blocks, q + NORMAL)
            across = load(blocks, q + TANGENT)
            spin_a = load(blocks, q + ARM_A) * along + load(blocks, q + LEVER_A) * across
            spin_b = load(blocks, q + ARM_B) * along + load(blocks, q + LEVER_B) * across
            if two:
                q = o + POINT1
                normal = load(blocks, q + NORMAL)
                tangent = load(blocks, q + TANGENT)
                spin_a = spin_a + (load(blocks, q + ARM_A) * normal + load(blocks, q + LEVER_A) * tangent)
                spin_b = spin_b + (load(blocks, q + ARM_B) * normal + load(blocks, q + LEVER_B) * tangent)
                along = along + normal
                across = across + tangent
            px = along * nx + across * ny
            py = along * ny - across * nx
            write_pair(state, lanes, block, a, b, px, py, a[2] - a[7] * spin_a, b[2] + b[7] * spin_b)


@njit(borrows=True)
def warm_closed(parts: Any, state: Any, blocks: Any, lanes: Any, numbers: Any) -> None:
    """Apply the additional angular impulse of `warm` for bodies that have moved, in a world without gravity."""
    near = splat(numbers[CLOSED])
    for part in range(PARTS):
        two = part != ONE and part != ONE + STILL
        for block in range(parts[part], parts[part + 1]):
            o = block * SIZE
            a, b = read_pair(state, lanes, block)
            normal = load(blocks, o + POINT0 + NORMAL)
            tangent = load(blocks, o + POINT0 + TANGENT)
            if two:
                normal = normal + load(blocks, o + POINT1 + NORMAL)
                tangent = tangent + load(blocks, o + POINT1 + TANGENT)
            place = common_place(a, b, load(blocks, o + NORMAL_X), load(blocks, o + NORMAL_Y), near)
            spin_a = place[0] * normal + place[1] * tangent
            spin_b = place[2] * normal + place[3] * tangent
            turn_pair(state, lanes, block, a, b, a[7] * spin_a, b[7] * spin_b)


@njit(borrows=True)
def solve(parts: Any, state: Any, blocks: Any, lanes: Any, numbers: Any, bias: bool) -> None:
    """Do one pass over all blocks that are not cold.

    bias: whether overlap is pushed apart, softly. Otherwise the velocity added by that is removed again (relaxing),
    with friction, and the blocks of each part are processed in reverse order: the contacts that one pass solves first
    the other solves last, so that a stack is not pushed to one side.
    """
    zero = splat(_zero)
    closed = numbers[CLOSED] > _zero
    near = splat(numbers[CLOSED])
    for part in range(PARTS):
        if part == COLD or part == COLD + STILL:
            continue
        two = part == TWO or part == TWO + STILL
        soft = soft_step(numbers, part >= STILL, bias)
        for k in range(parts[part + 1] - parts[part]):
            block = parts[part] + k if bias else parts[part + 1] - 1 - k
            # The bodies of eight contacts: velocity x, y, spin, 1/m, displacement x, y, rotation, 1/I of each.
            o = block * SIZE
            a, b = read_pair(state, lanes, block)
            nx = load(blocks, o + NORMAL_X)
            ny = load(blocks, o + NORMAL_Y)
            mass = a[3] + b[3]
            sine_a, fall_a = small_turn(a[6])
            sine_b, fall_b = small_turn(b[6])
            # The relative displacement and speed of the centers along the normal.
            way = (b[4] - a[4]) * nx + (b[5] - a[5]) * ny
            speed = (b[0] - a[0]) * nx + (b[1] - a[1]) * ny
            more_a = more_b = higher_a = higher_b = zero
            if closed:
                more_a, higher_a, more_b, higher_b = common_place(a, b, nx, ny, near)

            # First point.
            q = o + POINT0
            arm_a, arm_b, before, hold, stiff = normal_step(blocks, q, sine_a, fall_a, sine_b, fall_b, way, soft)
            arm_a = arm_a + more_a
            arm_b = arm_b + more_b
            # Sequential impulse: the change of impulse for the relative speed, the sum never below 0.
            velocity = speed + (b[2] * arm_b - a[2] * arm_a)
            after = maximum(hold - stiff * velocity, zero)
            store(blocks, q + NORMAL, after)
            total = after - before
            spin_a = arm_a * total
            spin_b = arm_b * total
            # Second point, with the first one's change already applied (Gauss-Seidel) through the coupling 1/m + r·r/I.
            if two:
                q = o + POINT1
                arm_a1, arm_b1, before, hold, stiff = normal_step(blocks, q, sine_a, fall_a, sine_b, fall_b, way, soft)
                arm_a1 = arm_a1 + more_a
                arm_b1 = arm_b1 + more_b
                velocity = speed + (b[2] * arm_b1 - a[2] * arm_a1)
                coupling = mass + (a[7] * arm_a * arm_a1 + b[7] * arm_b * arm_b1)
                after = maximum((hold - stiff * velocity) - (stiff * coupling) * total, zero)
                store(blocks, q + NORMAL, after)
                change = after - before
                total = total + change
                spin_a = spin_a + arm_a1 * change
                spin_b = spin_b + arm_b1 * change
            # Impulses along the normal alone; the relaxing pass also applies friction.
            if bias:
                px = total * nx
                py = total * ny
                spin_a = a[2] - a[7] * spin_a
                spin_b = b[2] + b[7] * spin_b
            else:
                spin_a = a[2] - a[7] * spin_a
                spin_b = b[2] + b[7] * spin_b
                # Friction along the tangent, bounded by the cone |t| <= friction · n.
                slide = (b[0] - a[0]) * ny - (b[1] - a[1]) * nx
                friction = load(blocks, o + FRICTION)
                q = o + POINT0
                lever_a = load(blocks, q + LEVER_A) + higher_a
                lever_b = load(blocks, q + LEVER_B) + higher_b
                limit = friction * load(blocks, q + NORMAL)
                before = load(blocks, q + TANGENT)
                effective = load(blocks, q + TANGENT_MASS)
                velocity = slide + (spin_b * lever_b - spin_a * lever_a)
                after = maximum(minimum(before - effective * velocity, limit), -limit)
                store(blocks, q + TANGENT, after)
                drag = after - before
                twist_a = lever_a * drag
                twist_b = lever_b * drag
                if two:
                    q = o + POINT1
                    lever_a1 = load(blocks, q + LEVER_A) + higher_a
                    lever_b1 = load(blocks, q + LEVER_B) + higher_b
                    limit = friction * load(blocks, q + NORMAL)
                    before = load(blocks, q + TANGENT)
                    effective = load(blocks, q + TANGENT_MASS)
                    velocity = slide + (spin_b * lever_b1 - spin_a * lever_a1)
                    coupling = mass + (a[7] * lever_a * lever_a1 + b[7] * lever_b * lever_b1)
                    free = (before - effective * velocity) - (effective * coupling) * drag
                    after = maximum(minimum(free, limit), -limit)
                    store(blocks, q + TANGENT, after)
                    change = after - before
                    drag = drag + change
                    twist_a = twist_a + lever_a1 * change
                    twist_b = twist_b + lever_b1 * change
                spin_a = spin_a - a[7] * twist_a
                spin_b = spin_b + b[7] * twist_b
                px = total * nx + drag * ny
                py = total * ny - drag * nx
            # v -= p/m, w -= (r x p)/I for body A; the opposite for B.
            write_pair(state, lanes, block, a, b, px, py, spin_a, spin_b)
