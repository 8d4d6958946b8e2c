"""The bar in the corner of a scene view: the pointer's place, the zoom, and what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from ..look import icons
from .grid import RULER

if TYPE_CHECKING:
    from ..session.editor import Editor
    from .draw import SceneDraw

_SWITCHES = ("view.grid", "view.light", "view.gizmos")
"""The commands that are buttons of the bar."""
_MARGIN = 10.0
_DIGITS_AT = ((8.0, 2), (0.5, 1))
"""From which zoom on the place of the pointer has how many digits."""


def draw_bar(editor: Editor, scene: SceneDraw, hovered: bool) -> None:
    """Draw the bar at the bottom left, and beside it the place of the pointer if it is in the view."""
    ui = editor.ui
    side, gap = imgui.get_frame_height(), ui.px(2)
    wide = ui.px(58)
    width = 3 * side + wide + len(_SWITCHES) * side + ui.px(14) + 6 * gap
    (left, top), (across, high) = scene.origin, scene.size
    x, y = left + ui.px(RULER + _MARGIN), top + high - side - ui.px(_MARGIN) - ui.px(6)
    back = (x, y), (x + width, y + side + ui.px(6))
    scene.draw_list.add_rect_filled(*back, ui.theme.packed("popup", 0.94), ui.px(6))
    scene.draw_list.add_rect(*back, ui.theme.packed("border"), ui.px(6))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (gap, 0.0))
    with ui.inside("bar"):
        imgui.set_cursor_screen_pos((x + ui.px(3), y + ui.px(3)))
        _button(editor, "view.zoom_out", icons.MINUS)
        tip = _tip(editor, "view.zoom_reset")
        if ui.button(_percent(scene), "view.zoom_reset", tooltip=tip, kind="ghost", width=wide):
            editor.run("view.zoom_reset")
        imgui.same_line()
        _button(editor, "view.zoom_in", icons.PLUS)
        _button(editor, "view.frame", icons.FRAME)
        imgui.set_cursor_screen_pos((imgui.get_cursor_screen_pos().x + ui.px(8), y + ui.px(3)))
        for name in _SWITCHES:
            _button(editor, name, icons.by_name(editor.commands[name].icon))
    imgui.pop_style_var()
    if hovered:
        text, start = _place(scene), x + width + ui.px(6)
        size, height = imgui.calc_text_size(text), side + ui.px(6)
        if start + size.x + ui.px(20) < left + across:
            scene.draw_list.add_rect_filled((start, y), (start + size.x + ui.px(16), y + height),
                                            ui.theme.packed("popup", 0.94), ui.px(6))  # fmt: skip
            at = start + ui.px(8), y + (height - size.y) / 2
            scene.draw_list.add_text(at, ui.theme.packed("text_dim"), text)


def _button(editor: Editor, name: str, icon: str) -> None:
    command = editor.commands[name]
    active = bool(command.checked(editor)) if command.checked is not None else False
    enabled = editor.commands.enabled(name, editor)
    if editor.ui.icon_button(icon, name, _tip(editor, name), active=active, enabled=enabled):
        editor.run(name)
    imgui.same_line()


def _tip(editor: Editor, name: str) -> str:
    command, shortcut = editor.commands[name], editor.commands.shown(name)
    return editor.tr(command.tooltip or command.title) + (f"  ({shortcut})" if shortcut else "")


def _percent(scene: SceneDraw) -> str:
    part = 100.0 / scene.pixel
    return f"{part:.0f} %" if part >= 10 else f"{part:.2g} %"


def _place(scene: SceneDraw) -> str:
    digits = next((digits for zoom, digits in _DIGITS_AT if 1 / scene.pixel >= zoom), 0)
    x, y = scene.pointer
    return f"x {x:,.{digits}f}   y {y:,.{digits}f}"
