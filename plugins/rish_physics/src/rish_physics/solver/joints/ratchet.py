"""The ratchet: B turns counter-clockwise relative to A, and back only as far as the last tooth.

It counts turns like a gear of ratio 1. It stores the angle beyond the last tooth that was passed, so that its limit is
always at 0.

numbers: the angle from tooth to tooth at STEP, 0 for a ratchet without teeth, which never turns back. impulses: as of a
gear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.joint_kinds import HAS_LIMIT
from ...geometry.simd import LANES
from . import turns
from .axial import HIGH_AT
from .gear import SIZE as SIZE
from .gear import count_turns
from .gear import simple as simple
from .gear import warm as warm

if TYPE_CHECKING:
    from ...contacts.state import State
    from .blocks import JointBlocks

STEP = 12
"""The index of the angle between teeth in a row of `Joints.numbers`."""
_FAR = np.float32(1e6)


def prepare(state: State, plan: JointBlocks) -> None:
    """Count the turns and the teeth, and fill the blocks from the tables."""
    count_turns(state, plan)
    rows = plan.order[plan.order >= 0]
    beyond, step = state.joints.impulses[rows, turns.COUNTED], state.joints.numbers[rows, STEP]
    toothed = step > 0
    teeth = np.floor(np.divide(beyond, step, out=np.zeros_like(beyond), where=toothed)) * step
    passed = np.where(toothed, teeth, beyond)
    state.joints.impulses[rows, turns.COUNTED] = beyond - np.maximum(passed, 0)
    turns.prepare(state, plan, 0, 0, always=HAS_LIMIT, counts=True)
    blocks = plan.wide[: plan.count * turns.SIZE].reshape(-1, turns.SIZE)
    blocks[:, HIGH_AT : HIGH_AT + LANES] = _FAR


def solve(state: State, plan: JointBlocks, bias: bool) -> None:
    """Do one pass over all blocks."""
    turns.solve(state, plan, 0, HAS_LIMIT, bias)


def remember(state: State, plan: JointBlocks) -> None:
    """Write back the impulses and the torque of the step."""
    turns.remember(state, plan, 0, HAS_LIMIT)
