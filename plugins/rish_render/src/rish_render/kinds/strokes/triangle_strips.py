"""Strips: the triangles of a stroke, cached, with the colors and texels of their corners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rish_ecs.declarations import distinct
from rish_jit import Array

from .mesh import pixel_of
from .path import Path, dashed, make_path, with_points_at
from .stroke import Strip, Style, make_strip

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction


_KEPT = 8192


@dataclass(frozen=True)
class Texture:
    """An image along a line: its page, its rectangle there (x y w h, texels), and whether it repeats."""

    page: int
    place: tuple[int, int, int, int]
    tiled: bool


@dataclass(frozen=True)
class Stroke:
    """A key of the triangles of a stroke: equal strokes have equal triangles.

    points: the bytes of float32 (n, 2). widths: at start and end. level: of the size of a pixel. apart: whether
    overlaps are cut. marks: the number of colors along it. tile: the aspect ratio, width to height, of a repeating
    image, or 0.
    """

    points: bytes
    widths: tuple[float, float]
    closed: bool
    style: Style
    level: int
    apart: bool
    dashes: bytes = b""
    dash_offset: float = 0.0
    marks: int = 0
    tile: float = 0.0

    @property
    def path(self) -> Path:
        """The middle line, with points at the positions where a color, a tile or the width changes along it."""
        pixel = pixel_of(self.level)
        points = np.frombuffer(self.points, np.float32).reshape(-1, 2)
        path = make_path(points, self.widths, self.closed, 0.02 * pixel)
        first, last = self.widths
        length = path.length
        places: list[Array] = [np.zeros(0)]
        if self.marks > 2:
            places.append(np.arange(1, self.marks - 1) * length / (self.marks - 1))
        if self.tile:
            places.append(np.arange(1, round(length / self.tile_length(length))) * self.tile_length(length))
        if min(first, last) < pixel < max(first, last):
            places.append(np.array([length * (pixel - first) / (last - first)]))
        return with_points_at(path, distinct(np.concatenate(places)))

    def tile_length(self, length: float) -> float:
        """Return the length of a repeating image, units, so that a whole number of them fills the line."""
        own = max(self.tile * max(self.widths), pixel_of(self.level))
        return length / min(max(round(length / own), 1), 4096)

    def strip(self) -> tuple[Strip, float]:
        """Return the triangles, and the length of the path."""
        path = self.path
        cut = dashed(path, np.frombuffer(self.dashes, np.float32), self.dash_offset)
        return make_strip(cut, self.style, pixel_of(self.level), self.apart), path.length


def strip_of(scene: Extraction, stroke: Stroke) -> tuple[Strip, float]:
    """Return the triangles of a stroke, from the cache or newly made, and the length of its path."""
    cache: dict[Stroke, tuple[Strip, float]] = scene.cache.parts.setdefault("strips", {})
    entry = cache.get(stroke)
    if entry is None:
        if len(cache) >= _KEPT:
            cache.clear()
        entry = cache[stroke] = stroke.strip()
    return entry


def colors_of(strip: Strip, length: float, colors: Array) -> Array:
    """Return the colors of the triangles' corners, uint8 (m, 4), from `colors` (float32 (k, 4)) along a path."""
    part = np.clip(strip.along / (length if length > 0 else 1), 0, 1) * (len(colors) - 1)
    at = np.minimum(part.astype(np.int64), max(len(colors) - 2, 0))
    if len(colors) > 1:
        rest = (part - at)[:, None].astype(np.float32)
        rgba = colors[at] * (1 - rest) + colors[at + 1] * rest
    else:
        rgba = np.repeat(colors, len(strip.along), axis=0)
    rgba[:, 3] *= strip.cover
    return np.clip(np.floor(rgba * 255 + 0.5), 0, 255).astype(np.uint8)


def texels_of(strip: Strip, length: float, texture: Texture, tile: float) -> Array:
    """Return column and line on the page of each corner, float32 (m, 2). tile: length of a repeating image, units."""
    x, y, w, h = texture.place
    step = tile if tile > 0 else max(length, 1e-9)
    low = np.full(int(strip.polygon[-1]) + 1, np.inf, np.float32)
    high = np.full(len(low), -np.inf, np.float32)
    np.minimum.at(low, strip.polygon, strip.along)
    np.maximum.at(high, strip.polygon, strip.along)
    turn = np.floor((low + high) / 2 / step)[strip.polygon]
    across = np.clip(strip.along / step - turn, 0, 1)
    down = (1 - strip.across) / 2
    margin = 0.02  # texels, so that no neighbor on the page is sampled
    column = x + margin + across * (w - 2 * margin)
    line = y + margin + down * (h - 2 * margin)
    return np.stack([column, line], axis=1).astype(np.float32)
