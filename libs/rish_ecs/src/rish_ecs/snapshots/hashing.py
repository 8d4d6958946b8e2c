"""The hash of a world, which is equal for equal state on all machines and in all processes.

Texts are hashed by content, not by number, pools by content, dicts by sorted keys. Transient, derived and view data are
not included, nor the rows, events, readers and removals of a kind that is view as a whole. Each part has its own
digest, so that the differing parts of two worlds can be named.

All parts are digested in one pass (`digests.py`). The memory addresses of the columns are cached until tables change
their length, so no Python code runs for each column.
"""

from __future__ import annotations

import hashlib
import struct
from operator import is_
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..declarations.columns import Column
from ..declarations.component import Kind, kind_of
from ..storage.events import EventQueue
from ..storage.table import Columns, Table
from ..storage.text import Pool
from .digests import ITEMS, LENGTHS, MORE, TEXT, Rest, Rows, digest_parts
from .plain_bytes import ResourceBytes, plain_bytes

if TYPE_CHECKING:
    from ..storage.store import Store

_SIZE = 16
_PADDING = tuple(bytes(-size & 7) for size in range(8))
_NO_TEXT = b"\xff\xff\xff\xff"
"""Padding to complete words of 8 bytes: _PADDING after bytes, _NO_TEXT after numbers of texts."""
_NUMBERS = struct.Struct("<3q").pack
_TIME = struct.Struct("<q").pack
_KEPT = 64
"""The number of sets of names that are cached."""


class _Layout:
    """The parts of a kind: fields, then pooled ones. text: TEXT or 0 for each. silent: the parts without rows."""

    __slots__ = ("fields", "kind", "names", "pooled", "silent", "text")

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        counting = {name: spec.type for name, spec in kind.fields.items() if not (spec.transient or spec.view)}
        self.fields = [name for name, column in counting.items() if not column.pooled]
        self.pooled = [name for name, column in counting.items() if column.pooled]
        whole = [*self.fields, *self.pooled]
        self.names = [f"{kind.key}.{name}" for name in whole]
        self.text = [TEXT if counting[name].text else 0 for name in whole]
        self.silent = _Others()
        for name in self.names:
            self.silent.add(name, b"")


