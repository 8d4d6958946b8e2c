"""Outlines of entities: boxes around what they draw, along their own axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .draw import SceneDraw

Array = npt.NDArray[Any]
Rect = tuple[float, float, float, float]
MOST = 256
"""The number of entities that are outlined one by one; of more, only the box around all is drawn."""
_POINT = 9.0
"""Half the mark of an entity that draws nothing, pixels."""


def draw_outlines(scene: SceneDraw) -> Rect | None:
    """Outline the selected entities of this view, the primary one with a thicker line.

    Returns the least and greatest x and y of what they draw, None if nothing of the selection is in this view.
    """
    game = scene.editor.game
    assert game is not None
    boxes, here = _selected(scene, game.selection.array)
    if not here.any():
        return None
    corners, drawn = boxes
    extent = _extent(corners[here])
    if here.sum() > MOST:
        scene.box(extent[:2], extent[2:], "outline", 2.0)
        return extent
    last = len(here) - 1
    for k in np.flatnonzero(here).tolist():
        width = 2.5 if k == last else 1.5
        if drawn[k]:
            scene.polyline(corners[k], "outline", width, closed=True)
        else:
            _mark(scene, corners[k, 0], width)
    return extent


def draw_hover(scene: SceneDraw, handle: int) -> None:
    """Outline what a click would select."""
    boxes = scene.boxes([handle])
    if boxes.drawn[0]:
        scene.polyline(boxes.corners[0], "outline_hover", 1.5, closed=True)
    else:
        _mark(scene, boxes.matrix[0, 4:], 1.5, "outline_hover")


def extent_of(scene: SceneDraw, handles: Array) -> Rect | None:
    """Return the least and greatest x and y of what entities draw in this view; their places if they draw nothing."""
    (corners, _), here = _selected(scene, handles)
    return _extent(corners[here]) if here.any() else None


def _selected(scene: SceneDraw, handles: Array) -> tuple[tuple[Array, Array], Array]:
    """Return the corners (n, 4, 2) of entities, which of them draw something, and which are in this view."""
    boxes = scene.boxes(handles)
    drawn = boxes.drawn
    corners = boxes.corners
    corners[~drawn] = boxes.matrix[~drawn, None, 4:]
    here = (boxes.screen == scene.flat) & (scene.world.entities.status_many(np.asarray(handles, np.int64)) != 0)
    return (corners, drawn), here


def _extent(corners: Array) -> Rect:
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _mark(scene: SceneDraw, at: Array, width: float, colour: str = "outline") -> None:
    half = scene.px(_POINT)
    scene.circle((float(at[0]), float(at[1])), half, colour, width)
