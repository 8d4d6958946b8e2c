"""Outlines of entities: boxes around what they draw, along their own axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform
from rish_jit import Array
from rish_space3d import Transform3D

from ..canvas import Rect

if TYPE_CHECKING:
    from rish_core import World
    from rish_render import DrawnBoxes

    from .draw import SceneDraw

MAX_OUTLINED = 128
"""The number of entities that are outlined one by one; of more, only the box around all is drawn."""
_POINT = 9.0
"""Half the mark of an entity that draws nothing, pixels."""


def draw_outlines(scene: SceneDraw) -> Rect | None:
    """Outline the selected entities of this view, the primary one with a thicker line.

    Returns the least and greatest x and y of what they draw, None if nothing of the selection is in this view.
    """
    outlines = scene.cached("outlines", None, lambda: _outlines(scene))
    corners, outlined, marked, count, extent = outlines
    if extent is None:
        return None
    if count > MAX_OUTLINED:
        scene.box(extent[:2], extent[2:], "outline", 2.0)
        return extent
    for quads, width in zip(outlined, (1.5, 2.5), strict=True):
        if len(quads):
            scene.quads(quads, "outline", width)
    for k in marked:
        _mark(scene, corners[k, 0], 2.5 if k == len(corners) - 1 else 1.5)
    return extent


def _outlines(scene: SceneDraw) -> tuple[Array, tuple[Array, Array], list[int], int, Rect | None]:
    """Return what `draw_outlines` draws of the selection: the corners (n, 4, 2) of all boxes, those with a thin and
    with a thick line, the rows that draw nothing, how many are in this view, and the extent of these."""
    handles, boxes = scene.selected()
    corners, here = _corners(scene, handles, boxes)
    is_primary = np.arange(len(here)) == len(here) - 1
    outlined = corners[here & boxes.drawn & ~is_primary], corners[here & boxes.drawn & is_primary]
    marked = np.flatnonzero(here & ~boxes.drawn).tolist()
    return corners, outlined, marked, int(here.sum()), _extent(corners[here]) if here.any() else None


def draw_hover(scene: SceneDraw, handle: int) -> None:
    """Outline the entity that a click would select; nothing if it is in space only."""
    if in_space_only(scene.world, np.array([handle]))[0]:
        return
    boxes = scene.boxes([handle])
    if boxes.drawn[0]:
        scene.quads(boxes.corners, "outline_hover", 1.5)
    else:
        _mark(scene, boxes.matrix[0, 4:], 1.5, "outline_hover")


def extent_of(scene: SceneDraw, handles: Array) -> Rect | None:
    """Return the least and greatest x and y of what entities draw in this view; their places if they draw nothing."""
    corners, here = _corners(scene, handles, scene.boxes(handles))
    return _extent(corners[here]) if here.any() else None


def _corners(scene: SceneDraw, handles: Array, boxes: DrawnBoxes) -> tuple[Array, Array]:
    """Return the corners (n, 4, 2) of boxes, or their places where nothing is drawn, and which are in this view."""
    corners, is_drawn = boxes.corners, boxes.drawn
    corners[~is_drawn] = boxes.matrix[~is_drawn, None, 4:]
    here = (boxes.screen == scene.flat) & ~in_space_only(scene.world, handles)
    return corners, here & (scene.world.entities.status_many(handles) != 0)


def in_space_only(world: World, handles: Array) -> Array:
    """Return bool n: which entities have their place in three dimensions and none on the plane."""
    if Transform3D not in world.tables:
        return np.zeros(len(handles), np.bool_)
    entities = np.asarray(handles, np.int64)
    return (world.table(Transform3D).rows_of(entities) >= 0) & (world.table(Transform).rows_of(entities) < 0)


def _extent(corners: Array) -> Rect:
    x, y = corners[..., 0], corners[..., 1]
    return float(x.min()), float(y.min()), float(x.max()), float(y.max())


def _mark(scene: SceneDraw, at: Array, width: float, color: str = "outline") -> None:
    half = scene.px(_POINT)
    scene.circle((float(at[0]), float(at[1])), half, color, width)
