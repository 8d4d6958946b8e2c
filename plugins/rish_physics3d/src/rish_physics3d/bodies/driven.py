"""Kinematic bodies whose position was written: that is where they are at the end of the step.

The difference to the pose after the last step, which `Bodies3D.seen` has, becomes the velocity for the step. So they
push and carry what they meet. A body that would have to be faster than `max_speed` jumps, and so does one whose pose
was forgotten (`forget_poses`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_jit import Array
from rish_space3d import quaternions

from ..components.bodies import KINEMATIC
from ..components.settings import Physics3DSettings
from ..components.tables import Bodies3D
from .columns import MOVED, PUSHED
from .motion import Motion

if TYPE_CHECKING:
    from rish_core import World

_POSE = [0, 1, 2, 4, 5, 6, 7]
"""The numbers of `Bodies3D.seen` that are the pose."""


class Targets(NamedTuple):
    """Where driven bodies are at the end of the step. bodies: int32 (k,). poses: float32 (k, 8), as `Motion.pose`."""

    bodies: Array
    poses: Array


def drive(motion: Motion, table: Any, known: Array, settings: Physics3DSettings, dt: float) -> Targets:
    """Give kinematic bodies that were moved the velocities that bring them there, and put them where they were.

    table: `Bodies3D`. known: bool, the bodies that the last step had with the same shapes. dt: of the step, s.
    """
    is_moved = known & (motion.layout.types == KINEMATIC) & ((motion.notes & MOVED) != 0)
    bodies = np.flatnonzero(is_moved).astype(np.int32)
    pose = motion.pose.reshape(-1, 8)
    targets, before = pose[bodies], table.seen[bodies]
    if len(bodies):
        with np.errstate(all="ignore"):  # poses may be of any size, and forgotten ones are NaN
            way = (targets[:, :3].astype(np.float64) - before[:, :3]) / dt
            slow = (way * way).sum(axis=1) <= settings.max_speed**2
        slow &= (np.abs(targets[:, :3]) <= settings.reach).all(axis=1)
        slow &= (targets[:, _POSE] != before[:, _POSE]).any(axis=1)
        bodies, targets, before = bodies[slow], targets[slow], before[slow]
        motion.linear.reshape(-1, 8)[bodies, :3] = way[slow]
        motion.angular.reshape(-1, 8)[bodies, :3] = 0
        turns = (targets[:, 4:] != before[:, 4:]).any(axis=1)
        if turns.any():
            by = quaternions.product(targets[turns, 4:], quaternions.inverse(before[turns, 4:]))
            motion.angular.reshape(-1, 8)[bodies[turns], :3] = quaternions.to_vector(by) / dt
        motion.notes[bodies] = PUSHED
        pose[bodies[:, None], _POSE] = before[:, _POSE]
    return Targets(bodies, targets)


def arrive(motion: Motion, targets: Targets) -> None:
    """Put driven bodies at exactly the poses that were written."""
    motion.pose.reshape(-1, 8)[targets.bodies] = targets.poses


def forget_poses(world: World, entities: Array) -> None:
    """Let bodies (int64) jump to the positions that are written before the next step: a teleport pushes nothing.

    Another provider of `rigid3d` may have no such table.
    """
    table: Any = world.columns.get(Bodies3D)
    if table is not None and len(table):
        place = np.minimum(np.searchsorted(table.body, entities), len(table) - 1)
        table.seen[place[table.body[place] == entities]] = np.nan


def are_forgotten(world: World, entities: Array) -> Array:
    """Return which bodies (int64) jump in the next step, bool; see `forget_poses`."""
    table: Any = world.columns.get(Bodies3D)
    if table is None or not len(table):
        return np.zeros(len(entities), np.bool_)
    place = np.minimum(np.searchsorted(table.body, entities), len(table) - 1)
    return (table.body[place] == entities) & np.isnan(table.seen[place, 0])
