"""Outlines of entities in space: boxes around what they draw, along their own axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_space3d import Bounds3D, Transform3D, WorldMatrices3D, world_matrices_3d

if TYPE_CHECKING:
    from rish_core import World

    from .draw import SpaceDraw

MAX_OUTLINED = 64
"""The number of entities that are outlined one by one; of more, only the box around all is drawn."""
_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_EDGES = np.array([[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]])


def matrices_of(world: World, handles: Any) -> Array:
    """Return the world matrices of entities as they are drawn, float64 (n, 3, 4); the identity for entities without a
    pose."""
    entities = np.asarray(handles, np.int64).reshape(-1)
    rows, drawn_matrices = world.table(Transform3D).rows_of(entities), world[WorldMatrices3D]
    matrices = np.tile(np.eye(3, 4), (len(entities), 1, 1))
    has_pose = rows >= 0
    if has_pose.any():
        source = drawn_matrices.matrix if drawn_matrices.knows(rows[has_pose]) else world_matrices_3d(world)
        matrices[has_pose] = source[rows[has_pose]]
    return matrices


def corners_of(world: World, handles: Array) -> Array:
    """Return the corners of the boxes around what entities draw, float64 (n, 8, 3); their places if they draw
    nothing."""
    matrices, boxes = matrices_of(world, handles), world[Bounds3D].of(world, handles)
    boxes = np.where(np.isnan(boxes).any(axis=(1, 2), keepdims=True), 0.0, boxes)
    local = boxes[:, :1] + _CORNERS * (boxes[:, 1:] - boxes[:, :1])
    return np.einsum("nrc,nkc->nkr", matrices[:, :, :3], local) + matrices[:, None, :, 3]


def draw_bounds(scene: SpaceDraw, handles: Array, color: str, width: float) -> None:
    """Draw the boxes of entities; a mark at those that draw nothing."""
    corners = corners_of(scene.world, handles)
    point = (np.ptp(corners, axis=1) == 0).all(axis=1)
    scene.lines(corners[~point][:, _EDGES].reshape(-1, 2, 3), color, width, edged=True)
    for place in corners[point, 0]:
        half = scene.px(8.0, place)
        scene.lines(place + np.stack([-np.eye(3), np.eye(3)], axis=1) * half, color, width, edged=True)


def outline_selected(scene: SpaceDraw, handles: Array) -> None:
    """Draw the boxes of the selected entities, that of the primary one with a thicker line."""
    in_space = handles[scene.world.table(Transform3D).rows_of(handles) >= 0]
    if len(in_space) > MAX_OUTLINED:
        low, high = extent_of(scene.world, in_space)
        scene.lines((low + _CORNERS * (high - low))[_EDGES], "outline", 2.0)
    elif len(in_space):
        draw_bounds(scene, in_space[:-1], "outline", 1.5)
        draw_bounds(scene, in_space[-1:], "outline", 2.0)


def extent_of(world: World, handles: Array) -> tuple[Array, Array]:
    """Return the lowest and highest corner around what entities (at least one) draw, float64 (3,) each."""
    corners = corners_of(world, handles)
    return corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
