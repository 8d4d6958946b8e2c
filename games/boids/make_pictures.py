"""Draws `bird.png`, four positions of the wings side by side, `falcon.png` and `glow.png`: `python make_pictures.py`.

Shapes are drawn with Pillow at sixteen times their size and then reduced, so that edges are smooth.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageChops, ImageDraw

CELL = (24, 28)
FINE = 16
SPREADS = (1.0, 0.72, 0.36, 0.72)
"""How far the wings are spread, in the order of a beat."""


def bird(spread: float, size: tuple[int, int] = CELL) -> Image.Image:
    """Return the image of a bird that flies to the right, seen from above, white."""
    width, height = size[0] * FINE, size[1] * FINE
    image = Image.new("RGBA", (width, height), (255, 255, 255, 0))
    draw = ImageDraw.Draw(image)
    middle = height / 2
    for side in (-1, 1):
        reach = side * spread * middle * 0.96
        wing = [(0.78, 0), (0.72, 0.3), (0.56, 0.62), (0.22, 1), (0.44, 0.55), (0.4, 0.12), (0.4, 0)]
        draw.polygon([(width * x, middle + reach * y) for x, y in wing], fill=(224, 220, 232, 255))
    draw.ellipse((width * 0.26, middle * 0.87, width * 0.96, middle * 1.13), fill=(255, 255, 255, 255))
    tail = [(width * 0.10, middle * 0.84), (width * 0.36, middle * 0.94), (width * 0.36, middle * 1.06)]
    draw.polygon([*tail, (width * 0.10, middle * 1.16), (width * 0.18, middle)], fill=(236, 232, 242, 255))
    return image.resize(size, Image.Resampling.LANCZOS)


def glow(size: int = 128) -> Image.Image:
    """Return a white disc that fades to nothing at its border."""
    far = Image.radial_gradient("L").resize((size, size))  # 0 in the middle, 255 in the corners
    near = far.point([max(0, round(255 * (1 - value / 180))) for value in range(256)])
    image = Image.new("RGBA", (size, size), (255, 255, 255, 0))
    image.putalpha(ImageChops.multiply(near, near))
    return image


def main() -> None:
    """Save the images beside this script."""
    here = Path(__file__).parent
    sheet = Image.new("RGBA", (CELL[0] * len(SPREADS), CELL[1]))
    for number, spread in enumerate(SPREADS):
        sheet.paste(bird(spread), (CELL[0] * number, 0))
    sheet.save(here / "bird.png", optimize=True)
    bird(0.9, (72, 84)).save(here / "falcon.png", optimize=True)
    glow().save(here / "glow.png", optimize=True)


if __name__ == "__main__":
    main()
