"""The displacements of bodies in this tick: predicted before the step, and the errors of the prediction after it.

A body whose columns differ from those of the last step moves to the new pose. Other bodies move with their velocity. A
body that would exceed the maximum speed is teleported by the step, so it counts as still. A dynamic body may end
elsewhere than predicted, and so does every body that is moved after the prediction; `errors_of` finds them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_core import Transform, World
from rish_ecs.declarations import distinct
from rish_jit import Array, maths

from ...bodies.assembly import shapes_of
from ...bodies.registry import poses_of_rows
from ...components.bodies import Body
from ...components.links import Links
from ...components.tables import DYNAMIC, ENABLED, FIXED_ROTATION, HAS_PARENT, QUARANTINED, STATIC, TYPE, USED
from ...contacts.state import State


class Motion(NamedTuple):
    """The displacement of one body.

    The point x, y of the body moves by dx, dy (units), and the body turns about that point by `turn` (radians), all in
    proportion to the time. At time 0 the body is where queries find it. A predicted motion ends at time 1; a motion
    that has already happened started at time -1. slot: of the body.
    """

    slot: int
    x: float
    y: float
    dx: float
    dy: float
    turn: float
    dynamic: bool

    def at(self, share: float, place: Array) -> Array:
        """Return the position of a point of the body at time `share`, float64 (2,). place: its position at time 0."""
        x, y = rotated(share * self.turn, float(place[0]) - self.x, float(place[1]) - self.y)
        return np.array([self.x + share * self.dx + x, self.y + share * self.dy + y])

    def back(self, share: float, place: Array) -> Array:
        """Return the position of a point of the body at time 0, float64 (2,). place: its position at time `share`."""
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

    slots: int32 (n,), ascending, of the bodies. numbers: float64 (n, 5), x, y, dx, dy, turn. back: True for motions
    that have already happened (from time -1 to 0), False for predicted ones (from time 0 to 1).
    """

    def __init__(self, state: State, slots: Array, numbers: Array, *, back: bool = False) -> None:
        self._state, self._back = state, back
        self.slots, self.numbers = slots, numbers
        self.boxes = self._swept(slots, numbers)
        self._own: dict[int, Motion] = {}

    def __bool__(self) -> bool:
        return len(self.slots) > 0

    def get(self, slot: int) -> Motion | None:
        """Return the motion of a body, None if it does not move."""
        k = int(np.searchsorted(self.slots, slot))
        return self._motion(k) if k < len(self.slots) and self.slots[k] == slot else None

    def put(self, slot: int, x: float, y: float, dx: float, dy: float) -> None:
        """Set the motion of a body that does not turn; without a displacement its motion is removed."""
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
        boxes = np.empty((len(slots), 4))
        boxes[:, :2], boxes[:, 2:] = np.inf, -np.inf
        if not len(slots):
            return boxes
        slots_of_shapes = shapes_of(self._state, slots)
        index = np.searchsorted(slots, shapes.body[slots_of_shapes])
        np.minimum.at(boxes[:, :2], index, shapes.tight[slots_of_shapes, :2])
        np.maximum.at(boxes[:, 2:], index, shapes.tight[slots_of_shapes, 2:])
        # A point at the distance r from the center of rotation moves by at most |turn| r, besides the displacement.
        arm = np.abs(bodies.pose[slots, :2] - numbers[:, :2]).sum(axis=1) + bodies.extent[slots, 2]
        swing = (np.abs(numbers[:, 4]) * arm)[:, None]
        way = -numbers[:, 2:4] if self._back else numbers[:, 2:4]
        boxes[:, :2] += np.minimum(way, 0) - swing
        boxes[:, 2:] += np.maximum(way, 0) + swing
        return boxes


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
    """Return the motions that bodies will make in this tick, as predicted before the step."""
    slots = _candidates(world, state, links)
    bodies, places, table = state.bodies, world.tables[Transform], world.tables[Body]
    on = (bodies.flags[slots] & (USED | ENABLED | QUARANTINED)) == (USED | ENABLED)
    rows = places.rows_of(bodies.entity[slots])
    slots, rows = slots[on & (rows >= 0)], rows[on & (rows >= 0)]
    if not len(slots):
        return Motions(state, slots, np.zeros((0, 5)))
    poses, earlier = poses_of_rows(world, rows)[:, :3].astype(np.float64), bodies.seen[slots, :3].astype(np.float64)
    moved_by_game = (poses != earlier).any(axis=1)
    flags, body_rows = bodies.flags[slots], table.rows_of(bodies.entity[slots])
    moves = ((flags & TYPE) != STATIC) & (body_rows >= 0)
    numbers = np.zeros((len(slots), 5))
    numbers[:, :2] = np.where(moved_by_game[:, None], earlier[:, :2], bodies.pose[slots, :2])
    numbers[moves, 2:4] = table.velocity[body_rows[moves]] * state.dt
    turns = moves & ((flags & FIXED_ROTATION) == 0)
    numbers[turns, 4] = table.angular_velocity[body_rows[turns]] * state.dt
    numbers[moved_by_game, 2:4] = (poses - earlier)[moved_by_game, :2]
    numbers[moved_by_game, 4] = maths.wrap_angle((poses - earlier)[moved_by_game, 2])
    goes = _goes(state, numbers[:, 2:], 0.0)
    return Motions(state, slots[goes], numbers[goes])


