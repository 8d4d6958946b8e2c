"""Rectangles x y w h with handles at their corners and sides, for fields such as the limits of a camera."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..views.plane.entity_poses import into
from ..views.rounding import on_step, step_of

if TYPE_CHECKING:
    from ..views.canvas import Color
    from ..views.interaction.handles import Drag
    from ..views.plane.draw import SceneDraw

Rect = tuple[float, float, float, float]
Array = npt.NDArray[np.float64]
WORLD = np.array([1.0, 0, 0, 1, 0, 0])
"""The matrix of rectangles in the world, which do not depend on the entity's pose."""
_MIN_SIZE = 1.0
"""The least width and height, units."""


def draw_rect(
    scene: SceneDraw, name: str, rect: Rect, space: Array, color: Color
) -> tuple[Rect, Drag] | None:  # fmt: skip
    """Draw a rectangle of a space (matrix of 6) and its handles; return the new one and the drag while one is dragged.

    name: begins the names of the handles.
    """
    x, y, w, h = rect
    a, b, c, d, tx, ty = space.tolist()

    def placed(u: float, v: float) -> tuple[float, float]:
        return a * u + c * v + tx, b * u + d * v + ty

    corners = [placed(x, y), placed(x + w, y), placed(x + w, y + h), placed(x, y + h)]
    scene.polyline(corners, color, 1.5, closed=True, edged=True)
    dragged = None
    for across in (-1, 0, 1):
        for up in (-1, 0, 1):
            if not (across or up):
                continue
            at = placed(x + w * (across + 1) / 2, y + h * (up + 1) / 2)
            drag = scene.handle(f"{name}.{_name(across, up)}", at, color, pixels=4.0)
            if drag is not None:
                dragged = _dragged(scene, rect, space, drag, across, up), drag
    return dragged


def _name(across: int, up: int) -> str:
    parts = ["bottom", "", "top"][up + 1], ["left", "", "right"][across + 1]
    return "_".join(part for part in parts if part)


def _dragged(scene: SceneDraw, rect: Rect, space: Array, drag: Drag, across: int, up: int) -> Rect:
    if scene.handles.kept is None:
        scene.handles.kept = rect
    x, y, w, h = scene.handles.kept
    fine = step_of(scene.fine / max(float(np.hypot(*space[:2])), 1e-9))
    step = fine or scene.editor.settings.grid
    dx, dy = into(space[None], np.array([drag.delta]))[0].tolist()
    x0, x1 = x + (dx if across < 0 else 0), x + w + (dx if across > 0 else 0)
    y0, y1 = y + (dy if up < 0 else 0), y + h + (dy if up > 0 else 0)
    if across:
        x0, x1 = (on_step(x0, step), x1) if across < 0 else (x0, on_step(x1, step))
    if up:
        y0, y1 = (on_step(y0, step), y1) if up < 0 else (y0, on_step(y1, step))
    if across < 0:
        x0 = min(x0, x1 - _MIN_SIZE)
    if up < 0:
        y0 = min(y0, y1 - _MIN_SIZE)
    new_rect = x0, y0, max(x1 - x0, _MIN_SIZE), max(y1 - y0, _MIN_SIZE)
    scene.say(f"{new_rect[2]:.1f} × {new_rect[3]:.1f}")
    return new_rect
