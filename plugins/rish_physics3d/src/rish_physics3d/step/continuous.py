"""Continuous collision: keeps fast bodies from passing through thin ones within one step.

The world is tested once per step, sixty times a second, and a fast body moves far in that time. So for each body that
moved farther than half its inner radius, the movement of the step is swept again: against static shapes, against those
of kinematic bodies with their own movement, and, for a bullet, against all. The body is put at the first time of impact
(`contacts.impact`). It keeps its velocity, except what gravity gave it for the rest of the step: the next step finds it
touching, and lets it bounce or rest.

A fast kinematic body may pass bodies that are slow or sleep within one step. These are swept too, relative to it. A
body that a kinematic one runs into is carried along for the rest of the step, but not through static shapes. Bodies are
swept between the poses of the solver, so their order has no effect; bullets are swept after all others, against where
these are.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array
from rish_space3d import quaternions

from ..bodies.layout import Layout
from ..bodies.motion import Motion
from ..broad.pairs import BroadPhase
from ..broad.triangles import NearTriangles
from ..components.bodies import DYNAMIC, KINEMATIC, STATIC
from ..contacts.impact import CENTER, PATH, ROTATION, TURN, WAY, first_impacts, trace_paths, working_memory
from ..contacts.shapes import PLANE
from ..joints.layout import JointLayout
from ..solver.soft import DT, GRAVITY

F32 = np.float32
_STILL, _DRIVEN, _ALL = (STATIC, KINEMATIC), (KINEMATIC,), (STATIC, KINEMATIC, DYNAMIC)
"""The types of bodies that a sweep is against."""
_ENDLESS = 1e8
"""From this extent on, m, a body is a plane."""


class Sweeps:
    """The sweeps of the bodies of one step, whose poses at its end are in `motion`, those at its start in `broad`."""

    def __init__(
        self, layout: Layout, motion: Motion, broad: BroadPhase, triangles: NearTriangles, joints: JointLayout,
        numbers: Array,
    ) -> None:  # fmt: skip
        self._layout, self._motion, self._broad, self._triangles = layout, motion, broad, triangles
        self._joints, self._numbers = joints, numbers
        self._start, self._end = broad.pose.reshape(-1, 8), motion.pose.reshape(-1, 8)
        self._reach = np.where(layout.extents < _ENDLESS, layout.extents, 0)

    def run(self, fast: Array, moving: Array) -> Array:
        """Put the fast bodies (int32) at their first impacts, and those that fast kinematic bodies passed; return which
        of the latter were hit, int32. moving: int32, all bodies that moved.
        """
        layout, hit = self._layout, np.zeros(0, np.int32)
        types = layout.types[fast]
        swift, light = fast[types == KINEMATIC], fast[types == DYNAMIC]
        bullets = layout.bullets[light]
        self._grow = self._farthest(moving[layout.types[moving] == KINEMATIC])
        self._sweep(light[~bullets], _STILL, self._start, falls=True)
        if len(swift):
            hit = self._sweep(self._passed(swift, fast), _DRIVEN, self._start)
        if bullets.any():
            self._grow = self._farthest(moving)
            self._sweep(light[bullets], _ALL, self._start, falls=True)
        return hit

    def _farthest(self, bodies: Array) -> float:
        """Return the greatest distance that a point of bodies moved, m."""
        if not len(bodies):
            return 0.0
        paths = self._paths(bodies, self._start)
        turns = _length(paths[:, TURN : TURN + 3])
        return float((_length(paths[:, WAY : WAY + 3]) + turns * self._reach[bodies]).max())

    def _paths(self, bodies: Array, start: Array) -> Array:
        """Return the paths of bodies from poses at the start to their poses now, see `contacts.impact`."""
        paths = np.zeros((len(bodies), PATH))
        trace_paths(np.asarray(bodies, np.int32), start.ravel(), self._end.ravel(), paths.ravel())
        return paths

    def _passed(self, swift: Array, fast: Array) -> Array:
        """Return the dynamic bodies (int32) that are not fast, and that fast kinematic ones may have passed.

        They are in the box that such a body swept, and it moved there by more than half of the sum of both inner radii.
        """
        layout, start = self._layout, self._start
        which, shapes = self._broad.touching(self._boxes(swift, start, self._reach[swift]))
        is_fast = np.zeros(len(layout.entities), np.bool_)
        is_fast[fast] = True
        bodies = layout.form[shapes, 1]
        fits = (layout.types[bodies] == DYNAMIC) & ~is_fast[bodies] & ~layout.sensors[shapes]
        a, b = swift[which[fits]], bodies[fits]
        paths = self._paths(a, start)
        arm = np.minimum(_length(self._end[b, :3] - self._end[a, :3]) + layout.extents[b], self._reach[a])
        way = _length(paths[:, WAY : WAY + 3]) + _length(paths[:, TURN : TURN + 3]) * arm
        return np.unique(b[way > 0.5 * (layout.inners[a] + layout.inners[b])]).astype(np.int32)

    def _boxes(self, bodies: Array, start: Array, reach: Array) -> Array:
        """Return the boxes (k, 6) that bodies swept. reach: of each, m."""
        first, last, wide = start[bodies, :3], self._end[bodies, :3], reach[:, None]
        return np.concatenate([np.minimum(first, last) - wide, np.maximum(first, last) + wide], axis=1).astype(F32)

    def _sweep(self, bodies: Array, against: tuple[int, ...], start: Array, *, falls: bool = False) -> Array:
        """Put bodies at their first impacts; return those that hit anything, int32.

        start: the poses from which they come, (n, 8). falls: whether they fell on the rest of the way.
        """
        stopped, times, hits = self._find(bodies, against, start)
        if not len(stopped):
            return stopped
        time = times[:, None]
        centers, turns = _at(self._paths(stopped, start), time)
        if falls:
            self._stop_falling(stopped, time)
        self._put(stopped, centers, turns)
        owners = self._layout.form[hits, 1]
        carried = self._layout.types[owners] == KINEMATIC
        if carried.any():
            self._carry(stopped[carried], owners[carried], time[carried])
        return stopped

    def _put(self, bodies: Array, centers: Array, turns: Array) -> None:
        self._end[bodies, :3], self._end[bodies, 4:] = centers, turns

    def _stop_falling(self, bodies: Array, time: Array) -> None:
        """Take from the velocities of bodies what gravity gave them after the time of impact.

        Otherwise each bounce would add energy. A body that does not fall, such as one on a floor, did not gain it.
        """
        velocity, drive = self._motion.linear.reshape(-1, 8), self._motion.drive.reshape(-1, 8)
        pull = drive[bodies, 3, None] * self._numbers[GRAVITY : GRAVITY + 3].astype(np.float64)
        size = _length(pull)[:, None]
        down = pull / np.where(size > 0, size, 1)
        speed = (velocity[bodies, :3] * down).sum(axis=1, keepdims=True)
        velocity[bodies, :3] -= np.clip(speed, 0, (1 - time) * self._numbers[DT] * size) * down

    def _carry(self, bodies: Array, carriers: Array, time: Array) -> None:
        """Move bodies with the kinematic ones that they hit for the rest of the step, up to static shapes."""
        start = self._start.copy()
        start[bodies] = self._end[bodies]
        paths = self._paths(carriers, self._start)
        at, _ = _at(paths, time)
        rest = (1 - time) * paths[:, TURN : TURN + 3]
        turn = quaternions.from_axis(rest, _length(rest))
        last = self._end[carriers, :3].astype(np.float64)
        centers = last + quaternions.turned(turn, start[bodies, :3].astype(np.float64) - at)
        self._put(bodies, centers, quaternions.normalized(quaternions.product(turn, start[bodies, 4:])))
        self._sweep(bodies, (STATIC,), start)

    def _find(self, bodies: Array, against: tuple[int, ...], start: Array) -> tuple[Array, Array, Array]:
        """Return the bodies that hit anything, the times of their first impacts, and the shapes that they hit."""
        layout, form = self._layout, self._layout.form
        pairs, boxes = self._pairs(bodies, against, start)
        if len(pairs):
            pairs, child = self._triangles.split(pairs, boxes.ravel(), self._motion.pose, self._grow)
        if not len(pairs):
            return bodies[:0], boxes[:0, 0], bodies[:0]
        is_swept, is_other = np.zeros((2, len(layout.entities)), np.bool_)
        is_swept[form[pairs[:, 0], 1]] = is_other[form[pairs[:, 1], 1]] = True
        swept, others = np.flatnonzero(is_swept), np.flatnonzero(is_other & ~is_swept)
        times, hits = np.ones(len(swept)), np.full(len(swept), -1, np.int32)
        rows = np.zeros(len(layout.entities), np.int32)
        rows[swept], rows[others] = np.arange(len(swept)), len(swept) + np.arange(len(others))
        come = np.where((layout.types == KINEMATIC)[:, None], self._start, self._end)
        paths = np.concatenate([self._paths(swept, start), self._paths(others, come)])
        first_impacts(
            pairs.ravel(), child, rows, paths.ravel(), (form.ravel(), layout.size.ravel(), layout.place.ravel()),
            layout.hulls[:2], layout.meshes[:2], layout.inners, (times, hits), working_memory(),
        )  # fmt: skip
        hit = hits >= 0
        return swept[hit].astype(np.int32), times[hit], hits[hit]

    def _pairs(self, bodies: Array, against: tuple[int, ...], start: Array) -> tuple[Array, Array]:
        """Return the pairs (k, 2) of shapes of these bodies and of others that they may hit, and the swept boxes of all
        shapes, (s, 6).
        """
        layout, form = self._layout, self._layout.form
        swept = np.zeros(len(layout.entities), np.bool_)
        swept[bodies] = True
        own = np.flatnonzero(swept[form[:, 1]] & ~layout.sensors & (form[:, 0] < PLANE)).astype(np.int32)
        boxes = np.zeros((len(form), 6), F32)
        boxes[own] = self._boxes(form[own, 1], start, layout.size[own, 3] + F32(self._grow))
        pairs = self._broad.meeting(own, boxes, still=DYNAMIC not in against)
        if not len(pairs):
            return pairs, boxes
        sides, chosen = form[pairs, 1], np.zeros(3, np.bool_)
        chosen[list(against)] = True
        is_swept, is_obstacle = swept[sides], chosen[layout.types[sides]]
        fits = ~layout.sensors[pairs].any(axis=1) & ~self._joints.are_apart(sides)
        forward, back = fits & is_swept[:, 0] & is_obstacle[:, 1], fits & is_swept[:, 1] & is_obstacle[:, 0]
        return np.concatenate([pairs[forward], pairs[back, ::-1]]), boxes


def _at(paths: Array, time: Array) -> tuple[Array, Array]:
    """Return the centers and rotations at times (k, 1) of paths."""
    turn = time * paths[:, TURN : TURN + 3]
    turns = quaternions.product(quaternions.from_axis(turn, _length(turn)), paths[:, ROTATION : ROTATION + 4])
    return paths[:, CENTER : CENTER + 3] + time * paths[:, WAY : WAY + 3], quaternions.normalized(turns)


def _length(vectors: Array) -> Array:
    """Return the lengths of vectors (k, 3)."""
    x, y, z = vectors.T
    return np.sqrt(x * x + y * y + z * z)
