"""Joints as rows: what each kind locks, limits and drives, at the poses of this sub-step.

A joint has a frame on each body, with its main axis as x: the axis of a hinge, slider or suspension, the bone of a ball
joint. `error` means how far the frame of B is from where that of A says it shall be.

In a sub-step an anchor moves on a circle about the center of its body, and its velocity is along the tangent. So the
speed of locked anchors is aimed at half of the centripetal acceleration of the sub-step: they meet after it, up to
terms of the third order. With the second projection, of the velocities onto the rows after the movement, this is
RATTLE (H. C. Andersen, 1983), which keeps the energy of a pendulum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, maths, njit

from ...components import joint_kinds as jk
from ...components.joint_kinds import NUMBERS
from ...maths.rotations import turn
from ..soft import INVERSE_H, JOINT, H
from .rows import (
    BIAS,
    ROOM,
    ROW,
    SLOT,
    copy_template,
    drive,
    line_row,
    lock,
    make_conjugate,
    spring,
    start_impulses,
    stop,
    turn_row,
    weigh,
)

_0, _1, _2, _half = np.float32(0), np.float32(1), np.float32(2), np.float32(0.5)
_pi, _tau = np.float32(np.pi), np.float32(2 * np.pi)
_most = np.float32(3e38)
_small = np.float32(1e-6)


@njit(borrows=True)
def axes_of(pose: Array, o: Any, frames: Array, f: Any) -> Any:
    """Return a frame's rotation in the world (4), and its x and y axes (3 each)."""
    qx, qy, qz, qw = pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 7]
    ax, ay, az, aw = frames[f], frames[f + 1], frames[f + 2], frames[f + 3]
    x = qw * ax + qx * aw + (qy * az - qz * ay)
    y = qw * ay + qy * aw + (qz * ax - qx * az)
    z = qw * az + qz * aw + (qx * ay - qy * ax)
    w = qw * aw - (qx * ax + qy * ay + qz * az)
    first = (_1 - _2 * (y * y + z * z), _2 * (x * y + z * w), _2 * (x * z - y * w))
    second = (_2 * (x * y - z * w), _1 - _2 * (x * x + z * z), _2 * (y * z + x * w))
    return (x, y, z, w), first, second


@njit(borrows=True)
def dot3(a: Any, b: Any) -> Any:
    """Return the dot product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(borrows=True)
def cross3(a: Any, b: Any) -> Any:
    """Return the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(borrows=True)
def curl(angular: Array, o: Any, r: Any) -> Any:
    """Return the centripetal acceleration w x (w x r) of a point of a body."""
    w = (angular[o], angular[o + 1], angular[o + 2])
    return cross3(w, cross3(w, r))


@njit(borrows=True)
def end_velocity(linear: Array, angular: Array, o: Any, r: Any) -> Any:
    """Return the velocity of a point of a body."""
    turning = cross3((angular[o], angular[o + 1], angular[o + 2]), r)
    return linear[o] + turning[0], linear[o + 1] + turning[1], linear[o + 2] + turning[2]


@njit(borrows=True)
def angle_of(y: Any, x: Any) -> Any:
    """Return the angle of the direction (x, y), float32, with equal bits everywhere."""
    return np.float32(maths.atan2(np.float64(y), np.float64(x)))


@njit(borrows=True)
def near(angle: Any, middle: Any) -> Any:
    """Return an angle plus full turns, so that it is at most half a turn from another one."""
    off = angle - middle
    if off > _pi:
        return angle - _tau
    return angle + _tau if off < -_pi else angle


@njit(borrows=True)
def free_axis(rows: Array, joint: Any, count: Any, at: Any, flags: Any, numbers: Array, m: Any, steps: Array,
              soft: Any) -> Any:  # fmt: skip
    """Append spring, motor and limits along the template; return the number of rows.

    at: the coordinate along the free axis, m or radians. m: where the numbers of the joint begin.
    """
    h = steps[H]
    if flags & jk.HAS_SPRING:
        q = copy_template(rows, joint, count, jk.SPRING, _1)
        spring(rows, q, at - numbers[m + jk.REST], numbers[m + jk.HERTZ], numbers[m + jk.DAMPING], h, _most)
        count += 1
    if flags & jk.HAS_MOTOR:
        q = copy_template(rows, joint, count, jk.MOTOR, _1)
        drive(rows, q, numbers[m + jk.SPEED], numbers[m + jk.FORCE] * h)
        count += 1
    if flags & jk.HAS_LIMIT:
        q = copy_template(rows, joint, count, jk.LEAST, _1)
        stop(rows, q, at - numbers[m + jk.LOWER], soft, steps[INVERSE_H])
        q = copy_template(rows, joint, count + 1, jk.GREATEST, -_1)
        stop(rows, q, numbers[m + jk.UPPER] - at, soft, steps[INVERSE_H])
        count += 2
    return count


