"""The width of colliders as the wind sees it: the two ends of their outlines across the wind."""

from __future__ import annotations

import numpy as np

from rish_core import World, world_matrices
from rish_jit import Array, maths
from rish_physics import Collider, ColliderShape

_KINDS = list(ColliderShape)
_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def profiles(world: World, colliders: Array, places: Array, across: Array) -> tuple[Array, Array]:
    """Return the lower and upper end of each collider's outline along the direction `across`, float64 (n,).

    colliders, places: rows of `Collider` and `Transform`. across: unit vectors (n, 2). The ends are relative to the
    origin of the world.
    """
    frames = world_matrices(world, places).astype(np.float64)
    points, radius = _cores(world, colliders)
    a, b, c, d, x, y = (frames[:, k, None] for k in range(6))
    u, v = points[..., 0], points[..., 1]
    along = (a * u + c * v + x) * across[:, :1] + (b * u + d * v + y) * across[:, 1:]
    # As in physics, a radius grows with the greatest scale.
    growth = maths.sqrt(np.maximum(a * a + b * b, c * c + d * d))[:, 0]
    return along.min(axis=1) - radius * growth, along.max(axis=1) + radius * growth


def _cores(world: World, rows: Array) -> tuple[Array, Array]:
    """Return the points of colliders (n, k, 2), relative to their entities, and the radius (n,) that rounds them.

    Colliders with fewer points repeat the first one.
    """
    table = world.table(Collider)
    kinds = table.shape[rows]
    size, radius = table.size[rows].astype(np.float64), table.radius[rows].astype(np.float64)
    circle, capsule = (kinds == _KINDS.index(kind) for kind in (ColliderShape.CIRCLE, ColliderShape.CAPSULE))
    points = _CORNERS * size[:, None]
    radius = np.where((circle | capsule) & (radius == 0), 0.5 * np.where(circle, size[:, 0], size.min(axis=1)), radius)
    points[circle] = 0
    inner = np.maximum(size - 2 * radius[:, None], 0)
    points[capsule] = _CORNERS * np.where(size == size.max(axis=1, keepdims=True), inner, 0)[capsule, None]
    given = {k: table.points[int(rows[k])] for k in np.flatnonzero(kinds != _KINDS.index(ColliderShape.BOX)).tolist()}
    given = {k: corners for k, corners in given.items() if len(corners) and not circle[k]}
    most = max([4, *map(len, given.values())])
    points = np.concatenate([points, np.repeat(points[:, :1], most - 4, axis=1)], axis=1)
    for k, corners in given.items():
        points[k] = corners[0]
        points[k, : len(corners)] = corners
    sin, cos = (part[:, None] for part in maths.sincos(table.rotation[rows].astype(np.float64)))
    u, v = points[..., 0], points[..., 1]
    return np.stack([cos * u - sin * v, sin * u + cos * v], axis=-1) + table.offset[rows][:, None], radius
