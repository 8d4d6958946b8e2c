"""The bar in the corner of a scene view: buttons of commands, the zoom, and the pointer's place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from ..look import icons

if TYPE_CHECKING:
    from ..session.editor import Editor
    from .canvas import Canvas

_MARGIN = 10.0
_ZOOM = "view.zoom_reset"
"""The command whose button has a label in place of an icon."""


def draw_bar(
    editor: Editor, scene: Canvas, groups: Sequence[Sequence[str]], *, inset: float, label: str, place: str
) -> None:  # fmt: skip
    """Draw the bar at the bottom left, in several lines in a narrow view, and the position of the pointer beside it.

    groups: the commands that are buttons. inset: from the left edge, pixels. label: of the button of the zoom.
    place: "" for none.
    """
    ui = editor.ui
    side, gap, wide, apart = imgui.get_frame_height(), ui.px(2), ui.px(58), ui.px(8)
    (left, top), (across, high) = scene.origin, scene.size
    widths = [len(names) * (side + gap) + (_ZOOM in names) * (wide - side) + apart for names in groups]
    lines, width = _lines(widths, across - inset - ui.px(2 * _MARGIN))
    width += ui.px(4) - apart
    below = top + high - ui.px(_MARGIN)
    x, y = left + inset + ui.px(_MARGIN), below - len(lines) * (side + gap) + gap - ui.px(6)
    _back(editor, scene, (x, y), (x + width, below))
    scene.draw_list.add_rect((x, y), (x + width, below), ui.theme.packed("border"), ui.px(6))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (gap, 0.0))
    with ui.inside("bar"):
        for number, line in enumerate(lines):
            at = x + ui.px(3)
            for group in line:
                for name in groups[group]:
                    imgui.set_cursor_screen_pos((at, y + ui.px(3) + number * (side + gap)))
                    _button(editor, name, label, wide)
                    at += (wide if name == _ZOOM else side) + gap
                at += apart
    imgui.pop_style_var()
    y = below - side - ui.px(6)
    start, size = x + width + ui.px(6), imgui.calc_text_size(place)
    if place and start + size.x + ui.px(20) < left + across:
        height = side + ui.px(6)
        _back(editor, scene, (start, y), (start + size.x + ui.px(16), y + height))
        corner = start + ui.px(8), y + (height - size.y) / 2
        scene.draw_list.add_text(corner, ui.theme.packed("text_dim"), place)


def _lines(widths: Sequence[float], room: float) -> tuple[list[list[int]], float]:
    """Return the indices of the groups in each line, and the width of the widest line. A line has at least one
    group."""
    lines: list[list[int]] = [[]]
    for number, width in enumerate(widths):
        if lines[-1] and sum(widths[other] for other in lines[-1]) + width > room:
            lines.append([])
        lines[-1].append(number)
    return lines, max(sum(widths[number] for number in line) for line in lines)


def _back(editor: Editor, scene: Canvas, low: tuple[float, float], high: tuple[float, float]) -> None:
    scene.draw_list.add_rect_filled(low, high, editor.ui.theme.packed("popup", 0.94), editor.ui.px(6))


def _button(editor: Editor, name: str, label: str, wide: float) -> None:
    command, ui = editor.commands[name], editor.ui

    def tip() -> str:
        return editor.commands.tip(name, editor)

    if name == _ZOOM:
        pressed = ui.button(label, name, tooltip=tip, kind="ghost", width=wide)
    else:
        active = bool(command.checked(editor)) if command.checked is not None else False
        enabled = editor.commands.enabled(name, editor)
        pressed = ui.icon_button(icons.by_name(command.icon), name, tip, active=active, enabled=enabled)
    if pressed:
        editor.run(name)
