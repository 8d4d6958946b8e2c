"""Tangents for normal maps, made in the manner of Mikkelsen's MikkTSpace.

After Morten S. Mikkelsen, "Simulation of Wrinkled Surfaces Revisited" (2008): the tangent of a triangle is projected
onto the plane of each corner's normal and weighted by the corner's angle; vertices of the same position, normal and
texture coordinate share the sum; triangles whose texture is mirrored have sums of their own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .faces import Floats, Indices, Reals, unit

Wide = npt.NDArray[np.float64]


def make_tangents(
    positions: Floats, normals: Floats, uvs: Reals, triangles: Indices
) -> tuple[Indices, Indices, Floats]:
    """Return for new vertices the old vertex of each (m,), the triangles (t, 3), and the tangents (m, 4).

    positions, normals: (n, 3). uvs: (n, 2), v down. triangles: (t, 3). The fourth number of a tangent is the sign of
    the bitangent, `cross(normal, tangent) * sign`, which points to smaller v. A vertex that mirrored and plain
    triangles share becomes two.
    """
    direction, mirrored = _directions(positions, uvs, triangles)
    corners = triangles.ravel().astype(np.int64)
    side = np.repeat(mirrored, 3)
    group = _same(positions, normals, uvs)[corners] * 2 + side
    pieces = _pieces(positions, normals, triangles, direction).reshape(-1, 3)
    total = np.stack(
        [np.bincount(group, pieces[:, axis], len(positions) * 2).astype(np.float64) for axis in range(3)], axis=1
    )
    keys, turned = np.unique(corners * 2 + side, return_inverse=True)
    source = keys // 2
    groups = np.zeros(len(keys), np.int64)
    groups[turned.ravel()] = group
    normal = normals[source].astype(np.float64)
    directions = _perpendicular(total[groups], normal)
    sign = np.where(keys % 2 == 1, -1.0, 1.0)[:, None]
    tangents = np.concatenate([directions, sign], axis=1).astype(np.float32)
    return source.astype(np.uint32), turned.reshape(-1, 3).astype(np.uint32), tangents


def _directions(positions: Floats, uvs: Reals, triangles: Indices) -> tuple[Wide, npt.NDArray[np.bool_]]:
    """Return each triangle's direction of growing u (t, 3), zero where the texture has no area, and if mirrored."""
    first, second, third = (triangles[:, corner] for corner in range(3))
    wide, flat = positions.astype(np.float64), uvs.astype(np.float64)
    edge, other = wide[second] - wide[first], wide[third] - wide[first]
    step, stride = flat[second] - flat[first], flat[third] - flat[first]
    area = step[:, 0] * stride[:, 1] - step[:, 1] * stride[:, 0]
    direction = (edge * stride[:, 1:] - other * step[:, 1:]) * np.sign(area)[:, None]
    return direction, area > 0


def _same(positions: Floats, normals: Floats, uvs: Reals) -> npt.NDArray[np.int64]:
    """Return the same number for vertices of equal position, normal and texture coordinate, int64 (n,)."""
    rows = np.concatenate([positions, normals, uvs], axis=1, dtype=np.float64) + 0.0  # no negative zeros
    keys = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    return np.unique(keys, return_inverse=True)[1].ravel().astype(np.int64)


def _pieces(positions: Floats, normals: Floats, triangles: Indices, direction: Wide) -> Wide:
    """Return the contribution of each corner (t, 3) to its vertex: a unit tangent times the corner's angle."""
    at = positions[triangles].astype(np.float64)
    normal = normals[triangles].astype(np.float64)
    flat = _flattened(np.broadcast_to(direction[:, None, :], at.shape), normal)
    ahead = _flattened(np.roll(at, -1, axis=1) - at, normal)
    backward = _flattened(np.roll(at, 1, axis=1) - at, normal)
    angle = np.arccos(np.clip((ahead * backward).sum(2, keepdims=True), -1.0, 1.0))
    return flat * angle


def _flattened(vectors: npt.NDArray[Any], normal: Wide) -> Wide:
    """Return the unit vectors of the parts perpendicular to the normals, zero where there is none."""
    flat = vectors - normal * (vectors * normal).sum(-1, keepdims=True)
    length = np.sqrt((flat * flat).sum(-1, keepdims=True))
    small = ~(length > 1e-30)
    return np.where(small, 0.0, flat / np.where(small, 1.0, length))


def _perpendicular(vectors: Wide, normal: Wide) -> Floats:
    """Return unit vectors perpendicular to the normals, any such vector where the sum has no direction."""
    axis = np.where(np.abs(normal[:, :1]) < 0.9, np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 1.0, 0.0]]))
    flat = _flattened(vectors, normal)
    has_no_direction = (flat * flat).sum(1, keepdims=True) < 0.5
    return unit(np.where(has_no_direction, _flattened(axis, normal), flat), (1.0, 0.0, 0.0))
