"""Installs a plugin from the list of plugins: a field for a wheel, a folder or a package, and the progress.

`rish add --install-only` of rish-packs does the work in a process of its own, so the editor stays responsive.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from rish_core.plugin import installed_plugins
from rish_system import text_options

from ...look import icons

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI


class Installation:
    """A process that installs a plugin. lines: its output so far."""

    def __init__(self, game: Path, wish: str) -> None:
        self.wish = wish
        self.lines: list[str] = []
        self._before = _names()
        command = [sys.executable, "-m", "rish_core", "add", "--install-only", "--", str(game), wish]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            **text_options(),
        )  # fmt: skip
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._process:
            self.lines += (line.rstrip() for line in self._process.stdout or ())

    @property
    def running(self) -> bool:
        """Whether the process still runs."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """End the process."""
        self._process.terminate()

    @property
    def problem(self) -> str:
        """Why nothing was installed, after the end; "" if the plugin is there."""
        return "" if self._process.returncode == 0 else "\n".join(self.lines[-6:]) or self.wish

    @property
    def plugins(self) -> list[str]:
        """The plugins that are there now and were not before; the wished one if it was there."""
        names = _names()
        return sorted(names - self._before) or sorted(names & {self.wish})


def _names() -> set[str]:
    return {candidate.name for candidate in installed_plugins()}


class InstallRow:
    """The row in a form that installs a plugin."""

    def __init__(self) -> None:
        self._wish, self._problem = "", ""
        self._job: Installation | None = None

    def draw(self, ui: UI, editor: Editor) -> list[str]:
        """Draw the row; return the plugins when they have been installed, once."""
        tr, game = editor.tr, editor.game
        assert game is not None
        if self._job is not None:
            return self._draw_progress(ui, editor, self._job)
        hint = tr("A wheel, a folder or a package")
        wish = ui.line("install", self._wish, hint=hint, width=ui.room[0] - ui.px(150))
        if wish is not None:
            self._wish, self._problem = wish, ""
        ui.same_line()
        if ui.button(tr("Install"), "install_plugin", icon=icons.PLUS, enabled=bool(self._wish.strip()), width=-1):
            self._job, self._problem = Installation(game.path, self._wish.strip()), ""
        if self._problem:
            ui.text(self._problem, "error", wrap=True)
            ui.mark("install_problem")
        return []

    def _draw_progress(self, ui: UI, editor: Editor, job: Installation) -> list[str]:
        """Draw the progress of an installation; return what it has installed when it has ended."""
        editor.stay_awake()
        ui.progress(-time.monotonic())
        ui.text(job.lines[-1] if job.lines else editor.tr("Installing {name}", name=job.wish), "dim", cut=True)
        if ui.button(editor.tr("Cancel"), "cancel_install"):
            job.cancel()
        if job.running:
            return []
        self._job, self._problem = None, job.problem
        if self._problem:
            return []
        self._wish = ""
        return job.plugins
