"""Autosave: copies of the edited Worlds, so that a crash of the editor loses no more than some seconds of work.

A copy is written by a thread, as a whole or not at all, into `.rish/autosave` of the game's folder, or into the folder
of settings if that one can't be written. Three copies take turns. They are removed when the game is saved or closed,
so what is found when a game is opened is from an editor that has crashed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_ecs import Snapshot
from rish_ecs.snapshots import write_whole

from .settings import settings_folder

if TYPE_CHECKING:
    from .game import Game
    from .settings import Settings

_log = logging.getLogger("rish.editor")
COPIES = 3
"""The number of copies that are kept."""
IDLE = 2.0
"""Seconds without an edit after which a copy is made."""
_MARK = b"rish autosave 1\n"
_ENDING = ".autosave"


@dataclass
class Copy:
    """A copy that was found. time: when it was made, seconds since 1970. scene: the one that was shown.

    scenes: the snapshot of each scene with edits, by name, as bytes. texts: the digests of the game's files that it was
    made from.
    """

    path: Path
    time: float
    scene: str
    selected: list[int]
    texts: dict[str, str]
    scenes: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def fits(self, game: Game) -> bool:
        """Whether the game's files are still those that the copy was made from."""
        return self.texts == _digests(game)

    def snapshots(self) -> dict[str, Snapshot]:
        """Return the snapshots by scene. Raises SnapshotError for damaged bytes."""
        return {name: Snapshot.from_bytes(data) for name, data in self.scenes.items()}


class Autosave:
    """Writes copies of one game after edits. written: how many were written. problem: why the last one was not."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self._game, self._settings = game, settings
        self._seen: Any = game.edited
        self._copied: Any = game.edited
        self._first = self._last = 0.0
        self._thread: threading.Thread | None = None
        self._removed = threading.Lock()
        self._turn = 0
        self._began = game.play.running
        self.written = 0
        self.problem: str | None = None

    def look(self, now: float) -> None:
        """Make a copy if it is time: after a pause of editing, regularly during it, and before the game is played.

        Call it in each frame. now: seconds of any clock.
        """
        if self._settings.autosave <= 0:
            return
        game = self._game
        begins, self._began = game.play.running and not self._began, game.play.running
        if game.edited != self._seen:
            self._seen, self._last = game.edited, now
            self._first = self._first or now
        waits = self._seen != self._copied and game.dirty
        late = now - self._last >= IDLE or now - self._first >= self._settings.autosave
        if waits and (begins or late) and not self.busy:
            self.copy()

    @property
    def busy(self) -> bool:
        """Whether a copy is being written."""
        return self._thread is not None and self._thread.is_alive()

    def copy(self) -> None:
        """Copy the state now, and write it in a thread."""
        game = self._game
        self._copied, self._first = self._seen, 0.0
        head = {
            "game": str(game.path.resolve()), "scene": game.scenes.current, "time": time.time(), "process": os.getpid(),
            "selected": game.selection.handles, "texts": _digests(game),
        }  # fmt: skip
        states = game.scenes.edited_states()
        self._turn = (self._turn + 1) % COPIES
        self._thread = threading.Thread(target=self._write, args=(head, states, self._turn), daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the copy is written."""
        if self._thread is not None:
            self._thread.join()

    def _write(self, head: dict[str, Any], states: Mapping[str, Snapshot], turn: int) -> None:
        data = encode(head, {name: state.to_bytes() for name, state in states.items()})
        for folder in folders(self._game.path):
            try:
                make_private(folder)
                write_whole(folder / f"{turn}{_ENDING}", data)
            except OSError as error:
                self.problem = f"{folder}: {error.strerror or error}"
                continue
            self.written, self.problem = self.written + 1, None
            return
        _log.warning("no copy of the edits could be written: %s", self.problem)

    def remove(self) -> None:
        """Remove the copies, because what they have is saved or is not wanted."""
        self.wait()
        self._seen = self._copied = self._game.edited
        self._first = 0.0
        remove_copies(self._game.path)


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


def encode(head: Mapping[str, Any], scenes: Mapping[str, bytes]) -> bytes:
    """Return a copy as bytes: a line of JSON, then the snapshots."""
    sizes = {name: len(data) for name, data in scenes.items()}
    return _MARK + json.dumps({**head, "scenes": sizes}).encode() + b"\n" + b"".join(scenes.values())


def decode(path: Path) -> tuple[Copy, int]:
    """Read a copy; return it, and the process that wrote it. Raises ValueError and OSError."""
    data = path.read_bytes()
    if not data.startswith(_MARK):
        raise ValueError("it is no copy of an editor")
    line, _, rest = data[len(_MARK) :].partition(b"\n")
    head = json.loads(line)
    if sum(head["scenes"].values()) != len(rest):
        raise ValueError("it is not complete")
    found, at = Copy(path, head["time"], head["scene"], head["selected"], head["texts"]), 0
    for name, size in head["scenes"].items():
        found.scenes[name] = rest[at : at + size]
        at += size
    return found, int(head["process"])


def found_copy(game: Path) -> Copy | None:
    """Return the latest copy of a game from an editor that no longer runs, None if there is none."""
    copies: list[Copy] = []
    for path in _files(game):
        try:
            copy, process = decode(path)
        except (OSError, ValueError, KeyError, TypeError) as error:
            _log.warning("%s can't be used: %s", path, error)
            continue
        if process != os.getpid() and _runs(process):
            continue
        copies.append(copy)
    return max(copies, key=lambda copy: copy.time, default=None)


def remove_copies(game: Path) -> None:
    """Remove all copies of a game."""
    for path in _files(game):
        with contextlib.suppress(OSError):
            path.unlink()
    for folder in folders(game):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _files(game: Path) -> Iterator[Path]:
    for folder in folders(game):
        yield from sorted(folder.glob(f"*{_ENDING}"))


def _digests(game: Game) -> dict[str, str]:
    return {str(path): hashlib.sha256(data).hexdigest() for path, data in game.files.read.items()}


def _runs(process: int) -> bool:
    """Return whether a process runs; False where that can't be found out."""
    if os.name != "posix":
        return False
    try:
        os.kill(process, 0)
    except OSError as error:
        return isinstance(error, PermissionError)
    return True
