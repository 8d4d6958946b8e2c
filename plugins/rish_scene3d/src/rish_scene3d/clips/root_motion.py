"""Root motion: the motion of a joint on the ground, which moves the entity instead of the joint.

A position or motion is (x, y, z, angle around y), float64, relative to the joint at rest. Motions are combined as turns
and moves on the ground: the motion a, then b, is a.position + turned(b.position, a.angle).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rish_animation import PlayMode, Span
from rish_jit import Array, maths
from rish_space3d import quaternions

from ..models.model import ModelData
from .sampling import NODE, Sampled, same_side

_MAX_PASSES = 64


@dataclass(frozen=True, eq=False)
class RootMotion:
    """The motion of the root in a clip. rows: float64 (r, 4) at the rows of the clip. middle: (2,), x and z at rest."""

    rows: Array
    interval: float
    middle: tuple[float, float]

    def at(self, time: Array) -> Array:
        """Return the positions (n, 4) at times (n,)."""
        position = np.clip(time / self.interval, 0.0, len(self.rows) - 1.0)
        k = np.minimum(np.floor(position), len(self.rows) - 2.0).astype(np.int64)
        return self.rows[k] + (self.rows[k + 1] - self.rows[k]) * (position - k)[:, None]

    def during(self, span: Span, seconds: float, mode: PlayMode) -> Array:
        """Return the motions (n, 4) of the entity, around its own origin, during parts of a tick."""
        if mode is PlayMode.PING_PONG:
            fold = [np.where(time > seconds, 2 * seconds - time, time) for time in (span.begin, span.end)]
            return self._around_origin(motion_between(self.at(fold[0]), self.at(fold[1])))
        begin, end = self.at(span.begin), self.at(span.end)
        passes = np.minimum(np.abs(span.passes), _MAX_PASSES)
        if not passes.any():
            return self._around_origin(motion_between(begin, end))
        ones = np.ones(len(passes))[:, None]
        first, last = self.rows[:1] * ones, self.rows[-1:] * ones
        leaving = np.where(span.forward[:, None], last, first)
        entering = np.where(span.forward[:, None], first, last)
        motion = motion_between(begin, leaving)
        for k in range(1, int(passes.max())):
            period = joined(motion, motion_between(entering, leaving))
            motion = np.where((passes > k)[:, None], period, motion)
        motion = joined(motion, motion_between(entering, end))
        return self._around_origin(np.where((passes > 0)[:, None], motion, motion_between(begin, end)))

    def _around_origin(self, motion: Array) -> Array:
        """Convert motions (n, 4) of the root to those of the model's origin, which turns around the root."""
        middle = np.zeros((len(motion), 3))
        middle[:, 0], middle[:, 2] = self.middle
        shifted = motion.copy()
        shifted[:, :3] += middle - turned(middle, motion[:, 3])
        return shifted


def turned(positions: Array, angle: Array) -> Array:
    """Return positions (n, 3) turned around y by angles (n,)."""
    sine, cosine = maths.sincos(angle)
    x, z = positions[:, 0], positions[:, 2]
    return np.stack([x * cosine + z * sine, positions[:, 1], z * cosine - x * sine], axis=-1)


def motion_between(a: Array, b: Array) -> Array:
    """Return the motions (n, 4) from positions a to positions b, as seen from a."""
    return np.concatenate([turned(b[:, :3] - a[:, :3], -a[:, 3]), (b[:, 3] - a[:, 3])[:, None]], axis=1)


def joined(a: Array, b: Array) -> Array:
    """Return the motions (n, 4) of a followed by b."""
    return np.concatenate([a[:, :3] + turned(b[:, :3], a[:, 3]), (a[:, 3] + b[:, 3])[:, None]], axis=1)


def without_root(model: ModelData, clip: Sampled, node: int, *, lift: bool) -> tuple[Sampled, RootMotion | None]:
    """Return a clip whose root stays above its place at rest, and the removed motion; None if it does not move.

    lift: whether the height is removed too. Nodes above the root count as at rest.
    """
    slots = np.flatnonzero(clip.nodes == node)
    if not len(slots):
        return clip, None
    first = NODE * int(slots[0])
    rows = clip.rows.copy()
    numbers = rows[:, first : first + 7].astype(np.float64)
    above = model.rest[model.parents[node]].astype(np.float64) if model.parents[node] >= 0 else np.eye(3, 4)
    turn_above = quaternions.from_matrix(above[:, :3] / _lengths(above))
    positions = _applied(above[:, :3], numbers[:, :3]) + above[:, 3]
    rest_matrix = model.rest[node].astype(np.float64)
    turn = quaternions.product(turn_above, quaternions.normalized(numbers[:, 3:7]))
    turn_at_rest = quaternions.from_matrix(rest_matrix[:, :3] / _lengths(rest_matrix))
    change = quaternions.product(turn, quaternions.inverse(turn_at_rest))
    angle = 2.0 * maths.atan2(change[:, 1], change[:, 3])
    angle[1:] = angle[0] + np.cumsum(maths.wrap_angle(np.diff(angle)))
    height = positions[:, 1] - rest_matrix[1, 3] if lift else np.zeros(len(positions))
    motion = np.stack([positions[:, 0] - rest_matrix[0, 3], height, positions[:, 2] - rest_matrix[2, 3], angle], axis=1)
    positions[:, 0], positions[:, 2] = rest_matrix[0, 3], rest_matrix[2, 3]
    positions[:, 1] -= height
    back = quaternions.from_axis(np.array([0.0, 1.0, 0.0]), -angle)
    turn = quaternions.product(quaternions.inverse(turn_above), quaternions.product(back, turn))
    rows[:, first : first + 3] = _applied(_inverse(above[:, :3]), positions - above[:, 3])
    rows[:, first + 3 : first + 7] = same_side(turn)
    steps = tuple(step for step in clip.steps if not first <= step.column < first + 7)
    middle = (float(rest_matrix[0, 3]), float(rest_matrix[2, 3]))
    return replace(clip, rows=rows, steps=steps), RootMotion(motion, clip.interval, middle)


def _lengths(matrix: Array) -> Array:
    """Return the lengths of the first three columns, those of 0 as 1."""
    square = matrix[0, :3] ** 2 + matrix[1, :3] ** 2 + matrix[2, :3] ** 2
    return np.where(square > 0, np.sqrt(square), 1.0)


def _applied(matrix: Array, points: Array) -> Array:
    """Return a matrix (3, 3) times points (n, 3), added in a fixed order."""
    return points[:, :1] * matrix[:, 0] + points[:, 1:2] * matrix[:, 1] + points[:, 2:] * matrix[:, 2]


def _inverse(m: Array) -> Array:
    """Return the inverse of a matrix (3, 3) by cofactors; zeros if it has none."""
    rows = [_cross(m[:, 1], m[:, 2]), _cross(m[:, 2], m[:, 0]), _cross(m[:, 0], m[:, 1])]
    size = m[0, 0] * rows[0][0] + m[1, 0] * rows[0][1] + m[2, 0] * rows[0][2]
    return np.stack(rows) / size if size != 0 else np.zeros((3, 3))


def _cross(a: Array, b: Array) -> Array:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