@njit(borrows=True)
def joint_rows(form: Array, frames: Array, numbers: Array, stored: Array, motion: Any, inertia: Array, steps: Array,
               share: Any, counts: Array, rows: Array) -> None:  # fmt: skip
    """Write the rows of all joints.

    form: int32, 4 a joint: kind, bodies A and B, parts. frames: 16 numbers a joint: anchor A, unused, frame A, anchor
    B, unused, frame B, in the frames of their bodies. numbers: see `joint_kinds`. stored: their impulses, `SLOTS` each.
    motion, inertia: of the bodies. steps: see `soft`. share: of the stored impulses. counts: int32, receives the number
    of free rows and of all rows.
    """
    linear, angular, pose = motion
    soft = (steps[JOINT], steps[JOINT + 1], steps[JOINT + 2])
    h = steps[H]
    for n in range(len(form) // 4):
        kind, flags = form[4 * n], form[4 * n + 3]
        i, j = 8 * np.int64(form[4 * n + 1]), 8 * np.int64(form[4 * n + 2])
        f, m, joint = 16 * n, NUMBERS * n, ROOM * ROW * n
        template = joint + ROW * (ROOM - 1)
        mass = linear[i + 3] + linear[j + 3]
        arm_a = turn(pose[i + 4], pose[i + 5], pose[i + 6], pose[i + 7], frames[f], frames[f + 1], frames[f + 2])
        arm_b = turn(pose[j + 4], pose[j + 5], pose[j + 6], pose[j + 7], frames[f + 8], frames[f + 9], frames[f + 10])
        qa, xa, ya = axes_of(pose, i, frames, f + 4)
        qb, xb, yb = axes_of(pose, j, frames, f + 12)
        za = cross3(xa, ya)
        # From anchor to anchor; the displacements of this step are not in the poses yet.
        apart = (
            (pose[j] - pose[i]) + (linear[j + 4] - linear[i + 4]) + (arm_b[0] - arm_a[0]),
            (pose[j + 1] - pose[i + 1]) + (linear[j + 5] - linear[i + 5]) + (arm_b[1] - arm_a[1]),
            (pose[j + 2] - pose[i + 2]) + (linear[j + 6] - linear[i + 6]) + (arm_b[2] - arm_a[2]),
        )
        # The rotation of B's frame in that of A, the short way.
        x = qa[3] * qb[0] - qa[0] * qb[3] - (qa[1] * qb[2] - qa[2] * qb[1])
        y = qa[3] * qb[1] - qa[1] * qb[3] - (qa[2] * qb[0] - qa[0] * qb[2])
        z = qa[3] * qb[2] - qa[2] * qb[3] - (qa[0] * qb[1] - qa[1] * qb[0])
        w = qa[3] * qb[3] + qa[0] * qb[0] + qa[1] * qb[1] + qa[2] * qb[2]
        if w < _0:
            x, y, z, w = -x, -y, -z, -w
        # Where lines act on A: at the anchor of B, since A carries the line along.
        reach = (arm_a[0] + apart[0], arm_a[1] + apart[1], arm_a[2] + apart[2])
        swing = _half * h
        bend_a, bend_b = curl(angular, i, reach), curl(angular, j, arm_b)
        bend = (swing * (bend_b[0] - bend_a[0]), swing * (bend_b[1] - bend_a[1]), swing * (bend_b[2] - bend_a[2]))
        middle = (numbers[m + jk.LOWER] + numbers[m + jk.UPPER]) / _2
        if not flags & jk.HAS_LIMIT:
            middle = numbers[m + jk.REST]
        far = np.sqrt(dot3(apart, apart))
        along = (apart[0] / far, apart[1] / far, apart[2] / far) if far > _small else xa
        count = 0
        if kind == jk.DISTANCE:
            line_row(rows, template, along, arm_a, arm_b)
            weigh(rows, template, mass, inertia, i, j)
            count = free_axis(rows, joint, count, far, flags, numbers, m, steps, soft)
        elif kind == jk.HINGE:
            turn_row(rows, template, xa)
            weigh(rows, template, mass, inertia, i, j)
            angle = near(_2 * angle_of(x, w), middle)
            count = free_axis(rows, joint, count, angle, flags, numbers, m, steps, soft)
        elif kind == jk.SLIDER or kind == jk.WHEEL:
            line_row(rows, template, xa, reach, arm_b)
            weigh(rows, template, mass, inertia, i, j)
            part = flags & ~jk.HAS_MOTOR if kind == jk.WHEEL else flags
            count = free_axis(rows, joint, count, dot3(apart, xa), part, numbers, m, steps, soft)
        elif kind == jk.BALL:
            count = ball_rows(
                rows, joint, flags, numbers, m, (x, y, z, w), (xa, ya, za, xb), mass, inertia, i, j, steps, soft, middle
            )
        zb = cross3(xb, yb)
        if kind == jk.WHEEL and flags & jk.HAS_MOTOR:
            turn_row(rows, template, zb)
            weigh(rows, template, mass, inertia, i, j)
            q = copy_template(rows, joint, count, jk.TURN, _1)
            drive(rows, q, numbers[m + jk.SPIN], numbers[m + jk.SPIN_TORQUE] * h)
            count += 1
        if kind == jk.MOUSE or (kind == jk.WELD and numbers[m + jk.HERTZ] > _0):
            limit = numbers[m + jk.FORCE] * h if kind == jk.MOUSE and numbers[m + jk.FORCE] >= _0 else _most
            for k in range(3):
                axis = xa if k == 0 else (ya if k == 1 else za)
                line_row(rows, template, axis, arm_a, arm_b)
                weigh(rows, template, mass, inertia, i, j)
                q = copy_template(rows, joint, count, jk.PLACE + k, _1)
                spring(rows, q, dot3(apart, axis), numbers[m + jk.HERTZ], numbers[m + jk.DAMPING], h, limit)
                count += 1
        if kind == jk.WELD and numbers[m + jk.ANGULAR_HERTZ] > _0:
            count = turn_springs(
                rows, joint, count, numbers[m + jk.ANGULAR_HERTZ], numbers[m + jk.ANGULAR_DAMPING], h, (x, y, z, w),
                (xa, ya, za), mass, inertia, i, j,
            )  # fmt: skip
        # What is locked comes last, so that nothing disturbs it in this pass.
        free = count
        first = 1 if kind == jk.SLIDER or kind == jk.WHEEL else 0
        if kind == jk.DISTANCE:
            if not flags & (jk.HAS_SPRING | jk.HAS_LIMIT | jk.HAS_MOTOR):
                q = copy_template(rows, joint, count, jk.PLACE, _1)
                lock(rows, q, far - numbers[m + jk.REST], soft)
                # The ends also turn about each other.
                u, v = end_velocity(linear, angular, i, arm_a), end_velocity(linear, angular, j, arm_b)
                past = (v[0] - u[0], v[1] - u[1], v[2] - u[2])
                parting = dot3(past, along)
                turning = swing * (dot3(past, past) - parting * parting) / max(far, _small)
                rows[q + BIAS] += dot3(bend, along) + turning
                count += 1
        elif kind != jk.MOUSE and not (kind == jk.WELD and numbers[m + jk.HERTZ] > _0):
            for k in range(first, 3):
                axis = xa if k == 0 else (ya if k == 1 else za)
                q = joint + ROW * count
                line_row(rows, q, axis, reach if first else arm_a, arm_b)
                lock(rows, q, dot3(apart, axis), soft)
                rows[q + BIAS] += dot3(bend, axis)
                rows[q + SLOT] = np.float32(jk.PLACE + k)
                count += 1
        if kind == jk.SLIDER or kind == jk.HINGE or (kind == jk.WELD and not numbers[m + jk.ANGULAR_HERTZ] > _0):
            tilt = cross3(xa, xb)  # of a hinge: whose length is the sine of the angle between both axes
            for k in range(1 if kind == jk.HINGE else 0, 3):
                axis = xa if k == 0 else (ya if k == 1 else za)
                error = _2 * (x if k == 0 else (y if k == 1 else z))
                if kind == jk.HINGE:
                    error = dot3(tilt, axis)
                q = joint + ROW * count
                turn_row(rows, q, axis)
                lock(rows, q, error, soft)
                rows[q + SLOT] = np.float32(jk.ANGLE + k)
                count += 1
        if kind == jk.WHEEL:
            # The axle stays across the suspension, and at the angle of steering about it.
            side = cross3(zb, xa)
            steering = near(angle_of(-dot3(zb, ya), dot3(zb, za)), numbers[m + jk.STEERING])
            for k in range(2):
                q = joint + ROW * count
                turn_row(rows, q, xa if k else side)
                lock(rows, q, steering - numbers[m + jk.STEERING] if k else dot3(zb, xa), soft)
                rows[q + SLOT] = np.float32(jk.ANGLE + k)
                count += 1
        make_conjugate(rows, joint + ROW * free, count - free, mass, inertia, i, j)
        counts[2 * n], counts[2 * n + 1] = free, count
        start_impulses(rows, joint, free, count, stored, jk.SLOTS * n, share)


@njit(borrows=True)
def turn_springs(rows: Array, joint: Any, count: Any, hertz: Any, damping: Any, h: Any, rotation: Any, axes: Any,
                 mass: Any, inertia: Array, i: Any, j: Any) -> Any:  # fmt: skip
    """Append springs that turn B's frame into that of A; return the number of rows."""
    x, y, z, w = rotation
    sine = np.sqrt(x * x + y * y + z * z)
    scale = _2 * angle_of(sine, w) / sine if sine > _small else _2
    template = joint + ROW * (ROOM - 1)
    for k in range(3):
        turn_row(rows, template, axes[0] if k == 0 else (axes[1] if k == 1 else axes[2]))
        weigh(rows, template, mass, inertia, i, j)
        q = copy_template(rows, joint, count, jk.ANGLE + k, _1)
        spring(rows, q, scale * (x if k == 0 else (y if k == 1 else z)), hertz, damping, h, _most)
        count += 1
    return count


@njit(borrows=True)
def ball_rows(rows: Array, joint: Any, flags: Any, numbers: Array, m: Any, rotation: Any, axes: Any, mass: Any,
              inertia: Array, i: Any, j: Any, steps: Array, soft: Any, middle: Any) -> Any:  # fmt: skip
    """Append spring, motor, twist limits and cone of a ball joint; return the number of rows."""
    xa, ya, za, xb = axes
    h, count, template = steps[H], 0, joint + ROW * (ROOM - 1)
    if flags & jk.HAS_SPRING:
        count = turn_springs(
            rows, joint, count, numbers[m + jk.HERTZ], numbers[m + jk.DAMPING], h, rotation, (xa, ya, za), mass,
            inertia, i, j,
        )  # fmt: skip
    if flags & jk.HAS_MOTOR:
        for k in range(3):
            turn_row(rows, template, xa if k == 0 else (ya if k == 1 else za))
            weigh(rows, template, mass, inertia, i, j)
            q = copy_template(rows, joint, count, jk.SPRING + k if k < 2 else jk.TURN, _1)
            drive(rows, q, numbers[m + jk.SPIN + k], numbers[m + jk.SPIN_TORQUE] * h)
            count += 1
    cosine = dot3(xa, xb)
    if flags & jk.HAS_LIMIT and _1 + cosine > _small:
        # The twist changes at w · (xa + xb) / (1 + xa · xb), where w is the relative angular velocity.
        scale = _1 / (_1 + cosine)
        turn_row(rows, template, (scale * (xa[0] + xb[0]), scale * (xa[1] + xb[1]), scale * (xa[2] + xb[2])))
        weigh(rows, template, mass, inertia, i, j)
        twist = near(_2 * angle_of(rotation[0], rotation[3]), middle)
        count = free_axis(rows, joint, count, twist, jk.HAS_LIMIT, numbers, m, steps, soft)
    if flags & jk.HAS_CONE:
        across = cross3(xa, xb)
        sine = np.sqrt(dot3(across, across))
        if sine > _small:
            turn_row(rows, template, (-across[0] / sine, -across[1] / sine, -across[2] / sine))
            weigh(rows, template, mass, inertia, i, j)
            q = copy_template(rows, joint, count, jk.SWING, _1)
            stop(rows, q, numbers[m + jk.CONE] - angle_of(sine, cosine), soft, steps[INVERSE_H])
            count += 1
    return count
