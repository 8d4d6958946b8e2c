"""All pairs of colors of a theme that need enough contrast: texts and lines, and what they are drawn on."""

from __future__ import annotations

from collections.abc import Iterator

from rish_editor.look import Theme
from rish_editor.look.legibility import over

Rgba = tuple[float, float, float, float]
_PLAIN = ("window", "panel", "header", "bar", "popup", "input", "input_hover")
_PRESSED = ("button", "button_hover", "button_active")
_LAID_OVER = ("stripe", "hover", "active")
_COLORED = (
    "ok",
    "warning",
    "error",
    "info",
    "trace",
    "debug",
    "critical",
    "mixed",
    "override",
    "prefab",
    "unsaved",
    "play",
)
_OUTLINES = (
    "axis_x",
    "axis_y",
    "axis_z",
    "axis_center",
    "outline",
    "camera",
    "collider",
    "sensor",
    "body",
    "joint",
    "light",
    "emitter",
    "sound",
)


def text_pairs(theme: Theme) -> Iterator[tuple[str, str, Rgba, Rgba]]:
    """Yield each pair of a text and what it is drawn on: the two names, and the two colors as opaque ones."""
    surfaces = {name: theme.rgba(name) for name in _PLAIN}
    laid = {
        f"{layer} on {name}": over(theme.rgba(layer), theme.rgba(name))
        for layer in _LAID_OVER
        for name in ("panel", "popup")
    }
    pressed = {name: theme.rgba(name) for name in _PRESSED}
    rows = {name: theme.rgba(name) for name in ("selection", "selection_idle", "critical_row")}
    yield from _pairs(theme, "text", surfaces | laid | rows | pressed)
    yield from _pairs(theme, "text_dim", surfaces | laid | rows)
    yield from _pairs(theme, "critical", {"critical_row": rows.pop("critical_row")})
    for text in ("text_accent", "prefab", "warning", "error"):
        yield from _pairs(theme, text, rows)
    yield from _pairs(theme, "text_accent", surfaces)
    yield from _pairs(
        theme, "text_disabled", {name: theme.rgba(name) for name in ("panel", "header", "popup", "input", "bar")}
    )
    for text in _COLORED:
        yield from _pairs(
            theme, text, {"panel": surfaces["panel"], "header": surfaces["header"], "stripe": laid["stripe on panel"]}
        )
    yield from _pairs(
        theme, "on_accent", {name: theme.rgba(name) for name in ("accent", "accent_hover", "accent_active")}
    )


def line_pairs(theme: Theme) -> Iterator[tuple[str, str, Rgba, Rgba]]:
    """Like `text_pairs`, for lines and marks, which need a contrast of 3 (WCAG 2.2, success criterion 1.4.11)."""
    for line in _OUTLINES:
        yield from _pairs(theme, line, {"scene": theme.rgba("scene")})
    yield from _pairs(theme, "focus", {name: theme.rgba(name) for name in ("panel", "popup", "input")})


def _pairs(theme: Theme, text: str, below: dict[str, Rgba]) -> Iterator[tuple[str, str, Rgba, Rgba]]:
    for name, color in below.items():
        yield text, name, theme.rgba(text), color
