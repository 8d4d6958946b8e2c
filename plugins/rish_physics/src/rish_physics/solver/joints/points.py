"""Joints that hold two points together, softly or with a maximum force: weld, motor joint, mouse joint.

The error is the vector from the anchor of A to that of B, a constraint on two numbers, so its effective mass is a 2x2
matrix, inverted in closed form as that of a pin (`revolute`). Unlike a pin, each lane has its own softness, and the
length of its impulse may be clamped.

numbers: frequency (Hz) and damping ratio at HERTZ, and the maximum force, below 0 for none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, load, select, splat, sqrt, store

from ..pairs import read_pair, write_pair
from .axial import FASTEST, SOFT, SPRING_LIMIT, clamped, softness, turned
from .constraint import ACROSS, ANCHOR_A, ANCHOR_B, BETWEEN, POINT, SIZE, TURNING, Constraint

if TYPE_CHECKING:
    from .plan import JointBlocks

_zero, _one = np.float32(0), np.float32(1)


class Points(Constraint):
    """The constraint. always: the meaning of a frequency of 0, and whether there is a maximum force (see `axial`)."""

    def __init__(self, always: int) -> None:
        super().__init__(POINT, always=always)

    def warm(self, plan: JointBlocks, speeds: Any) -> None:
        """Apply the impulses that the blocks hold."""
        warm_points(plan.count, speeds, plan.memory[self], plan.lanes)

    def solve(self, plan: JointBlocks, speeds: Any, numbers: Any, bias: bool) -> None:
        """Do one pass over all blocks."""
        solve_points(plan.count, speeds, plan.memory[self], plan.lanes, bias)


@njit(borrows=True)
def warm_points(count: int, state: Any, blocks: Any, lanes: Any) -> None:
    """Apply the impulses of all blocks."""
    for block in range(count):
        o = block * SIZE
        a, b = read_pair(state, lanes, block)
        ax, ay = turned(load(blocks, o + ANCHOR_A), load(blocks, o + ANCHOR_A + LANES), a[6])
        bx, by = turned(load(blocks, o + ANCHOR_B), load(blocks, o + ANCHOR_B + LANES), b[6])
        px = load(blocks, o + ACROSS)
        py = load(blocks, o + TURNING)
        spin_a = a[2] - a[7] * (ax * py - ay * px)
        spin_b = b[2] + b[7] * (bx * py - by * px)
        write_pair(state, lanes, block, a, b, px, py, spin_a, spin_b)


@njit(borrows=True)
def solve_points(count: int, state: Any, blocks: Any, lanes: Any, bias: bool) -> None:
    """Do one pass; uses the current gap between the anchors."""
    zero, one = splat(_zero), splat(_one)
    for block in range(count):
        o = block * SIZE
        a, b = read_pair(state, lanes, block)
        ax, ay = turned(load(blocks, o + ANCHOR_A), load(blocks, o + ANCHOR_A + LANES), a[6])
        bx, by = turned(load(blocks, o + ANCHOR_B), load(blocks, o + ANCHOR_B + LANES), b[6])
        rate, share, relax = softness(blocks, o + SOFT, bias)
        # Relative velocity of the anchors, v_b + w_b x b - v_a - w_a x a, plus the bias rate · gap.
        vx = (b[0] - a[0]) + (a[2] * ay - b[2] * by)
        vy = (b[1] - a[1]) + (b[2] * bx - a[2] * ax)
        fastest = load(blocks, o + FASTEST)
        vx = vx + clamped(rate * (((b[4] - a[4]) + load(blocks, o + BETWEEN)) + (bx - ax)), fastest)
        vy = vy + clamped(rate * (((b[5] - a[5]) + load(blocks, o + BETWEEN + LANES)) + (by - ay)), fastest)
        mass = a[3] + b[3]
        cross = ax * by - ay * bx
        long = mass + a[7] * (ax * ax + ay * ay) + b[7] * (bx * bx + by * by)
        determinant = mass * long + a[7] * b[7] * cross * cross
        scale = select(determinant > zero, share / determinant, zero)
        along_a = a[7] * (ax * vx + ay * vy)
        along_b = b[7] * (bx * vx + by * vy)
        old_x = load(blocks, o + ACROSS)
        old_y = load(blocks, o + TURNING)
        new_x = old_x - scale * (mass * vx + (along_a * ax + along_b * bx)) - relax * old_x
        new_y = old_y - scale * (mass * vy + (along_a * ay + along_b * by)) - relax * old_y
        # Clamp the length of the accumulated impulse.
        length = sqrt(new_x * new_x + new_y * new_y)
        bound = load(blocks, o + SPRING_LIMIT)
        part = select(length > bound, bound / length, one)
        new_x = new_x * part
        new_y = new_y * part
        store(blocks, o + ACROSS, new_x)
        store(blocks, o + TURNING, new_y)
        px = new_x - old_x
        py = new_y - old_y
        spin_a = a[2] - a[7] * (ax * py - ay * px)
        spin_b = b[2] + b[7] * (bx * py - by * px)
        write_pair(state, lanes, block, a, b, px, py, spin_a, spin_b)
