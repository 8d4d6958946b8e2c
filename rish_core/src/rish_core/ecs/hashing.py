"""The hash of a world: equal for equal state, on every machine and in every process.

Text is hashed as text, pools by content, dicts by sorted keys; what is transient, derived or only for the eye
does not count. Every part has a digest of its own, so that two worlds that differ can be told where.

A recorder takes a hash every tick, so it has to be quick. All columns are joined into one run of bytes and digested
in one pass (`digests.py`); which columns there are is remembered until a table changes its length. Resources are
hashed by content in a form that does not depend on the order of dicts, which is slow in Python; so the form is kept,
and made anew only where the fields are not what they were, which a look at their bytes tells quickly.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DeclarationError
from .columns import Column
from .digests import digest_parts
from .plain_bytes import FieldBytes, plain_bytes
from .resource import resource_spec
from .table import Columns, Table

if TYPE_CHECKING:
    from .world import World

_SIZE = 16
_PADDING = tuple(bytes(-size & 7) for size in range(8))
_NO_TEXT = b"\xff\xff\xff\xff"
"""What brings a run of bytes, or of numbers of texts, to whole words of 8."""


def world_hash(world: World) -> str:
    """32 hex digits over all parts."""
    return _hasher(world).total()


def part_hashes(world: World) -> dict[str, str]:
    """The digest of each part, by name, sorted: `entities`, `time`, and `table.field` for every column."""
    return _hasher(world).parts()


def _hasher(world: World) -> Hasher:
    found: Hasher | None = world.__dict__.get("_hasher")
    if found is None:
        found = world.__dict__["_hasher"] = Hasher(world)
    return found


class _Run:
    """Parts in a row: their names, which are text, the chunks of bytes with padding, and the words of each part."""

    __slots__ = ("chunks", "names", "text", "words")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.text: list[int] = []
        self.chunks: list[Any] = []
        self.words: list[int] = []

    def add(self, name: str, data: Column | bytes, text: bool = False) -> None:
        """One more part."""
        size = len(data) if isinstance(data, bytes) else data.nbytes
        self.names.append(name)
        self.text.append(text)
        self.chunks.append(data)
        if size & 7:
            self.chunks.append(_NO_TEXT if text else _PADDING[size & 7])
        self.words.append((size + 7) >> 3)

    def extend(self, other: _Run) -> None:
        """The parts of another run as well."""
        self.names += other.names
        self.text += other.text
        self.chunks += other.chunks
        self.words += other.words


class _TableRun(_Run):
    """The parts of a table, as long as its rows stay where they are. pooled: names of the columns with pools."""

    __slots__ = ("pooled",)

    def __init__(self, columns: Columns) -> None:
        super().__init__()
        self.pooled: list[str] = []
        key = columns.schema.key
        if isinstance(columns, Table):
            self.add(f"{key}:entities", columns.entities)
        for name, spec in columns.schema.fields.items():
            if spec.transient or spec.view:
                continue
            if spec.type.pooled:
                self.pooled.append(name)
            else:
                self.add(f"{key}.{name}", columns.flat(name), spec.type.text)


class Hasher:
    """What is remembered of a world from hash to hash; nothing of it decides what the hash is."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._runs: list[_TableRun] = []
        self._tables = _Run()
        self._pooled: list[tuple[str, Columns, str]] = []
        self._pools: dict[str, tuple[bytes, bytes]] = {}
        self._fields: dict[type, FieldBytes] = {}
        self._classes: list[type] | None = None
        self._counting: list[tuple[type, FieldBytes]] = []
        self._resource_names: list[str] = []
        self._cursor_keys: list[Any] | None = None
        self._cursor_order: list[Any] = []
        self._readers, self._adds = b"", False
        self._laid_out: tuple[_Run, _Run] = (_Run(), _Run())
        self._listed: list[str] = []
        self._names: list[str] = []
        self._secret = b""
        self._arrays: tuple[Column, Column, Column] = (
            np.zeros(1, np.int64),
            np.zeros(0, np.int64),
            np.zeros(0, np.uint8),
        )
        self._out: Column = np.zeros(2, np.uint64)

    def total(self) -> str:
        """32 hex digits over all parts, in the order of their names, and over the names."""
        self._digest()
        return hashlib.blake2b(self._out[-2:].tobytes(), key=self._secret, digest_size=_SIZE).hexdigest()

    def parts(self) -> dict[str, str]:
        """32 hex digits for each part, by name, sorted."""
        self._digest()
        said = self._out.tobytes().hex()
        return {name: said[32 * k : 32 * k + 32] for k, name in enumerate(self._names)}

    # From parts to digests

    def _digest(self) -> None:
        """Write the digests of all parts, sorted by name, and the one over all into `_out`."""
        others = self._gather()
        tables, before = self._laid_out
        if self._tables is not tables or others.words != before.words or others.names != before.names:
            self._lay_out(others)
        words: Column = np.frombuffer(b"".join(self._tables.chunks + others.chunks), np.uint64)
        starts, ranks, text = self._arrays
        digest_parts(words, starts, ranks, text, self.world.texts.all_digests(), self._out)

    def _lay_out(self, others: _Run) -> None:
        """Note where each part begins, and where there are other parts than before, the order of their names."""
        tables = self._tables
        self._laid_out = (tables, others)
        listed = tables.names + others.names
        _, ranks, text = self._arrays
        if listed != self._listed:
            self._listed = listed
            order = sorted(range(len(listed)), key=listed.__getitem__)
            self._names = [listed[k] for k in order]
            self._secret = hashlib.blake2b("\n".join(self._names).encode(), digest_size=_SIZE).digest()
            self._out = np.zeros(2 * len(listed) + 2, np.uint64)
            ranks, text = np.zeros(len(listed), np.int64), np.array(tables.text + others.text, np.uint8)
            ranks[order] = np.arange(len(listed))
        starts = np.zeros(len(listed) + 1, np.int64)
        np.cumsum(tables.words + others.words, out=starts[1:])
        self._arrays = (starts, ranks, text)

    # From the world to parts

    def _gather(self) -> _Run:
        """The parts that are not columns; those are in `_tables` then."""
        world, run = self.world, _Run()
        self._columns()
        entities = world.entities
        used = entities.used
        counts = entities.generation[:used].tobytes() + entities.state[:used].tobytes() + entities.free.tobytes()
        run.add("entities", counts)
        run.add("time", world.tick.to_bytes(8, "little"))
        self._cursors(run)
        for name, columns, field in self._pooled:
            run.add(name, self._pool(name, columns, field))
        for queue in world.queues.values():
            if queue.end:
                key = queue.kind.key
                run.add(f"{key}:numbers", np.array([queue.base, queue.tick_start, queue.end], np.int64))
                events = _run_of(queue.columns)
                run.extend(events)
                for field in events.pooled:
                    run.add(f"{key}.{field}", self._pool(f"{key}.{field}", queue.columns, field))
        self._resources(run)
        return run

    def _columns(self) -> None:
        """The parts of all tables that have rows; the same run as before where no table changed its length."""
        world = self.world
        tables = [*[t for t in world.tables.values() if t.used], *[c for c in world.columns.values() if c.used]]
        runs = [_run_of(table) for table in tables]
        if runs != self._runs:  # lists compare by identity first, and runs know no other equality
            self._runs = runs
            self._tables = _Run()
            for run in runs:
                self._tables.extend(run)
            pairs = zip(tables, runs, strict=True)
            self._pooled = [(f"{t.schema.key}.{name}", t, name) for t, run in pairs for name in run.pooled]

    def _pool(self, name: str, columns: Columns, field: str) -> bytes:
        """The lengths of the rows and their items, by content."""
        spans, pool = columns.column(field), columns.pool_of(field)
        seen = spans.tobytes() + pool.items[: pool.used].tobytes()
        known = self._pools.get(name)
        if known is not None and known[0] == seen:
            return known[1]
        items = pool.gather(spans)
        if columns.schema.fields[field].type.text:
            items = columns.texts.digests(items)
        made = spans[:, 1].tobytes() + np.ascontiguousarray(items).tobytes()
        self._pools[name] = (seen, made)
        return made

    def _resources(self, run: _Run) -> None:
        """Each resource that counts."""
        resources = self.world.resources
        classes = list(resources)
        if classes != self._classes:
            self._classes = classes
            made = [self._fields.get(cls) or FieldBytes(resource_spec(cls)) for cls in classes]
            self._fields = dict(zip(classes, made, strict=True))  # no more than there are: classes may be loaded anew
            self._counting = [(cls, found) for cls, found in zip(classes, made, strict=True) if found.counts]
            self._resource_names = [f"{found.key}:resource" for _, found in self._counting]
        chunks: list[bytes] = []
        for cls, found in self._counting:
            try:
                chunks.append(found.of(resources[cls]))
            except DeclarationError as error:
                raise DeclarationError(error.what, where=found.key, hint=error.hint) from None
        run.names += self._resource_names
        run.text += [0] * len(chunks)
        run.chunks += chunks
        run.words += [len(chunk) >> 3 for chunk in chunks]

    def _cursors(self, run: _Run) -> None:
        """How far readers have read, and what they have not."""
        readers = self.world.changes.tick
        cursors = readers.cursors
        keys = list(cursors)
        if keys != self._cursor_keys:
            self._cursor_keys, self._cursor_order = keys, sorted(keys)
            self._readers = plain_bytes(self._cursor_order)
            self._adds = any(what == "added" for what, _, _ in keys)
        run.add("cursors", np.array([cursors[key] for key in self._cursor_order], np.int64))
        run.add("cursors:readers", self._readers)
        if readers.logs:
            run.add("cursors:logs", plain_bytes([readers.logs, readers.log_start]))
        if self._adds:
            run.add("cursors:sequence", self.world.changes.sequence.to_bytes(8, "little"))
            for table in self.world.tables.values():
                if len(table):
                    run.add(f"cursors:{table.schema.key}", table.added_at[: len(table)])


def _run_of(columns: Columns) -> _TableRun:
    """The parts of a table; made anew after its length or its declaration has changed."""
    state = columns.__dict__
    found: _TableRun | None = state.get("_hashed")
    if found is None:
        found = state["_hashed"] = _TableRun(columns)
    return found
