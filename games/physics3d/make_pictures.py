"""Draws `edge.png`, `ball.png` and `floor.png`, the maps of the bodies and of the floor: `python make_pictures.py`."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw


def edge(size: int = 64) -> Image.Image:
    """Return a white square with a darker border, so that the sides of boxes stand out from each other."""
    image = Image.new("RGB", (size, size), (190, 194, 204))
    ImageDraw.Draw(image).rectangle((2, 2, size - 3, size - 3), fill=(255, 255, 255))
    return image


def ball(size: int = 128) -> Image.Image:
    """Return eight stripes from pole to pole, so that the rotation of a ball is seen."""
    image = Image.new("RGB", (size, size // 2), (255, 255, 255))
    draw = ImageDraw.Draw(image)
    for k in range(0, 8, 2):
        draw.rectangle((k * size // 8, 0, (k + 1) * size // 8 - 1, size), fill=(176, 182, 198))
    return image


def floor(size: int = 128) -> Image.Image:
    """Return a tile of the floor with a light border."""
    image = Image.new("RGB", (size, size), (255, 255, 255))
    ImageDraw.Draw(image).rectangle((1, 1, size - 2, size - 2), fill=(216, 220, 230))
    return image


def main() -> None:
    """Save the pictures beside this script."""
    here = Path(__file__).parent
    for draw in (edge, ball, floor):
        draw().save(here / f"{draw.__name__}.png", optimize=True)


if __name__ == "__main__":
    main()
