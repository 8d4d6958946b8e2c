"""Progress of long work: the window shows it, and the user can cancel the work.

Long work reports its progress by `rish_core.manifest.tell_progress` while it has changed nothing yet. Such reports come
while commands run, between two frames of the window. After a while each of them draws a frame with a dialogue above
everything, so nothing can be edited meanwhile. When the user cancels, the report raises `Cancelled`: the work ends
there, and files, texts and World are as before.
"""

from __future__ import annotations

import gc
import math
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rish_core.manifest import on_progress

from ..session.commands import Cancelled
from .files.loading import PREPARING

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..session.protocols import ShellPart
    from ..ui.ui import UI

SHOW_AFTER = 0.15
"""Seconds before the dialogue is shown, so that it does not flicker for short work."""
FRAME_RATIO = 4.0
"""The least time between two frames as a multiple of the duration of a frame, so that frames do not delay the work."""
_FRAME = 1 / 60
"""The duration of a frame for animations, seconds."""
_STEPS = {
    "reading": "Reading the game",
    "checking": "Checking the game",
    "comparing": "Comparing entities",
    "writing": "Writing entries",
    "searching": "Searching files",
    "copying": "Copying entities",
}
"""The text that is shown, by the first word of a report."""


class WorkProgress:
    """Shows the progress of long work in the window; without a window, nothing is shown.

    patience, share: see `SHOW_AFTER` and `FRAME_RATIO`.
    """

    def __init__(self, shell: ShellPart) -> None:
        self._shell = shell
        self._editor: Editor = shell.editor
        self.patience, self.share = math.inf if shell.headless else SHOW_AFTER, FRAME_RATIO
        self._active = False
        self._form: ProgressDialog | None = None
        self._begin = self._next = 0.0

    @contextmanager
    def during(self, title: str) -> Generator[None]:
        """Show the progress of the work in the block, if it reports it and is not part of a frame.

        Raises `Cancelled` in the block when the user cancels.
        """
        if self._active or self._shell.host.in_frame:
            yield
            return
        self._active, self._begin, self._next = True, time.perf_counter(), 0.0
        thread = threading.get_ident()

        def show(what: str, done: int, total: int) -> None:
            if threading.get_ident() == thread and not what.startswith(PREPARING):
                self._show(title, what, done, total)

        stop, collects = on_progress(show), gc.isenabled()
        gc.disable()  # to look through all objects of a large game takes seconds, and long work makes millions
        try:
            yield
        finally:
            if collects:
                gc.enable()
            stop()
            self._active = False
            self._end()

    def _show(self, title: str, what: str, done: int, total: int) -> None:
        now = time.perf_counter()
        if now - self._begin < self.patience or now < self._next or self._shell.host.in_frame:
            return
        if self._form is None:
            self._form = ProgressDialog(title)
            self._editor.dialogs.form(self._form)
        self._form.step, self._form.done, self._form.total = what.partition(" ")[0], done, total
        self._draw()
        end = time.perf_counter()
        self._next = end + self.share * (end - now)
        if self._form.cancelled:
            raise Cancelled

    def _end(self) -> None:
        """Close the dialogue."""
        if self._form is not None:
            self._form.ended, self._form = True, None
            self._draw()

    def _draw(self) -> None:
        """Draw a frame without ticks of the game, between two frames of the window."""
        window = self._shell.window
        window.switch_to()
        window.dispatch_events()
        self._shell.draw_interface(_FRAME)
        window.flip()


class ProgressDialog:
    """The dialogue of long work."""

    stays = True

    def __init__(self, title: str) -> None:
        self.title = title
        self.step = ""
        self.done = self.total = 0
        self.cancelled = self.ended = False

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        ui.text(editor.tr(_STEPS.get(self.step, "Working…")), "dim")
        ui.space(4)
        ui.progress(self.done / self.total if self.total else 0.0, f"{self.done:,} / {self.total:,}")
        ui.mark("progress")
        ui.space(6)
        self.cancelled |= ui.button(editor.tr("Cancel"), "cancel") or ui.leaves
        return self.ended or self.cancelled
