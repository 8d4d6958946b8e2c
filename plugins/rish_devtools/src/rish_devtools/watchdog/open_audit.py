"""Notes which line of a plugin opens a file, with the audit events of Python."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from rish_core import Place

from .owners import Owners

_FOLDER = Path("/proc/self/fd")
_MAX_FILES = 10_000
"""The maximum number of files that are recorded; the oldest are dropped first."""
Line = tuple[str, str, Place | None]
"""A plugin, what is counted, and the line."""


class Opened:
    """The lines that opened files, from `begin` to `end`."""

    def __init__(self, owners: Owners, world: Any) -> None:
        self._owners, self._world = owners, world
        self._files: dict[str, Line] = {}

    def begin(self) -> None:
        """Begin to note lines."""
        _listening.append(self)
        if not _state["hooked"]:  # an audit hook can't be removed; without listeners it does nothing
            _state["hooked"] = True
            sys.addaudithook(_audit)

    def end(self) -> None:
        """Stop noting lines."""
        if self in _listening:
            _listening.remove(self)

    def note_file(self, path: Any) -> None:
        """Note the line that opens a file; called by the audit hook."""
        if isinstance(path, (str, bytes, os.PathLike)):
            line = self._line()
            if line is not None:
                self._files[os.path.realpath(os.fsdecode(path))] = line
                if len(self._files) > _MAX_FILES:
                    del self._files[next(iter(self._files))]

    def count_files(self) -> dict[Line, int]:
        """Return the number of files that are open now, by the line that opened them."""
        lines = (self._files.get(path) for path in _open_files())
        return dict(Counter(line for line in lines if line is not None))

    def _line(self) -> Line | None:
        place, plugin = self._owners.line(sys._getframe(2))
        running = self._world.running
        plugin = plugin or running.partition(".")[0]
        where = f" by system '{running}'" if running else ""
        return (plugin, f"the number of files that are opened{where}", place) if plugin else None


_listening: list[Opened] = []
_state = {"hooked": False}


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        for listener in tuple(_listening):
            listener.note_file(arguments[0])


def _open_files() -> list[str]:
    """Return the paths of the files that are open, once for each handle."""
    if not _FOLDER.is_dir():
        files = [file for file in gc.get_objects() if isinstance(file, io.FileIO)]
        return [os.path.realpath(str(file.name)) for file in files if not file.closed]
    paths: list[str] = []
    for entry in os.scandir(_FOLDER):
        try:
            paths.append(os.readlink(entry.path))
        except OSError:
            continue  # the handle of this scan itself
    return paths
