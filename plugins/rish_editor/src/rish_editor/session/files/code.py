"""The files of a game's folder: which of them have changed, and code that is loaded again."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rish_core.plugin import load_game_plugin

if TYPE_CHECKING:
    from ..editor import Editor

CODE = ".py"
_MIN_PAUSE = 1.0
"""The least number of seconds between two checks."""
_PAUSE_RATIO = 100.0
"""Seconds between two checks as a multiple of the duration of the last one, so that large folders are checked less
often."""


class GameFiles:
    """The files below a folder, hidden folders left out. root: the folder of a game."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._next = 0.0
        self._known = self._stamps()

    def look(self, now: float) -> list[Path]:
        """Return the files that were changed, added or removed since the last look. now: seconds of any clock."""
        if now < self._next:
            return []
        begin = time.perf_counter()
        before, self._known = self._known, self._stamps()
        self._next = now + max(_MIN_PAUSE, _PAUSE_RATIO * (time.perf_counter() - begin))
        every = before.keys() | self._known.keys()
        return [Path(path) for path in sorted(every) if before.get(path) != self._known.get(path)]

    @property
    def code(self) -> list[Path]:
        """The paths of the files of code."""
        self._known = {**self._known, **(now := self._stamps(CODE))}
        return [Path(path) for path in sorted(now)]

    def _stamps(self, ending: str = "") -> dict[str, tuple[int, int]]:
        stamps: dict[str, tuple[int, int]] = {}
        for folder, folders, names in os.walk(self._root):
            folders[:] = [name for name in folders if name[:1] not in "._"]
            for name in names:
                if name.endswith(ending):
                    path = os.path.join(folder, name)
                    try:
                        stat = os.stat(path)
                    except OSError:
                        continue
                    stamps[path] = stat.st_mtime_ns, stat.st_size
        return stamps


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
    editor.list_problems([], CODE)
    editor.note(editor.tr("The scripts are loaded again"), "ok")
