"""Copies of unsaved texts, so that a crash of the editor loses no more than what was typed in the last moment.

Each editor has one file in the folder of settings. It is removed when everything is saved, so what an editor finds from
one that no longer runs was not saved.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rish_system import is_running, read_whole, write_whole

from ..files.journal import MAX_BYTES
from ..settings import settings_folder

_log = logging.getLogger("rish.editor")


@dataclass(frozen=True)
class TextCopy:
    """The unsaved texts of an editor that has crashed. path: of the copy. time: of its making, seconds since 1970."""

    path: Path
    time: float
    texts: Mapping[Path, str]


def folder() -> Path:
    """Return where the copies are."""
    return settings_folder() / "texts"


class TextCopies:
    """Writes the copy of this editor."""

    def __init__(self) -> None:
        self.path = folder() / f"{os.getpid()}.json"
        self._thread: threading.Thread | None = None
        self._written = False

    @property
    def busy(self) -> bool:
        """Whether a copy is being written."""
        return self._thread is not None and self._thread.is_alive()

    def write(self, texts: Mapping[Path, str]) -> None:
        """Replace the copy in a thread; without texts it is removed."""
        self.wait()
        if not texts and not self._written:
            return
        self._written = bool(texts)
        self._thread = threading.Thread(target=self._write, args=(dict(texts),), daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the copy is written."""
        if self._thread is not None:
            self._thread.join()

    def _write(self, texts: Mapping[Path, str]) -> None:
        data = {"time": time.time(), "texts": {str(path): text for path, text in texts.items()}}
        try:
            if not texts:
                self.path.unlink(missing_ok=True)
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, json.dumps(data).encode())
        except OSError as error:
            _log.warning("no copy of the unsaved texts could be written: %s", error)


def found_copies() -> list[TextCopy]:
    """Return the copies of editors that no longer run, the oldest first; call it before this one writes its own."""
    copies: list[TextCopy] = []
    for path in sorted(folder().glob("*.json")):
        if path.stem != str(os.getpid()) and path.stem.isdecimal() and is_running(int(path.stem)):
            continue
        try:
            data = json.loads(read_whole(path, MAX_BYTES))
            copies.append(TextCopy(path, data["time"], {Path(name): text for name, text in data["texts"].items()}))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            _log.warning("%s can't be used: %s", path, error)
    return sorted(copies, key=lambda copy: copy.time)
