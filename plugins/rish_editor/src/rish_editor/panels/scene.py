"""The scene view: the world as the person arranges it, whatever the game's cameras show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from ..views.camera import SceneCamera
from ..views.draw import SceneDraw
from ..views.handles import Handles

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI


class ScenePanel:
    """A view of the world with a camera of its own."""

    id, title, icon, dock, order, bare = "editor.scene", "Scene", "scene", "center", 10, True

    def __init__(self) -> None:
        self.camera = SceneCamera()
        self.handles = Handles()
        self.scene: SceneDraw | None = None
        self._game: Any = None

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the picture, and over it the handles of the selected entities."""
        game = editor.game
        if game is None:
            ui.empty(editor.tr("No game is open"), editor.tr("Open a game or make a new one in the File menu"))
            return
        if self._game is not game:
            self._begin(editor)
        size = max(int(ui.room[0]), 16), max(int(ui.room[1]), 16)
        place = imgui.get_cursor_screen_pos()
        self._navigate(ui, (place.x, place.y), size)
        view = scene_view(size, self.camera.centre, self.camera.density)
        texture = game.draw(size, view, plain=not editor.view.light)
        ui.image(texture.glo.value, size, flipped=True)
        ui.mark("view")

    def _begin(self, editor: Editor) -> None:
        """Look at what the game's camera shows first."""
        self._game = editor.game
