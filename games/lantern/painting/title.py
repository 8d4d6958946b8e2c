"""The wall with the game's name: blocks of stone with engraved letters that were once gilded."""

from __future__ import annotations

import numpy as np
from PIL import Image

from rish_jit import Array

from . import stone
from .noise import cloudy, distance, hashed, normals
from .palette import shade

WIDE, HIGH, GROUND = 480, 270, 206
"""The size of the image, and the row where the floor begins from the top, in pixels."""
TALL, TOP, GAP = 66, 52, 11
"""The height of letters, their distance from the top, and the gap between them, in pixels."""
THICK, THIN = 6.4, 3.0
LETTERS: dict[str, tuple[float, tuple[tuple[float, float, float, float, float], ...]]] = {
    "L": (0.62, ((0.12, 0, 0.12, 1, 1), (0.0, 0, 0.6, 0, 0.4), (0.6, 0, 0.6, 0.2, 0.3), (0.0, 1, 0.26, 1, 0.4))),
    "A": (0.92, (
        (0.10, 0, 0.46, 1, 0.45), (0.46, 1, 0.80, 0, 1), (0.22, 0.34, 0.68, 0.34, 0.35), (0.0, 0, 0.22, 0, 0.35),
        (0.66, 0, 0.92, 0, 0.35),
    )),
    "N": (0.88, (
        (0.12, 0, 0.12, 1, 0.5), (0.12, 1, 0.76, 0, 1), (0.76, 0, 0.76, 1, 0.5), (0.0, 0, 0.24, 0, 0.35),
        (0.64, 1, 0.88, 1, 0.35), (0.0, 1, 0.14, 1, 0.35),
    )),
    "T": (0.78, (
        (0.39, 0, 0.39, 1, 1), (0.0, 1, 0.78, 1, 0.4), (0.0, 1, 0.0, 0.82, 0.35), (0.78, 1, 0.78, 0.82, 0.35),
        (0.25, 0, 0.53, 0, 0.35),
    )),
    "E": (0.64, (
        (0.12, 0, 0.12, 1, 1), (0.0, 1, 0.58, 1, 0.4), (0.58, 1, 0.58, 0.84, 0.3), (0.12, 0.53, 0.46, 0.53, 0.4),
        (0.46, 0.61, 0.46, 0.45, 0.3), (0.0, 0, 0.62, 0, 0.4), (0.62, 0, 0.62, 0.18, 0.3),
    )),
    "R": (0.80, (
        (0.12, 0, 0.12, 1, 1), (0.0, 1, 0.42, 1, 0.4), (0.42, 1, 0.57, 0.93, 0.6), (0.57, 0.93, 0.63, 0.77, 0.9),
        (0.63, 0.77, 0.57, 0.60, 0.9), (0.57, 0.60, 0.42, 0.52, 0.6), (0.42, 0.52, 0.12, 0.52, 0.4),
        (0.36, 0.52, 0.72, 0, 1), (0.0, 0, 0.25, 0, 0.35), (0.66, 0, 0.84, 0, 0.35),
    )),
}  # fmt: skip
"""By letter: its width relative to its height, and its strokes: from x, y to x, y (y up), and width, 0 thin to 1 thick.
"""


def paint() -> tuple[Image.Image, Image.Image]:
    """Return the image of the wall and the floor before it, and its normal map."""
    shape = (HIGH, WIDE)
    y, _ = np.mgrid[0:HIGH, 0:WIDE]
    wall, floor = _wall(shape), stone.floor(shape)
    below = y >= GROUND
    color, height, lean = (
        np.where(below[..., None] if a.ndim == 3 else below, b, a) for a, b in zip(wall, floor, strict=True)
    )
    color = color * np.where(below, 0.62 + 0.38 * np.clip((y - GROUND) / 10, 0, 1), 1)[..., None]
    skirting = (y >= GROUND - 9) & (y < GROUND)
    grain = cloudy(shape, 4, 143, 2)
    color[skirting] = shade("brick", 0.44 + (grain - 0.5) * 0.2 - (y == GROUND - 1) * 0.2 + (y == GROUND - 9) * 0.2)[
        skirting
    ]
    picture = Image.fromarray(np.clip(color, 0, 255).astype(np.uint8))
    return picture, Image.fromarray(normals(height, 0.9, lean))


def _wall(shape: tuple[int, int]) -> tuple[Array, Array, Array]:
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    course = (y + 6) // 24
    shift = np.where(course % 2 == 1, 24, 0)
    along, up = (x + shift) % 48, (y + 6) % 24
    number = hashed((x + shift) // 48, course, 141)
    border = np.minimum(np.minimum(along, 47 - along), np.minimum(up, 23 - up)).astype(np.float64)
    grain, stains = cloudy(shape, 5, 145, 3), cloudy(shape, 80, 147, 3)
    value = 0.48 + (number - 0.5) * 0.16 + (grain - 0.5) * 0.22 + (stains - 0.5) * 0.3
    value = np.where(border < 1, 0.18, np.where(up == 1, value + 0.06, value))
    crack = stone.cracks(shape, 149) & (border > 0)
    color = shade("brick", value - crack * 0.25)
    damp = cloudy(shape, 50, 151, 4) + np.clip((y - 150) / 300, 0, 0.2)
    color = np.where((damp > 0.84)[..., None], shade("moss", value - 0.06), color)
    height = np.minimum(border, 2.0) * 0.9 + (grain - 0.5) * 1.3 - crack * 1.5 + (number - 0.5)
    inside = distance(letters(shape), 8)
    cut = inside > 0
    rim = ~cut & (distance(~cut, 3) <= 1.5)
    gilt = 0.66 + (grain - 0.5) * 0.2 - (cloudy(shape, 14, 153) - 0.5) * 0.34
    color = np.where(cut[..., None], shade("gold", gilt), color)
    color = np.where(rim[..., None], shade("brick", value + 0.12), color)
    height = np.where(cut, -1.5 * np.minimum(inside, 5) + (grain - 0.5) * 0.4, height)
    return color, height, np.zeros((*shape, 2))


def letters(shape: tuple[int, int], text: str = "LANTERN") -> Array:
    """Return the bool mask of the letters."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]] + 0.5
    whole = sum(LETTERS[letter][0] * TALL + GAP for letter in text) - GAP
    left, found = (shape[1] - whole) / 2, np.zeros(shape, np.bool_)
    for letter in text:
        width, strokes = LETTERS[letter]
        for x0, y0, x1, y1, thick in strokes:
            ax, ay = left + x0 * TALL, TOP + (1 - y0) * TALL
            bx, by = left + x1 * TALL, TOP + (1 - y1) * TALL
            dx, dy = bx - ax, by - ay
            share = np.clip(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, 1e-9), 0, 1)
            found |= np.hypot(x - ax - share * dx, y - ay - share * dy) < (THIN + (THICK - THIN) * thick) / 1.15
        left += width * TALL + GAP
    return found
