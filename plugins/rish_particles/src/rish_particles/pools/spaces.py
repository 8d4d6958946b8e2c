"""Two spaces: the particles of a `space: local` preset are stored in their emitter's space, all others in the
world's.

Forces act in the space in which particles are stored. Edges, lights and children are in the world, so local values are
transformed by the emitter's matrix a b c d tx ty: (x, y) becomes (a·x + c·y + tx, b·x + d·y + ty), and a velocity the
same without tx, ty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform, world_matrices
from rish_frame import WorldMatrices
from rish_jit import Array

if TYPE_CHECKING:
    from .pools import Store

F32 = np.float32
_MIN_DETERMINANT = 1e-12
"""The determinant below which a matrix counts as singular."""


def matrix_of(store: Store, row: int, drawn: bool = False) -> Array:
    """Return the matrix of a local pool, float32 6: that of its emitter, or the last known one.

    drawn: the matrix for drawing between two ticks; otherwise that of this tick, which is stored in the pool.
    """
    world, pools = store.world, store.pools
    owner = int(pools.owner[row])
    if owner and Transform in world and world.alive(owner) and world.has(owner, Transform):
        place = np.array([world.table(Transform).row_of(owner)], np.int32)
        if drawn:
            return world[WorldMatrices].rows(place)[0]
        pools.matrix[row] = world_matrices(world, place)[0]
    return pools.matrix[row]


def scale_of(matrix: Array) -> float:
    """Return the factor by which a matrix enlarges lengths: the square root of its determinant's absolute value."""
    a, b, c, d = (float(part) for part in matrix[:4])
    return abs(a * d - b * c) ** 0.5


def turned_round(matrix: Array) -> Array | None:
    """Return the inverse matrix, float32 6; None if there is none."""
    a, b, c, d, tx, ty = (float(part) for part in matrix)
    area = a * d - b * c
    if abs(area) < _MIN_DETERMINANT:
        return None
    a, b, c, d = d / area, -b / area, -c / area, a / area
    return np.array([a, b, c, d, -(a * tx + c * ty), -(b * tx + d * ty)], F32)


def taken(matrix: Array, x: Array, y: Array, vx: Array, vy: Array) -> tuple[Array, Array, Array, Array]:
    """Return positions and velocities transformed by a matrix, as new arrays."""
    a, b, c, d, tx, ty = matrix
    return a * x + c * y + tx, b * x + d * y + ty, a * vx + c * vy, b * vx + d * vy
