"""The overlay: panels of the editor over a running game.

It is drawn between two ticks, after the game's picture and before it is shown. Input that it uses does not reach the
game. What a person changes with it is noted as an intervention, so that a recording takes a snapshot; a recording in
which nothing is changed is that of the game without the overlay.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from rish_core import App, Assets, Interventions

from ..look import fonts, icons, style
from ..look.language import Language
from ..look.theme import DARK, THEMES
from ..session.editor import Editor
from ..session.files.opening import declared_by
from ..session.files.thumbnails import Thumbnails
from ..session.settings import Settings, read_settings, settings_folder
from ..shell.dialogs import Dialogs
from ..shell.panels import Panels
from ..shell.shell import language_of_system
from ..ui.marks import Marks
from ..ui.ui import UI
from .guest import Guest
from .live import LiveGame

if TYPE_CHECKING:
    from ..session.log import LogBuffer

_log = logging.getLogger("rish.editor")
_FLAGS = (
    imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_focus_on_appearing | imgui.WindowFlags_.no_nav
)  # fmt: skip
_LAYOUT = "last"
_SETTLING = 4
"""Frames until all panels have their places."""
_SMALL = 900.0
"""Units; in a narrower window all panels are tabs below the game."""


class Overlay:
    """The panels over one game; made when they are first shown.

    app: the game, whose backend draws with OpenGL. log: the lines so far. key: the name of the key that hides it.
    """

    def __init__(self, app: App, log: LogBuffer, key: str, *, marks: bool = False) -> None:
        self.app = app
        self.backend: Any = app.host.backend  # pyright: ignore[reportAttributeAccessIssue]
        self.key = key
        self.guest = Guest(self.backend)
        self.window = self.guest.window
        self._settings = Settings() if app.headless else read_settings(settings_folder() / "debug")
        of_editor = read_settings()
        theme = THEMES.get(of_editor.theme, DARK).playing()
        faces = fonts.load_fonts()
        style.apply(theme, of_editor.scale)
        ui = UI(theme, faces, Marks(on=marks), of_editor.scale)
        language = Language(of_editor.language or language_of_system())
        self.editor = editor = Editor(ui, of_editor, language, log)
        editor.headless = app.headless
        editor.panels, editor.dialogs = Panels(editor), Dialogs(editor)
        editor.clipboard, editor.copy = self.guest.paste, self.guest.copy
        editor.game = LiveGame(app)
        editor.thumbnails = Thumbnails(self.window, lambda: app.world[Assets])
        self._declare()
        self._layout = self._settings.layouts.get(_LAYOUT, "")
        self._arranged = bool(self._layout)
        self._frames = 0

    def _declare(self) -> None:
        declared, editor = declared_by(self.app), self.editor
        editor.use_commands(command for command in declared.commands if command.in_game)
        for code, texts in declared.texts:
            editor.language.add(texts, code)
        editor.inspectors = declared.inspectors
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
            imgui.load_ini_settings_from_memory(self._layout)
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
        if not self._arranged:
            size = imgui.get_main_viewport().work_size
            _arrange(editor.panels, root, (size.x, size.y), small=size.x < editor.ui.px(_SMALL))
            self._arranged = True
            editor.panels.show("editor.log")
        editor.panels.draw(root)
        self._bar()
        editor.dialogs.draw()
        if self._frames < _SETTLING:
            imgui.set_window_focus(None)  # keys belong to the game until a panel is clicked

    def _bar(self) -> None:
        """Draw the buttons of the panels, and those that stop time."""
        editor, ui, tr, clock = self.editor, self.editor.ui, self.editor.tr, self.app.clock
        viewport = imgui.get_main_viewport()
        imgui.set_next_window_pos((viewport.work_pos.x + viewport.work_size.x / 2, ui.px(6)), 0, (0.5, 0.0))
        imgui.push_style_color(imgui.Col_.window_bg, ui.theme.rgba("bar"))
        imgui.push_style_var(imgui.StyleVar_.window_padding, (ui.px(6), ui.px(4)))
        imgui.begin("##debug", None, _FLAGS)
        with ui.inside("debug"):
            for held in editor.panels:
                icon = icons.by_name(held.option("icon", ""))
                if ui.icon_button(icon, held.id, tr(held.panel.title), active=held.open):
                    editor.panels.show(held.id, not held.open)
                ui.same_line(2)
            ui.same_line(10)
            if ui.icon_button(icons.PLAY if clock.paused else icons.PAUSE, "pause", tr("Pause"), active=clock.paused):
                clock.pause(not clock.paused)
            ui.same_line(2)
            if ui.icon_button(icons.STEP, "step", tr("Run one tick, then stand still")):
                clock.pause()
                clock.request_steps()
            ui.same_line(8)
            ui.text(tr("tick {tick}", tick=f"{self.app.world.tick:,}"), "dim")
            ui.same_line(10)
            ui.text(tr("{key} hides", key=self.key), "dim")
        imgui.end()
        imgui.pop_style_var()
        imgui.pop_style_color()

    def close(self) -> None:
        """Save the arrangement of the panels, unless nobody sees them, and free the interface."""
        if not self.app.headless:
            self._save()
        self.window.switch_to()
        self.guest.close()

    def _save(self) -> None:
        settings = self._settings
        settings.panels = {**settings.panels, **self.editor.panels.save()}
        settings.layouts = {_LAYOUT: str(imgui.save_ini_settings_to_memory())}
        problem = settings.save(settings_folder() / "debug")
        if problem is not None:
            _log.warning("the settings can't be saved: %s", problem)


def _arrange(panels: Iterable[Any], root: int, size: tuple[float, float], *, small: bool) -> None:
    """Put the panels around the game; in a small window below it."""
    build = imgui.internal
    build.dock_builder_remove_node(root)
    flags = build.DockNodeFlagsPrivate_.dock_space | imgui.DockNodeFlags_.passthru_central_node
    build.dock_builder_add_node(root, flags)
    build.dock_builder_set_node_size(root, size)
    _, bottom, rest = build.dock_builder_split_node_py(root, imgui.Dir.down, 0.5 if small else 0.3)
    left = right = bottom
    if not small:
        _, right, rest = build.dock_builder_split_node_py(rest, imgui.Dir.right, 0.26)
        _, left, rest = build.dock_builder_split_node_py(rest, imgui.Dir.left, 0.24)
    places = {"left": left, "right": right}
    for held in sorted(panels, key=lambda held: held.option("order", 100)):
        place = places.get(held.option("dock", "float"), bottom)
        build.dock_builder_dock_window(f"###{held.id}", place)
    build.dock_builder_finish(root)
