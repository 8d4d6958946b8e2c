"""The centers of mass of bodies in the world and what resists a push there, for code that pushes single bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_jit import Array
from rish_space3d import Transform3D, poses_at, quaternions

from ..bodies.layout import Layout

if TYPE_CHECKING:
    from rish_core import World


class Centers(NamedTuple):
    """n bodies, float64.

    inverse_masses: (n,), 1/kg, 0 for bodies that no force moves. centers: (n, 3), of mass, in the world. axes: (n, 4),
    the rotations of the principal axes. inverse_moments: (n, 3), 1/(kg·m²), about these axes.
    """

    inverse_masses: Array
    centers: Array
    axes: Array
    inverse_moments: Array

    def spins(self, turns: Array) -> Array:
        """Return the angular velocities (n, 3) that angular impulses (n, 3) give, both in world axes."""
        local = quaternions.turned(quaternions.inverse(self.axes), turns)
        return quaternions.turned(self.axes, self.inverse_moments * local)


def centers_of(world: World, handles: Array) -> Centers:
    """Return the centers of bodies (int64) as the columns have them now.

    Entities that are in no `Layout`, such as disabled ones, have a mass that nothing moves.
    """
    layout = world[Layout]
    numbers = np.minimum(np.searchsorted(layout.entities, handles), len(layout.entities) - 1)
    numbers = np.where(layout.entities[numbers] == handles, numbers, 0)
    frames, mass = layout.frames[numbers].astype(np.float64), layout.mass[numbers].astype(np.float64)
    position, rotation = np.zeros((len(handles), 3)), np.tile([0.0, 0.0, 0.0, 1.0], (len(handles), 1))
    rows = world.table(Transform3D).rows_of(handles)
    placed = np.flatnonzero(rows >= 0)
    position[placed], rotation[placed], _ = poses_at(world, rows[placed])
    centers = position + quaternions.turned(rotation, frames[:, :3])
    return Centers(mass[:, 7], centers, quaternions.product(rotation, frames[:, 4:]), mass[:, 4:7])
