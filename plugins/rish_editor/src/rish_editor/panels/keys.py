"""The sheet of all shortcuts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..session.commands import Command
    from ..session.editor import Editor
    from ..ui.ui import UI

_MOUSE = (
    ("Click", "Select an entity"),
    ("Ctrl+Click", "Select or deselect another one"),
    ("Drag", "Select what is in a box, or move a handle"),
    ("Right drag", "Move the view"),
    ("Wheel", "Zoom to the pointer"),
    ("Double-click", "Type a number into a field"),
)
_COLUMN = 330.0
"""The least width of a column, units."""


class KeysPanel:
    """All shortcuts by menu, and what the mouse does in the scene view."""

    id, title, icon, dock, order = "editor.keys", "Keyboard shortcuts", "keyboard", "float", 110
    open, always, size = False, True, (760.0, 560.0)

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the sheet."""
        groups: dict[str, list[Command]] = {}
        for command in editor.commands:
            if editor.commands.shortcut(command.id):
                groups.setdefault(command.menu.partition("#")[0].partition("/")[0] or "Other", []).append(command)
        columns = max(1, min(3, int(ui.room[0] // ui.px(_COLUMN))))
        with ui.table("sheet", columns) as shown:
            if not shown:
                return
            for title, commands in groups.items():
                ui.cell()
                rows = [(editor.commands.shortcut(each.id), editor.tr(each.title), each.id) for each in commands]
                self._group(ui, editor.tr(title), rows)
            ui.cell()
            self._group(ui, editor.tr("Mouse in the scene"), [(editor.tr(a), editor.tr(b), a) for a, b in _MOUSE])
        ui.space(4)
        if ui.button(editor.tr("Change the shortcuts…"), "change"):
            editor.show("editor.settings")

    def _group(self, ui: UI, title: str, rows: Sequence[tuple[str, str, str]]) -> None:
        ui.text(title, "section")
        with ui.table(title, 2, lines=True) as shown:
            if shown:
                for keys, said, name in rows:
                    ui.row()
                    ui.cell()
                    ui.text(said)
                    ui.mark(f"key:{name}")
                    ui.cell()
                    ui.text(keys, "mono")
        ui.space(8)
