"""Every widget of the editor in every state, on one page: to judge a theme, and for pictures in tests and documents.

`gallery_layout.Layout` imitates the whole editor with panels, menus and a dialog. States that need a mouse are imitated
with the colours that they would have.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from imgui_bundle import imgui

from . import icons
from .fonts import Fonts
from .kit import Kit, spaced
from .language import Language
from .style import role
from .theme import Theme

_FIXED = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
_MESSAGES = (
    ("trace", "12:04:31.016", "render", "frame 1204: 318 sprites in 6 batches"),
    ("debug", "12:04:31.020", "physics", "island 3 sleeps"),
    ("info", "12:04:31.533", "scripts", "player.py was loaded again; its state is kept"),
    ("warning", "12:04:32.101", "assets", "hero.png is 4096 pixels wide, larger than most cards take"),
    ("error", "12:04:32.140", "scripts", "door.py:18: 'Door' has no field 'opne' (did you mean 'open'?)"),
    ("critical", "12:04:32.777", "render", "the graphics device was lost"),
)


def messages(kit: Kit) -> None:
    """Draw a message of each level in a table."""
    if imgui.begin_table("log", 4, imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_fixed_fit):
        for name in ("level", "time", "source"):
            imgui.table_setup_column(name)
        imgui.table_setup_column("message", imgui.TableColumnFlags_.width_stretch)
        for message in _MESSAGES:
            kit.log_line(*message)
        imgui.end_table()


def edit_menu(kit: Kit) -> None:
    """Draw the items of a menu: plain, disabled and checked ones."""
    imgui.menu_item(kit.label(icons.UNDO, "Undo"), "Ctrl+Z", False)
    imgui.menu_item(kit.label(icons.REDO, "Redo"), "Ctrl+Y", False, False)
    imgui.separator()
    imgui.menu_item(kit.label(icons.COPY, "Copy"), "Ctrl+C", False)
    imgui.menu_item(kit.label(icons.GRID, "Show grid"), "G", True)
    imgui.menu_item(kit.label(icons.DELETE, "Delete"), "Del", False)


def layers(kit: Kit) -> None:
    """Draw a field with choices."""
    with kit.combo("##layer", kit.tr("World")) as shown:
        for name in ("World", "Game", "Text") if shown else ():
            with role(kit.theme, "selected") if name == "World" else _plain():
                imgui.selectable(kit.tr(name), name == "World")


class Gallery:
    """The page of widgets."""

    def __init__(self, theme: Theme, fonts: Fonts, language: Language) -> None:
        self.kit = Kit(theme, fonts, language)

    def draw(self) -> None:
        """Draw the page over the whole display, between `new_frame` and `render`."""
        viewport, kit = imgui.get_main_viewport(), self.kit
        imgui.set_next_window_pos(viewport.work_pos)
        imgui.set_next_window_size(viewport.work_size)
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
        imgui.begin("###gallery", None, _FIXED)
        imgui.pop_style_var(2)
        if imgui.begin_table("page", 3, imgui.TableFlags_.sizing_stretch_same | imgui.TableFlags_.borders_inner_v):
            for column in (
                (self._type, self._buttons, self._tools),
                (self._inputs, self._menus),
                (self._rows, self._icons),
            ):
                imgui.table_next_column()
                for part in column:
                    part()
            imgui.end_table()
        with kit.fonts.style("section"):
            imgui.separator_text(kit.tr("Log"))
        messages(kit)
        self._swatches()
        imgui.end()

    def _swatches(self) -> None:
        kit, gap = self.kit, 2 * self.kit.scale
        side = imgui.get_content_region_avail().x / len(kit.theme.tokens()) - gap
        flags = (
            imgui.ColorEditFlags_.no_tooltip
            | imgui.ColorEditFlags_.no_drag_drop
            | imgui.ColorEditFlags_.alpha_preview_half
        )
        imgui.spacing()
        for token in kit.theme.tokens():
            imgui.color_button(token, kit.theme.rgba(token), flags, (side, side))
            imgui.set_item_tooltip(token)
            imgui.same_line(0, gap)
        imgui.new_line()

    def _heading(self, text: str) -> None:
        with self.kit.fonts.style("section"), role(self.kit.theme, "dim"):
            imgui.separator_text(self.kit.tr(text))

    def _type(self) -> None:
        kit = self.kit
        with kit.fonts.style("display"):
            imgui.text(kit.tr("Welcome to Rish"))
        with kit.fonts.style("title"):
            imgui.text(kit.tr("Title"))
        with kit.fonts.style("section"):
            kit.colored("text_dim", kit.tr("Section"))
        imgui.text(kit.tr("Body text: calm, legible and even."))
        with kit.fonts.style("small"):
            kit.colored("text_dim", kit.tr("Small text for hints"))
        with kit.fonts.style("code"):
            imgui.text("world[Clock].tick += 1  # Il1 O0 {}[]")
        for token in ("ok", "warning", "error", "info", "override", "text_accent"):
            kit.colored(token, icons.labelled(icons.RECORD, token))
            if token not in ("error", "text_accent"):
                imgui.same_line()

    def _buttons(self) -> None:
        kit = self.kit
        self._heading("Buttons")
        for name, look in (("Primary", "primary"), ("Normal", ""), ("Delete", "danger")):
            with role(kit.theme, look or "dim") if look else _plain():
                imgui.button(kit.tr(name))
            imgui.same_line()
        imgui.begin_disabled()
        imgui.button(kit.tr("Disabled"))
        imgui.end_disabled()
        for name, token in (("Normal", "button"), ("Hovered", "button_hover"), ("Pressed", "button_active")):
            imgui.push_style_color(imgui.Col_.button, kit.theme.rgba(token))
            imgui.button(f"{kit.tr(name)}##state")
            imgui.pop_style_color()
            imgui.same_line()
        imgui.push_style_color(imgui.Col_.border, kit.theme.rgba("focus"))
        imgui.button(kit.tr("Focused"))
        imgui.pop_style_color()
        for name, look in (("Play", icons.PLAY), ("Save", icons.SAVE), ("Add component", icons.PLUS)):
            imgui.button(f"{kit.label(look, name)}##icon")
            imgui.same_line()
        imgui.new_line()

    def _tools(self) -> None:
        kit = self.kit
        self._heading("Tools")
        tools = (icons.SELECT, icons.HAND, icons.MOVE, icons.ROTATE, icons.SCALE, icons.STRETCH, icons.GRID, icons.SNAP)
        for k, icon in enumerate(tools):
            kit.tool(icon, f"tool{k}", chosen=k == 2)
            imgui.same_line(0, 2 * kit.scale)
        imgui.begin_disabled()
        kit.tool(icons.UNDO, "undo")
        imgui.same_line(0, 2 * kit.scale)
        kit.tool(icons.REDO, "redo")
        imgui.end_disabled()
        imgui.progress_bar(0.62, (-1, 0), "62 %")
        if imgui.begin_tab_bar("tabs", imgui.TabBarFlags_.draw_selected_overline):
            for icon, name in ((icons.SCENE, "Scene"), (icons.GAME, "Game"), (icons.PROFILER, "Profiler")):
                if imgui.begin_tab_item(kit.label(icon, name))[0]:
                    imgui.plot_lines("##times", _WAVE, graph_size=(-1, 44 * kit.scale))
                    imgui.end_tab_item()
            imgui.end_tab_bar()

    def _inputs(self) -> None:
        kit = self.kit
        self._heading("Inputs")
        with kit.properties("inputs"):
            kit.property("Name", lambda: imgui.input_text("##name", "Player 玩家"))
            kit.property(
                "Find", lambda: imgui.input_text_with_hint("##find", kit.label(icons.SEARCH, "Search entities"), "")
            )
            kit.property("Position", lambda: kit.vector("position", 128.0, -42.5), override=True)
            kit.property("Rotation", lambda: imgui.drag_float("##angle", 45.0, format="%.1f°"))
            kit.property("Opacity", lambda: imgui.slider_float("##opacity", 0.7, 0.0, 1.0, "%.2f"))
            kit.property("Color", lambda: imgui.color_edit4("##color", [0.6, 0.55, 1.0, 1.0]))
            kit.property("Layer", lambda: layers(kit))
            kit.property("Enabled", lambda: imgui.checkbox("##enabled", True))
            kit.property("Visible", lambda: imgui.checkbox("##visible", False))
            kit.property("Mixed values", self._mixed)
            kit.property("Disabled", self._disabled)

    def _mixed(self) -> None:
        with role(self.kit.theme, "mixed"):
            imgui.drag_float("##mixed", 0.0, format="—")

    def _disabled(self) -> None:
        imgui.begin_disabled()
        imgui.drag_float("##disabled", 12.0, format="%.2f")
        imgui.end_disabled()

    def _menus(self) -> None:
        kit = self.kit
        self._heading("Edit")
        imgui.push_style_color(imgui.Col_.child_bg, kit.theme.rgba("popup"))
        frame = (
            imgui.ChildFlags_.borders | imgui.ChildFlags_.auto_resize_y | imgui.ChildFlags_.always_use_window_padding
        )
        if imgui.begin_child("menu", (0, 0), frame):
            edit_menu(kit)
        imgui.end_child()
        imgui.pop_style_color()

    def _rows(self) -> None:
        kit = self.kit
        self._heading("States")
        states = (
            ("Normal", None),
            ("Hovered", "hover"),
            ("Pressed", "active"),
            ("Selected", "selection"),
            ("Selected", "selection_idle"),
        )
        flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.borders_outer | imgui.TableFlags_.sizing_stretch_prop
        if imgui.begin_table("rows", 3, flags):
            for name in ("Name", "Type", "Value"):
                imgui.table_setup_column(kit.tr(name))
            imgui.table_headers_row()
            for k, (name, token) in enumerate(states):
                imgui.table_next_row()
                imgui.table_next_column()
                if token is not None:
                    imgui.push_style_color(imgui.Col_.header, kit.theme.rgba(token))
                imgui.selectable(
                    f"{kit.label(icons.ENTITY, name)}##{k}", token is not None, imgui.SelectableFlags_.span_all_columns
                )
                if token is not None:
                    imgui.pop_style_color()
                imgui.table_next_column()
                kit.colored("text_dim", "Sprite")
                imgui.table_next_column()
                with kit.fonts.style("code"):
                    imgui.text(f"{k * 37.25:.2f}")
            imgui.end_table()

    def _icons(self) -> None:
        self._heading("Icons")
        side, gap = imgui.get_frame_height(), 2 * self.kit.scale
        columns = max(int((imgui.get_content_region_avail().x + gap) / (side + gap)), 1)
        with role(self.kit.theme, "quiet"), spaced(imgui.StyleVar_.frame_padding, 0, 0):
            for k, name in enumerate(icons.names()):
                if k % columns:
                    imgui.same_line(0, gap)
                imgui.button(f"{icons.by_name(name)}##{name}", (side, side))


_WAVE = (0.6 + 0.3 * np.sin(np.arange(80) / 4) * np.cos(np.arange(80) / 11)).astype(np.float32)


@contextmanager
def _plain() -> Iterator[None]:
    yield
