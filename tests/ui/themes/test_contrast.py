"""The texts of the shipped themes can be read: the contrast of WCAG 2 between each text and what is behind it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from rish_core import Assets
from rish_ui.themes import LOADERS, SHIPPED, State, Theme, compile_theme, finder
from rish_ui.themes.style import Rgba, over

LEAST = {"dark": 4.5, "light": 4.5, "contrast": 7.0}
"""AA for the plain themes, AAA for the one of high contrast."""
DISABLED = {"dark": 3.0, "light": 3.0, "contrast": 4.5}
"""WCAG asks for nothing here, but a player should be able to read what can't be used."""
BLACK, WHITE = (0, 0, 0, 255), (255, 255, 255, 255)
LIGHTS: dict[str, list[State]] = {
    "Button": [State.HOVERED, State.PRESSED, State.FOCUSED],
    "Dropdown": [State.HOVERED, State.PRESSED, State.FOCUSED, State.ON],
    "TextInput": [State.HOVERED, State.FOCUSED, State.INVALID],
    "List": [State.HOVERED, State.PRESSED, State.SELECTED],
    "Tabs": [State.HOVERED, State.PRESSED, State.SELECTED],
    "Toggle": [State.HOVERED, State.PRESSED, State.ON],
}
"""The states that each kind can have at the same time."""


def shipped(name: str) -> Theme:
    """Return a theme that ships with the plugin."""
    theme, problems = compile_theme(name, finder(Assets()))
    assert theme is not None, problems
    return theme


def luminance(color: Rgba) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = [value / 255 for value in color[:3]]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: Rgba, b: Rgba) -> float:
    """Return the contrast ratio of WCAG 2, 1 to 21."""
    darker, lighter = sorted((luminance(a), luminance(b)))
    return (lighter + 0.05) / (darker + 0.05)


def surfaces(theme: Theme) -> list[Rgba]:
    """Return the colors on which widgets lie."""
    styles = [
        theme.style("Panel"),
        theme.style("Panel", "card"),
        theme.style("Dialog"),
        theme.style("Tabs", "", "page"),
    ]
    return [over(style.fill, WHITE) for style in styles]


def states(kind: str) -> list[int]:
    """Return all combinations of the states of a kind, and disabled."""
    found = LIGHTS.get(kind, [])
    return [sum(chosen) for n in range(len(found) + 1) for chosen in combinations(found, n)] + [State.DISABLED]


def pairs(theme: Theme) -> Iterator[tuple[str, int, Rgba, Rgba]]:
    """Yield what is drawn, its states, the color of its text and the color behind it."""
    on = surfaces(theme)
    for kind in ("Label", "Button", "Toggle", "Slider", "Dropdown", "Tooltip", "Dialog", "TextInput"):
        for variant in ("", *theme.variants(kind)):
            for mask in states(kind):
                style = theme.style(kind, variant, "", mask)
                for below in on if not variant.startswith("hud") else hud(theme):
                    yield f"{kind} {variant}", mask, style.color, over(style.fill, below)
    for entry, holder in (("Dropdown option", ("Dropdown", "", "list")), ("List row", ("List", "", ""))):
        kind, part = entry.split()
        for mask in states("List"):
            style = theme.style(kind, "", part, mask)
            yield entry, mask, style.color, over(style.fill, theme.style(*holder).fill)
    for mask in states("Tabs"):
        style = theme.style("Tabs", "", "tab", mask)
        for below in on:
            yield "Tabs tab", mask, style.color, over(style.fill, below)
    yield from inside(theme)


def inside(theme: Theme) -> Iterator[tuple[str, int, Rgba, Rgba]]:
    """Yield the texts over parts of their own widget: bars, hints, selected letters, titles."""
    for mask in (0, State.DISABLED):
        for variant in ("", "health", "mana"):
            bar, fill = theme.style("ProgressBar", variant, "", mask), theme.style("ProgressBar", variant, "fill", mask)
            yield "empty bar", mask, bar.color, bar.fill
            yield f"bar {variant}", mask, bar.color, over(fill.fill, bar.fill)
    field = theme.style("TextInput")
    yield "hint", 0, theme.style("TextInput", "", "hint").color, field.fill
    yield "selection", 0, field.color, over(theme.style("TextInput", "", "selection").fill, field.fill)
    yield "title", 0, theme.style("Dialog", "", "title").color, theme.style("Dialog").fill


