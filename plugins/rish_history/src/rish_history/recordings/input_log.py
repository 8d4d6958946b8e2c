"""The input log: a recording without hashes that is complete up to the tick in which its process dies.

A crash of native code ends a process at once, so nothing may wait in its memory. The input of a tick is written as a
block before the tick runs. The numbers of the tick and the frame are in a second file that is mapped into memory: the
system keeps what is written there, and it costs a fraction of a microsecond. `end_input_log` makes an ordinary
recording of both files, in the process that wrote them or in a later one.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rish_core import InputRecord, Interventions, TickHooks

from .blocks import PART, BlockWriter, packed_block, read_blocks
from .origin import Origin
from .recording import END, HEADER, LOG, NO_HASHES, SEGMENT, TICKS, pack_json, pack_segment, pack_ticks, read_recording

MAX_BYTES = 32 << 20
"""The size of a log from which on it begins again with the state of the game: some hours of a pointer that moves."""
_NUMBERS = struct.Struct("<QQ")
_ENDING = ".numbers"


class LogEnd(NamedTuple):
    """Where a game was when its input log ended. tick: the last one that began. frame: the number of the last frame."""

    seed: int
    tick: int
    frame: int


class InputLog:
    """Writes the input of a game to a file until `close`. path: the file. origin: the origin of the game.

    Raises OSError if the file can't be written; a later error ends the log, but not the game.
    """

    def __init__(self, app: Any, path: Path, origin: Origin) -> None:
        self.path = path
        self._app, self._origin = app, origin
        self._hooks: TickHooks = app.world[TickHooks]
        self._interventions: Interventions = app.world[Interventions]
        self._writer: BlockWriter | None = None
        with open(path.with_suffix(_ENDING), "w+b") as file:
            file.truncate(_NUMBERS.size)
            self._numbers = mmap.mmap(file.fileno(), _NUMBERS.size)
        self._begin(app.world)
        self._hooks.before.append(self._before)

    def close(self) -> None:
        """Stop writing. The files stay."""
        if self._before in self._hooks.before:
            self._hooks.before.remove(self._before)
        if self._writer is not None:
            self._writer.close()
        if not self._numbers.closed:
            self._numbers.close()

    def delete(self) -> None:
        """Stop writing, and delete the files."""
        self.close()
        delete_input_log(self.path)

    def _before(self, world: Any, record: InputRecord) -> InputRecord:
        tick = world.tick
        _NUMBERS.pack_into(self._numbers, 0, tick + 1, self._app.clock.frame)
        if tick != self._next or self._interventions.count != self._seen:
            self._guarded(lambda: self._segment(world))
        if record.events:
            self._guarded(lambda: self._tick(world, record))
        self._next = tick + 1
        return record

    def _guarded(self, work: Callable[[], object]) -> None:
        """Call a function; an error of the disk ends the log."""
        try:
            work()
        except OSError:
            self.close()

    def _begin(self, world: Any) -> None:
        """Begin the file, with the state of the game unless that is new."""
        if self._writer is not None:
            self._writer.close()
        self._writer = BlockWriter(self.path)
        self._writer.write(HEADER, pack_json(self._origin.to_plain()))
        count = self._interventions.count
        is_new_game = world.tick == 0 and not count
        self._write_segment(world, "it begins", None if is_new_game else world.snapshot().to_bytes())

    def _segment(self, world: Any) -> None:
        """Begin a segment after a change of state that is no input."""
        self._ticks_until(self._next, {})
        reasons = self._interventions.reasons
        self._write_segment(world, reasons[-1][1] if reasons else "a jump", world.snapshot().to_bytes())

    def _write_segment(self, world: Any, reason: str, snapshot: bytes | None) -> None:
        assert self._writer is not None
        self._writer.write(SEGMENT, pack_segment(world.tick, reason, snapshot))
        self._written = self._next = world.tick
        self._seen = self._interventions.count

    def _tick(self, world: Any, record: InputRecord) -> None:
        """Write the input of a tick, and that those before it had none."""
        assert self._writer is not None
        if self._writer.size > MAX_BYTES:
            self._begin(world)
        self._ticks_until(world.tick + 1, {world.tick: record})

    def _ticks_until(self, tick: int, inputs: dict[int, InputRecord]) -> None:
        assert self._writer is not None
        if tick > self._written:
            payload = pack_ticks(self._written, tick - self._written, NO_HASHES, b"", inputs)
            self._writer.size = self._writer.write_at(self._writer.size, packed_block(TICKS, payload, compress=False))
            self._written = tick


def end_input_log(path: Path, target: Path, error: str, log: str = "") -> LogEnd:
    """Make a recording of a log that nobody writes any more, and delete the log; return where the game was.

    target: the recording, which ends with the last tick that began. error, log: of the crash. Raises RecordingError and
    OSError for files that can't be read or written.
    """
    part = path.with_name(path.name + PART)
    recording, numbers = read_recording(part), path.with_suffix(_ENDING).read_bytes()
    end = recording.segments[-1].end
    begun, frame = _NUMBERS.unpack(numbers) if len(numbers) == _NUMBERS.size else (end, 0)
    writer = BlockWriter(target)
    for block in read_blocks(part).blocks:
        writer.write(block.kind, block.payload)
    if begun > end:
        writer.write(TICKS, pack_ticks(end, begun - end, NO_HASHES, b"", {}))
    writer.write(LOG, log.encode(errors="replace"))
    ticks = recording.ticks + max(0, begun - end)
    writer.write(END, pack_json({"ticks": ticks, "error": error, "last": None}))
    writer.finish()
    delete_input_log(path)
    return LogEnd(recording.origin.seed, max(begun, end), frame)


def delete_input_log(path: Path) -> None:
    """Delete the files of a log, if they are there. Raises OSError."""
    for each in (path.with_name(path.name + PART), path.with_suffix(_ENDING)):
        each.unlink(missing_ok=True)
