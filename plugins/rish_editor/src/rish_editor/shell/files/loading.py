"""The card that shows the progress of compiling kernels, also while the window does not draw frames.

While a game is opened or a called kernel compiles, the window draws no frames. The card then has a Dear ImGui context
of its own, so that it can be drawn in the middle of a frame. A drag goes on after it, and events are kept for the next
frame.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from rish_core.manifest import on_progress

from ...look import fonts, style
from ...ui.textures import free_texture, make_texture, read_picture
from ...ui.ui import UI

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.protocols import ShellPart

SHOW_AFTER = 0.25
"""Seconds before progress is shown, so that it does not flicker for short work."""
_INTERVAL = 0.05
_WIDTH = 440.0
PREPARING = "preparing"
"""The first word of progress reports about kernels, see `rish_core.manifest.tell_progress`."""


@contextmanager
def loading(shell: ShellPart, title: str) -> Generator[None]:
    """Show the progress of kernels that compile during the block. Other work is shown by `WorkProgress`."""
    begin = time.perf_counter()

    def show(what: str, done: int, total: int) -> None:
        if what.startswith(PREPARING):
            shell.busy.show(begin, title, shell.editor.tr("Preparing the game, only once"), done, total)

    stop = on_progress(show)
    try:
        yield
    finally:
        stop()


def draw_card(
    ui: UI, title: str, step: str, progress: tuple[int, int], cancel: tuple[str, Callable[[], Any]] | None = None
) -> None:
    """Draw the card in the middle of the window. progress: done and total. cancel: label and work of a button."""
    done, total = progress
    center = imgui.get_main_viewport().get_center()
    imgui.set_next_window_pos(center, imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size((ui.px(_WIDTH), 0))
    flags = (
        imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_docking
        | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_focus_on_appearing | imgui.WindowFlags_.no_nav
    )  # fmt: skip
    imgui.push_style_color(imgui.Col_.window_bg, ui.theme.rgba("popup"))
    imgui.begin("##loading", None, flags)
    with ui.inside("loading"):
        ui.text(title, "title")
        ui.text(step, "dim")
        ui.space(4)
        ui.progress(done / total if total else 0.0, f"{done:,} / {total:,}" if total else "")
        ui.mark("progress")
        if cancel is not None:
            ui.space(4)
            if ui.button(cancel[0], "cancel"):
                cancel[1]()
    imgui.end()
    imgui.pop_style_color()


def draw_waiting(editor: Editor) -> None:
    """Draw the card of a run that waits for kernels; the window goes on drawing frames, and the user can cancel the
    run."""
    game = editor.game
    if game is not None and game.waits and game.waited > SHOW_AFTER:
        progress, cancel = game.preparation.progress or (0, 0), (editor.tr("Cancel"), game.stop_waiting)
        draw_card(editor.ui, game.title, editor.tr("Preparing the game, only once"), progress, cancel)


class BusyCard:
    """The card over a window that draws no frames, such as while a called kernel compiles.

    The last picture of the window stays visible below it, dimmed.
    """

    def __init__(self, shell: ShellPart) -> None:
        self._shell = shell
        self._interface: tuple[Any, UI] | None = None
        self._look: Any = None
        self._picture = 0
        self._begin = self._latest = self._drawn_at = 0.0

    def show_kernel(self, kernel: str, done: int, total: int) -> None:
        """Show that a called kernel compiles; for `rish_jit.on_wait`."""
        editor: Editor = self._shell.editor
        module, _, name = kernel.rpartition(".")
        step = editor.tr("Preparing {name}, only once", name=f"{module.partition('.')[0]} · {name}")
        title = "" if editor.game is None else editor.game.title
        self.show(self._begin or time.perf_counter(), title, step, done, total)

    def show(self, begin: float, title: str, step: str, done: int, total: int) -> None:
        """Process the events of the window, and draw the card if `SHOW_AFTER` has passed. begin: the time at which the
        waiting began, seconds."""
        self._begin, self._latest = self._begin or begin, time.perf_counter()
        if self._latest - begin < SHOW_AFTER or self._latest - self._drawn_at < _INTERVAL:
            return
        shell, main = self._shell, imgui.get_current_context()
        with _state_restored(shell.window):
            shell.window.dispatch_events()
            try:
                self._draw(title, step, (done, total))
            finally:
                imgui.set_current_context(main)
        self._drawn_at = time.perf_counter()

    def end(self) -> float:
        """End the waiting; return how many seconds the window has drawn no frames since the last call."""
        seconds, self._begin, self._latest = self._latest - self._begin, 0.0, 0.0
        if self._picture:
            free_texture(self._picture)
            self._picture = 0
        return seconds

    def close(self) -> None:
        """Free the interface of the card."""
        self.end()
        if self._interface is not None:
            main = imgui.get_current_context()
            imgui.set_current_context(self._interface[0])
            imgui.backends.opengl3_shutdown()
            imgui.set_current_context(main)
            imgui.destroy_context(self._interface[0])

    def _draw(self, title: str, step: str, progress: tuple[int, int]) -> None:
        shell = self._shell
        window, drawn = shell.window, shell.drawn
        if drawn and not self._picture:
            self._picture = make_texture(read_picture(window, front=False))
        ui = self._own_ui()
        io = imgui.get_io()
        (width, height), (across, up) = window.get_size(), window.get_framebuffer_size()
        io.display_size = imgui.ImVec2(max(width, 1), max(height, 1))
        io.display_framebuffer_scale = imgui.ImVec2(across / max(width, 1), up / max(height, 1))
        io.delta_time = 1 / 60
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        try:
            if self._picture:
                back, whole = imgui.get_background_draw_list(), (width, height)
                back.add_image(imgui.ImTextureRef(self._picture), (0, 0), whole)
                back.add_rect_filled((0, 0), whole, imgui.get_color_u32((*ui.theme.rgba("window")[:3], 0.45)))
            draw_card(ui, title, step, progress)
        finally:
            imgui.render()
        if drawn:
            shell.paint(lambda: imgui.backends.opengl3_render_draw_data(imgui.get_draw_data()))
            window.flip()

    def _own_ui(self) -> UI:
        """Make the card's own Dear ImGui context the current one, with the theme of the editor."""
        editors: UI = self._shell.editor.ui
        if self._interface is None:
            context = imgui.create_context()
            imgui.set_current_context(context)
            imgui.get_io().set_ini_filename("")
            imgui.backends.opengl3_init("#version 330")
            self._interface = context, UI(editors.theme, fonts.load_fonts(), editors.marks, editors.scale)
        context, ui = self._interface
        imgui.set_current_context(context)
        look = editors.theme, editors.scale
        if look != self._look:
            self._look = look
            style.apply(*look)
            ui.theme, ui.scale = look
        return ui


@contextmanager
def _state_restored(window: Any) -> Generator[None]:
    """Restore the state of OpenGL after the block, for a drawing that is in progress."""
    from pyglet import gl

    def integers(name: int, count: int) -> list[int]:
        values = (gl.GLint * count)()
        gl.glGetIntegerv(name, values)
        return list(values)

    window.switch_to()
    buffers = {
        gl.GL_DRAW_FRAMEBUFFER: gl.GL_DRAW_FRAMEBUFFER_BINDING,
        gl.GL_READ_FRAMEBUFFER: gl.GL_READ_FRAMEBUFFER_BINDING,
    }
    bound = {target: integers(name, 1)[0] for target, name in buffers.items()}
    viewport, scissor = integers(gl.GL_VIEWPORT, 4), gl.glIsEnabled(gl.GL_SCISSOR_TEST)
    try:
        yield
    finally:
        window.switch_to()
        for target, number in bound.items():
            gl.glBindFramebuffer(target, number)
        gl.glViewport(*viewport)
        (gl.glEnable if scissor else gl.glDisable)(gl.GL_SCISSOR_TEST)
