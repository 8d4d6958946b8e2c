"""The recorder: writes the inputs and hashes of a running game to a recording.

It uses the tick hooks of the loop, so it gets exactly the input of each tick, after tools have taken their events and
before the game's layers handle it. Each tick costs one `world.hash()`; once in 60 ticks it writes a block. It never
changes the game: the states are the same with and without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rish_core import InputRecord, Interventions, TickHooks
from rish_ecs.snapshots import prepare_digests

from .blocks import BlockWriter, RecordingError, packed_block
from .origin import Origin
from .recording import (
    END,
    HEADER,
    LOG,
    PARTS,
    SEGMENT,
    TICKS,
    pack_json,
    pack_parts,
    pack_segment,
    pack_ticks,
    parts_of,
    short_hash,
)

SPAN = 60
"""The number of ticks between two blocks, and between two hashes of all parts."""
LARGE = 1 << 20
"""The size of a state, in bytes, above which it is hashed only once per span."""


@dataclass(frozen=True)
class _Progress:
    """What is recorded: what the file holds up to `size`, and the ticks that follow, in `recent`.

    An interrupt can come between any two steps. So each change is one step: a tick is counted, and its input and hash
    are kept, by one append to `recent`, and blocks are counted as written by one replacement of this object.

    ticks: the number of ticks in the file. first: the tick before the first one of `recent`. every: the interval of
    hashes. names: of the parts in the last block of parts. recent: the input and the hash, or b"", of each tick.
    """

    size: int
    ticks: int
    first: int
    every: int
    names: list[str]
    recent: list[tuple[InputRecord, bytes]] = field(default_factory=list[tuple[InputRecord, bytes]])

    @property
    def tick(self) -> int:
        """The tick of the state behind the last recorded tick."""
        return self.first + len(self.recent)


class Recorder:
    """Records a game from now on, until `finish`. path: of the recording. origin: of the game.

    Raises RecordingError if the file can't be written. A later write error ends the recording, with a sentence in
    `failed`, but not the game. If the game is interrupted, at any moment, `finish` still writes a complete recording.
    """

    def __init__(self, app: Any, path: Path, origin: Origin) -> None:
        prepare_digests()
        self.world = app.world
        self.path = path
        self.failed = ""
        self._interventions: Interventions = self.world[Interventions]
        self._tick_hooks: TickHooks = self.world[TickHooks]
        self._seen = self._interventions.count
        self._pending: InputRecord | None = None
        self._progress: _Progress | None = None
        try:
            self._writer = BlockWriter(path)
            self._writer.write(HEADER, pack_json(origin.to_plain()))
        except OSError as error:
            raise RecordingError(f"{path} can't be written: {error.strerror or error}") from None
        self._tick_hooks.before.append(self._before)
        self._tick_hooks.after.append(self._after)

    @property
    def ticks(self) -> int:
        """The number of recorded ticks."""
        done = self._progress
        return 0 if done is None else done.ticks + len(done.recent)

    def finish(self, error: str = "", log: str = "") -> None:
        """End the recording and rename the file. error, log: of the crash, for a capsule."""
        self._leave()
        if not self.failed:
            self._guarded(lambda: self._end(error, log))

    def _end(self, error: str, log: str) -> None:
        if not self._writer.complete:  # otherwise an earlier call was interrupted behind that
            done = self._progress or self._new_segment()
            self._writer.size = self._write_ticks(done)
            if log:
                self._writer.write(LOG, log.encode(errors="replace"))
            last = self._pending.to_plain() if error and self._pending is not None else None
            self._writer.write(END, pack_json({"ticks": self.ticks, "error": error, "last": last}))
        self._writer.finish()

    def _leave(self) -> None:
        if self._before in self._tick_hooks.before:
            self._tick_hooks.before.remove(self._before)
        if self._after in self._tick_hooks.after:
            self._tick_hooks.after.remove(self._after)

    # Tick hooks, called by the loop

    def _before(self, world: Any, record: InputRecord) -> InputRecord:
        done = self._progress
        if done is None or self._interventions.count != self._seen or world.tick != done.tick:
            self._guarded(self._new_segment)
        self._pending = record
        return record

    def _after(self, world: Any, record: InputRecord) -> None:
        done, tick = self._progress, world.tick
        if done is not None:
            hashed = done.every == 1 or tick % SPAN == 0
            done.recent.append((record, short_hash(world) if hashed else b""))
            if tick % SPAN == 0:
                self._guarded(self._span)
        self._pending = None

    # Blocks

    def _guarded(self, work: Callable[[], object]) -> None:
        try:
            work()
        except OSError as error:
            self.failed = f"the recording {self.path} ends early: {error.strerror or error}"
            self._leave()
            self._writer.close()

    def _new_segment(self) -> _Progress:
        done, tick = self._progress, self.world.tick
        count, reasons = self._interventions.count, self._interventions.reasons
        fresh = done is None and tick == 0 and not count
        reason = "it begins" if done is None or not reasons else reasons[-1][1]
        place = self._writer.size if done is None else self._write_ticks(done)
        snapshot = None if fresh else self.world.snapshot().to_bytes()
        place = self._writer.write_at(place, packed_block(SEGMENT, pack_segment(tick, reason, snapshot)))
        self._progress = self._with_parts(place, self.ticks, tick, [])
        self._seen = count
        return self._progress

    def _span(self) -> None:
        done = self._progress
        assert done is not None
        self._progress = self._with_parts(self._write_ticks(done), self.ticks, done.tick, done.names)

    def _write_ticks(self, done: _Progress) -> int:
        """Write the recent ticks behind what is written; return the place behind them."""
        if not done.recent:
            return done.size
        inputs = {done.first + k: record for k, (record, _) in enumerate(done.recent) if record.events}
        hashes = b"".join(each for _, each in done.recent)
        payload = pack_ticks(done.first, len(done.recent), done.every, hashes, inputs)
        return self._writer.write_at(done.size, packed_block(TICKS, payload))

    def _with_parts(self, place: int, ticks: int, tick: int, before: list[str]) -> _Progress:
        """Write the hashes of all parts at a place; return the progress with them. before: names in the last block."""
        parts = parts_of(self.world)
        names = list(parts)
        payload = pack_parts(tick, parts, None if names == before else names)
        place = self._writer.write_at(place, packed_block(PARTS, payload))
        return _Progress(place, ticks, tick, SPAN if state_size(self.world) > LARGE else 1, names)


def state_size(world: Any) -> int:
    """Return the size of all columns of a world in bytes."""
    tables = [*world.tables.values(), *world.columns.values()]
    return sum(table.nbytes for table in tables if len(table))
