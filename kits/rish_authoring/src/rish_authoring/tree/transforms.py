"""World poses of entities, which stay the same while their parents change.

Poses are those of `Transform`, and of all components in space, see `spaces.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Table, Transform, UsageError, World
from rish_core.common import hierarchy_of
from rish_ecs.declarations import Column
from rish_ecs.storage import parents_of
from rish_jit import maths, product

from . import spaces
from .marks import mark_authored, previews
from .selection import phrase_for, require_place


def matrices(world: World) -> Column:
    """Return float64 (n, 6): the world matrix of every Transform, in the table's row order; see `world_matrices`."""
    table = world.table(Transform)
    angle, scale = table.column("rotation").astype(np.float64), table.column("scale").astype(np.float64)
    cos, sin = maths.cos(angle), maths.sin(angle)
    position = table.column("position").astype(np.float64)
    result = np.stack(
        [cos * scale[:, 0], sin * scale[:, 0], -sin * scale[:, 1], cos * scale[:, 1], position[:, 0], position[:, 1]], 1
    )
    hierarchy = hierarchy_of(world)
    for rank in hierarchy.generations:
        result[rank] = product(result[hierarchy.parents[rank]], result[rank])
    return result


def hang(world: World, handles: Column, parent: int, *, keep_pose: bool = True) -> None:
    """Set the parent of entities in all their components that have one, and mark them as authored.

    keep_pose: change their poses so that they stay where they are in the world.
    If the new parent is scaled unequally and turned against them, a sheared pose is not possible: the position stays,
    the axes keep the direction of x. Raises UsageError for a cycle, a parent without a Transform or another component
    with a parent, a parent that is only shown, see `Previews`, or one with a scale of zero; then nothing has changed.
    """
    if parent and parent in previews(world):
        raise UsageError(
            f"{phrase_for(world, parent)} is spawned from a file", hint="Choose a parent that the scene has"
        )
    moving = handles[parents_of(world, handles) != parent]
    require_place(world, moving)
    if parent and len(moving):
        require_place(world, np.array([parent], np.int64))
    ancestor = parent
    while ancestor:
        if ancestor in moving:
            raise UsageError(
                f"{phrase_for(world, ancestor)} can't be moved below itself",
                hint="Choose a parent that is not below it",
            )
        ancestor = int(parents_of(world, np.array([ancestor], np.int64))[0])
    if not len(moving):
        return
    changes: list[tuple[Column, Any]] = []
    for table in world.trees:
        entities = moving[table.lookup(moving) >= 0]
        if len(entities):
            values = poses_in_world(world, table, entities, parent) if keep_pose else {}
            last = {f"last_{name}": value for name, value in values.items() if f"last_{name}" in table.schema.fields}
            changes.append((entities, table.schema.cls(parent=parent, **values, **last)))
    for entities, part in changes:
        world.set(entities, part)
    mark_authored(world, *moving.tolist())


def poses_in_world(world: World, table: Table, handles: Column, parent: int = 0) -> dict[str, Column]:
    """Return position, rotation and scale of entities of a table in the world, or as seen from another entity.

    Empty for a component that is neither `Transform` nor a pose in space. Raises UsageError for a parent with a scale
    of zero.
    """
    rows = table.rows_of(handles)
    rotation, scale = (table.column(name)[rows] if name in table.schema.fields else rows for name in _TURNED)
    if table.schema.cls is Transform:
        local = matrices(world)[rows]
        if parent:
            local = product(_inverse_of(world, parent)[None], local)
        return dict(zip(_POSE, parts(local, rotation, scale), strict=True))
    if not spaces.is_space(table):
        return {}
    local = spaces.matrices(world, table)[rows]
    if parent:
        local = spaces.product(_inverse_in(world, table, parent)[None], local)
    return dict(zip(_POSE, spaces.parts(local, rotation, scale), strict=True))


_TURNED = ("rotation", "scale")
_POSE = ("position", *_TURNED)


def middles_of(world: World, handles: Column) -> list[Any]:
    """Return the components of a common parent of entities, at the mean of their positions in the world."""
    components: list[Any] = []
    for table in world.trees:
        entities = handles[table.lookup(handles) >= 0]
        if len(entities):
            places = poses_in_world(world, table, entities).get("position")
            components.append(
                table.schema.cls(**({} if places is None else {"position": places.mean(0, dtype=np.float64)}))
            )
    return components


def parts(local: Column, near: Column, signs: Column) -> tuple[Column, Column, Column]:
    """Return position (n, 2), rotation (n,) and scale (n, 2), float32, of matrices (n, 6).

    near: (n,), rotations in radians; of all equivalent angles, the result is the nearest one. signs: (n, 2), scales
    whose sign in x the result gets.
    """
    a, b, c, d = (local[:, i] for i in range(4))
    sign = np.where(signs[:, 0] < 0, -1.0, 1.0)
    length = maths.hypot(a, b)
    flat = length == 0
    x = sign * length
    y = np.where(flat, maths.hypot(c, d), (a * d - b * c) / np.where(flat, 1, x))
    angle = np.where(flat, maths.atan2(-c, d), maths.atan2(sign * b, sign * a))
    angle = angle + maths.radians(360.0) * np.round((near - angle) / maths.radians(360.0))
    return local[:, 4:].astype(np.float32), angle.astype(np.float32), np.stack([x, y], 1).astype(np.float32)


def require_depth(world: World, parent: int) -> None:
    """Raise UsageError if an entity has a scale of zero, so that children could not keep their world poses."""
    _inverse_of(world, parent)
    for table in world.trees:
        if spaces.is_space(table):
            _inverse_in(world, table, parent)


def _inverse_of(world: World, parent: int) -> Column:
    """Return float64 (6,): the inverse of the world matrix of an entity; the identity if it has no Transform."""
    row = world.table(Transform).row_of(parent)
    a, b, c, d, tx, ty = matrices(world)[row].tolist() if row >= 0 else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    det = a * d - b * c
    if not det:
        raise _flat(world, parent)
    a, b, c, d = d / det, -b / det, -c / det, a / det
    return np.array([a, b, c, d, -(a * tx + c * ty), -(b * tx + d * ty)])


def _inverse_in(world: World, table: Table, parent: int) -> Column:
    """Return float64 (3, 4): the inverse of the world matrix of an entity in space; the identity if it has no pose."""
    row = table.row_of(parent)
    if row < 0:
        return np.eye(3, 4)
    inverse = spaces.inverse(spaces.matrices(world, table)[row])
    if inverse is None:
        raise _flat(world, parent)
    return inverse


def _flat(world: World, parent: int) -> UsageError:
    """Return the error for a parent with a scale of zero."""
    return UsageError(
        f"{phrase_for(world, parent)} has a scale of zero, so nothing keeps its pose below it",
        hint="Give it another scale",
    )
