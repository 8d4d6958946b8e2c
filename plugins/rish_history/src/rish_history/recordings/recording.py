"""Recordings: the inputs of each tick, and hashes that verify that a replay has the same states.

A game is a function of its seed and its input (see the kernel's `TickHooks` and `Interventions`), so a recording
contains only these and hashes. It is a file of blocks (`rish_history.recordings.blocks`):

    H   once, first: the origin, as JSON
    S   start of a segment: length (uint32), JSON {tick, reason}, and a full snapshot or nothing
    T   ticks: first tick (uint64), count, hash interval (uint32 each), hashes (8 bytes each), inputs as JSON
        {offset: events}
    C   hashes of all parts of the state: tick (uint64), size of the list (uint32), JSON list of names or nothing,
        uint32 for each name
    L   the log, as text: in the capsule of a crash
    E   the end: JSON {ticks, error, last}; in a capsule `last` is the input of the tick that failed

A **segment** is a sequence of ticks that are determined by its initial state and the inputs. The first one starts with
the game itself and needs no snapshot. If something else changes the state (a reload, a loaded game, a rewind), a new
segment starts with a full snapshot. The **hash** at tick `t` is that of the state after `t` ticks, the first 64 bits of
`world.hash()`: one for every tick, or for every 60th if the state is larger than a megabyte. Every 60 ticks the
**parts** are hashed separately, 32 bits for each column and resource, so that a divergence can be traced to its
column. Names of parts are written only if they differ from those of the previous `C` block of the segment.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import InputRecord, RishError
from rish_core.loop import NOTHING

from .blocks import Block, RecordingError, read_blocks
from .origin import Origin

HEADER, SEGMENT, TICKS, PARTS, LOG, END = b"H", b"S", b"T", b"C", b"L", b"E"
HASH_SIZE = 8
"""The size of a hash in a recording, in bytes."""
NO_HASHES = 0xFFFFFFFF
"""A hash interval that is longer than every recording, so that no tick has a hash."""
_TO_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_LENGTH = struct.Struct("<I")
_TICKS = struct.Struct("<QII")
_PARTS = struct.Struct("<QI")
_UNREADABLE = (ValueError, LookupError, TypeError, struct.error, RecursionError, AttributeError, OverflowError)

Parts = dict[str, int]
"""The first 32 bits of the hash of each part of a state, by name."""


@dataclass
class Segment:
    """A sequence of ticks that are determined by its initial state and the inputs.

    tick: the first tick. snapshot: bytes of a `Snapshot`, or None if it starts with a new game. reason: why it starts.
    end: the tick after the last one. inputs: the inputs that have events, by tick. hashes, parts: by tick.
    """

    tick: int
    reason: str = ""
    snapshot: bytes | None = None
    end: int = 0
    inputs: dict[int, InputRecord] = field(default_factory=dict[int, InputRecord])
    hashes: dict[int, bytes] = field(default_factory=dict[int, bytes])
    parts: dict[int, Parts] = field(default_factory=dict[int, Parts])

    def __len__(self) -> int:
        """The number of its ticks."""
        return self.end - self.tick

    def input(self, tick: int) -> InputRecord:
        """Return the input of the tick from `tick` to `tick + 1`."""
        return self.inputs.get(tick, NOTHING)


@dataclass
class Recording:
    """The content of a recording file.

    cut: why it ends early, "" if it is complete. error: the error that ended the game, "" for none. crashed: whether
    the last segment has the input of a failed tick after its last tick. log: the end of the log, in a capsule.
    """

    origin: Origin
    segments: list[Segment] = field(default_factory=list[Segment])
    cut: str = ""
    error: str = ""
    crashed: bool = False
    log: str = ""

    @property
    def ticks(self) -> int:
        """The number of recorded ticks in all segments."""
        return sum(len(segment) for segment in self.segments)


def short_hash(world: Any) -> bytes:
    """Return the first 64 bits of a world's hash."""
    return bytes.fromhex(world.hash()[: 2 * HASH_SIZE])


def parts_of(world: Any) -> Parts:
    """Return the first 32 bits of the hash of each part of a world's state."""
    return {name: int(digest[:8], 16) for name, digest in world.hashes().items()}


# Writing


def pack_json(value: Any) -> bytes:
    """Return the compact JSON form of the blocks."""
    return _TO_JSON(value).encode()


def pack_segment(tick: int, reason: str, snapshot: bytes | None) -> bytes:
    """Return the payload of an `S` block."""
    head = pack_json({"tick": tick, "reason": reason})
    return _LENGTH.pack(len(head)) + head + (snapshot or b"")


