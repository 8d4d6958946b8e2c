"""The mouse joint: pulls a point of B to a target with a spring of limited force, as a hand would.

The target is a position in the world, or a point of A. B may rotate about the held point.

numbers: as in `points`. impulses: x, y.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import points
from .axial import BRAKE, WEAK
from .points import SIZE as SIZE
from .points import remember as remember
from .points import solve as solve
from .points import warm as warm

if TYPE_CHECKING:
    from ...contacts.state import State
    from .blocks import JointBlocks


def simple(flags: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return True for every joint."""
    return np.ones(len(flags), np.bool_)


def prepare(state: State, plan: JointBlocks) -> None:
    """Fill the blocks from the tables."""
    points.prepare(state, plan, BRAKE | WEAK)
