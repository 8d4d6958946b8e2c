"""Where a joint is in this sub-step: its frames in the world, and what lies between them.

A joint has a frame on each body, with its main axis as x: the axis of a hinge, slider or suspension, the bone of a ball
joint. Eight joints share a block of memory, as in `rows`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, gather, gather4, select, splat, store

from ...components import joint_kinds as jk
from ...components.joint_kinds import NUMBERS
from ...maths.lanes import cross, dot, minus, plus, scaled, store3, turned
from ...maths.rotations import angle_of

XA, YA, ZA, XB, YB, ZB = (3 * k * LANES for k in range(6))
"""The axes of both frames in the world; here and below, where they are in the numbers of a joint."""
ARM_A, ARM_B = 18 * LANES, 21 * LANES
"""The anchors, relative to the centers of their bodies."""
APART, REACH = 24 * LANES, 27 * LANES
"""From anchor A to anchor B; anchor B relative to the center of A."""
ALONG = 30 * LANES
"""The axis along or about which the joint is free, not of length 1 for the twist of a ball joint."""
SIDE = 33 * LANES
"""A second axis: of the cone of a ball joint, and that which keeps the axle of a wheel across its suspension."""
BEND = 36 * LANES
"""The speed that makes the anchors meet after the sub-step, although they move on circles."""
TURN = 39 * LANES
"""The rotation of B's frame in that of A, the short way, a quaternion."""
AT, SECOND = 43 * LANES, 44 * LANES
"""The coordinate along or about `ALONG`; the angle about `SIDE`, or that of steering."""
CIRCLING = 45 * LANES
"""Of a distance joint: the acceleration of both anchors, as they turn about each other, along the distance."""
VECTORS = 46
"""The numbers of a joint."""
_0, _1, _2, _half = np.float32(0), np.float32(1), np.float32(2), np.float32(0.5)
_pi, _tau = np.float32(np.pi), np.float32(2 * np.pi)
_small = np.float32(1e-6)


@njit(borrows=True, inline="always")
def dot_of(v: Array, a: Any, b: Any) -> Any:
    """Return the dot product of two vectors."""
    return v[a] * v[b] + v[a + LANES] * v[b + LANES] + v[a + 2 * LANES] * v[b + 2 * LANES]


@njit(borrows=True, inline="always")
def put_cross(v: Array, a: Any, b: Any, out: Any) -> None:
    """Write the cross product of two vectors."""
    for k in range(3):
        s, t = (k + 1) % 3 * LANES, (k + 2) % 3 * LANES
        v[out + k * LANES] = v[a + s] * v[b + t] - v[a + t] * v[b + s]


@njit(borrows=True)
def near(angle: Any, middle: Any) -> Any:
    """Return an angle plus full turns, so that it is at most half a turn from another one."""
    off = angle - middle
    if off > _pi:
        return angle - _tau
    return angle + _tau if off < -_pi else angle


@njit(borrows=True, forceinline=True)
def product(a: Any, b: Any) -> Any:
    """Return the product of two quaternions."""
    u, v = (a[0], a[1], a[2]), (b[0], b[1], b[2])
    c = plus(scaled(v, a[3]), plus(scaled(u, b[3]), cross(u, v)))
    return c[0], c[1], c[2], a[3] * b[3] - dot(u, v)


@njit(borrows=True, forceinline=True)
def put_axes(q: Any, out: Array, at: Any) -> Any:
    """Write the three axes of rotations; return the first."""
    one, two = splat(_1), splat(_2)
    a, b, c, w = q
    x = (one - two * (b * b + c * c), two * (a * b + c * w), two * (a * c - b * w))
    y = (two * (a * b - c * w), one - two * (a * a + c * c), two * (b * c + a * w))
    store3(out, at, x)
    store3(out, at + 3 * LANES, y)
    store3(out, at + 6 * LANES, cross(x, y))
    return x


