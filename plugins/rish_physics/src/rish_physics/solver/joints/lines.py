"""Joints whose bodies move relative to each other along a line: distance, prismatic, wheel.

`d` is the vector between the two anchors. Its component along the axis `u` is the place of `axial`; the direction of
the axis depends on the kind. FREE: it points from anchor to anchor, so that the place is their distance, and there is
no other constraint. GUIDED: it turns with body A, and the anchor of B is held on it, perpendicular to `u`. LOCKED: B
may not turn relative to A either, which makes a constraint on two numbers; its 2x2 matrix is inverted in closed form.

An impulse `p` along `u` turns A by `(d + a) x u` and B by `b x u`, where a and b are the anchors relative to the
centres of mass. `d` is included because the axis turns with A; if the axis follows the anchors, `d x u` is 0.

impulses: perpendicular and angular, then those of the axis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import maths
from rish_ecs.jit import njit

from ...components.joint_kinds import HAS_SPRING
from ...geometry.simd import LANES, gather, load, scatter, select, splat, sqrt, store
from ..soft import IMPULSE, INVERSE_H, JOINT, MASS, RATE, numbers_of
from .axial import (
    AXIS,
    HIGH,
    LOW,
    MOTOR,
    REST,
    REST_PLACE,
    ROD,
    SPRING,
    fill_axis,
    keep_axis,
    pushed,
    solve_axis,
    turned,
)

if TYPE_CHECKING:
    from ...contacts.state import State
    from .blocks import JointBlocks

FREE, GUIDED, LOCKED = 0, 1, 2
"""The kinds of axis, see the module."""

REMEMBERED = 7
"""The index of the initial length of a distance joint without a given length, among the impulses."""

# Vectors of a block, after those of the axis
ANCHOR_A, ANCHOR_B = AXIS, AXIS + 16
"""The anchors relative to the centres in world axes, x and y, at the start of the step."""
BETWEEN, ALONG = AXIS + 32, AXIS + 48
"""The vector from the centre of A to that of B, and the axis, at the start of the step."""
ACROSS, TURNING = AXIS + 64, AXIS + 72
"""The accumulated impulses that keep B on the axis and prevent its rotation."""
ANGLE = AXIS + 80
"""The angle of B relative to A at the start of the step, minus the angle at which it is locked."""
SIZE = AXIS + 88
"""The number of float32 in a block."""

_zero, _one, _tiny = np.float32(0), np.float32(1), np.float32(1e-12)


def prepare(state: State, plan: JointBlocks, parts: int, stands: int) -> None:
    """Fill the blocks; parts: the flags that the axis uses."""
    joints, bodies = state.joints, state.bodies
    share = np.float32(1 if state.scaled.warm_starting else 0)
    prepare_lines(
        plan.order, joints.flat("pair"), joints.flat("flags"), parts, stands, bodies.flat("pose"),
        joints.flat("frames"), joints.flat("numbers"), joints.flat("impulses"), share, numbers_of(state), plan.blocks,
    )  # fmt: skip


def warm(state: State, plan: JointBlocks, stands: int) -> None:
    """Apply the impulses that the blocks hold."""
    warm_lines(plan.count, state.bodies.flat("state"), plan.blocks, plan.lanes, stands)


def solve(state: State, plan: JointBlocks, stands: int, short: int, long: int, bias: bool) -> None:
    """Do one pass; short, long: the parts along the axis of the blocks before `JointBlocks.short`, and of the
    others.
    """
    speeds, numbers = state.bodies.flat("state"), numbers_of(state)
    if plan.short:
        solve_lines(0, plan.short, speeds, plan.blocks, plan.lanes, numbers, stands, short, bias)
    if plan.short < plan.count:
        solve_lines(plan.short, plan.count, speeds, plan.blocks, plan.lanes, numbers, stands, long, bias)


def remember(state: State, plan: JointBlocks, parts: int) -> None:
    """Write back the impulses, and the force and torque of the step."""
    joints = state.joints
    keep_lines(plan.order, plan.blocks, parts, numbers_of(state), joints.flat("impulses"), joints.flat("load"))


@njit(borrows=True)
def prepare_lines(
    order: Any, pair: Any, flags: Any, parts: int, stands: int, pose: Any, frames: Any, given: Any, impulses: Any,
    share: Any, numbers: Any, blocks: Any,
) -> None:  # fmt: skip
    """Fill the blocks lane by lane."""
    for s in range(len(order)):
        o = s // LANES * SIZE + s % LANES
        for k in range(0, SIZE, LANES):
            blocks[o + k] = _zero
        j = np.int64(order[s])
        if j < 0:
            continue
        p = 4 * np.int64(pair[2 * j])
        q = 4 * np.int64(pair[2 * j + 1])
        f = 8 * j
        ca, sa = pose[p + 2], pose[p + 3]
        cb, sb = pose[q + 2], pose[q + 3]
        # Anchors and axis in world axes, rotated by the bodies.
        ax, ay = ca * frames[f] - sa * frames[f + 1], sa * frames[f] + ca * frames[f + 1]
        bx, by = cb * frames[f + 4] - sb * frames[f + 5], sb * frames[f + 4] + cb * frames[f + 5]
        ux, uy = ca * frames[f + 2] - sa * frames[f + 3], sa * frames[f + 2] + ca * frames[f + 3]
        between_x, between_y = pose[q] - pose[p], pose[q + 1] - pose[p + 1]
        blocks[o + ANCHOR_A], blocks[o + ANCHOR_A + LANES] = ax, ay
        blocks[o + ANCHOR_B], blocks[o + ANCHOR_B + LANES] = bx, by
        blocks[o + BETWEEN], blocks[o + BETWEEN + LANES] = between_x, between_y
        own = flags[j] & parts
        if stands == FREE:
            if own == 0:
                own = HAS_SPRING | ROD
            dx, dy = between_x + (bx - ax), between_y + (by - ay)
            length = np.sqrt(dx * dx + dy * dy)
            if length > _tiny:
                ux, uy = dx / length, dy / length
            if given[16 * j + REST_PLACE] > _zero:
                impulses[f + REMEMBERED] = _zero
            elif impulses[f + REMEMBERED] == _zero:
                impulses[f + REMEMBERED] = max(length, _tiny)
        else:
            blocks[o + ACROSS] = impulses[f] * share
        if stands == LOCKED:
            # The angle between the axes of both frames.
            vx = cb * frames[f + 6] - sb * frames[f + 7]
            vy = sb * frames[f + 6] + cb * frames[f + 7]
            blocks[o + ANGLE] = np.float32(maths.atan2(np.float64(ux * vy - uy * vx), np.float64(ux * vx + uy * vy)))
            blocks[o + TURNING] = impulses[f + 1] * share
        fill_axis(blocks, o, own, given, 16 * j, impulses, f, share, numbers)
        if impulses[f + REMEMBERED] > _zero:
            blocks[o + REST] = impulses[f + REMEMBERED]
        blocks[o + ALONG], blocks[o + ALONG + LANES] = ux, uy


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
        known = length > splat(_tiny)
        ux, uy = select(known, dx / length, ux), select(known, dy / length, uy)
    else:
        ux, uy = turned(ux, uy, a[6])
    x, y = dx + ax, dy + ay
    return (
        dx * ux + dy * uy, dy * ux - dx * uy, ux, uy,
        x * uy - y * ux, bx * uy - by * ux, x * ux + y * uy, bx * ux + by * uy,
    )  # fmt: skip


@njit(borrows=True)
def warm_lines(count: int, state: Any, blocks: Any, lanes: Any, stands: int) -> None:
    """Apply the impulses of all blocks."""
    for block in range(count):
        o = block * SIZE
        x = block * 2 * LANES
        a = gather(state, 8, 0, lanes, x)
        b = gather(state, 8, 0, lanes, x + LANES)
        _, _, ux, uy, along_a, along_b, across_a, across_b = stand(a, b, blocks, o, stands)
        along = pushed(blocks, o)
        across = load(blocks, o + ACROSS)
        turning = load(blocks, o + TURNING)
        px = along * ux - across * uy
        py = along * uy + across * ux
        spin_a = along * along_a + across * across_a + turning
        spin_b = along * along_b + across * across_b + turning
        scatter(state, lanes, x, a[0] - a[3] * px, a[1] - a[3] * py, a[2] - a[7] * spin_a, a[3])
        scatter(state, lanes, x + LANES, b[0] + b[3] * px, b[1] + b[3] * py, b[2] + b[7] * spin_b, b[3])


@njit(borrows=True)
def solve_lines(
    first: int, last: int, state: Any, blocks: Any, lanes: Any, numbers: Any, stands: int, what: int, bias: bool
) -> None:
    """Do one pass over the blocks from `first` to `last`: along the axis the parts in `what`, then across it."""
    zero, one = splat(_zero), splat(_one)
    inverse_h = splat(numbers[INVERSE_H])
    rate = splat(numbers[JOINT + RATE] if bias else _zero)
    share = splat(numbers[JOINT + MASS] if bias else _one)
    relax = splat(numbers[JOINT + IMPULSE] if bias else _zero)
    locks = splat(_one if stands == LOCKED else _zero)
    for block in range(first, last):
        o = block * SIZE
        x = block * 2 * LANES
        a = gather(state, 8, 0, lanes, x)
        b = gather(state, 8, 0, lanes, x + LANES)
        place, beside, ux, uy, along_a, along_b, across_a, across_b = stand(a, b, blocks, o, stands)
        vx, vy, w = b[0] - a[0], b[1] - a[1], a[2]
        wb = b[2]
        mass = a[3] + b[3]
        px, py = zero, zero
        if what:
            # Inverse effective mass along the axis: 1/m_a + 1/m_b + arm_a²/I_a + arm_b²/I_b.
            both = mass + (a[7] * along_a * along_a + b[7] * along_b * along_b)
            speed = (vx * ux + vy * uy) + (along_b * wb - along_a * w)
            along = solve_axis(blocks, o, what, speed, place, both, numbers, inverse_h, bias)
            px, py = along * ux, along * uy
            w = w - a[7] * along_a * along
            wb = wb + b[7] * along_b * along
            vx = vx + mass * px
            vy = vy + mass * py
        if stands != FREE:
            turn_a = a[7] * across_a
            turn_b = b[7] * across_b
            # 2x2 inverse effective mass K of (across, angle), inverted in closed form: impulse = -K^-1 (velocity +
            # rate error).
            k11 = mass + (turn_a * across_a + turn_b * across_b)
            k22 = a[7] + b[7]
            lock = select(k22 > zero, locks, zero)
            k12 = (turn_a + turn_b) * lock
            k22 = select(lock > zero, k22, one)
            speed = (vy * ux - vx * uy) + (across_b * wb - across_a * w) + rate * beside
            spin = (wb - w + rate * (load(blocks, o + ANGLE) + (b[6] - a[6]))) * lock
            determinant = k11 * k22 - k12 * k12
            scale = select(determinant > zero, share / determinant, zero)
            old = load(blocks, o + ACROSS)
            across = scale * (k12 * spin - k22 * speed) - relax * old
            store(blocks, o + ACROSS, old + across)
            old = load(blocks, o + TURNING)
            turning = (scale * (k12 * speed - k11 * spin) - relax * old) * lock
            store(blocks, o + TURNING, old + turning)
            px = px - across * uy
            py = py + across * ux
            w = w - (turn_a * across + a[7] * turning)
            wb = wb + (turn_b * across + b[7] * turning)
        scatter(state, lanes, x, a[0] - a[3] * px, a[1] - a[3] * py, w, a[3])
        scatter(state, lanes, x + LANES, b[0] + b[3] * px, b[1] + b[3] * py, wb, b[3])


@njit(borrows=True)
def keep_lines(order: Any, blocks: Any, parts: int, numbers: Any, impulses: Any, bore: Any) -> None:
    """Write back the impulses; `bore` gets the force and the torque of the last sub-step."""
    inverse_h = numbers[INVERSE_H]
    for s in range(len(order)):
        j = np.int64(order[s])
        if j < 0:
            continue
        o = s // LANES * SIZE + s % LANES
        f = 8 * j
        impulses[f] = blocks[o + ACROSS]
        impulses[f + 1] = blocks[o + TURNING]
        keep_axis(blocks, o, parts, impulses, f)
        along = blocks[o + MOTOR] + blocks[o + SPRING] + blocks[o + LOW] - blocks[o + HIGH]
        ux, uy = blocks[o + ALONG], blocks[o + ALONG + LANES]
        bore[4 * j] = inverse_h * (along * ux - blocks[o + ACROSS] * uy)
        bore[4 * j + 1] = inverse_h * (along * uy + blocks[o + ACROSS] * ux)
        bore[4 * j + 2] = inverse_h * blocks[o + TURNING]
