"""The contact solver: normal impulses and friction, eight contacts at a time.

Every pass over the blocks is one iteration of projected Gauss-Seidel (sequential impulses). Up to four points of a
contact keep the bodies apart, one after the other. Friction acts at their center: its two components are solved
together and limited to a disc, so that it is equal in all directions, and a third number resists rotation about the
normal. The separations follow from the displacements in every sub-step (E. Catto, "Solver2D", 2024; M. Macklin, "Small
steps in physics simulation", 2019).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, gather, gather4, load, maximum, minimum, scatter, select, splat, sqrt, store

from ..maths.lanes import cross, dot, load3, minus, plus, scaled
from .blocks import (
    ARM_A,
    ARM_B,
    CENTER_A,
    CENTER_B,
    FIRST,
    FRICTION,
    GAP,
    IMPULSE,
    INERTIA_A,
    INERTIA_B,
    LEVER,
    MASS,
    NORMAL,
    PEAK,
    POINT,
    SIZE,
    SLIDE,
    SLIDE_MASS,
    TANGENT,
    TURN_A,
    TURN_B,
    TWIST,
    TWIST_MASS,
)
from .color import PARTS, STILL, points_of
from .soft import INVERSE_H, KEEP, PUSH, RATE, SHARE
from .soft import STILL as SOFT_STILL

_zero = np.float32(0)
_one = np.float32(1)
_tiny = np.float32(1e-30)


@njit(borrows=True, forceinline=True)
def turned_by(blocks: Any, at: Any, v: Any) -> Any:
    """Return the symmetric matrix of six numbers at `at` times v."""
    xx, yy, zz = load3(blocks, at)
    xy, xz, yz = load3(blocks, at + 3 * LANES)
    return (
        xx * v[0] + xy * v[1] + xz * v[2],
        xy * v[0] + yy * v[1] + yz * v[2],
        xz * v[0] + yz * v[1] + zz * v[2],
    )


@njit(borrows=True)
def warm(parts: Any, linear: Any, angular: Any, blocks: Any, lanes: Any) -> None:
    """Apply the accumulated impulses of all contacts (warm starting)."""
    for part in range(PARTS):
        count = points_of(part)
        for block in range(parts[part], parts[part + 1]):
            o = block * SIZE
            at = 2 * LANES * block
            a, b = gather4(linear, 8, 0, lanes, at), gather4(linear, 8, 0, lanes, at + LANES)
            w_a, w_b = gather4(angular, 8, 0, lanes, at), gather4(angular, 8, 0, lanes, at + LANES)
            normal = load3(blocks, o + NORMAL)
            tangent = load3(blocks, o + TANGENT)
            other = cross(normal, tangent)
            slide = plus(scaled(tangent, load(blocks, o + SLIDE)), scaled(other, load(blocks, o + SLIDE + LANES)))
            twist = scaled(normal, load(blocks, o + TWIST))
            turn_a = turned_by(blocks, o + INERTIA_A, plus(cross(load3(blocks, o + CENTER_A), slide), twist))
            turn_b = turned_by(blocks, o + INERTIA_B, plus(cross(load3(blocks, o + CENTER_B), slide), twist))
            total = splat(_zero)
            for p in range(count):
                q = o + FIRST + p * POINT
                impulse = load(blocks, q + IMPULSE)
                turn_a = plus(turn_a, scaled(load3(blocks, q + TURN_A), impulse))
                turn_b = plus(turn_b, scaled(load3(blocks, q + TURN_B), impulse))
                total = total + impulse
            push = plus(scaled(normal, total), slide)
            v_a = minus((a[0], a[1], a[2]), scaled(push, a[3]))
            v_b = plus((b[0], b[1], b[2]), scaled(push, b[3]))
            scatter(linear, lanes, at, v_a[0], v_a[1], v_a[2], a[3])
            scatter(linear, lanes, at + LANES, v_b[0], v_b[1], v_b[2], b[3])
            scatter(angular, lanes, at, w_a[0] - turn_a[0], w_a[1] - turn_a[1], w_a[2] - turn_a[2], w_a[3])
            scatter(angular, lanes, at + LANES, w_b[0] + turn_b[0], w_b[1] + turn_b[1], w_b[2] + turn_b[2], w_b[3])


@njit(borrows=True)
def solve(parts: Any, linear: Any, angular: Any, blocks: Any, lanes: Any, numbers: Any, bias: bool) -> None:
    """Do one pass over all blocks.

    parts: see `color`. bias: whether overlap is pushed apart, softly. Otherwise the velocity added by that is removed
    again (relaxing), with friction, and the blocks of each part are processed in reverse order.
    """
    zero = splat(_zero)
    for part in range(PARTS):
        count = points_of(part)
        soft = SOFT_STILL if part >= STILL else 0
        rate = splat(numbers[soft + RATE] if bias else _zero)
        share = splat(numbers[soft + SHARE] if bias else _one)
        keep = splat(_one - numbers[soft + KEEP] if bias else _one)
        inverse_h, push = splat(numbers[INVERSE_H]), splat(-numbers[PUSH])
        for k in range(parts[part + 1] - parts[part]):
            block = parts[part] + k if bias else parts[part + 1] - 1 - k
            o = block * SIZE
            at = 2 * LANES * block
            a, b = gather(linear, 8, 0, lanes, at), gather(linear, 8, 0, lanes, at + LANES)
            c, d = gather(angular, 8, 0, lanes, at), gather(angular, 8, 0, lanes, at + LANES)
            w_a, w_b = (c[0], c[1], c[2]), (d[0], d[1], d[2])
            normal = load3(blocks, o + NORMAL)
            # The relative displacement and speed of the centers along the normal.
            way = dot(normal, (b[4] - a[4], b[5] - a[5], b[6] - a[6]))
            speed = dot(normal, (b[0] - a[0], b[1] - a[1], b[2] - a[2]))
            mass = a[3] + b[3]
            pressed = zero  # the sum of the normal impulses, and that of its changes
            change = zero
            grip = zero  # the sum of impulse times distance from the center
            for p in range(count):
                q = o + FIRST + p * POINT
                arm_a, arm_b = load3(blocks, q + ARM_A), load3(blocks, q + ARM_B)
                gap = load(blocks, q + GAP) + way + (dot((d[4], d[5], d[6]), arm_b) - dot((c[4], c[5], c[6]), arm_a))
                apart = gap > zero
                target = select(apart, gap * inverse_h, maximum(rate * gap, push))
                effective = load(blocks, q + MASS)
                before = load(blocks, q + IMPULSE)
                hold = select(apart, before, keep * before) - effective * target * select(apart, splat(_one), share)
                stiff = select(apart, effective, effective * share)
                velocity = speed + (dot(w_b, arm_b) - dot(w_a, arm_a))
                after = maximum(hold - stiff * velocity, zero)
                store(blocks, q + IMPULSE, after)
                step = after - before
                change = change + step
                speed = speed + mass * step
                w_a = minus(w_a, scaled(load3(blocks, q + TURN_A), step))
                w_b = plus(w_b, scaled(load3(blocks, q + TURN_B), step))
                if not bias:
                    pressed = pressed + after
                    grip = grip + after * load(blocks, q + LEVER)
                    store(blocks, q + PEAK, maximum(load(blocks, q + PEAK), after))
            force = scaled(normal, change)
            v_a = minus((a[0], a[1], a[2]), scaled(force, a[3]))
            v_b = plus((b[0], b[1], b[2]), scaled(force, b[3]))
            if not bias:
                friction = load(blocks, o + FRICTION)
                # Rotation about the normal.
                limit = friction * grip
                before = load(blocks, o + TWIST)
                free = before - load(blocks, o + TWIST_MASS) * (dot(normal, w_b) - dot(normal, w_a))
                after = maximum(minimum(free, limit), -limit)
                store(blocks, o + TWIST, after)
                twist = scaled(normal, after - before)
                # Sliding of the center along both tangents, limited to the disc of radius friction * pressed.
                tangent = load3(blocks, o + TANGENT)
                other = cross(normal, tangent)
                center_a, center_b = load3(blocks, o + CENTER_A), load3(blocks, o + CENTER_B)
                turn_a, turn_b = turned_by(blocks, o + INERTIA_A, twist), turned_by(blocks, o + INERTIA_B, twist)
                w_a, w_b = minus(w_a, turn_a), plus(w_b, turn_b)
                slip = minus(plus(v_b, cross(w_b, center_b)), plus(v_a, cross(w_a, center_a)))
                s, t = dot(tangent, slip), dot(other, slip)
                m11, m22, m12 = load3(blocks, o + SLIDE_MASS)
                s0, t0 = load(blocks, o + SLIDE), load(blocks, o + SLIDE + LANES)
                s1 = s0 - (m11 * s + m12 * t)
                t1 = t0 - (m12 * s + m22 * t)
                length = sqrt(s1 * s1 + t1 * t1)
                limit = friction * pressed
                fit = select(length > limit, limit / maximum(length, splat(_tiny)), splat(_one))
                s1, t1 = s1 * fit, t1 * fit
                store(blocks, o + SLIDE, s1)
                store(blocks, o + SLIDE + LANES, t1)
                force = plus(scaled(tangent, s1 - s0), scaled(other, t1 - t0))
                turn_a = turned_by(blocks, o + INERTIA_A, cross(center_a, force))
                turn_b = turned_by(blocks, o + INERTIA_B, cross(center_b, force))
                v_a, v_b = minus(v_a, scaled(force, a[3])), plus(v_b, scaled(force, b[3]))
                w_a, w_b = minus(w_a, turn_a), plus(w_b, turn_b)
            scatter(linear, lanes, at, v_a[0], v_a[1], v_a[2], a[3])
            scatter(linear, lanes, at + LANES, v_b[0], v_b[1], v_b[2], b[3])
            scatter(angular, lanes, at, w_a[0], w_a[1], w_a[2], c[3])
            scatter(angular, lanes, at + LANES, w_b[0], w_b[1], w_b[2], d[3])
