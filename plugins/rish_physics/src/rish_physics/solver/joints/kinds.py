"""The kinds of joints, as data: the constraints that each kind is made of.

- revolute: a pin; the angle about it may have limits, a motor and a spring.
- distance: a rod; with limits only it is a rope, with a spring it may be squeezed and stretched, with a motor its
  length changes. A length of 0 or less means the length in the first step.
- prismatic: B slides along an axis of A without rotation relative to it; with limits, a motor and a spring.
- weld: a point and an angle, held rigidly or with springs.
- wheel: B turns freely and slides along an axis of A, on a spring and between limits; the motor turns B.
- motor: drives a position and an angle with two springs of limited force. With a frequency of 0 a spring only brakes
  the motion of B relative to A: this is friction, for top-down games.
- mouse: pulls a point of B to a target, a position in the world or a point of A, with a spring of limited force.
- gear, ratchet: see `gear`.

The constraint that must hold best is solved last: the anchors of a weld, because their separation is more visible than
an angle, and the angle of a revolute joint, which keeps the anchors together as well. The constraint of the angle may
belong to the blocks without the fast path only, see `Turns`.
"""

from __future__ import annotations

from ...components.joint_kinds import (
    DISTANCE,
    GEAR,
    HAS_LIMIT,
    HAS_MOTOR,
    HAS_SPRING,
    MOTOR,
    MOUSE,
    PRISMATIC,
    RATCHET,
    REVOLUTE,
    WELD,
    WHEEL,
)
from .angular import Turns
from .axial import BRAKE, STIFF, WEAK
from .constraint import AIMED, FREE, GUIDED, LOCKED, Constraint
from .gear import Gear
from .lines import Lines
from .points import Points
from .revolute import Pins

_PARTS = HAS_LIMIT | HAS_MOTOR | HAS_SPRING
_PINS = Pins()

KINDS: dict[int, tuple[int, tuple[Constraint, ...]]] = {
    REVOLUTE: (_PARTS, (_PINS, Turns(_PARTS, pins=_PINS))),
    DISTANCE: (_PARTS, (Lines(FREE, _PARTS, short=HAS_SPRING),)),
    PRISMATIC: (_PARTS, (Lines(LOCKED, _PARTS),)),
    WELD: (0, (Turns(always=HAS_SPRING | STIFF), Points(STIFF))),
    WHEEL: (
        HAS_LIMIT | HAS_MOTOR,
        (Turns(HAS_MOTOR), Lines(GUIDED, HAS_LIMIT | HAS_SPRING, short=HAS_SPRING)),
    ),
    MOTOR: (0, (Turns(always=HAS_SPRING | BRAKE | WEAK, form=AIMED), Points(BRAKE | WEAK))),
    MOUSE: (0, (Points(BRAKE | WEAK),)),
    GEAR: (0, (Gear(always=HAS_SPRING | STIFF),)),
    RATCHET: (0, (Gear(always=HAS_LIMIT),)),
}
"""By kind: the flags of `Joints.flags` that a joint on the fast path has none of, and the constraints, in the order in
which they are solved.
"""
