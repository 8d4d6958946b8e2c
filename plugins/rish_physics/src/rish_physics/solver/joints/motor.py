"""The motor joint: B is driven to a place and an angle in the frame of A, with no more than some force and torque.

Two springs, one for the way and one for the angle, whose impulses are bounded. With a frequency of 0 such a spring
knows no place and only brakes the motion of B against A: friction, for games that are seen from above.

numbers: frequency and damping ratio of the angle as an axis has them with the most torque, those of the way as in
`points`. impulses: x, y of the way, and the spring of the angle as an axis has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...components.joint_kinds import HAS_SPRING
from . import points, turns
from .axial import BRAKE, WEAK

if TYPE_CHECKING:
    from ...contacts.state import State
    from .blocks import JointBlocks

SIZE = points.SIZE


def simple(flags: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """All of them."""
    return np.ones(len(flags), np.bool_)


def prepare(state: State, plan: JointBlocks) -> None:
    """Fill the blocks from the tables."""
    points.prepare(state, plan, BRAKE | WEAK)
    turns.prepare(state, plan, 0, 0, always=HAS_SPRING | BRAKE | WEAK)


def warm(state: State, plan: JointBlocks) -> None:
    """Apply the impulses that the blocks hold."""
    turns.warm(state, plan)
    points.warm(state, plan)


def solve(state: State, plan: JointBlocks, bias: bool) -> None:
    """One pass over all blocks."""
    turns.solve(state, plan, 0, HAS_SPRING, bias)
    points.solve(state, plan, bias)


def remember(state: State, plan: JointBlocks) -> None:
    """Write the impulses back, and force and torque of the step."""
    points.remember(state, plan)
    turns.remember(state, plan, 0, HAS_SPRING)
