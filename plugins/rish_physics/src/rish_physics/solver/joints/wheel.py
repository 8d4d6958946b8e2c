"""The wheel joint: B turns freely and slides along an axis of A, on a spring and between limits, like a wheel of a car.

The motor turns B relative to A. It is solved first, then the spring, and last the constraint that holds the wheel on
its axis. A wheel without limits and motor uses the fast path.

numbers: those of an axis; the place is the displacement of B's anchor from A's along the axis; the motor's speed and
maximum are angular. impulses: those of `lines`, with the motor's in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...components.joint_kinds import HAS_LIMIT, HAS_MOTOR, HAS_SPRING
from . import lines, turns

if TYPE_CHECKING:
    from ...contacts.state import State
    from .blocks import JointBlocks

SIZE = lines.SIZE
PARTS = HAS_LIMIT | HAS_SPRING
"""The parts that a wheel joint can have along its axis."""


def simple(flags: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return which joints have no motor and no limits."""
    return (flags & (HAS_LIMIT | HAS_MOTOR)) == 0


def prepare(state: State, plan: JointBlocks) -> None:
    """Fill the blocks from the tables."""
    lines.prepare(state, plan, PARTS, lines.GUIDED)
    if plan.short < plan.count:
        turns.prepare(state, plan, plan.short, HAS_MOTOR)


def warm(state: State, plan: JointBlocks) -> None:
    """Apply the impulses that the blocks hold."""
    lines.warm(state, plan, lines.GUIDED)
    if plan.short < plan.count:
        turns.warm(state, plan, plan.short)


def solve(state: State, plan: JointBlocks, bias: bool) -> None:
    """Do one pass over all blocks."""
    if plan.short < plan.count:
        turns.solve(state, plan, plan.short, HAS_MOTOR, bias)
    lines.solve(state, plan, lines.GUIDED, HAS_SPRING, PARTS, bias)


def remember(state: State, plan: JointBlocks) -> None:
    """Write back the impulses, and the force and torque of the step."""
    lines.remember(state, plan, PARTS)
    if plan.short < plan.count:
        turns.remember(state, plan, plan.short, HAS_MOTOR)
