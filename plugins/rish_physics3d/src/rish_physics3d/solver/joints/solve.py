"""The joint solver: sequential impulses over the rows of all joints, one joint after another."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES

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
    LOCKS,
    LOW,
    MASS,
    RELAXING,
    ROW,
    SHARE,
    TURN_A,
    TURN_B,
    memory_of,
    store_impulses,
)

_0, _1 = np.float32(0), np.float32(1)


@njit(borrows=True)
def push_rows(form: Array, counts: Array, rows: Array, linear: Array, angular: Array, warm: bool, relax: bool) -> None:
    """Apply the stored impulses of all joints (warm), or solve their rows once, the free ones before the locks. relax:
    without bias, and in reverse order, so that impulses travel through a chain both ways.
    """
    joints = len(form) // 4
    for k in range(joints):
        n = joints - 1 - k if relax else k
        i, j, joint = 8 * np.int64(form[4 * n + 1]), 8 * np.int64(form[4 * n + 2]), memory_of(n)
        # The velocities of both bodies stay in registers.
        ax, ay, az, mass_a = linear[i], linear[i + 1], linear[i + 2], linear[i + 3]
        bx, by, bz, mass_b = linear[j], linear[j + 1], linear[j + 2], linear[j + 3]
        ux, uy, uz, vx, vy, vz = (
            angular[i], angular[i + 1], angular[i + 2], angular[j], angular[j + 1], angular[j + 2],
        )  # fmt: skip
        free, count = np.int64(counts[2 * n]), np.int64(counts[2 * n] + counts[2 * n + 1])
        for r in range(count):
            q = joint + ROW * (LOCKS + r if r < free else r - free)
            x, y, z = rows[q + LINE], rows[q + LINE + LANES], rows[q + LINE + 2 * LANES]
            if warm:
                step = rows[q + IMPULSE]
            else:
                speed = x * (bx - ax)
                speed += rows[q + ARM_B] * vx - rows[q + ARM_A] * ux
                speed += y * (by - ay)
                speed += rows[q + ARM_B + LANES] * vy - rows[q + ARM_A + LANES] * uy
                speed += z * (bz - az)
                speed += rows[q + ARM_B + 2 * LANES] * vz - rows[q + ARM_A + 2 * LANES] * uz
                p = q + RELAXING if relax else q
                before = rows[q + IMPULSE]
                change = rows[q + MASS] * rows[p + SHARE] * (speed + rows[p + BIAS]) + rows[p + KEEP] * before
                after = min(max(before - change, rows[q + LOW]), rows[q + HIGH]) if rows[q + MASS] > _0 else _0
                rows[q + IMPULSE] = after
                step = after - before
            x, y, z = step * x, step * y, step * z
            ax, ay, az = ax - mass_a * x, ay - mass_a * y, az - mass_a * z
            bx, by, bz = bx + mass_b * x, by + mass_b * y, bz + mass_b * z
            ux, uy, uz = (
                ux - step * rows[q + TURN_A],
                uy - step * rows[q + TURN_A + LANES],
                uz - step * rows[q + TURN_A + 2 * LANES],
            )
            vx, vy, vz = (
                vx + step * rows[q + TURN_B],
                vy + step * rows[q + TURN_B + LANES],
                vz + step * rows[q + TURN_B + 2 * LANES],
            )
        linear[i], linear[i + 1], linear[i + 2] = ax, ay, az
        linear[j], linear[j + 1], linear[j + 2] = bx, by, bz
        angular[i], angular[i + 1], angular[i + 2] = ux, uy, uz
        angular[j], angular[j + 1], angular[j + 2] = vx, vy, vz


@njit(borrows=True)
def keep_joints(form: Array, frames: Array, counts: Array, rows: Array, pose: Array, stored: Array, load: Array,
                inverse_h: Any) -> None:  # fmt: skip
    """Store the impulses of all joints, and the greatest squares of force and torque of the step so far.

    load: float32, 2 a joint. The torque is that about the anchor on B.
    """
    for n in range(len(form) // 4):
        joint, free, locks = memory_of(n), np.int64(counts[2 * n]), np.int64(counts[2 * n + 1])
        fx, fy, fz, tx, ty, tz = _0, _0, _0, _0, _0, _0
        for r in range(free + locks):
            q = joint + ROW * (LOCKS + r if r < free else r - free)
            impulse = rows[q + IMPULSE]
            fx, fy, fz = (
                fx + impulse * rows[q + LINE],
                fy + impulse * rows[q + LINE + LANES],
                fz + impulse * rows[q + LINE + 2 * LANES],
            )
            tx, ty, tz = (
                tx + impulse * rows[q + ARM_B],
                ty + impulse * rows[q + ARM_B + LANES],
                tz + impulse * rows[q + ARM_B + 2 * LANES],
            )
        o, f = 8 * np.int64(form[4 * n + 2]), 16 * n + 8
        x, y, z = turn(pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 7], frames[f], frames[f + 1], frames[f + 2])
        tx, ty, tz = tx - (y * fz - z * fy), ty - (z * fx - x * fz), tz - (x * fy - y * fx)
        square = inverse_h * inverse_h
        load[2 * n] = max(load[2 * n], square * (fx * fx + fy * fy + fz * fz))
        load[2 * n + 1] = max(load[2 * n + 1], square * (tx * tx + ty * ty + tz * tz))
        store_impulses(rows, joint, free, locks, stored, SLOTS * n)