@njit(borrows=True)
def place_frames(ends: Array, frames: Array, motion: Any, h: Any, vectors: Array) -> None:
    """Write the vectors that do not depend on the kind, of eight joints at a time.

    ends: int32, 24 for eight joints: their bodies A, B, and their numbers. frames: 16 numbers a joint: anchor A,
    unused, frame A, anchor B, unused, frame B, in the frames of their bodies. motion: of the bodies. h: the sub-step,
    s.
    """
    linear, angular, pose = motion
    zero, one = splat(_0), splat(_1)
    for block in range(len(ends) // (3 * LANES)):
        o, at = VECTORS * LANES * block, 3 * LANES * block
        a, b = gather(pose, 8, 0, ends, at), gather(pose, 8, 0, ends, at + LANES)
        v_a, v_b = gather(linear, 8, 0, ends, at), gather(linear, 8, 0, ends, at + LANES)
        c, d = gather4(angular, 8, 0, ends, at), gather4(angular, 8, 0, ends, at + LANES)
        f, g = gather(frames, 16, 0, ends, at + 2 * LANES), gather(frames, 16, 8, ends, at + 2 * LANES)
        turn_a, turn_b = (a[4], a[5], a[6], a[7]), (b[4], b[5], b[6], b[7])
        frame_a, frame_b = product(turn_a, (f[4], f[5], f[6], f[7])), product(turn_b, (g[4], g[5], g[6], g[7]))
        x = put_axes(frame_a, vectors, o + XA)
        put_axes(frame_b, vectors, o + XB)
        arm_a, arm_b = turned(turn_a, (f[0], f[1], f[2])), turned(turn_b, (g[0], g[1], g[2]))
        between = product((-frame_a[0], -frame_a[1], -frame_a[2], frame_a[3]), frame_b)
        sign = select(between[3] < zero, -one, one)
        for k in range(4):
            store(vectors, o + TURN + k * LANES, between[k] * sign)
        # The displacements of this step are not in the poses yet.
        centers = plus(
            minus((b[0], b[1], b[2]), (a[0], a[1], a[2])), minus((v_b[4], v_b[5], v_b[6]), (v_a[4], v_a[5], v_a[6]))
        )
        apart = plus(centers, minus(arm_b, arm_a))
        reach = plus(arm_a, apart)
        # The centripetal acceleration of an anchor: w x (w x r) = w (w · r) - r w².
        bend = (zero, zero, zero)
        for side in range(2):
            w = (d[0], d[1], d[2]) if side else (c[0], c[1], c[2])
            r, scale = (arm_b, splat(_half * h)) if side else (reach, splat(-_half * h))
            bend = plus(bend, scaled(minus(scaled(w, dot(w, r)), scaled(r, dot(w, w))), scale))
        store3(vectors, o + ARM_A, arm_a)
        store3(vectors, o + ARM_B, arm_b)
        store3(vectors, o + APART, apart)
        store3(vectors, o + REACH, reach)
        store3(vectors, o + BEND, bend)
        store3(vectors, o + ALONG, x)


@njit(borrows=True)
def place_joints(form: Array, numbers: Array, motion: Any, vectors: Array) -> None:
    """Write the other vectors of all joints, those of their kinds.

    form: int32, 4 a joint: kind, bodies A and B, parts. numbers: see `joint_kinds`. motion: of the bodies.
    """
    linear, angular, _ = motion
    for n in range(len(form) // 4):
        i, j, m = 8 * np.int64(form[4 * n + 1]), 8 * np.int64(form[4 * n + 2]), NUMBERS * n
        kind, flags = form[4 * n], form[4 * n + 3]
        if (kind == jk.HINGE and not flags) or kind == jk.WELD or kind == jk.MOUSE:
            continue
        v = vectors[VECTORS * LANES * (n // LANES) + n % LANES :]
        u, w = _0, _1
        if kind == jk.DISTANCE:
            v[AT] = np.sqrt(dot_of(v, APART, APART))
            for k in range(0, 3 * LANES, LANES):
                v[ALONG + k] = v[APART + k] / v[AT] if v[AT] > _small else v[XA + k]
            square, along = _0, _0
            for k in range(3):
                p, q = (k + 1) % 3, (k + 2) % 3
                s, t = p * LANES, q * LANES
                speed = linear[j + k] - linear[i + k]
                speed += angular[j + p] * v[ARM_B + t] - angular[j + q] * v[ARM_B + s]
                speed -= angular[i + p] * v[ARM_A + t] - angular[i + q] * v[ARM_A + s]
                square, along = square + speed * speed, along + speed * v[ALONG + k * LANES]
            v[CIRCLING] = (square - along * along) / max(v[AT], _small)
        elif kind == jk.SLIDER:
            v[AT] = dot_of(v, APART, XA)
        elif kind == jk.WHEEL:
            v[AT] = dot_of(v, APART, XA)
            put_cross(v, ZB, XA, SIDE)
            u, w = -dot_of(v, ZB, YA), dot_of(v, ZB, ZA)
        elif kind == jk.BALL:
            put_cross(v, XB, XA, SIDE)
            u, w = np.sqrt(dot_of(v, SIDE, SIDE)), dot_of(v, XA, XB)
            for k in range(0, 3 * LANES, LANES):
                # The twist changes at w · (xa + xb) / (1 + xa · xb), where w is the relative angular velocity.
                v[ALONG + k] = (v[XA + k] + v[XB + k]) / max(_1 + w, _small)
                v[SIDE + k] = v[SIDE + k] / max(u, _small)
        if kind == jk.HINGE or kind == jk.BALL:
            middle = numbers[m + jk.REST]
            if flags & jk.HAS_LIMIT:
                middle = _half * (numbers[m + jk.LOWER] + numbers[m + jk.UPPER])
            v[AT] = near(_2 * angle_of(v[TURN], v[TURN + 3 * LANES]), middle)
        v[SECOND] = near(angle_of(u, w), numbers[m + jk.STEERING] if kind == jk.WHEEL else _0)
