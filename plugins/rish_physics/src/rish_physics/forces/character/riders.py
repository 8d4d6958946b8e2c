"""Characters that stand are corrected after the step, if their ground ended elsewhere than predicted.

That is so for dynamic bodies, and for ground that was moved after the characters had walked. Each gets the place
relative to its ground that it had. Nothing of this lasts beyond the tick.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core import World
from rish_ecs import maths

from ...bodies.assembly import box_shapes, first_shapes, shapes_of
from ...bodies.registry import poses_of_rows
from ...components.links import Links
from ...contacts.state import State, versions_of
from .component import Character
from .motions import Motions
from .walk import Walk

Array = npt.NDArray[Any]
_EXACT = 1e-3
"""The difference from the prediction that is not corrected, as a share of the slop."""


class Riders(NamedTuple):
    """Characters that stand, those that others stand on first.

    slots, grounds: int32, their bodies, and those of their grounds. owners: int64 (n, 2), the entities of both bodies.
    before, predicted: float64 (n, 4), the origins of the grounds at the start of the tick and at its end: position,
    cosine, sine.
    """

    slots: Array
    grounds: Array
    owners: Array
    before: Array
    predicted: Array

    def without(self, slots: Array) -> Riders:
        """Return those that are not among these bodies, and do not stand on one."""
        stay = ~(np.isin(self.slots, slots) | np.isin(self.grounds, slots))
        return Riders(*(column[stay] for column in self))


def find_riders(world: World, state: State, entities: Array, slots: Array, motions: Motions) -> Riders | None:
    """Return the characters that stand, None if there are none. entities, slots: of all characters, in order."""
    table, links = world.tables[Character], world[Links]
    rows = table.rows_of(entities)
    stands = table.grounded[rows]
    slots, ground = slots[stands], table.ground[rows[stands]]
    shapes = first_shapes(state, links, ground)
    slots, grounds = slots[shapes >= 0], state.shapes.body[shapes[shapes >= 0]]
    if not len(slots):
        return None
    before = _origins(state, grounds)
    predicted = before.copy()
    for k in np.flatnonzero(np.isin(grounds, list(motions.of))).tolist() if motions.of else ():
        motion = motions.of[int(grounds[k])]
        s, c = maths.sincos(motion.turn)
        x, y = before[k, 2:]
        predicted[k] = (*motion.at(1.0, before[k, :2]), c * x - s * y, s * x + c * y)
    owners = np.column_stack([state.bodies.entity[slots], state.bodies.entity[grounds]])
    return Riders(slots, grounds, owners, before, predicted)


def carry_riders(world: World, state: State, links: Links) -> None:
    """Correct the characters whose ground is not where it was predicted; call it after the columns were written."""
    riders, links.tick.riders = links.tick.riders, None
    if riders is None:
        return
    exact = _EXACT * float(state.scaled.slop)
    error = np.abs(_origins(state, riders.grounds) - riders.predicted)
    if not (error.max(axis=1, initial=0) > exact).any():
        return
    carried = [k for k in range(len(riders.slots)) if _carry(world, state, links, riders, k, exact)]
    if carried:
        links.read.versions = versions_of(state.columns)
        links.read.writes = (state.columns[0].writes, *links.read.writes[1:])


def _carry(world: World, state: State, links: Links, riders: Riders, k: int, exact: float) -> bool:
    """Correct one character; return True if it was moved."""
    bodies = state.bodies
    slot, ground = int(riders.slots[k]), int(riders.grounds[k])
    if (bodies.entity[[slot, ground]] != riders.owners[k]).any():
        return False
    before, predicted, now = riders.before[k], riders.predicted[k], _origins(state, np.array([ground]))[0]
    way = now[:2] - before[:2]
    far = float((way**2).sum()) > (float(state.scaled.max_speed) * state.dt) ** 2
    if far or (np.abs(now - predicted) <= exact).all():
        return False
    walk = Walk(world, state, int(riders.owners[k, 0]), slot)
    # Its place relative to the predicted ground, rotated by the difference to the real one.
    x, y = walk.place - predicted[:2]
    c, s = now[2:] @ predicted[2:], predicted[2] * now[3] - predicted[3] * now[2]
    target = now[:2] + np.array([c * x - s * y, s * x + c * y])
    walk.follow(target, frozenset(riders.owners[riders.grounds == slot, 0].tolist()))
    seen = poses_of_rows(world, np.array([walk.place_row]))[0, :2]
    bodies.pose[slot, :2] += seen - bodies.seen[slot, :2]
    bodies.seen[slot, :2] = seen
    box_shapes(state, shapes_of(state, np.array([slot])))
    return True


def _origins(state: State, slots: Array) -> Array:
    """Return position, cosine and sine of the entities of bodies, float64 (n, 4)."""
    pose = state.bodies.pose[slots].astype(np.float64)
    x, y = state.bodies.extent[slots, :2].astype(np.float64).T
    c, s = pose[:, 2], pose[:, 3]
    return np.column_stack([pose[:, 0] - c * x + s * y, pose[:, 1] - s * x - c * y, c, s])
