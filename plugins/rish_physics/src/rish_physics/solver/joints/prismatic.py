"""The prismatic joint: B slides along an axis of A without rotation relative to it; with limits, a motor and a spring.

The axis is solved first and the constraint that holds B on it afterwards, because that must hold best. A joint with no
parts uses the fast path, where nothing acts along the axis.

numbers: those of an axis; the place is the displacement of B's anchor from A's along it. impulses: those of `lines`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...components.joint_kinds import HAS_LIMIT, HAS_MOTOR, HAS_SPRING
from . import lines

if TYPE_CHECKING:
    from ...contacts.state import State
    from .blocks import JointBlocks

SIZE = lines.SIZE
PARTS = HAS_LIMIT | HAS_MOTOR | HAS_SPRING


def simple(flags: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return which joints slide freely."""
    return (flags & PARTS) == 0


def prepare(state: State, plan: JointBlocks) -> None:
    """Fill the blocks from the tables."""
    lines.prepare(state, plan, PARTS, lines.LOCKED)


def warm(state: State, plan: JointBlocks) -> None:
    """Apply the impulses that the blocks hold."""
    lines.warm(state, plan, lines.LOCKED)


def solve(state: State, plan: JointBlocks, bias: bool) -> None:
    """Do one pass over all blocks."""
    lines.solve(state, plan, lines.LOCKED, 0, PARTS, bias)


def remember(state: State, plan: JointBlocks) -> None:
    """Write back the impulses, and the force and torque of the step."""
    lines.remember(state, plan, PARTS)
