"""Where texts are on the pixels of a view.

Positions are counted in pixels of the target from the corner of a *cell*, a square with a fixed position in the world.
So sixteen bytes can hold any position, and a camera that scrolls by whole pixels moves the cells and leaves the bytes
unchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from ..letters import SHADOW, Letters
from .kernels import AT, CELL, GROUND, PLACE, SHARP, TURN, VIEW

if TYPE_CHECKING:
    from ....drawables.extraction import Extraction
    from ....scene.view import View

Ground = tuple[float, ...]
"""The cell of a text: the columns from GROUND on of a row of `places`, see `place_texts`."""


def views_of(scene: Extraction) -> Array:
    """Return the views of a scene as an argument of the kernels, float64 2 * VIEW."""
    rows = (_numbers(scene.view, scene.view.rotation == 0), _numbers(scene.flat, upright=True))
    return np.array(rows, np.float64).reshape(2 * VIEW)


def _numbers(view: View, upright: bool) -> tuple[float, ...]:
    (sin, cos), density, (wide, high) = view.turn, view.density, view.drawn_size
    return (
        view.resolution, float(np.float32(view.resolution)), upright and is_even(view), *view.center, sin * density,
        cos * density, *view.middle, *view.corner, wide / view.size[0], high / view.size[1],
        *np.array(view.bounds, np.float32).tolist(),
    )  # fmt: skip


def is_even(view: View) -> bool:
    """Return True if the view's pixels are squares."""
    (w, h), (wide, high) = view.size, view.drawn_size
    return abs(w * high - h * wide) <= max(wide, high)


def origin_of(scene: Extraction, ground: Ground) -> tuple[tuple[float, float], float]:
    """Return the current world position of a cell's corner, and the size of a pixel in units."""
    view = scene.flat if ground[0] else scene.view
    corner = np.array(ground[1:3]) * (CELL / view.resolution)
    if ground[4] >= 0:
        corner += (1.0 - scene.stack.parallax[int(ground[4])]) * np.array(scene.view.center)
    if ground[3]:
        corner = _to_world(view, np.floor(_to_pixels(view, corner) + 0.5))
    return (float(corner[0]), float(corner[1])), 1.0 / view.resolution


def _to_pixels(view: View, points: Array) -> Array:
    """Convert world positions, float64 (..., 2), to target pixels from the bottom left of the viewport."""
    return (view.to_screen(points) - view.corner) * (np.array(view.drawn_size) / view.size)


def _to_world(view: View, pixels: Array) -> Array:
    """Convert target pixels from the bottom left of the viewport, float64 (..., 2), to world positions."""
    return view.to_world(pixels * (np.array(view.size) / view.drawn_size) + view.corner)


def parallelograms(
    scene: Extraction, place: Array, matrix: Array, fall: Array, letters: Letters, rgba: Array
) -> dict[str, Array]:  # fmt: skip
    """Return the letters of a text as arrays of `sprites_wide`.

    place: its row of `places`, see `place_texts`. matrix: float32 6. fall: the offset of its shadow.
    rgba: uint8 (n, 4).
    """
    assert len(place) == PLACE
    ground: Any = place[GROUND:].tolist()
    (x0, y0), unit = origin_of(scene, ground)
    fine = np.float32((scene.flat if ground[0] else scene.view).resolution)
    turn, boxes = place[TURN:AT], letters.boxes
    falls = (np.float64(fine) * part for part in _moved(matrix.astype(np.float64), fall[None].astype(np.float64)))
    falls = [np.where(letters.inks == SHADOW, np.floor(part + 0.5) if place[SHARP] else part, 0.0) for part in falls]
    x, y = _moved(turn, boxes[:, :2])
    x, y = x + place[AT] + falls[0], y + place[AT + 1] + falls[1]
    out = np.empty((len(x), 6), np.float32)
    out[:, 0:2] = turn[0:2] * boxes[:, 2:3] * unit
    out[:, 2:4] = turn[2:4] * boxes[:, 3:4] * unit
    out[:, 4], out[:, 5] = x0 + x * unit, y0 + y * unit
    return {"matrix": out, "frame": letters.frames.copy(), "rgba": rgba}


def _moved(turn: Array, points: Array) -> tuple[Array, Array]:
    """Convert points by a matrix without its origin."""
    x, y = points[:, 0], points[:, 1]
    return turn[0] * x + turn[2] * y, turn[1] * x + turn[3] * y
