"""The sheet of all shortcuts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...session.commands import Command
    from ...session.editor import Editor
    from ...ui.ui import UI

_SCENE = (
    ("Click", "Select an entity"),
    ("Ctrl+Click", "Select or deselect another one"),
    ("Drag", "Select what is in a box, or move a handle"),
    ("Right drag", "Move the view"),
    ("Wheel", "Zoom to the pointer"),
    ("Arrow keys", "Move the selection"),
    ("Shift+Arrow keys", "Move the selection by a cell of the grid"),
    ("Double-click", "Type a number into a field"),
)
_SPACE = (
    ("Arrow keys", "Move the selection on the ground"),
    ("Page up, Page down", "Move the selection up and down"),
    ("Middle drag", "Turn the view"),
    ("Shift+Middle drag", "Move the view"),
    ("Right drag", "Look around"),
    ("Right drag+W A S D Q E", "Fly"),
)
"""The keys and mouse buttons of the view of space."""
_COLUMN = 300.0
"""The least width of a column, units."""


Row = tuple[str, str, str]
Sheet = tuple[str, list[Row]]


def _columns(sheets: Sequence[Sheet], count: int) -> list[list[Sheet]]:
    """Return the sheets in columns of about the same height, in order."""
    columns: list[list[Sheet]] = [[] for _ in range(count)]
    whole = sum(len(rows) + 2 for _, rows in sheets)
    done = 0
    for sheet in sheets:
        size = len(sheet[1]) + 2
        columns[min(int((done + size / 2) * count / whole), count - 1)].append(sheet)
        done += size
    return columns


class KeysPanel:
    """All shortcuts by menu, and what mouse and keys do in the scene view."""

    id, title, icon, dock, order = "editor.keys", "Keyboard shortcuts", "keyboard", "float", 110
    open, always, size = False, True, (760.0, 560.0)

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the sheet."""
        groups: dict[str, list[Command]] = {}
        for command in editor.commands:
            if editor.commands.shortcut(command.id):
                groups.setdefault(command.menu.partition("#")[0].partition("/")[0] or "Other", []).append(command)
        sheets = [
            (
                editor.tr(title),
                [(editor.commands.shown(each.id), editor.tr(each.title), each.id) for each in commands],
            )
            for title, commands in groups.items()
        ]
        for title, rows in ((editor.tr("In the scene view"), _SCENE), (editor.tr("In the view of space"), _SPACE)):
            sheets.append(
                (title, [(editor.tr(keys), editor.tr(description), f"{title}/{keys}") for keys, description in rows])
            )
        columns = max(1, min(3, int(ui.room[0] // ui.px(_COLUMN))))
        with ui.table("sheet", columns) as shown:
            if shown:
                for part in _columns(sheets, columns):
                    ui.cell()
                    for title, rows in part:
                        self._group(ui, title, rows)
        ui.space(4)
        if ui.button(editor.tr("Change the shortcuts…"), "change"):
            editor.show("editor.settings")

    def _group(self, ui: UI, title: str, rows: Sequence[Row]) -> None:
        ui.text(title, "section")
        with ui.table(title, 2, lines=True) as shown:
            if shown:
                for keys, description, name in rows:
                    ui.row()
                    ui.cell()
                    ui.text(description, cut=True)
                    ui.mark(f"key:{name}")
                    ui.cell()
                    ui.text(keys, "mono", cut=True)
        ui.space(8)
