"""What importing a plugin does: nothing but defining its names, and quickly."""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from types import FrameType
from typing import Any

from rish_ecs import Place, place_of_error, shorten_path

from ..checked_plugin import Subject
from ..clause import Finding, clause
from ..process_state import changed_python, look_around

HEAVY = frozenset(
    {
        "arcade", "av", "imgui_bundle", "llvmlite", "mapbox_earcut", "matplotlib", "numba", "pandas", "PIL", "pydantic",
        "pyglet", "pytest", "rich", "scipy", "torch", "tornado", "watchfiles",
    }
)  # fmt: skip
"""Libraries that take long to import. A plugin imports them where they are first needed."""
_MAX_CPU_SECONDS = 2.0
"""Seconds of processor time that an import may take, on any machine that is in use."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
_EVENTS = {
    "socket.connect": "opens a connection",
    "socket.bind": "opens a socket",
    "socket.getaddrinfo": "asks the network for an address",
    "subprocess.Popen": "starts a process",
    "os.system": "starts a process",
    "os.fork": "starts a process",
    "os.posix_spawn": "starts a process",
    "os.exec": "replaces the process",
    "os.mkdir": "makes the folder",
    "os.remove": "removes the file",
    "os.rename": "renames the file",
    "os.rmdir": "removes the folder",
    "os.chdir": "changes the working directory to",
    "os.putenv": "sets the variable",
    "shutil.rmtree": "removes the folder",
    "_thread.start_new_thread": "starts a thread",
    "webbrowser.open": "opens a browser",
}
"""The events of Python's audit that an import must not cause, as phrases."""


class Watch:
    """Records audit events while `on` is true. Python can't remove an audit hook, so each process has one `Watch`.

    variables: those of the environment that code of the plugin sets, also when it is off: libraries set some as well.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.on = False
        self.seen: list[Finding] = []
        self.variables: set[str] = set()
        sys.addaudithook(self._event)

    def _event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in ("os.putenv", "os.unsetenv") and self._is_called_by_plugin():
            self.variables.add(os.fsdecode(arguments[0]))
        if not self.on:
            return
        phrase = _EVENTS.get(event)
        if event == "open":
            _, mode, flags = arguments
            writes = any(letter in (mode or "") for letter in "wax+") or bool((flags or 0) & _WRITING)
            phrase = "writes the file" if writes else None
        if phrase is None or _writes_bytecode():
            return
        self.on = False  # the text of the arguments may cause events too
        what = "" if event == "_thread.start_new_thread" else f" {_shown(arguments)}"
        self.seen.append(Finding(f"its import {phrase}{what}", self._place(), _MOVE))
        self.on = True

    def _is_called_by_plugin(self) -> bool:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename in (os.__file__, "<frozen os>"):
            frame = frame.f_back
        return frame is not None and self.subject.owns(frame.f_code.co_filename)

    def _place(self) -> Place:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            if self.subject.owns(frame.f_code.co_filename):
                return Place(shorten_path(frame.f_code.co_filename), frame.f_lineno)
            frame = frame.f_back
        return Place(self.subject.candidate.value)


_MOVE = "Do it in rish_ready or in a system, or when it is first needed"


def _shown(arguments: tuple[Any, ...]) -> str:
    first = arguments[0] if arguments else ""
    return shorten_path(os.fsdecode(first)) if isinstance(first, (str, bytes, os.PathLike)) else repr(first)


def _writes_bytecode() -> bool:
    """Return whether Python's own import causes the event, because it writes the bytecode of modules into files."""
    frame: FrameType | None = sys._getframe(2)
    return frame is not None and "importlib._bootstrap_external" in frame.f_code.co_filename


@clause("C01", "Its import does nothing but define names")
def check_import(subject: Subject) -> Iterator[Finding]:
    """The plugin is imported in a new process under Python's audit. It must not write, remove or rename files, open
    connections, start threads or processes, print, or change anything of Python itself.
    """
    before, loaded = look_around(subject.scratch), set(sys.modules)
    watch, printed = Watch(subject), io.StringIO()
    subject.variables = watch.variables
    start = time.process_time()
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            watch.on = True
            subject.load()
    except ModuleNotFoundError as error:
        if not subject.dependencies.hides(error.name or ""):
            raise
        what = subject.dependencies.reason(error.name or "")
        yield Finding(what, place_of_error(error), "Add it to the dependencies", "C06")
    finally:
        watch.on = False
    if not subject.is_loaded:
        return
    subject.import_cost = time.process_time() - start, {name.partition(".")[0] for name in {*sys.modules} - loaded}
    yield from watch.seen
    if printed.getvalue():
        yield Finding(
            f"its import prints {printed.getvalue()[:60]!r}", subject.place, "Use logging.getLogger instead of print"
        )
    if threading.active_count() > len(before.threads) and not watch.seen:
        yield Finding("its import starts a thread", subject.place, _MOVE)
    for name in changed_python(before, look_around(subject.scratch)):
        yield Finding(f"its import changes {name}", subject.place, "Leave Python as it is; change only what is yours")


@clause("C02", "Its import is quick", needs=("C01",))
def check_cost(subject: Subject) -> Iterator[Finding]:
    """The import loads no library that takes long to load, and takes less than two seconds of processor time."""
    seconds, names = subject.import_cost
    for name in sorted(names & HEAVY):
        yield Finding(
            f"its import loads {name}", subject.place, "Import it inside the function that needs it, or use lazy_names"
        )
    if seconds > _MAX_CPU_SECONDS:
        yield Finding(f"its import takes {seconds:.1f} s of processor time", subject.place, "Move work out of modules")
