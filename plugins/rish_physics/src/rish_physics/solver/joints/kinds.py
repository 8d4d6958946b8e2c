"""The module of each kind of joint, imported when the first joint of that kind exists.

A kind is a module of this package. It has no classes, only what `blocks.JointBlocks` and the sub-steps use:

- `SIZE`: float32 of a block of eight joints.
- `simple(flags)`: for an array of `Joints.flags`, which joints may use the fast path of the solver.
- `prepare(state, plan)`: fills the blocks of the plan from the tables, with the impulses of the last step.
- `warm(state, plan)`: applies those impulses.
- `solve(state, plan, bias)`: one pass; bias: whether position errors are corrected, softly.
- `remember(state, plan)`: writes back the impulses and the load of the joint.

The late import means that only the kinds used by a scene are compiled.
"""

from __future__ import annotations

import importlib
from typing import Any

from ...components.joint_kinds import DISTANCE, GEAR, MOTOR, MOUSE, PRISMATIC, RATCHET, REVOLUTE, WELD, WHEEL

_NAMES = {
    REVOLUTE: "revolute",
    DISTANCE: "distance",
    PRISMATIC: "prismatic",
    WELD: "weld",
    WHEEL: "wheel",
    MOTOR: "motor",
    MOUSE: "mouse",
    GEAR: "gear",
    RATCHET: "ratchet",
}
"""The module of each kind."""


def module_of(kind: int) -> Any:
    """Return the module of a kind. Raises KeyError for an unknown number."""
    return importlib.import_module(f"{__package__}.{_NAMES[kind]}")
