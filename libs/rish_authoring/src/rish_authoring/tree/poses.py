"""Poses of entities in the world, kept while their parents change."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Transform, UsageError, World
from rish_core.common import hierarchy_of, product
from rish_ecs import maths
from rish_ecs.declarations import Column

from .chosen import parents_of, require_transform, said
from .marks import mark_authored


def matrices(world: World) -> Column:
    """Return float64 (n, 6): the world matrix of every Transform, in the table's row order; see `world_matrices`."""
    table = world.table(Transform)
    angle, scale = table.column("rotation").astype(np.float64), table.column("scale").astype(np.float64)
    cos, sin = maths.cos(angle), maths.sin(angle)
    place = table.column("position").astype(np.float64)
    made = np.stack(
        [cos * scale[:, 0], sin * scale[:, 0], -sin * scale[:, 1], cos * scale[:, 1], place[:, 0], place[:, 1]], 1
    )
    hierarchy = hierarchy_of(world)
    for rank in hierarchy.generations:
        made[rank] = product(made[hierarchy.parents[rank]], made[rank])
    return made


def hang(world: World, handles: Column, parent: int, *, keep_pose: bool = True) -> None:
    """Set the parent of entities, and mark them as authored.

    keep_pose: change their Transforms so that they stay where they are in the world.
    If the new parent is scaled unequally and turned against them, a sheared pose is not possible: the position stays,
    the axes keep the direction of x. Raises UsageError for a cycle, a parent without Transform, or a parent with a
    scale of zero; then nothing has changed.
    """
    moving = handles[parents_of(world, handles) != parent]
    require_transform(world, moving)
    if parent and len(moving):
        require_transform(world, np.array([parent], np.int64))
    above = parent
    while above:
        if above in moving:
            raise UsageError(
                f"{said(world, above)} can't be moved below itself", hint="Choose a parent that is not below it"
            )
        above = int(parents_of(world, np.array([above], np.int64))[0])
    if not len(moving):
        return
    if not keep_pose:
        world.set(moving, Transform(parent=parent))
        mark_authored(world, *moving.tolist())
        return
    table = world.table(Transform)
    rows = table.rows_of(moving)
    local = matrices(world)[rows]
    if parent:
        local = product(inverse_of(world, parent)[None], local)
    place, angle, scale = parts(local, table.column("rotation")[rows], table.column("scale")[rows])
    values: dict[str, Any] = {"position": place, "rotation": angle, "scale": scale}
    last = {f"last_{name}": value for name, value in values.items()}
    world.set(moving, Transform(parent=parent, **values, **last))
    mark_authored(world, *moving.tolist())


def parts(local: Column, near: Column, signs: Column) -> tuple[Column, Column, Column]:
    """Return position (n, 2), rotation n and scale (n, 2), float32, of matrices (n, 6).

    near: rotations in radians; the rotation is the equivalent one that is nearest to them. signs: (n, 2), scales; the
    scale in x gets the sign of theirs.
    """
    a, b, c, d = (local[:, k] for k in range(4))
    sign = np.where(signs[:, 0] < 0, -1.0, 1.0)
    length = maths.hypot(a, b)
    flat = length == 0
    x = sign * length
    y = np.where(flat, maths.hypot(c, d), (a * d - b * c) / np.where(flat, 1, x))
    angle = np.where(flat, maths.atan2(-c, d), maths.atan2(sign * b, sign * a))
    angle = angle + maths.radians(360.0) * np.round((near - angle) / maths.radians(360.0))
    return local[:, 4:].astype(np.float32), angle.astype(np.float32), np.stack([x, y], 1).astype(np.float32)


def inverse_of(world: World, parent: int) -> Column:
    """Return float64 6: the inverse of the world matrix of an entity. Raises UsageError for a scale of zero."""
    a, b, c, d, tx, ty = matrices(world)[world.table(Transform).row_of(parent)].tolist()
    det = a * d - b * c
    if not det:
        raise UsageError(
            f"{said(world, parent)} has a scale of zero, so nothing keeps its pose below it",
            hint="Give it another scale",
        )
    a, b, c, d = d / det, -b / det, -c / det, a / det
    return np.array([a, b, c, d, -(a * tx + c * ty), -(b * tx + d * ty)])
