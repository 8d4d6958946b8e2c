"""The hierarchy: all entities of the scene as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI


class HierarchyPanel:
    """All entities of the scene."""

    id, title, icon, dock, order, in_game = "editor.hierarchy", "Hierarchy", "hierarchy", "left", 10, True

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the tree."""
        if editor.game is None:
            ui.empty(editor.tr("No game is open"), editor.tr("Open a game or make a new one in the File menu"))
