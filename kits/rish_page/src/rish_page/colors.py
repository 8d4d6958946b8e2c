"""The colors of a page, from those of the game's pictures; texts have the contrast that WCAG 2.2 asks for."""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PIL import Image

from .choosing import Thumbs

Color = tuple[float, float, float]
"""Red, green and blue in sRGB, 0 to 1."""
_BINS = 36
_TEXT, _LARGE = 7.0, 4.5
"""Contrast of texts (AAA), and of what is large or less important (AA for all texts)."""
_GLOW_LIGHT, _GLOW_DARK = 0.2, 0.4
"""How much of the blurred picture is seen behind the title, where texts have to be readable on it."""
_GRAY = 0.015
"""The mean chroma below which pictures have no color of their own."""


class Scheme(NamedTuple):
    """The colors of the light or of the dark page, by their use."""

    back: Color
    panel: Color
    line: Color
    text: Color
    quiet: Color
    accent: Color
    on_accent: Color


class Palette(NamedTuple):
    """The colors of a page."""

    light: Scheme
    dark: Scheme


def palette(thumbs: Thumbs, chosen: str | None = None) -> Palette:
    """Return the colors for pictures, float32 (n, h, w, 3). chosen: the color of buttons, as `#rrggbb`."""
    hue, saturation = main_hue(thumbs)
    color = parse(chosen) if chosen else colorsys.hls_to_rgb(hue, 0.6, 0.25 + 0.6 * saturation)
    if chosen:
        hue = colorsys.rgb_to_hls(*color)[0]
    tint = min(0.3, saturation)
    return Palette(_scheme(hue, tint, color, dark=False), _scheme(hue, tint, color, dark=True))


def main_hue(thumbs: Thumbs) -> tuple[float, float]:
    """Return the hue that most of the colorful pixels have, and how colorful these are, both from 0 to 1."""
    image = Image.fromarray((thumbs.reshape(-1, thumbs.shape[2], 3) * 255).astype(np.uint8))
    hues, saturations, values = (np.asarray(band, np.float64).ravel() / 255 for band in image.convert("HSV").split())
    chroma = saturations * values
    if float(chroma.mean()) < _GRAY:
        return 0.6, 0.0
    places = hues * _BINS
    weight = chroma**2
    bins = np.bincount(places.astype(int) % _BINS, weight, _BINS)
    smooth = bins * 2 + np.roll(bins, 1) + np.roll(bins, -1)
    best = int(smooth.argmax())
    near = np.abs((places - best - 0.5 + _BINS / 2) % _BINS - _BINS / 2) < 1.5
    return (best + 0.5) / _BINS, float(min(1.0, np.average(chroma[near], weights=weight[near] + 1e-9) * 1.4))


def _scheme(hue: float, tint: float, color: Color, *, dark: bool) -> Scheme:
    back = colorsys.hls_to_rgb(hue, 0.055 if dark else 0.975, tint)
    panel = colorsys.hls_to_rgb(hue, 0.095 if dark else 1.0, tint)
    worst = panel if dark else back  # the one with the least contrast to texts
    accent = readable(color, worst, _LARGE, lighter=dark)
    on_accent = max(((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), key=lambda each: contrast(each, accent))
    return Scheme(
        back=back,
        panel=panel,
        line=colorsys.hls_to_rgb(hue, 0.2 if dark else 0.86, tint),
        text=readable(colorsys.hls_to_rgb(hue, 0.93 if dark else 0.12, tint), worst, _TEXT, lighter=dark),
        quiet=readable(colorsys.hls_to_rgb(hue, 0.68 if dark else 0.4, tint * 0.6), worst, 5.5, lighter=dark),
        accent=accent,
        on_accent=on_accent,
    )


def readable(color: Color, behind: Color, ratio: float, *, lighter: bool) -> Color:
    """Return a color of the same hue with at least a contrast to another one: itself, or a lighter or darker one."""
    hue, light, saturation = colorsys.rgb_to_hls(*color)
    while contrast(color, behind) < ratio and (light < 1 if lighter else light > 0):
        light = min(1.0, light + 0.01) if lighter else max(0.0, light - 0.01)
        color = colorsys.hls_to_rgb(hue, light, saturation)
    return color


def contrast(one: Color, other: Color) -> float:
    """Return the contrast of two colors, from 1 to 21 (WCAG 2.2, contrast ratio)."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(color: Color) -> float:
    """Return the relative luminance of a color (WCAG 2.2)."""
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def parse(text: str) -> Color:
    """Return the color of `#rrggbb`."""
    red, green, blue = (int(text[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue


def written(color: Color) -> str:
    """Return a color as `#rrggbb`."""
    return "#" + "".join(f"{round(max(0.0, min(1.0, each)) * 255):02x}" for each in color)


def css(colors: Palette) -> Iterator[str]:
    """Yield the lines of a style sheet that define the colors for both schemes."""
    dark = "@media (prefers-color-scheme: dark) {\n:root"
    for head, scheme, glow in ((":root", colors.light, _GLOW_LIGHT), (dark, colors.dark, _GLOW_DARK)):
        values = [f"--{name.replace('_', '-')}: {written(value)};" for name, value in scheme._asdict().items()]
        yield f"{head} {{ {' '.join(values)} --glow: {glow}; }}"
    yield "}"
