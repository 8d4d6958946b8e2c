"""All sub-steps of a tick with joints in one call; without joints see `solver.substeps`.

Joints are solved before contacts, since a joint must not push a body through a wall. Their rows are made anew after
each movement, at the rotations that the bodies then have; they serve for relaxing, and for the sub-step after it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from ..contact import solve, warm
from ..integrate import positions, velocities, world_inertia
from ..soft import INVERSE_H
from .build import joint_rows
from .solve import keep_joints, push_rows


@njit(borrows=True)
def joint_substeps(
    count: int, bodies: Any, dynamic: Any, motion: Any, mass: Any, drive: Any, inertia: Any, contacts: Any, joints: Any,
    numbers: Any,
) -> None:  # fmt: skip
    """Run `count` sub-steps. contacts: parts, blocks, lanes. joints: form, frames, numbers, stored impulses, counts,
    rows, load, bodies with joints, and the share of the stored impulses. The other arguments: see the kernels.
    """
    linear, angular, pose = motion
    parts, blocks, lanes = contacts
    form, frames, limits, stored, counts, rows, load, jointed, share = joints
    bias = count > 0  # a variable, since numba compiles the callee again for each constant
    for k in range(len(load)):
        load[k] = np.float32(0)
    joint_rows(form, frames, limits, stored, motion, inertia, numbers, share, counts, rows)
    for _ in range(count):
        velocities(bodies, dynamic, linear, angular, pose, mass, drive, inertia, numbers)
        push_rows(form, counts, rows, linear, angular, bias, not bias)
        warm(parts, linear, angular, blocks, lanes)
        push_rows(form, counts, rows, linear, angular, not bias, not bias)
        solve(parts, linear, angular, blocks, lanes, numbers, bias)
        keep_joints(form, frames, counts, rows, pose, stored, load, numbers[INVERSE_H])
        positions(bodies, linear, angular, pose, numbers)
        world_inertia(jointed, pose, mass, inertia)
        joint_rows(form, frames, limits, stored, motion, inertia, numbers, np.float32(1), counts, rows)
        push_rows(form, counts, rows, linear, angular, not bias, bias)
        solve(parts, linear, angular, blocks, lanes, numbers, not bias)
    keep_joints(form, frames, counts, rows, pose, stored, load, numbers[INVERSE_H])