def hud(theme: Theme) -> list[Rgba]:
    """Return what is behind a readout over a game that is black or white."""
    panel = theme.style("Panel", "hud").fill
    return [over(panel, BLACK), over(panel, WHITE)]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_text_can_be_read(name: str) -> None:
    """Each text of a theme, in each state, has the contrast that WCAG asks for; that of disabled widgets is lower."""
    theme = shipped(name)
    wrong = {
        (what, mask, round(contrast(text, below), 2))
        for what, mask, text, below in pairs(theme)
        if contrast(text, below) < (DISABLED if mask & State.DISABLED else LEAST)[name]
    }
    assert not wrong


@pytest.mark.parametrize("name", SHIPPED)
def test_the_parts_that_are_operated_can_be_seen(name: str) -> None:
    """The focus ring, knobs, carets and outlines of fields differ from what is around them by 3 to 1, as WCAG asks."""
    theme = shipped(name)
    seen = {
        "ring": theme.style("Focus").edge,
        "knob": theme.style("Slider", "", "knob").edge,
        "field": theme.style("TextInput").edge,
        "box": theme.style("Toggle", "", "box").edge,
        "on": theme.style("Toggle", "", "track", State.ON).fill,
        "invalid": theme.style("TextInput", "", "", State.INVALID).edge,
    }
    weak = {what for what, color in seen.items() for below in surfaces(theme) if contrast(color, below) < 3}
    assert not weak
    track = theme.style("Toggle", "", "track", State.ON).fill
    assert contrast(theme.style("Toggle", "", "knob", State.ON).fill, track) >= 3
    assert contrast(theme.style("TextInput", "", "caret").fill, theme.style("TextInput").fill) >= 3
    assert contrast(theme.style("Slider", "", "fill").fill, theme.style("Slider", "", "track").fill) >= 3


def every_theme() -> dict[str, Theme]:
    """Return the shipped themes, and those of the games of the repository, by name."""
    found = {name: shipped(name) for name in SHIPPED}
    for path in sorted((Path(__file__).parents[3] / "games").glob("*/*.theme.yaml")):
        theme, problems = compile_theme(path.name, finder(Assets(path.parent, LOADERS)))
        assert theme is not None, problems
        found[path.name] = theme
    return found


def marks(theme: Theme) -> Iterator[tuple[str, float]]:
    """Yield what shows where the player is, and its contrast to all that is beside it.

    It is the ring around the focus, or what tells one row, option, tab or key from those beside it, plain and selected
    ones: its fill, or its outline, which is between its own fill and what is around.
    """
    page = [*surfaces(theme), over(theme.style("Panel", "page").fill, WHITE)]
    holders = {
        ("Dropdown", "option"): [theme.style("Dropdown", "", "list").fill],
        ("TextInput", "key"): [theme.style("TextInput", "", "pad").fill],
        ("List", "row"): [theme.style("List").fill],
        ("Tabs", "tab"): page,
    }
    ring = theme.style("Focus").edge
    yield "ring", least(ring, page)
    for (kind, part), around in holders.items():
        for below in around:
            others = [over(theme.style(kind, "", part, each).fill, below) for each in (0, State.SELECTED)]
            if kind in ("List", "Tabs"):
                yield f"ring around {kind}.{part}", least(ring, [below, *others])
            for mask in (State.SELECTED, State.HOVERED, State.SELECTED | State.HOVERED):
                style = theme.style(kind, "", part, mask)
                fill, beside = over(style.fill, below), [below, *(others if mask != State.SELECTED else [])]
                edge = least(over(style.edge, fill), [*beside, fill]) if style.edge_width else 0.0
                yield f"{kind}.{part} {mask}", max(least(fill, beside), edge)


def least(color: Rgba, beside: list[Rgba]) -> float:
    """Return the lowest contrast of a color to others."""
    return round(min(contrast(color, each) for each in beside), 2)


def test_what_has_the_focus_can_be_seen_in_every_theme() -> None:
    """The focus, and the row, option, tab or key that is chosen or pointed at, differ by 3 to 1 from what is beside."""
    weak = {(name, what, found) for name, theme in every_theme().items() for what, found in marks(theme) if found < 3}
    assert not weak


def test_an_option_that_is_chosen_and_pointed_at_shows_both() -> None:
    """Of two options, or keys of the keyboard, that are pointed at, the chosen one looks different."""
    for theme in every_theme().values():
        for kind, part in (("Dropdown", "option"), ("TextInput", "key"), ("List", "row")):
            looks = {theme.style(kind, "", part, mask) for mask in range(16) if not mask & (State.ON | State.FOCUSED)}
            assert len(looks) == 4


def test_contrast_is_that_of_wcag() -> None:
    """Black and white have 21 to 1, and #767676 on white is the last gray with 4.5 to 1."""
    assert contrast(BLACK, WHITE) == pytest.approx(21)
    assert contrast((0x76, 0x76, 0x76, 255), WHITE) == pytest.approx(4.54, abs=0.01)
