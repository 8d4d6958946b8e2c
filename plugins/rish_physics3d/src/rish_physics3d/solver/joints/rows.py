"""The memory of the joint solver. A joint is a list of rows; a row is one number that is driven to a target.

A row has a Jacobian: its speed is `line · (v_b - v_a) + arm_b · w_b - arm_a · w_a`. Its impulse keeps that speed at
`-bias`, softly, and is limited to `low` ... `high`. So locks, limits, springs and motors are solved by the same code.

The rows of a lock are made conjugate (Gram-Schmidt with the inverse masses as the product): an impulse of one does not
change the speed of another. One pass over them is then the exact solution of their block, for up to six rows, without
a matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ...components.joint_kinds import ROWS, SLOTS

LINE, ARM_A, ARM_B = 0, 3, 6
"""The Jacobian, 3 numbers each."""
TURN_A, TURN_B = 9, 12
"""The inverse inertia times the arms, 3 numbers each."""
MASS = 15
"""The effective mass; 0 for a row without effect."""
BIAS, SHARE, KEEP = 16, 17, 18
"""With bias: the speed to remove, and the shares of mass and of impulse (`rish_dynamics.soften`)."""
RELAXING = 3
"""Added to the three: the same when relaxing."""
LOW, HIGH = 22, 23
"""The limits of the impulse."""
IMPULSE = 24
SLOT = 25
"""Where the impulse is stored between steps."""
COUPLING = 26
"""Of a conjugate row: the part of each lock row before it that was taken away, 5 numbers."""
ROW = 32
"""The size of a row in float32."""
ROOM = ROWS + 1
"""The rows in the memory of a joint; the last one is a template."""
_0, _1, _2 = np.float32(0), np.float32(1), np.float32(2)
_most = np.float32(3e38)
_tau = np.float32(2 * np.pi)
_dependent = np.float32(1e-5)


@njit(borrows=True)
def line_row(rows: Array, q: Any, vectors: Array, n: Any, a: Any, b: Any) -> None:
    """Write the Jacobian of a movement along a vector.

    n: where the vector is in `vectors`. a, b: where it acts, relative to the centers of both bodies.
    """
    for k in range(3):
        s, t = (k + 1) % 3, (k + 2) % 3
        rows[q + LINE + k] = vectors[n + k]
        rows[q + ARM_A + k] = vectors[a + s] * vectors[n + t] - vectors[a + t] * vectors[n + s]
        rows[q + ARM_B + k] = vectors[b + s] * vectors[n + t] - vectors[b + t] * vectors[n + s]


@njit(borrows=True)
def turn_row(rows: Array, q: Any, vectors: Array, n: Any) -> None:
    """Write the Jacobian of a rotation about a vector."""
    for k in range(3):
        rows[q + LINE + k] = _0
        rows[q + ARM_A + k] = rows[q + ARM_B + k] = vectors[n + k]


@njit(borrows=True)
def weigh(rows: Array, q: Any, mass: Any, inertia: Array, i: Any, j: Any) -> Any:
    """Write the effective mass of a row and what its impulse turns; return the inverse of that mass.

    mass: the sum of the inverse masses. inertia: see `solver.integrate`. i, j: 8 times the numbers of the bodies.
    """
    k = mass * (
        rows[q + LINE] * rows[q + LINE]
        + rows[q + LINE + 1] * rows[q + LINE + 1]
        + rows[q + LINE + 2] * rows[q + LINE + 2]
    )
    for side in range(2):
        o, arm, out = (j, q + ARM_B, q + TURN_B) if side else (i, q + ARM_A, q + TURN_A)
        x, y, z = rows[arm], rows[arm + 1], rows[arm + 2]
        xy, xz, yz = inertia[o + 3], inertia[o + 4], inertia[o + 5]
        rows[out] = inertia[o] * x + xy * y + xz * z
        rows[out + 1] = xy * x + inertia[o + 1] * y + yz * z
        rows[out + 2] = xz * x + yz * y + inertia[o + 2] * z
        k += x * rows[out] + y * rows[out + 1] + z * rows[out + 2]
    rows[q + MASS] = _1 / k if k > _0 else _0
    return k


@njit(borrows=True)
def copy_template(rows: Array, joint: Any, count: Any, slot: Any, sign: Any) -> Any:
    """Append a row with the Jacobian of the joint's template, times a sign; return where it is.

    joint: where the memory of the joint begins. count: the rows that it has.
    """
    q, p = joint + ROW * count, joint + ROW * (ROOM - 1)
    for k in range(MASS):
        rows[q + k] = sign * rows[p + k]
    rows[q + MASS] = rows[p + MASS]
    rows[q + SLOT] = np.float32(slot)
    return q


@njit(borrows=True)
def lock(rows: Array, q: Any, error: Any, steps: Array, soft: Any) -> None:
    """Make a row a lock.

    error: what is wrong, m or radians. soft: where rate, mass share and impulse share are in `steps`.
    """
    rows[q + BIAS], rows[q + SHARE], rows[q + KEEP] = steps[soft] * error, steps[soft + 1], steps[soft + 2]
    rows[q + BIAS + RELAXING], rows[q + SHARE + RELAXING], rows[q + KEEP + RELAXING] = _0, _1, _0
    rows[q + LOW], rows[q + HIGH] = -_most, _most


@njit(borrows=True)
def spring(rows: Array, q: Any, error: Any, hertz: Any, damping: Any, h: Any, limit: Any) -> None:
    """Make a row a spring. error: how far it is stretched. limit: the greatest impulse."""
    omega = _tau * hertz
    stiff = _2 * damping + h * omega
    force = h * omega * stiff
    keep = _1 / (_1 + force)
    bias = omega / stiff * error if stiff > _0 else _0
    for relaxing in range(2):
        p = q + RELAXING * relaxing
        rows[p + BIAS], rows[p + SHARE], rows[p + KEEP] = bias, force * keep, keep
    rows[q + LOW], rows[q + HIGH] = -limit, limit


@njit(borrows=True)
def drive(rows: Array, q: Any, speed: Any, limit: Any) -> None:
    """Make a row a motor. limit: the greatest impulse."""
    for relaxing in range(2):
        p = q + RELAXING * relaxing
        rows[p + BIAS], rows[p + SHARE], rows[p + KEEP] = -speed, _1, _0
    rows[q + LOW], rows[q + HIGH] = -limit, limit


@njit(borrows=True)
def stop(rows: Array, q: Any, slack: Any, steps: Array, soft: Any, inverse_h: Any) -> None:
    """Make a row a limit, which acts in one direction. slack: how far away it is; below 0 if it is exceeded."""
    lock(rows, q, slack, steps, soft)
    rows[q + LOW] = _0
    if slack > _0:  # just far enough to reach the limit within the sub-step
        rows[q + BIAS] = rows[q + BIAS + RELAXING] = slack * inverse_h
        rows[q + SHARE], rows[q + KEEP] = _1, _0


@njit(borrows=True)
def make_conjugate(rows: Array, first: Any, count: Any, mass: Any, inertia: Array, i: Any, j: Any) -> None:
    """Make `count` lock rows conjugate, from `first` on, and weigh them. The other arguments: see `weigh`."""
    for r in range(count):
        q = first + ROW * r
        whole = weigh(rows, q, mass, inertia, i, j)
        for before in range(r):
            p = first + ROW * before
            common = _0
            for k in range(3):
                common += mass * rows[q + LINE + k] * rows[p + LINE + k]
                common += rows[q + ARM_A + k] * rows[p + TURN_A + k] + rows[q + ARM_B + k] * rows[p + TURN_B + k]
            part = common * rows[p + MASS]
            rows[q + COUPLING + before] = part
            for k in range(9):
                rows[q + k] -= part * rows[p + k]
            rows[q + BIAS] -= part * rows[p + BIAS]
        if r > 0:
            left = weigh(rows, q, mass, inertia, i, j)
            if not left > _dependent * whole:  # it follows from the rows before it
                rows[q + MASS] = _0


@njit(borrows=True)
def start_impulses(rows: Array, joint: Any, free: Any, count: Any, stored: Array, o: Any, share: Any) -> None:
    """Read the impulses of a joint with `free` rows and then lock rows, `count` in all.

    stored: float32, `SLOTS` numbers a joint; o: where those of this joint begin. share: 1, or 0 to begin without.
    """
    for r in range(count):
        q = joint + ROW * r
        total = stored[o + np.int64(rows[q + SLOT])]
        if r >= free:
            # An impulse along a row is one along its conjugate row, and along those that were taken away from it.
            for after in range(r + 1, count):
                p = joint + ROW * after
                total += rows[p + COUPLING + (r - free)] * stored[o + np.int64(rows[p + SLOT])]
        rows[q + IMPULSE] = share * min(max(total, rows[q + LOW]), rows[q + HIGH]) if rows[q + MASS] > _0 else _0


@njit(borrows=True)
def store_impulses(rows: Array, joint: Any, free: Any, count: Any, stored: Array, o: Any) -> None:
    """Write the impulses back; see `start_impulses`."""
    for k in range(SLOTS):
        stored[o + k] = _0
    for back in range(count):
        r = count - 1 - back
        q = joint + ROW * r
        value = rows[q + IMPULSE]
        if r >= free:
            for after in range(r + 1, count):
                p = joint + ROW * after
                value -= rows[p + COUPLING + (r - free)] * stored[o + np.int64(rows[p + SLOT])]
        stored[o + np.int64(rows[q + SLOT])] = value
