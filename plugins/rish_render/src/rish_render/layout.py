"""Layout: where the letters of a text stand.

Lines break at spaces where they grow wider than allowed. Widths are measured on a large reference font, kerning
included, and scaled down: so lines break at the same place whatever the zoom, and letters are spaced as the font's
designer meant, not rounded to whole pixels. A layout depends on its `TextStyle` and text alone and is shared by all
backends.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

REFERENCE = 1000
"""The font size, in pixels, on which letters are measured."""


class Face(Protocol):
    """A font at any size, as the layout needs it; sizes are whole pixels."""

    def advance(self, size: int, text: str, /) -> float:
        """How far the pen moves, pixels, with kerning."""
        ...

    def metrics(self, size: int) -> tuple[int, int]:
        """Ascent and descent, pixels, both positive."""
        ...


@dataclass(frozen=True)
class TextStyle:
    """How a text is set. size, wrap: in units. pixels: the size in whole pixels at which glyphs are drawn."""

    size: float
    pixels: int
    align: str = "left"
    line_spacing: float = 1.0
    wrap: float = 0.0


@dataclass(frozen=True)
class Layout:
    """The letters of a text: characters, and their pen positions in pixels, float32 (n, 2), y up.

    The origin is the bottom left corner of the block; width and height are the block's, pixels.
    """

    characters: str
    pens: Array
    width: float
    height: float


def lay_out(text: str, face: Face, style: TextStyle) -> Layout:
    """Set a text in lines."""
    scale = style.pixels / style.size
    lines = [line for part in text.expandtabs(4).split("\n") for line in break_line(part, face, style.wrap, style.size)]
    ascent, descent = face.metrics(style.pixels)
    step = max(round((ascent + descent) * style.line_spacing), 1)
    height = ascent + descent + step * (len(lines) - 1)
    shrink = style.pixels / REFERENCE
    widths = [face.advance(REFERENCE, line) * shrink for line in lines]
    width = max([*widths, style.wrap * scale])
    characters: list[str] = []
    pens: list[tuple[float, float]] = []
    for number, (line, wide) in enumerate(zip(lines, widths, strict=True)):
        free = {"left": 0.0, "center": (width - wide) / 2, "right": width - wide}[style.align]
        base = height - ascent - step * number
        for character, x in zip(line, _pens(line, face), strict=True):
            if not character.isspace():
                characters.append(character)
                pens.append((free + x * shrink, base))
    where = np.array(pens, np.float32).reshape(-1, 2)
    return Layout("".join(characters), where, float(width), float(height))


def break_line(text: str, face: Face, wrap: float, size: float) -> list[str]:
    """Break one line into several, none wider than `wrap` units where words allow it; wrap 0 never breaks."""
    if wrap <= 0 or not text:
        return [text]
    most = wrap / size * REFERENCE
    measure: Callable[[str], float] = functools.partial(face.advance, REFERENCE)
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and measure(longer) > most:
            lines.append(line)
            line = word
        else:
            line = longer
        while measure(line) > most and len(line) > 1:
            fitting = _longest(line, measure, most)
            lines.append(line[:fitting])
            line = line[fitting:]
    return [*lines, line]


def _longest(word: str, measure: Callable[[str], float], most: float) -> int:
    """How many letters of a word that is too long fit into a line, at least one."""
    return next((n - 1 for n in range(2, len(word) + 1) if measure(word[:n]) > most), len(word))


def _pens(line: str, face: Face) -> list[float]:
    """Where the pen stands before each letter of a line, on the reference font."""
    pens: list[float] = []
    pen = 0.0
    for k, character in enumerate(line):
        if k:
            pair = line[k - 1] + character
            pen += face.advance(REFERENCE, pair) - face.advance(REFERENCE, character)
        pens.append(pen)
    return pens
