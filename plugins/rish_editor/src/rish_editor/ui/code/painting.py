"""Colors of drawn code: the triangles that TextEditor has drawn get the colors of the theme.

TextEditor has two fixed palettes and no YAML. All colors of a palette are different, so the color of a vertex shows
what it belongs to. Glyphs are quads of four vertices; where the parts of the lines are known, a glyph gets the color of
the part at its position.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui_color_text_edit

if TYPE_CHECKING:
    from ...look.theme import Theme

TextEditor = imgui_color_text_edit.TextEditor
PALETTE = TextEditor.get_dark_palette()
_NAMES = {
    "text": "text", "keyword": "text_accent", "declaration": "prefab", "number": "warning", "string": "ok",
    "punctuation": "text_dim", "preprocessor": "warning", "identifier": "text", "known_identifier": "info",
    "comment": "text_dim", "background": "input", "selection": "selection", "whitespace": "border_strong",
    "matching_bracket_background": "selection", "matching_bracket_active": "accent",
    "matching_bracket_level1": "text_dim", "matching_bracket_level2": "text_dim",
    "matching_bracket_level3": "text_dim", "matching_bracket_error": "error", "line_number": "text_disabled",
    "current_line_number": "text", "current_line_highlight": "hover", "current_line_highlight_border": "hover",
}  # fmt: skip
"""The colors of the theme by those of TextEditor."""
PARTS = {
    "comment": "text_dim", "key": "text_accent", "string": "ok", "keyword": "info", "number": "warning",
    "anchor": "prefab", "punctuation": "text_dim", "plain": "text",
}  # fmt: skip
"""The colors of the theme by parts of a line."""
_GLYPHS = ("text", "keyword", "declaration", "number", "string", "punctuation", "preprocessor", "identifier",
           "known_identifier", "comment", "matching_bracket_level1", "matching_bracket_level2",
           "matching_bracket_level3", "matching_bracket_error")  # fmt: skip
_VERTEX = np.dtype([("x", "<f4"), ("y", "<f4"), ("u", "<f4"), ("v", "<f4"), ("color", "<u4")])
"""ImDrawVert of Dear ImGui."""

Row = Sequence[tuple[float, str]]
"""The parts of a drawn line: where they begin, units of the window, and their names."""


def _drawn_as(name: str) -> int:
    return int(PALETTE.get(getattr(TextEditor.Color, name)))


@lru_cache(8)
def _exchange(theme: Theme) -> tuple[Any, Any]:
    """Return the colors of TextEditor in ascending order, and the colors of the theme that replace them; uint32 n."""
    pairs = sorted((_drawn_as(name), theme.packed(color_name)) for name, color_name in _NAMES.items())
    before, after = np.array(pairs, np.uint32).T
    return np.ascontiguousarray(before), np.ascontiguousarray(after)


_TEXT = np.array(sorted({_drawn_as(name) for name in _GLYPHS}), np.uint32)


def _drawn(vertices: Any) -> Any:
    """Return the vertices of a draw list as an array of `_VERTEX`, which shares their memory."""
    memory = (ctypes.c_char * (vertices.size() * _VERTEX.itemsize)).from_address(vertices.data_address())
    return np.frombuffer(memory, _VERTEX)


def paint_background(vertices: Any, theme: Theme) -> None:
    """Change the background of a text to the color of the theme. vertices: of the window around it, which draws the
    background."""
    colors = _drawn(vertices)["color"]
    colors[colors == _drawn_as("background")] = theme.packed("input")


def paint(vertices: Any, theme: Theme, rows: Sequence[Row] = (), top: float = 0.0, height: float = 1.0) -> None:
    """Change the colors of the vertices of a text to those of the theme. vertices: the buffer of a draw list, changed
    in place.

    rows: the parts of the visible lines, the first one at `top`, each `height` high, units of the window.
    """
    if not vertices.size():
        return
    corners = _drawn(vertices)
    colors = corners["color"]
    if rows:
        _paint_rows(corners, theme, rows, top, height)
    before, after = _exchange(theme)
    at = np.minimum(np.searchsorted(before, colors), len(before) - 1)
    is_known = before[at] == colors
    colors[is_known] = after[at[is_known]]


def _paint_rows(corners: Any, theme: Theme, rows: Sequence[Row], top: float, height: float) -> None:
    """Change the colors of glyphs to those of the parts of the line that they belong to."""
    first = np.flatnonzero(np.isin(corners["color"], _TEXT))
    first = first[: len(first) // 4 * 4 : 4]
    if not len(first) or int(first[-1]) + 4 > len(corners):
        return
    x = (corners["x"][first] + corners["x"][first + 2]) / 2
    row = np.floor(((corners["y"][first] + corners["y"][first + 2]) / 2 - top) / height).astype(np.int64)
    for number, parts in enumerate(rows):
        here = row == number
        if not parts or not here.any():
            continue
        glyphs, places = first[here], x[here]
        starts = np.array([left for left, _ in parts])
        part = np.searchsorted(starts, places, "right") - 1
        glyph_colors = np.array([theme.packed(PARTS[name]) for _, name in parts], np.uint32)[np.maximum(part, 0)]
        for corner in range(4):
            corners["color"][glyphs + corner] = glyph_colors
