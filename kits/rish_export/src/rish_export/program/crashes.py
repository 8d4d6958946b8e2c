"""Reports of crashes: one .zip with what a developer needs, in the player's folder for files of the game.

A report has `report.txt`: versions, plugins, the error, seed, frame and the last lines of the log; and `replay.rish`,
which `rish replay REPORT.zip --game FOLDER` plays up to the error.

A crash of native code ends the process at once. Python writes its stack into a file then (`faulthandler`), which the
next start of the program finds, together with the log and the input up to the last tick (`rish_history.InputLog`).
"""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from rish_ecs import RishError, describe_error
from rish_system import described, is_running, make_folders

from .about import About

if TYPE_CHECKING:
    from rish_core import App
    from rish_history import InputLog, LogEnd, Origin

_LINES, _KEPT = 200, 10
"""The last lines of the log in a report, and the reports that are not deleted when there are more."""
_NATIVE, _LOG, _INPUT = ".stack", ".log", ".input"
"""The endings of a running program's files: the stack of a native crash, the log, and the input of the game."""


class CrashReports:
    """Writes reports into a folder. Between `begin` and `end` native crashes are noticed."""

    def __init__(self, about: About, folder: Path) -> None:
        self.about, self.folder = about, folder
        self._app: App | None = None
        self._input: InputLog | None = None
        self._stack: IO[str] | None = None
        self._log = _LogFile(folder / f"run-{os.getpid()}{_LOG}")

    def begin(self) -> Path | None:
        """Notice crashes from now on. Return the report of an earlier run that crashed in native code, or None.

        Where the folder can't be written, nothing is noticed.
        """
        try:
            make_folders(self.folder)
            report = next(iter([*self._earlier()]), None)
            self._stack = open(self._log.path.with_suffix(_NATIVE), "w", encoding="utf-8", newline="\n")  # noqa: SIM115
            faulthandler.enable(self._stack)
            self._log.open()
        except OSError:
            return None
        return report

    def watch(self, app: App, origin: Origin) -> None:
        """Take the state for a report from a game, and log its input. origin: of the game."""
        from rish_history import InputLog

        self._app = app
        with suppress(OSError):
            self._input = InputLog(app, self._log.path.with_suffix(_INPUT), origin)

    def end(self) -> None:
        """Stop noticing crashes, and delete the files of this run."""
        self._log.close()
        if self._input is not None:
            with suppress(OSError):
                self._input.delete()
        if self._stack is not None:
            faulthandler.disable()
            self._stack.close()
            self._log.path.with_suffix(_NATIVE).unlink(missing_ok=True)

    def write(self, error: BaseException) -> Path | None:
        """Write the report of an error that ended the game; return its path, None if it can't be written."""
        import traceback  # what only reports need is imported when one is written

        return self._write("".join(traceback.format_exception(error)), *self._replay(describe_error(error)))

    def write_failures(self) -> Path | None:
        """Write a report if something failed while the game went on; return its path, None if nothing failed."""
        app = self._app
        if app is None or not app.failed:
            return None
        text = ", ".join(f"{what} {outcome}".strip() for what, outcome in app.failed.items())
        return self._write(text, *self._replay(text))

    def _replay(self, error: str) -> tuple[Path | None, LogEnd | None]:
        """Return the recording of this run, None if there is none, and where it ends."""
        if self._input is None:
            return None, None
        self._input.close()
        return _recording(self._input.path, error)

    def _earlier(self) -> Iterator[Path]:
        """Yield the reports of earlier runs that crashed; their files are deleted."""
        for stack in sorted(self.folder.glob(f"run-*{_NATIVE}")):
            if _is_running(stack):
                continue
            text, log = stack.read_text(encoding="utf-8", errors="replace"), stack.with_suffix(_LOG)
            if text:
                lines = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
                replay, end = _recording(stack.with_suffix(_INPUT), "native code crashed")
                report = self._write(f"native code crashed:\n{text}", replay, end, lines)
                if report is not None:
                    yield report
            for each in self.folder.glob(f"{stack.stem}.*"):
                each.unlink(missing_ok=True)

    def _write(self, error: str, replay: Path | None, end: LogEnd | None, log: str | None = None) -> Path | None:
        """Write a report with a text about the error. end: of the recording. log: None: that of this run."""
        import zipfile

        path = self.folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.zip"
        log = self._log.text() if log is None else log
        text = "\n".join([*self._lines(), *_place(end), "", error.rstrip(), "", "log:", log, ""])
        try:
            make_folders(self.folder)
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("report.txt", text)
                if replay is not None:
                    archive.write(replay, "replay.rish")
            if replay is not None:
                replay.unlink()
            older = sorted(self.folder.glob("crash-*.zip"), key=lambda path: path.stat().st_mtime)[:-_KEPT]
            for each in older:
                each.unlink()
        except OSError as problem:
            logging.getLogger("rish.program").error("no report can be written: %s", describe_error(problem))
            return None
        return path

    def _lines(self) -> Iterator[str]:
        """Yield the lines about the program, the machine and the state of the game."""
        about, app = self.about, self._app
        yield f"{about.title} {about.version} ({about.name})"
        yield f"Python {sys.version.split()[0]} on {described()}, {os.cpu_count()} cores"
        for name, package in about.plugins.items():
            yield f"plugin {name}: {package}{', not of Rish itself' if name in about.others else ''}"
        if app is not None:
            from rish_core import Scenes

            scenes: Any = app.world[Scenes]
            yield f"scene {scenes.current}, drawn by {app.host.name if app.host_owner else 'nothing'}"


def _recording(log: Path, error: str) -> tuple[Path | None, LogEnd | None]:
    """Make a recording of the log of a game's input; return its path and where it ends, None without a log."""
    from rish_history import end_input_log

    target = log.with_suffix(".rish")
    try:
        return target, end_input_log(log, target, error)
    except (OSError, RishError):
        return None, None


def _place(end: LogEnd | None) -> Iterator[str]:
    """Yield the line that says where the game was."""
    yield "the game was not running" if end is None else f"seed {end.seed}, frame {end.frame}, tick {end.tick}"


class _LogFile(logging.Handler):
    """Writes Rish's log to a file, line by line, so that it exists after a crash of native code."""

    def __init__(self, path: Path) -> None:
        super().__init__(logging.INFO)
        self.path = path
        self._file: IO[str] | None = None
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def open(self) -> None:
        """Create the file and begin to write. Raises OSError."""
        self._file = open(  # noqa: SIM115
            self.path, "w", encoding="utf-8", errors="backslashreplace", newline="\n", buffering=1
        )
        logging.getLogger("rish").addHandler(self)
        self.note(f"options: {' '.join(sys.argv[1:]) or 'none'}")

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        self.note(self.format(record))

    def note(self, line: str) -> None:
        """Write a line that is no message of the log."""
        if self._file is not None:
            with suppress(OSError, ValueError):
                self._file.write(f"{line}\n")

    def text(self) -> str:
        """Return the last lines."""
        try:
            return "\n".join(self.path.read_text(encoding="utf-8").splitlines()[-_LINES:])
        except OSError:
            return ""

    def close(self) -> None:
        """Stop writing, and delete the file."""
        logging.getLogger("rish").removeHandler(self)
        if self._file is not None:
            self._file.close()
            self._file = None
            self.path.unlink(missing_ok=True)
        super().close()


def _is_running(file: Path) -> bool:
    """Return whether the program that writes a file still runs; its number is in the name."""
    number = file.stem.removeprefix("run-")
    return number.isdigit() and int(number) != os.getpid() and is_running(int(number))
