"""Gives ImGui the sizes and the colors of a theme."""

from __future__ import annotations

from contextlib import AbstractContextManager

from imgui_bundle import imgui, implot

from .legibility import over
from .theme import Rgba, Theme

_SIZES = {
    "window_padding": (10, 8),
    "frame_padding": (8, 4),
    "item_spacing": (8, 6),
    "item_inner_spacing": (6, 4),
    "cell_padding": (6, 3),
    "separator_text_padding": (0, 6),
    "button_text_align": (0.5, 0.5),
    "selectable_text_align": (0.0, 0.5),
    "separator_text_align": (0.0, 0.5),
    "window_title_align": (0.0, 0.5),
    "window_min_size": (80, 48),
    "indent_spacing": 18,
    "scrollbar_size": 12,
    "scrollbar_padding": 3,
    "grab_min_size": 12,
    "window_rounding": 6,
    "child_rounding": 5,
    "frame_rounding": 5,
    "popup_rounding": 6,
    "menu_item_rounding": 4,
    "selectable_rounding": 4,
    "scrollbar_rounding": 6,
    "grab_rounding": 4,
    "tab_rounding": 5,
    "tree_lines_rounding": 4,
    "drag_drop_target_rounding": 4,
    "image_rounding": 4,
    "window_border_size": 1,
    "child_border_size": 1,
    "popup_border_size": 1,
    "frame_border_size": 1,
    "tab_border_size": 0,
    "tab_bar_border_size": 1,
    "tab_bar_overline_size": 2,
    "tab_close_button_min_width_selected": 0,
    "separator_text_border_size": 1,
    "separator_size": 1,
    "docking_separator_size": 4,
    "drag_drop_target_border_size": 2,
    "input_text_cursor_size": 2,
    "hover_delay_normal": 0.45,
    "disabled_alpha": 0.6,
    "docking_node_has_close_button": False,
    "window_menu_button_position": imgui.Dir.none,
    "color_button_position": imgui.Dir.left,
    "tree_lines_flags": int(imgui.TreeNodeFlags_.draw_lines_to_nodes),
}
"""Sizes in pixels at a scale of 1, and what else differs from ImGui's own style."""

_COLORS = {
    "text": "text",
    "text_disabled": "text_disabled",
    "text_link": "text_accent",
    "window_bg": "panel",
    "popup_bg": "popup",
    "border": "border",
    "frame_bg": "input",
    "frame_bg_hovered": "input_hover",
    "frame_bg_active": "input_hover",
    "title_bg": "window",
    "title_bg_active": "window",
    "title_bg_collapsed": "window",
    "menu_bar_bg": "bar",
    "scrollbar_grab": "scroll",
    "scrollbar_grab_hovered": "scroll_hover",
    "scrollbar_grab_active": "accent",
    "check_mark": "on_accent",
    "checkbox_selected_bg": "accent",
    "slider_grab": "accent",
    "slider_grab_active": "accent_active",
    "button": "button",
    "button_hovered": "button_hover",
    "button_active": "button_active",
    "separator": "border",
    "separator_hovered": "accent",
    "separator_active": "accent",
    "resize_grip_hovered": "accent",
    "resize_grip_active": "accent_active",
    "input_text_cursor": "text",
    "tab_selected": "panel",
    "tab_selected_overline": "accent",
    "tab_dimmed_selected": "panel",
    "tab_dimmed_selected_overline": "border_strong",
    "docking_empty_bg": "window",
    "plot_lines": "accent",
    "plot_lines_hovered": "accent_hover",
    "plot_histogram": "accent",
    "plot_histogram_hovered": "accent_hover",
    "table_header_bg": "header",
    "table_border_strong": "border",
    "table_border_light": "border",
    "table_row_bg_alt": "stripe",
    "tree_lines": "border_strong",
    "drag_drop_target": "accent",
    "unsaved_marker": "unsaved",
    "nav_cursor": "focus",
    "nav_windowing_highlight": "focus",
    "nav_windowing_dim_bg": "dim",
    "modal_window_dim_bg": "dim",
}
"""The token of each color of ImGui. A color that is not here is invisible, or mixed in `_mixed`."""

