"""Opens the window of `rish run` before anything that takes time, and lets it answer while the game is loaded.

A plugin that has windows offers a module in the entry-point group `rish.windows`, under the name of the plugin:
`open_early(title, size, settings)` returns an `EarlyWindow` or None, and `BACKENDS` lists the backends that take it.
The window answers before each import of a module, because imports take most of the time.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from argparse import Namespace
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, cast

from rish_core.manifest import on_progress
from rish_core.plugin import installed_modules
from rish_ecs import is_ours

from .manifest_head import read_head
from .options import split_names

_TITLE, _SIZE = "Rish", (960, 540)
"""Those of a manifest without title and size; their classes are not imported yet."""
_MAX_SIDE = 8192
_NAME = re.compile(r"[\w-]+")


class ClosedEarly(KeyboardInterrupt):
    """Raised when a person closes the window before the game is loaded."""


class EarlyWindow(Protocol):
    """A window that shows the loading screen until a backend takes it."""

    def draw_title(self) -> None:
        """Add the title in letters."""

    def answer(self) -> bool:
        """Answer the events of the window, if some time has passed. Return False if a person closed it."""
        ...

    def close(self) -> None:
        """Close the window, unless a backend has taken it."""


@contextmanager
def early_window(arguments: Namespace) -> Generator[None]:
    """A context manager in which the game is loaded: a window is open from its begin on, if the game has one.

    Raises ClosedEarly if a person closes the window. At the end a window that no backend has taken is closed.
    """
    window = _open(arguments)
    if window is None:
        yield
        return
    between = _BetweenImports(window)
    sys.meta_path.insert(0, between)
    stop = on_progress(between.progress)
    try:
        window.draw_title()
        yield
    finally:
        sys.meta_path.remove(between)
        stop()
        window.close()


class _BetweenImports:
    """Lets a window answer before a module is imported: a finder (`sys.meta_path`) that finds nothing."""

    def __init__(self, window: EarlyWindow) -> None:
        self._window = window
        self._thread = threading.get_ident()

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> None:
        """Let the window answer."""
        self.answer()

    def progress(self, what: str, done: int, total: int) -> None:
        """Let the window answer; a listener of `on_progress`."""
        self.answer()

    def answer(self) -> None:
        """Let the window answer, in the thread that opened it. Raises ClosedEarly."""
        if threading.get_ident() == self._thread and not self._window.answer():
            raise ClosedEarly


def _open(arguments: Namespace) -> EarlyWindow | None:
    """Return an open window for the game that the arguments name, or None if it will probably have none."""
    if arguments.headless or arguments.bisect or arguments.speed == float("inf"):
        return None
    head = read_head(Path(arguments.game))
    plugins = {match[0] for text in _texts(head.get("plugins")) if (match := _NAME.match(text))}
    wished = plugins.union(split_names(arguments.more))
    wished -= {*split_names(arguments.without), *split_names(os.environ.get("RISH_DISABLE_PLUGINS", ""))}
    wanted = head.get("backend") or _below(head, "settings", "frame", "backend")
    backend = arguments.backend or os.environ.get("RISH_BACKEND") or wanted
    for candidate in installed_modules("rish.windows"):
        if candidate.name in wished and (is_ours(candidate.distribution) or not arguments.safe_mode):
            module = candidate.load()
            if not backend or backend in module.BACKENDS:
                title, settings = _below(head, "game", "title"), _below(head, "settings", candidate.name)
                size = arguments.size or _size_of(_below(head, "game", "size"))
                return module.open_early(str(title or _TITLE), size, settings if isinstance(settings, dict) else {})
    return None


def _size_of(value: Any) -> tuple[int, int]:
    sides = [
        int(text) for text in _texts(value) if text.isascii() and text.isdigit() and 0 < int(text[:6]) <= _MAX_SIDE
    ]
    return (sides[0], sides[1]) if len(sides) == 2 else _SIZE


def _texts(value: Any) -> list[str]:
    """Return the texts in a list; an empty list for anything else."""
    return [each for each in cast("list[Any]", value) if isinstance(each, str)] if isinstance(value, list) else []


def _below(value: Any, *keys: str) -> Any:
    """Return the value below keys of dicts; None if there is none."""
    for key in keys:
        value = cast("dict[str, Any]", value).get(key) if isinstance(value, dict) else None
    return value
