"""The loading screen of a game that does not paint its own: its title, a bar, and what happens, on its background."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..text.faces import default_font

if TYPE_CHECKING:
    from ..components.visible import RenderSettings

_BAR_WIDTH, _BAR_HEIGHT = 0.4, 0.008
"""Of the bar: its width as a part of the window's, its height as a part of the window's."""
_TITLE, _TEXT = 0.07, 0.026
"""Sizes of letters as a part of the window's height."""


def paint_loading(
    settings: RenderSettings, title: str, size: tuple[int, int], done: int, total: int
) -> npt.NDArray[np.uint8]:
    """Return the loading screen: uint8 (height, width, 4), opaque. size: width and height in pixels."""
    from PIL import Image, ImageDraw

    width, height = size
    red, green, blue = (round(255 * float(part)) for part in settings.background[:3])
    light = 0.3 * red + 0.59 * green + 0.11 * blue < 140
    ink = (236, 238, 242, 255) if light else (24, 26, 32, 255)
    faint = tuple(round(0.72 * base + 0.28 * top) for base, top in zip((red, green, blue), ink, strict=False))
    image = Image.new("RGBA", size, (red, green, blue, 255))
    draw = ImageDraw.Draw(image)
    middle, bar = width / 2, max(2, round(height * _BAR_HEIGHT))
    left, right = middle - width * _BAR_WIDTH / 2, middle + width * _BAR_WIDTH / 2
    top = height * 0.56
    _write(draw, title, (middle, height * 0.44), max(12, round(height * _TITLE)), ink, width * 0.9)
    draw.rounded_rectangle((left, top, right, top + bar), bar / 2, fill=faint)
    reached = left + (right - left) * min(1.0, done / max(total, 1))
    if reached - left >= bar:
        draw.rounded_rectangle((left, top, reached, top + bar), bar / 2, fill=ink)
    text = f"preparing kernels {done} of {total}, only once" if done < total else "loading"
    _write(draw, text, (middle, top + height * 0.06), max(9, round(height * _TEXT)), ink, width * 0.9)
    return np.array(image)


def _write(draw: Any, text: str, place: tuple[float, float], size: int, ink: tuple[int, ...], widest: float) -> None:
    """Write a line around a place, in smaller letters if it is too wide."""
    font = default_font()
    while size > 8 and draw.textlength(text, font=font.at(size)) > widest:
        size = size * 9 // 10
    draw.text(place, text, fill=ink, font=font.at(size), anchor="mm")
