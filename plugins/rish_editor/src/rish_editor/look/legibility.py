"""The contrast of colors (WCAG 2.2)."""

from __future__ import annotations

from .theme import Rgba


def over(above: Rgba, below: Rgba) -> Rgba:
    """Return the color of a translucent surface above an opaque one."""
    part = above[3]
    red, green, blue = (part * a + (1 - part) * b for a, b in zip(above[:3], below[:3], strict=True))
    return red, green, blue, 1.0


def contrast(one: Rgba, other: Rgba) -> float:
    """Return the contrast of two opaque colors, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Rgba) -> float:
    """Return the relative luminance of a color in sRGB (WCAG 2.2)."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
