"""The distance joint: keeps two anchors at a distance from each other; a rod, a rope, a spring or a piston.

A joint with no parts is a rod, which uses the fast path. With limits only it is a rope, with a spring it may be
squeezed and stretched, with a motor its length changes. A length of 0 or less means the length in the first step.

numbers: those of an axis; the place is the distance of the anchors. impulses: those of `lines`.
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
    """Return which joints are rods."""
    return (flags & PARTS) == 0


def prepare(state: State, plan: JointBlocks) -> None:
    """Fill the blocks from the tables."""
    lines.prepare(state, plan, PARTS, lines.FREE)


def warm(state: State, plan: JointBlocks) -> None:
    """Apply the impulses that the blocks hold."""
    lines.warm(state, plan, lines.FREE)


def solve(state: State, plan: JointBlocks, bias: bool) -> None:
    """Do one pass over all blocks; the stiff constraint of a rod is stored in place of the spring."""
    lines.solve(state, plan, lines.FREE, HAS_SPRING, PARTS, bias)


def remember(state: State, plan: JointBlocks) -> None:
    """Write back the impulses and the force of the step."""
    lines.remember(state, plan, PARTS)
