"""The shell: the window of the editor and its frames."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from rish_core import Assets
from rish_jit import on_wait
from rish_render import open_window

from ..look import fonts, style
from ..look.language import Language
from ..look.theme import DARK, THEMES, Theme
from ..session.editor import Editor
from ..session.files.opening import declared_by
from ..session.files.thumbnails import Thumbnails
from ..session.game.input import GameInput
from ..session.game.play import PlayState
from ..session.log import LogBuffer
from ..session.settings import Settings
from ..ui.host import Host
from ..ui.marks import Marks
from ..ui.textures import read_picture
from ..ui.ui import UI
from ..ui.widgets.base import Failure
from . import bars
from .dialogs import Dialogs
from .files.games import Games
from .files.loading import BusyCard, draw_waiting, loading
from .files.texts import Texts
from .layout import LAST, Layouts
from .palette import Palette
from .panels import Panels
from .progress import WorkProgress
from .shortcuts import Shortcuts
from .welcome import Welcome

if TYPE_CHECKING:
    from rish_core import App

    from ..session.game.game import Game

_log = logging.getLogger("rish.editor")
FRAME = 1 / 60
"""Seconds of a frame."""
IDLE = 0.1
"""The duration of a frame of an idle editor, seconds."""
SIZE = (1440, 860)
"""The default size of the window at a scale of the interface of 1, units; limited by the screen."""


class Shell:
    """The window of the editor with all its parts.

    settings: of the user. size: of the window in units; None: the default size, limited by the screen. headless: no
    window on the screen; each frame lasts 1/60 s. window: used instead of a new one, and left open at the end. marks:
    whether places of widgets are stored, for tests; a path: they are written there too, as JSON after each frame.
    saves: whether the settings are saved at the end. drawn: False draws pixels only for `pixels`, for tests; without a
    graphics card, frames then take a tenth of the time. prepares: whether the kernels of a game are compiled in the
    background, see `Preparation`; otherwise, as without a window, when they are called.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        size: tuple[int, int] | None = None,
        headless: bool = False,
        marks: bool | Path = False,
        saves: bool = True,
        drawn: bool = True,
        window: Any = None,
    ) -> None:
        self._own = window is None
        self.window = _open(size, headless, settings.scale) if window is None else window
        self.headless, self.drawn, self._saves = headless, drawn, saves
        self.prepares = not headless
        self.window.switch_to()
        self.host = Host(self.window)
        self.input = GameInput(self.window)
        self.host.on_event = self.input.event
        theme = THEMES.get(settings.theme, DARK)
        faces = fonts.load_fonts()
        style.apply(theme, settings.scale)
        ui = UI(theme, faces, Marks(bool(marks), marks if isinstance(marks, Path) else None), settings.scale)
        self.log = LogBuffer()
        self.log.attach()
        self.editor = editor = Editor(ui, settings, Language(settings.language or language_of_system()), self.log)
        editor.headless, editor.input = headless, self.input
        editor.panels = Panels(editor)
        editor.dialogs = Dialogs(editor)
        editor.thumbnails = Thumbnails(self.window, self._assets)
        editor.layouts = Layouts(editor)
        editor.palette = Palette(editor)
        editor.games = self.games = Games(self)
        editor.texts = Texts(editor)
        editor.clipboard, editor.copy = self.host.paste, self.host.copy
        self.welcome = Welcome(editor)
        self.busy = BusyCard(self)
        self._end_waiting = on_wait(self.busy.show_kernel)
        self.working = WorkProgress(self)
        editor.working = self.working.during
        self._look = (theme, settings.scale, self.editor.language.code)
        self._caption, self._vsync = "", True
        self._begun = self._last = time.perf_counter()
        self._failed: set[str] = set()
        self.frames = 0
        self.use_declared(None)
        self.host.on_key = Shortcuts(editor, self.host).press
        self._handlers = {"on_close": self._on_close, "on_file_drop": self._on_file_drop}
        self.window.push_handlers(**self._handlers)

    # Games

    def open(self, path: Path) -> bool:
        """Open a game instead of the one that is open; return whether it could be opened."""
        return self.games.open(path)

    def _assets(self) -> Assets | None:
        game = self.editor.game
        return game.world[Assets] if game is not None else None

    def use_declared(self, app: App | None) -> None:
        """Use the panels, commands and drawers that the plugins of a game declare; without a game, the editor's own."""
        self._declared = app.registry if app is not None else None
        declared = declared_by(app)
        self.editor.use_commands(declared.commands)
        for code, texts in declared.texts:
            self.editor.language.add(texts, code)
        self.editor.inspectors, self.editor.gizmos = declared.inspectors, declared.gizmos
        self.editor.owners = declared.owners
        self.editor.panels.use(declared.panels, self.editor.settings.panels)
        self.welcome.forget()

    # Frames

    def run(self, frames: int | None = None) -> None:
        """Run until the user closes the window, or for a number of frames. An idle editor draws fewer frames."""
        last = None if frames is None else self.frames + frames
        while not self.editor.closing and (last is None or self.frames < last):
            begin = time.perf_counter()
            if not self.headless and frames is None and self._rests():
                time.sleep(FRAME)
                continue
            self.frame()
            rest = FRAME - (time.perf_counter() - begin)
            if rest > 0 and not self.headless:
                time.sleep(rest)

    def _rests(self) -> bool:
        """Process the events of the window; return whether nothing has to be drawn now."""
        editor, game = self.editor, self.editor.game
        before = self.host.events
        self.window.switch_to()
        self.window.dispatch_events()
        if self.host.events != before:
            editor.stay_awake()
        moves = game is not None and game.play.state is PlayState.PLAYING and not game.waits
        return not moves and editor.awake <= 0 and time.perf_counter() - self._begun < IDLE

    def frame(self, seconds: float | None = None) -> None:
        """Run one frame: events, ticks of a running game, user interface, picture. seconds: None measures them."""
        now = time.perf_counter()
        self._last += self.busy.end()  # the clock of a run stood still too
        if seconds is None:
            seconds = 1 / 60 if self.headless else now - self._last
        self._last = self._begun = now
        self.window.switch_to()
        if not self.drawn:
            self._take_pixels(False)
        before = self.host.events
        self.window.dispatch_events()
        editor = self.editor
        if self.host.events != before:
            editor.stay_awake()
        self.host.feed()
        self.games.look(now)
        editor.texts.look(now)
        editor.input.deliver(editor.game)
        if editor.game is not None:
            editor.game.follow_files()
            if editor.game.app.registry is not self._declared:
                self.use_declared(editor.game.app)
            self._advance(editor.game, seconds)
        for note in editor.notes:
            note.left -= seconds
        editor.notes = [note for note in editor.notes if note.left > 0]
        editor.awake = max(editor.awake - seconds, 0.3 if editor.notes else 0.0)
        self._use_look()
        self.draw_interface(seconds)
        self.window.flip()
        editor.thumbnails.step()
        if editor.run_later():
            self.host.settle()
        self.frames += 1
        editor.ui.marks.write(self.frames, self.host.waiting)

    def _advance(self, game: Game, seconds: float) -> None:
        """Run the ticks of a played game; report systems that fail, and stop a run that can't go on.

        No tick runs while kernels that the World needs are missing.
        """
        editor, play = self.editor, game.play
        step = game.history.done[-1:]
        game.preparation.go_on(step)
        game.waited = game.waited + seconds if game.waits else 0.0
        if game.preparation.pending:
            return
        before = play.disabled
        try:
            with loading(self, game.title):  # a scene that begins may prepare its kernels
                play.advance(seconds)
            game.preparation.look(step)  # before the tick is drawn
        except Failure as error:
            play.stop()
            editor.report(editor.tr("The run was stopped"), error)
            return
        for name in play.disabled:
            if name not in before:
                message = editor.tr("The system {name} has failed; it rests until the run ends", name=name)
                editor.note(message, "error", action=(editor.tr("Show"), lambda: editor.show("editor.log")))

    def draw_interface(self, seconds: float) -> None:
        """Build and draw the widgets of a frame, without processing events, running ticks, or showing the result on the
        screen."""
        self.editor.layouts.before_frame()
        self.editor.ui.marks.begin()
        self.host.frame(seconds, self._build)
        if self.drawn:
            self.paint(self.host.draw)

    def _use_look(self) -> None:
        """Use the theme, scale and language of the settings; while the game is played, the theme's colors of play."""
        editor = self.editor
        settings, game = editor.settings, editor.game
        theme = THEMES.get(settings.theme, DARK)
        if game is not None and game.play.running:
            theme = _playing(theme.name)
        look = theme, settings.scale, settings.language or language_of_system()
        if settings.vsync != self._vsync and not self.headless:
            self._vsync = settings.vsync
            self.window.set_vsync(settings.vsync)
        if look != self._look:
            if look[:2] != self._look[:2]:
                style.apply(theme, settings.scale)
                editor.ui.theme, editor.ui.scale = theme, settings.scale
            if look[2] != self._look[2]:
                editor.language.use(look[2])
            self._look = look
        caption = "Rish" if game is None else f"{'• ' if game.dirty else ''}{game.title} — Rish"
        if caption != self._caption:
            self._caption = caption
            self.window.set_caption(caption)

    def _build(self) -> None:
        editor = self.editor
        self._part("menus", lambda: bars.menu_bar(editor))
        self._part("toolbar", lambda: bars.toolbar(editor))
        self._part("status", lambda: bars.status_bar(editor))
        viewport = imgui.get_main_viewport()
        flags = imgui.DockNodeFlags_.none if editor.game is not None else imgui.DockNodeFlags_.passthru_central_node
        root = imgui.dock_space_over_viewport(imgui.get_id("dock"), viewport, flags)
        editor.layouts.in_frame(root, (viewport.work_size.x, viewport.work_size.y))
        if editor.game is None:
            node = imgui.internal.dock_builder_get_central_node(root)
            if node is not None:
                self._part("welcome", lambda: self.welcome.draw(node.pos.x, node.pos.y, node.size.x, node.size.y))
        self._part("panels", lambda: editor.panels.draw(root))
        self._part("dialogs", editor.dialogs.draw)
        self._part("palette", editor.palette.draw)
        self._part("notes", lambda: bars.notes(editor, root))
        self._part("preparing", lambda: draw_waiting(editor))

    def _part(self, name: str, draw: Callable[[], None]) -> None:
        """Draw a part of the window; if it raises, that is reported once and the other parts are drawn."""
        error = self.editor.ui.safely(draw)
        if error is not None and name not in self._failed:
            self._failed.add(name)
            self.editor.report(name, error)

    def paint(self, draw: Callable[[], None]) -> None:
        """Clear the window's framebuffer, and let `draw` draw a frame of widgets onto it."""
        gl = _gl()
        self.window.switch_to()
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        width, height = self.window.get_framebuffer_size()
        gl.glViewport(0, 0, width, height)
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glClearColor(*self.editor.ui.theme.rgba("window"))
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        draw()

    def _take_pixels(self, on: bool) -> None:
        """Let OpenGL draw pixels from now on, or discard them."""
        gl = _gl()
        (gl.glDisable if on else gl.glEnable)(gl.GL_RASTERIZER_DISCARD)

    def pixels(self) -> Any:
        """Return the picture of the window: uint8 (h, w, 4), the top row first."""
        self.window.switch_to()
        if not self.drawn:
            self._take_pixels(True)
            if self.editor.game is not None:
                with self.editor.game.surface.over():  # so that what has not changed is drawn too
                    pass
            self.editor.panels.redraw()
            self.host.frame(FRAME, self._build)
            self.paint(self.host.draw)
        return read_picture(self.window, front=not self.headless)

    def close(self) -> None:
        """Save the settings, and close the game and the window."""
        self.host.use()
        settings = self.editor.settings
        settings.panels = {**settings.panels, **self.editor.panels.save()}
        self.editor.layouts.save(LAST)
        settings.keys = dict(self.editor.commands.keys)
        problem = settings.save() if self._saves else None
        if problem is not None:
            _log.warning("the settings can't be saved: %s", problem)
        self.editor.texts.end(keep=not self.editor.closing)
        self.games.close(keep=not self.editor.closing)
        self.log.detach()
        self._end_waiting()
        self.busy.close()
        self.window.remove_handlers(**self._handlers)
        self.host.close()
        if self._own:
            self.window.close()

    # Events of the window

    def _on_close(self) -> bool:
        if "file.quit" in self.editor.commands:
            self.editor.later(lambda: self.editor.run("file.quit"))
        else:
            self.editor.closing = True
        return True

    def _on_file_drop(self, x: float, y: float, paths: list[str]) -> bool:
        """Import files that were dropped onto the window; without a game, open the first one that is a game."""
        editor = self.editor
        dropped = [Path(path) for path in paths]
        if editor.dialogs.open:
            return True
        if editor.game is not None:
            editor.later(lambda: editor.import_files(dropped))
        elif dropped:
            editor.later(lambda: editor.open(dropped[0]))
        return True


def _open(size: tuple[int, int] | None, headless: bool, scale: float) -> Any:
    """Return a new window. size: None: the default, multiplied by the scale of the interface and limited by the
    screen."""
    usual = SIZE if headless else (round(SIZE[0] * scale), round(SIZE[1] * scale))
    return open_window("Rish", size or usual, visible=not headless, fits=size is None)


def language_of_system() -> str:
    """Return the language of the system, if the editor has it, otherwise English."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh-TW" if locale.startswith(("zh_TW", "zh_HK")) else "en"


@cache
def _playing(theme: str) -> Theme:
    return THEMES[theme].playing()


def _gl() -> Any:
    import pyglet.gl

    return pyglet.gl
