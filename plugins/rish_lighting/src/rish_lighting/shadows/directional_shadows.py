"""Shadow maps of suns: strips along the light instead of rays from a point.

A sun's map covers a square window that is larger than the view, so that it stays valid until the camera has
moved by an eighth of the view.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rish_jit import Array

from ..formulas import AXIS_X, AXIS_Y, BEGIN, BINS, FIRST, HARD, INNER, SHADOW, START, STEP, THICK, X, Y
from ..lamps.lamps import Lamps
from ..walls.walls import Walls

_MAX_STRIPS = 16384
_MAX_STRETCHES = 64
_INFINITY = 1e30


@dataclass(frozen=True)
class _Map:
    """One sun's map: its lamp, its offset in the texels, and its window; see `kernels.cast_sun`."""

    number: int
    start: int
    bins: int
    rows: int
    mask: int
    along: tuple[float, float]
    first: float
    step: float
    begin: float
    thick: float


class SunMaps:
    """The maps of all suns; they are stored after those of the other lamps."""

    def __init__(self) -> None:
        self._maps: list[_Map] = []
        self._made: list[_Map] = []

    def aim(self, lamps: Lamps, suns: Array, start: int, scale: float, view_box: Array) -> int:
        """Choose the windows, write them into the suns' rows, and return the number of texels of their maps.

        suns: rows of lamps. start: the offset of the first map. scale: pixels per unit. view_box: x0, y0, x1, y1 of the
        visible part of the world.
        """
        self._maps, at = [], start
        for row in suns.tolist():
            window = _window(lamps, row, at, scale, view_box)
            self._maps.append(window)
            at += 2 * window.rows * window.bins
        return at - start

    def cast(self, texels: Array, walls: Walls, *, anew: bool) -> int:
        """Compute the maps whose parameters changed and return their number. anew: compute all maps."""
        due = [window for window in self._maps if anew or window not in self._made]
        if due:
            from .kernels import cast_sun
        for window in due:
            along = np.array(window.along, np.float64)
            across = np.array([-along[1], along[0]])
            size = 2 * window.rows * window.bins
            cast_sun(
                walls.edges.reshape(-1), walls.mask, walls.two_sided, np.int32(window.mask), across, along,
                np.float64(window.first), np.float64(window.step), np.float64(window.begin), np.float64(window.thick),
                window.rows, window.bins, texels[window.start : window.start + size],
            )  # fmt: skip
        self._made = self._maps
        return len(due)


def center_of(view_box: Array) -> tuple[float, float, float]:
    """Return the center and the side of the square window around the view; it stays the same for small movements."""
    side = math.hypot(view_box[2] - view_box[0], view_box[3] - view_box[1])
    grid = side / 4
    x, y = (math.floor((low + high) / 2 / grid + 0.5) * grid for low, high in (view_box[[0, 2]], view_box[[1, 3]]))
    return x, y, side + 2 * grid


def _window(lamps: Lamps, row: int, start: int, scale: float, view_box: Array) -> _Map:
    table = lamps.table
    x, y, side = center_of(view_box)
    ux, uy = float(table[row, AXIS_X]), float(table[row, AXIS_Y])
    bins = min(_MAX_STRIPS, 1 << math.ceil(math.log2(max(2 * side * scale, 64))))
    length = float(lamps.length[row])
    rows, thick, lead = 1, _INFINITY, 0.0
    if length > 0:
        thick = lead = max(length, side / (_MAX_STRETCHES - 2))
        rows = math.ceil(side / thick) + 1
    first = x * -uy + y * ux - side / 2
    begin = x * ux + y * uy - side / 2 - lead
    table[row, [X, Y]] = x, y
    table[row, [START, BINS, SHADOW, INNER]] = start, bins, HARD, rows
    table[row, [FIRST, STEP, BEGIN, THICK]] = side / 2, side / bins, side / 2 + lead, thick
    return _Map(
        int(lamps.number[row]), start, bins, rows, int(lamps.mask[row]), (ux, uy), first, side / bins, begin, thick
    )  # fmt: skip
