"""Writes recordings of ticks that are given, for code that knows inputs and hashes itself.

    writer = RecordingWriter(path, origin_of(app))
    writer.begin(tick, "it begins", world.snapshot())
    writer.add(tick, records)
    writer.finish()

A `Recorder` records a game that runs; the session of a network game knows only later which inputs are final.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rish_core import InputRecord, Snapshot

from .blocks import BlockWriter, RecordingError
from .origin import Origin
from .recording import END, HASH_SIZE, HEADER, LOG, NO_HASHES, SEGMENT, TICKS, pack_json, pack_segment, pack_ticks


class RecordingWriter:
    """Writes a recording to `path.part`, and renames it when it is finished. ticks: the number of ticks so far.

    Raises RecordingError if the file can't be created; the methods raise OSError.
    """

    def __init__(self, path: Path, origin: Origin) -> None:
        self.path = path
        self.ticks = 0
        try:
            self._writer = BlockWriter(path)
            self._writer.write(HEADER, pack_json(origin.to_plain()))
        except OSError as error:
            raise RecordingError(f"{path} can't be written: {error.strerror or error}") from None

    def begin(self, tick: int, reason: str, snapshot: Snapshot) -> None:
        """Begin a segment with a state. reason: why, for messages."""
        self._writer.write(SEGMENT, pack_segment(tick, reason, snapshot.to_bytes()))

    def add(
        self, first: int, records: Sequence[InputRecord], every: int = NO_HASHES, hashes: Iterable[int] = ()
    ) -> None:
        """Add the ticks from `first` on, which is the tick after the last one of the segment.

        hashes: the first 64 bits of the hash of each state whose tick is a multiple of `every`, from first + 1 to first
        + len(records).
        """
        if not records:
            return
        packed = b"".join(value.to_bytes(HASH_SIZE, "big") for value in hashes)
        inputs = {tick: record for tick, record in enumerate(records, first) if record.events}
        self._writer.write(TICKS, pack_ticks(first, len(records), every, packed, inputs))
        self.ticks += len(records)

    def finish(self, error: str = "", log: str = "", last: InputRecord | None = None) -> None:
        """End the recording. error: what ended the game. log: the end of its log. last: the input of a failed tick."""
        if log:
            self._writer.write(LOG, log.encode(errors="replace"))
        plain = None if last is None else last.to_plain()
        self._writer.write(END, pack_json({"ticks": self.ticks, "error": error, "last": plain}))
        self._writer.finish()
