"""Keyframes: compressed snapshots, for a rewind over minutes.

Two states half a second apart are nearly the same. So a snapshot is converted to one array of bytes, in a fixed order
of tables and columns, and stored as the difference (exclusive or) to the previous one, which is mostly zeros and is
compressed. The first keyframe of each group is stored completely, so that only a few differences are needed to restore
one. Data outside columns (resources, cursors) is stored as bytes that are compressed with the previous ones as the
dictionary.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_core import Snapshot
from rish_ecs.snapshots import QueueState, TableState

Flat = NDArray[np.uint8]
_LEVEL = 1
_GROUP, _GROUP_LARGE = 16, 8
"""The number of keyframes from one base to the next; _GROUP_LARGE applies to keyframes that take long to unpack."""
_LARGE = 100_000
"""The size of a snapshot, in bytes, from which _GROUP_LARGE applies."""
_ABOUT = 200
"""The approximate size of a keyframe's own fields, in bytes."""
_EMPTY: dict[str, Any] = {
    "generation": np.zeros(0, np.int64), "state": np.zeros(0, np.uint8), "free": np.zeros(0, np.int32),
}  # fmt: skip


@dataclass(frozen=True)
class _Layout:
    """The columns of a kind: (field, dtype, shape of a row, whether it has a pool). Shared by many keyframes."""

    schema: dict[str, str]
    fields: tuple[tuple[str, np.dtype[Any], tuple[int, ...], bool], ...]


@dataclass
class Keyframe:
    """A compressed snapshot.

    tick: of the state. base: whether it needs no other keyframe. reason: why it was taken outside the usual interval,
    or "". columns: the compressed bytes or differences. rest: the other compressed data. sizes: bytes of each chunk,
    decompressed. parts: length and layout of each table. texts: the number of texts of the world. hash: of the state,
    8 bytes.
    """

    tick: int
    base: bool
    reason: str
    columns: bytes
    rest: bytes
    sizes: tuple[int, ...]
    parts: tuple[tuple[str, str, int, _Layout], ...]
    texts: int
    hash: bytes = b""

    @property
    def nbytes(self) -> int:
        """The approximate size in bytes."""
        return len(self.columns) + len(self.rest) + _ABOUT


