"""Styles: which values win, what is inherited, scaling and transitions."""

from __future__ import annotations

import pytest

from rish_core import Assets
from rish_ecs import UnknownName
from rish_ui.themes import PARTS, SHIPPED, State, Style, Theme, compile_theme, finder, mix, read_theme_text
from rish_ui.themes.style import mix_colors, over


def theme(styles: str, tokens: str = "") -> Theme:
    """Return a theme of its own, which extends nothing."""
    text = read_theme_text(f"extends: ''\n{tokens}\nstyles: {{{styles}}}", "x")
    made, problems = compile_theme("x", lambda name: text)
    assert made is not None, problems
    return made


def test_a_variant_wins_over_its_kind_and_a_state_over_both() -> None:
    """Kind < variant < state, and the states of a variant win over those of the kind."""
    made = theme(
        "Any: {corner: 1}, Button: {corner: 2, hovered: {corner: 4},"
        " variants: {big: {corner: 3, pressed: {corner: 5}}}}"
    )
    assert made.style("Label").corner == 1
    assert made.style("Button").corner == 2
    assert made.style("Button", "big").corner == 3
    assert made.style("Button", "big", states=State.HOVERED).corner == 4
    assert made.style("Button", "big", states=State.HOVERED | State.PRESSED).corner == 5


def test_a_later_state_wins_and_a_combination_over_its_states() -> None:
    """States win in the order of `State`; `on+hovered` wins over `on` and `hovered`."""
    made = theme("Toggle.box: {pressed: {corner: 3}, hovered: {corner: 2}, on: {corner: 1}, on+hovered: {corner: 9}}")
    at = {mask: made.style("Toggle", "", "box", mask).corner for mask in (1, 8, 16, 1 | 16, 8 | 16, 1 | 8, 1 | 8 | 16)}
    assert at == {1: 1, 8: 2, 16: 3, 17: 3, 24: 3, 9: 9, 25: 9}


def test_what_is_disabled_is_neither_hovered_nor_pressed() -> None:
    """A disabled widget under the pointer looks as one that is only disabled."""
    made = theme("Button: {hovered: {corner: 2}, pressed: {corner: 3}, disabled: {fill: red}}")
    assert made.style("Button", states=State.DISABLED | State.HOVERED | State.PRESSED) == made.style(
        "Button", states=State.DISABLED
    )


def test_a_part_has_the_text_of_its_widget_and_nothing_else() -> None:
    """A part takes color, font and size of the text from its widget and its variant, but no fill, edge or padding."""
    made = theme(
        "Tabs: {color: red, fill: blue, padding: 5, text_size: 30, disabled: {color: gray}, hovered: {color: lime},"
        " variants: {big: {text_size: 50}}}, Tabs.tab: {}"
    )
    tab = made.style("Tabs", "", "tab")
    assert (tab.color, tab.text_size, tab.fill, tab.padding) == ((255, 0, 0, 255), 30, (0, 0, 0, 0), (0, 0, 0, 0))
    assert made.style("Tabs", "big", "tab").text_size == 50
    assert made.style("Tabs", "", "tab", State.DISABLED).color == (128, 128, 128, 255)
    assert made.style("Tabs", "", "tab", State.HOVERED).color == (255, 0, 0, 255)


def test_a_veil_lies_over_the_fill_of_any_variant() -> None:
    """`veil` changes fill and edge of whatever variant it is used for; a transparent fill becomes the veil."""
    made = theme(
        "Button: {fill: black, edge: black, hovered: {veil: white 50%},"
        " variants: {red: {fill: red}, none: {fill: transparent, edge: transparent}}}"
    )
    assert made.style("Button", states=State.HOVERED).fill == (128, 128, 128, 255)
    assert made.style("Button", "red", states=State.HOVERED).fill == (255, 128, 128, 255)
    empty = made.style("Button", "none", states=State.HOVERED)
    assert (empty.fill, empty.edge) == ((255, 255, 255, 128), (0, 0, 0, 0))


def test_equal_questions_get_the_same_object() -> None:
    """Styles are made once, so that comparing them is cheap."""
    made = theme("Button: {fill: red}")
    assert made.style("Button", "", "", State.HOVERED) is made.style("Button", "", "", 8)


def test_unknown_variants_have_no_effect_and_unknown_kinds_and_parts_are_errors() -> None:
    """A variant that only some themes have is ignored; a kind or part that no theme can have is named."""
    made = theme("Button: {corner: 4}")
    assert made.style("Button", "nothing") == made.style("Button")
    with pytest.raises(UnknownName, match="did you mean 'Button'"):
        made.style("Buton")
    with pytest.raises(UnknownName, match=r"Slider has no part 'nob' \(did you mean 'knob'\?\)"):
        made.style("Slider", "", "nob")


def test_scaling_changes_texts_alone_and_motion_the_seconds() -> None:
    """`scaled` multiplies text sizes of widgets and parts once, and without motion transitions last no time."""
    made = theme("Any: {text_size: 10, seconds: 1, padding: 4}, Tabs.tab: {}, Tabs: {}")
    large = made.scaled(1.5, motion=False)
    for part in ("", "tab"):
        style = large.style("Tabs", "", part)
        assert (style.text_size, style.seconds, style.padding) == (pytest.approx(15), 0, (4, 4, 4, 4))
    assert large.scaled(1).style("Tabs") == made.style("Tabs")


def test_mix_moves_colors_and_not_the_layout() -> None:
    """Between two styles are their colors and outlines; what the layout depends on is that of the second one."""
    a, b = Style(fill=(0, 0, 0, 255), corner=2, padding=(1, 1, 1, 1)), Style(fill=(200, 100, 0, 255), corner=4)
    between = mix(a, b, 0.5)
    assert (between.fill, between.corner, between.padding) == ((100, 50, 0, 255), 3, (0, 0, 0, 0))
    assert mix(a, b, 1) is b
    assert mix(a, b, 0).fill == a.fill
    assert mix(a, b, -3).fill == a.fill


def test_a_transparent_color_has_no_hue() -> None:
    """On the way from nothing to a color only the opacity changes."""
    assert mix_colors((0, 0, 0, 0), (200, 100, 50, 255), 0.5) == (200, 100, 50, 128)
    assert mix_colors((9, 9, 9, 0), (5, 5, 5, 0), 0.5) == (0, 0, 0, 0)
    assert over((10, 20, 30, 255), (1, 2, 3, 255)) == (10, 20, 30, 255)
    assert over((0, 0, 0, 0), (0, 0, 0, 0)) == (0, 0, 0, 0)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_themes_have_the_promised_variants(name: str) -> None:
    """Each shipped theme has the same variants, and a style for every kind, part and state."""
    made, problems = compile_theme(name, finder(Assets()))
    assert not problems
    assert made is not None
    assert made.variants("Button") == ["primary", "danger", "quiet"]
    assert made.variants("Label") == ["title", "heading", "small", "muted", "hud", "hud_heading", "hud_small"]
    assert made.variants("Panel") == ["card", "page", "plain", "hud", "bubble"]
    assert made.variants("ProgressBar") == ["health", "mana"]
    for kind, parts in PARTS.items():
        for part in ("", *parts):
            assert made.style(kind, "", part).text_size > 8
