"""All sub-steps of a world with cold contacts and without joints, in one kernel call."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .contact import solve, warm, warm_closed
from .contact_extra import bounce, solve_extra, warm_extra
from .soft import CLOSED
from .substeps import positions, velocities

_zero = np.float32(0)


@njit(borrows=True)
def cold_substeps(
    count: int, iterations: int, relaxations: int, bodies: Any, parts: Any, blocks: Any, extra: Any, lanes: Any,
    numbers: Any, contacts: Any,
) -> None:  # fmt: skip
    """Run all sub-steps, then apply restitution; see `substeps.substeps` and `contact_extra.bounce`.

    bodies: the list of awake bodies, and the columns flags, drive and state. contacts: the contact of each lane, the
    column `cold`, and room for all cold blocks.
    """
    awake, flags, drive, state = bodies
    order, cold, listed = contacts
    bias = count > 0  # a variable, since numba compiles the callee again for each constant
    closed = numbers[CLOSED] > _zero
    for _ in range(count):
        velocities(awake, flags, state, drive, numbers)
        warm(parts, state, blocks, lanes)
        if closed:
            warm_closed(parts, state, blocks, lanes, numbers)
        warm_extra(parts, state, extra, lanes)
        for _ in range(iterations):
            solve(parts, state, blocks, lanes, numbers, bias)
            solve_extra(parts, state, blocks, extra, lanes, numbers, bias)
        positions(awake, state, numbers)
        for _ in range(relaxations):
            solve(parts, state, blocks, lanes, numbers, not bias)
            solve_extra(parts, state, blocks, extra, lanes, numbers, not bias)
    bounce(parts, order, state, blocks, extra, lanes, numbers, cold, listed)
