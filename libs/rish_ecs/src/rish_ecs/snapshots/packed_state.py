"""Flat states: all columns of a World as one array of bytes, for those who take many states and compare them.

A `FlatReader` copies all columns at once, in a fixed order of tables and columns. The places of a table's columns in
memory are cached until it changes its length, so almost no Python code runs for each column. `unflattened` converts a
state to the `Snapshot` that the World would have given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from rish_jit.errors import DeclarationError

from ..declarations.columns import Column
from ..declarations.component import Kind
from ..declarations.resource import fields_of, resource_spec
from ..storage.store import Store
from ..storage.table import Columns, Table
from .data import QueueState, TableState
from .snapshot import Snapshot, capture_resources, view_parts

_EMPTY: dict[str, Any] = {
    "generation": np.zeros(0, np.int64), "state": np.zeros(0, np.uint8), "free": np.zeros(0, np.int32),
}  # fmt: skip
_COMPONENT, _TABLE, _EVENT = range(3)


@dataclass(frozen=True)
class _Layout:
    """The columns of a kind: (field, dtype, shape of a row, whether it has a pool). Shared by many states."""

    schema: dict[str, str]
    fields: tuple[tuple[str, np.dtype[Any], tuple[int, ...], bool], ...]


@dataclass(frozen=True)
class FlatPart:
    """A table in a flat state: what it is, its full name, the number of its rows, and its columns."""

    what: int
    key: str
    length: int
    layout: _Layout


@dataclass(frozen=True)
class FlatState:
    """The state of a World between two ticks.

    data: the bytes of all columns. sizes: of each column in bytes. parts: the tables. rest: everything else, as the
    bytes of a snapshot without columns and texts. texts: how many texts the World had.
    """

    data: bytes
    sizes: tuple[int, ...]
    parts: tuple[FlatPart, ...]
    rest: bytes
    texts: int


class _Place:
    """The columns of a table in memory, valid while the table has the same membership and declaration."""

    __slots__ = ("buffers", "kind", "layout", "membership", "part", "pooled", "sizes")

    def __init__(self, columns: Columns, what: int) -> None:
        self.membership, self.kind = columns.membership, columns.schema
        self.layout = _layout_of(columns.schema, what)
        self.part = FlatPart(what, columns.schema.key, columns.used, self.layout)
        arrays: list[Any] = []
        if what == _COMPONENT:
            assert isinstance(columns, Table)
            arrays += [columns.entities, columns.added_at[: columns.used]]
        self.pooled = any(pooled for *_, pooled in self.layout.fields)
        arrays += [] if self.pooled else [columns.flat(name) for name, *_ in self.layout.fields]
        self.buffers = [array.data for array in arrays]
        self.sizes = tuple([array.nbytes for array in arrays])


class FlatReader:
    """Reads flat states of a world."""

    def __init__(self, world: Store) -> None:
        self.world = world
        self._places: dict[Columns, _Place] = {}

    def read(self) -> FlatState:
        """Return the state of the world, between two ticks. Raises DeclarationError for a resource with no plain value.

        Like a snapshot, it contains neither transient nor derived fields.
        """
        world = self.world
        buffers: list[Any] = list(world.entities.capture().values())
        sizes: list[tuple[int, ...]] = [tuple([array.nbytes for array in buffers])]
        parts: list[FlatPart] = []
        before, self._places = self._places, dict[Columns, _Place]()
        for what, group in ((_COMPONENT, world.tables.values()), (_TABLE, world.columns.values())):
            for columns in group:
                if columns.used:
                    self._add(columns, before.get(columns), what, buffers, sizes, parts)
        for queue in world.queues.values():
            if queue.end:
                buffers.append(np.array([queue.base, queue.tick_start], np.int64))
                sizes.append((16,))
                self._add(queue.columns, before.get(queue.columns), _EVENT, buffers, sizes, parts)
        return FlatState(
            b"".join(buffers), tuple(chain.from_iterable(sizes)), tuple(parts), self._rest(), len(world.texts.texts)
        )

    def _add(
        self, columns: Columns, place: _Place | None, what: int, buffers: list[Any], sizes: list[tuple[int, ...]],
        parts: list[FlatPart],
    ) -> None:  # fmt: skip
        """Add the columns of a table. place: the one of the last state."""
        if place is None or place.membership != columns.membership or place.kind is not columns.schema:
            place = _Place(columns, what)
        self._places[columns] = place
        buffers += place.buffers
        sizes.append(place.sizes)
        parts.append(place.part)
        if place.pooled:
            arrays = list(_gathered(columns, place.layout))
            buffers += arrays
            sizes.append(tuple([array.nbytes for array in arrays]))

    def _rest(self) -> bytes:
        """Return everything but columns and texts; the values of resources need no copies, since they become bytes."""
        world = self.world
        specs = [(resource_spec(cls), instance) for cls, instance in world.resources.items()]
        resources = {spec.key: fields_of(held) for spec, held in specs if spec is not None and not spec.derived}
        changes, view = world.changes.save(), view_parts(world)
        try:
            return Snapshot(world.tick, [], _EMPTY, {}, {}, {}, resources, changes, view).to_bytes()
        except DeclarationError:
            capture_resources(world)  # it raises the same error, with its place
            raise


def unflattened(state: FlatState, texts: list[str]) -> Snapshot:
    """Return the snapshot that is equal to a flat state. texts: all of the world's, then or later."""
    chunks = _cut(np.frombuffer(state.data, np.uint8), state.sizes)
    snapshot = Snapshot.from_bytes(state.rest)
    snapshot.texts = texts[: state.texts]
    snapshot.entities = {name: next(chunks).view(array.dtype) for name, array in _EMPTY.items()}
    for part in state.parts:
        numbers = [next(chunks).view(np.int64) for _ in range((2, 0, 1)[part.what])]
        rows = _rows(chunks, part)
        if part.what == _COMPONENT:
            rows.handles, rows.added_at = numbers
            snapshot.tables[part.key] = rows
        elif part.what == _TABLE:
            snapshot.columns[part.key] = rows
        else:
            snapshot.queues[part.key] = QueueState(rows, *numbers[0].tolist())
    return snapshot


def _layout_of(kind: Kind, what: int) -> _Layout:
    fields = {name: spec.type for name, spec in kind.fields.items() if spec.saved or what == _EVENT}
    schema = {name: column.schema for name, column in fields.items()}
    return _Layout(
        schema, tuple([(name, column.dtype, column.shape, column.pooled) for name, column in fields.items()])
    )


def _gathered(columns: Columns, layout: _Layout) -> Iterator[Column]:
    """Return all columns; one with a pool is its lengths, and its items without gaps."""
    for name, *_, pooled in layout.fields:
        if pooled:
            spans = columns.column(name)
            yield np.ascontiguousarray(spans[:, 1])
            yield columns.pool_of(name).gather(spans)
        else:
            yield columns.flat(name)


def _rows(chunks: Iterator[Column], part: FlatPart) -> TableState:
    fields: dict[str, Any] = {}
    for name, dtype, shape, pooled in part.layout.fields:
        lengths = next(chunks).view(np.int32) if pooled else None
        values = next(chunks).view(dtype).reshape(-1, *shape)
        fields[name] = values if lengths is None else (lengths, values)
    return TableState(part.layout.schema, part.length, fields)


def _cut(data: Column, sizes: tuple[int, ...]) -> Iterator[Column]:
    at = 0
    for size in sizes:
        yield data[at : at + size].copy()  # copied, so that it is aligned for its dtype
        at += size
