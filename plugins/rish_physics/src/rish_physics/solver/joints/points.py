"""Joints that hold two points together, softly or with a maximum force: weld, motor joint, mouse joint.

The error is the vector from the anchor of A to that of B, a constraint on two numbers, so its effective mass is a 2x2
matrix, inverted in closed form. Unlike the pin of a revolute joint, each lane has its own softness, and the length of
its impulse may be clamped.

numbers: frequency (Hz) and damping ratio at HERTZ, and the maximum force, below 0 for none. impulses: x, y.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs.jit import njit

from ...geometry.simd import LANES, gather, load, scatter, select, splat, sqrt, store
from ..soft import INVERSE_H, H, numbers_of
from .axial import WEAK, fill_soft, softness, turned

if TYPE_CHECKING:
    from ...contacts.state import State
    from .blocks import JointBlocks

HERTZ, DAMPING, MAX_FORCE = 8, 9, 10
"""The indices of the values in a row of `Joints.numbers`."""

# Vectors of a block
ANCHOR_A, ANCHOR_B = 0, 16
"""The anchors relative to the centres in world axes, x and y, at the start of the step."""
BETWEEN = 32
"""The vector from the centre of A to that of B, x and y, at the start of the step."""
PUSH_X, PUSH_Y = 48, 56
"""The accumulated impulse."""
SOFT, MAX = 64, 96
"""The softness, as in `axial`, and the greatest impulse in a sub-step."""
SIZE = 104
"""The number of float32 in a block."""

_zero, _one, _endless = np.float32(0), np.float32(1), np.float32(np.inf)


def prepare(state: State, plan: JointBlocks, parts: int) -> None:
    """Fill the blocks; parts: the meaning of a frequency of 0, and whether there is a maximum force (see `axial`)."""
    joints = state.joints
    share = np.float32(1 if state.scaled.warm_starting else 0)
    prepare_points(
        plan.order, joints.flat("pair"), parts, state.bodies.flat("pose"), joints.flat("frames"),
        joints.flat("numbers"), joints.flat("impulses"), share, numbers_of(state), plan.blocks,
    )  # fmt: skip


def warm(state: State, plan: JointBlocks) -> None:
    """Apply the impulses that the blocks hold."""
    warm_points(plan.count, state.bodies.flat("state"), plan.blocks, plan.lanes)


def solve(state: State, plan: JointBlocks, bias: bool) -> None:
    """Do one pass over all blocks."""
    solve_points(plan.count, state.bodies.flat("state"), plan.blocks, plan.lanes, bias)


def remember(state: State, plan: JointBlocks) -> None:
    """Write back the impulses and the force of the step."""
    joints = state.joints
    keep_points(plan.order, plan.blocks, numbers_of(state), joints.flat("impulses"), joints.flat("load"))


@njit(borrows=True)
def prepare_points(
    order: Any, pair: Any, parts: int, pose: Any, frames: Any, given: Any, impulses: Any, share: Any, numbers: Any,
    blocks: Any,
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
        f, g = 8 * j, 16 * j
        blocks[o + ANCHOR_A] = pose[p + 2] * frames[f] - pose[p + 3] * frames[f + 1]
        blocks[o + ANCHOR_A + LANES] = pose[p + 3] * frames[f] + pose[p + 2] * frames[f + 1]
        blocks[o + ANCHOR_B] = pose[q + 2] * frames[f + 4] - pose[q + 3] * frames[f + 5]
        blocks[o + ANCHOR_B + LANES] = pose[q + 3] * frames[f + 4] + pose[q + 2] * frames[f + 5]
        blocks[o + BETWEEN] = pose[q] - pose[p]
        blocks[o + BETWEEN + LANES] = pose[q + 1] - pose[p + 1]
        blocks[o + PUSH_X] = impulses[f] * share
        blocks[o + PUSH_Y] = impulses[f + 1] * share
        fill_soft(blocks, o + SOFT, parts, given[g + HERTZ], given[g + DAMPING], numbers)
        blocks[o + MAX] = _endless
        if parts & WEAK and given[g + MAX_FORCE] >= _zero:
            blocks[o + MAX] = numbers[H] * given[g + MAX_FORCE]


@njit(borrows=True)
def warm_points(count: int, state: Any, blocks: Any, lanes: Any) -> None:
    """Apply the impulses of all blocks."""
    for block in range(count):
        o = block * SIZE
        x = block * 2 * LANES
        a = gather(state, 8, 0, lanes, x)
        b = gather(state, 8, 0, lanes, x + LANES)
        ax, ay = turned(load(blocks, o + ANCHOR_A), load(blocks, o + ANCHOR_A + LANES), a[6])
        bx, by = turned(load(blocks, o + ANCHOR_B), load(blocks, o + ANCHOR_B + LANES), b[6])
        px = load(blocks, o + PUSH_X)
        py = load(blocks, o + PUSH_Y)
        spin_a = a[2] - a[7] * (ax * py - ay * px)
        spin_b = b[2] + b[7] * (bx * py - by * px)
        scatter(state, lanes, x, a[0] - a[3] * px, a[1] - a[3] * py, spin_a, a[3])
        scatter(state, lanes, x + LANES, b[0] + b[3] * px, b[1] + b[3] * py, spin_b, b[3])


@njit(borrows=True)
def solve_points(count: int, state: Any, blocks: Any, lanes: Any, bias: bool) -> None:
    """Do one pass; uses the current gap between the anchors."""
    zero, one = splat(_zero), splat(_one)
    for block in range(count):
        o = block * SIZE
        x = block * 2 * LANES
        a = gather(state, 8, 0, lanes, x)
        b = gather(state, 8, 0, lanes, x + LANES)
        ax, ay = turned(load(blocks, o + ANCHOR_A), load(blocks, o + ANCHOR_A + LANES), a[6])
        bx, by = turned(load(blocks, o + ANCHOR_B), load(blocks, o + ANCHOR_B + LANES), b[6])
        rate, share, relax = softness(blocks, o + SOFT, bias)
        # Relative velocity of the anchors, v_b + w_b x b - v_a - w_a x a, plus the bias rate · gap.
        vx = (b[0] - a[0]) + (a[2] * ay - b[2] * by)
        vy = (b[1] - a[1]) + (b[2] * bx - a[2] * ax)
        vx = vx + rate * (((b[4] - a[4]) + load(blocks, o + BETWEEN)) + (bx - ax))
        vy = vy + rate * (((b[5] - a[5]) + load(blocks, o + BETWEEN + LANES)) + (by - ay))
        mass = a[3] + b[3]
        # 2x2 inverse effective mass K, inverted in closed form: impulse = -K^-1 · velocity.
        k11 = mass + (a[7] * ay * ay + b[7] * by * by)
        k22 = mass + (a[7] * ax * ax + b[7] * bx * bx)
        k12 = -(a[7] * ay * ax + b[7] * by * bx)
        determinant = k11 * k22 - k12 * k12
        scale = select(determinant > zero, share / determinant, zero)
        old_x = load(blocks, o + PUSH_X)
        old_y = load(blocks, o + PUSH_Y)
        new_x = old_x + (scale * (k12 * vy - k22 * vx) - relax * old_x)
        new_y = old_y + (scale * (k12 * vx - k11 * vy) - relax * old_y)
        # Clamp the length of the accumulated impulse.
        length = sqrt(new_x * new_x + new_y * new_y)
        bound = load(blocks, o + MAX)
        part = select(length > bound, bound / length, one)
        new_x = new_x * part
        new_y = new_y * part
        store(blocks, o + PUSH_X, new_x)
        store(blocks, o + PUSH_Y, new_y)
        px = new_x - old_x
        py = new_y - old_y
        spin_a = a[2] - a[7] * (ax * py - ay * px)
        spin_b = b[2] + b[7] * (bx * py - by * px)
        scatter(state, lanes, x, a[0] - a[3] * px, a[1] - a[3] * py, spin_a, a[3])
        scatter(state, lanes, x + LANES, b[0] + b[3] * px, b[1] + b[3] * py, spin_b, b[3])


@njit(borrows=True)
def keep_points(order: Any, blocks: Any, numbers: Any, impulses: Any, bore: Any) -> None:
    """Write back the impulses; `bore` gets the force of the last sub-step."""
    inverse_h = numbers[INVERSE_H]
    for s in range(len(order)):
        j = np.int64(order[s])
        if j < 0:
            continue
        o = s // LANES * SIZE + s % LANES
        impulses[8 * j] = blocks[o + PUSH_X]
        impulses[8 * j + 1] = blocks[o + PUSH_Y]
        bore[4 * j] = inverse_h * blocks[o + PUSH_X]
        bore[4 * j + 1] = inverse_h * blocks[o + PUSH_Y]
        bore[4 * j + 2] = _zero
