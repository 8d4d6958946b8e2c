"""The memory of the joint solver. A joint is a list of rows; a row is one number that is driven to a target.

Eight joints share a block of memory: number k of a row is at `k + l` for joint l of the block, so all offsets here are
multiples of eight.

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
from rish_jit.simd import LANES, gather, load, maximum, minimum, pick, select, splat, store

from ...components.joint_kinds import SLOTS
from ...maths.lanes import dot, load3, minus, scaled, store3
from ..prepare import symmetric

LINE, ARM_A, ARM_B = 0, 3 * LANES, 6 * LANES
"""The Jacobian, 3 numbers each."""
TURN_A, TURN_B = 9 * LANES, 12 * LANES
"""The inverse inertia times the arms, 3 numbers each."""
MASS = 15 * LANES
"""The effective mass; 0 for a row without effect."""
BIAS, SHARE, KEEP = 16 * LANES, 17 * LANES, 18 * LANES
"""With bias: the speed to remove, and the shares of mass and of impulse (`rish_dynamics.soften`)."""
RELAXING = 3 * LANES
"""Added to the three: the same when relaxing."""
LOW, HIGH = 22 * LANES, 23 * LANES
"""The limits of the impulse."""
IMPULSE = 24 * LANES
SLOT = 25 * LANES
"""Where the impulse is stored between steps."""
COUPLING = 26 * LANES
"""Of a conjugate row: the part of each lock row before it that was taken away, 5 numbers."""
TOTAL = 31 * LANES
"""The impulse along the row before it was made conjugate."""
ROW = 32 * LANES
"""The size of the same row of eight joints in float32."""
LOCKS, FREE = 6, 9
"""The greatest number of lock rows, which come first in the memory of a joint, and of free rows after them."""
TEMPLATE = LOCKS + FREE
"""The row after them."""
ROOM = TEMPLATE + 1
"""The rows in the memory of a joint."""
_0, _1, _2 = np.float32(0), np.float32(1), np.float32(2)
_most = np.float32(3e38)
_tau = np.float32(2 * np.pi)
_dependent = np.float32(1e-5)


@njit(borrows=True, inline="always")
def memory_of(n: Any) -> Any:
    """Return where the rows of a joint begin."""
    return n // LANES * (ROOM * ROW) + n % LANES


@njit(borrows=True)
def line_row(rows: Array, q: Any, vectors: Array, n: Any, a: Any, b: Any) -> None:
    """Write the Jacobian of a movement along a vector.

    n: where the vector is in `vectors`. a, b: where it acts, relative to the centers of both bodies.
    """
    for k in range(3):
        o, s, t = k * LANES, (k + 1) % 3 * LANES, (k + 2) % 3 * LANES
        rows[q + LINE + o] = vectors[n + o]
        rows[q + ARM_A + o] = vectors[a + s] * vectors[n + t] - vectors[a + t] * vectors[n + s]
        rows[q + ARM_B + o] = vectors[b + s] * vectors[n + t] - vectors[b + t] * vectors[n + s]


@njit(borrows=True)
def turn_row(rows: Array, q: Any, vectors: Array, n: Any) -> None:
    """Write the Jacobian of a rotation about a vector."""
    for k in range(3):
        o = k * LANES
        rows[q + LINE + o] = _0
        rows[q + ARM_A + o] = rows[q + ARM_B + o] = vectors[n + o]


@njit(borrows=True)
def weigh(rows: Array, q: Any, mass: Any, inertia: Array, i: Any, j: Any) -> None:
    """Write the effective mass of a row and what its impulse turns.

    mass: the sum of the inverse masses. inertia: see `solver.integrate`. i, j: 8 times the numbers of the bodies.
    """
    x, y, z = rows[q + LINE], rows[q + LINE + LANES], rows[q + LINE + 2 * LANES]
    k = mass * (x * x + y * y + z * z)
    for side in range(2):
        o, arm, out = (j, q + ARM_B, q + TURN_B) if side else (i, q + ARM_A, q + TURN_A)
        x, y, z = rows[arm], rows[arm + LANES], rows[arm + 2 * LANES]
        xy, xz, yz = inertia[o + 3], inertia[o + 4], inertia[o + 5]
        u = inertia[o] * x + xy * y + xz * z
        v = xy * x + inertia[o + 1] * y + yz * z
        w = xz * x + yz * y + inertia[o + 2] * z
        rows[out], rows[out + LANES], rows[out + 2 * LANES] = u, v, w
        k += x * u + y * v + z * w
    rows[q + MASS] = _1 / k if k > _0 else _0


@njit(borrows=True)
def copy_template(rows: Array, joint: Any, count: Any, slot: Any, sign: Any) -> Any:
    """Append a free row with the Jacobian of the joint's template, times a sign; return where it is.

    joint: where the memory of the joint begins. count: the free rows that it has.
    """
    q, p = joint + ROW * (LOCKS + count), joint + ROW * TEMPLATE
    for k in range(0, MASS, LANES):
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
def make_conjugate(rows: Array, counts: Array, linear: Array, inertia: Array, ends: Array) -> None:
    """Make the lock rows of all joints conjugate, and weigh them, eight joints at a time.

    counts: see `build.free_rows`. linear, inertia: of the bodies. ends: see `vectors.place_frames`.
    """
    zero, one = splat(_0), splat(_1)
    for block in range(len(ends) // (3 * LANES)):
        at, base, count = 3 * LANES * block, ROOM * ROW * block, 0
        for k in range(LANES):
            count = max(count, counts[2 * (LANES * block + k) + 1])
        mass = pick(linear, 8, 3, ends, at) + pick(linear, 8, 3, ends, at + LANES)
        i_a, i_b = gather(inertia, 8, 0, ends, at), gather(inertia, 8, 0, ends, at + LANES)
        for r in range(count):
            q = base + ROW * r
            line, a, b, bias = (
                load3(rows, q + LINE),
                load3(rows, q + ARM_A),
                load3(rows, q + ARM_B),
                load(rows, q + BIAS),
            )
            turn_a, turn_b = symmetric(i_a, a), symmetric(i_b, b)
            whole = mass * dot(line, line) + dot(a, turn_a) + dot(b, turn_b)
            for before in range(r):
                p = base + ROW * before
                line_p, a_p, b_p = load3(rows, p + LINE), load3(rows, p + ARM_A), load3(rows, p + ARM_B)
                turn_a, turn_b = load3(rows, p + TURN_A), load3(rows, p + TURN_B)
                common = zero
                for k in range(3):
                    common = common + mass * line[k] * line_p[k]
                    common = common + (a[k] * turn_a[k] + b[k] * turn_b[k])
                part = common * load(rows, p + MASS)
                store(rows, q + COUPLING + LANES * before, part)
                line, a, b = minus(line, scaled(line_p, part)), minus(a, scaled(a_p, part)), minus(b, scaled(b_p, part))
                bias = bias - part * load(rows, p + BIAS)
            turn_a, turn_b = symmetric(i_a, a), symmetric(i_b, b)
            left = mass * dot(line, line) + dot(a, turn_a) + dot(b, turn_b)
            weighs = left > zero
            if r > 0:  # otherwise it follows from the rows before it
                weighs = weighs & (left > splat(_dependent) * whole)
            store3(rows, q + LINE, line)
            store3(rows, q + ARM_A, a)
            store3(rows, q + ARM_B, b)
            store3(rows, q + TURN_A, turn_a)
            store3(rows, q + TURN_B, turn_b)
            store(rows, q + MASS, select(weighs, one / left, zero))
            store(rows, q + BIAS, bias)


@njit(borrows=True)
def read_impulses(counts: Array, stored: Array, share: Any, rows: Array) -> None:
    """Read the stored impulses of all joints, times a share. stored: float32, `SLOTS` numbers a joint."""
    for n in range(len(stored) // SLOTS):
        for r in range(counts[2 * n] + counts[2 * n + 1]):
            q = memory_of(n) + ROW * (r if r < counts[2 * n + 1] else LOCKS + r - counts[2 * n + 1])
            rows[q + TOTAL] = share * stored[SLOTS * n + np.int64(rows[q + SLOT])]


@njit(borrows=True)
def write_impulses(counts: Array, rows: Array, stored: Array) -> None:
    """Write the impulses of all joints; see `read_impulses`."""
    for n in range(len(stored) // SLOTS):
        for k in range(SLOTS):
            stored[SLOTS * n + k] = _0
        for r in range(counts[2 * n] + counts[2 * n + 1]):
            q = memory_of(n) + ROW * (r if r < counts[2 * n + 1] else LOCKS + r - counts[2 * n + 1])
            stored[SLOTS * n + np.int64(rows[q + SLOT])] = rows[q + TOTAL]


@njit(borrows=True)
def start_impulses(counts: Array, rows: Array) -> None:
    """Compute the impulses of all rows from their totals, eight joints at a time.

    An impulse along a lock row is one along its conjugate row, and along those that were taken away from it.
    """
    zero = splat(_0)
    for block in range(len(rows) // (ROOM * ROW)):
        base, free, locks = ROOM * ROW * block, 0, 0
        for k in range(2 * LANES * block, 2 * LANES * (block + 1), 2):
            free, locks = max(free, counts[k]), max(locks, counts[k + 1])
        for r in range(free + locks):
            q = base + ROW * (r if r < locks else LOCKS + r - locks)
            total = load(rows, q + TOTAL)
            for after in range(r + 1, locks):
                p = base + ROW * after
                total = total + load(rows, p + COUPLING + LANES * r) * load(rows, p + TOTAL)
            limited = minimum(maximum(total, load(rows, q + LOW)), load(rows, q + HIGH))
            store(rows, q + IMPULSE, select(load(rows, q + MASS) > zero, limited, zero))
