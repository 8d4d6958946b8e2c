"""The style of ImGui: made anew from a theme each time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from imgui_bundle import imgui, implot

from rish_editor.look import DARK, LIGHT, THEMES, apply, role
from rish_editor.look.style import ROLES


@pytest.fixture(autouse=True)
def context() -> Iterator[None]:
    """An ImGui context without a window."""
    made = imgui.create_context()
    imgui.set_current_context(made)
    imgui.get_io().set_ini_filename("")
    yield
    imgui.destroy_context(made)


def values() -> dict[str, object]:
    """Return all sizes and colors of the style."""
    style = imgui.get_style()
    found: dict[str, object] = {}
    for name in dir(style):
        value = getattr(style, name)
        if not name.startswith("_") and not callable(value):
            found[name] = (value.x, value.y) if isinstance(value, imgui.ImVec2) else value
    for name, column in imgui.Col_.__members__.items():
        if name != "count":
            color = style.color_(column)
            found[f"color {name}"] = (color.x, color.y, color.z, color.w)
    return found


def test_sizes_do_not_add_up() -> None:
    """A theme at a scale gives the same style whatever was applied before, and the size of text is kept."""
    imgui.get_style().font_size_base = 15
    apply(DARK, 1.5)
    first = values()
    for theme in (LIGHT, DARK):
        apply(theme, 3)
        apply(theme, 0.8)
    apply(DARK, 1.5)
    assert values() == first
    assert first["font_size_base"] == 15
    assert first["font_scale_dpi"] == 1.5


def test_sizes_grow_with_the_scale() -> None:
    """At twice the scale, paddings and roundings are twice as large."""
    apply(DARK, 1)
    one = values()
    apply(DARK, 2)
    two = values()
    for name in ("frame_padding", "window_padding"):
        assert two[name] == tuple(2 * part for part in one[name])
    for name in ("frame_rounding", "scrollbar_size", "indent_spacing"):
        assert two[name] == 2 * one[name]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_no_color_is_left_as_it_was(theme) -> None:
    """No color that is visible is the one of ImGui's own style, except white."""
    style = imgui.get_style()
    imgui.style_colors_dark()
    before = {name: value for name, value in values().items() if name.startswith("color ")}
    apply(theme)
    same = {name: value for name, value in values().items() if before.get(name) == value and value[3] > 0}
    assert style.color_(imgui.Col_.window_bg).x == pytest.approx(theme.rgba("panel")[0])
    assert set(same.values()) <= {(1.0, 1.0, 1.0, 1.0)}


def test_plots_have_the_style_too() -> None:
    """If ImPlot has a context, its plots have the colors of the theme."""
    made = implot.create_context()
    apply(LIGHT)
    color = implot.get_style().color_(implot.Col_.plot_bg)
    implot.destroy_context(made)
    assert (color.x, color.y, color.z) == pytest.approx(LIGHT.rgba("input")[:3])


@pytest.mark.parametrize("name", ROLES)
def test_a_role_ends_with_its_block(name: str) -> None:
    """Within a role colors differ, and after it, even after an error, they are as before."""
    apply(DARK)
    before = values()

    def fail() -> None:
        with role(DARK, name):
            assert values() != before
            raise RuntimeError("inside")

    with pytest.raises(RuntimeError, match="inside"):
        fail()
    assert values() == before


def test_an_unknown_role_is_an_error() -> None:
    """A role that does not exist raises KeyError."""
    with pytest.raises(KeyError), role(DARK, "primry"):
        pass
