"""The icons of a view that the pointer is on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .canvas import Canvas, Point


def icons_at(scene: Canvas, point: Point, to: Point | None) -> list[int]:
    """Return the entities whose icons are at a point of the window, or in a box; those of the last frame."""
    marks: Any = scene.handles.memory.get("icons") or []
    if not marks:
        return []
    places = np.array([mark[1:] for mark in marks])
    if to is None:
        found = np.hypot(places[:, 0] - point[0], places[:, 1] - point[1]) <= places[:, 2]
    else:
        low, high = np.minimum(point, to), np.maximum(point, to)
        found = (places[:, :2] >= low).all(axis=1) & (places[:, :2] <= high).all(axis=1)
    return [marks[k][0] for k in np.flatnonzero(found)[::-1].tolist()]
