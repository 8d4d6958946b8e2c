"""Where a joint is in this sub-step: its frames in the world, and what lies between them.

A joint has a frame on each body, with its main axis as x: the axis of a hinge, slider or suspension, the bone of a ball
joint.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ...components import joint_kinds as jk
from ...components.joint_kinds import NUMBERS
from ...maths.rotations import angle_of

XA, YA, ZA, XB, YB, ZB = 0, 3, 6, 9, 12, 15
"""The axes of both frames in the world; here and below, where they are in the numbers of a joint."""
ARM_A, ARM_B = 18, 21
"""The anchors, relative to the centers of their bodies."""
APART, REACH = 24, 27
"""From anchor A to anchor B; anchor B relative to the center of A."""
ALONG = 30
"""The axis along or about which the joint is free, not of length 1 for the twist of a ball joint."""
SIDE = 33
"""A second axis: of the cone of a ball joint, and that which keeps the axle of a wheel across its suspension."""
BEND = 36
"""The speed that makes the anchors meet after the sub-step, although they move on circles."""
TURN_A, TURN_B, TURN = 39, 43, 47
"""The rotations of both frames, and of B's in that of A, the short way, quaternions."""
AT, SECOND = 51, 52
"""The coordinate along or about `ALONG`; the angle about `SIDE`, or that of steering."""
CIRCLING = 53
"""Of a distance joint: the acceleration of both anchors, as they turn about each other, along the distance."""
VECTORS = 56
_0, _1, _2, _half = np.float32(0), np.float32(1), np.float32(2), np.float32(0.5)
_pi, _tau = np.float32(np.pi), np.float32(2 * np.pi)
_small = np.float32(1e-6)


@njit(borrows=True)
def dot_of(v: Array, a: Any, b: Any) -> Any:
    """Return the dot product of two vectors."""
    return v[a] * v[b] + v[a + 1] * v[b + 1] + v[a + 2] * v[b + 2]


@njit(borrows=True)
def put_cross(v: Array, a: Any, b: Any, out: Any) -> None:
    """Write the cross product of two vectors."""
    for k in range(3):
        s, t = (k + 1) % 3, (k + 2) % 3
        v[out + k] = v[a + s] * v[b + t] - v[a + t] * v[b + s]


@njit(borrows=True)
def put_product(a: Array, o: Any, sign: Any, b: Array, p: Any, out: Array, q: Any) -> None:
    """Write the product of two quaternions; with a sign of -1, of the conjugate of the first."""
    for k in range(3):
        s, t = (k + 1) % 3, (k + 2) % 3
        cross = a[o + s] * b[p + t] - a[o + t] * b[p + s]
        out[q + k] = a[o + 3] * b[p + k] + sign * (a[o + k] * b[p + 3] + cross)
    out[q + 3] = a[o + 3] * b[p + 3] - sign * (a[o] * b[p] + a[o + 1] * b[p + 1] + a[o + 2] * b[p + 2])


@njit(borrows=True)
def put_turned(q: Array, o: Any, a: Array, p: Any, v: Array, out: Any) -> None:
    """Write a vector rotated by a quaternion: r + 2 w (q x r) + 2 q x (q x r)."""
    for k in range(3):
        s, t = (k + 1) % 3, (k + 2) % 3
        v[BEND + k] = _2 * (q[o + s] * a[p + t] - q[o + t] * a[p + s])
    for k in range(3):
        s, t = (k + 1) % 3, (k + 2) % 3
        v[out + k] = a[p + k] + q[o + 3] * v[BEND + k] + (q[o + s] * v[BEND + t] - q[o + t] * v[BEND + s])


@njit(borrows=True)
def put_axes(v: Array, turn: Any, x: Any) -> None:
    """Write the three axes of a rotation."""
    a, b, c, w = v[turn], v[turn + 1], v[turn + 2], v[turn + 3]
    v[x], v[x + 1], v[x + 2] = _1 - _2 * (b * b + c * c), _2 * (a * b + c * w), _2 * (a * c - b * w)
    v[x + 3], v[x + 4], v[x + 5] = _2 * (a * b - c * w), _1 - _2 * (a * a + c * c), _2 * (b * c + a * w)
    put_cross(v, x, x + 3, x + 6)


