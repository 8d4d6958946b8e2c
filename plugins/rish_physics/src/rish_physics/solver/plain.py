"""All of the solver in one call, for worlds of nothing but bodies and plain contacts.

To call a kernel costs as much as to solve some contacts: numba looks at every array that it is given. A small world
would spend most of its step on that. So what `solve` and `finish` go through one by one, from colouring to new boxes,
is one kernel here. It calls the same functions in the same order, so the bits are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core.jit import njit

from .blocks import SIZE
from .colour import COLD, STILL, colour
from .finalize import finalize
from .prepare import bring_together, prepare, remember
from .simd import LANES
from .soft import CLOSED, numbers_of
from .solve import solver_of
from .substeps import substeps

if TYPE_CHECKING:
    from ..state import State


_NONE = np.zeros(0, np.int32)


def move(state: State) -> bool:
    """Solve and finalize the step; False, and nothing is done, where there are joints, or cold contacts, or a watch.

    It leaves what `finish` leaves.
    """
    solver = solver_of(state)
    if state.joints.used or solver.cold or state.timings.wanted or len(state.moved):
        return False
    while True:
        arguments = state.arguments.get("plain") or _arguments(state)
        need, n_moved, n_fast, n_lost, state.slowed, state.rested, ascending = run(*arguments)
        if need < 0:
            return False
        if need <= len(arguments[_ORDER]):
            break
        _arguments(state, need)
    moved, fast, lost = arguments[-3:]
    state.moved = moved[:n_moved] if n_moved else _NONE
    if not ascending:
        state.moved = np.sort(state.moved)
    state.fast = fast[:n_fast] if n_fast else _NONE
    state.quarantined = lost[:n_lost] if n_lost else _NONE
    return True


def _arguments(state: State, room: int = 64 * LANES) -> tuple[Any, ...]:
    """What `run` is called with. room: for so many lanes."""
    bodies, shapes, contacts = state.flats(state.bodies), state.flats(state.shapes), state.flats(state.contacts)
    scaled, scratch, solver = state.scaled, state.scratch, solver_of(state)
    passes = (scaled.substeps, scaled.iterations, scaled.relaxations, scaled.friction_mix, scaled.continuous)
    colouring, awake, active = solver.colouring, len(state.awake), len(state.active)
    found = state.arguments["plain"] = (
        state.active, contacts.pair, contacts.info, contacts.manifold, state.awake, bodies.flags, bodies.state,
        bodies.drive, bodies.pose, bodies.extent, bodies.rest, bodies.first_shape, shapes.flags, shapes.next,
        shapes.surface, shapes.size, shapes.hull, shapes.tight, shapes.fat, numbers_of(state),
        np.array(passes, np.int64), np.float32(1 if scaled.warm_starting else 0),
        scratch.take("colour.used", bodies.used, np.uint64), scratch.take("colour.chosen", active, np.int32),
        colouring.counts, colouring.parts, scratch.take("plain.order", room, np.int32)[:room],
        scratch.take("plain.lanes", 2 * room, np.int32), scratch.take("plain.blocks", room // LANES * SIZE),
        *solver.work,
        scratch.take("finalize.moved", shapes.used, np.int32), scratch.take("plain.fast", awake, np.int32),
        scratch.take("plain.lost", awake, np.int32),
    )  # fmt: skip
    return found


_ORDER = 26
"""Where among the arguments of `run` the order of the contacts stands."""


@njit(borrows=True)
def run(
    active: Any, pair: Any, info: Any, manifold: Any, awake: Any, flags: Any, speeds: Any, drive: Any, pose: Any,
    extent: Any, rest: Any, first_shape: Any, shape_flags: Any, following: Any, surface: Any, size: Any, hull: Any,
    tight: Any, fat: Any, numbers: Any, passes: Any, share: Any, used: Any, chosen: Any, counts: Any, parts: Any,
    order: Any, lanes: Any, blocks: Any, rows: Any, points: Any, moved: Any, fast: Any, lost: Any,
) -> Any:  # fmt: skip
    """Solve and finalize; gives the lanes that are needed, -1 where a contact is cold, and what `finalize` gives.

    Where there are too few lanes or a contact is cold, nothing has been done. passes: int64: sub-steps, passes and
    relaxing passes in each, how frictions are mixed, whether collision is continuous. The others are those of the
    kernels that it calls.
    """
    need = colour(active, pair, info, flags, used, chosen, order, counts, parts)
    if parts[COLD + 1] > parts[COLD] or parts[STILL + COLD + 1] > parts[STILL + COLD]:
        need = -1
    if need < 0 or need > len(order):
        return need, 0, 0, 0, 0, np.float32(0), True
    prepare(order, parts, pair, info, manifold, flags, speeds, surface, passes[3], share, (rows, points), lanes, blocks)
    if numbers[CLOSED] > np.float32(0):
        bring_together(order, need // LANES, pair, pose, speeds, lanes, blocks)
    substeps(passes[0], passes[1], passes[2], awake, flags, drive, parts, speeds, blocks, lanes, numbers)
    remember(order, need // LANES, info, manifold, blocks)
    n_moved, n_fast, n_lost, n_slowed, longest, ascending = finalize(
        awake,
        numbers,
        passes[4] != 0,
        flags,
        pose,
        speeds,
        extent,
        rest,
        first_shape,
        shape_flags,
        following,
        size,
        hull,
        tight,
        fat,
        moved,
        fast,
        lost,
    )
    return need, n_moved, n_fast, n_lost, n_slowed, longest, ascending
