"""The joint solver: sequential impulses over the rows of all joints, one joint after another."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, gather, gather4, load, maximum, select, splat, store

from ...maths.lanes import cross, dot, load3, minus, plus, scaled, turned
from .rows import (
    ARM_A,
    ARM_B,
    BIAS,
    COUPLING,
    HIGH,
    IMPULSE,
    KEEP,
    LINE,
    LOCKS,
    LOW,
    MASS,
    RELAXING,
    ROOM,
    ROW,
    SHARE,
    TOTAL,
    TURN_A,
    TURN_B,
    memory_of,
)

_0 = np.float32(0)


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
def keep_joints(ends: Array, frames: Array, counts: Array, rows: Array, pose: Array, load_of: Array, inverse_h: Any
                ) -> None:  # fmt: skip
    """Note the impulses of all joints along their rows before those were made conjugate, and the greatest squares of
    force and torque of the step so far, eight joints at a time.

    ends, frames: see `vectors.place_frames`. load_of: float32, of eight joints the forces, then the torques about the
    anchors on B.
    """
    zero, square = splat(_0), splat(inverse_h * inverse_h)
    for block in range(len(ends) // (3 * LANES)):
        base, at, free, locks = ROOM * ROW * block, 3 * LANES * block, 0, 0
        for k in range(2 * LANES * block, 2 * LANES * (block + 1), 2):
            free, locks = max(free, counts[k]), max(locks, counts[k + 1])
        force, torque = (zero, zero, zero), (zero, zero, zero)
        for back in range(free + locks):
            r = free + locks - 1 - back
            q = base + ROW * (r if r < locks else LOCKS + r - locks)
            impulse = select(load(rows, q + MASS) > zero, load(rows, q + IMPULSE), zero)
            force = plus(force, scaled(load3(rows, q + LINE), impulse))
            torque = plus(torque, scaled(load3(rows, q + ARM_B), impulse))
            for after in range(r + 1, locks):
                p = base + ROW * after
                impulse = impulse - load(rows, p + COUPLING + LANES * r) * load(rows, p + TOTAL)
            store(rows, q + TOTAL, impulse)
        b = gather(pose, 8, 0, ends, at + LANES)
        anchor = gather4(frames, 16, 8, ends, at + 2 * LANES)
        arm = turned((b[4], b[5], b[6], b[7]), (anchor[0], anchor[1], anchor[2]))
        torque = minus(torque, cross(arm, force))
        o = 2 * LANES * block
        store(load_of, o, maximum(square * dot(force, force), load(load_of, o)))
        store(load_of, o + LANES, maximum(square * dot(torque, torque), load(load_of, o + LANES)))
