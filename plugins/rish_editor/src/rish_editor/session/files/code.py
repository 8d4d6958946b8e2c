"""The code of a game's folder, and whether its files have changed."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rish_core.plugin import load_game_plugin

if TYPE_CHECKING:
    from ..editor import Editor

_LEAST = 1.0
"""The least number of seconds between two looks."""
_SHARE = 100.0
"""Seconds between two looks, as a multiple of what the last one took; so large folders are looked at less often."""


class CodeFiles:
    """The Python files below a folder, without hidden folders. root: the folder of a game."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._next = 0.0
        self._known = self._stamps()

    def look(self, now: float) -> bool:
        """Return whether files have changed since the last call, or since `taken`. now: seconds of any clock."""
        if now < self._next:
            return False
        begin = time.perf_counter()
        before, self._known = self._known, self._stamps()
        self._next = now + max(_LEAST, _SHARE * (time.perf_counter() - begin))
        return self._known != before

    def taken(self) -> None:
        """Note that the files are loaded as they are now."""
        self._known = self._stamps()

    def _stamps(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for folder, folders, names in os.walk(self._root):
            folders[:] = [name for name in folders if name[:1] not in "._"]
            for name in names:
                if name.endswith(".py"):
                    path = os.path.join(folder, name)
                    try:
                        stat = os.stat(path)
                    except OSError:
                        continue
                    found[path] = stat.st_mtime_ns, stat.st_size
        return found


def reload_plugin(editor: Editor) -> None:
    """Load the code of the opened game again and apply it; the edits stay. Mistakes are listed and reported."""
    from rish_reload import prepare

    game = editor.game
    path = game.path / "plugin.py" if game is not None else None
    if game is None or path is None or not path.is_file():
        editor.note(editor.tr("This game has no code"), "info")
        return
    try:
        prepare(game.app, module=load_game_plugin(path, afresh=True)).apply()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        editor.list_mistake(error)
        editor.report(editor.tr("The code has mistakes"), error)
        return
    game.app.refresh()
    if game.editing:
        game.history.take_outside()
    editor.list_problems([], ".py")
    editor.note(editor.tr("The scripts are loaded again"), "ok")
