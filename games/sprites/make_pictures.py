"""Draws `hoppers.png`: eight hoppers side by side. Run it again after a change: `python make_pictures.py`.

Everything is drawn with Pillow's shapes at eight times its size and then reduced, so that edges are smooth.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

CELL = (32, 40)
FINE = 8
COATS = {
    "snow": ("#f4f1ea", "#c9c2b8", "#ffffff"),
    "sand": ("#e8c48c", "#b88a50", "#f8e4c0"),
    "fox": ("#f08a48", "#b4521e", "#ffd8b4"),
    "rose": ("#f29ab4", "#c25a7e", "#ffd4e0"),
    "plum": ("#a07ae0", "#6242a8", "#d4c0fa"),
    "sky": ("#6ab8f0", "#2c74b8", "#c8e8ff"),
    "moss": ("#84c86a", "#468a3a", "#d4f2c0"),
    "slate": ("#8a94a8", "#525c74", "#ccd4e2"),
}
"""For each hopper, the colors of its fur, its shade, and its belly."""
DARK, BLUSH, INNER = "#2a2230", "#ff9c9c", "#f6b8b8"


def hopper(fur: str, shade: str, belly: str) -> Image.Image:
    """Return the image of one hopper from the front."""
    width, height = CELL
    large = Image.new("RGBA", (width * FINE, height * FINE), (0, 0, 0, 0))
    pen = ImageDraw.Draw(large)

    def oval(x: float, y: float, rx: float, ry: float, color: str) -> None:
        pen.ellipse([(x - rx) * FINE, (y - ry) * FINE, (x + rx) * FINE, (y + ry) * FINE], fill=color)

    for side in (-1, 1):
        oval(16 + 5.2 * side, 9.2, 3.9, 9.0, DARK)
        oval(16 + 5.2 * side, 9.2, 2.9, 8.0, fur)
        oval(16 + 5.2 * side, 10.0, 1.4, 5.8, INNER)
    oval(16, 28.8, 12.4, 10.2, DARK)
    oval(16, 28.8, 11.4, 9.2, shade)
    oval(16, 27.6, 11.0, 8.6, fur)
    for side in (-1, 1):
        oval(16 + 6.4 * side, 36.8, 4.6, 2.6, DARK)
        oval(16 + 6.4 * side, 36.6, 3.7, 1.8, fur)
    oval(16, 20.2, 10.6, 9.0, DARK)
    oval(16, 20.2, 9.6, 8.0, fur)
    for side in (-1, 1):
        oval(16 + 4.1 * side, 19.2, 1.8, 2.3, DARK)
        oval(16 + 4.1 * side + 0.6, 18.4, 0.7, 0.7, "#ffffff")
        oval(16 + 6.6 * side, 22.6, 1.7, 1.1, BLUSH)
    oval(16, 22.6, 1.3, 0.9, "#c8586c")
    oval(16, 31.4, 5.4, 4.8, belly)
    return large.resize(CELL, Image.Resampling.LANCZOS)


def main() -> None:
    """Write the sheet beside this file."""
    sheet = Image.new("RGBA", (CELL[0] * len(COATS), CELL[1]), (0, 0, 0, 0))
    for number, coat in enumerate(COATS.values()):
        sheet.paste(hopper(*coat), (number * CELL[0], 0))
    sheet.save(Path(__file__).with_name("hoppers.png"), optimize=True)


if __name__ == "__main__":
    main()
