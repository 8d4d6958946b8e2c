"""The gear joint: when A turns, B turns `ratio` times as far; a negative ratio reverses the direction, like meshing
teeth.

Bodies store their direction and not their number of turns, so a gear counts the turns: it stores the last angles of its
bodies and adds up their rotations since, each in (-π, π]. The rotation of B minus `ratio` times the rotation of A is
its error, which is corrected like that of every stiff joint.

numbers: the ratio at RATIO of `turns`. impulses: the angles of A and B in the last step, those of the axis, the error
so far, and 1 once the angles are stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_ecs import maths
from rish_ecs.jit import njit

from ...components.joint_kinds import HAS_SPRING
from . import turns
from .axial import STIFF
from .turns import COUNTED, RATIO

if TYPE_CHECKING:
    from ...contacts.state import State
    from .blocks import JointBlocks

SIZE = 0
_KNOWN = 7
_zero, _one, _half_turn, _turn = np.float32(0), np.float32(1), np.float32(maths.PI), np.float32(maths.TAU)


def simple(flags: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return True for every joint."""
    return np.ones(len(flags), np.bool_)


def prepare(state: State, plan: JointBlocks) -> None:
    """Count the turns and fill the blocks from the tables."""
    count_turns(state, plan)
    turns.prepare(state, plan, 0, 0, always=HAS_SPRING | STIFF, counts=True)


def warm(state: State, plan: JointBlocks) -> None:
    """Apply the impulses that the blocks hold."""
    turns.warm(state, plan)


def solve(state: State, plan: JointBlocks, bias: bool) -> None:
    """Do one pass over all blocks."""
    turns.solve(state, plan, 0, HAS_SPRING, bias)


def remember(state: State, plan: JointBlocks) -> None:
    """Write back the impulses and the torque of the step."""
    turns.remember(state, plan, 0, HAS_SPRING)


def count_turns(state: State, plan: JointBlocks) -> None:
    """Add the rotations since the last step to the error that the joints store."""
    joints = state.joints
    count(plan.order, joints.flat("pair"), state.bodies.flat("pose"), joints.flat("numbers"), joints.flat("impulses"))


@njit(borrows=True)
def count(order: Any, pair: Any, pose: Any, given: Any, impulses: Any) -> None:
    """Add the rotation of B minus `ratio` times the rotation of A."""
    for s in range(len(order)):
        j = np.int64(order[s])
        if j < 0:
            continue
        f = 8 * j
        for side in range(2):
            p = 4 * np.int64(pair[2 * j + side])
            angle = np.float32(maths.atan2(np.float64(pose[p + 3]), np.float64(pose[p + 2])))
            way = angle - impulses[f + side]
            if way > _half_turn:
                way -= _turn
            elif way < -_half_turn:
                way += _turn
            if impulses[f + _KNOWN] != _zero:
                impulses[f + COUNTED] += way if side else -given[16 * j + RATIO] * way
            impulses[f + side] = angle
        impulses[f + _KNOWN] = _one
