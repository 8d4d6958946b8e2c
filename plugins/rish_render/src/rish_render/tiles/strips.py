"""Strips: tiles that do not have the size of their cells, or whose cells are no squares, as sprites from back to front.

Diamonds and hexagons overlap, and so do trees that are taller than a cell; then the drawing order matters: from the
back to the front, strip by strip, where a strip is the cells at one height. A window around the view, larger by half
its size on each side, is packed in one step and stays the same batch until the view leaves it. On a layer that is
sorted by y each strip is a drawable of its own, so that sprites can be drawn between strips.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rish_frame import Batch, pack_sprites
from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED, HIGHEST, Filter

from .boards import Board
from .frames import TileFrames
from .model import ROTATED_120, TILE, Array, Box, Matrix

MARGIN = 0.5
"""How far a window extends beyond the view on each side, in sizes of the view."""
_WINDOWS = 4  # windows that are kept per layer, enough for several cameras
_SPARE = 20.0  # largest area of a kept window, in areas of the view; larger ones are packed again
_SMALL = 4096  # windows of at most this many sprites are kept at any size of the view


@dataclass(eq=False)
class StripArea:
    """The sprites packed for a window. starts: int64 k+1, the start of each strip. heights: float32 k, y to sort by."""

    box: Box
    stamp: Any
    phase: int
    arrays: dict[str, Array]
    origin: tuple[float, float]
    unit: float
    starts: Array
    heights: Array
    moving: Array
    movers: Array
    turned: Array

    def __len__(self) -> int:
        return int(self.starts[-1])

    def batch(self, rows: Array | slice, filter_: Filter) -> Batch:
        """Return consecutive strips as one batch."""
        first, last = (rows.start, rows.stop - 1) if isinstance(rows, slice) else (int(rows[0]), int(rows[-1]))
        part = slice(int(self.starts[first]), int(self.starts[last + 1]))
        arrays = {name: array[part] for name, array in self.arrays.items()}
        kind = "sprites" if "instances" in arrays else "sprites_wide"
        return Batch(kind, arrays, filter=filter_, origin=self.origin, unit=self.unit, source="render")


class Strips:
    """The strips of one layer of a board. wanted: bool by tile, the tiles that are drawn as strips."""

    def __init__(self, board: Board, layer: int, frames: TileFrames, wanted: Array) -> None:
        self.board, self.layer, self.frames = board, layer, frames
        self.windows: list[StripArea] = []
        self.want(wanted)

    def want(self, wanted: Array) -> None:
        """Set the tiles to draw, bool by tile; used from the next window on."""
        self.wanted = wanted
        tiles = self.board.map.tiles
        size, offset = self.sizes()[wanted], tiles.offset[wanted]
        # The larger side, so that it holds for every rotation.
        larger = np.maximum(size.max(initial=0.0) - np.array(self.board.map.grid.cell_size), 0.0)
        back, forth = larger - offset.min(axis=0, initial=0.0), larger + offset.max(axis=0, initial=0.0)
        self.reach: Box = (*back.tolist(), *forth.tolist())
        """How far images reach beyond the boxes of their cells: left, down, right, up."""

    def sizes(self) -> Array:
        """Return the drawn size of each tile, float32 (n, 2)."""
        grid = self.board.map.grid
        size = self.board.map.tiles.size
        return np.where(size > 0, size, np.array([grid.width, grid.height], np.float32))

    def window(self, box: Box, matrix: Matrix, rgba: Array) -> StripArea:
        """Return the window around a box of the layer's own space (x0 y0 x1 y1); the same object while it fits.

        matrix: from that space to the pass's. rgba: uint8 4.
        """
        stamp = (self.board.revisions[self.layer], self.frames.version, matrix, rgba.tobytes())
        area = (box[2] - box[0]) * (box[3] - box[1])
        whole = self.board.map.grid.box
        for index, window in enumerate(self.windows):
            if (
                window.stamp == stamp
                and _holds(window.box, box, whole)
                and (len(window) <= _SMALL or _area(window.box, whole) <= _SPARE * area)
            ):
                if window.phase != self.frames.phase and len(window.moving):
                    window = self.windows[index] = self._moved(window)
                return window
        dx, dy = (box[2] - box[0]) * MARGIN, (box[3] - box[1]) * MARGIN
        wide = (box[0] - dx, box[1] - dy, box[2] + dx, box[3] + dy)
        window = self._pack(wide, stamp, matrix, rgba)
        self.windows = [window, *(one for one in self.windows if one.stamp == stamp)][:_WINDOWS]
        return window

    def _cells(self, box: Box) -> tuple[Array, Array]:
        """Return the cells whose images may touch a box: (n, 2) columns and rows, and the uint32 n cell values."""
        grid = self.board.map.grid
        left, down, right, up = self.reach
        x0, y0, x1, y1 = box[0] - right, box[1] - up, box[2] + left, box[3] + down
        limits = grid.box
        x0, y0, x1, y1 = max(x0, limits[0]), max(y0, limits[1]), min(x1, limits[2]), min(y1, limits[3])
        if x0 >= x1 or y0 >= y1:
            return np.zeros((0, 2), np.int64), np.zeros(0, np.uint32)
        ends = grid.cells_at(np.array([(x0, y0), (x1, y0), (x0, y1), (x1, y1)])) - grid.first
        (c0, r0), (c1, r1) = np.maximum(ends.min(axis=0) - 1, 0), ends.max(axis=0) + 2
        part = self.board.cells[self.layer][r0:r1, c0:c1]
        here = self.wanted[part & np.uint32(TILE)]
        spots = np.argwhere(here)[:, ::-1] + (c0 + grid.first[0], r0 + grid.first[1])
        cells = part[here]
        if grid.orientation == "isometric":
            corner = grid.corners(spots)
            w, h = grid.cell_size
            near = (corner[:, 0] + w > x0) & (corner[:, 0] < x1) & (corner[:, 1] > y0) & (corner[:, 1] - h < y1)
            spots, cells = spots[near], cells[near]
        return spots, cells

    def _pack(self, box: Box, stamp: Any, matrix: Matrix, rgba: Array) -> StripArea:
        """Pack all tiles that touch a box into a window."""
        grid, tiles, frames = self.board.map.grid, self.board.map.tiles, self.frames
        spots, cells = self._cells(box)
        number = (cells & np.uint32(TILE)).astype(np.int64)
        good = frames.frame[frames.shown[number]] >= 0
        if not good.all():
            spots, cells, number = spots[good], cells[good], number[good]
        corner = grid.corners(spots)
        plain = grid.orientation == "orthogonal"
        order = np.lexsort((
            corner[:, 0] if self.board.map.right or not plain else -corner[:, 0],
            -corner[:, 1] if self.board.map.down or not plain else corner[:, 1],
        ))  # fmt: skip
        corner, cells, number = corner[order], cells[order], number[order]
        angle, flips, crossed = _turns(cells, grid.orientation == "hexagonal")
        size = self.sizes()[number].astype(np.float64)
        box_size = np.where(crossed[:, None], size[:, ::-1], size)
        cell = np.array(grid.cell_size)
        centre = corner + tiles.offset[number] + box_size * 0.5 - (0.0, cell[1])
        moving = np.flatnonzero(frames.animated[number])
        frame = frames.frame[frames.shown[number]] + flips
        arrays, origin, unit = _instances(centre, size, angle, crossed, frame, rgba, matrix)
        first = np.flatnonzero(np.concatenate([[True], corner[1:, 1] != corner[:-1, 1]])) if len(corner) else []
        starts = np.concatenate([first, [len(corner)]]).astype(np.int64)
        b, d, ty = matrix[1], matrix[3], matrix[5]
        top = corner[starts[:-1]]
        heights = (b * (top[:, 0] + cell[0] / 2) + d * (top[:, 1] - cell[1] / 2) + ty).astype(np.float32)
        return StripArea(
            box, stamp, frames.phase, arrays, origin, unit, starts, heights, moving, number[moving], flips[moving]
        )

    def _moved(self, window: StripArea) -> StripArea:
        """Return a copy of a window with the current frames of its animated tiles."""
        frame = (self.frames.frame[self.frames.shown[window.movers]] + window.turned).astype(np.uint16)
        arrays = dict(window.arrays)
        name = "instances" if "instances" in arrays else "frame"
        arrays[name] = changed = arrays[name].copy()
        (changed["frame"] if name == "instances" else changed)[window.moving] = frame
        return replace(window, phase=self.frames.phase, arrays=arrays)


def _area(box: Box, whole: Box) -> float:
    w = min(box[2], whole[2]) - max(box[0], whole[0])
    h = min(box[3], whole[3]) - max(box[1], whole[1])
    return max(w, 0.0) * max(h, 0.0)


def _holds(outer: Box, inner: Box, whole: Box) -> bool:
    """Return True if the part of `inner` that is within the map (`whole`) is inside `outer`."""
    return (
        (outer[0] <= inner[0] or outer[0] <= whole[0])
        and (outer[1] <= inner[1] or outer[1] <= whole[1])
        and (outer[2] >= inner[2] or outer[2] >= whole[2])
        and (outer[3] >= inner[3] or outer[3] >= whole[3])
    )


def _turns(cells: Array, hexagonal: bool) -> tuple[Array, Array, Array]:
    """Return how flags turn an image: radians counter-clockwise, the flip of the frame, whether width and height swap.

    An image is mirrored first and rotated then. Transposing is a quarter turn clockwise followed by mirroring left and
    right, and mirroring x after a quarter turn equals mirroring y before it.
    """
    mirror_x = (cells & np.uint32(CELL_MIRRORED_X)) != 0
    mirror_y = (cells & np.uint32(CELL_MIRRORED_Y)) != 0
    crossed = (cells & np.uint32(CELL_TRANSPOSED)) != 0
    if hexagonal:
        twice = (cells & np.uint32(ROTATED_120)) != 0
        angle = -(crossed * (math.pi / 3) + twice * (2 * math.pi / 3))
        return angle, mirror_x + 2 * mirror_y, np.zeros(len(cells), np.bool_)
    angle = np.where(crossed, -math.pi / 2, 0.0)
    flip_x = np.where(crossed, mirror_y, mirror_x)
    flip_y = np.where(crossed, ~mirror_x, mirror_y)
    return angle, flip_x.astype(np.int64) + 2 * flip_y.astype(np.int64), crossed


def _instances(
    centre: Array, size: Array, angle: Array, crossed: Array, frame: Array, rgba: Array, matrix: Matrix
) -> tuple[dict[str, Array], tuple[float, float], float]:
    """Return a batch's arrays: sixteen bytes a tile if the matrix only rotates and scales, otherwise a matrix each."""
    a, b, c, d, tx, ty = matrix
    x, y = a * centre[:, 0] + c * centre[:, 1] + tx, b * centre[:, 0] + d * centre[:, 1] + ty
    sx, sy = math.hypot(a, b), math.hypot(c, d)
    square = abs(a * c + b * d) <= 1e-6 * sx * sy and a * d - b * c > 0
    even = abs(sx - sy) <= 1e-6 * max(sx, sy) or not (angle % (math.pi / 2)).any()
    if square and even and len(x):
        w = size[:, 0] * np.where(crossed, sy, sx)
        h = size[:, 1] * np.where(crossed, sx, sy)
        low, high = (x.min(), y.min()), (x.max(), y.max())
        origin = (float(np.floor((low[0] + high[0]) / 2)), float(np.floor((low[1] + high[1]) / 2)))
        maximum = max(high[0] - origin[0], high[1] - origin[1], w.max(), h.max(), 1.0) + 1.0
        unit = 2.0 ** math.ceil(math.log2(maximum / HIGHEST))
        packed = pack_sprites(x, y, w, h, angle + math.atan2(b, a), frame, rgba, origin, unit)
        return {"instances": packed}, origin, unit
    cos, sin = np.cos(angle), np.sin(angle)
    ux, uy, vx, vy = cos * size[:, 0], sin * size[:, 0], -sin * size[:, 1], cos * size[:, 1]
    quads = np.stack([a * ux + c * uy, b * ux + d * uy, a * vx + c * vy, b * vx + d * vy, x, y], axis=1)
    colours = np.tile(rgba, (len(x), 1))
    arrays = {"matrix": quads.astype(np.float32), "frame": frame.astype(np.uint16), "rgba": colours}
    return arrays, (0.0, 0.0), 1.0
