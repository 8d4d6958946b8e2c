"""Places texts on the pixels of a view, and turns their letters into sprites.

Positions are counted in pixels of the target from the corner of a *cell*, a square with a fixed position in the world.
So sixteen bytes can hold any position, and a camera that scrolls by whole pixels moves the cells and leaves the bytes
unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import pack_sprites
from rish_frame.frame import fits
from rish_jit import Array

from ....components.visible import Text
from ....drawables.drawables import rgba_bytes
from ..fonts import LARGEST_UNSTRETCHED, quantized
from ..letters import SHADOW, SPAN, Letters

if TYPE_CHECKING:
    from ....drawables.extraction import Extraction, Seen
    from ....scene.view import View


CELL = 4096.0
"""The side of a cell, in pixels."""
_ROUND = 16  # sizes are rounded to 1 / _ROUND of a pixel
_CLOSE = 1e-4


@dataclass
class Places:
    """The positions of n texts. source: what they were computed from.

    pixels: int64, the size of their glyphs. exact: float64, the size at which letters are spaced. sharp: bool, on whole
    pixels. scale: float64, units a pixel. turn: float64 (n, 4), the matrix a b c d from glyph pixels to target pixels.
    at: float64 (n, 2), pixels from the cell's corner. ground: float64 (n, 5), the cell: whether it is in screen space,
    its x, its y, whether it is on whole pixels, and the layer's number if that has a parallax, otherwise -1.
    """

    scene: Extraction
    source: tuple[Any, ...]
    pixels: Array
    exact: Array
    sharp: Array
    scale: Array
    turn: Array
    at: Array
    ground: Array

    def holds(self, scene: Extraction, seen: Seen, sizes: Array) -> bool:
        """Return whether nothing that they were computed from has changed."""
        stack, view, flat, before, sizes_before = self.source
        same = stack is scene.stack and view == scene.view and flat == scene.flat
        return same and seen.equals(before) and np.array_equal(sizes, sizes_before)

    @cached_property
    def key(self) -> Array:
        """The values that the sprites of a text depend on, one row a text."""
        return np.concatenate([self.turn, self.at, self.ground], axis=1)

    def origin_of(self, ground: Array) -> tuple[tuple[float, float], float]:
        """Return the current world position of a cell's corner, and the size of a pixel in units."""
        view = self.scene.flat if ground[0] else self.scene.view
        shift = _shift(self.scene, np.array([int(ground[4])]))[0] if ground[4] >= 0 else np.zeros(2)
        corner = ground[1:3] * (CELL / view.resolution) + shift
        if ground[3]:
            corner = to_world(view, np.floor(to_pixels(view, corner) + 0.5))
        return (float(corner[0]), float(corner[1])), 1.0 / view.resolution


def to_pixels(view: View, points: Array) -> Array:
    """Convert world positions, float64 (..., 2), to target pixels from the bottom left of the viewport."""
    return (view.to_screen(points) - view.corner) * (np.array(view.drawn_size) / view.size)


def to_world(view: View, pixels: Array) -> Array:
    """Convert target pixels from the bottom left of the viewport, float64 (..., 2), to world positions."""
    return view.to_world(pixels * (np.array(view.size) / view.drawn_size) + view.corner)


def _shift(scene: Extraction, numbers: Array) -> Array:
    """Return how far the parallax of the given layers moves the things on them, float64 (n, 2)."""
    follow = np.where(scene.stack.screen[:, None], np.float32(1), scene.stack.parallax)[numbers]
    return (1.0 - follow) * np.array(scene.view.center)


def place(scene: Extraction, seen: Seen, last: Places | None) -> Places:
    """Compute the pixel positions of all texts of a view; those of the last frame are used again if they hold."""
    sizes = scene.world[Text].size[seen.rows]
    if last is not None and last.holds(scene, seen, sizes):
        last.scene = scene
        return last
    m = seen.matrix[:, :4].astype(np.float64)
    size = sizes.astype(np.float64)
    density = np.maximum(np.hypot(m[:, 0], m[:, 1]), np.hypot(m[:, 2], m[:, 3]))
    resolution = scene.density(seen.numbers).astype(np.float64)
    exact = np.maximum(np.floor(size * density * resolution * _ROUND + 0.5) / _ROUND, 1.0)
    pixels = quantized(exact)
    flat = scene.stack.screen[seen.numbers]
    upright = np.where(flat, is_even(scene.flat), is_even(scene.view) and scene.view.rotation == 0)
    even = (m[:, 0] > 0) & (np.abs(m[:, 3] - m[:, 0]) <= _CLOSE * m[:, 0])
    straight = upright & even & (m[:, 1] == 0) & (m[:, 2] == 0)
    plain = straight & (pixels <= LARGEST_UNSTRETCHED)
    exact = np.where(plain, exact, pixels)
    turn = m * (size / exact * resolution)[:, None]
    turn[plain] = (1, 0, 0, 1)
    at, ground = _cells(scene, seen, straight, flat)
    source = scene.stack, scene.view, scene.flat, seen, sizes
    return Places(scene, source, pixels, exact, straight, size / exact, turn, at, ground)


def is_even(view: View) -> bool:
    """Return True if the view's pixels are squares."""
    (w, h), (wide, high) = view.size, view.drawn_size
    return abs(w * high - h * wide) <= max(wide, high)


