"""The common part of all constraints of joints: the layout of a block of eight joints, and how it is filled and
read.

All constraints except the pin (`revolute`) use this layout, and each uses some of its vectors. A constraint is a
subclass with `warm(plan, speeds)`, which applies the impulses of the last step to the velocities in `Bodies.state`, and
`solve(plan, speeds, numbers, bias)`, which does one pass; bias: whether position errors are corrected, softly.

impulses: those of the anchors, x and y, or perpendicular and angular; then those of an axis (`axial`); then the angle
at COUNTED, with 1 at KNOWN once it is there; or, for a distance joint without a length, its initial one at REMEMBERED.

An angle with limits or a spring counts full turns. Bodies store their direction, so an angle is measured up to full
turns; these are chosen so that it is nearest to the last one, to which the rotations of the step were added. So bodies
may turn any number of times in a step, and a body that is placed elsewhere has turned the shorter way. The first angle
is the one within the limits that is nearest to 0, or, without limits, the one nearest to the rest of the spring. An
angle that is held stiffly, and that of a motor joint, is a direction, in (-π, π].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import maths, njit
from rish_jit.simd import LANES

from ...components.joint_kinds import HAS_LIMIT, HAS_MOTOR, HAS_SPRING
from ..soft import INVERSE_H, MAX_SPEED, MAX_SPIN, H, numbers_of
from .axial import (
    AXIS,
    HIGH,
    LOW,
    LOW_AT,
    LOWER,
    MOTOR,
    MOTOR_AT,
    REST,
    REST_PLACE,
    ROD,
    SOFT,
    SPRING,
    SPRING_LIMIT,
    UPPER,
    WEAK,
    fill_axis,
    fill_soft,
)
from .axial import HERTZ as SPRING_HERTZ

if TYPE_CHECKING:
    from ...contacts.state import State
    from .plan import JointBlocks

POINT, FREE, GUIDED, LOCKED, TURN, AIMED, GEARED = range(7)
"""The forms of constraints: of two points (`points`), along a line (`lines`), of an angle (`turns`). An AIMED angle
does not count turns; a GEARED one is counted by `gear`.
"""
HERTZ, DAMPING, MAX_FORCE, RATIO = 8, 9, 10, 11
"""The indices of the numbers of a point, and of the ratio of a gear, in a row of `Joints.numbers`."""
COUNTED, KNOWN, REMEMBERED = 6, 7, 7
"""The indices of the angle, of 1 if it is known, and of an initial length, among the impulses."""

# Vectors of a block, after those of the axis
ANCHOR_A, ANCHOR_B = AXIS, AXIS + 16
"""The anchors relative to the centers in world axes, x and y, at the start of the step."""
BETWEEN, ALONG = AXIS + 32, AXIS + 48
"""The vector from the center of A to that of B, and the axis, at the start of the step."""
ACROSS, TURNING = AXIS + 64, AXIS + 72
"""The accumulated impulses of the anchors: those that keep B on the axis and prevent its rotation, or x and y."""
ANGLE, BY = AXIS + 80, AXIS + 88
"""The angle of B relative to A at the start of the step, and the ratio."""
SIZE = AXIS + 96
"""The number of float32 in a block."""

_zero, _one, _tiny, _endless = np.float32(0), np.float32(1), np.float32(1e-12), np.float32(np.inf)
_turn, _per_turn = np.float64(maths.TAU), np.float64(1 / maths.TAU)


class Constraint:
    """A constraint of all joints of a kind. form: see above. parts: the flags of a joint that it uses. always: the
    parts that each joint has without a flag. pins: the constraint that pins the same bodies to each other, if any.
    """

    size = SIZE
    pins: Constraint | None = None

    def __init__(self, form: int, parts: int = 0, always: int = 0) -> None:
        self.form, self.parts, self.always = form, parts, always

    def first(self, plan: JointBlocks) -> int:
        """Return the first block of the plan that has this constraint."""
        return 0

    def prepare(self, state: State, plan: JointBlocks) -> None:
        """Fill the blocks from the tables, with the impulses of the last step."""
        joints, share = state.flats(state.joints), np.float32(1 if state.scaled.warm_starting else 0)
        fill_blocks(
            self.form, plan.order[self.first(plan) * LANES :], joints.pair, joints.flags, self.parts, self.always,
            state.flats(state.bodies).pose, joints.frames, joints.numbers, joints.impulses, share, numbers_of(state),
            plan.memory[self],
        )  # fmt: skip

    def remember(self, state: State, plan: JointBlocks) -> None:
        """Write back the impulses, and the force and torque of the step."""
        joints, first = state.flats(state.joints), self.first(plan) * LANES
        keep_blocks(
            self.form, plan.order[first:], plan.lanes[2 * first :], state.flats(state.bodies).state, plan.memory[self],
            self.size, self.parts | self.always, numbers_of(state)[INVERSE_H], joints.impulses, joints.load,
        )  # fmt: skip


@njit(borrows=True)
def fill_blocks(
    form: int, order: Any, pair: Any, flags: Any, parts: int, always: int, pose: Any, frames: Any, values: Any,
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
        p = 4 * np.int64(pair[2 * j])
        q = 4 * np.int64(pair[2 * j + 1])
        f, g = 8 * j, 16 * j
        own_parts = flags[j] & parts | always
        ca, sa = pose[p + 2], pose[p + 3]
        cb, sb = pose[q + 2], pose[q + 3]
        # Anchors and axes in world axes, rotated by the bodies.
        ax, ay = ca * frames[f] - sa * frames[f + 1], sa * frames[f] + ca * frames[f + 1]
        bx, by = cb * frames[f + 4] - sb * frames[f + 5], sb * frames[f + 4] + cb * frames[f + 5]
        ux, uy = ca * frames[f + 2] - sa * frames[f + 3], sa * frames[f + 2] + ca * frames[f + 3]
        vx, vy = cb * frames[f + 6] - sb * frames[f + 7], sb * frames[f + 6] + cb * frames[f + 7]
        between_x, between_y = pose[q] - pose[p], pose[q + 1] - pose[p + 1]
        if form < TURN:
            blocks[o + ANCHOR_A], blocks[o + ANCHOR_A + LANES] = ax, ay
            blocks[o + ANCHOR_B], blocks[o + ANCHOR_B + LANES] = bx, by
            blocks[o + BETWEEN], blocks[o + BETWEEN + LANES] = between_x, between_y
            if form != FREE:
                blocks[o + ACROSS] = impulses[f] * share
            if form in (POINT, LOCKED):
                blocks[o + TURNING] = impulses[f + 1] * share
        if form == POINT:
            fastest = numbers[MAX_SPEED]
            fill_soft(blocks, o + SOFT, own_parts, values[g + HERTZ], values[g + DAMPING], numbers, fastest)
            blocks[o + SPRING_LIMIT] = _endless
            if own_parts & WEAK and values[g + MAX_FORCE] >= _zero:
                blocks[o + SPRING_LIMIT] = numbers[H] * values[g + MAX_FORCE]
            continue
        if form == FREE:
            if own_parts == 0:
                own_parts = HAS_SPRING | ROD
            dx, dy = between_x + (bx - ax), between_y + (by - ay)
            length = np.sqrt(dx * dx + dy * dy)
            if length > _tiny:
                ux, uy = dx / length, dy / length
            if values[g + REST_PLACE] > _zero:
                impulses[f + REMEMBERED] = _zero
            elif impulses[f + REMEMBERED] == _zero:
                impulses[f + REMEMBERED] = max(length, _tiny)
        blocks[o + BY] = _one
        if form == GEARED:
            blocks[o + ANGLE] = impulses[f + COUNTED]
            blocks[o + BY] = values[g + RATIO]
        elif form >= LOCKED:
            # The angle between the axes of both frames.
            angle = maths.atan2(np.float64(ux * vy - uy * vx), np.float64(ux * vx + uy * vy))
            if form == TURN and (own_parts & HAS_LIMIT or values[g + SPRING_HERTZ] > _zero):
                if impulses[f + KNOWN] != _zero:
                    angle += _turn * np.rint((np.float64(impulses[f + COUNTED]) - angle) * _per_turn)
                elif own_parts & HAS_LIMIT:
                    angle = wound(angle, np.float64(values[g + LOWER]), np.float64(values[g + UPPER]))
                elif own_parts & HAS_SPRING:
                    angle += _turn * np.rint((np.float64(values[g + REST_PLACE]) - angle) * _per_turn)
                impulses[f + COUNTED], impulses[f + KNOWN] = angle, _one
            elif form == TURN:
                impulses[f + KNOWN] = _zero
            blocks[o + ANGLE] = angle
        fastest = numbers[MAX_SPIN if form >= TURN else MAX_SPEED]
        fill_axis(blocks, o, own_parts, values, g, impulses, f, share, numbers, fastest)
        if form == FREE:
            if own_parts & HAS_MOTOR:  # a length is never below 0
                blocks[o + LOW_AT] = max(blocks[o + LOW_AT], _zero)
            if impulses[f + REMEMBERED] > _zero:
                blocks[o + REST] = impulses[f + REMEMBERED]
        blocks[o + ALONG], blocks[o + ALONG + LANES] = ux, uy


@njit(forceinline=True, borrows=True)
def wound(angle: Any, low: Any, high: Any) -> Any:
    """Return an angle plus full turns: the one nearest to `angle` in [low, high], or else the one nearest to that.

    All are float64, radians.
    """
    if low <= angle <= high:
        return angle
    # The first angle at or beyond the nearer end, and the one before it.
    way = np.float64(1) if angle < low else np.float64(-1)
    end, other = (low, high) if angle < low else (high, low)
    turns = np.ceil(way * (end - angle) / _turn)
    over = way * (angle - other) + turns * _turn
    if over > way * (end - angle) - (turns - 1) * _turn:
        turns -= 1
    return angle + way * turns * _turn


@njit(borrows=True)
def keep_blocks(
    form: int, order: Any, lanes: Any, state: Any, blocks: Any, size: int, parts: int, inverse_h: Any, impulses: Any,
    load: Any,
) -> None:  # fmt: skip
    """Write back the impulses, and add the rotations of the step to the angles; `load` gets the force and the torque of
    the last sub-step. size: of a block; pins have their impulse, x and y, at its beginning.
    """
    for s in range(len(order)):
        j = np.int64(order[s])
        if j < 0:
            continue
        o, f = s // LANES * size + s % LANES, 8 * j
        if form == POINT:
            at = o + (ACROSS if size == SIZE else 0)
            impulses[f], impulses[f + 1] = blocks[at], blocks[at + LANES]
            load[4 * j], load[4 * j + 1] = inverse_h * blocks[at], inverse_h * blocks[at + LANES]
            load[4 * j + 2] = _zero
            continue
        if form >= TURN and impulses[f + KNOWN] != _zero:
            x = s // LANES * 2 * LANES + s % LANES
            turn_a, turn_b = state[8 * np.int64(lanes[x]) + 6], state[8 * np.int64(lanes[x + LANES]) + 6]
            if form == GEARED:
                impulses[f] += turn_a
                impulses[f + 1] += turn_b
            impulses[f + COUNTED] = blocks[o + ANGLE] + (turn_b - blocks[o + BY] * turn_a)
        if parts & HAS_MOTOR:
            impulses[f + MOTOR_AT] = blocks[o + MOTOR]
        if parts & HAS_SPRING:
            impulses[f + MOTOR_AT + 1] = blocks[o + SPRING]
        if parts & HAS_LIMIT:
            impulses[f + MOTOR_AT + 2] = blocks[o + LOW]
            impulses[f + MOTOR_AT + 3] = blocks[o + HIGH]
        along = blocks[o + MOTOR] + blocks[o + SPRING] + blocks[o + LOW] - blocks[o + HIGH]
        if form >= TURN:
            # A pin got part of its impulse with that on the angle.
            load[4 * j] += inverse_h * blocks[o + ACROSS]
            load[4 * j + 1] += inverse_h * blocks[o + TURNING]
            load[4 * j + 2] = inverse_h * along
        else:
            across, turning = blocks[o + ACROSS], blocks[o + TURNING]
            ux, uy = blocks[o + ALONG], blocks[o + ALONG + LANES]
            impulses[f], impulses[f + 1] = across, turning
            load[4 * j] = inverse_h * (along * ux - across * uy)
            load[4 * j + 1] = inverse_h * (along * uy + across * ux)
            load[4 * j + 2] = inverse_h * turning
