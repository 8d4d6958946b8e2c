"""Joints as rows: what each kind locks, limits and drives, from its vectors in this sub-step.

Free rows come first, then those of the locks, so that nothing disturbs the locks in a pass.

In a sub-step an anchor moves on a circle about the center of its body, and its velocity is along the tangent. So the
speed of locked anchors is aimed at half of the centripetal acceleration of the sub-step: they meet after it, up to
terms of the third order. With the second projection, of the velocities onto the rows after the movement, this is
RATTLE (H. C. Andersen, 1983), which keeps the energy of a pendulum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES

from ...components import joint_kinds as jk
from ...components.joint_kinds import NUMBERS
from ..soft import INVERSE_H, JOINT, H
from .rows import (
    BIAS,
    ROW,
    SLOT,
    TEMPLATE,
    copy_template,
    drive,
    line_row,
    lock,
    memory_of,
    spring,
    stop,
    turn_row,
    weigh,
)
from .vectors import (
    ALONG,
    APART,
    ARM_A,
    ARM_B,
    AT,
    BEND,
    CIRCLING,
    REACH,
    SECOND,
    SIDE,
    TURN,
    VECTORS,
    XA,
    XB,
    ZB,
    dot_of,
    put_cross,
)

_0, _1, _2, _half = np.float32(0), np.float32(1), np.float32(2), np.float32(0.5)
_most = np.float32(3e38)


@njit(borrows=True)
def free_rows(form: Array, numbers: Array, vectors: Array, linear: Array, inertia: Array, steps: Array, counts: Array,
              rows: Array) -> None:  # fmt: skip
    """Write spring, motor and limits of the free axis of all joints, and those of the second axis.

    form, numbers, vectors: see `vectors.place_joints`. linear, inertia: of the bodies. steps: see `soft`. counts:
    int32, 2 a joint, its free rows and lock rows; receives the first.
    """
    h, inverse_h = steps[H], steps[INVERSE_H]
    for n in range(len(form) // 4):
        kind, flags, joint, m = form[4 * n], form[4 * n + 3], memory_of(n), NUMBERS * n
        i, j = 8 * np.int64(form[4 * n + 1]), 8 * np.int64(form[4 * n + 2])
        mass, template, count = linear[i + 3] + linear[j + 3], joint + ROW * TEMPLATE, 0
        v = vectors[VECTORS * LANES * (n // LANES) + n % LANES :]
        parts = flags
        if kind == jk.WHEEL:
            parts = flags & ~jk.HAS_MOTOR
        elif kind == jk.BALL:
            parts = flags & jk.HAS_LIMIT
        for second in range(2):
            if second:
                parts = flags & jk.HAS_CONE if kind == jk.BALL else (flags & jk.HAS_MOTOR if kind == jk.WHEEL else 0)
            if not parts or kind == jk.WELD or kind == jk.MOUSE:
                continue
            if kind == jk.HINGE or kind == jk.BALL or second:
                turn_row(rows, template, v, ALONG if not second else (SIDE if kind == jk.BALL else ZB))
            else:
                line_row(rows, template, v, ALONG, ARM_A if kind == jk.DISTANCE else REACH, ARM_B)
            weigh(rows, template, mass, inertia, i, j)
            if parts & jk.HAS_SPRING:
                q = copy_template(rows, joint, count, jk.SPRING, _1)
                spring(rows, q, v[AT] - numbers[m + jk.REST], numbers[m + jk.HERTZ], numbers[m + jk.DAMPING], h, _most)
                count += 1
            if parts & jk.HAS_MOTOR:
                q = copy_template(rows, joint, count, jk.TURN if second else jk.MOTOR, _1)
                speed, force = (jk.SPIN, jk.SPIN_TORQUE) if second else (jk.SPEED, jk.FORCE)
                drive(rows, q, numbers[m + speed], numbers[m + force] * h)
                count += 1
            for upper in range(2 if parts & jk.HAS_LIMIT else (1 if parts & jk.HAS_CONE else 0)):
                slack = v[AT] - numbers[m + jk.LOWER]
                if second:
                    slack = numbers[m + jk.CONE] - v[SECOND]
                elif upper:
                    slack = numbers[m + jk.UPPER] - v[AT]
                slot = jk.SWING if second else jk.LEAST + upper
                q = copy_template(rows, joint, count, slot, -_1 if upper else _1)
                stop(rows, q, slack, steps, JOINT, inverse_h)
                count += 1
        counts[2 * n] = count


@njit(borrows=True)
def spring_rows(form: Array, numbers: Array, vectors: Array, linear: Array, inertia: Array, h: Any, counts: Array,
                rows: Array) -> None:  # fmt: skip
    """Append the springs and motors that act along or about all three axes: of welds, mouse joints and ball joints."""
    for n in range(len(form) // 4):
        kind, flags, joint, m = form[4 * n], form[4 * n + 3], memory_of(n), NUMBERS * n
        hertz, damping = numbers[m + jk.HERTZ], numbers[m + jk.DAMPING]
        pulls = kind == jk.MOUSE or (kind == jk.WELD and hertz > _0)
        turns = (kind == jk.BALL and flags & jk.HAS_SPRING) or (kind == jk.WELD and numbers[m + jk.ANGULAR_HERTZ] > _0)
        drives = kind == jk.BALL and flags & jk.HAS_MOTOR
        if not (pulls or turns or drives):
            continue
        i, j = 8 * np.int64(form[4 * n + 1]), 8 * np.int64(form[4 * n + 2])
        mass, template, count = linear[i + 3] + linear[j + 3], joint + ROW * TEMPLATE, counts[2 * n]
        v = vectors[VECTORS * LANES * (n // LANES) + n % LANES :]
        limit = numbers[m + jk.FORCE] * h if kind == jk.MOUSE and numbers[m + jk.FORCE] >= _0 else _most
        for k in range(6):
            axis = XA + 3 * LANES * (k % 3)
            if k < 3:
                if not pulls:
                    continue
                line_row(rows, template, v, axis, ARM_A, ARM_B)
            else:
                turn_row(rows, template, v, axis)
            weigh(rows, template, mass, inertia, i, j)
            if k < 3 or turns:
                q = copy_template(rows, joint, count, jk.PLACE + k, _1)
                soft = (hertz, damping)
                if kind == jk.WELD and k >= 3:
                    soft = (numbers[m + jk.ANGULAR_HERTZ], numbers[m + jk.ANGULAR_DAMPING])
                error = dot_of(v, APART, axis) if k < 3 else _2 * v[TURN + (k - 3) * LANES]
                spring(rows, q, error, soft[0], soft[1], h, limit)
                count += 1
            if k >= 3 and drives:
                q = copy_template(rows, joint, count, jk.SPRING + k - 3 if k < 5 else jk.TURN, _1)
                drive(rows, q, numbers[m + jk.SPIN + k - 3], numbers[m + jk.SPIN_TORQUE] * h)
                count += 1
        counts[2 * n] = count


@njit(borrows=True)
def lock_rows(form: Array, numbers: Array, vectors: Array, steps: Array, counts: Array, rows: Array) -> None:
    """Write what the joints lock, before `rows.make_conjugate`; see `free_rows`."""
    for n in range(len(form) // 4):
        kind, joint, m = form[4 * n], memory_of(n), NUMBERS * n
        count = 0
        v = vectors[VECTORS * LANES * (n // LANES) + n % LANES :]
        carries = kind == jk.SLIDER or kind == jk.WHEEL  # A carries a line, along which B is free
        holds = kind != jk.MOUSE and not (kind == jk.WELD and numbers[m + jk.HERTZ] > _0)
        turns = kind == jk.SLIDER or kind == jk.HINGE or (kind == jk.WELD and not numbers[m + jk.ANGULAR_HERTZ] > _0)
        first, last = 1 if carries else 0, 3 if holds else 0
        if kind == jk.DISTANCE:
            last = 0 if form[4 * n + 3] & (jk.HAS_SPRING | jk.HAS_LIMIT | jk.HAS_MOTOR) else 1
        for k in range(first, last):
            axis = ALONG if kind == jk.DISTANCE else XA + 3 * LANES * k
            q = joint + ROW * count
            line_row(rows, q, v, axis, REACH if carries else ARM_A, ARM_B)
            error = v[AT] - numbers[m + jk.REST] if kind == jk.DISTANCE else dot_of(v, APART, axis)
            lock(rows, q, error, steps, JOINT)
            rows[q + BIAS] += dot_of(v, BEND, axis)
            if kind == jk.DISTANCE:
                rows[q + BIAS] += _half * steps[H] * v[CIRCLING]
            rows[q + SLOT] = np.float32(jk.PLACE + k)
            count += 1
        if kind == jk.HINGE:
            put_cross(v, XA, XB, SIDE)  # whose length is the sine of the angle between both axes
        first, last = 1 if kind == jk.HINGE else 0, 3 if turns else (2 if kind == jk.WHEEL else 0)
        for k in range(first, last):
            axis, error = XA + 3 * LANES * k, _2 * v[TURN + k * LANES]
            if kind == jk.HINGE:
                error = dot_of(v, SIDE, axis)
            elif kind == jk.WHEEL:
                # The axle stays across the suspension, and at the angle of steering about it.
                axis, error = (XA, v[SECOND] - numbers[m + jk.STEERING]) if k else (SIDE, dot_of(v, ZB, XA))
            q = joint + ROW * count
            turn_row(rows, q, v, axis)
            lock(rows, q, error, steps, JOINT)
            rows[q + SLOT] = np.float32(jk.ANGLE + k)
            count += 1
        counts[2 * n + 1] = count
