"""Lets bodies fall onto what is below them, along gravity, until they touch it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_space3d import Transform3D, local_poses, quaternions, world_poses

from ...bodies.layout import Layout
from ...bodies.placed import shape_poses
from ...components.settings import Physics3DSettings
from ...contacts.shapes import CAPSULE, PLANE, SPHERE
from ...queries.queries import shape_cast_all_3d

if TYPE_CHECKING:
    from rish_core import World
    from rish_editor import Editor

_FAR = 1000.0
"""How far below a body something is found, meters."""
_STEP = 1e-4
"""Distances are rounded down to this length, meters."""


def drop_selected(editor: Editor) -> None:
    """Drop the selected bodies, the lowest first, as one step; a body with nothing below it stays."""
    game = editor.game
    assert game is not None
    world = game.world
    down = down_of(world)
    with game.edit(editor.tr("Drop to the floor")):
        for entity in _by_height(world, game.selection.handles, down):
            distance = _STEP * np.floor(fall_of(world, entity, down) / _STEP)
            row = np.array([world.table(Transform3D).row_of(entity)])
            position, rotation, _ = world_poses(world)
            local, _ = local_poses(world, row, position[row] + down * distance, rotation[row])
            if distance:
                game.set([entity], Transform3D, "position", tuple(local[0].tolist()))


def can_drop(editor: Editor) -> bool:
    """Return whether a selected entity has a shape."""
    game = editor.game
    return game is not None and any(len(own_shapes(game.world, each)) for each in game.selection.handles)


def down_of(world: World) -> Array:
    """Return the direction of gravity, of length 1; -y without gravity."""
    gravity = np.asarray(world[Physics3DSettings].gravity, np.float64)
    length = float(np.sqrt(gravity @ gravity))
    return gravity / length if length > 0 else np.array([0.0, -1.0, 0.0])


def own_shapes(world: World, entity: int) -> Array:
    """Return the numbers in the `Layout` of the shapes of an entity and of all below it, without planes and meshes."""
    layout, table = world[Layout], world.table(Transform3D)
    above = layout.shape_entities
    belongs = above == entity
    for _ in range(64):
        rows = table.rows_of(above)
        above = np.where(rows >= 0, table.parent[rows], 0)
        if not above.any():
            break
        belongs |= above == entity
    return np.flatnonzero(belongs & (layout.form[:, 0] < PLANE))


def fall_of(world: World, entity: int, down: Array) -> float:
    """Return how far an entity falls until one of its shapes touches another one's, meters; 0 with nothing below.

    An entity that overlaps something is lifted by its own height first, so that it ends above it.
    """
    shapes = own_shapes(world, entity)
    if not len(shapes):
        return 0.0
    fall = _cast(world, shapes, down, 0.0)
    if fall is None:
        low, high = _extent(world, shapes, down)
        lifted = _cast(world, shapes, down, high - low)
        return 0.0 if lifted is None or lifted > _FAR else lifted - (high - low)
    return 0.0 if fall > _FAR else fall


def _cast(world: World, shapes: Array, down: Array, lift: float) -> float | None:
    """Return how far shapes fall from a height above their place; infinite without a hit, None if one overlaps
    something at the start.
    """
    own = set(world[Layout].shape_entities[shapes].tolist())
    least = np.inf
    for place, points, radius in _forms(world, shapes):
        start = place - down * lift
        hits = shape_cast_all_3d(world, points, start, start + down * (_FAR + lift), radius=radius)
        for entity, normal, share in zip(hits.entity.tolist(), hits.normal, hits.fraction.tolist(), strict=True):
            if entity in own:
                continue
            if not normal.any():
                return None
            least = min(least, share * (_FAR + lift))
    return float(least)


def _forms(world: World, shapes: Array) -> list[tuple[Array, Array, float]]:
    """Return position, points relative to it, and radius of shapes in the world."""
    layout, poses = world[Layout], shape_poses(world, world[Layout])[0]
    forms: list[tuple[Array, Array, float]] = []
    for shape in shapes.tolist():
        kind, _, hull = layout.form[shape].tolist()
        size = layout.size[shape].astype(np.float64)
        if kind == SPHERE:
            points, radius = np.zeros((1, 3)), float(size[0])
        elif kind == CAPSULE:
            points, radius = np.array([[0, -size[1], 0], [0, size[1], 0]]), float(size[0])
        else:
            points, radius = layout.pool[hull].points[:, :3].astype(np.float64), 0.0
        forms.append((poses[shape, :3], quaternions.turned(poses[shape, 4:], points), radius))
    return forms


def _extent(world: World, shapes: Array, down: Array) -> tuple[float, float]:
    """Return the least and greatest height of shapes against a direction, meters."""
    ends = [
        (float(heights.min()) - radius, float(heights.max()) + radius)
        for place, points, radius in _forms(world, shapes)
        for heights in [-(place + points) @ down]
    ]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _by_height(world: World, handles: Any, down: Array) -> list[int]:
    """Return the entities that have shapes, without those below another one in the hierarchy, the lowest first."""
    table, chosen = world.table(Transform3D), set(handles)
    roots: list[tuple[float, int]] = []
    for handle in handles:
        shapes = own_shapes(world, handle)
        above = handle
        for _ in range(64):
            above = int(table.parent[table.row_of(above)]) if table.row_of(above) >= 0 else 0
            if not above or above in chosen:
                break
        if len(shapes) and not above:
            roots.append((_extent(world, shapes, down)[0], handle))
    return [handle for _, handle in sorted(roots)]
