"""Energy and momenta of the bodies of a World, from the columns, in float64."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import World
from rish_jit import Array
from rish_physics import Body, read_solids, world_centers, world_poses

GRAVITY = 9.81 * 64
"""Gravity of the settings, in units/s²."""
FAST = 3.0
"""A body that moves further in a tick, in units, may be stopped by continuous collision: it is put back to where it
touched and keeps the velocity that gravity gave it in the whole tick. So it gains at most m g v dt of energy."""
GRAVITY = 9.81 * 64
"""Gravity of the settings, in units/s²."""


class Energy:
    """Measures energy and momenta of the dynamic bodies of a World, in kg, units and s.

    entities: int64 (n,), the bodies. mass, inertia: float64 (n,). weight: of all bodies.
    """

    def __init__(self, world: World) -> None:
        self.world, solids = world, read_solids(world)
        self.rows = np.flatnonzero(solids.inverse_masses > 0)
        self.entities = solids.entities[self.rows]
        self.mass = 1.0 / solids.inverse_masses[self.rows]
        inverse = solids.inverse_inertias[self.rows]
        self.inertia = np.divide(1.0, inverse, out=np.zeros_like(inverse), where=inverse > 0)
        self.solids = solids
        self.weight = float(self.mass.sum()) * GRAVITY

    def now(self) -> tuple[float, float]:
        """Return the present energy of all bodies, and how much of it continuous collision may have added."""
        center, velocity, spin = self._motion()
        height = center[:, 1]
        kinetic = self.mass * (velocity**2).sum(axis=1) + self.inertia * spin**2
        way = np.sqrt((velocity**2).sum(axis=1)) * self.world.dt
        added = (self.mass * GRAVITY * way)[way > FAST].sum()
        return float((0.5 * kinetic + self.mass * GRAVITY * height).sum()), float(added)

    def momenta(self) -> tuple[Array, Array]:
        """Return the momentum (n, 2) of each body, and its angular momentum (n,) about the origin."""
        center, velocity, spin = self._motion()
        around = center[:, 0] * velocity[:, 1] - center[:, 1] * velocity[:, 0]
        return self.mass[:, None] * velocity, self.inertia * spin + self.mass * around

    def _motion(self) -> tuple[Array, Array, Array]:
        """Return centers of mass and velocities, float64 (n, 2), and angular velocities (n,)."""
        self.solids.poses[:] = world_poses(self.world, self.solids.entities)
        table: Any = self.world.table(Body)
        rows = table.rows_of(self.entities)
        velocity, spin = table.velocity[rows].astype(np.float64), table.angular_velocity[rows].astype(np.float64)
        return world_centers(self.solids)[self.rows], velocity, spin
