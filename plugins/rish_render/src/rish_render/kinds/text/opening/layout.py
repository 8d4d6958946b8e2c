"""Colors and places of the loading screen. This module imports no library, so that a new window is painted at once."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import NamedTuple

Rgba = tuple[int, int, int, int]

_BAR_WIDTH, _BAR_HEIGHT, _BAR_TOP = 0.4, 0.008, 0.56
"""Of the bar: its width as a part of the window's, its height and its top as parts of the window's height."""
_GLINT = 0.08
"""The length of the part that moves along the bar while one step takes long, as a part of the bar's."""
_INKS: tuple[Rgba, Rgba] = ((244, 245, 248, 255), (10, 11, 14, 255))
"""Colors of letters; the one with the greater contrast to the background is used."""
_SWING_SECONDS = 3


class Colors(NamedTuple):
    """The colors of a loading screen: of the background, the letters, the empty bar, and the part that moves."""

    background: Rgba
    ink: Rgba
    faint: Rgba
    glint: Rgba


class Bar(NamedTuple):
    """The place of the bar in pixels from the left top corner, and its height."""

    left: float
    top: float
    right: float
    height: int

    def reached(self, share: float) -> float:
        """Return where the filled part ends. share: of the work that is done, 0 to 1."""
        return self.left + (self.right - self.left) * min(1.0, share)

    def glint(self, share: float) -> tuple[float, float]:
        """Return where the part that moves in the empty part begins and ends now."""
        reached = self.reached(share)
        length = min((self.right - self.left) * _GLINT, self.right - reached)
        left = reached + (self.right - reached - length) * _swing(time.monotonic())
        return left, left + length


def colors_on(background: Sequence[float]) -> Colors:
    """Return the colors on a background. background: red, green and blue from 0 to 1, more is ignored."""
    red, green, blue = (round(255 * min(max(float(part), 0.0), 1.0)) for part in background[:3])
    opaque = (red, green, blue, 255)
    ink = max(_INKS, key=lambda each: _contrast(each, opaque))
    faint = _mixed(opaque, ink, 0.28)
    return Colors(opaque, ink, faint, _mixed(faint, ink, 0.5))


def bar_in(size: tuple[int, int]) -> Bar:
    """Return the place of the bar. size: width and height of the window in pixels."""
    width, height = size
    middle, half = width / 2, width * _BAR_WIDTH / 2
    return Bar(middle - half, height * _BAR_TOP, middle + half, max(2, round(height * _BAR_HEIGHT)))


def _contrast(one: Rgba, other: Rgba) -> float:
    """Return the contrast of two sRGB colors, 1 to 21 (WCAG 2)."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Rgba) -> float:
    """Return the relative luminance of an sRGB color, 0 to 1 (WCAG 2)."""
    red, green, blue = (part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in color[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _swing(seconds: float) -> float:
    """Return a number that moves smoothly between 0 and 1 and back, once in `_SWING_SECONDS`."""
    return 0.5 - 0.5 * math.cos(2 * math.pi * seconds / _SWING_SECONDS)


def _mixed(low: Rgba, high: Rgba, share: float) -> Rgba:
    """Return a color between two others; share: of the second."""
    red, green, blue, opacity = (round((1 - share) * a + share * b) for a, b in zip(low, high, strict=True))
    return red, green, blue, opacity