def _cells(scene: Extraction, seen: Seen, straight: Array, flat: Array) -> tuple[Array, Array]:
    """Return the grid cell of each text, and the text's position within this cell."""
    n = len(seen.rows)
    origin = seen.matrix[:, 4:].astype(np.float64)
    moving = ~flat & (scene.stack.parallax[seen.numbers] != 1).any(axis=1)
    shift = np.where(moving[:, None], _shift(scene, seen.numbers), 0.0)
    at, ground = np.zeros((n, 2)), np.zeros((n, 5))
    ground[:, 0], ground[:, 3], ground[:, 4] = flat, straight, np.where(moving, seen.numbers, -1)
    for view, mine in ((scene.flat, flat), (scene.view, ~flat)):
        if not mine.any():
            continue
        unit = CELL / view.resolution
        cell = np.floor((origin[mine] - shift[mine]) / unit + 0.5)
        corner = cell * unit + shift[mine]
        exact = (origin[mine] - corner) * view.resolution
        pixels = np.floor(to_pixels(view, np.concatenate([origin[mine], corner])) + 0.5)
        whole = pixels[: len(corner)] - pixels[len(corner) :]
        at[mine] = np.where(straight[mine, None], whole, exact)
        ground[mine, 1:3] = cell
    return at, ground


def pack(
    table: Any, seen: Seen, places: Places, some: Array, letters: list[Letters]
) -> tuple[Array, dict[int, dict[str, Array]], Array]:
    """Return how many sprites each of some texts has, and all of them one after another, INSTANCE.

    For texts that these can't hold, the second result has arrays of `sprites_wide`, by the number of the text.
    """
    counts = np.array([len(one.frames) for one in letters])
    owner = np.repeat(some, counts)
    boxes = np.concatenate([one.boxes for one in letters])
    frames = np.concatenate([one.frames for one in letters])
    inks = np.concatenate([one.inks for one in letters])
    index = np.repeat(np.arange(len(some)), counts)
    rgba = _tints(table, seen.rows[some], index, inks, np.concatenate([one.spans for one in letters]))
    x, y = _moved(places.turn[owner], boxes[:, :2])
    sx, sy = _shadows(table, seen, places, some)
    dark = inks == SHADOW
    x = x + places.at[owner, 0] + np.where(dark, sx[index], 0.0)
    y = y + places.at[owner, 1] + np.where(dark, sy[index], 0.0)
    turn = places.turn[owner]
    stretch = np.hypot(turn[:, 0], turn[:, 1])
    w, h = boxes[:, 2] * stretch, boxes[:, 3] * stretch
    fit = fits(x, y, w, h, frames) & _similar(turn)
    packed = pack_sprites(x, y, w, h, np.arctan2(turn[:, 1], turn[:, 0]), frames, rgba)
    ends = np.cumsum(counts)
    wide: dict[int, dict[str, Array]] = {}
    for k in sorted(set(index[~fit].tolist())):
        part, number = slice(ends[k] - counts[k], ends[k]), int(some[k])
        unit = places.origin_of(places.ground[number])
        wide[number] = _wide(turn[part], x[part], y[part], boxes[part], unit, frames[part], rgba[part])
    return counts, wide, packed


def _moved(turn: Array, points: Array) -> tuple[Array, Array]:
    """Convert points in glyph pixels to target pixels."""
    x, y = points[:, 0], points[:, 1]
    return turn[:, 0] * x + turn[:, 2] * y, turn[:, 1] * x + turn[:, 3] * y


def _similar(turn: Array) -> Array:
    """Return bool n: whether each matrix only rotates and scales evenly."""
    a, b, c, d = turn.T
    near = _CLOSE * (np.abs(a) + np.abs(b))
    return (np.abs(a - d) <= near) & (np.abs(b + c) <= near)


def _shadows(table: Any, seen: Seen, places: Places, some: Array) -> tuple[Array, Array]:
    """Return the shadow offsets of some texts, in pixels; whole pixels for texts on whole pixels."""
    m, by = seen.matrix[some, :4].astype(np.float64), table.shadow_offset[seen.rows[some]]
    resolution = places.scene.density(seen.numbers[some]).astype(np.float64)
    x, y = (fall * resolution for fall in _moved(m, by))
    sharp = places.sharp[some]
    return np.where(sharp, np.floor(x + 0.5), x), np.where(sharp, np.floor(y + 0.5), y)


def _tints(table: Any, rows: Array, owner: Array, inks: Array, spans: Array) -> Array:
    """Return the colors of the letters, uint8 (n, 4)."""
    opacity = table.opacity[rows]
    own = np.concatenate([table.column(name)[rows] for name in ("shadow", "outline", "color", "color")])
    rgba = rgba_bytes(own, np.concatenate([opacity] * 4)).reshape(4, len(rows), 4)[inks, owner]
    mine = inks == SPAN
    if mine.any():
        rgba[mine] = rgba_bytes(spans[mine].astype(np.float32) / np.float32(255), opacity[owner[mine]])
    return rgba


def _wide(
    turn: Array, x: Array, y: Array, boxes: Array, ground: tuple[tuple[float, float], float], frames: Array, rgba: Array
) -> dict[str, Array]:
    """Return letters as `sprites_wide` arrays: parallelograms in the world."""
    (x0, y0), unit = ground
    matrix = np.empty((len(x), 6), np.float32)
    matrix[:, 0:2] = turn[:, 0:2] * boxes[:, 2:3] * unit
    matrix[:, 2:4] = turn[:, 2:4] * boxes[:, 3:4] * unit
    matrix[:, 4], matrix[:, 5] = x0 + x * unit, y0 + y * unit
    return {"matrix": matrix, "frame": frames.copy(), "rgba": rgba}
