"""Poses in three dimensions, of any component that has them.

A component is a pose in space if its entities form trees, and if it has the fields `position` and `scale` of type Vec3
and `rotation` of type Quat, as `Transform3D` of `rish_space3d` has. A matrix is float64 (3, 4): a point p becomes
`m[:, :3] @ p + m[:, 3]`.
"""

from __future__ import annotations

import numpy as np

from rish_core import Table, World
from rish_core.common import hierarchy_of
from rish_ecs.declarations import Column

_TYPES = {"position": "Vec3", "rotation": "Quat", "scale": "Vec3"}


def is_space(table: Table) -> bool:
    """Whether a component whose entities form trees is a pose in space."""
    fields = table.schema.fields
    return all(name in fields and fields[name].type.name == kind for name, kind in _TYPES.items())


def matrices(world: World, table: Table) -> Column:
    """Return float64 (n, 3, 4): the world matrix of every entity of the table, in row order."""
    turn = axes_of(table.column("rotation").astype(np.float64))
    scale, place = (table.column(name).astype(np.float64) for name in ("scale", "position"))
    made = np.concatenate([turn * scale[:, None, :], place[:, :, None]], axis=2)
    tree = hierarchy_of(world, table.schema.cls)
    for rank in tree.generations:
        made[rank] = product(made[tree.parents[rank]], made[rank])
    return made


def product(a: Column, b: Column) -> Column:
    """Return the products (n, 3, 4) of matrices, one by one; one of the arrays may have a single matrix."""
    made = np.einsum("nij,njk->nik", np.broadcast_to(a[:, :, :3], (len(b), 3, 3)), b)
    made[:, :, 3] += a[:, :, 3]
    return made


def inverse(matrix: Column) -> Column | None:
    """Return the inverse of a matrix (3, 4), None if it has none."""
    x, y, z = matrix[:, :3].T
    rows = np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)])
    det = float(x @ rows[0])
    if not det or not np.isfinite(rows).all():
        return None
    rows = rows / det
    return np.concatenate([rows, -(rows @ matrix[:, 3])[:, None]], axis=1)


def axes_of(quaternions: Column) -> Column:
    """Return (n, 3, 3): rotations whose columns are the turned axes; zeros turn nothing."""
    x, y, z, w = quaternions.T
    square = x * x + y * y + z * z + w * w
    s = np.where(square == 0, 0.0, 2.0 / np.where(square == 0, 1.0, square))
    made = np.empty((len(quaternions), 3, 3))
    made[:, 0, 0], made[:, 0, 1], made[:, 0, 2] = 1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)
    made[:, 1, 0], made[:, 1, 1], made[:, 1, 2] = s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)
    made[:, 2, 0], made[:, 2, 1], made[:, 2, 2] = s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)
    return made


def quaternions_of_axes(axes: Column) -> Column:
    """Return (n, 4): the quaternions of rotations (n, 3, 3). The largest component is found first."""
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
    found = choices[largest, np.arange(len(axes))]
    return found / np.sqrt((found * found).sum(axis=1, keepdims=True))


def parts(local: Column, near: Column, signs: Column) -> tuple[Column, Column, Column]:
    """Return position (n, 3), rotation (n, 4) and scale (n, 3), float32, of matrices (n, 3, 4).

    near: quaternions; of the two that turn alike, the rotation is the nearer one. signs: (n, 3), scales; those in x and
    y get the sign of theirs. A sheared matrix keeps the direction of its x axis. The rotation stays as it is if x or y
    has no direction.
    """
    x: Column
    y: Column
    z: Column
    x, y, z = (local[:, :, k] for k in range(3))
    sx, sy = (np.where(signs[:, k, None] < 0, -1.0, 1.0) for k in range(2))
    wide = np.sqrt((x * x).sum(axis=1, keepdims=True)) * sx
    right = x / np.where(wide == 0, 1, wide)
    across = y - (y * right).sum(axis=1, keepdims=True) * right
    tall = np.sqrt((across * across).sum(axis=1, keepdims=True)) * sy
    up = across / np.where(tall == 0, 1, tall)
    forth: Column = np.cross(right, up)
    lost = (wide == 0) | (tall == 0)
    rest = np.sqrt((z * z).sum(axis=1, keepdims=True)) * np.where(signs[:, 2:] < 0, -1.0, 1.0)
    deep: Column = np.where(lost, rest, (z * forth).sum(axis=1, keepdims=True))
    axes = np.where(lost[:, :, None], np.eye(3), np.stack([right, up, forth], axis=2))
    turn = quaternions_of_axes(axes)
    turn = np.where((turn * near).sum(axis=1, keepdims=True) < 0, -turn, turn)
    turn = np.where(lost, near, turn)
    return local[:, :, 3].astype(np.float32), turn.astype(np.float32), np.hstack([wide, tall, deep]).astype(np.float32)
