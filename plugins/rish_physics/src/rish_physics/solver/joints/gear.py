"""The gear joint and the ratchet: constraints of an angle that count full turns.

When A of a gear turns, B turns `ratio` times as far; a negative ratio reverses the direction, like meshing teeth. B of
a ratchet turns counter-clockwise relative to A, and back only as far as the last tooth.

Bodies store their direction and not their number of turns, so these joints count the turns: they store the angles of
their bodies, and add the rotations of each step to these and, for B minus `ratio` times A, to the angle so far. For a
gear this is its error, which is corrected like that of every stiff joint. A ratchet counts like a gear of ratio 1; it
stores the angle beyond the last tooth that was passed, so that its limit is always at 0.

numbers: the ratio at RATIO, and the angle from tooth to tooth at STEP, 0 for a ratchet without teeth, which never turns
back. impulses: the angles of A and B in the last step, those of the axis, the angle so far, and 1 once the angles are
stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import maths, njit
from rish_jit.simd import LANES

from ...components.joint_kinds import HAS_LIMIT
from .angular import Turns
from .axial import FAR, HIGH_AT
from .constraint import COUNTED, GEARED, KNOWN, RATIO, SIZE

if TYPE_CHECKING:
    from ...contacts.state import State
    from .plan import JointBlocks

STEP = 12
"""The index of the angle between teeth in a row of `Joints.numbers`."""
_zero, _one, _turn = np.float32(0), np.float32(1), np.float32(maths.TAU)


class Gear(Turns):
    """The constraint of a gear, or, with a limit, of a ratchet."""

    def __init__(self, always: int) -> None:
        super().__init__(always=always, form=GEARED)

    def prepare(self, state: State, plan: JointBlocks) -> None:
        """Count the turns and the teeth, and fill the blocks from the tables."""
        joints = state.flats(state.joints)
        count_turns(plan.order, joints.pair, state.flats(state.bodies).pose, joints.numbers, joints.impulses)
        if self.always & HAS_LIMIT:
            _count_teeth(state.joints, plan.order[plan.order >= 0])
        super().prepare(state, plan)
        if self.always & HAS_LIMIT:
            blocks = plan.memory[self][: plan.count * SIZE].reshape(-1, SIZE)
            blocks[:, HIGH_AT : HIGH_AT + LANES] = FAR


def _count_teeth(joints: Any, rows: Any) -> None:
    """Subtract the teeth that were passed from the counted angles of ratchets."""
    beyond, step = joints.impulses[rows, COUNTED], joints.numbers[rows, STEP]
    last = np.fmod(beyond, step, out=np.zeros_like(beyond), where=step > 0)
    joints.impulses[rows, COUNTED] = np.where(beyond > 0, last, beyond)


@njit(borrows=True)
def count_turns(order: Any, pair: Any, pose: Any, values: Any, impulses: Any) -> None:
    """Add the rotations of the bodies between steps to the counted angles: that of B minus `ratio` times that of A,
    each by the shorter way.
    """
    for s in range(len(order)):
        j = np.int64(order[s])
        if j < 0:
            continue
        f = 8 * j
        for side in range(2):
            p = 4 * np.int64(pair[2 * j + side])
            angle = np.float32(maths.atan2(np.float64(pose[p + 3]), np.float64(pose[p + 2])))
            way = angle - impulses[f + side]
            way -= _turn * np.rint(way / _turn)
            if impulses[f + KNOWN] != _zero:
                impulses[f + COUNTED] += way if side else -values[16 * j + RATIO] * way
            impulses[f + side] = angle
        impulses[f + KNOWN] = _one
