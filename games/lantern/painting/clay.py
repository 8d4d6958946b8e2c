"""Clay: a small image with a color, a surface direction and a glow for each pixel.

Forms are painted over one another; the result is an image, a normal map and an emission map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from rish_jit import Array

from .noise import distance
from .palette import colors, shade


class Clay:
    """An image to paint on. width, height: pixels. x, y: the middles of pixels, y from the top, (height, width)."""

    def __init__(self, width: int, height: int) -> None:
        self.shape = (height, width)
        self.y, self.x = np.mgrid[0:height, 0:width] + 0.5
        self.color = np.zeros((height, width, 3))
        self.there = np.zeros((height, width), np.bool_)
        self.facing = np.zeros((height, width, 3))
        self.facing[..., 2] = 1
        self.glow = np.zeros((height, width, 3))

    def put(self, where: Array, ramp: str, value: Any, facing: Any = (0, 0, 1)) -> None:
        """Paint the pixels of a mask. value: 0..1 in the ramp. facing: (3,) or (h, w, 3), right, up, to the viewer."""
        self.color[where] = shade(ramp, np.broadcast_to(value, self.shape))[where]
        self.facing[where] = np.broadcast_to(facing, (*self.shape, 3))[where]
        self.there |= where

    def box(self, left: float, top: float, right: float, bottom: float) -> Array:
        """Return the bool mask of the pixels within a rectangle."""
        return (self.x > left) & (self.x < right) & (self.y > top) & (self.y < bottom)

    def oval(self, x: float, y: float, wide: float, high: float) -> Array:
        """Return the bool mask of the pixels within an ellipse of these radii."""
        return ((self.x - x) / wide) ** 2 + ((self.y - y) / high) ** 2 <= 1

    def round(self, x: float, y: float, wide: float, high: float) -> Array:
        """Return the surface directions (h, w, 3) of a ball."""
        right, up = (self.x - x) / wide, (y - self.y) / high
        return np.stack([right, up, np.sqrt(np.clip(1.1 - right**2 - up**2, 0.05, None))], axis=-1)

    def column(self, x: float, wide: float) -> Array:
        """Return the surface directions (h, w, 3) of an upright column."""
        right = np.clip((self.x - x) / wide, -1, 1)
        low = np.full(self.shape, -0.25)
        return np.stack([right, low, np.sqrt(np.clip(1.15 - right**2, 0.05, None))], axis=-1)

    def shine(self, where: Array, color: str, strength: Any = 1.0) -> None:
        """Set the glow of the pixels of a mask."""
        rgb = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)], np.float64)
        self.glow[where] = (np.broadcast_to(strength, self.shape)[..., None] * rgb)[where]

    def outline(self, ramp: str = "rock", value: float = 0.05) -> None:
        """Darken the pixels along the inner side of the rim."""
        rim = self.there & (distance(np.pad(self.there, 1), 2)[1:-1, 1:-1] <= 1)
        self.color[rim] = shade(ramp, np.full(self.shape, value))[rim]

    def pictures(self) -> tuple[Image.Image, Image.Image, Image.Image]:
        """Return the image, its normal map and its emission map."""
        alpha = np.where(self.there, 255, 0)[..., None]
        facing = self.facing / np.linalg.norm(self.facing, axis=-1, keepdims=True)
        glows = np.where(self.glow.max(axis=-1) > 0, 255, 0)[..., None]
        layers = ((self.color, alpha), ((facing * 0.5 + 0.5) * 255, alpha), (self.glow, glows))
        made = [Image.fromarray(np.clip(np.dstack(layer), 0, 255).astype(np.uint8)) for layer in layers]
        return made[0], made[1], made[2]


def save(clay: Clay | Sequence[Clay], folder: Path, name: str) -> None:
    """Write NAME.png, NAME_normal.png and, if anything glows, NAME_glow.png; several make one sheet, side by side."""
    row = [clay] if isinstance(clay, Clay) else list(clay)
    whole = Clay(sum(one.shape[1] for one in row), row[0].shape[0])
    for part in ("color", "there", "facing", "glow"):
        setattr(whole, part, np.concatenate([getattr(one, part) for one in row], axis=1))
    for picture, suffix in zip(whole.pictures(), ("", "_normal", "_glow"), strict=True):
        if suffix != "_glow" or whole.glow.any():
            picture.save(folder / f"{name}{suffix}.png", optimize=True)


def carve(rows: Sequence[str], letters: Mapping[str, tuple[str, float]], bulge: float = 1.0) -> Clay:
    """Return clay from rows of characters: each is a ramp and a value, a dot is empty. The rim is rounded."""
    clay = Clay(len(rows[0]), len(rows))
    marks = np.array([list(row) for row in rows])
    clay.there = marks != "."
    for letter, (ramp, value) in letters.items():
        clay.color[marks == letter] = colors(ramp)[round(value * (len(colors(ramp)) - 1))]
    inward = distance(np.pad(clay.there, 2), 6)[2:-2, 2:-2]
    high = np.pad(np.sqrt(np.minimum(inward, 4.0)) * 2 * bulge, 1)
    right, up = (high[1:-1, :-2] - high[1:-1, 2:]) / 2, (high[2:, 1:-1] - high[:-2, 1:-1]) / 2
    clay.facing = np.stack([right, up, np.ones_like(right)], axis=-1)
    return clay
