"""Journal: the file of a copy of the edited game. It begins with the whole state, and each later edit is appended.

So an edit of a large game is safe as quickly as that of a small one. A part that was not written completely, because
the editor was killed meanwhile, is left out, and so is what follows it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_ecs import RishError, Snapshot
from rish_ecs.snapshots import Recorder, bring_up_to_date
from rish_system import read_whole

if TYPE_CHECKING:
    from rish_authoring import GameText

    from ..game.game import Game

_log = logging.getLogger("rish.editor")
MAX_BYTES = 2**29
"""The largest copy that is read, in bytes."""
_MARK = b"rish autosave 2\n"


@dataclass
class Copy:
    """A copy of unsaved edits. time: when it was made, seconds since 1970. texts: those of the game's files, by path.

    read: the digests of the files that the edits began with. state: the snapshot of the open scene's World, as bytes.
    records: the changes since, see `rish_ecs.snapshots.Recorder`.
    """

    path: Path
    time: float
    process: int
    texts: dict[Path, str]
    read: dict[str, str]
    state: bytes
    records: list[bytes]

    def fits(self, game: Game) -> bool:
        """Whether the game's files are still those that the edits began with."""
        return self.read == digests(game)

    def put_into(self, text: GameText) -> None:
        """Give the files of a game the texts of the copy. Raises UsageError."""
        text.put_texts(self.texts)

    @property
    def snapshot(self) -> Snapshot:
        """The edited World. Raises SnapshotError."""
        snapshot = Snapshot.from_bytes(self.state)
        for record in self.records:
            bring_up_to_date(snapshot, record)
        return snapshot

    def recover(self, game: Game) -> None:
        """Bring the edits back into the game that was just opened. Raises RishError; then nothing has changed."""
        snapshot, project = self.snapshot, game.project
        before = project.text.plain
        project.edit(self.put_into, drop=True)
        try:
            game.world.restore(snapshot)
        except RishError:
            project.edit(lambda text: text.put_texts(before), drop=True)
            raise
        game.begin_history(recovered=True)


class Journal:
    """Writes the copy of one game into one file. path: of the file; None until it is written."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._recorder = None if game.play.running else Recorder(game.world)
        self._texts, self._read = game.project.text.plain, digests(game)
        self._whole = self._grown = 0
        self.path: Path | None = None

    @property
    def continues(self) -> bool:
        """Whether the next change can be appended: the World has the same declarations, and the file is not long."""
        recorder = self._recorder
        return recorder is not None and recorder.fits and self._grown <= self._whole and not self._game.play.running

    def state(self) -> Snapshot:
        """Return the state with which a new file begins; called in the frame itself, because the World changes
        afterwards."""
        return self._game.edited_state()

    def begin(self, state: Snapshot) -> bytes:
        """Return the content of a new file; a thread may do that."""
        texts = {str(path): text for path, text in self._texts.items()}
        head = {"process": os.getpid(), "read": self._read, "texts": texts}
        block = _MARK + _part(head, state.to_bytes())
        self._whole = len(block)
        return block

    def more(self) -> bytes:
        """Return the bytes to append to the file: the changes since the last part."""
        assert self._recorder is not None
        texts, read = self._game.project.text.plain, digests(self._game)
        changed = {str(path): text for path, text in texts.items() if self._texts.get(path) != text}
        removed = {str(path): None for path in self._texts if path not in texts}
        block = _part({"read": read, "texts": changed | removed}, self._recorder.record())
        self._texts, self._read = texts, read
        self._grown += len(block)
        return block

    def append(self, data: bytes) -> None:
        """Append to the file. Raises OSError, also if there is no such file any more."""
        assert self.path is not None
        with self.path.open("r+b") as file:
            file.seek(0, os.SEEK_END)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def _part(head: Mapping[str, Any], state: bytes) -> bytes:
    """Return a part of the file: a line of JSON, then a snapshot or a record."""
    return json.dumps({"time": time.time(), **head, "size": len(state)}).encode() + b"\n" + state


def read_copy(path: Path) -> Copy:
    """Read the file of a copy. Raises ValueError, KeyError and OSError."""
    data = read_whole(path, MAX_BYTES)
    if not data.startswith(_MARK):
        raise ValueError("it is no copy of an editor")
    parts = _parts(data, len(_MARK))
    if not parts:
        raise ValueError("it is not complete")
    texts: dict[Path, str] = {}
    for head, _ in parts:
        for name, text in head["texts"].items():
            if text is None:
                texts.pop(Path(name), None)
            else:
                texts[Path(name)] = text
    (first, state), (last, _) = parts[0], parts[-1]
    records = [record for _, record in parts[1:]]
    return Copy(path, last["time"], first["process"], texts, last["read"], state, records)


def _parts(data: bytes, at: int) -> list[tuple[dict[str, Any], bytes]]:
    """Return the complete parts of a file, from a place on."""
    parts: list[tuple[dict[str, Any], bytes]] = []
    while at < len(data):
        end = data.find(b"\n", at)
        try:
            head: dict[str, Any] = json.loads(data[at:end]) if end >= 0 else {}
        except ValueError:
            break
        begin, at = end + 1, end + 1 + head.get("size", MAX_BYTES)
        if at > len(data):
            break
        parts.append((head, data[begin:at]))
    return parts


def digests(game: Game) -> dict[str, str]:
    """Return the digests of the files of a game as they were read or written last, by path."""
    return {str(path): hashlib.sha256(data).hexdigest() for path, data in game.project.text.read.items()}
