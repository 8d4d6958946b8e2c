"""The recorder: writes the inputs and hashes of a running game to a recording.

It uses the tick hooks of the loop, so it gets exactly the input of each tick, after tools have taken their events and
before the game's layers handle it. Each tick costs one `world.hash()`; once in 60 ticks it writes a block. It never
changes the game: the states are the same with and without it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rish_core import InputRecord, Interventions, TickHooks
from rish_ecs.snapshots import prepare_digests

from .blocks import BlockWriter, RecordingError
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


class Recorder:
    """Records a game from now on, until `finish`. path: of the recording. origin: of the game.

    Raises RecordingError if the file can't be written. A later write error ends the recording, with a sentence in
    `failed`, but not the game.
    """

    def __init__(self, app: Any, path: Path, origin: Origin) -> None:
        prepare_digests()
        self.world = app.world
        self.path = path
        self.failed = ""
        self.ticks = 0
        self._interventions: Interventions = self.world[Interventions]
        self._tick_hooks: TickHooks = self.world[TickHooks]
        self._seen = self._interventions.count
        self._begun = False
        self._tick: int = self.world.tick
        self._pending: InputRecord | None = None
        self._names: list[str] = []
        self._start_block()
        try:
            self._writer = BlockWriter(path)
            self._writer.write(HEADER, pack_json(origin.to_plain()))
        except OSError as error:
            raise RecordingError(f"{path} can't be written: {error.strerror or error}") from None
        self._tick_hooks.before.append(self._before)
        self._tick_hooks.after.append(self._after)

    def finish(self, error: str = "", log: str = "") -> None:
        """End the recording and rename the file. error, log: of the crash, for a capsule."""
        self._leave()
        if not self.failed:
            self._guarded(lambda: self._end(error, log))

    def _end(self, error: str, log: str) -> None:
        if not self._begun:
            self._begin_segment("it begins")
        self._write_ticks()
        if log:
            self._writer.write(LOG, log.encode(errors="replace"))
        last = self._pending.to_plain() if error and self._pending is not None else None
        self._writer.write(END, pack_json({"ticks": self.ticks, "error": error, "last": last}))
        self._writer.finish()

    def _leave(self) -> None:
        if self._before in self._tick_hooks.before:
            self._tick_hooks.before.remove(self._before)
            self._tick_hooks.after.remove(self._after)

    # Tick hooks, called by the loop

    def _before(self, world: Any, record: InputRecord) -> InputRecord:
        if self._interventions.count != self._seen or not self._begun:
            self._guarded(self._new_segment)
        self._pending = record
        return record

    def _after(self, world: Any, record: InputRecord) -> None:
        self._tick = tick = world.tick
        self._pending = None
        self.ticks += 1
        if record.events:
            self._inputs[tick - 1] = record
        if self._every == 1 or tick % SPAN == 0:
            self._hashes += short_hash(world)
        if tick % SPAN == 0:
            self._guarded(self._span)

    # Blocks

    def _guarded(self, work: Any) -> None:
        try:
            work()
        except OSError as error:
            self.failed = f"the recording {self.path} ends early: {error.strerror or error}"
            self._leave()
            self._writer.close()

    def _new_segment(self) -> None:
        if self._begun:
            self._write_ticks()
        reasons = self._interventions.reasons
        fresh = not self._begun and self.world.tick == 0 and not self._interventions.count
        self._seen = self._interventions.count
        self._begin_segment("it begins" if not self._begun or not reasons else reasons[-1][1], fresh)

    def _begin_segment(self, reason: str, fresh: bool = False) -> None:
        self._begun = True
        self._tick = self.world.tick
        snapshot = None if fresh else self.world.snapshot().to_bytes()
        self._writer.write(SEGMENT, pack_segment(self._tick, reason, snapshot))
        self._names = []
        self._write_parts()
        self._start_block()

    def _start_block(self) -> None:
        self._first = self._tick
        self._inputs: dict[int, InputRecord] = {}
        self._hashes = bytearray()
        self._every = SPAN if state_size(self.world) > LARGE else 1

    def _span(self) -> None:
        self._write_ticks()
        self._write_parts()

    def _write_ticks(self) -> None:
        count = self._tick - self._first
        if count > 0:
            self._writer.write(TICKS, pack_ticks(self._first, count, self._every, bytes(self._hashes), self._inputs))
        self._start_block()

    def _write_parts(self) -> None:
        parts = parts_of(self.world)
        names = list(parts)
        self._writer.write(PARTS, pack_parts(self._tick, parts, None if names == self._names else names))
        self._names = names


def state_size(world: Any) -> int:
    """Return the size of all columns of a world in bytes."""
    tables = [*world.tables.values(), *world.columns.values()]
    return sum(table.nbytes for table in tables if len(table))