def pack_ticks(first: int, count: int, every: int, hashes: bytes, inputs: dict[int, InputRecord]) -> bytes:
    """Return the payload of a `T` block.

    inputs: by tick. hashes: the hashes of the ticks in `hashed_ticks`, in order.
    """
    inputs_by_offset = {str(tick - first): record.to_plain() for tick, record in inputs.items()}
    return _TICKS.pack(first, count, every) + hashes + (pack_json(inputs_by_offset) if inputs_by_offset else b"")


def hashed_ticks(first: int, count: int, every: int) -> range:
    """Return the ticks of a `T` block that have a hash: the multiples of `every` from first + 1 to first + count."""
    return range(-(-(first + 1) // every) * every, first + count + 1, every)


def pack_parts(tick: int, parts: Parts, names: list[str] | None) -> bytes:
    """Return the payload of a `C` block. names: of the parts, or None if they equal those of the previous block."""
    packed_names = pack_json(names) if names is not None else b""
    return _PARTS.pack(tick, len(packed_names)) + packed_names + np.array(list(parts.values()), "<u4").tobytes()


# Reading


def read_recording(path: Path) -> Recording:
    """Read a recording up to its first damaged block. Raises RecordingError if there is nothing to play."""
    file = read_blocks(path)
    if not file.blocks or file.blocks[0].kind != HEADER:
        raise RecordingError(f"{path} holds no recording: {file.cut or 'it has no header'}")
    try:
        recording = Recording(Origin.from_plain(json.loads(file.blocks[0].payload)), cut=file.cut)
    except _UNREADABLE as error:
        raise RecordingError(f"{path} is no recording that can be read: {error}") from None
    ended = False
    for number, block in enumerate(file.blocks[1:], 1):
        try:
            ended = _take(recording, block) or ended
        except (*_UNREADABLE, RishError) as error:
            recording.cut = f"block {number} can't be read: {error}"
            break
    if not recording.segments:
        raise RecordingError(f"{path} holds no ticks: {recording.cut or 'it has no segment'}")
    if not ended and not recording.cut:
        recording.cut = "it has no end block"
    return recording


def _take(recording: Recording, block: Block) -> bool:
    """Add a block to the recording; return True if it is the end block."""
    data = block.payload
    if block.kind == SEGMENT:
        (size,) = _LENGTH.unpack_from(data)
        head = json.loads(data[_LENGTH.size : _LENGTH.size + size])
        snapshot = data[_LENGTH.size + size :]
        tick = int(head["tick"])
        recording.segments.append(Segment(tick, str(head["reason"]), snapshot or None, tick))
    elif block.kind == TICKS:
        _take_ticks(recording.segments[-1], data)
    elif block.kind == PARTS:
        _take_parts(recording.segments[-1], data)
    elif block.kind == LOG:
        recording.log = data.decode(errors="replace")
    elif block.kind == END:
        end = json.loads(data)
        error, last = str(end["error"]), end["last"]
        if last is not None:
            recording.segments[-1].inputs[recording.segments[-1].end] = InputRecord.from_plain(last)
        recording.error, recording.crashed = error, last is not None
        return True
    return False


def _take_ticks(segment: Segment, data: bytes) -> None:
    """Add the ticks of a `T` block to a segment. Raises ValueError without changing it."""
    first, count, every = _TICKS.unpack_from(data)
    if first != segment.end or not every:
        raise ValueError(f"ticks {first} follow on tick {segment.end}")
    ticks = hashed_ticks(first, count, every)
    position = _TICKS.size + len(ticks) * HASH_SIZE
    if position > len(data):
        raise ValueError("hashes are missing")
    events_by_offset: dict[str, Any] = json.loads(data[position:]) if position < len(data) else {}
    inputs = {first + int(offset): InputRecord.from_plain(events) for offset, events in events_by_offset.items()}
    for number, tick in enumerate(ticks):
        start = _TICKS.size + number * HASH_SIZE
        segment.hashes[tick] = data[start : start + HASH_SIZE]
    segment.inputs |= inputs
    segment.end = first + count


def _take_parts(segment: Segment, data: bytes) -> None:
    """Add the hashes of a `C` block to a segment."""
    tick, size = _PARTS.unpack_from(data)
    numbers = np.frombuffer(data[_PARTS.size + size :], "<u4").tolist()
    names = json.loads(data[_PARTS.size : _PARTS.size + size]) if size else list(next(reversed(segment.parts.values())))
    segment.parts[tick] = dict(zip(names, numbers, strict=True))
