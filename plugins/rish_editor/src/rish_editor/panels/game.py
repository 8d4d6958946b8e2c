"""The game view: what a player sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI


class GamePanel:
    """The picture of the game's cameras. While the game is played, keys and pointer go to it."""

    id, title, icon, dock, order, bare = "editor.game", "Game", "game", "center", 20, True

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the picture."""
        game = editor.game
        if game is None:
            ui.empty(editor.tr("No game is open"), editor.tr("Open a game or make a new one in the File menu"))
            return
        size = max(int(ui.room[0]), 16), max(int(ui.room[1]), 16)
        corner = imgui.get_cursor_screen_pos()
        texture = game.draw(size)
        ui.image(texture.glo.value, size, flipped=True)
        imgui.set_cursor_screen_pos(corner)
        imgui.invisible_button("view", size)
        ui.mark("view")
