"""The motion of all bodies as arrays for the solver: read from the columns before a step, and written back after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array
from rish_space3d import Transform3D, local_poses, poses_at

from ..components.bodies import Body3D
from ..solver.integrate import world_inertia
from .columns import read_bodies, world_poses_of, write_bodies
from .layout import Layout
from .placed import AWAY

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_BODY_COLUMNS = (
    "velocity", "angular_velocity", "force", "torque", "linear_damping", "angular_damping", "gravity_scale",
)  # fmt: skip


class Motion:
    """Float32 arrays with 8 numbers a body, see `solver.integrate`. It is for one `Layout`.

    linear, angular: velocities, and the displacements of the step. pose: centers and rotations. drive: forces and
    damping. inertia: the inverse inertia in world axes. notes: uint8, see `columns.read_bodies`. unsound: the bodies of
    the last `read` whose numbers are not finite; they don't move, and are where nothing meets them.
    """

    def __init__(self, layout: Layout) -> None:
        n = len(layout.entities)
        self.layout = layout
        self.linear, self.angular, self.pose = np.zeros(8 * n, F32), np.zeros(8 * n, F32), np.zeros(8 * n, F32)
        self.pose[7] = 1  # the world, body 0, turns nothing
        self.drive, self.inertia = np.zeros(8 * n, F32), np.zeros(8 * n, F32)
        self.notes = np.zeros(n, np.uint8)
        self.unsound = np.zeros(0, np.int64)
        self._all = np.arange(1, n, dtype=np.int32)
        self._changed = np.zeros(n, np.int64), np.zeros(n, np.int64)

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        """Velocities and poses: linear, angular, pose."""
        return self.linear, self.angular, self.pose

    def read(self, world: World, seen: Array, bodies: Array | None = None) -> None:
        """Read the columns of bodies (int32; None for all); `notes` tells what differs from `seen`, see
        `columns.read_bodies`.
        """
        layout, places, table = self.layout, world.table(Transform3D), world.table(Body3D)
        poses = places.flat("position"), places.flat("rotation")
        rows = layout.places[1:]
        hung = rows[places.parent[rows] != 0]
        if len(hung):
            position, rotation = places.position.copy(), places.rotation.copy()
            position[hung], rotation[hung] = poses_at(world, hung)[:2]
            poses = position.ravel(), rotation.ravel()
        columns = tuple([table.flat(name) for name in _BODY_COLUMNS])
        is_sound = read_bodies(
            self._all if bodies is None else bodies, (layout.places, layout.rows, layout.types), poses, columns,
            (layout.frames.ravel(), layout.mass.ravel()), self.arrays, self.drive, seen, self.notes, AWAY,
        )  # fmt: skip
        self.unsound = self.unsound[:0] if is_sound else self._set_aside()

    def _set_aside(self) -> Array:
        """Stop the bodies whose numbers are not finite; return them."""
        numbers = self.linear, self.angular, self.drive, self.pose
        linear, angular, drive, pose = (each.reshape(-1, 8) for each in numbers)
        moves = np.isfinite(linear).all(1) & np.isfinite(angular).all(1) & np.isfinite(drive).all(1)
        is_placed = (np.abs(pose[:, :3]) <= AWAY).all(axis=1)
        unsound = np.flatnonzero(~(moves & is_placed))
        for each in (linear, angular, drive):
            each[unsound] = 0
        lost = np.flatnonzero(~is_placed)
        pose[lost, :3] = AWAY
        pose[lost, 1] *= np.arange(1, len(lost) + 1) / (len(lost) + 1)  # so that they don't meet each other
        return unsound

    def turn_inertia(self, bodies: Array) -> None:
        """Compute the inertia of bodies (int32) in world axes."""
        world_inertia(bodies, self.pose, self.layout.mass.ravel(), self.inertia)

    def situation(self, bodies: Array) -> Array:
        """Return what the rest of bodies depends on, float32 (n, 8): their poses, and their gravity scales at 3.

        bodies: bool, or their numbers.
        """
        out = self.pose.reshape(-1, 8)[bodies]
        out[:, 3] = self.drive[3::8][bodies]
        return out

    def write(self, world: World, bodies: Array, lost: Array) -> None:
        """Write the poses and velocities of bodies to their columns, and mark the rows that changed.

        bodies: int32. lost: those that were stopped; their poses stay.
        """
        layout, places, table = self.layout, world.table(Transform3D), world.table(Body3D)
        special = places.parent[layout.places[bodies]] != 0
        if len(lost):
            special |= np.isin(bodies, lost)
        if special.any():
            self._write_special(world, bodies[special], lost)
            bodies = bodies[~special]
        columns = (
            places.flat("position"),
            places.flat("rotation"),
            table.flat("velocity"),
            table.flat("angular_velocity"),
        )
        constants = layout.places, layout.rows, layout.frames.ravel()
        counts = write_bodies(bodies, constants, self.arrays, columns, self._changed)
        for each, rows, count in zip((places, table), self._changed, counts, strict=True):
            if count:
                each.mark(rows[:count].copy() if count < len(each) else None)

    def _write_special(self, world: World, bodies: Array, lost: Array) -> None:
        """Write bodies that are below other entities, or were stopped."""
        layout, places, table = self.layout, world.table(Transform3D), world.table(Body3D)
        rows = layout.rows[bodies]
        table.velocity[rows] = self.linear.reshape(-1, 8)[bodies, :3]
        table.angular_velocity[rows] = self.angular.reshape(-1, 8)[bodies, :3]
        table.mark(rows)
        bodies = bodies[~np.isin(bodies, lost)]
        position, rotation, rows = np.zeros((len(bodies), 3)), np.zeros((len(bodies), 4)), layout.places[bodies]
        world_poses_of(bodies, layout.frames.ravel(), self.pose, position.ravel(), rotation.ravel())
        places.position[rows], places.rotation[rows] = local_poses(world, rows, position, rotation)
        places.mark(rows)
