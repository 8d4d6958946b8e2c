"""Joints that act on the angle between two bodies: weld, wheel, motor joint, gear, ratchet.

The angle is that of B minus `ratio` times that of A, and is the place of `axial`. An impulse along it acts on B, and
multiplied by `-ratio` on A. The ratio is 1 except for gears. A joint that counts full turns (a gear, a ratchet) stores
its angle among the impulses (see `gear`); all others measure it between the axes of their frames, in (-π, π].

impulses: those of the axis. The kinds store these blocks in `JointBlocks.wide`, one for each of their own blocks, from
some block on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import maths
from rish_ecs.jit import njit

from ...geometry.simd import LANES, gather, load, scatter, splat
from ..soft import INVERSE_H, numbers_of
from .axial import AXIS, HIGH, LOW, MOTOR, SPRING, fill_axis, keep_axis, pushed, solve_axis

if TYPE_CHECKING:
    from ...contacts.state import State
    from .blocks import JointBlocks

RATIO, COUNTED = 11, 6
"""The index of a gear's ratio among the numbers, and of the counted angle of a joint among the impulses."""

# Vectors of a block, after those of the axis
ANGLE, BY = AXIS, AXIS + 8
"""The angle at the start of the step, and the ratio."""
SIZE = AXIS + 16
"""The number of float32 in a block."""

_zero, _one = np.float32(0), np.float32(1)


def prepare(state: State, plan: JointBlocks, first: int, parts: int, *, always: int = 0, counts: bool = False) -> None:
    """Fill `JointBlocks.wide` for the blocks from `first` on.

    parts: the flags of a joint that are used. always: the parts that each joint has without a flag. counts: whether
    they count turns.
    """
    joints, bodies = state.joints, state.bodies
    share = np.float32(1 if state.scaled.warm_starting else 0)
    plan.wide = state.scratch.take(f"turns.{plan.kind.__name__}", (plan.count - first) * SIZE)
    prepare_turns(
        plan.order[first * LANES :], joints.flat("pair"), joints.flat("flags"), parts, always, counts,
        bodies.flat("pose"), joints.flat("frames"), joints.flat("numbers"), joints.flat("impulses"), share,
        numbers_of(state), plan.wide,
    )  # fmt: skip


def warm(state: State, plan: JointBlocks, first: int = 0) -> None:
    """Apply the impulses that the blocks hold."""
    warm_turns(first, plan.count, state.bodies.flat("state"), plan.wide, plan.lanes)


def solve(state: State, plan: JointBlocks, first: int, what: int, bias: bool) -> None:
    """Do one pass over the parts in `what`."""
    solve_turns(first, plan.count, state.bodies.flat("state"), plan.wide, plan.lanes, numbers_of(state), what, bias)


def remember(state: State, plan: JointBlocks, first: int, parts: int) -> None:
    """Write back the impulses of `parts` and the torque of the step."""
    joints = state.joints
    order = plan.order[first * LANES :]
    keep_turns(order, plan.wide, parts, numbers_of(state), joints.flat("impulses"), joints.flat("load"))


@njit(borrows=True)
def prepare_turns(
    order: Any, pair: Any, flags: Any, parts: int, always: int, counts: bool, pose: Any, frames: Any, given: Any,
    impulses: Any, share: Any, numbers: Any, blocks: Any,
) -> None:  # fmt: skip
    """Fill the blocks lane by lane."""
    for s in range(len(order)):
        o = s // LANES * SIZE + s % LANES
        for k in range(0, SIZE, LANES):
            blocks[o + k] = _zero
        j = np.int64(order[s])
        if j < 0:
            continue
        f = 8 * j
        blocks[o + BY] = _one
        if counts:
            blocks[o + ANGLE] = impulses[f + COUNTED]
            blocks[o + BY] = given[16 * j + RATIO]
        else:
            p = 4 * np.int64(pair[2 * j])
            q = 4 * np.int64(pair[2 * j + 1])
            ax = pose[p + 2] * frames[f + 2] - pose[p + 3] * frames[f + 3]
            ay = pose[p + 3] * frames[f + 2] + pose[p + 2] * frames[f + 3]
            bx = pose[q + 2] * frames[f + 6] - pose[q + 3] * frames[f + 7]
            by = pose[q + 3] * frames[f + 6] + pose[q + 2] * frames[f + 7]
            blocks[o + ANGLE] = np.float32(maths.atan2(np.float64(ax * by - ay * bx), np.float64(ax * bx + ay * by)))
        fill_axis(blocks, o, flags[j] & parts | always, given, 16 * j, impulses, f, share, numbers)


@njit(borrows=True)
def warm_turns(first: int, last: int, state: Any, blocks: Any, lanes: Any) -> None:
    """Apply the impulses of the blocks from `first` to `last`."""
    for block in range(first, last):
        o = (block - first) * SIZE
        x = block * 2 * LANES
        a = gather(state, 8, 0, lanes, x)
        b = gather(state, 8, 0, lanes, x + LANES)
        total = pushed(blocks, o)
        scatter(state, lanes, x, a[0], a[1], a[2] - a[7] * load(blocks, o + BY) * total, a[3])
        scatter(state, lanes, x + LANES, b[0], b[1], b[2] + b[7] * total, b[3])


@njit(borrows=True)
def solve_turns(
    first: int, last: int, state: Any, blocks: Any, lanes: Any, numbers: Any, what: int, bias: bool
) -> None:
    """Do one pass over the blocks from `first` to `last`."""
    inverse_h = splat(numbers[INVERSE_H])
    for block in range(first, last):
        o = (block - first) * SIZE
        x = block * 2 * LANES
        a = gather(state, 8, 0, lanes, x)
        b = gather(state, 8, 0, lanes, x + LANES)
        ratio = load(blocks, o + BY)
        # Inverse effective mass of the angle: ratio² / I_a + 1 / I_b.
        both = a[7] * ratio * ratio + b[7]
        place = load(blocks, o + ANGLE) + (b[6] - ratio * a[6])
        total = solve_axis(blocks, o, what, b[2] - ratio * a[2], place, both, numbers, inverse_h, bias)
        scatter(state, lanes, x, a[0], a[1], a[2] - a[7] * ratio * total, a[3])
        scatter(state, lanes, x + LANES, b[0], b[1], b[2] + b[7] * total, b[3])


@njit(borrows=True)
def keep_turns(order: Any, blocks: Any, parts: int, numbers: Any, impulses: Any, bore: Any) -> None:
    """Write back the impulses; `bore` gets the torque of the last sub-step."""
    for s in range(len(order)):
        j = np.int64(order[s])
        if j < 0:
            continue
        o = s // LANES * SIZE + s % LANES
        keep_axis(blocks, o, parts, impulses, 8 * j)
        total = blocks[o + MOTOR] + blocks[o + SPRING] + blocks[o + LOW] - blocks[o + HIGH]
        bore[4 * j + 2] = numbers[INVERSE_H] * total
