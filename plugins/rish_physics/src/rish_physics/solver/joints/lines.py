"""Joints whose bodies move relative to each other along a line: distance, prismatic, wheel.

`d` is the vector between the two anchors. Its component along the axis `u` is the place of `axial`; the direction of
the axis depends on the kind. FREE: it points from anchor to anchor, so that the place is their distance, and there is
no other constraint. GUIDED: it turns with body A, and the anchor of B is held on it, perpendicular to `u`. LOCKED: B
may not turn relative to A either, which makes a constraint on two numbers; its 2x2 matrix is inverted in closed form.

An impulse `p` along `u` turns A by `(d + a) x u` and B by `b x u`, where a and b are the anchors relative to the
centers of mass. `d` is included because the axis turns with A; if the axis follows the anchors, `d x u` is 0.

The constraint across the axis is solved first. Each impulse p along the axis then comes with the impulses q p across it
and r p on the angle that leave their velocities as they are, so that both hold; see `coupled`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, load, select, splat, sqrt, store

from ...components.joint_kinds import HAS_LIMIT
from ..pairs import read_pair, write_pair
from ..soft import IMPULSE, INVERSE_H, JOINT, MASS, MAX_SPEED, MAX_SPIN, RATE
from .axial import FAR, HIGH, HIGH_AT, LOW, clamped, faded, pushed, solve_axis, turned
from .constraint import (
    ACROSS,
    ALONG,
    ANCHOR_A,
    ANCHOR_B,
    ANGLE,
    BETWEEN,
    FREE,
    LOCKED,
    SIZE,
    TURNING,
    Constraint,
)

if TYPE_CHECKING:
    from .plan import JointBlocks

_zero, _one, _tiny = np.float32(0), np.float32(1), np.float32(1e-12)


class Lines(Constraint):
    """The constraint. form: the kind of axis, see the module. short: the parts along the axis of the blocks on the fast
    path: the spring, since the stiff constraint of a rod is stored in its place, or nothing.
    """

    def __init__(self, form: int, parts: int, short: int = 0) -> None:
        super().__init__(form, parts)
        self.short = short

    def warm(self, plan: JointBlocks, speeds: Any) -> None:
        """Apply the impulses that the blocks hold."""
        warm_lines(plan.short, plan.count, speeds, plan.memory[self], plan.lanes, self.form, plan.fade)

    def solve(self, plan: JointBlocks, speeds: Any, numbers: Any, bias: bool) -> None:
        """Do one pass over all blocks."""
        blocks = plan.memory[self]
        for first, last, what in ((0, plan.short, self.short), (plan.short, plan.count, self.parts)):
            if first < last:
                solve_lines(first, last, speeds, blocks, plan.lanes, numbers, self.form, what, bias)


@njit(forceinline=True, borrows=True)
def stand(a: Any, b: Any, blocks: Any, o: Any, stands: int) -> Any:
    """Return the current state of a block of joints: the displacement between the anchors along and across the axis,
    the axis, and the arms by which an impulse along it and one across it turn A and B.
    """
    ax, ay = turned(load(blocks, o + ANCHOR_A), load(blocks, o + ANCHOR_A + LANES), a[6])
    bx, by = turned(load(blocks, o + ANCHOR_B), load(blocks, o + ANCHOR_B + LANES), b[6])
    dx = ((b[4] - a[4]) + load(blocks, o + BETWEEN)) + (bx - ax)
    dy = ((b[5] - a[5]) + load(blocks, o + BETWEEN + LANES)) + (by - ay)
    ux, uy = load(blocks, o + ALONG), load(blocks, o + ALONG + LANES)
    if stands == FREE:
        length = sqrt(dx * dx + dy * dy)
        valid = length > splat(_tiny)
        ux, uy = select(valid, dx / length, ux), select(valid, dy / length, uy)
    else:
        ux, uy = turned(ux, uy, a[6])
    x, y = dx + ax, dy + ay
    return (
        dx * ux + dy * uy, dy * ux - dx * uy, ux, uy,
        x * uy - y * ux, bx * uy - by * ux, x * ux + y * uy, bx * ux + by * uy,
    )  # fmt: skip


@njit(borrows=True)
def warm_lines(short: int, count: int, state: Any, blocks: Any, lanes: Any, stands: int, fade: Any) -> None:
    """Apply the impulses of all blocks. fade: the share of the impulses of limits that is applied again; blocks before
    `short` have no limits.
    """
    for block in range(count):
        o = block * SIZE
        a, b = read_pair(state, lanes, block)
        _, _, ux, uy, along_a, along_b, across_a, across_b = stand(a, b, blocks, o, stands)
        if block >= short:
            part = select(load(blocks, o + HIGH_AT) < splat(FAR), splat(fade), splat(_one))
            for vector in (LOW, HIGH, ACROSS, TURNING):
                faded(blocks, o + vector, part)
        along = pushed(blocks, o)
        across = load(blocks, o + ACROSS)
        turning = load(blocks, o + TURNING)
        px = along * ux - across * uy
        py = along * uy + across * ux
        spin_a = along * along_a + across * across_a + turning
        spin_b = along * along_b + across * across_b + turning
        write_pair(state, lanes, block, a, b, px, py, a[2] - a[7] * spin_a, b[2] + b[7] * spin_b)


@njit(forceinline=True, borrows=True)
def coupled(
    mass: Any, turn_a: Any, turn_b: Any, along_a: Any, along_b: Any, across_a: Any, across_b: Any, over: Any,
    stands: int,
) -> Any:  # fmt: skip
    """Return the inverse effective mass along the axis, and the impulses q across it and r on the angle that go with an
    impulse of 1.

    For the sum m of the inverse masses, inverse inertias i and j, arms along the axis k and l and across it s and t,
    the matrix of all three is K = m diag(1, 1, 0) + i (k, s, 1)(k, s, 1)ᵀ + j (l, t, 1)(l, t, 1)ᵀ. (q, r) solves its
    last two rows, and the inverse effective mass is det K divided by the determinant of these rows, where all terms
    that would cancel are left out. over: one divided by that determinant, 0 if it is 0. A GUIDED joint has only the
    first two rows.
    """
    zero, shared = splat(_zero), turn_a * turn_b
    if stands == LOCKED:
        # |K| = m (m (i + j) + i j ((k - l)² + (s - t)²)).
        apart, beside = along_a - along_b, across_a - across_b
        effective = mass * (mass * (turn_a + turn_b) + shared * (apart * apart + beside * beside)) * over
        twist = mass * (turn_a * along_a + turn_b * along_b)
        r = -(twist + shared * beside * (across_a * along_b - across_b * along_a)) * over
        return select(over > zero, effective, mass), -shared * apart * beside * over, r
    # |K| = m (m + i (k² + s²) + j (l² + t²)) + i j (k t - l s)².
    pull_a, pull_b, cross = turn_a * along_a, turn_b * along_b, along_a * across_b - along_b * across_a
    second = mass + (turn_a * across_a * across_a + turn_b * across_b * across_b)
    effective = (mass * (second + (pull_a * along_a + pull_b * along_b)) + shared * cross * cross) * over
    return effective, -(pull_a * across_a + pull_b * across_b) * over, zero


@njit(borrows=True)
def solve_lines(
    first: int, last: int, state: Any, blocks: Any, lanes: Any, numbers: Any, stands: int, what: int, bias: bool
) -> None:
    """Do one pass over the blocks from `first` to `last`: across the axis, then the parts in `what` along it."""
    zero, one = splat(_zero), splat(_one)
    inverse_h = splat(numbers[INVERSE_H])
    rate = splat(numbers[JOINT + RATE] if bias else _zero)
    share = soft = splat(numbers[JOINT + MASS] if bias else _one)
    relax = fades = splat(numbers[JOINT + IMPULSE] if bias else _zero)
    fastest, fastest_spin = splat(numbers[MAX_SPEED]), splat(numbers[MAX_SPIN])
    locks = splat(_one if stands == LOCKED else _zero)
    for block in range(first, last):
        o = block * SIZE
        a, b = read_pair(state, lanes, block)
        place, beside, ux, uy, along_a, along_b, across_a, across_b = stand(a, b, blocks, o, stands)
        vx, vy, w, wb = b[0] - a[0], b[1] - a[1], a[2], b[2]
        mass = a[3] + b[3]
        px, py = zero, zero
        # Inverse effective mass along the axis: 1/m_a + 1/m_b + arm_a²/I_a + arm_b²/I_b.
        inverse_mass = mass + (a[7] * along_a * along_a + b[7] * along_b * along_b)
        q, r = zero, zero
        if stands != FREE:
            if what & HAS_LIMIT:
                # Rigid if a limit is active: softness across the axis would move the anchors along it as well.
                limited = load(blocks, o + HIGH_AT) < splat(FAR)
                share, relax = select(limited, one, soft), select(limited, zero, fades)
            turn_a = a[7] * across_a
            turn_b = b[7] * across_b
            # 2x2 inverse effective mass K of (across, angle), inverted in closed form: impulse = -K^-1 (velocity +
            # rate error). Its determinant is m (i + j) + i j (s - t)², see `coupled`.
            k11 = mass + (turn_a * across_a + turn_b * across_b)
            k22 = a[7] + b[7]
            lock = select(k22 > zero, locks, zero)
            k12 = (turn_a + turn_b) * lock
            k22 = select(lock > zero, k22, one)
            speed = (vy * ux - vx * uy) + (across_b * wb - across_a * w) + clamped(rate * beside, fastest)
            spin = (wb - w + clamped(rate * (load(blocks, o + ANGLE) + (b[6] - a[6])), fastest_spin)) * lock
            apart = across_a - across_b
            determinant = select(lock > zero, mass * k22 + a[7] * b[7] * apart * apart, k11)
            over = select(determinant > zero, one / determinant, zero)
            scale = share * over
            across = scale * (k12 * spin - k22 * speed)
            turning = scale * (k12 * speed - k11 * spin) * lock
            old_across, old_turning = load(blocks, o + ACROSS), load(blocks, o + TURNING)
            if what:
                free = select(lock > zero, over, zero) if stands == LOCKED else over
                inverse_mass, q, r = coupled(mass, a[7], b[7], along_a, along_b, across_a, across_b, free, stands)
            if bias:
                # The part of the impulse along the axis does not decay, because that would move the anchors.
                along = pushed(blocks, o) if what else zero
                across = across - relax * (old_across - q * along)
                turning = turning - relax * (old_turning - r * along)
            store(blocks, o + ACROSS, old_across + across)
            store(blocks, o + TURNING, old_turning + turning)
            px, py = -across * uy, across * ux
            w = w - (turn_a * across + a[7] * turning)
            wb = wb + (turn_b * across + b[7] * turning)
            vx = vx + mass * px
            vy = vy + mass * py
        if what:
            speed = (vx * ux + vy * uy) + (along_b * wb - along_a * w)
            along = solve_axis(blocks, o, what, speed, place, inverse_mass, numbers, inverse_h, bias, fastest)
            px = px + along * ux
            py = py + along * uy
            w = w - a[7] * along_a * along
            wb = wb + b[7] * along_b * along
            if stands != FREE:
                across, turning = q * along, r * along
                store(blocks, o + ACROSS, load(blocks, o + ACROSS) + across)
                store(blocks, o + TURNING, load(blocks, o + TURNING) + turning)
                px = px - across * uy
                py = py + across * ux
                w = w - a[7] * (across_a * across + turning)
                wb = wb + b[7] * (across_b * across + turning)
        write_pair(state, lanes, block, a, b, px, py, w, wb)
