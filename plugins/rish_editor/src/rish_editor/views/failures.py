"""Messages about gizmos that have failed, each with a button to try again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from rish_core import describe_error

from ..look import icons
from ..ui.shortening import shortened

if TYPE_CHECKING:
    from ..session.editor import Editor
    from .canvas import Canvas

_BOTTOM_MARGIN = 52.0
"""Units from the lower edge, above the bar."""
_MAX_WIDTH = 560.0
"""Units of a line."""


def fail(editor: Editor, cls: type, drawer: Any, error: BaseException) -> None:
    """Report that the drawer of a component has raised; it is not called again until the user presses the button."""
    editor.failed_drawers[drawer] = describe_error(error)[:300]
    editor.report(editor.tr("The gizmo of {name}", name=cls.__name__), error, drawer)


def draw_failures(editor: Editor, scene: Canvas, drawers: Iterable[Any]) -> None:
    """Draw a message for each failed drawer of a view, from the lower edge upwards."""
    ui = editor.ui
    failed = [(cls, drawer) for cls, drawer in drawers if drawer in editor.failed_drawers]
    (left, top), (across, high) = scene.origin, scene.size
    side, edge = imgui.get_frame_height(), ui.px(10)
    x, wide = left + edge, min(across - 2 * edge, ui.px(_MAX_WIDTH))
    with ui.inside("failed"):
        for number, (cls, drawer) in enumerate(failed):
            y = top + high - ui.px(_BOTTOM_MARGIN) - (number + 1) * (side + ui.px(4))
            scene.draw_list.add_rect_filled((x, y), (x + wide, y + side), ui.theme.packed("popup", 0.94), ui.px(6))
            room = wide - imgui.calc_text_size(editor.tr("Try again")).x - ui.px(52)
            message = (
                f"{icons.ERROR}  {editor.tr('The gizmo of {name}', name=cls.__name__)}: {editor.failed_drawers[drawer]}"
            )
            text = x + ui.px(8), y + imgui.get_style().frame_padding.y
            scene.draw_list.add_text(text, ui.theme.packed("error"), shortened(message, room - ui.px(8)))
            imgui.set_cursor_screen_pos((x + room + ui.px(8), y))
            if ui.button(editor.tr("Try again"), f"retry.{cls.__name__}", icon=icons.RELOAD, tooltip=message):
                del editor.failed_drawers[drawer]
