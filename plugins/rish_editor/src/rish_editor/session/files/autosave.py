"""Autosave: copies of the edited Worlds, so that a crash of the editor loses no more than the last action.

A step of the history is copied in the frame after it begins, and when it has ended: in the second frame without a
change, such as after the release of a drag. The next step waits until that is written, so only the last one can be
lost. A thread writes into `.rish/autosave` of the game's folder, or into the folder of settings if that one can't be
written. Two files of each editor take turns: a new one is begun when the appended edits are as long as the state. They
are removed when the game is saved or closed, so a copy that exists when a game is opened is from an editor that has
crashed, or from one that still runs.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_system import is_running, write_whole

from ..settings import settings_folder
from .journal import Copy, Journal, read_copy

if TYPE_CHECKING:
    from rish_authoring import Entry, History
    from rish_ecs import Snapshot

    from ..game.game import Game
    from ..settings import Settings

_log = logging.getLogger("rish.editor")
COPIES = 2
"""The number of copies that stay on the disk."""
_ENDING = ".autosave"


class Autosave:
    """Writes copies of one game after edits.

    makers: the processes whose copies `remove` removes: this one, and one that has crashed and whose edits are back.
    written: the number of written copies. problem: why the last one was not.
    """

    def __init__(self, game: Game, settings: Settings) -> None:
        self._game, self._settings = game, settings
        self._seen = self._copied = self._version
        self._step = self._last_step
        self._first = 0.0
        self._thread: threading.Thread | None = None
        self._journal: Journal | None = None
        self._turn = 0
        self._began = game.play.running
        self.makers = {os.getpid()}
        self.written = 0
        self.problem: str | None = None

    def look(self, now: float) -> None:
        """Copy each step when it begins and when it has ended, regularly while it goes on, and before the game is
        played; remove the copies if edits are undone to what is saved. Call it in each frame. now: seconds of any
        clock.
        """  # fmt: skip
        if self._settings.autosave <= 0:
            return
        game = self._game
        begins, self._began = game.play.running and not self._began, game.play.running
        before, self._seen = self._seen, self._version
        if self._seen == self._copied:
            return
        self._first = self._first or now
        another = self._last_step is not self._step  # so the one before has ended, and must not be lost
        if not (begins or another or before == self._seen or now - self._first >= self._settings.autosave):
            return
        if game.dirty:
            self.copy()
        else:
            self.remove()

    @property
    def _version(self) -> tuple[History, int]:
        return self._game.history, self._game.history.version

    @property
    def _last_step(self) -> Entry | None:
        return self._game.history.done[-1] if self._game.history.done else None

    @property
    def busy(self) -> bool:
        """Whether a copy is being written."""
        return self._thread is not None and self._thread.is_alive()

    def copy(self) -> None:
        """Copy the state now, and write it in a thread: what has changed, or all of it into a new file."""
        self.wait()
        self._copied, self._step, self._first = self._seen, self._last_step, 0.0
        journal = self._journal
        if journal is not None and journal.continues:
            self._start(self._append, journal, journal.more())
        else:
            self._turn = (self._turn + 1) % COPIES
            self._journal = journal = Journal(self._game)
            self._start(self._write, journal, journal.state(), self._turn)

    def _start(self, work: Callable[..., None], *arguments: Any) -> None:
        self._thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the copy is written."""
        if self._thread is not None:
            self._thread.join()

    def _write(self, journal: Journal, state: Snapshot, turn: int) -> None:
        data = journal.begin(state)
        for folder in folders(self._game.path):
            path = folder / f"{os.getpid()}-{turn}{_ENDING}"
            try:
                make_private(folder)
                write_whole(path, data)
            except OSError as error:
                self.problem = f"{folder}: {error.strerror or error}"
                continue
            journal.path = path
            self.written, self.problem = self.written + 1, None
            return
        self._journal = None
        _log.warning("no copy of the edits could be written: %s", self.problem)

    def _append(self, journal: Journal, data: bytes) -> None:
        try:
            journal.append(data)
            self.written += 1
        except OSError:
            self._journal = self._copied = None  # the next frame begins a new file

    def remove(self) -> None:
        """Remove the copies, because their edits are saved or discarded."""
        self.wait()
        self._seen = self._copied = self._version
        self._step, self._first, self._journal = self._last_step, 0.0, None
        remove_copies(self._game.path, self.makers)

    def keep(self) -> None:
        """Write the unsaved edits when the program ends without the user closing it; they are offered at the next
        start."""
        self.wait()
        if self._settings.autosave > 0 and self._game.dirty:
            self._seen = self._version
            self.copy()
            self.wait()


def folders(game: Path) -> list[Path]:
    """Return where copies of a game may be, the usual folder first."""
    name = hashlib.sha256(str(game.resolve()).encode()).hexdigest()[:16]
    return [game / ".rish" / "autosave", settings_folder() / "autosave" / name]


def make_private(folder: Path) -> None:
    """Create a folder; a folder `.rish` of a game is given a `.gitignore` of its own, so that Git leaves it out.

    Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for above in (folder, *folder.parents):
        ignored = above / ".gitignore"
        if above.name == ".rish" and not ignored.exists():
            ignored.write_text("*\n", encoding="utf-8", newline="\n")


def found_copy(game: Path) -> Copy | None:
    """Return the latest copy of a game from an editor that no longer runs, None if there is none."""
    copies: list[Copy] = []
    for path in _files(game):
        try:
            copy = read_copy(path)
        except (OSError, ValueError, KeyError, TypeError) as error:
            _log.warning("%s can't be used: %s", path, error)
            continue
        if _maker(path) != os.getpid() and is_running(_maker(path)):
            continue
        copies.append(copy)
    return max(copies, key=lambda copy: copy.time, default=None)


def remove_copies(game: Path, makers: Collection[int] | None = None) -> None:
    """Remove the copies of a game that processes have made. makers: their numbers; None: all that no longer run."""
    for path in _files(game):
        maker = _maker(path)
        if (maker != os.getpid() and is_running(maker)) if makers is None else maker not in makers:
            continue
        with contextlib.suppress(OSError):
            path.unlink()
    for folder in folders(game):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _files(game: Path) -> Iterator[Path]:
    for folder in folders(game):
        yield from sorted(folder.glob(f"*{_ENDING}"))


def _maker(path: Path) -> int:
    """Return the number of the process that has made a copy; 0 if the file's name has none."""
    number = path.name.partition("-")[0]
    return int(number) if number.isdecimal() else 0
