"""The overlay: panels of the editor over a running game. They float, small, and are remembered where they were moved.

It is drawn between two ticks, after the game's picture and before it is shown. Input that it uses does not reach the
game. What a user changes with it is noted as an intervention, so that a recording takes a snapshot; a recording in
which nothing is changed is that of the game without the overlay.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from rish_core import App, Assets, Interventions

from ..look import fonts, style
from ..look.language import Language
from ..look.theme import DARK, THEMES
from ..session.editor import Editor
from ..session.files.opening import declared_by
from ..session.files.thumbnails import Thumbnails
from ..session.settings import Settings, read_settings, settings_folder
from ..shell.dialogs import Dialogs
from ..shell.layout import layout_text, restore_layout
from ..shell.panels import Panels
from ..shell.shell import language_of_system
from ..ui.marks import Marks
from ..ui.ui import UI
from .bar import Bar
from .live import LiveGame
from .overlay_ui import Guest

if TYPE_CHECKING:
    from ..session.log import LogBuffer

_log = logging.getLogger("rish.editor")
_SETTLING = 4
"""Frames until all panels have their places."""
_SMALL = 900.0
"""The least width of a window in which the log is open at first, units; narrower windows have a saved arrangement of
their own. """
_FIRST = "editor.log"
_BAR = "debug.bar"
"""The name of the bar's state among the saved data of panels."""


class Overlay:
    """The panels over one game; made when they are first shown.

    app: the game, whose backend draws with OpenGL. log: the lines so far. key: the name of the key that hides it.
    """

    def __init__(self, app: App, log: LogBuffer, key: str, *, marks: bool = False) -> None:
        self.app = app
        self.backend: Any = app.host.backend  # pyright: ignore[reportAttributeAccessIssue]
        self.guest = Guest(self.backend)
        self.window = self.guest.window
        self._settings = Settings() if app.headless else read_settings(settings_folder() / "debug")
        of_editor = read_settings()
        theme = THEMES.get(of_editor.theme, DARK).playing()
        faces = fonts.load_fonts()
        style.apply(theme, of_editor.scale)
        imgui.get_style().window_menu_button_position = imgui.Dir.left  # the arrow that collapses a panel
        ui = UI(theme, faces, Marks(on=marks), of_editor.scale)
        language = Language(of_editor.language or language_of_system())
        self.editor = editor = Editor(ui, of_editor, language, log)
        editor.headless = app.headless
        editor.panels, editor.dialogs = Panels(editor, floating=True), Dialogs(editor)
        editor.clipboard, editor.copy = self.guest.paste, self.guest.copy
        editor.game = LiveGame(app)
        editor.thumbnails = Thumbnails(self.window, lambda: app.world[Assets])
        self._declare()
        small = self.guest.sizes()[0][0] < ui.px(_SMALL)
        self._size = "small" if small else "large"
        self._layout = self._settings.layouts.get(self._size, "")
        for window in editor.panels:
            window.open = bool(window.option("open", window.id == _FIRST and not small))
        self.bar = Bar(app, key, folded=self._settings.panels.get(_BAR) == "folded")
        self._frames = 0

    def _declare(self) -> None:
        declared, editor = declared_by(self.app), self.editor
        editor.use_commands(command for command in declared.commands if command.in_game)
        for code, texts in declared.texts:
            editor.language.add(texts, code)
        editor.inspectors, editor.owners = declared.inspectors, declared.owners
        shown = [cls for cls in declared.panels if getattr(cls, "in_game", False)]
        editor.panels.use(shown, self._settings.panels)

    # Frames

    def draw(self) -> None:
        """Run one frame of the interface and draw it over the game's picture."""
        editor, world = self.editor, self.app.world
        assert editor.game is not None
        before = world.hash() if self.guest.busy else None
        editor.game.selection.prune(world)
        if self._layout:
            restore_layout(editor.panels, self._layout)
            self._layout = ""
        editor.ui.marks.begin()
        with self.backend.over():
            self.guest.frame(self.app.clock.frame_dt, self._build)
            self.guest.draw()
        editor.thumbnails.step()
        editor.run_later()
        self._frames += 1
        if before is not None:
            if world.pending:
                world.flush()
            if world.hash() != before:
                world[Interventions].note(f"the debug overlay: {editor.panels.focused or 'a command'}")

    def _build(self) -> None:
        editor = self.editor
        flags = imgui.DockNodeFlags_.passthru_central_node
        root = imgui.dock_space_over_viewport(imgui.get_id("dock"), imgui.get_main_viewport(), flags)
        editor.panels.draw(root)
        self.bar.draw(editor)
        editor.dialogs.draw()
        if self._frames < _SETTLING:
            imgui.set_window_focus(None)  # keys belong to the game until a panel is clicked

    def close(self) -> None:
        """Save the arrangement of the panels, unless nobody sees them, and free the interface."""
        if not self.app.headless:
            self._save()
        self.window.switch_to()
        self.guest.close()

    def _save(self) -> None:
        settings = self._settings
        bar = "folded" if self.bar.folded else "open"
        settings.panels = {**settings.panels, **self.editor.panels.save(), _BAR: bar}
        settings.layouts = {**settings.layouts, self._size: layout_text(self.editor.panels)}
        problem = settings.save(settings_folder() / "debug")
        if problem is not None:
            _log.warning("the settings can't be saved: %s", problem)
