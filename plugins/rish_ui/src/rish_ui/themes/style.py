"""`Style`: the look of one part of a widget in one state; `State`: the states; `mix`: interpolates two styles."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any

Rgba = tuple[int, int, int, int]
"""Red, green, blue and opacity, 0 to 255, not premultiplied; as in `rish_frame.paint`."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Pair = tuple[float, float]
CLEAR: Rgba = (0, 0, 0, 0)


class State(IntEnum):
    """The states of a widget, in the order in which they are applied: the later one wins."""

    ON = 1
    SELECTED = 2
    FOCUSED = 4
    HOVERED = 8
    PRESSED = 16
    INVALID = 32
    DISABLED = 64


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a widget, or a part of it, in one state. Lengths are units of the interface, y down.

    fill, fill_end: of the background, at its top and bottom. edge, edge_width: of the outline, inside the border.
    corner: radius. shadow: color of the shadow, moved by shadow_offset and larger by shadow_spread on each side.
    image, slices, image_scale: a nine-patch over the fill, its margins (left, right, top, bottom, in texels of the
    image) and the size of a texel of the margins; tint: multiplies its colors. opacity: multiplies all colors.
    color: of the text. outline, outline_width: around its letters. icon, icon_size: color that multiplies icons, and
    the length of their side. font: path of a font; empty: the default. line_spacing, letter_spacing: as in `TextLook`.
    padding: between the border and the content; gap: between columns and between rows of the content. least: the
    smallest width and height. seconds: of the transition to this style.
    """

    fill: Rgba = CLEAR
    fill_end: Rgba = CLEAR
    edge: Rgba = CLEAR
    edge_width: float = 0.0
    corner: float = 0.0
    shadow: Rgba = CLEAR
    shadow_offset: Pair = (0.0, 0.0)
    shadow_spread: float = 0.0
    image: str = ""
    slices: Box = (0.0, 0.0, 0.0, 0.0)
    image_scale: float = 1.0
    tint: Rgba = (255, 255, 255, 255)
    opacity: float = 1.0
    color: Rgba = (255, 255, 255, 255)
    outline: Rgba = CLEAR
    outline_width: float = 0.0
    icon: Rgba = (255, 255, 255, 255)
    icon_size: float = 16.0
    font: str = ""
    text_size: float = 16.0
    line_spacing: float = 1.0
    letter_spacing: float = 0.0
    padding: Box = (0.0, 0.0, 0.0, 0.0)
    gap: Pair = (0.0, 0.0)
    least: Pair = (0.0, 0.0)
    seconds: float = 0.0


LAYOUT = frozenset(
    {"padding", "gap", "least", "font", "text_size", "line_spacing", "letter_spacing", "outline_width", "icon_size"}
)
"""The fields on which the layout depends. `mix` takes them from the second style, so that nothing moves."""
OF_TEXT = frozenset(
    {"color", "outline", "outline_width", "icon", "icon_size", "font", "text_size", "line_spacing", "letter_spacing"}
)
"""The fields that a part takes from its widget if it does not have them itself."""
_COLORS = frozenset({"fill", "fill_end", "edge", "shadow", "tint", "color", "outline", "icon"})
_NUMBERS = frozenset({"edge_width", "corner", "shadow_spread", "opacity"})
_MIXED = tuple(f.name for f in fields(Style) if f.name in _COLORS | _NUMBERS | {"shadow_offset"})


def mix(a: Style, b: Style, t: float) -> Style:
    """Interpolate two styles: a at 0, b at 1. Fields of the layout, images and `seconds` are those of b."""
    if t >= 1.0 or a is b:
        return b
    if t <= 0.0:
        t = 0.0
    values: dict[str, Any] = {f: getattr(b, f) for f in Style.__slots__}
    for name in _MIXED:
        start, end = getattr(a, name), values[name]
        if start != end:
            values[name] = mix_colors(start, end, t) if name in _COLORS else _mix_numbers(start, end, t)
    return Style(**values)


def mix_colors(a: Rgba, b: Rgba, t: float) -> Rgba:
    """Interpolate two colors, weighted by opacity, so that a transparent color adds no hue."""
    alpha = a[3] + (b[3] - a[3]) * t
    if alpha <= 0.0:
        return CLEAR
    weight = b[3] * t / alpha
    red, green, blue = (round(a[i] + (b[i] - a[i]) * weight) for i in range(3))
    return red, green, blue, round(alpha)


def over(top: Rgba, below: Rgba) -> Rgba:
    """Return the color that results from `top` over `below`."""
    alpha = top[3] + below[3] * (255 - top[3]) / 255
    if alpha <= 0.0:
        return CLEAR
    weight = top[3] / alpha
    red, green, blue = (round(below[i] + (top[i] - below[i]) * weight) for i in range(3))
    return red, green, blue, round(alpha)


def _mix_numbers(a: Any, b: Any, t: float) -> Any:
    if isinstance(a, tuple):
        return tuple(x + (y - x) * t for x, y in zip(a, b, strict=True))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return a + (b - a) * t
