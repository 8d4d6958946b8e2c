"""The shell: the window of the editor and its frames."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from rish_core import Assets
from rish_render import open_window

from ..look import fonts, style
from ..look.language import Language
from ..look.theme import DARK, THEMES
from ..session.commands import Command
from ..session.editor import Editor
from ..session.game import Game
from ..session.input import GameInput
from ..session.log import LogBuffer
from ..session.opening import declared_by, open_app
from ..session.settings import Settings
from ..session.surface import Surface
from ..session.thumbnails import Thumbnails
from ..ui.host import Host
from ..ui.keys import MODIFIERS, key_name
from ..ui.marks import Marks
from ..ui.ui import UI
from . import bars, layout
from .dialogs import Dialogs
from .panels import Panels

_log = logging.getLogger("rish.editor")
_HELD = {"ctrl": "Ctrl", "super": "Ctrl", "shift": "Shift", "alt": "Alt"}
IDLE = 1 / 60
"""Seconds of a frame."""


class Shell:
    """The editor in one window.

    settings: of the person. size: of the window in units. headless: no window on the screen; each frame lasts 1/60 s.
    marks: whether places of widgets are stored, for tests.
    """

    def __init__(
        self, settings: Settings, *, size: tuple[int, int] = (1440, 860), headless: bool = False, marks: bool = False
    ) -> None:
        self.window = open_window("Rish", size, visible=not headless)
        self.headless = headless
        self.window.switch_to()
        self.host = Host(self.window)
        self.host.on_key = self._shortcut
        self.input = GameInput(self.window)
        self.host.on_event = self.input.event
        theme = THEMES.get(settings.theme, DARK)
        faces = fonts.load_fonts()
        style.apply(theme, settings.scale)
        ui = UI(theme, faces, Marks(on=marks), settings.scale)
        self.log = LogBuffer()
        self.log.attach()
        self.editor = editor = Editor(ui, settings, Language(settings.language or language_of_system()), self.log)
        editor.headless, editor.input = headless, self.input
        editor.panels = Panels(editor)
        editor.dialogs = Dialogs(editor)
        editor.thumbnails = Thumbnails(self.window, lambda: editor.game.world[Assets] if editor.game is not None else None)
        editor.open = self.open
        editor.close_game = self.close_game
        editor.clipboard, editor.copy = self.host.paste, self.host.copy
        self._arranged = False
        self._layout = settings.layouts.get("last", "")
        self._last = time.perf_counter()
        self._keys_used = 0
        self.frames = 0
        self._use_declared(declared_by(None))
        self.window.push_handlers(on_close=self._on_close)

    # Games

    def open(self, path: Path) -> bool:
        """Open a game instead of the one that is open; return whether it could be opened."""
        surface = Surface(self.window, interactive=not self.headless)
        try:
            app = open_app(path, surface, headless=self.headless)
        except Exception as error:
            self.editor.report(self.editor.tr("Open {path}", path=path), error)
            return False
        self.close_game()
        self.editor.game = Game(app, surface)
        self.editor.settings.add_recent(path.resolve())
        self._use_declared(declared_by(app))
        return True

    def close_game(self) -> None:
        """Close the game; the window stays open."""
        game, self.editor.game = self.editor.game, None
        if game is not None:
            game.close()
            self.editor.kept = []
            self._use_declared(declared_by(None))

    def _use_declared(self, declared: Any) -> None:
        self.editor.use_commands(declared.commands)
        for code, texts in declared.texts:
            self.editor.language.add(texts, code)
        self.editor.inspectors, self.editor.gizmos = declared.inspectors, declared.gizmos
        self.editor.panels.use(declared.panels, self.editor.settings.panels)

    # Frames

    def run(self, frames: int | None = None) -> None:
        """Run until the person closes the window, or for a number of frames."""
        last = None if frames is None else self.frames + frames
        while not self.editor.closing and (last is None or self.frames < last):
            begin = time.perf_counter()
            self.frame()
            rest = IDLE - (time.perf_counter() - begin)
            if rest > 0 and not self.headless:
                time.sleep(rest)

    def frame(self, seconds: float | None = None) -> None:
        """Run one frame: events, ticks of a running game, user interface, picture. seconds: None measures them."""
        now = time.perf_counter()
        if seconds is None:
            seconds = 1 / 60 if self.headless else now - self._last
        self._last = now
        self.window.switch_to()
        self.window.dispatch_events()
        editor = self.editor
        editor.input.deliver(editor.game)
        if editor.game is not None:
            try:
                editor.game.play.advance(seconds)
            except Exception as error:
                editor.game.play.stop()
                editor.report(editor.tr("The run was stopped"), error)
        for note in editor.notes:
            note.left -= seconds
        editor.notes = [note for note in editor.notes if note.left > 0]
        if self._layout:
            layout.load_layout(self._layout)
            self._layout, self._arranged = "", True
        editor.ui.marks.begin()
        self.host.frame(seconds, self._build)
        self._show()
        editor.thumbnails.step()
        editor.run_later()
        self.frames += 1

    def _build(self) -> None:
        editor = self.editor
        viewport = imgui.get_main_viewport()
        bars.menu_bar(editor)
        bars.toolbar(editor)
        bars.status_bar(editor)
        root = imgui.dock_space_over_viewport(imgui.get_id("dock"), viewport)
        if not self._arranged:
            layout.arrange(editor.panels, root, (viewport.work_size.x, viewport.work_size.y))
            self._arranged = True
        editor.panels.draw()
        editor.dialogs.draw()
        bars.notes(editor)

    def _show(self) -> None:
        gl = _gl()
        self.window.switch_to()
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        width, height = self.window.get_framebuffer_size()
        gl.glViewport(0, 0, width, height)
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glClearColor(*self.editor.ui.theme.rgba("window"))
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        self.host.draw()
        self.window.flip()

    def arrange(self) -> None:
        """Put all panels to their usual places in the next frame."""
        self._arranged = False

    def pixels(self) -> Any:
        """Return the picture of the window: uint8 (h, w, 4), the top row first."""
        import ctypes

        import numpy as np

        gl = _gl()
        self.window.switch_to()
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        width, height = self.window.get_framebuffer_size()
        data = np.zeros((height, width, 4), np.uint8)
        gl.glReadBuffer(gl.GL_BACK if self.headless else gl.GL_FRONT)
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        gl.glReadPixels(0, 0, width, height, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, data.ctypes.data_as(ctypes.c_void_p))
        data[..., 3] = 255
        return data[::-1].copy()

    def close(self) -> None:
        """Save the settings, and close the game and the window."""
        settings = self.editor.settings
        settings.panels = {**settings.panels, **self.editor.panels.save()}
        settings.layouts = {**settings.layouts, "last": layout.saved_layout()}
        settings.keys = dict(self.editor.commands.keys)
        problem = settings.save()
        if problem is not None:
            _log.warning("the settings can't be saved: %s", problem)
        self.close_game()
        self.log.detach()
        self.host.close()
        self.window.close()

    # Events

    def _shortcut(self, code: int, modifiers: int) -> bool:
        """Run the command of a pressed key. In a text field, only keys with Ctrl or Alt that edit no text are used.

        While the game has the keyboard, only keys with Ctrl and those of playing are used.
        """
        name = key_name(code)
        if name is None or self.editor.dialogs.open:
            return False
        held = frozenset(_HELD[word] for bit, word in MODIFIERS.items() if modifiers & bit)
        if self.input.focused and "Ctrl" not in held and name not in ("F5", "F6", "F7", "F8"):
            return False
        if self.host.typing and (not held & {"Ctrl", "Alt"} or name in "ACVXYZ"):
            return False
        for command in self.editor.commands.bound_to(held, name):
            if self._runs_here(command) and self.editor.run(command.id):
                return True
        return False

    def _runs_here(self, command: Command) -> bool:
        return self.editor.commands.enabled(command.id, self.editor)

    def _on_close(self) -> bool:
        if "file.quit" in self.editor.commands:
            self.editor.run("file.quit")
        else:
            self.editor.closing = True
        return True


def language_of_system() -> str:
    """Return the language of the system, if the editor has it, otherwise English."""
    given = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh-TW" if given.startswith(("zh_TW", "zh_HK")) else "en"


def _gl() -> Any:
    import pyglet.gl

    return pyglet.gl