class _Place:
    """The memory addresses of a table's parts, valid while `holds` returns True.

    names: of the parts. arrays, addresses, widths, kinds: of the rows of the parts, see `digests.Rows`. rooms: for each
    row the number of items; 0: the number of rows of the table. added: whether the first part is `added_at`.
    """

    __slots__ = ("added", "addresses", "arrays", "data", "kind", "kinds", "names", "pools", "rooms", "widths")

    def __init__(self, columns: Columns) -> None:
        layout, state = _Layout(columns.schema), columns.__dict__
        plain = len(layout.fields)
        self.kind, self.data = layout.kind, state["_data"]
        self.names, self.kinds = layout.names, layout.text[:plain]
        self.arrays: list[Column] = [state["_data"][name] for name in layout.fields]
        self.added = isinstance(columns, Table)
        if isinstance(columns, Table):
            key = layout.kind.key
            self.names = [f"cursors:{key}", f"{key}:entities", *self.names]
            self.kinds = [0, 0, *self.kinds]
            self.arrays = [state["added_at"], state["_handles"], *self.arrays]
        self.widths = [array.nbytes // columns.room for array in self.arrays]
        self.rooms = [0] * len(self.arrays)
        self.pools = [(columns.pool_of(name), columns.pool_of(name).items) for name in layout.pooled]
        for k, (name, (_, items)) in enumerate(zip(layout.pooled, self.pools, strict=True)):
            spans = state["_data"][name]
            self.arrays += [spans, spans, items]
            self.kinds += [LENGTHS, ITEMS | layout.text[plain + k], 0]
            self.widths += [8, 8, items.nbytes // len(items)]
            self.rooms += [0, 0, len(items)]
        self.addresses = [address_of(array) for array in self.arrays]

    def holds(self, columns: Columns) -> bool:
        """Whether the table's declaration, arrays and pools are still the same objects."""
        return (
            columns.__dict__["_data"] is self.data
            and columns.schema is self.kind
            and all(pool.items is items for pool, items in self.pools)
        )


class _Others:
    """Parts that are not columns of tables: their names, kinds, and bytes padded to words of 8."""

    __slots__ = ("chunks", "kinds", "names")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.kinds: list[int] = []
        self.chunks: list[bytes] = []

    def add(self, name: str, data: bytes, kind: int = 0) -> None:
        """Add a part."""
        self.names.append(name)
        self.kinds.append(kind)
        self.chunks.append(data + (_NO_TEXT if kind & TEXT else _PADDING[len(data) & 7]) if len(data) & 7 else data)

    def extend(self, more: _Others) -> None:
        """Add the parts of another object."""
        self.names += more.names
        self.kinds += more.kinds
        self.chunks += more.chunks


class _Naming:
    """The data that depends on the names of all parts: their order, a hash of the names, and the output array."""

    __slots__ = ("names", "out", "ranks", "secret")

    def __init__(self, names: tuple[str, ...]) -> None:
        order = sorted(range(len(names)), key=names.__getitem__)
        self.names = [names[k] for k in order]
        self.secret = hashlib.blake2b("\n".join(self.names).encode(), digest_size=_SIZE).digest()
        self.out = np.zeros(2 * len(names) + 2, np.uint64)
        self.ranks = np.zeros(len(names), np.int64)
        self.ranks[order] = np.arange(len(names))


class Hasher:
    """Computes the hash of a world, with caches that save time between hashes; the hash does not depend on them."""

    def __init__(self, world: Store) -> None:
        self.world = world
        # Entities and tables: the last versions, and the parts of the tables with rows
        self._seen: tuple[Any, ...] = ()
        self._places: dict[Columns, _Place] = {}
        self._pools: list[tuple[Pool, Column]] = []
        self._filled: list[Any] = []
        self._added = False
        self._table_names: list[str] = []
        self._rows = Rows(*[np.zeros(0, np.int64)] * 6)
        # Other parts
        self._layouts: dict[str, _Layout] = {}
        self._silent: _Others | None = None
        self._resources = ResourceBytes()
        self._cursors: dict[Any, int] | None = None
        self._unseen: set[str] = set()
        self._read = _Others()
        self._adds = False
        self._groups: tuple[Any, ...] = (None, None, None)
        self._names: list[str] = []
        self._kinds: list[int] = []
        self._lengths: list[int] = []
        self._rest = Rest(*[np.zeros(0, np.uint64)] * 3)
        self._bytes = memoryview(b"")
        # Names
        self._namings: dict[tuple[str, ...], _Naming] = {}
        self._naming: Any = None

    @staticmethod
    def of(world: Store) -> Hasher:
        """Return the hasher of a world, which has one from its first hash on."""
        if world.hasher is None:
            world.hasher = Hasher(world)
        return world.hasher

    def total(self) -> str:
        """Return 32 hex digits of all parts, in the order of their names, and of the names."""
        digest = self._digest()
        return hashlib.blake2b(digest.out[-2:].tobytes(), key=digest.secret, digest_size=_SIZE).hexdigest()

    def parts(self) -> dict[str, str]:
        """Return 32 hex digits for each part, sorted by name: `entities`, `time`, `table.field` and others."""
        digest = self._digest()
        hexadecimal = digest.out.tobytes().hex()
        return {name: hexadecimal[32 * k : 32 * k + 32] for k, name in enumerate(digest.names)}

    # From parts to digests

    def _digest(self) -> _Naming:
        """Compute the digests of all parts, sorted by name, and of all together; they are in `out` of the result."""
        chunks = self._gather()
        lengths = [*map(len, chunks)]
        if lengths != self._lengths:
            self._lengths = lengths
            starts = np.zeros(len(lengths) + 1, np.int64)
            np.cumsum(np.array(lengths, np.int64) >> 3, out=starts[1:])
            self._rest = Rest(np.zeros(starts[-1], np.uint64), starts, np.array(self._kinds, np.uint8))
            self._bytes = memoryview(cast("Any", self._rest.words)).cast("B")
        if self._naming is None:
            self._naming = self._name()
            self._rows = self._rows._replace(ranks=self._naming.ranks)
        self._bytes[:] = b"".join(chunks)
        digest_parts(self._rows, self._rest, self.world.texts.all_digests(), self._naming.out)
        return self._naming

    def _name(self) -> _Naming:
        """Return the `_Naming` for the current names of all parts; cached."""
        names = (*self._table_names, *self._names)
        naming = self._namings.get(names)
        if naming is None:
            if len(self._namings) == _KEPT:
                self._namings.clear()
            naming = self._namings[names] = _Naming(names)
        return naming

    # From the world to parts

    def _gather(self) -> list[bytes]:
        """Return the bytes of the parts that are not columns, in the order of `_names`; update `_rows` for columns."""
        world = self.world
        read = self._look_at_cursors()
        memberships = tuple([columns.membership for columns in world.columns.values()])
        seen = (world.membership, world.bus.version, self._adds, *memberships)
        # writing a value may replace the array of a pool
        if seen != self._seen or any(pool.items is not items for pool, items in self._pools):
            self._seen, self._silent = seen, None
            self._look()
        events, resources = self._look_at_events(), self._resources.of(world.resources, world.view_owners)
        groups = (read, events, self._resources.names)
        if not all(map(is_, groups, self._groups)):
            self._groups = groups
            names = ["time", *read.names, *events.names, *self._resources.names]
            kinds = [0, *read.kinds, *events.kinds, *[0] * len(resources)]
            if names != self._names or kinds != self._kinds:
                self._names, self._kinds, self._naming, self._lengths = names, kinds, None, []
        return [_TIME(world.tick), *read.chunks, *events.chunks, *resources]

    def _look(self) -> None:
        """Update the addresses and row counts of the entities and of the tables with rows."""
        entities = self.world.entities
        every = [
            t for t in (*self.world.tables.values(), *self.world.columns.values()) if not self.world.is_view(t.schema)
        ]
        used = [table.used for table in every]
        before, self._places = self._places, dict[Columns, _Place]()
        for table in filter(len, every):
            known = before.get(table)
            self._places[table] = known if known is not None and known.holds(table) else _Place(table)
        filled: list[Any] = [self._places.get(table) for table in every]
        filled += entities.arrays
        if self._adds != self._added or len(filled) != len(self._filled) or not all(map(is_, filled, self._filled)):
            self._filled, self._added, self._naming = filled, self._adds, None
            self._pools = [pool for place in self._places.values() for pool in place.pools]
            self._find()
        self._rows.counts[: len(used) + 2] = [*used, entities.used, len(entities.free)]

    def _find(self) -> None:
        """Build `_rows` from the addresses of all parts."""
        *places, generation, state, free = self._filled
        slots = len(places)
        self._table_names = ["entities"]
        rows = [(address_of(array), array.itemsize, slots, MORE) for array in (generation, state)]
        rows.append((address_of(free), free.itemsize, slots + 1, 0))
        rooms: list[int] = []
        for k, place in enumerate(places):
            if place is not None:
                skip = int(place.added and not self._adds)
                self._table_names += place.names[skip:]
                for address, width, kind, room in list(
                    zip(place.addresses, place.widths, place.kinds, place.rooms, strict=True)
                )[skip:]:
                    rows.append((address, width, slots + 2 + len(rooms) if room else k, kind))
                    rooms += [room] if room else []
        addresses, widths, owners, kinds = np.array(rows, np.int64).T.copy()
        counts = np.array([0] * (slots + 2) + rooms, np.int64)
        self._rows = Rows(addresses, widths, owners, kinds.astype(np.uint8), counts, self._rows.ranks)

    def _look_at_events(self) -> _Others:
        """Return the events that can still be read, and their numbers."""
        silent = self._silent
        if silent is None:
            silent, quiet = _Others(), True
            for queue in self.world.queues.values():
                if queue.end and not self.world.is_view(queue.kind):
                    quiet &= not queue.columns.used
                    self._add_queue(silent, queue)
            self._silent = silent if quiet else None
        return silent

    def _add_queue(self, others: _Others, queue: EventQueue) -> None:
        kind, columns = queue.kind, queue.columns
        layout = self._layouts.get(kind.key)
        if layout is None or layout.kind is not kind:
            layout = self._layouts[kind.key] = _Layout(kind)
        others.add(f"{kind.key}:numbers", _NUMBERS(queue.base, queue.tick_start, queue.end))
        if not columns.used:
            others.extend(layout.silent)
            return
        plain = len(layout.fields)
        for name, field, text in zip(layout.names, layout.fields, layout.text, strict=False):
            others.add(name, columns.flat(field).tobytes(), text)
        for name, field, text in zip(layout.names[plain:], layout.pooled, layout.text[plain:], strict=True):
            spans = columns.column(field)
            items = columns.pool_of(field).gather(spans)
            hashed = columns.texts.digests(items) if text else items
            others.add(name, spans[:, 1].astype(np.int64).tobytes() + hashed.tobytes())

    def _is_state(self, what: str, reader: str, key: str) -> bool:
        return key not in self._unseen and reader.partition(".")[0] not in self.world.view_owners

    def _look_at_cursors(self) -> _Others:
        """Return the cursors of readers, and the logged changes that they have not read."""
        readers = self.world.changes.tick
        if readers.cursors != self._cursors:
            self._cursors = dict(readers.cursors)
            classes = (*self.world.tables, *self.world.queues)
            self._unseen = {kind.key for kind in map(kind_of, classes) if self.world.is_view(kind)}
            order = sorted(cursor for cursor in self._cursors if self._is_state(*cursor))
            self._adds = any(what == "added" for what, _, _ in order)
            self._read = _Others()
            self._read.add("cursors", np.array([self._cursors[key] for key in order], np.int64).tobytes())
            self._read.add("cursors:readers", plain_bytes(order))
        logs, starts = readers.logs, readers.log_start
        if not self._unseen.isdisjoint(logs):
            logs, starts = ({key: each[key] for key in each if key not in self._unseen} for each in (logs, starts))
        if not logs and not self._adds:
            return self._read
        read = _Others()
        read.extend(self._read)
        if logs:
            read.add("cursors:logs", plain_bytes([logs, starts]))
        if self._adds:
            read.add("cursors:sequence", _TIME(self.world.changes.sequence))
        return read


def address_of(array: Column) -> int:
    """Return the memory address of an array."""
    return array.__array_interface__["data"][0]
