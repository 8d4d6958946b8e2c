"""Joints that act on the angle between two bodies: weld, wheel, motor joint, gear, ratchet.

The angle is that of B minus `ratio` times that of A, and is the place of `axial`. An impulse along it acts on B, and
multiplied by `-ratio` on A. The ratio is 1 except for gears. A joint that counts full turns (a gear, a ratchet) stores
its angle among the impulses (see `gear`); all others measure it between the axes of their frames, in (-π, π].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_ecs.jit import njit
from rish_ecs.jit.simd import load, splat

from ..pairs import read_pair, turn_pair
from ..soft import INVERSE_H
from .axial import pushed, solve_axis
from .constraint import ANGLE, BY, SIZE, TURN, Constraint

if TYPE_CHECKING:
    from .plan import JointBlocks


class Turns(Constraint):
    """The constraint. If no joint has it without a flag, only the blocks without the fast path have it."""

    def __init__(self, parts: int = 0, always: int = 0, form: int = TURN) -> None:
        super().__init__(form, parts, always)

    def first(self, plan: JointBlocks) -> int:
        """Return the first block that has this constraint."""
        return 0 if self.always else plan.short

    def warm(self, plan: JointBlocks, speeds: Any) -> None:
        """Apply the impulses that the blocks hold."""
        warm_turns(self.first(plan), plan.count, speeds, plan.memory[self], plan.lanes)

    def solve(self, plan: JointBlocks, speeds: Any, numbers: Any, bias: bool) -> None:
        """Do one pass over all blocks."""
        solve_turns(
            self.first(plan), plan.count, speeds, plan.memory[self], plan.lanes,
            numbers, self.parts | self.always, bias,
        )  # fmt: skip


@njit(borrows=True)
def warm_turns(first: int, last: int, state: Any, blocks: Any, lanes: Any) -> None:
    """Apply the impulses of the blocks from `first` to `last`."""
    for block in range(first, last):
        o = (block - first) * SIZE
        a, b = read_pair(state, lanes, block)
        total = pushed(blocks, o)
        turn_pair(state, lanes, block, a, b, a[7] * load(blocks, o + BY) * total, b[7] * total)


@njit(borrows=True)
def solve_turns(
    first: int, last: int, state: Any, blocks: Any, lanes: Any, numbers: Any, what: int, bias: bool
) -> None:
    """Do one pass over the blocks from `first` to `last`."""
    inverse_h = splat(numbers[INVERSE_H])
    for block in range(first, last):
        o = (block - first) * SIZE
        a, b = read_pair(state, lanes, block)
        ratio = load(blocks, o + BY)
        # Inverse effective mass of the angle: ratio² / I_a + 1 / I_b.
        both = a[7] * ratio * ratio + b[7]
        place = load(blocks, o + ANGLE) + (b[6] - ratio * a[6])
        total = solve_axis(blocks, o, what, b[2] - ratio * a[2], place, both, numbers, inverse_h, bias)
        turn_pair(state, lanes, block, a, b, a[7] * ratio * total, b[7] * total)
