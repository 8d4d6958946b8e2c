"""What the window shows while a game is opened: what is done, and how far it is."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from rish_core.manifest import on_progress

if TYPE_CHECKING:
    from ..session.parts import ShellPart

_PATIENCE = 0.25
"""Seconds before progress is shown, so that games that open at once do not flicker."""
_INTERVAL = 0.05
_STEPS = {
    "reading": "Reading the game",
    "checking": "Checking the game",
    "preparing": "Preparing the game, only once",
}


@contextmanager
def loading(shell: ShellPart, title: str) -> Generator[None]:
    """Show in the window how far the work of the block is, as the kernel reports it."""
    begin = last = time.perf_counter()

    def show(what: str, done: int, total: int) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - begin < _PATIENCE or now - last < _INTERVAL or shell.framing:
            return
        last = now
        step = next((text for word, text in _STEPS.items() if what.startswith(word)), "Loading…")
        shell.show(lambda: _draw(shell, title, shell.editor.tr(step), done, total))

    stop = on_progress(show)
    shell.loading = True
    try:
        yield
    finally:
        shell.loading = False
        stop()


def _draw(shell: ShellPart, title: str, step: str, done: int, total: int) -> None:
    ui = shell.editor.ui
    shell.keep_docks()
    centre = imgui.get_main_viewport().get_center()
    imgui.set_next_window_pos(centre, imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size((ui.px(440), 0))
    flags = (
        imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_inputs
        | imgui.WindowFlags_.always_auto_resize
    )  # fmt: skip
    imgui.begin("##loading", None, flags)
    with ui.inside("loading"):
        ui.text(title, "title")
        ui.text(step, "dim")
        ui.space(4)
        ui.progress(done / total if total else 0.0, f"{done:,} / {total:,}")
        ui.mark("progress")
    imgui.end()
