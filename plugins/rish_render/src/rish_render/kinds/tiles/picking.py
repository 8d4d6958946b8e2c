"""Picks tile maps where one of their visible layers has a tile; a map is found once for each of the game's layers."""

from __future__ import annotations

import numpy as np

from rish_core import Transform
from rish_frame import Hits, WorldMatrices
from rish_jit import Array

from ...drawables.pick_scene import PickScene
from ...drawables.touching import into
from ...tiles.boards import Board, TileMaps
from ...tiles.component import TileMap
from ...tiles.model import TILE
from .extract import LayerPlan, layer_matrix, layer_plans

_MOST = 1 << 10
"""The most points along a side of a box at which cells are looked up."""


def pick_maps(scene: PickScene) -> list[Hits]:
    """Return the maps that have a tile in the region."""
    world = scene.world
    query = world.query(TileMap, Transform)
    rows, places, entities = query.rows(TileMap), query.rows(Transform), query.entities
    matrix = world[WorldMatrices].rows(places)
    touched: list[tuple[int, int, float]] = []
    for k, (row, entity) in enumerate(zip(rows.tolist(), entities.tolist(), strict=True)):
        visible = world.table(TileMap).column("visible")[row]
        board = world[TileMaps].board(world, entity) if visible else None
        if board is None or not board.drawn:
            continue
        for plan in layer_plans(scene.parts, board, row, entity):
            if scene.parts.layers[plan.number] and plan.rgba[3] and _touches(scene, board, plan, matrix[k]):
                touched.append((entity, plan.number, plan.z))
    if not touched:
        return []
    layer = np.array([number for _, number, _ in touched], np.int64)
    low = np.where(scene.stack.y_sorted[layer], -np.inf, 0.0)
    entity, z = np.array([each for each, _, _ in touched], np.int64), np.array([z for _, _, z in touched], np.float64)
    return [Hits(TileMap, entity, layer, z, low, np.zeros(len(touched), np.int64))]


def _touches(scene: PickScene, board: Board, plan: LayerPlan, pose: Array) -> bool:
    """Whether the region touches a cell of a layer that holds a tile, or the box around an object's tile."""
    grid = board.map.grid
    placed = np.array([layer_matrix(scene.parts, tuple(pose.tolist()), plan)])
    corners = into(placed, scene.corners(plan.screen))[0]
    if not np.isfinite(corners).all():
        return False
    if plan.pictures is not None:
        return plan.pictures.touches(corners)
    if len(corners) > 1:
        corners = _spots(corners, min(grid.width, grid.height))
    at = grid.cells_at(corners)
    columns, rows = (at[grid.inside(at)] - grid.first).T
    cells = board.cells[plan.index][rows, columns]
    return bool((cells & np.uint32(TILE)).any())


def _spots(corners: Array, step: float) -> Array:
    """Return points (n, 2) that cover a box so densely that each cell inside it contains one."""
    across, up = corners[1] - corners[0], corners[3] - corners[0]
    n, m = (int(min(np.hypot(*side) / max(step, 1e-9) * 2, _MOST)) + 2 for side in (across, up))
    u, v = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, m))
    return corners[0] + u.reshape(-1, 1) * across + v.reshape(-1, 1) * up
