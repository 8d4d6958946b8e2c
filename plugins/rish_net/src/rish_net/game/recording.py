"""The recording of a network game: the final inputs of all seats.

A tick is recorded when its input can't change any more, so `rish replay` plays the same game as all peers. A peer that
joined begins with the state that it got; so does the time after a rewind of the host, or a state that was replaced.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from rish_history import Origin, RecordingWriter

from ..session.rollback import HASH_EVERY
from ..session.session import Session

_log = logging.getLogger("rish.net")


class SessionRecorder:
    """Writes the ticks of a session. path: the file. origin: of the game. An error of the disk ends the recording.

    failed: that error; "" for none. Raises RecordingError if the file can't be created.
    """

    def __init__(self, path: Path, origin: Origin) -> None:
        self.failed = ""
        self._writer = RecordingWriter(path, origin)
        self._next: int | None = None
        self._final = 0

    @property
    def path(self) -> Path:
        """The file."""
        return self._writer.path

    @property
    def ticks(self) -> int:
        """The number of ticks that were written."""
        return self._writer.ticks

    def begin(self, world: Any, reason: str) -> None:
        """Begin a segment with the present state. Before, call `end` with the session of the former one."""
        self._next = self._final = world.tick
        self._guard(lambda: self._writer.begin(world.tick, reason, world.snapshot()))

    def follow(self, session: Session) -> None:
        """Write the ticks that have become final, up to the newest hash."""
        if self._next is None:
            return
        rollback = session.rollback
        self._final = max(self._final, min(rollback.final, session.game.tick))
        hashed = [tick for tick in rollback.hashes if self._next < tick <= self._final]
        if hashed:
            ticks = range(-(-(self._next + 1) // HASH_EVERY) * HASH_EVERY, max(hashed) + 1, HASH_EVERY)
            self._add(session, max(hashed), HASH_EVERY, [rollback.hashes[tick] for tick in ticks])

    def end(self, session: Session) -> None:
        """Write the remaining final ticks of a segment; the next one begins with another state."""
        self.follow(session)
        if self._next is not None and self._final > self._next:
            self._add(session, self._final)
        self._next = None

    def finish(self, session: Session | None, error: str = "") -> None:
        """End the recording, with the hash of the present state if that is final. error: what ended the game."""
        if session is not None and self._next is not None:
            self.follow(session)
            if self._next < self._final == session.game.tick:
                self._add(session, self._final, self._final, [session.game.hash()])
            self.end(session)
        self._guard(lambda: self._writer.finish(error))

    def _add(self, session: Session, until: int, *hashes: Any) -> None:
        first, self._next = self._next, until
        assert first is not None
        records = [session.rollback.input_of(tick) for tick in range(first, until)]
        self._guard(lambda: self._writer.add(first, records, *hashes))

    def _guard(self, write: Any) -> None:
        if self.failed:
            return
        try:
            write()
        except OSError as error:
            self.failed = f"the recording {self.path} ends early: {error.strerror or error}"
            _log.error("%s", self.failed)
