"""The loading screen of a game that does not paint its own: title, bar and what is loaded, on its background."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_frame.paint.writing import clusters_of

from ..faces import Faces
from .layout import Bar, Colors, bar_in, colors_on

_TITLE, _TEXT = 0.07, 0.026
"""Sizes of letters as a part of the window's height."""
_TITLE_MIDDLE, _TEXT_BELOW = 0.44, 0.06
"""The middle of the title, and the distance of the text from the bar, as parts of the window's height."""


def paint_loading(
    background: Sequence[float],
    language: str,
    title: str,
    size: tuple[int, int],
    done: int,
    total: int,
    what: str = "",
) -> npt.NDArray[np.uint8]:
    """Return the loading screen: uint8 (height, width, 4), opaque.

    background: red, green and blue from 0 to 1. language: selects the fonts. size: width and height in pixels. what: is
    loaded; "" while kernels are compiled.
    """
    compiles = done < total and not what
    text = f"preparing kernels {done} of {total}, only once" if compiles else f"loading {what}".rstrip()
    card = card_of(tuple(background[:3]), language, title, size)
    return np.array(card.paint(text, done / max(total, 1)))


class Card:
    """The loading screen of one game for one size of its window; the title is written once."""

    def __init__(self, background: Sequence[float], language: str, title: str, size: tuple[int, int]) -> None:
        from PIL import Image, ImageDraw

        self._width, self._height = size
        self._faces = _faces(language)
        self._colors: Colors = colors_on(background)
        self.bar: Bar = bar_in(size)
        self._titled: Any = Image.new("RGBA", size, self._colors.background)
        draw = ImageDraw.Draw(self._titled)
        self._write(draw, title, self._height * _TITLE_MIDDLE, max(12, round(self._height * _TITLE)))

    def paint(self, text: str, share: float | None = None) -> Any:
        """Return the image, of Pillow. share: of the work that is done, 0 to 1; None: without the bar."""
        from PIL import ImageDraw

        image = self._titled.copy()
        draw = ImageDraw.Draw(image)
        if share is not None:
            self._draw_bar(draw, share)
        below = self.bar.top + self._height * _TEXT_BELOW
        self._write(draw, text, below, max(9, round(self._height * _TEXT)))
        return image

    def _draw_bar(self, draw: Any, share: float) -> None:
        bar, colors = self.bar, self._colors
        bottom, radius = bar.top + bar.height, bar.height / 2
        draw.rounded_rectangle((bar.left, bar.top, bar.right, bottom), radius, fill=colors.faint)
        left, right = bar.glint(share)
        if right - left >= bar.height:
            draw.rounded_rectangle((left, bar.top, right, bottom), radius, fill=colors.glint)
        reached = bar.reached(share)
        if reached - bar.left >= bar.height:
            draw.rounded_rectangle((bar.left, bar.top, reached, bottom), radius, fill=colors.ink)

    def _write(self, draw: Any, text: str, middle: float, size: int) -> None:
        """Write a line in the middle of the window, in smaller letters if it is too wide.

        Each cluster is written in a font that has it. middle: of the letters, in pixels from the top.
        """
        faces, widest = self._faces, self._width * 0.9
        first = faces.default
        picked = ((faces.pick(cluster, first) or first, cluster) for cluster in clusters_of(text, shaped=first.shaping))
        runs = [(face, "".join(part for _, part in run)) for face, run in itertools.groupby(picked, lambda p: p[0])]

        def width() -> float:
            return sum(draw.textlength(run, font=face.at(size)) for face, run in runs)

        while size > 8 and width() > widest:
            size = size * 9 // 10
        ascent, descent = first.metrics(size)
        pen, line = self._width / 2 - width() / 2, middle + (ascent - descent) / 2
        for face, run in runs:
            draw.text((pen, line), run, fill=self._colors.ink, font=face.at(size), anchor="ls")
            pen += draw.textlength(run, font=face.at(size))


@functools.lru_cache(maxsize=1)
def card_of(background: tuple[float, ...], language: str, title: str, size: tuple[int, int]) -> Card:
    """Return the loading screen of a game; the last one is cached, because it is painted many times."""
    return Card(background, language, title, size)


@functools.lru_cache(maxsize=1)
def _faces(language: str) -> Faces:
    """Return the fonts for a language; cached for windows that change their size."""
    return Faces(language)
