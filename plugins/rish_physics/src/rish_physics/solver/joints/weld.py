"""The weld joint: two bodies held together, rigidly or with springs, for the angle and for the anchors.

The angle is solved before the point, because separated anchors are more visible. All welds use the same code; there is
no fast path.

numbers: frequency and damping ratio of the angle as in an axis, those of the point as in `points`; a frequency of 0 is
stiff. impulses: x, y of the point, and the spring of the angle as in an axis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...components.joint_kinds import HAS_SPRING
from . import points, turns
from .axial import STIFF

if TYPE_CHECKING:
    from ...contacts.state import State
    from .blocks import JointBlocks

SIZE = points.SIZE


def simple(flags: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return True for every joint."""
    return np.ones(len(flags), np.bool_)


def prepare(state: State, plan: JointBlocks) -> None:
    """Fill the blocks from the tables."""
    points.prepare(state, plan, STIFF)
    turns.prepare(state, plan, 0, 0, always=HAS_SPRING | STIFF)


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
