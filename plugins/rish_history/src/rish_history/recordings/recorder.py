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

BLOCK_TICKS = 60
"""The number of ticks between two blocks, which is also the interval of hashes of all parts."""
LARGE_STATE = 1 << 20
"""The size of a state, in bytes, above which it is hashed only once per span."""


@dataclass(frozen=True)
class _Progress:
    """The recorded data: the blocks in the file up to `size`, and the ticks after them in `recent`.

    An interrupt can come between any two steps, so each change is a single step. A tick is recorded by one append to
    `recent`. Blocks count as written when one assignment replaces this object.

    size: in bytes. ticks: the number of ticks in the file. first: the tick of the state before the first one of
    `recent`. every: the interval of hashes in ticks. names: the names of the parts in the last `C` block. recent: the
    input and the hash, or b"", of each tick.
    """

    size: int
    ticks: int
    first: int
    every: int
    names: list[str]
    recent: list[tuple[InputRecord, bytes]] = field(default_factory=list[tuple[InputRecord, bytes]])

    @property
    def tick(self) -> int:
        """The tick of the state after the last recorded tick."""
        return self.first + len(self.recent)


class Recorder:
    """Records a game until `finish`. path: the file. origin: the origin of the game.

    Raises RecordingError if the file can't be written. A later write error ends the recording, with a sentence in
    `failed`, but not the game. If the game is interrupted at any moment, `finish` still writes a complete recording.
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
        progress = self._progress
        return 0 if progress is None else progress.ticks + len(progress.recent)

    def finish(self, error: str = "", log: str = "") -> None:
        """End the recording and rename the file. error, log: of the crash, for a capsule."""
        self._leave()
        if not self.failed:
            self._guarded(lambda: self._end(error, log))

    def _end(self, error: str, log: str) -> None:
        """Write the remaining ticks and the last blocks, and finish the file."""
        if not self._writer.complete:  # otherwise an earlier call was interrupted after that
            progress = self._progress or self._new_segment()
            self._writer.size = self._write_ticks(progress)
            if log:
                self._writer.write(LOG, log.encode(errors="replace"))
            last = self._pending.to_plain() if error and self._pending is not None else None
            self._writer.write(END, pack_json({"ticks": self.ticks, "error": error, "last": last}))
        self._writer.finish()

    def _leave(self) -> None:
        """Remove the tick hooks."""
        if self._before in self._tick_hooks.before:
            self._tick_hooks.before.remove(self._before)
        if self._after in self._tick_hooks.after:
            self._tick_hooks.after.remove(self._after)

    # Tick hooks, called by the loop

    def _before(self, world: Any, record: InputRecord) -> InputRecord:
        progress = self._progress
        if progress is None or self._interventions.count != self._seen or world.tick != progress.tick:
            self._guarded(self._new_segment)
        self._pending = record
        return record

    def _after(self, world: Any, record: InputRecord) -> None:
        progress, tick = self._progress, world.tick
        if progress is not None:
            has_hash = progress.every == 1 or tick % BLOCK_TICKS == 0
            progress.recent.append((record, short_hash(world) if has_hash else b""))
            if tick % BLOCK_TICKS == 0:
                self._guarded(self._write_span)
        self._pending = None

    # Blocks

    def _guarded(self, work: Callable[[], object]) -> None:
        """Call a function; an OSError ends the recording."""
        try:
            work()
        except OSError as error:
            self.failed = f"the recording {self.path} ends early: {error.strerror or error}"
            self._leave()
            self._writer.close()

    def _new_segment(self) -> _Progress:
        """Begin a segment with the current state."""
        progress, tick = self._progress, self.world.tick
        count, reasons = self._interventions.count, self._interventions.reasons
        is_new_game = progress is None and tick == 0 and not count
        reason = "it begins" if progress is None or not reasons else reasons[-1][1]
        position = self._writer.size if progress is None else self._write_ticks(progress)
        snapshot = None if is_new_game else self.world.snapshot().to_bytes()
        position = self._writer.write_at(position, packed_block(SEGMENT, pack_segment(tick, reason, snapshot)))
        self._progress = self._with_parts(position, self.ticks, tick, [])
        self._seen = count
        return self._progress

    def _write_span(self) -> None:
        """Write the recent ticks and the hashes of all parts."""
        progress = self._progress
        assert progress is not None
        self._progress = self._with_parts(self._write_ticks(progress), self.ticks, progress.tick, progress.names)

    def _write_ticks(self, progress: _Progress) -> int:
        """Write the recent ticks after the written blocks; return the position after them."""
        if not progress.recent:
            return progress.size
        inputs = {progress.first + i: record for i, (record, _) in enumerate(progress.recent) if record.events}
        hashes = b"".join(each for _, each in progress.recent)
        payload = pack_ticks(progress.first, len(progress.recent), progress.every, hashes, inputs)
        return self._writer.write_at(progress.size, packed_block(TICKS, payload))

    def _with_parts(self, position: int, ticks: int, tick: int, former_names: list[str]) -> _Progress:
        """Write the hashes of all parts; return the progress after that.

        position: in bytes. ticks, tick: as in the result. former_names: the names in the last `C` block.
        """
        parts = parts_of(self.world)
        names = list(parts)
        payload = pack_parts(tick, parts, None if names == former_names else names)
        position = self._writer.write_at(position, packed_block(PARTS, payload))
        return _Progress(position, ticks, tick, BLOCK_TICKS if state_size(self.world) > LARGE_STATE else 1, names)


def state_size(world: Any) -> int:
    """Return the size of all columns of a world in bytes."""
    tables = [*world.tables.values(), *world.columns.values()]
    return sum(table.nbytes for table in tables if len(table))