class Packer:
    """Compresses consecutive snapshots and decompresses them again."""

    def __init__(self) -> None:
        self._left = 0
        self._flat: Flat = np.zeros(0, np.uint8)
        self._sizes: tuple[int, ...] = ()
        self._parts: tuple[tuple[str, str, int, _Layout], ...] = ()
        self._rest = b""
        self._layouts: dict[tuple[str, str], _Layout] = {}

    def restart(self) -> None:
        """Make the next keyframe a base, because the previous one was removed."""
        self._left = 0

    def pack(self, snapshot: Snapshot, reason: str = "", digest: bytes = b"") -> Keyframe:
        """Compress a snapshot to the next keyframe."""
        chunks, parts = self._apart(snapshot)
        sizes = tuple(chunk.nbytes for chunk in chunks)
        base = self._left == 0
        self._left = (_GROUP if sum(sizes) < _LARGE else _GROUP_LARGE) - 1 if base else self._left - 1
        if sizes == self._sizes:
            sizes = self._sizes
        if parts == self._parts:
            parts = self._parts
        flat = _joined(chunks)
        rest = replace(snapshot, texts=[], entities=_EMPTY, tables={}, columns={}, queues={}).to_bytes()
        columns = flat if base else _xor(flat, sizes, self._flat, self._sizes)
        made = Keyframe(
            snapshot.tick, base, reason, zlib.compress(columns.data, _LEVEL), _packed(rest, b"" if base else
            self._rest), sizes, parts, len(snapshot.texts), digest,
        )  # fmt: skip
        self._flat, self._sizes, self._parts, self._rest = flat, sizes, parts, rest
        return made

    def unpack(self, chain: list[Keyframe], texts: list[str]) -> Snapshot:
        """Return the snapshot of the last keyframe of a chain that starts with a base. texts: all of the world's."""
        flat, rest, before = np.zeros(0, np.uint8), b"", ()
        for frame in chain:
            columns = np.frombuffer(zlib.decompress(frame.columns), np.uint8)
            flat = columns if frame.base else _xor(columns, frame.sizes, flat, before)
            rest = _unpacked(frame.rest, b"" if frame.base else rest)
            before = frame.sizes
        last = chain[-1]
        return self._together(last, flat, Snapshot.from_bytes(rest), texts[: last.texts])

    # Conversion of snapshots to arrays of bytes and back

    def _apart(self, snapshot: Snapshot) -> tuple[list[NDArray[Any]], tuple[tuple[str, str, int, _Layout], ...]]:
        """Return all arrays in a fixed order, and the table, length and layout of each part."""
        entities = snapshot.entities
        chunks: list[NDArray[Any]] = [entities["generation"], entities["state"], entities["free"]]
        parts: list[tuple[str, str, int, _Layout]] = []
        for what, states in (("t", snapshot.tables), ("c", snapshot.columns)):
            for key, state in states.items():
                parts.append((what, key, state.length, self._layout(key, state)))
                if what == "t":
                    assert state.handles is not None
                    assert state.added_at is not None
                    chunks += [state.handles, state.added_at]
                chunks += _columns_of(state)
        for key, queue in snapshot.queues.items():
            parts.append(("q", key, queue.rows.length, self._layout(key, queue.rows)))
            chunks += [np.array([queue.base, queue.tick_start], np.int64), *_columns_of(queue.rows)]
        return chunks, tuple(parts)

    def _layout(self, key: str, state: TableState) -> _Layout:
        mark = (key, str(state.schema))
        found = self._layouts.get(mark)
        if found is None:
            fields: list[tuple[str, np.dtype[Any], tuple[int, ...], bool]] = []
            for name, value in state.fields.items():
                pooled = isinstance(value, tuple)
                array = value[1] if pooled else value
                fields.append((name, array.dtype, array.shape[1:], pooled))
            found = self._layouts[mark] = _Layout(state.schema, tuple(fields))
        return found

    def _together(self, frame: Keyframe, flat: Flat, rest: Snapshot, texts: list[str]) -> Snapshot:
        chunks = _cut(flat, frame.sizes)
        rest.texts = list(texts)
        rest.entities = {
            "generation": next(chunks).view(np.int64), "state": next(chunks), "free": next(chunks).view(np.int32),
        }  # fmt: skip
        for what, key, length, layout in frame.parts:
            if what == "q":
                base, start = next(chunks).view(np.int64).tolist()
                rest.queues[key] = QueueState(_rows(chunks, length, layout), base, start)
                continue
            handles = next(chunks).view(np.int64) if what == "t" else None
            added_at = next(chunks).view(np.int64) if what == "t" else None
            state = _rows(chunks, length, layout)
            state.handles, state.added_at = handles, added_at
            (rest.tables if what == "t" else rest.columns)[key] = state
        return rest


def _columns_of(state: TableState) -> list[NDArray[Any]]:
    found: list[NDArray[Any]] = []
    for value in state.fields.values():
        found += value if isinstance(value, tuple) else (value,)
    return found


def _rows(chunks: Iterator[Flat], length: int, layout: _Layout) -> TableState:
    """Read the columns of a table from the chunks."""
    fields: dict[str, Any] = {}
    for name, dtype, shape, pooled in layout.fields:
        lengths = next(chunks).view(np.int32) if pooled else None
        values = next(chunks).view(dtype).reshape(-1, *shape)
        fields[name] = values if lengths is None else (lengths, values)
    return TableState(layout.schema, length, fields)


def _cut(flat: Flat, sizes: tuple[int, ...]) -> Iterator[Flat]:
    at = 0
    for size in sizes:
        yield flat[at : at + size].copy()  # copied, so that it is aligned for its dtype
        at += size


def _joined(chunks: list[NDArray[Any]]) -> Flat:
    return np.frombuffer(b"".join([np.ascontiguousarray(chunk).data for chunk in chunks if chunk.nbytes]), np.uint8)


def _xor(flat: Flat, sizes: tuple[int, ...], other: Flat, others: tuple[int, ...]) -> Flat:
    """Return the exclusive or of every chunk of `flat` with the same chunk of `other`; it is its own inverse."""
    if sizes is others or sizes == others:
        return flat ^ other
    made = flat.copy()
    at = there = 0
    for k, size in enumerate(sizes):
        if k >= len(others):
            break
        same = min(size, others[k])
        made[at : at + same] ^= other[there : there + same]
        at += size
        there += others[k]
    return made


def _packed(data: bytes, known: bytes) -> bytes:
    packing = zlib.compressobj(6, zdict=known) if known else zlib.compressobj(6)
    return packing.compress(data) + packing.flush()


def _unpacked(data: bytes, known: bytes) -> bytes:
    unpacking = zlib.decompressobj(zdict=known) if known else zlib.decompressobj()
    return unpacking.decompress(data) + unpacking.flush()