def errors_of(state: State, motions: Motions, before: Poses, exact: float) -> Motions:
    """Return the motions from the predicted poses to the poses after the step. before: the poses before the step.
    exact: smaller differences are left out, units.
    """
    after = Poses.of(state)
    count = min(len(before.entity), len(after.entity))
    moved = (before.origin[:count] != after.origin[:count]).any(axis=1)
    moved[motions.slots] = True
    moved &= (before.entity[:count] == after.entity[:count]) & (before.entity[:count] != 0)
    slots = np.flatnonzero(moved).astype(np.int32)
    start, end = before.origin[slots], after.origin[slots]
    goal = start.copy()
    at = np.searchsorted(motions.slots, slots)
    predicted = np.flatnonzero(np.append(motions.slots, -1)[at] == slots)
    x, y, dx, dy, turn = motions.numbers[at[predicted]].T
    s, c = maths.sincos(turn)
    ax, ay, ac, as_ = start[predicted, 0] - x, start[predicted, 1] - y, start[predicted, 2], start[predicted, 3]
    goal[predicted] = np.column_stack([
        x + dx + c * ax - s * ay, y + dy + s * ax + c * ay, c * ac - s * as_, s * ac + c * as_
    ])  # fmt: skip
    # The angle between two directions by their cross and dot products.
    cross = goal[:, 2] * end[:, 3] - goal[:, 3] * end[:, 2]
    numbers = np.column_stack([end[:, :2], (end - goal)[:, :2], maths.atan2(cross, (goal * end)[:, 2:].sum(axis=1))])
    goes = _goes(state, (end - start)[:, :2], -1.0) & (np.abs(end - goal).max(axis=1, initial=0) > exact)
    return Motions(state, slots[goes], numbers[goes], back=True)


def _goes(state: State, moves: Array, least: float) -> Array:
    """Return for each displacement (dx, dy, ...) whether it is greater than `least` and does not exceed the maximum
    speed, bool.
    """
    furthest = float(state.scaled.max_speed) * state.dt
    return (np.abs(moves).max(axis=1, initial=0) > least) & ((moves[:, :2] ** 2).sum(axis=1) <= furthest**2)


def _candidates(world: World, state: State, links: Links) -> Array:
    """Return the bodies that may move in this tick, int32: awake ones, and those whose columns were written.

    If Transforms were written, they include all bodies with a parent.
    """
    if state.stale_awake:
        state.refresh()
    changes = links.read.columns.look(world)
    if changes is None:
        return state.awake
    parts = [state.awake]
    for cls, table in zip((Transform, Body), state.columns, strict=False):
        if not changes[cls]:
            continue
        if changes[cls].all:
            return links.slots
        handles = table.entities[changes[cls].rows]
        slots = links.body_slots(handles)
        parts.append(slots[state.bodies.entity[slots] == handles])
        if table is state.columns[0] and links.has_parents:
            parts.append(links.slots[(state.bodies.flags[links.slots] & HAS_PARENT) != 0])
    return distinct(np.concatenate(parts)).astype(np.int32) if len(parts) > 1 else state.awake
