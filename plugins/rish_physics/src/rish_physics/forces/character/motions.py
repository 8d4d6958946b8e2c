"""The displacements of bodies in this tick, as they are known before the step.

A kinematic or static body whose columns differ from those of the last step moves to the new pose. Other bodies move
with their velocity; a dynamic one may end elsewhere, which `riders` corrects. A body that would exceed the maximum
speed is teleported by the step, so it counts as still.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core import Transform, World
from rish_ecs import maths

from ...bodies.assembly import shapes_of
from ...bodies.registry import poses_of_rows
from ...components.bodies import Body
from ...components.links import Links
from ...components.tables import DYNAMIC, ENABLED, FIXED_ROTATION, HUNG, QUARANTINED, STATIC, TYPE, USED
from ...contacts.state import State

Array = npt.NDArray[Any]


class Motion(NamedTuple):
    """The displacement of one body in this tick.

    Its point x, y moves by dx, dy (units), and it turns about that point by `turn` (radians). A share of the tick, from
    0 to 1, moves it by that share of all three. slot: of the body.
    """

    slot: int
    x: float
    y: float
    dx: float
    dy: float
    turn: float
    dynamic: bool

    def at(self, share: float, place: Array) -> Array:
        """Return where a point of the body is after a share of the tick, float64 (2,). place: of it before the tick."""
        x, y = rotated(share * self.turn, float(place[0]) - self.x, float(place[1]) - self.y)
        return np.array([self.x + share * self.dx + x, self.y + share * self.dy + y])

    def back(self, share: float, place: Array) -> Array:
        """Return where a point of the body was before the tick, float64 (2,). place: of it after that share."""
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
    """All bodies that move in this tick, with the boxes that they sweep.

    of: the motions by slot. Characters are added as soon as they have walked.
    """

    def __init__(self, world: World, state: State, links: Links) -> None:
        self.of: dict[int, Motion] = {}
        self._state = state
        self._slots: Array = np.zeros(16, np.int32)
        self._boxes: Array = np.zeros((16, 4))
        slots = _candidates(world, state, links)
        if len(slots):
            for motion in _motions(world, state, slots):
                self.add(motion)

    def add(self, motion: Motion) -> None:
        """Add the motion of a body, or replace it."""
        if motion.slot in self.of:
            self.remove(motion.slot)
        count = len(self.of)
        if count == len(self._slots):
            self._slots = np.resize(self._slots, 2 * count)
            self._boxes = np.resize(self._boxes, (2 * count, 4))
        self._slots[count], self._boxes[count] = motion.slot, self._swept(motion)
        self.of[motion.slot] = motion

    def remove(self, slot: int) -> None:
        """Remove the motion of a body, if there is one."""
        if self.of.pop(slot, None) is not None:
            count, k = len(self.of), int(np.flatnonzero(self._slots[: len(self.of) + 1] == slot)[0])
            self._slots[k:count] = self._slots[k + 1 : count + 1]
            self._boxes[k:count] = self._boxes[k + 1 : count + 1]

    def near(self, low: Array, high: Array) -> list[Motion]:
        """Return the motions of the bodies that may meet a box between two corners."""
        count = len(self.of)
        if not count:
            return []
        boxes = self._boxes[:count]
        meets = (boxes[:, :2] <= high).all(axis=1) & (boxes[:, 2:] >= low).all(axis=1)
        return [self.of[slot] for slot in self._slots[:count][meets].tolist()]

    def _swept(self, motion: Motion) -> Array:
        """Return the box x0, y0, x1, y1 that the shapes of a body sweep, float64 (4,)."""
        bodies, shapes = self._state.bodies, self._state.shapes
        own = shapes_of(self._state, np.array([motion.slot]))
        if not len(own):
            return np.array([np.inf, np.inf, -np.inf, -np.inf])
        # A point at the distance r from the centre of rotation moves by at most |turn| r, besides the displacement.
        arm = np.abs(bodies.pose[motion.slot, :2] - (motion.x, motion.y)).sum() + bodies.extent[motion.slot, 2]
        low, high = shapes.tight[own, :2].min(axis=0), shapes.tight[own, 2:].max(axis=0)
        move, swing = np.array([motion.dx, motion.dy]), abs(motion.turn) * float(arm)
        return np.concatenate([low + np.minimum(move, 0) - swing, high + np.maximum(move, 0) + swing])


def _candidates(world: World, state: State, links: Links) -> Array:
    """Return the bodies that may move in this tick, int32: awake ones, and those whose columns were written.

    If Transforms were written, they include all bodies with a parent.
    """
    if state.stale_awake:
        state.refresh()
    found = [state.awake]
    for table, version in zip(state.columns[:2], links.read.versions, strict=False):
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


def _motions(world: World, state: State, slots: Array) -> list[Motion]:
    """Return the motions of those of the bodies that move."""
    bodies, places, table = state.bodies, world.tables[Transform], world.tables[Body]
    on = (bodies.flags[slots] & (USED | ENABLED | QUARANTINED)) == (USED | ENABLED)
    rows = places.rows_of(bodies.entity[slots])
    slots, rows = slots[on & (rows >= 0)], rows[on & (rows >= 0)]
    now, seen = poses_of_rows(world, rows)[:, :3].astype(np.float64), bodies.seen[slots, :3].astype(np.float64)
    written = (now != seen).any(axis=1)
    flags, body_rows = bodies.flags[slots], table.rows_of(bodies.entity[slots])
    moves = (flags & TYPE) != STATIC
    velocity = np.where((moves & (body_rows >= 0))[:, None], table.velocity[body_rows], 0).astype(np.float64)
    spin = np.where(moves & (body_rows >= 0) & ((flags & FIXED_ROTATION) == 0), table.angular_velocity[body_rows], 0)
    start = np.where(written[:, None], seen[:, :2], bodies.pose[slots, :2])
    way = np.where(written[:, None], now[:, :2] - seen[:, :2], velocity * state.dt)
    turn = np.where(written, maths.wrap_angle(now[:, 2] - seen[:, 2]), spin.astype(np.float64) * state.dt)
    furthest = float(state.scaled.max_speed) * state.dt
    goes = (way.any(axis=1) | (turn != 0)) & ((way**2).sum(axis=1) <= furthest**2) & np.isfinite(turn)
    numbers, dynamic = np.column_stack([start, way, turn]), (flags & TYPE) == DYNAMIC
    found: list[Motion] = []
    for k in np.flatnonzero(goes).tolist():
        x, y, dx, dy, angle = numbers[k].tolist()
        found.append(Motion(int(slots[k]), x, y, dx, dy, angle, bool(dynamic[k])))
    return found
