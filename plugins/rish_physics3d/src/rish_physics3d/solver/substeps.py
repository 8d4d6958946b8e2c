"""All sub-steps of a tick in one call.

Each sub-step integrates velocities, applies the previous impulses (warm starting), solves the contacts with a bias that
pushes overlap apart, integrates positions, and solves them again without the bias (relaxing).
"""

from __future__ import annotations

from typing import Any

from rish_jit import njit

from .contact import solve, warm
from .integrate import positions, velocities


@njit(borrows=True)
def substeps(
    count: int, bodies: Any, dynamic: Any, motion: Any, mass: Any, drive: Any, inertia: Any, parts: Any, blocks: Any,
    lanes: Any, numbers: Any,
) -> None:  # fmt: skip
    """Run `count` sub-steps. motion: linear, angular and pose of all bodies. The other arguments: see the kernels."""
    linear, angular, pose = motion
    bias = count > 0  # a variable, since numba compiles the callee again for each constant
    for _ in range(count):
        velocities(bodies, dynamic, linear, angular, pose, mass, drive, inertia, numbers)
        warm(parts, linear, angular, blocks, lanes)
        solve(parts, linear, angular, blocks, lanes, numbers, bias)
        positions(bodies, linear, angular, pose, numbers)
        solve(parts, linear, angular, blocks, lanes, numbers, not bias)
