"""Finds the obstacles of a character: the first shape that it hits on a path, and the shapes that it overlaps.

Still bodies are where the last step left them. A body with a motion is searched in its own frame at the start of the
tick: there it is still, and the path of the character is displaced by its motion.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_core import World
from rish_jit import Array, maths

from ...components.tables import CHAIN, DYNAMIC, ONE_WAY, POINTS, TYPE
from ...contacts.state import State
from ...geometry.penetration import way_out
from ...queries.queries import shapes_at, shapes_hit
from .motions import Motion, rotated

SKIN = 0.1
"""The gap that a character keeps from surfaces, as a share of the slop."""


class Hit(NamedTuple):
    """The first shape that a moved shape hits on its path.

    share: the fraction of the path to the hit, reduced by the gap that is kept. normal: float64 (2,), in the world at
    that time. shape: its slot. motion: of its body, None if it is still.
    """

    share: float
    normal: Array
    shape: int
    motion: Motion | None


class Surroundings:
    """The obstacles of one character in one tick.

    points, radius: the shape of the character, float64 (n, 2), relative to its position. near: the motions of bodies
    that may hit the character. passing: entities that are not obstacles.
    """

    def __init__(self, world: World, state: State, entity: int, slot: int, mask: int) -> None:
        self._world, self._state, self._entity, self._mask = world, state, entity, mask
        self.slop = float(state.scaled.slop)
        self.skin = SKIN * self.slop
        self.drop = False
        self.near: list[Motion] = []
        self.passing: frozenset[int] = frozenset()
        self.points, self.radius = _form(state, slot)
        self._forms = {0.0: self.points.astype(np.float32)}

    def first(self, start: Array, end: Array, since: float, until: float) -> Hit | None:
        """Return the first hit that stops the character on a straight path during a part of the tick; None if nothing
        stops it.

        since, until: the times of the motions.
        """
        nearest = self._cast(start, end, None, until)
        for motion in self.near:
            hit = self._cast(motion.back(since, start), motion.back(until, end), motion, until)
            if hit is not None and (nearest is None or hit.share < nearest.share):
                nearest = hit
        return nearest

    def _cast(self, start: Array, end: Array, motion: Motion | None, until: float) -> Hit | None:
        """Return the first hit with the body that has this motion, computed in its frame at the start of the tick.
        motion: None for the bodies that do not move.
        """
        way = end - start
        length = float(np.sqrt((way**2).sum()))
        if length < 1e-9:
            return None
        turn = 0.0 if motion is None else until * motion.turn
        longer = start + way * ((length + self.skin) / length)
        shapes, shares, normals = shapes_hit(
            self._world, self._form(turn), start, longer, self.radius, self._mask, self._entity
        )
        for k in range(len(shapes)):
            shape, share = int(shapes[k]), float(shares[k])
            if not self._counts(shape, motion):
                continue
            normal = self._stops(shape, normals[k], share, start, turn)
            into = 0.0 if normal is None else -float(normal @ way)
            if normal is None or into <= 0:
                continue
            reached = share * (length + self.skin)
            gap = self.skin * length / max(into, 0.1 * length)
            normal = np.array(rotated(turn, *normal.tolist())) if turn else normal
            return Hit(max(0.0, min(1.0, (reached - gap) / length)), normal, shape, motion)
        return None

    def deepest(self, place: Array, until: float) -> tuple[float, Array]:
        """Return the distance and direction, float64 (2,), of the shortest way out of the deepest overlap at a place;
        0 for none.

        Dynamic bodies are left out, because the step pushes them away, and so is one-way ground. until: the time at
        which bodies with a motion are tested.
        """
        best = self._overlap(place, None, until)
        for motion in self.near:
            if not motion.dynamic:
                best = max(best, self._overlap(motion.back(until, place), motion, until), key=lambda each: each[0])
        return best

    def _overlap(self, place: Array, motion: Motion | None, until: float) -> tuple[float, Array]:
        deepest, out = 0.0, np.zeros(2)
        turn = 0.0 if motion is None else until * motion.turn
        form, shapes, bodies = self._form(turn), self._state.shapes, self._state.bodies
        for shape in shapes_at(self._world, form, place, self.radius, self._mask, self._entity).tolist():
            free = shapes.flags[shape] & ONE_WAY or (bodies.flags[shapes.body[shape]] & TYPE) == DYNAMIC
            if free or not self._counts(shape, motion):
                continue
            depth, normal = self._depth(shape, place, form)
            if depth > deepest:
                deepest, out = depth, normal
        return deepest, np.array(rotated(turn, *out.tolist()))

    def _counts(self, shape: int, motion: Motion | None) -> bool:
        """Return True if a shape belongs to the body with this motion, or to a still one, and is an obstacle."""
        body = int(self._state.shapes.body[shape])
        belongs = all(body != each.slot for each in self.near) if motion is None else body == motion.slot
        return belongs and int(self._state.shapes.entity[shape]) not in self.passing

    def _stops(self, shape: int, normal: Array, share: float, start: Array, turn: float) -> Array | None:
        """Return the normal (2,) of a shape that was hit, None if it lets the character through.

        One-way ground lets it through from below, from the side, from inside, and while `drop` is set. A character
        that overlaps it by less than the slop stands on it.
        """
        shapes, bodies = self._state.shapes, self._state.bodies
        if not shapes.flags[shape] & ONE_WAY:
            return normal
        if share == 0:
            depth, normal = self._depth(shape, start, self._form(turn))
            if depth > self.slop:
                return None
        c, s = bodies.pose[shapes.body[shape], 2:].tolist()
        x, y = shapes.surface[shape, 6:8].tolist()
        along = float(normal @ (c * x - s * y, s * x + c * y))
        return None if self.drop or along < 0.7 else normal

    def _depth(self, shape: int, place: Array, form: Array) -> tuple[float, Array]:
        """Return the distance and direction (float64, (2,)) in which a form must move to leave a shape."""
        shapes, bodies = self._state.shapes, self._state.bodies
        flags = int(shapes.flags[shape])
        x, y, c, s = bodies.pose[shapes.body[shape]].astype(np.float64)
        first, count = (1, 2) if flags & CHAIN else (0, flags & POINTS)
        hull = shapes.hull[shape, 2 * first : 2 * (first + count)].reshape(-1, 2).astype(np.float64)
        hull = np.column_stack([x + c * hull[:, 0] - s * hull[:, 1], y + s * hull[:, 0] + c * hull[:, 1]])
        other = float(shapes.size[shape, 2])
        return way_out(place + form, self.radius, hull, other, one_sided=bool(flags & CHAIN))

    def _form(self, turn: float) -> Array:
        """Return the points of the character in the frame of a body that has turned by `turn` radians, float32 (n,
        2).
        """
        form = self._forms.get(turn)
        if form is None:
            s, c = maths.sincos(turn)
            form = self._forms[turn] = (self.points @ np.array([[c, -s], [s, c]])).astype(np.float32)
        return form


def _form(state: State, slot: int) -> tuple[Array, float]:
    """Return the points of a body's first shape relative to its position, float64 (n, 2), and their radius; none if it
    is not convex.
    """
    shapes, bodies = state.shapes, state.bodies
    shape = int(bodies.first_shape[slot])
    count = int(shapes.flags[shape] & POINTS) if shape >= 0 and not shapes.flags[shape] & CHAIN else 0
    points = shapes.hull[shape, : 2 * count].reshape(-1, 2).astype(np.float64) + bodies.extent[slot, :2]
    c, s = bodies.pose[slot, 2:].astype(np.float64)
    points = np.column_stack([c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1]])
    return points, float(shapes.size[shape, 2]) if count else 0.0
