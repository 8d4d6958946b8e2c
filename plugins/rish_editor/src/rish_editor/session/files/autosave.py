"""Autosave: copies of the edited Worlds, so that a crash of the editor loses no more than the last action.

A copy is made when an edit has ended: in the second frame without a change, such as after the release of a drag. It is
written by a thread, as a whole or not at all, into `.rish/autosave` of the game's folder, or into the folder of
settings if that one can't be written. Three copies of each editor take turns. They are removed when the game is saved
or closed, so what is found when a game is opened is from an editor that has crashed, or from one that still runs.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_ecs import RishError, Snapshot
from rish_ecs.snapshots import read_whole, write_whole

from ..settings import settings_folder

if TYPE_CHECKING:
    from rish_authoring import GameText, History

    from ..game import Game
    from ..settings import Settings

_log = logging.getLogger("rish.editor")
COPIES = 3
"""The number of copies that are kept."""
_SHARE = 10.0
"""Seconds between two copies, as a multiple of what the last one took, so that edits of large games stay smooth."""
LARGEST = 2**29
"""The largest copy that is read, in bytes."""
_MARK = b"rish autosave 1\n"
_ENDING = ".autosave"


@dataclass
class Copy:
    """A copy that was found. time: when it was made, seconds since 1970. texts: those of the game's files, by path.

    read: the digests of the files that the edits began with. state: the snapshot of the open scene's World, as bytes.
    """

    path: Path
    time: float
    process: int
    texts: dict[Path, str]
    read: dict[str, str]
    state: bytes

    def fits(self, game: Game) -> bool:
        """Whether the game's files are still those that the edits began with."""
        return self.read == _digests(game)

    def put_into(self, text: GameText) -> None:
        """Give the files of a game the texts of the copy. Raises UsageError."""
        text.put_texts(self.texts)

    def recover(self, game: Game) -> None:
        """Bring the edits back into the game that was just opened. Raises RishError; then nothing has changed."""
        snapshot, project = Snapshot.from_bytes(self.state), game.project
        before = project.text.plain
        project.edit(self.put_into, drop=True)
        try:
            game.world.restore(snapshot)
        except RishError:
            project.edit(lambda text: text.put_texts(before), drop=True)
            raise
        game.begin_history(recovered=True)


class Autosave:
    """Writes copies of one game after edits.

    makers: the processes whose copies `remove` removes: this one, and one that has crashed and whose edits are back.
    written: how many were written. problem: why the last one was not.
    """

    def __init__(self, game: Game, settings: Settings) -> None:
        self._game, self._settings = game, settings
        self._seen = self._copied = self._version
        self._first = self._next = 0.0
        self._thread: threading.Thread | None = None
        self._turn = 0
        self._began = game.play.running
        self.makers = {os.getpid()}
        self.written = 0
        self.problem: str | None = None

    def look(self, now: float) -> None:
        """Make a copy after each edit, regularly during one that goes on, and before the game is played; remove the
        copies if edits are undone to what is saved. Call it in each frame. now: seconds of any clock.
        """  # fmt: skip
        if self._settings.autosave <= 0:
            return
        game = self._game
        begins, self._began = game.play.running and not self._began, game.play.running
        before, self._seen = self._seen, self._version
        if self._seen == self._copied or self.busy:
            return
        self._first = self._first or now
        ended = before == self._seen and now >= self._next
        if not (begins or ended or now - self._first >= self._settings.autosave):
            return
        if not game.dirty:
            self.remove()
            return
        begin = time.perf_counter()
        self.copy()
        self._next = now + _SHARE * (time.perf_counter() - begin)

    @property
    def _version(self) -> tuple[History, int]:
        return self._game.history, self._game.history.version

    @property
    def busy(self) -> bool:
        """Whether a copy is being written."""
        return self._thread is not None and self._thread.is_alive()

    def copy(self) -> None:
        """Copy the state now, and write it in a thread."""
        game = self._game
        self._copied, self._first = self._seen, 0.0
        head = {"game": str(game.path.resolve()), "time": time.time(), "process": os.getpid(), "read": _digests(game)}
        texts, state = game.project.text.plain, game.edited_state()
        self._turn = (self._turn + 1) % COPIES
        self._thread = threading.Thread(target=self._write, args=(head, texts, state, self._turn), daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the copy is written."""
        if self._thread is not None:
            self._thread.join()

    def _write(self, head: dict[str, Any], texts: Mapping[Path, str], state: Snapshot, turn: int) -> None:
        data = encode({**head, "texts": {str(path): text for path, text in texts.items()}}, state.to_bytes())
        for folder in folders(self._game.path):
            try:
                make_private(folder)
                write_whole(folder / f"{head['process']}-{turn}{_ENDING}", data)
            except OSError as error:
                self.problem = f"{folder}: {error.strerror or error}"
                continue
            self.written, self.problem = self.written + 1, None
            return
        _log.warning("no copy of the edits could be written: %s", self.problem)

    def remove(self) -> None:
        """Remove the copies, because what they have is saved or is not wanted."""
        self.wait()
        self._seen = self._copied = self._version
        self._first = 0.0
        remove_copies(self._game.path, self.makers)

    def keep(self) -> None:
        """Write what is not saved at the end of an editor that was not closed by the person; it is offered later."""
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
            ignored.write_text("*\n", encoding="utf-8")


def encode(head: Mapping[str, Any], state: bytes) -> bytes:
    """Return a copy as bytes: a line of JSON, then the snapshot."""
    return _MARK + json.dumps({**head, "size": len(state)}).encode() + b"\n" + state


def decode(path: Path) -> Copy:
    """Read a copy. Raises ValueError, KeyError and OSError."""
    data = read_whole(path, LARGEST)
    if not data.startswith(_MARK):
        raise ValueError("it is no copy of an editor")
    line, _, state = data[len(_MARK) :].partition(b"\n")
    head = json.loads(line)
    if head["size"] != len(state):
        raise ValueError("it is not complete")
    texts = {Path(name): text for name, text in head["texts"].items()}
    return Copy(path, head["time"], head["process"], texts, head["read"], state)


def found_copy(game: Path) -> Copy | None:
    """Return the latest copy of a game from an editor that no longer runs, None if there is none."""
    copies: list[Copy] = []
    for path in _files(game):
        try:
            copy = decode(path)
        except (OSError, ValueError, KeyError, TypeError) as error:
            _log.warning("%s can't be used: %s", path, error)
            continue
        if _maker(path) != os.getpid() and runs(_maker(path)):
            continue
        copies.append(copy)
    return max(copies, key=lambda copy: copy.time, default=None)


def remove_copies(game: Path, makers: Collection[int] | None = None) -> None:
    """Remove the copies of a game that processes have made. makers: their numbers; None: all that no longer run."""
    for path in _files(game):
        maker = _maker(path)
        if (maker != os.getpid() and runs(maker)) if makers is None else maker not in makers:
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


def _digests(game: Game) -> dict[str, str]:
    return {str(path): hashlib.sha256(data).hexdigest() for path, data in game.project.text.read.items()}


def runs(process: int) -> bool:
    """Return whether a process runs; False where that can't be found out."""
    if os.name != "posix" or process <= 0:
        return False
    try:
        os.kill(process, 0)
    except OSError as error:
        return isinstance(error, PermissionError)
    return True
