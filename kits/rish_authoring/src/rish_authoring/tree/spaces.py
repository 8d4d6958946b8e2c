"""Poses in three dimensions, for any component that has the fields of one.

A component is a pose in space if its entities form trees, and if it has the fields `position` and `scale` of type Vec3
and `rotation` of type Quat, as `Transform3D` of `rish_space3d` has. A matrix is float64 (3, 4): a point p becomes
`m[:, :3] @ p + m[:, 3]`.
"""

from __future__ import annotations

import numpy as np

from rish_core import Table, World
from rish_core.common import hierarchy_of
from rish_jit import Array

_TYPES = {"position": "Vec3", "rotation": "Quat", "scale": "Vec3"}


def is_space(table: Table) -> bool:
    """Return whether a component whose entities form trees is a pose in space."""
    fields = table.schema.fields
    return all(name in fields and fields[name].type.name == kind for name, kind in _TYPES.items())


def matrices(world: World, table: Table) -> Array:
    """Return float64 (n, 3, 4): the world matrix of every entity of the table, in row order."""
    turn = axes_of(table.column("rotation").astype(np.float64))
    scale, place = (table.column(name).astype(np.float64) for name in ("scale", "position"))
    result = np.concatenate([turn * scale[:, None, :], place[:, :, None]], axis=2)
    tree = hierarchy_of(world, table.schema.cls)
    for rank in tree.generations:
        result[rank] = product(result[tree.parents[rank]], result[rank])
    return result


def product(a: Array, b: Array) -> Array:
    """Return the products (n, 3, 4) of pairs of matrices; one of the arrays may have a single matrix."""
    result = np.einsum("nij,njk->nik", np.broadcast_to(a[:, :, :3], (len(b), 3, 3)), b)
    result[:, :, 3] += a[:, :, 3]
    return result


def inverse(matrix: Array) -> Array | None:
    """Return the inverse of a matrix (3, 4), None if it has none."""
    x, y, z = matrix[:, :3].T
    rows = np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)])
    det = float(x @ rows[0])
    if not det or not np.isfinite(rows).all():
        return None
    rows = rows / det
    return np.concatenate([rows, -(rows @ matrix[:, 3])[:, None]], axis=1)


def axes_of(quaternions: Array) -> Array:
    """Return float64 (n, 3, 3): rotations whose columns are the rotated axes. A quaternion of zeros is no rotation."""
    x, y, z, w = quaternions.T
    square = x * x + y * y + z * z + w * w
    s = np.where(square == 0, 0.0, 2.0 / np.where(square == 0, 1.0, square))
    axes = np.empty((len(quaternions), 3, 3))
    axes[:, 0, 0], axes[:, 0, 1], axes[:, 0, 2] = 1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)
    axes[:, 1, 0], axes[:, 1, 1], axes[:, 1, 2] = s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)
    axes[:, 2, 0], axes[:, 2, 1], axes[:, 2, 2] = s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)
    return axes


def quaternions_of_axes(axes: Array) -> Array:
    """Return float64 (n, 4): the unit quaternions of rotations (n, 3, 3), computed from their largest component."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = axes.transpose(1, 2, 0)
    trace = xx + yy + zz
    choices = np.stack(
        [
            np.stack([1 + xx - yy - zz, xy + yx, xz + zx, zy - yz], 1),
            np.stack([xy + yx, 1 - xx + yy - zz, yz + zy, xz - zx], 1),
            np.stack([xz + zx, yz + zy, 1 - xx - yy + zz, yx - xy], 1),
            np.stack([zy - yz, xz - zx, yx - xy, 1 + trace], 1),
        ]
    )
    largest = np.argmax(np.stack([xx, yy, zz, trace]), axis=0)
    quaternions = choices[largest, np.arange(len(axes))]
    return quaternions / np.sqrt((quaternions * quaternions).sum(axis=1, keepdims=True))


def parts(local: Array, near: Array, signs: Array) -> tuple[Array, Array, Array]:
    """Return position (n, 3), rotation (n, 4) and scale (n, 3), float32, of matrices (n, 3, 4).

    near: (n, 4), quaternions; of the two equivalent quaternions, the result is the nearer one. signs: (n, 3), scales
    whose signs in x and y the result gets. A sheared matrix keeps the direction of its x axis. If the scale in x or y
    is zero, the rotation is `near`.
    """
    x: Array
    y: Array
    z: Array
    x, y, z = (local[:, :, i] for i in range(3))
    sx, sy = (np.where(signs[:, i, None] < 0, -1.0, 1.0) for i in range(2))
    scale_x = np.sqrt((x * x).sum(axis=1, keepdims=True)) * sx
    right = x / np.where(scale_x == 0, 1, scale_x)
    across = y - (y * right).sum(axis=1, keepdims=True) * right
    scale_y = np.sqrt((across * across).sum(axis=1, keepdims=True)) * sy
    up = across / np.where(scale_y == 0, 1, scale_y)
    forth: Array = np.cross(right, up)
    degenerate: Array = (scale_x == 0) | (scale_y == 0)
    length_z: Array = np.sqrt((z * z).sum(axis=1, keepdims=True)) * np.where(signs[:, 2:] < 0, -1.0, 1.0)
    scale_z: Array = np.where(degenerate, length_z, (z * forth).sum(axis=1, keepdims=True))
    axes = np.where(degenerate[:, :, None], np.eye(3), np.stack([right, up, forth], axis=2))
    turn = quaternions_of_axes(axes)
    turn = np.where((turn * near).sum(axis=1, keepdims=True) < 0, -turn, turn)
    turn = np.where(degenerate, near, turn)
    return (
        local[:, :, 3].astype(np.float32),
        turn.astype(np.float32),
        np.hstack([scale_x, scale_y, scale_z]).astype(np.float32),
    )
