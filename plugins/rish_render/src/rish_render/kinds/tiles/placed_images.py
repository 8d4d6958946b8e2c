"""Draws the pictures of a map that stand anywhere: objects that show a tile, images, the map's color."""

from __future__ import annotations

import logging
import math
from typing import Any

import numpy as np

from rish_jit import Array

from ...tiles.boards import Board
from ...tiles.model import TILE, Box, Matrix, PictureLayer
from .frames import TileFrames
from .windows import Window, Windows, instances, turns

_log = logging.getLogger("rish.tiles")
_SIXTEENTH = 1 / 16
_COPIES = 1 << 18  # most copies of a repeated image in a window


class Pictures(Windows):
    """The pictures of one layer. hidden: classes whose objects are not drawn, because prefabs are spawned for them."""

    def __init__(self, board: Board, layer: PictureLayer, frames: TileFrames, hidden: frozenset[str]) -> None:
        super().__init__(frames)
        self.board, self.layer, self.hidden = board, layer, hidden
        self.cache: dict[Any, Any] = {}
        self._reach = np.hypot(layer.size[:, 0], layer.size[:, 1]) / 2
        low, high = layer.center - self._reach[:, None], layer.center + self._reach[:, None]
        x0, y0 = np.where(layer.repeat, -math.inf, low.min(axis=0, initial=math.inf)).tolist()
        x1, y1 = np.where(layer.repeat, math.inf, high.max(axis=0, initial=-math.inf)).tolist()
        self._whole: Box = (x0, y0, x1, y1)

    def whole(self) -> Box:
        """Return the box around all pictures."""
        return self._whole

    def state(self) -> Any:
        """Return the hidden classes; the pictures themselves never change."""
        return self.hidden

    def touching(self, box: Box) -> tuple[Array, Array]:
        """Return the rows of the pictures that may touch a box, and their centers, float64 (n, 2)."""
        layer = self.layer
        if any(layer.repeat):
            return self._copies(box)
        (x, y), reach = layer.center.T, self._reach
        near = (x + reach > box[0]) & (x - reach < box[2]) & (y + reach > box[1]) & (y - reach < box[3])
        if self.hidden:
            things = self.board.map.objects
            near &= [thing < 0 or things[thing].kind not in self.hidden for thing in layer.things.tolist()]
        rows = np.flatnonzero(near)
        return rows, layer.center[rows]

    def touches(self, corners: Array) -> bool:
        """Whether the box around some points, (n, 2), touches the upright box around an object's tile.

        Images and the color of the map are not touched: they are what things stand on.
        """
        layer, (low, high) = self.layer, (corners.min(axis=0), corners.max(axis=0))
        rows, center = self.touching((*low.tolist(), *high.tolist())) if not any(layer.repeat) else ([], layer.center)
        cos, sin = np.abs(np.cos(layer.angle[rows])), np.abs(np.sin(layer.angle[rows]))
        w, h = layer.size[rows].T / 2
        reach = np.stack([cos * w + sin * h, sin * w + cos * h], axis=1)
        near = ((center + reach >= low) & (center - reach <= high)).all(axis=1)
        return bool((near & (layer.things[rows] >= 0)).any())

    def _copies(self, box: Box) -> tuple[Array, Array]:
        """Return the copies of a repeated image that touch a box."""
        steps: list[Array] = []
        for axis in (0, 1):
            size = float(self.layer.size[0, axis])
            low = float(self.layer.center[0, axis]) - size / 2
            first, last = 0, 0
            if self.layer.repeat[axis] and size > 0:
                first, last = math.floor((box[axis] - low) / size), math.ceil((box[axis + 2] - low) / size) - 1
            steps.append(np.arange(first, max(last, first - 1) + 1 if self.layer.repeat[axis] else 1) * size)
        if len(steps[0]) * len(steps[1]) > _COPIES:
            key = f"{self.board.asset} {self.layer.name}"
            if self.board.cache.setdefault("copies", key) == key:
                self.board.cache["copies"] = ""
                what = "%s: the image of the layer %r is too small to be repeated over the view, so it is drawn once"
                _log.warning(what, self.board.asset, self.layer.name)
            steps = [np.zeros(1), np.zeros(1)]
        x, y = np.meshgrid(*steps)
        centers = self.layer.center[0] + np.stack([x.ravel(), y.ravel()], axis=1)
        return np.zeros(len(centers), np.int64), centers

    def pack(self, box: Box, matrix: Matrix, rgba: Array) -> Window:
        """Pack all pictures that touch a box into a window, each in a strip of its own."""
        layer, frames = self.layer, self.frames
        rows, center = self.touching(box)
        number = (layer.cells[rows] & np.uint32(TILE)).astype(np.int64)
        good = frames.frame[frames.shown[number]] >= 0
        rows, center, number = rows[good], center[good], number[good]
        angle, flips, crossed = turns(layer.cells[rows], self.board.map.grid.orientation == "hexagonal")
        colors = np.repeat(rgba[None], len(rows), axis=0)
        colors[:, 3] = np.floor(rgba[3] * layer.fade[rows] + 0.5)
        moving = np.flatnonzero(frames.animated[number])
        frame = frames.frame[frames.shown[number]] + flips
        center = center + _nudges(center, np.where(crossed[:, None], layer.size[rows, ::-1], layer.size[rows]))
        arrays, origin, unit = instances(
            center, layer.size[rows], angle + layer.angle[rows], crossed, frame, colors, matrix
        )
        base = (matrix[1] * center[:, 0] + matrix[3] * layer.base[rows] + matrix[5]).astype(np.float32)
        return Window(
            box, frames.phase, arrays, origin, unit, np.arange(len(rows) + 1), base, moving, number[moving],
            flips[moving],
        )  # fmt: skip


def _nudges(center: Array, size: Array) -> Array:
    """Return float64 (n, 2): what to add to centers so that a box on half a pixel fills the pixels that Tiled gives it.

    Such a box covers half of the pixels at both of its ends. Tiled draws it to the right and downwards; a sixteenth of
    a pixel in this direction, the unit of a sprite's position, decides it here too.
    """
    left, top = center[:, 0] - size[:, 0] / 2, center[:, 1] + size[:, 1] / 2
    return np.stack([(left % 1 == 0.5) * _SIXTEENTH, (top % 1 == 0.5) * -_SIXTEENTH], axis=1)
