"""Joints that act on the angle between two bodies: weld, wheel, motor joint, gear, ratchet.

The angle is that of B minus `ratio` times that of A, and is the place of `axial`. An impulse along it acts on B, and
multiplied by `-ratio` on A. The ratio is 1 except for gears. The angle counts full turns, see `constraint`, except that
of a motor joint, which turns the shorter way.

If the bodies are also pinned to each other, each impulse p along the angle comes with the impulse q p on the pin that
keeps the velocity of its anchors: q = -K⁻¹ c, where K is the matrix of the pin (`revolute`) and c = i a⊥ + j b⊥. The
inverse effective mass of both is i + j + q · c = m (m (i + j) + i j (a - b)²) / |K|. Without that, the pin would take
back most of what a motor or a limit does to a body on a long arm. The impulse q p is not among those of the pin: it is
applied again with the arms as they are then, and it does not decay, since that would move the anchors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, load, splat, store

from ...components.joint_kinds import HAS_LIMIT
from ..pairs import read_pair, turn_pair, write_pair
from ..soft import INVERSE_H, MAX_SPIN
from .axial import HIGH, LOW, faded, pushed, solve_axis
from .constraint import ACROSS, ANGLE, BY, SIZE, TURN, TURNING, Constraint
from .revolute import ARM_A, ARM_B, Pins, over_determinant
from .revolute import SIZE as PIN

if TYPE_CHECKING:
    from .plan import JointBlocks


_one = np.float32(1)


class Turns(Constraint):
    """The constraint. If no joint has it without a flag, only the blocks without the fast path have it.

    pins: the constraint that pins the bodies to each other, if there is one.
    """

    def __init__(self, parts: int = 0, always: int = 0, form: int = TURN, pins: Pins | None = None) -> None:
        super().__init__(form, parts, always)
        self.pins, self.limits = pins, bool((parts | always) & HAS_LIMIT)

    def first(self, plan: JointBlocks) -> int:
        """Return the first block that has this constraint."""
        return 0 if self.always else plan.short

    def warm(self, plan: JointBlocks, speeds: Any) -> None:
        """Apply the impulses that the blocks hold."""
        fade = plan.fade if self.limits else _one
        warm_turns(self.first(plan), plan.count, speeds, plan.memory[self], plan.lanes, fade, plan.pins)

    def solve(self, plan: JointBlocks, speeds: Any, numbers: Any, bias: bool) -> None:
        """Do one pass over all blocks."""
        solve_turns(
            self.first(plan), plan.count, speeds, plan.memory[self], plan.lanes, numbers, self.parts | self.always,
            bias, plan.pins,
        )  # fmt: skip


@njit(forceinline=True, borrows=True)
def pinned(pins: Any, p: Any, a: Any, b: Any) -> Any:
    """Return the arms of a block of pins, the inverse effective mass of the angle, and q, see the module."""
    ax, ay = load(pins, p + ARM_A), load(pins, p + ARM_A + LANES)
    bx, by = load(pins, p + ARM_B), load(pins, p + ARM_B + LANES)
    mass = a[3] + b[3]
    over = over_determinant(ax, ay, bx, by, mass, a[7], b[7])
    dx, dy, shared = bx - ax, by - ay, a[7] * b[7]
    effective = (mass * over) * (mass * (a[7] + b[7]) + shared * (dx * dx + dy * dy))
    cross = shared * (ax * by - ay * bx)
    qx = over * (mass * (a[7] * ay + b[7] * by) - cross * dx)
    qy = -over * (mass * (a[7] * ax + b[7] * bx) + cross * dy)
    return ax, ay, bx, by, effective, qx, qy


@njit(forceinline=True, borrows=True)
def twist(state: Any, lanes: Any, block: Any, a: Any, b: Any, arms: Any, px: Any, py: Any, total: Any) -> None:
    """Apply an impulse on the angle, and p on the pin."""
    ax, ay, bx, by = arms
    spin_a = a[2] - a[7] * (total + (ax * py - ay * px))
    spin_b = b[2] + b[7] * (total + (bx * py - by * px))
    write_pair(state, lanes, block, a, b, px, py, spin_a, spin_b)


@njit(borrows=True)
def warm_turns(first: int, last: int, state: Any, blocks: Any, lanes: Any, fade: Any, pins: Any) -> None:
    """Apply the impulses of the blocks from `first` to `last`. fade: the share of the impulses of limits that is
    applied again. pins: see `solve_turns`.
    """
    for block in range(first, last):
        o = (block - first) * SIZE
        a, b = read_pair(state, lanes, block)
        if fade < _one:
            for vector in (LOW, HIGH):
                faded(blocks, o + vector, splat(fade))
        total = pushed(blocks, o)
        if len(pins) == 0:
            turn_pair(state, lanes, block, a, b, a[7] * load(blocks, o + BY) * total, b[7] * total)
        else:
            ax, ay, bx, by, _, qx, qy = pinned(pins, block * PIN, a, b)
            twist(state, lanes, block, a, b, (ax, ay, bx, by), qx * total, qy * total, total)


@njit(borrows=True)
def solve_turns(
    first: int, last: int, state: Any, blocks: Any, lanes: Any, numbers: Any, what: int, bias: bool, pins: Any
) -> None:
    """Do one pass over the blocks from `first` to `last`. pins: the blocks of the pins of the bodies, empty if there
    are none.
    """
    inverse_h, fastest = splat(numbers[INVERSE_H]), splat(numbers[MAX_SPIN])
    for block in range(first, last):
        o = (block - first) * SIZE
        a, b = read_pair(state, lanes, block)
        ratio = load(blocks, o + BY)
        speed = b[2] - ratio * a[2]
        place = load(blocks, o + ANGLE) + (b[6] - ratio * a[6])
        if len(pins) == 0:
            # Inverse effective mass of the angle: ratio² / I_a + 1 / I_b.
            inverse_mass = a[7] * ratio * ratio + b[7]
            total = solve_axis(blocks, o, what, speed, place, inverse_mass, numbers, inverse_h, bias, fastest)
            turn_pair(state, lanes, block, a, b, a[7] * ratio * total, b[7] * total)
        else:
            ax, ay, bx, by, inverse_mass, qx, qy = pinned(pins, block * PIN, a, b)
            total = solve_axis(blocks, o, what, speed, place, inverse_mass, numbers, inverse_h, bias, fastest)
            twist(state, lanes, block, a, b, (ax, ay, bx, by), qx * total, qy * total, total)
            total = pushed(blocks, o)
            store(blocks, o + ACROSS, qx * total)
            store(blocks, o + TURNING, qy * total)
