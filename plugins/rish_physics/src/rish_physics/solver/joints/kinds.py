"""The code of each kind of joint, imported when the first joint of the kind is there.

A kind is a module of this package. It has no classes, only what `blocks.Plan` and the sub-steps call:

- `SIZE`: float32 of a block of eight joints.
- `simple(flags)`: for an array of `Joints.flags`, which joints may take the short way through the solver.
- `prepare(state, plan)`: fills the blocks of the plan from the tables, with the impulses of the last step.
- `warm(state, plan)`: applies those impulses.
- `solve(state, plan, bias)`: one pass; bias: whether errors of position are corrected, softly.
- `remember(state, plan)`: writes the impulses back, and what the joint bore.

Modules are imported when the first joint of their kind is there, so that only those compile that a scene has.
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
    """The module of a kind. Raises KeyError for a number that is none."""
    return importlib.import_module(f"{__package__}.{_NAMES[kind]}")