_ROLES = {
    "primary": {
        "text": "on_accent",
        "button": "accent",
        "button_hovered": "accent_hover",
        "button_active": "accent_active",
        "border": "accent",
    },
    "danger": {"text": "error", "button_hovered": "button_hover", "border": "error"},
    "quiet": {"button": None, "button_hovered": "hover", "button_active": "active", "border": None},
    "chosen": {
        "text": "text",
        "button": "selection",
        "button_hovered": "selection",
        "button_active": "selection",
        "border": "accent",
    },
    "selected": {"header": "selection", "header_hovered": "selection", "header_active": "selection"},
    "selected_idle": {
        "header": "selection_idle",
        "header_hovered": "selection_idle",
        "header_active": "selection_idle",
    },
    "section": {"button": "header", "button_hovered": "button", "button_active": "button_hover", "border": None},
    "gaps": {"separator": "window", "border": "window"},
    "mixed": {"text": "mixed"},
    "override": {"text": "override"},
    "dim": {"text": "text_dim"},
    "accent": {"text": "text_accent"},
}
_NOTHING: Rgba = (0.0, 0.0, 0.0, 0.0)
ROLES = tuple(_ROLES)
"""What `role` takes."""


def apply(theme: Theme, scale: float = 1.0) -> None:
    """Give the current ImGui context the style of a theme, and its plots too if ImPlot has a context.

    (The colors of ImGuizmo can't be set from Python.)

    The style is made anew each time, since ImGui can only multiply the sizes that it has. scale: pixels per unit.
    """
    style = imgui.get_style()
    size = style.font_size_base
    _reset(style)
    for name, value in _SIZES.items():
        setattr(style, name, imgui.ImVec2(*value) if isinstance(value, tuple) else value)
    if not theme.dark:
        style.disabled_alpha = 0.7  # dark text on light surfaces loses its contrast sooner
    style.scale_all_sizes(scale)
    style.font_size_base = size
    style.font_scale_dpi = scale
    for name in imgui.Col_.__members__:
        if name != "count":
            style.set_color_(imgui.Col_[name], _color(theme, _COLORS.get(name)))
    for name, color in _mixed(theme).items():
        style.set_color_(imgui.Col_[name], color)
    if implot.get_current_context() is not None:
        _apply_plot(theme, scale)


def _reset(style: imgui.Style) -> None:
    """Set everything to ImGui's own values."""
    fresh = imgui.Style()
    for name in dir(fresh):
        value = getattr(fresh, name)
        if not name.startswith("_") and not callable(value):
            setattr(style, name, value)


def _color(theme: Theme, token: str | None) -> Rgba:
    return _NOTHING if token is None else theme.rgba(token)


def _mixed(theme: Theme) -> dict[str, Rgba]:
    """Return the colors of ImGui that are mixed of two tokens."""
    panel, window = theme.rgba("panel"), theme.rgba("window")
    return {
        "tab": over(theme.rgba("hover", 0.5), window),
        "tab_dimmed": over(theme.rgba("hover", 0.5), window),
        "tab_hovered": over(theme.rgba("active"), panel),
        "header": theme.rgba("selection"),
        "header_hovered": theme.rgba("hover"),
        "header_active": theme.rgba("active"),
        "text_selected_bg": theme.rgba("accent", 0.4),
        "docking_preview": theme.rgba("accent", 0.4),
        "drag_drop_target_bg": theme.rgba("accent", 0.12),
    }


def _apply_plot(theme: Theme, scale: float) -> None:
    style = implot.get_style()
    style.plot_padding = imgui.ImVec2(8 * scale, 8 * scale)
    for name, token in {
        "frame_bg": None,
        "plot_bg": "input",
        "plot_border": "border",
        "legend_bg": "popup",
        "legend_border": "border",
        "legend_text": "text",
        "title_text": "text",
        "inlay_text": "text_dim",
        "axis_text": "text_dim",
        "axis_grid": "grid_major",
        "selection": "accent",
        "crosshairs": "border_strong",
    }.items():
        style.set_color_(implot.Col_[name], imgui.ImVec4(*_color(theme, token)))


def role(theme: Theme, name: str) -> AbstractContextManager[None]:
    """Draw widgets in a role: one of `ROLES`, such as `primary` for the button that Enter presses.

    `chosen` is for a tool that is on, `selected` and `selected_idle` for rows (in a panel with and without focus),
    `section` for the headings of components, `quiet` for buttons in bars, `gaps` for a space that panels dock to.
    """
    colors = theme.roles.get(name)
    if colors is None:
        colors = theme.roles[name] = tuple(
            (_PLACES[column], 0 if token is None else theme.packed(token)) for column, token in _ROLES[name].items()
        )
    return _Role(colors)


class _Role(AbstractContextManager[None]):
    """A context manager. A class, because it is entered often in a frame, and a generator is slower."""

    __slots__ = ("_colors",)

    def __init__(self, colors: tuple[tuple[int, int], ...]) -> None:
        self._colors = colors

    def __enter__(self) -> None:
        for place, color in self._colors:
            imgui.push_style_color(place, color)

    def __exit__(self, *error: object) -> None:
        imgui.pop_style_color(len(self._colors))


_PLACES = {column: int(imgui.Col_[column]) for columns in _ROLES.values() for column in columns}
