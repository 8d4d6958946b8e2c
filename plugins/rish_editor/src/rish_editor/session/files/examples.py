"""The games that come with the editor, in the folder `games` of a clone or a bundle; playing and copying them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rish_system import home

_MANIFEST = "game.yaml"
_LINES = 12
"""The most lines of a game's output that are shown."""


def examples() -> Path | None:
    """Return the folder with example games, None if they are not installed."""
    here = Path(__file__).resolve()
    return next((up / "games" for up in here.parents if games_in(up / "games")), None)


def games_in(folder: Path) -> list[Path]:
    """Return the games in a folder, sorted by name."""
    return sorted((path.parent for path in folder.glob(f"*/{_MANIFEST}")), key=lambda path: path.name.casefold())


def folder_for_games() -> Path:
    """Return where new games go: the working folder, or the one above if it is a game's; the user's own if that can't
    be written."""
    try:
        here = Path.cwd()
    except OSError:  # it was deleted
        return home()
    here = here.parent if (here / _MANIFEST).is_file() else here
    return here if os.access(here, os.W_OK) else home()


class PlayedGame:
    """A game that is played in a process and a window of its own. name: of its folder. Raises OSError."""

    def __init__(self, game: Path) -> None:
        self.name = game.name
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 (it is closed when the game has ended)
        command = [sys.executable, "-m", "rish_core", "run", str(game)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._output
        )

    def ended(self) -> list[str] | None:
        """Return None while it is played; after an error the last lines of its output, after a good end no lines."""
        code = self._process.poll()
        if code is None:
            return None
        with self._output:
            self._output.seek(0)
            lines = self._output.read().decode(errors="replace").splitlines()[-_LINES:]
        return (lines or [str(code)]) if code else []
