"""The motor joint: drives B to a position and an angle in the frame of A, with limited force and torque.

It has two springs, one for the position and one for the angle, with clamped impulses. With a frequency of 0 a spring
has no target and only brakes the motion of B relative to A: this is friction, for top-down games.

numbers: frequency, damping ratio and maximum torque of the angle as in an axis, those of the position as in `points`.
impulses: x, y of the position, and the spring of the angle as in an axis.
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
    """Return True for every joint."""
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
    """Do one pass over all blocks."""
    turns.solve(state, plan, 0, HAS_SPRING, bias)
    points.solve(state, plan, bias)


def remember(state: State, plan: JointBlocks) -> None:
    """Write back the impulses, and the force and torque of the step."""
    points.remember(state, plan)
    turns.remember(state, plan, 0, HAS_SPRING)
