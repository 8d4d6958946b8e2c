"""The joint solver: sequential impulses over the rows of all joints, one joint after another."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ...components.joint_kinds import SLOTS
from ...maths.rotations import turn
from .rows import (
    ARM_A,
    ARM_B,
    BIAS,
    HIGH,
    IMPULSE,
    KEEP,
    LINE,
    LOW,
    MASS,
    RELAXING,
    ROOM,
    ROW,
    SHARE,
    TURN_A,
    TURN_B,
    store_impulses,
)

_0, _1 = np.float32(0), np.float32(1)


@njit(borrows=True)
def push_rows(form: Array, counts: Array, rows: Array, linear: Array, angular: Array, warm: bool, relax: bool) -> None:
    """Apply the stored impulses of all joints (warm), or solve their rows once. relax: without bias, and in
    reverse order, so that impulses travel through a chain both ways.
    """
    joints = len(form) // 4
    for k in range(joints):
        n = joints - 1 - k if relax else k
        i, j = 8 * np.int64(form[4 * n + 1]), 8 * np.int64(form[4 * n + 2])
        mass_a, mass_b = linear[i + 3], linear[j + 3]
        for r in range(counts[2 * n + 1]):
            q = ROW * (ROOM * n + r)
            if warm:
                step = rows[q + IMPULSE]
            else:
                speed = _0
                for k in range(3):
                    speed += rows[q + LINE + k] * (linear[j + k] - linear[i + k])
                    speed += rows[q + ARM_B + k] * angular[j + k] - rows[q + ARM_A + k] * angular[i + k]
                p = q + RELAXING if relax else q
                before = rows[q + IMPULSE]
                change = rows[q + MASS] * rows[p + SHARE] * (speed + rows[p + BIAS]) + rows[p + KEEP] * before
                after = min(max(before - change, rows[q + LOW]), rows[q + HIGH]) if rows[q + MASS] > _0 else _0
                rows[q + IMPULSE] = after
                step = after - before
            for k in range(3):
                force = step * rows[q + LINE + k]
                linear[i + k] -= mass_a * force
                linear[j + k] += mass_b * force
                angular[i + k] -= step * rows[q + TURN_A + k]
                angular[j + k] += step * rows[q + TURN_B + k]


@njit(borrows=True)
def keep_joints(form: Array, frames: Array, counts: Array, rows: Array, pose: Array, stored: Array, load: Array,
                inverse_h: Any) -> None:  # fmt: skip
    """Store the impulses of all joints, and the greatest squares of force and torque of the step so far.

    load: float32, 2 a joint. The torque is that about the anchor on B.
    """
    for n in range(len(form) // 4):
        joint, count = ROOM * ROW * n, counts[2 * n + 1]
        fx, fy, fz, tx, ty, tz = _0, _0, _0, _0, _0, _0
        for r in range(count):
            q = joint + ROW * r
            impulse = rows[q + IMPULSE]
            fx, fy, fz = (
                fx + impulse * rows[q + LINE],
                fy + impulse * rows[q + LINE + 1],
                fz + impulse * rows[q + LINE + 2],
            )
            tx, ty, tz = (
                tx + impulse * rows[q + ARM_B],
                ty + impulse * rows[q + ARM_B + 1],
                tz + impulse * rows[q + ARM_B + 2],
            )
        o, f = 8 * np.int64(form[4 * n + 2]), 16 * n + 8
        x, y, z = turn(pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 7], frames[f], frames[f + 1], frames[f + 2])
        tx, ty, tz = tx - (y * fz - z * fy), ty - (z * fx - x * fz), tz - (x * fy - y * fx)
        square = inverse_h * inverse_h
        load[2 * n] = max(load[2 * n], square * (fx * fx + fy * fy + fz * fz))
        load[2 * n + 1] = max(load[2 * n + 1], square * (tx * tx + ty * ty + tz * tz))
        store_impulses(rows, joint, counts[2 * n], count, stored, SLOTS * n)
