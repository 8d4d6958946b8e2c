"""The widgets that ImGui lacks or draws in its own way, in the style of the editor.

A `Kit` needs no state of its own besides theme, fonts and language, and may be made anew in each frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from imgui_bundle import imgui

from . import icons
from .fonts import Fonts
from .language import Language
from .style import role
from .theme import LEVELS, Theme

_LEVEL_ICONS: dict[str, str] = dict(
    zip(LEVELS, (icons.TRACE, icons.DEBUG, icons.INFO, icons.WARNING, icons.ERROR, icons.CRITICAL), strict=True)
)


@dataclass
class Kit:
    """Theme, fonts and language, and the widgets that need them."""

    theme: Theme
    fonts: Fonts
    language: Language

    def tr(self, text: str, /, **values: object) -> str:
        """Return a text in the language."""
        return self.language.tr(text, **values)

    def label(self, icon: str, text: str) -> str:
        """Return an icon and a text in the language."""
        return icons.labelled(icon, self.tr(text))

    def colored(self, token: str, text: str) -> None:
        """Write a text in a colour of the theme."""
        imgui.text_colored(self.theme.rgba(token), text)

    def tool(self, icon: str, name: str, chosen: bool = False, small: bool = False) -> bool:
        """Draw a square button with an icon, and its tooltip. Return True when it is clicked.

        small: as high as a field, for buttons beside one.
        """
        side = imgui.get_frame_height() + (0 if small else 4 * self.scale)
        with role(self.theme, "chosen" if chosen else "quiet"), spaced(imgui.StyleVar_.frame_padding, 0, 0):
            clicked = imgui.button(f"{icon}###{name}", (side, side))
        imgui.set_item_tooltip(name)
        return clicked

    def section(self, icon: str, name: str) -> bool:
        """Draw the heading of a section, which opens and closes it. Return whether the section is open."""
        open_, key = imgui.get_state_storage(), imgui.get_id(f"###{name}")
        shown = open_.get_bool(key, True)
        imgui.push_style_var(imgui.StyleVar_.button_text_align, imgui.ImVec2(0.0, 0.5))
        with role(self.theme, "section"), self.fonts.style("strong"):
            mark = icons.DOWN if shown else icons.RIGHT
            if imgui.button(f"{mark} {self.label(icon, name)}###{name}", (-1, 0)):
                shown = not shown
                open_.set_bool(key, shown)
        imgui.pop_style_var()
        return shown

    @contextmanager
    def combo(self, name: str, value: str) -> Iterator[bool]:
        """Draw a field with choices, which are drawn inside if it yields True."""
        draw, corner = imgui.get_window_draw_list(), imgui.get_cursor_screen_pos()
        padding, width = imgui.get_style().frame_padding, imgui.calc_text_size(icons.DOWN).x
        at = imgui.ImVec2(corner.x + imgui.calc_item_width() - width - padding.x, corner.y + padding.y)
        shown = imgui.begin_combo(name, value, imgui.ComboFlags_.no_arrow_button)
        draw.add_text(at, self.theme.packed("text_dim"), icons.DOWN)
        yield shown
        if shown:
            imgui.end_combo()

    @contextmanager
    def menu(self, name: str) -> Iterator[bool]:
        """Draw a menu, whose items are drawn inside if it yields True. name: its title in English."""
        imgui.set_next_window_size_constraints((190 * self.scale, 0), (9999, 9999))
        shown = imgui.begin_menu(f"{self.tr(name)}###{name}")
        if shown:
            with spaced(imgui.StyleVar_.item_spacing, 20 * self.scale, 7 * self.scale):
                yield True
            imgui.end_menu()
        else:
            yield False

    @property
    def scale(self) -> float:
        """Pixels per unit of size."""
        return imgui.get_style().font_scale_dpi

    @contextmanager
    def properties(self, name: str) -> Iterator[None]:
        """Draw rows of names and values in two aligned columns."""
        with spaced(imgui.StyleVar_.cell_padding, 4 * self.scale, 2 * self.scale):
            if imgui.begin_table(name, 3):
                imgui.table_setup_column("name", imgui.TableColumnFlags_.width_stretch, 0.36)
                imgui.table_setup_column("value", imgui.TableColumnFlags_.width_stretch, 0.64)
                imgui.table_setup_column("mark", imgui.TableColumnFlags_.width_fixed, 14 * self.scale)
                yield
                imgui.end_table()

    def property(self, name: str, draw: Callable[[], object], override: bool = False) -> None:
        """Draw a row: a name, a value, and the mark of a value that differs from its prefab."""
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.align_text_to_frame_padding()
        if override:
            with self.fonts.style("strong"):
                self.colored("override", self.tr(name))
        else:
            self.colored("text_dim", self.tr(name))
        imgui.table_next_column()
        imgui.set_next_item_width(-1)
        draw()
        imgui.table_next_column()
        if override:
            imgui.align_text_to_frame_padding()
            self.colored("override", icons.OVERRIDE)
            imgui.set_item_tooltip(self.tr("Overridden value"))

    def vector(self, name: str, x: float, y: float, unit: str = "") -> None:
        """Draw two numbers, each behind the letter of its axis."""
        gap = imgui.get_style().item_inner_spacing.x
        width = (imgui.get_content_region_avail().x - gap) / 2
        for letter, token, value in (("X", "axis_x", x), ("Y", "axis_y", y)):
            self._axis(f"##{name}{letter}", letter, token, value, width, unit)
            if letter == "X":
                imgui.same_line(0, gap)

    def _axis(self, name: str, letter: str, token: str, value: float, width: float, unit: str) -> None:
        corner, height = imgui.get_cursor_screen_pos(), imgui.get_frame_height()
        imgui.set_next_item_width(width)
        imgui.drag_float(name, value, 0.1, format=f"   %.2f{unit}")
        draw, bar = imgui.get_window_draw_list(), 3 * self.scale
        low = imgui.ImVec2(corner.x, corner.y)
        high = imgui.ImVec2(corner.x + bar, corner.y + height)
        draw.add_rect_filled(low, high, self.theme.packed(token), bar, imgui.ImDrawFlags_.round_left)
        at = imgui.ImVec2(corner.x + 8 * self.scale, corner.y + imgui.get_style().frame_padding.y)
        draw.add_text(at, self.theme.packed("text_dim"), letter)

    def log_line(self, level: str, time: str, source: str, message: str) -> None:
        """Draw a message as a row of a table with four columns."""
        critical = level == "critical"
        imgui.table_next_row()
        if critical:
            imgui.table_set_bg_color(imgui.TableBgTarget_.row_bg0, self.theme.packed("critical_row"))
        imgui.table_next_column()
        imgui.text_colored(self.theme.log(level), _LEVEL_ICONS.get(level, icons.INFO))
        imgui.table_next_column()
        with self.fonts.style("code"):
            self.colored("text_dim", time)
        imgui.table_next_column()
        self.colored("text_dim", source)
        imgui.table_next_column()
        with self.fonts.style("strong" if critical else "body"):
            self.colored(level if level in ("warning", "error", "critical") else "text", message)


@contextmanager
def spaced(variable: int, x: float, y: float) -> Iterator[None]:
    """Draw with another value of a size of the style."""
    imgui.push_style_var(variable, imgui.ImVec2(x, y))
    try:
        yield
    finally:
        imgui.pop_style_var()
