"""Mass, inertia and center of mass: of convex pieces, and of the bodies that they form.

Everything is float64, for many bodies together. The solver rounds the results when it stores them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_core import World
from rish_ecs.declarations import distinct
from rish_jit import Array, maths

from ..components.bodies import Collider
from ..components.settings import PhysicsSettings
from ..components.tables import BOX, CHAIN
from ..components.units import scaled_of
from ..geometry.mass import mass_of
from .collider_pieces import Pieces

_DEFAULT_MASS = 1.0
"""The mass, in kg, of a dynamic body without colliders or with weightless ones."""


class MassColumns(NamedTuple):
    """The columns that give the masses of n bodies.

    numbers: float64 (n, 4), mass, inertia, center x, y; a mass or inertia of 0 is computed from the colliders. dynamic,
    fixed, has_center: bool (n,): the body is dynamic; it never turns; its center of mass is the one in `numbers`.
    """

    numbers: Array
    dynamic: Array
    fixed: Array
    has_center: Array


def densities_of(world: World, rows: Array) -> Array:
    """Return the densities, kilograms per square unit, float64 (m,); 0 for sensors."""
    table, scaled = world.table(Collider), scaled_of(world[PhysicsSettings])
    unit = float(scaled.unit)
    density = table.density[rows].astype(np.float64)
    return np.where(table.sensor[rows], 0.0, np.where(density < 0, float(scaled.density), density / (unit * unit)))


def piece_masses(pieces: Pieces) -> tuple[Array, Array, Array]:
    """Return area (n,), centroid (n, 2) and inertia about it (n,) of pieces of density 1; 0 for chains.

    Plain boxes and circles are the most frequent shapes, and have short formulas.
    """
    n = len(pieces.owner)
    points, radius = pieces.points, pieces.radius
    area, middle, inertia = np.zeros(n), points[:, 0].copy(), np.zeros(n)
    box, chain = (pieces.flags & BOX) != 0, (pieces.flags & CHAIN) != 0
    ball = pieces.count == 1
    area[ball] = maths.PI * radius[ball] ** 2
    # Disc: I = m r² / 2. Rectangle: I = m (w² + h²) / 12.
    inertia[ball] = 0.5 * area[ball] * radius[ball] ** 2
    diagonal = points[box, 2] - points[box, 0]
    area[box] = np.abs(diagonal[:, 0] * diagonal[:, 1])
    inertia[box] = area[box] * (diagonal**2).sum(axis=1) / 12
    middle[box] = 0.5 * (points[box, 0] + points[box, 2])
    middle[chain] = points[chain, 1:3].mean(axis=1)
    others = ~(box | chain | ball)
    for number in distinct(pieces.count[others]).tolist():
        indices = np.flatnonzero(others & (pieces.count == number))
        area[indices], middle[indices], inertia[indices] = mass_of(points[indices, :number], radius[indices])
    return area, middle, inertia


def body_masses(
    holders: Array, mass: Array, middle: Array, inertia: Array, columns: MassColumns
) -> tuple[Array, Array, Array]:
    """Return inverse mass (n,), inverse inertia (n,) and center of mass (n, 2) of bodies, float64.

    holders: for each piece, the index of its body. mass, middle, inertia: of the pieces. A body that is not dynamic has
    its center at its entity's position, and infinite mass.
    """
    n = len(columns.dynamic)
    total = np.bincount(holders, mass, n).astype(np.float64)
    first = np.stack([np.bincount(holders, mass * middle[:, k], n) for k in (0, 1)], axis=1).astype(np.float64)
    center = np.divide(first, total[:, None], out=np.zeros((n, 2)), where=total[:, None] > 0)
    center[columns.has_center] = columns.numbers[columns.has_center, 2:]
    center[~columns.dynamic] = 0
    center = center.astype(np.float32).astype(np.float64)
    # Parallel axis theorem: I = sum of (I_own + m d²).
    away = ((middle - center[holders]) ** 2).sum(axis=1)
    turning = np.bincount(holders, inertia + mass * away, n)
    body_mass = np.where(columns.numbers[:, 0] > 0, columns.numbers[:, 0], np.where(total > 0, total, _DEFAULT_MASS))
    scaled = turning * np.divide(body_mass, total, out=np.ones_like(total), where=total > 0)
    turning = np.where(columns.numbers[:, 1] > 0, columns.numbers[:, 1], scaled)
    turns = columns.dynamic & (turning > 0) & ~columns.fixed
    inverse = np.divide(1.0, turning, out=np.zeros(n), where=turns)
    return np.where(columns.dynamic, 1.0 / body_mass, 0), inverse, center
