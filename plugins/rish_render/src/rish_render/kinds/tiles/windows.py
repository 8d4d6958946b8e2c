"""Windows: sprites of a map around the view, packed in one step and kept while the view stays inside.

A window is larger than the view by half its size on each side. It stays the same batch until the view leaves it, the
tiles change or the map moves. Sprites are in strips, which can be drawn apart on a layer that is sorted by y.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rish_frame import Batch, PerVersion, pack_sprites
from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED, MAX_POSITION, Blend, Filter
from rish_jit import Array

from ...tiles.model import ROTATED_120, Box, Matrix
from .frames import TileFrames

MARGIN = 0.5
"""How far a window extends beyond the view on each side, in sizes of the view."""
_WINDOWS = 4  # windows that are kept per layer, enough for several cameras
_SPARE = 20.0  # largest area of a kept window, in areas of the view; larger ones are packed again
_SMALL = 4096  # windows of at most this many sprites are kept at any size of the view


@dataclass(eq=False)
class Window:
    """The sprites packed for an area. starts: int64 k+1, the start of each strip. heights: float32 k, y to sort by."""

    box: Box
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

    def batch(self, rows: Array | slice, filter_: Filter, blend: Blend) -> Batch:
        """Return consecutive strips as one batch."""
        first, last = (rows.start, rows.stop - 1) if isinstance(rows, slice) else (int(rows[0]), int(rows[-1]))
        part = slice(int(self.starts[first]), int(self.starts[last + 1]))
        arrays = {name: array[part] for name, array in self.arrays.items()}
        kind = "sprites" if "instances" in arrays else "sprites_wide"
        return Batch(kind, arrays, blend=blend, filter=filter_, origin=self.origin, unit=self.unit, source="render")


class Windows:
    """The latest windows of one layer. A subclass says what is in a box, and packs it. frames: of the map's tiles."""

    def __init__(self, frames: TileFrames) -> None:
        self.frames = frames
        self._windows = PerVersion[list[Window]]()

    def whole(self) -> Box:
        """Return the box outside of which there is nothing."""
        raise NotImplementedError

    def state(self) -> Any:
        """Return what the content depends on besides the frames."""
        raise NotImplementedError

    def pack(self, box: Box, matrix: Matrix, rgba: Array) -> Window:
        """Return a window with all sprites that touch a box."""
        raise NotImplementedError

    def window(self, box: Box, matrix: Matrix, rgba: Array) -> Window:
        """Return the window around a box of the layer's own space (x0 y0 x1 y1); the same object while it fits.

        matrix: from that space to the pass's. rgba: uint8 4.
        """
        key = (self.state(), matrix, rgba.tobytes())
        windows = self._windows.get(self.frames, key)
        if windows is None:
            windows = self._windows.put(self.frames, list[Window](), key)
        area = (box[2] - box[0]) * (box[3] - box[1])
        whole = self.whole()
        for index, window in enumerate(windows):
            small = len(window) <= _SMALL or _area(window.box, whole) <= _SPARE * area
            if small and _holds(window.box, box, whole):
                if window.phase != self.frames.phase and len(window.moving):
                    window = windows[index] = self._moved(window)
                return window
        dx, dy = (box[2] - box[0]) * MARGIN, (box[3] - box[1]) * MARGIN
        wide = (box[0] - dx, box[1] - dy, box[2] + dx, box[3] + dy)
        window = self.pack(wide, matrix, rgba)
        windows[:] = [window, *windows][:_WINDOWS]
        return window

    def _moved(self, window: Window) -> Window:
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


def turns(cells: Array, hexagonal: bool) -> tuple[Array, Array, Array]:
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


def instances(
    center: Array, size: Array, angle: Array, crossed: Array, frame: Array, rgba: Array, matrix: Matrix
) -> tuple[dict[str, Array], tuple[float, float], float]:
    """Return a batch's arrays: sixteen bytes a tile if the matrix only rotates and scales, otherwise a matrix each."""
    a, b, c, d, tx, ty = matrix
    x, y = a * center[:, 0] + c * center[:, 1] + tx, b * center[:, 0] + d * center[:, 1] + ty
    sx, sy = math.hypot(a, b), math.hypot(c, d)
    square = abs(a * c + b * d) <= 1e-6 * sx * sy and a * d - b * c > 0
    even = abs(sx - sy) <= 1e-6 * max(sx, sy) or not (angle % (math.pi / 2)).any()
    if square and even and len(x):
        w = size[:, 0] * np.where(crossed, sy, sx)
        h = size[:, 1] * np.where(crossed, sx, sy)
        low, high = (x.min(), y.min()), (x.max(), y.max())
        origin = (float(np.floor((low[0] + high[0]) / 2)), float(np.floor((low[1] + high[1]) / 2)))
        maximum = max(high[0] - origin[0], high[1] - origin[1], w.max(), h.max(), 1.0) + 1.0
        unit = 2.0 ** math.ceil(math.log2(maximum / MAX_POSITION))
        packed = pack_sprites(x, y, w, h, angle + math.atan2(b, a), frame, rgba, origin, unit)
        return {"instances": packed}, origin, unit
    cos, sin = np.cos(angle), np.sin(angle)
    ux, uy, vx, vy = cos * size[:, 0], sin * size[:, 0], -sin * size[:, 1], cos * size[:, 1]
    quads = np.stack([a * ux + c * uy, b * ux + d * uy, a * vx + c * vy, b * vx + d * vy, x, y], axis=1)
    colors = np.tile(rgba, (len(x), 1)) if rgba.ndim == 1 else rgba
    arrays = {"matrix": quads.astype(np.float32), "frame": frame.astype(np.uint16), "rgba": colors}
    return arrays, (0.0, 0.0), 1.0
