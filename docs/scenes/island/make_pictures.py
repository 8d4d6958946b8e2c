"""Draws the images of the island: `tiles.png`, `things.png`, `hopper.png`. After a change: `python make_pictures.py`.

Everything is drawn with Pillow's shapes at four times its size and then reduced, so that edges are smooth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image, ImageColor, ImageDraw

from rish_render import BLOB_SUMS

HERE = Path(__file__).parent
TILE, FINE, COLUMNS = 32, 4, 10
WAVES = 3
"""The number of water cells, one per step of the animation. They are at the start of the sheet, before the land."""
ROUND = 15
"""The radius of the corners of the land, in pixels."""
SEA, FOAM, WET, SAND, SHADE, GRASS = "#2f86c4", "#8fd0ee", "#d8bd80", "#ecd9a0", "#4f9a40", "#6cbc52"
Pen = ImageDraw.ImageDraw


def drawn(size: tuple[int, int], draw: Callable[[Pen], None], ground: str | None = None) -> Image.Image:
    """Return an image drawn FINE times as large and then reduced; `draw` uses lengths in pixels times FINE."""
    large = Image.new("RGBA", (size[0] * FINE, size[1] * FINE), ground or (0, 0, 0, 0))
    draw(ImageDraw.Draw(large))
    return large.resize(size, Image.Resampling.BOX)


def oval(pen: Pen, x: float, y: float, rx: float, ry: float, color: str) -> None:
    """Draw an ellipse around a point, in pixels of the final image."""
    pen.ellipse([(x - rx) * FINE, (y - ry) * FINE, (x + rx) * FINE, (y + ry) * FINE], fill=color)


def water(step: int) -> Image.Image:
    """Return a cell of the sea; the ripples move by a third of their cycle with each step."""

    def draw(pen: Pen) -> None:
        for k, (x, y) in enumerate([(3, 7), (19, 14), (8, 24)]):
            shift = round(2.4 * math.sin(math.tau * (step / WAVES + k / 3)))
            pen.arc([(x + shift) * FINE, y * FINE, (x + shift + 9) * FINE, (y + 5) * FINE], 200, 340, "#4a9dd6", FINE)

    return drawn((TILE, TILE), draw, SEA)


def land(total: int) -> Image.Image:
    """Return one piece of `blob`: grass, with a beach and foam towards each neighbor that is not land."""
    height = from_shore(total)
    made = np.zeros((*height.shape, 4), np.uint8)
    for minimum, color in ((0, FOAM), (2, WET), (3.5, SAND), (9, SHADE), (10, GRASS)):
        made[height >= minimum] = ImageColor.getcolor(color, "RGBA")
    cell = Image.fromarray(made)
    if total == 255:
        meadow(ImageDraw.Draw(cell))
    return cell.resize((TILE, TILE), Image.Resampling.BOX)


def from_shore(total: int) -> np.ndarray:
    """Return the distance of each point of a piece from the shore, pixels, float (h, w); below 0 in the sea.

    A corner of the land is rounded, a corner of the sea is a quarter of a circle, so that neighbors fit.
    """
    at = (np.arange(TILE * FINE) + 0.5) / FINE
    x, y = np.meshgrid(at, at)
    far = np.full_like(x, TILE)
    north, east, south, west = (
        np.where(total & worth, far, d) for worth, d in zip((1, 4, 16, 64), (y, TILE - x, TILE - y, x), strict=True)
    )
    found = far
    for worth, u, v, corner in (
        (2, north, east, np.hypot(TILE - x, y)),
        (8, south, east, np.hypot(TILE - x, TILE - y)),
        (32, south, west, np.hypot(x, TILE - y)),
        (128, north, west, np.hypot(x, y)),
    ):
        rounded = ROUND - np.hypot(ROUND - u, ROUND - v)
        found = np.minimum(found, np.where((u < ROUND) & (v < ROUND), rounded, np.minimum(u, v)))
        if not total & worth:
            found = np.minimum(found, corner)
    return found


def meadow(pen: Pen) -> None:
    """Draw a few blades of grass."""
    for x, y in ((6, 9), (21, 6), (13, 20), (26, 25)):
        for lean in (-2, 0, 2):
            pen.line([x * FINE, y * FINE, (x + lean) * FINE, (y - 4) * FINE], fill="#5aa844", width=FINE)


def tree(pen: Pen) -> None:
    """Draw a round tree in a cell of 48 by 64."""
    oval(pen, 24, 59, 14, 4, "#1f4a2640")
    pen.rounded_rectangle([20 * FINE, 38 * FINE, 28 * FINE, 60 * FINE], 3 * FINE, fill="#7a5334")
    for x, y, r, color in (
        (24, 27, 21, "#2f6e3a"),
        (24, 25, 19, "#3f8a48"),
        (18, 19, 10, "#58a858"),
        (31, 29, 6, "#4d9a50"),
    ):
        oval(pen, x, y, r, r * 0.95, color)


def pine(pen: Pen) -> None:
    """Draw a pine."""
    oval(pen, 24, 59, 12, 4, "#1f4a2640")
    pen.rectangle([21 * FINE, 48 * FINE, 27 * FINE, 60 * FINE], fill="#6a4830")
    for top, half, color in ((26, 19, "#24583c"), (15, 16, "#2e6c48"), (3, 12, "#3c8258")):
        pen.polygon(
            [(24 * FINE, top * FINE), ((24 - half) * FINE, (top + 26) * FINE), ((24 + half) * FINE, (top + 26) * FINE)],
            fill=color,
        )


def flowers(pen: Pen) -> None:
    """Draw a tuft of flowers."""
    for x, y, color in ((16, 50, "#ffffff"), (24, 45, "#ffd24a"), (32, 51, "#ff8fb0"), (25, 56, "#ffffff")):
        pen.line([x * FINE, y * FINE, x * FINE, (y + 5) * FINE], fill="#3f8a48", width=FINE)
        for k in range(5):
            oval(pen, x + 2.4 * math.cos(k * math.tau / 5), y + 2.4 * math.sin(k * math.tau / 5), 1.7, 1.7, color)
        oval(pen, x, y, 1.4, 1.4, "#f0a020" if color != "#ffd24a" else "#b06018")


def boat(pen: Pen) -> None:
    """Draw a small sailing boat from above, its bow to the right."""
    hull = [(6, 25), (30, 22), (44, 32), (30, 42), (6, 39)]
    pen.polygon([(x * FINE, y * FINE) for x, y in hull], fill="#6b4226")
    pen.polygon([(x * FINE * 0.86 + 3.4 * FINE, y * FINE * 0.8 + 6.4 * FINE) for x, y in hull], fill="#a8703f")
    pen.polygon(
        [(26 * FINE, 14 * FINE), (19 * FINE, 32 * FINE), (26 * FINE, 50 * FINE), (30 * FINE, 32 * FINE)], fill="#fff6e0"
    )
    pen.line([26 * FINE, 14 * FINE, 26 * FINE, 50 * FINE], fill="#5a3820", width=FINE)


def hopper(height: float, squeeze: float) -> Image.Image:
    """Return a hopper in a cell of 32 by 48. height: above the ground, pixels. squeeze: 1 upright, less on landing."""

    def draw(pen: Pen) -> None:
        oval(pen, 16, 45, 10 - height * 0.3, 2.6, "#1f4a2650")

        def part(x: float, y: float, rx: float, ry: float, color: str) -> None:
            oval(
                pen,
                16 + (x - 16) / squeeze**0.5,
                46 - height - (40 - y) * squeeze,
                rx / squeeze**0.5,
                ry * squeeze,
                color,
            )

        dark, fur, belly = "#3a2a3a", "#f7efe4", "#ffffff"
        for side in (-1, 1):
            part(16 + 5 * side, 10, 3.8, 8.6, dark)
            part(16 + 5 * side, 10, 2.8, 7.6, fur)
            part(16 + 5 * side, 11, 1.3, 5.2, "#f6b8b8")
        part(16, 30, 11.6, 9.8, dark)
        part(16, 30, 10.6, 8.8, fur)
        part(16, 21, 10.4, 8.8, dark)
        part(16, 21, 9.4, 7.8, fur)
        for side in (-1, 1):
            part(16 + 4 * side, 20, 1.7, 2.2, "#2a2230")
            part(16 + 6.4 * side, 23.4, 1.6, 1.0, "#ff9c9c")
        part(16, 23.2, 1.2, 0.9, "#c8586c")
        part(16, 32.5, 5, 4.4, belly)

    return drawn((32, 48), draw)


def sheet(cells: list[Image.Image], columns: int) -> Image.Image:
    """Return cells of one size side by side, row by row."""
    width, height = cells[0].size
    made = Image.new("RGBA", (columns * width, -(-len(cells) // columns) * height))
    for number, cell in enumerate(cells):
        made.paste(cell, (number % columns * width, number // columns * height))
    return made


def main() -> None:
    """Write the three sheets beside this file."""
    tiles = [water(step) for step in range(WAVES)] + [land(int(total)) for total in BLOB_SUMS]
    sheet(tiles, COLUMNS).save(HERE / "tiles.png", optimize=True)
    things = [drawn((48, 64), draw) for draw in (tree, pine, flowers, boat)]
    sheet(things, len(things)).save(HERE / "things.png", optimize=True)
    hops = [(0, 1.0), (0, 0.86), (3, 1.06), (6, 1.04), (3, 1.0), (0, 0.9)]
    sheet([hopper(*hop) for hop in hops], len(hops)).save(HERE / "hopper.png", optimize=True)


if __name__ == "__main__":
    main()