@njit(borrows=True)
def near(angle: Any, middle: Any) -> Any:
    """Return an angle plus full turns, so that it is at most half a turn from another one."""
    off = angle - middle
    if off > _pi:
        return angle - _tau
    return angle + _tau if off < -_pi else angle


@njit(borrows=True)
def place_joints(form: Array, frames: Array, numbers: Array, motion: Any, h: Any, vectors: Array) -> None:
    """Write the vectors of all joints.

    form: int32, 4 a joint: kind, bodies A and B, parts. frames: 16 numbers a joint: anchor A, unused, frame A, anchor
    B, unused, frame B, in the frames of their bodies. numbers: see `joint_kinds`. motion: of the bodies. h: the
    sub-step, s.
    """
    linear, angular, pose = motion
    for n in range(len(form) // 4):
        i, j, f, m = 8 * np.int64(form[4 * n + 1]), 8 * np.int64(form[4 * n + 2]), 16 * n, NUMBERS * n
        kind, flags = form[4 * n], form[4 * n + 3]
        v = vectors[VECTORS * n : VECTORS * n + VECTORS]
        for side in range(2):
            o = j if side else i
            put_product(pose, o + 4, _1, frames, f + 8 * side + 4, v, TURN_A + 4 * side)
            put_axes(v, TURN_A + 4 * side, XA + 9 * side)
            put_turned(pose, o + 4, frames, f + 8 * side, v, ARM_A + 3 * side)
        put_product(v, TURN_A, -_1, v, TURN_B, v, TURN)
        if v[TURN + 3] < _0:
            for k in range(4):
                v[TURN + k] = -v[TURN + k]
        for k in range(3):
            # The displacements of this step are not in the poses yet.
            centers = (pose[j + k] - pose[i + k]) + (linear[j + 4 + k] - linear[i + 4 + k])
            v[APART + k] = centers + (v[ARM_B + k] - v[ARM_A + k])
            v[REACH + k] = v[ARM_A + k] + v[APART + k]
        # The centripetal acceleration of an anchor: w x (w x r) = w (w · r) - r w².
        for k in range(3):
            v[BEND + k] = _0
        for side in range(2):
            o, r, scale = (j, ARM_B, _half * h) if side else (i, REACH, -_half * h)
            square = angular[o] * angular[o] + angular[o + 1] * angular[o + 1] + angular[o + 2] * angular[o + 2]
            along = angular[o] * v[r] + angular[o + 1] * v[r + 1] + angular[o + 2] * v[r + 2]
            for k in range(3):
                v[BEND + k] += scale * (angular[o + k] * along - v[r + k] * square)
        u, w = _0, _1
        for k in range(3):
            v[ALONG + k] = v[XA + k]
        if kind == jk.DISTANCE:
            v[AT] = np.sqrt(dot_of(v, APART, APART))
            for k in range(3):
                v[ALONG + k] = v[APART + k] / v[AT] if v[AT] > _small else v[XA + k]
            square, along = _0, _0
            for k in range(3):
                s, t = (k + 1) % 3, (k + 2) % 3
                speed = linear[j + k] - linear[i + k]
                speed += angular[j + s] * v[ARM_B + t] - angular[j + t] * v[ARM_B + s]
                speed -= angular[i + s] * v[ARM_A + t] - angular[i + t] * v[ARM_A + s]
                square, along = square + speed * speed, along + speed * v[ALONG + k]
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
            for k in range(3):
                # The twist changes at w · (xa + xb) / (1 + xa · xb), where w is the relative angular velocity.
                v[ALONG + k] = (v[XA + k] + v[XB + k]) / max(_1 + w, _small)
                v[SIDE + k] = v[SIDE + k] / max(u, _small)
        if kind == jk.HINGE or kind == jk.BALL:
            middle = numbers[m + jk.REST]
            if flags & jk.HAS_LIMIT:
                middle = _half * (numbers[m + jk.LOWER] + numbers[m + jk.UPPER])
            v[AT] = near(_2 * angle_of(v[TURN], v[TURN + 3]), middle)
        v[SECOND] = near(angle_of(u, w), numbers[m + jk.STEERING] if kind == jk.WHEEL else _0)
