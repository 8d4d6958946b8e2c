"""The displacements of bodies in this tick: predicted before the step, and the errors of the prediction after it.

A body whose columns differ from those of the last step moves to the new pose. Other bodies move with their velocity. A
body that would exceed the maximum speed is teleported by the step, so it counts as still. A dynamic body may end
elsewhere than predicted, and so does every body that is moved after the prediction; `errors_of` finds them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core import Transform, World
from rish_jit import maths

from ...bodies.assembly import shapes_of
from ...bodies.registry import poses_of_rows
from ...components.bodies import Body
from ...components.links import Links
from ...components.tables import DYNAMIC, ENABLED, FIXED_ROTATION, HUNG, QUARANTINED, STATIC, TYPE, USED
from ...contacts.state import State

Array = npt.NDArray[Any]


class Motion(NamedTuple):
    """The displacement of one body.

    Its point x, y moves by dx, dy (units), and it turns about that point by `turn` (radians). A share of the time moves
    it by that share of all three. At the time 0 the body is where the queries find it, at 1 it has moved, and at -1 it
    comes from where it was. slot: of the body.
    """

    slot: int
    x: float
    y: float
    dx: float
    dy: float
    turn: float
    dynamic: bool

    def at(self, share: float, place: Array) -> Array:
        """Return where a point of the body is at a time, float64 (2,). place: of it at the time 0."""
        x, y = rotated(share * self.turn, float(place[0]) - self.x, float(place[1]) - self.y)
        return np.array([self.x + share * self.dx + x, self.y + share * self.dy + y])

    def back(self, share: float, place: Array) -> Array:
        """Return where a point of the body is at the time 0, float64 (2,). place: of it at that time."""
        x, y = float(place[0]) - self.x - share * self.dx, float(place[1]) - self.y - share * self.dy
        x, y = rotated(-share * self.turn, x, y)
        return np.array([self.x + x, self.y + y])


def rotated(angle: float, x: float, y: float) -> tuple[float, float]:
    """Return a vector rotated by an angle in radians."""
    if not angle:
        return x, y
    s, c = maths.sincos(angle)
    return c * x - s * y, s * x + c * y


class Motions:
    """The motions of bodies, with the boxes that they sweep.

    slots: int32 (n,), ascending, of the bodies. numbers: float64 (n, 5), x, y, dx, dy, turn. back: whether they are
    motions that came to the poses of the queries (from -1 to 0) instead of those that go from there (from 0 to 1).
    """

    def __init__(self, state: State, slots: Array, numbers: Array, *, back: bool = False) -> None:
        self._state, self._back = state, back
        self.slots, self.numbers = slots, numbers
        self.boxes = self._swept(slots, numbers)
        self._own: dict[int, Motion] = {}

    def __bool__(self) -> bool:
        return len(self.slots) > 0

    def get(self, slot: int) -> Motion | None:
        """Return the motion of a body, None if it is still."""
        k = int(np.searchsorted(self.slots, slot))
        return self._motion(k) if k < len(self.slots) and self.slots[k] == slot else None

    def put(self, slot: int, x: float, y: float, dx: float, dy: float) -> None:
        """Set the motion of a body that does not turn; without a displacement it is still."""
        k = int(np.searchsorted(self.slots, slot))
        if k < len(self.slots) and self.slots[k] == slot:
            self.slots, self.numbers, self.boxes = (
                np.delete(column, k, axis=0) for column in (self.slots, self.numbers, self.boxes)
            )
        if dx or dy:
            numbers = np.array([[x, y, dx, dy, 0.0]])
            box = self._swept(np.array([slot], np.int32), numbers)
            self.slots = np.insert(self.slots, k, slot)
            self.numbers, self.boxes = (
                np.insert(self.numbers, k, numbers, axis=0),
                np.insert(self.boxes, k, box, axis=0),
            )

    def near(self, low: Array, high: Array) -> list[Motion]:
        """Return the motions of the bodies that may meet a box between two corners."""
        boxes = self.boxes
        meets = (boxes[:, 0] <= high[0]) & (boxes[:, 1] <= high[1]) & (boxes[:, 2] >= low[0]) & (boxes[:, 3] >= low[1])
        return [self._motion(k) for k in np.flatnonzero(meets).tolist()]

    def _motion(self, k: int) -> Motion:
        slot = int(self.slots[k])
        x, y, dx, dy, turn = self.numbers[k].tolist()
        return Motion(slot, x, y, dx, dy, turn, (int(self._state.bodies.flags[slot]) & TYPE) == DYNAMIC)

    def _swept(self, slots: Array, numbers: Array) -> Array:
        """Return the boxes x0, y0, x1, y1 that the shapes of bodies sweep, float64 (n, 4)."""
        bodies, shapes = self._state.bodies, self._state.shapes
        found = np.empty((len(slots), 4))
        found[:, :2], found[:, 2:] = np.inf, -np.inf
        if not len(slots):
            return found
        own = shapes_of(self._state, slots)
        index = np.searchsorted(slots, shapes.body[own])
        np.minimum.at(found[:, :2], index, shapes.tight[own, :2])
        np.maximum.at(found[:, 2:], index, shapes.tight[own, 2:])
        # A point at the distance r from the center of rotation moves by at most |turn| r, besides the displacement.
        arm = np.abs(bodies.pose[slots, :2] - numbers[:, :2]).sum(axis=1) + bodies.extent[slots, 2]
        swing = (np.abs(numbers[:, 4]) * arm)[:, None]
        way = -numbers[:, 2:4] if self._back else numbers[:, 2:4]
        found[:, :2] += np.minimum(way, 0) - swing
        found[:, 2:] += np.maximum(way, 0) + swing
        return found


class Poses(NamedTuple):
    """The poses of all bodies at one time. entity: int64 (n,). origin: float64 (n, 4), position of the entity, cosine,
    sine.
    """

    entity: Array
    origin: Array

    @classmethod
    def of(cls, state: State) -> Poses:
        """Return the current poses, by slot."""
        pose = state.bodies.pose.astype(np.float64)
        x, y = state.bodies.extent[:, :2].astype(np.float64).T
        c, s = pose[:, 2], pose[:, 3]
        return cls(
            state.bodies.entity.copy(), np.column_stack([pose[:, 0] - c * x + s * y, pose[:, 1] - s * x - c * y, c, s])
        )


def predicted_motions(world: World, state: State, links: Links) -> Motions:
    """Return the motions of this tick, as far as they are known before the step."""
    slots = _candidates(world, state, links)
    bodies, places, table = state.bodies, world.tables[Transform], world.tables[Body]
    on = (bodies.flags[slots] & (USED | ENABLED | QUARANTINED)) == (USED | ENABLED)
    rows = places.rows_of(bodies.entity[slots])
    slots, rows = slots[on & (rows >= 0)], rows[on & (rows >= 0)]
    if not len(slots):
        return Motions(state, slots, np.zeros((0, 5)))
    now, seen = poses_of_rows(world, rows)[:, :3].astype(np.float64), bodies.seen[slots, :3].astype(np.float64)
    written = (now != seen).any(axis=1)
    flags, body_rows = bodies.flags[slots], table.rows_of(bodies.entity[slots])
    moves = ((flags & TYPE) != STATIC) & (body_rows >= 0)
    numbers = np.zeros((len(slots), 5))
    numbers[:, :2] = np.where(written[:, None], seen[:, :2], bodies.pose[slots, :2])
    numbers[moves, 2:4] = table.velocity[body_rows[moves]] * state.dt
    turns = moves & ((flags & FIXED_ROTATION) == 0)
    numbers[turns, 4] = table.angular_velocity[body_rows[turns]] * state.dt
    numbers[written, 2:4] = (now - seen)[written, :2]
    numbers[written, 4] = maths.wrap_angle((now - seen)[written, 2])
    goes = _goes(state, numbers[:, 2:], 0.0)
    return Motions(state, slots[goes], numbers[goes])


def errors_of(state: State, motions: Motions, before: Poses, exact: float) -> Motions:
    """Return the motions from the predicted poses to those after the step. before: the poses before the step. exact:
    the difference that is left out, units.
    """
    after = Poses.of(state)
    count = min(len(before.entity), len(after.entity))
    moved = (before.origin[:count] != after.origin[:count]).any(axis=1)
    moved[motions.slots] = True
    moved &= (before.entity[:count] == after.entity[:count]) & (before.entity[:count] != 0)
    slots = np.flatnonzero(moved).astype(np.int32)
    start, now = before.origin[slots], after.origin[slots]
    goal = start.copy()
    at = np.searchsorted(motions.slots, slots)
    known = np.flatnonzero(np.append(motions.slots, -1)[at] == slots)
    x, y, dx, dy, turn = motions.numbers[at[known]].T
    s, c = maths.sincos(turn)
    ax, ay, ac, as_ = start[known, 0] - x, start[known, 1] - y, start[known, 2], start[known, 3]
    goal[known] = np.column_stack([
        x + dx + c * ax - s * ay, y + dy + s * ax + c * ay, c * ac - s * as_, s * ac + c * as_
    ])  # fmt: skip
    # The angle between two directions by their cross and dot products.
    cross = goal[:, 2] * now[:, 3] - goal[:, 3] * now[:, 2]
    numbers = np.column_stack([now[:, :2], (now - goal)[:, :2], maths.atan2(cross, (goal * now)[:, 2:].sum(axis=1))])
    goes = _goes(state, (now - start)[:, :2], -1.0) & (np.abs(now - goal).max(axis=1, initial=0) > exact)
    return Motions(state, slots[goes], numbers[goes], back=True)


def _goes(state: State, moves: Array, least: float) -> Array:
    """Return which displacements (dx, dy, ...) are greater than `least` and not faster than the maximum speed, bool."""
    furthest = float(state.scaled.max_speed) * state.dt
    return (np.abs(moves).max(axis=1, initial=0) > least) & ((moves[:, :2] ** 2).sum(axis=1) <= furthest**2)


def _candidates(world: World, state: State, links: Links) -> Array:
    """Return the bodies that may move in this tick, int32: awake ones, and those whose columns were written.

    If Transforms were written, they include all bodies with a parent.
    """
    if state.stale_awake:
        state.refresh()
    if not links.read.versions:
        return links.slots
    found = [state.awake]
    for table, version in zip(state.columns[:2], links.read.versions[:2], strict=True):
        if table.version == version:
            continue
        rows = table.written_since(version)
        if rows is None:
            return links.slots
        slots = links.body_slots(table.entities[rows])
        found.append(slots[state.bodies.entity[slots] == table.entities[rows]])
        if table is state.columns[0] and links.hangs:
            found.append(links.slots[(state.bodies.flags[links.slots] & HUNG) != 0])
    return np.unique(np.concatenate(found)).astype(np.int32) if len(found) > 1 else state.awake
