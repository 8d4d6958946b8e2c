"""The menu that a right click on a view opens: the commands of the menus Entity and Edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...shell.bars import draw_item
from ...views.interaction.selecting import Picker, choose

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...views.canvas import Point
    from ...views.interaction.viewport import Viewport

MENUS = ("Entity", "Edit")


def draw_menu(editor: Editor, viewport: Viewport, pointer: Point, pick: Picker) -> None:
    """Open the menu after a right click, for the entity below the pointer, and draw it while it is open."""
    ui, game = editor.ui, editor.game
    assert game is not None
    if viewport.menu_wanted:
        viewport.menu_at = pointer
        below = pick(pointer, None)
        if below and not any(handle in game.selection for handle in below):
            choose(editor, below[:1])
        ui.open_popup("menu")
    with ui.popup("menu") as opened:
        if not opened:
            viewport.menu_at = None
            return
        if len(game.selection):
            ui.text(_title(editor), "section")
            ui.separator()
        group = ""
        for command in editor.commands:
            menu, _, _ = command.menu.partition("#")
            if menu.partition("/")[0] not in MENUS:
                continue
            if group and group != command.menu:
                ui.separator()
            group = command.menu
            draw_item(editor, command)


def _title(editor: Editor) -> str:
    game = editor.game
    assert game is not None
    count = len(game.selection)
    primary = game.selection.primary
    if count == 1 and primary is not None:
        return game.name_of(primary)
    return editor.tr("{count} selected", count=count)
