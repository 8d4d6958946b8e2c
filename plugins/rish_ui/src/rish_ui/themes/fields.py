"""Readers of the fields of a style from the values in a theme file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core.manifest import show

from .values import MAX_LENGTH, Tokens, Wrong

Read = Callable[[Tokens, Any], Any]


def _length(low: float = 0.0, high: float = MAX_LENGTH) -> Read:
    return lambda tokens, value: tokens.length(value, low, high)


def _box(tokens: Tokens, value: Any) -> tuple[float, ...]:
    """Read one length for all sides, [sideways, up and down], or [left, top, right, bottom]."""
    lengths = tokens.lengths(value, (1, 2, 4))
    if len(lengths) == 4:
        return lengths
    return (lengths[0], lengths[-1], lengths[0], lengths[-1])


def _pair(low: float) -> Read:
    def read(tokens: Tokens, value: Any) -> tuple[float, float]:
        lengths = tokens.lengths(value, (1, 2), low)
        return lengths[0], lengths[-1]

    return read


def _slices(tokens: Tokens, value: Any) -> tuple[float, ...]:
    lengths = tokens.lengths(value, (1, 4))
    return lengths if len(lengths) == 4 else lengths * 4


def _image(tokens: Tokens, value: Any) -> str:
    if not isinstance(value, str):
        raise Wrong(f"must be the path of an image, not {show(value)}")
    return value


FIELDS: dict[str, Read] = {
    "fill": Tokens.color,
    "fill_end": Tokens.color,
    "veil": Tokens.color,
    "edge": Tokens.color,
    "edge_width": _length(0, 100),
    "corner": _length(),
    "shadow": Tokens.color,
    "shadow_offset": _pair(-MAX_LENGTH),
    "shadow_spread": _length(0, 200),
    "image": _image,
    "slices": _slices,
    "image_scale": _length(0.01, 100),
    "tint": Tokens.color,
    "opacity": _length(0, 1),
    "color": Tokens.color,
    "outline": Tokens.color,
    "outline_width": _length(0, 20),
    "icon": Tokens.color,
    "icon_size": _length(1, 1000),
    "font": Tokens.font,
    "text_size": _length(4, 400),
    "line_spacing": _length(0.5, 5),
    "letter_spacing": _length(-20, 100),
    "padding": _box,
    "gap": _pair(0.0),
    "least": _pair(0.0),
    "seconds": Tokens.time,
}
"""The keys of a style, and how their values are read: the fields of `Style`, and `veil`, a color over both."""
