"""The loading screen of a game that does not paint its own: title, bar and what is loaded, on its background."""

from __future__ import annotations

import functools
import itertools
import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_frame.paint.writing import clusters_of

from ..kinds.text.faces import Faces

if TYPE_CHECKING:
    from ..components.visible import RenderSettings

_BAR_WIDTH, _BAR_HEIGHT = 0.4, 0.008
"""Of the bar: its width as a part of the window's, its height as a part of the window's."""
_GLINT = 0.08
"""The length of the part that moves along the bar while a kernel takes long, as a part of the bar's."""
_INKS = ((244, 245, 248, 255), (10, 11, 14, 255))
"""Colors of letters; the one with the greater contrast to the background is used."""
_TITLE, _TEXT = 0.07, 0.026
"""Sizes of letters as a part of the window's height."""


def paint_loading(
    settings: RenderSettings, title: str, size: tuple[int, int], done: int, total: int, what: str = ""
) -> npt.NDArray[np.uint8]:
    """Return the loading screen: uint8 (height, width, 4), opaque. size: width and height in pixels.

    what: is loaded; "" while kernels are compiled.
    """
    from PIL import Image, ImageDraw

    width, height = size
    red, green, blue = (round(255 * float(part)) for part in settings.background[:3])
    ink = max(_INKS, key=lambda each: _contrast(each, (red, green, blue)))
    faint = _mixed((red, green, blue), ink, 0.28)
    image = Image.new("RGBA", size, (red, green, blue, 255))
    draw = ImageDraw.Draw(image)
    middle, bar = width / 2, max(2, round(height * _BAR_HEIGHT))
    left, right = middle - width * _BAR_WIDTH / 2, middle + width * _BAR_WIDTH / 2
    top = height * 0.56
    faces = _faces(settings.language)
    _write(draw, faces, title, (middle, height * 0.44), max(12, round(height * _TITLE)), ink, width * 0.9)
    draw.rounded_rectangle((left, top, right, top + bar), bar / 2, fill=faint)
    reached = left + (right - left) * min(1.0, done / max(total, 1))
    length = min((right - left) * _GLINT, right - reached)
    place = reached + (right - reached - length) * _swing(time.monotonic())
    if length >= bar:
        draw.rounded_rectangle((place, top, place + length, top + bar), bar / 2, fill=_mixed(faint, ink))
    if reached - left >= bar:
        draw.rounded_rectangle((left, top, reached, top + bar), bar / 2, fill=ink)
    compiles = done < total and not what
    text = f"preparing kernels {done} of {total}, only once" if compiles else f"loading {what}".rstrip()
    _write(draw, faces, text, (middle, top + height * 0.06), max(9, round(height * _TEXT)), ink, width * 0.9)
    return np.array(image)


def _contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Return the contrast of two sRGB colors, 1 to 21 (WCAG 2)."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: tuple[int, ...]) -> float:
    """Return the relative luminance of an sRGB color, 0 to 1 (WCAG 2)."""
    red, green, blue = (part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in color[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _swing(seconds: float) -> float:
    """Return a number that moves smoothly between 0 and 1 and back, once in three seconds."""
    return 0.5 - 0.5 * math.cos(2 * math.pi * seconds / 3)


def _mixed(low: tuple[int, ...], high: tuple[int, ...], share: float = 0.5) -> tuple[int, ...]:
    """Return a color between two others; share: of the second."""
    return tuple(round((1 - share) * a + share * b) for a, b in zip(low, high, strict=False))


@functools.lru_cache(maxsize=1)
def _faces(language: str) -> Faces:
    """Return the fonts for a language; kept, because the screen is painted many times."""
    return Faces(language)


def _write(
    draw: Any, faces: Faces, text: str, place: tuple[float, float], size: int, ink: tuple[int, ...], widest: float
) -> None:
    """Write a line around a place, each cluster in a font that has it, in smaller letters if it is too wide."""
    first = faces.default
    picked = ((faces.pick(cluster, first) or first, cluster) for cluster in clusters_of(text, shaped=first.shaping))
    runs = [(face, "".join(part for _, part in run)) for face, run in itertools.groupby(picked, lambda pair: pair[0])]

    def width() -> float:
        return sum(draw.textlength(run, font=face.at(size)) for face, run in runs)

    while size > 8 and width() > widest:
        size = size * 9 // 10
    ascent, descent = first.metrics(size)
    pen, line = place[0] - width() / 2, place[1] + (ascent - descent) / 2
    for face, run in runs:
        draw.text((pen, line), run, fill=ink, font=face.at(size), anchor="ls")
        pen += draw.textlength(run, font=face.at(size))
