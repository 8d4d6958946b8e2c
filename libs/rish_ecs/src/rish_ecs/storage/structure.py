"""Changes of structure: spawning, despawning, adding and removing, immediately or queued to the end of a stage.

A queued spawn reserves its handles immediately, so that they can be stored and passed on; all other changes are queued
in call order. A queued operation on an entity that has died meanwhile is dropped, so two systems may despawn the same
enemy. Each call is checked and its values are encoded before anything changes, so an error leaves no partial change.

Callbacks before a removal (`table.on_remove`) get the handles while the rows still exist; changes that they make are
queued until the end of the next stage.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rish_jit.errors import DeclarationError, RishError, UnknownName, UsageError

from ..declarations.columns import Column, distinct, is_array
from ..declarations.component import Kind, narrow
from .children import Children
from .entities import ALIVE, INDEX_MASK, RESERVED, describe
from .table import Table

if TYPE_CHECKING:
    from .store import Store

_LIMIT = 2**31 - 1
Operation = tuple[str, Column, tuple[Any, ...]]
Encoded = tuple[Table, dict[str, Any]]


class Structure:
    """The queue of changes and the code that applies them."""

    def __init__(self, world: Store) -> None:
        self._world = world
        self.queue: list[Operation] = []
        self._telling = False
        self._tables_of: dict[tuple[type, ...], list[Table]] = {}
        self._signed: dict[tuple[int, ...], list[tuple[Table, int, np.uint64]]] = {}

    @cached_property
    def _tables(self) -> list[Table]:
        """The tables in the order of their bits."""
        return list(self._world.tables.values())

    @cached_property
    def _cascades(self) -> list[Children]:
        """The fields with `cascade=True`: if their target is despawned, so is the entity with the field."""
        return [
            Children(table, name)
            for table in self._tables
            for name, spec in table.schema.fields.items()
            if spec.cascade
        ]

    @property
    def _waits(self) -> bool:
        """Whether changes are queued instead of applied immediately."""
        return self._telling or self._world.stage is not None

    def know_tables(self) -> None:
        """Drop the cached tables after a new declaration."""
        self.__dict__.pop("_tables", None)
        self.__dict__.pop("_cascades", None)
        self._tables_of.clear()
        self._signed.clear()

    def spawn(self, parts: tuple[Any, ...]) -> int:
        """Spawn one entity; see `World.spawn`."""
        world = self._world
        if self._waits:
            self._encode(parts, 1)
            world.check_stage("spawning")
            world.membership += 1
            handle = world.entities.take(RESERVED)
            self.queue.append(("spawn", np.array([handle], np.int64), _private(parts)))
            return handle
        self._settle()
        encoded = self._encode(parts, 1)
        handle = world.entities.take()
        self._place(handle, encoded)
        return handle

    def spawn_many(self, count: int, parts: tuple[Any, ...]) -> Column:
        """Spawn many entities; see `World.spawn_many`."""
        if not isinstance(count, (int, np.integer)) or not 0 <= count <= _LIMIT:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError(f"can't spawn {count} entities", hint="Give a whole number from 0 up")
        world = self._world
        if self._waits:
            self._encode(parts, int(count))
            world.check_stage("spawning")
            world.membership += 1
            handles = world.entities.take_many(int(count), RESERVED)
            self.queue.append(("spawn", handles.copy(), _private(parts)))
            return handles
        self._settle()
        encoded = self._encode(parts, int(count))
        handles = world.entities.take_many(int(count))
        self._place(handles, encoded)
        return handles

    def change(self, what: str, handles: Column, parts: tuple[Any, ...] = ()) -> None:
        """Apply `despawn`, `add`, `set` or `remove`, now or at the end of the stage."""
        if what == "remove":
            for cls in parts:
                self._world.table(cls)
        else:
            self._encode(parts, len(handles))
        if self._waits:
            self._world.check_stage("despawning" if what == "despawn" else f"a component {what}")
            self.queue.append((what, handles, _private(parts)))
        else:
            self._settle()
            self._apply(what, handles, parts)

    def set(self, handles: Column, parts: tuple[Any, ...]) -> None:
        """Write fields immediately; if an entity is only reserved, at the end of the stage."""
        world = self._world
        if not self._waits:
            self._settle()
        elif any(not _kind(part).fields[name].view for part in parts for name in _given(part)):
            world.check_stage("setting components")
        if not self._waits or (world.entities.status_many(handles) == ALIVE).all():
            self.write(handles, parts)
        else:
            self.change("set", handles, parts)

    def flush(self) -> None:
        """Apply all queued changes; then raise the first error, if there was one."""
        queue, self.queue = self.queue, []
        stage, self._world.stage = self._world.stage, None
        failed: RishError | None = None
        try:
            for operation in queue:
                try:
                    self._take_turn(*operation)
                except RishError as error:
                    failed = failed or error
        finally:
            self._world.stage = stage
        if failed is not None:
            raise failed

    def write(self, handles: Column, parts: tuple[Any, ...]) -> None:
        """Write the given fields of components; raises UnknownName or NotYet, before any write, if one is missing."""
        encoded = self._encode(parts, len(handles))
        rows_of: list[Column] = []
        for table, _ in encoded:
            rows = table.lookup(handles)
            if (rows < 0).any():
                missing = int(handles[rows < 0][0])
                if self._world.entities.status(missing) == RESERVED:
                    raise self._world.not_yet(missing)
                raise UnknownName(
                    f"entity {describe(missing)} has no {table.schema.name}",
                    hint="Give it one with world.add(...)",
                )
            rows_of.append(rows)
        for (table, values), rows in zip(encoded, rows_of, strict=True):
            _write_rows(table, rows, values)

    def _settle(self) -> None:
        """Apply changes left in the queue before an immediate change."""
        if self.queue:
            self.flush()

    def _take_turn(self, what: str, handles: Column, parts: tuple[Any, ...]) -> None:
        entities = self._world.entities
        expected = RESERVED if what == "spawn" else ALIVE
        ready = entities.status_many(handles) == expected
        if not ready.all():
            handles = handles[ready]
            parts = tuple([_narrow(part, ready) for part in parts])
        if not len(handles):
            return
        if what == "spawn":
            encoded = self._encode(parts, len(handles))
            entities.state[handles & INDEX_MASK] = ALIVE
            self._place(handles.item() if len(handles) == 1 else handles, encoded)
        else:
            self._apply(what, handles, parts)

    def _encode(self, parts: tuple[Any, ...], count: int) -> list[Encoded]:
        """Return the tables of the parts, and their encoded values.

        Raises if a part is not a component, is given twice, or has values not for `count` entities.
        """
        classes = tuple([part if isinstance(part, type) else type(part) for part in parts])
        tables = self._tables_of.get(classes)
        if tables is None:
            tables = self._tables_of[classes] = self._find_tables(parts)
        return [
            (table, {} if isinstance(part, type) else table.encode_all(part.__dict__, count))
            for table, part in zip(tables, parts, strict=True)
        ]

    def _find_tables(self, parts: tuple[Any, ...]) -> list[Table]:
        tables: list[Table] = []
        for part in parts:
            table = self._world.table(_kind(part).cls)
            if table in tables:
                raise UsageError(f"{table.schema.name} is given twice")
            tables.append(table)
        return tables

    def _place(self, new: Any, encoded: list[Encoded]) -> None:
        """Add the rows of a new entity, or of many. new: its handle, or their handles."""
        world = self._world
        world.membership += 1
        stamp, one = world.changes.next(), isinstance(new, int)
        signature = world.signature(tuple([table.schema.cls for table, _ in encoded]))
        world.entities.signature[:, new & INDEX_MASK] = signature if one else signature[:, None]
        for table, values in encoded:
            number = world.changes.next_view() if world.is_view(table.schema) else stamp
            if one:
                table.put_row(table.insert_row(new, number), values)
            else:
                table.put_all(table.insert_rows(new, number), values)

    def _apply(self, what: str, handles: Column, parts: tuple[Any, ...]) -> None:
        if what == "despawn":
            self._despawn(handles)
        elif what == "set":
            self.write(handles, parts)
        elif what == "remove":
            for cls in parts:
                self._remove(handles, self._world.table(cls))
        else:
            for table, values in self._encode(parts, len(handles)):
                self._add(handles, table, values)

    def _add(self, handles: Column, table: Table, values: dict[str, Any]) -> None:
        world = self._world
        absent = table.lookup(handles) < 0
        if absent.any():
            world.membership += 1
            new = _once(handles[absent])
            table.insert_rows(new, world.changes.next_view() if world.is_view(table.schema) else world.changes.next())
            world.entities.signature[:, new & INDEX_MASK] |= world.signature((table.schema.cls,))[:, None]
        _write_rows(table, table.lookup(handles), {**table.defaults(), **values})

    def _remove(self, handles: Column, table: Table) -> None:
        here = handles[table.lookup(handles) >= 0]
        if not len(here):
            return
        world = self._world
        here = _once(here)
        if table.on_remove:
            self._tell([table], here)
        world.membership += 1
        self._take_rows(here, table)
        world.entities.signature[:, here & INDEX_MASK] &= ~world.signature((table.schema.cls,))[:, None]

    def _take_rows(self, handles: Column, table: Table) -> None:
        """Remove the rows of entities that have one, and log the removals."""
        if len(handles) == 1:
            table.remove_row(handles.item())
        else:
            table.remove_rows(handles)
        self._world.changes.log_removed(table.schema.key, handles)

    def _despawn(self, handles: Column) -> None:
        world = self._world
        handles = self._with_children(distinct(handles))
        one = len(handles) == 1
        signature = world.entities.signature[:, (handles.item() if one else handles) & INDEX_MASK]
        carried = self._carried(tuple((signature if one else np.bitwise_or.reduce(signature, axis=1)).tolist()))
        if told := [table for table, _, _ in carried if table.on_remove]:
            self._tell(told, handles)
        world.membership += 1
        for table, word, bit in carried:
            self._take_rows(handles if one else handles[signature[word] & bit != 0], table)
        world.entities.release(handles)

    def _carried(self, signature: tuple[int, ...]) -> list[tuple[Table, int, np.uint64]]:
        """Return the tables that a signature names, each with its word and its bit in it."""
        tables = self._signed.get(signature)
        if tables is None:
            tables = self._signed[signature] = [
                (self._tables[64 * word + bit], word, np.uint64(1 << bit))
                for word, bits in enumerate(signature)
                for bit in range(64)
                if bits >> bit & 1
            ]
        return tables

    def _tell(self, tables: list[Table], handles: Column) -> None:
        """Call the callbacks of the tables, with the handles that have rows in them, before the removal."""
        before, self._telling = self._telling, True
        try:
            for table in tables:
                here = handles[table.lookup(handles) >= 0]
                for callback in table.on_remove if len(here) else ():
                    callback(here)
        finally:
            self._telling = before

    def _with_children(self, handles: Column) -> Column:
        """Return the handles and, breadth first, all entities whose cascading field points at one of them."""
        entities, family, last = self._world.entities, handles, handles
        while children := [each for table in self._cascades if len(each := table.of(entities, last))]:
            below = distinct(np.concatenate(children))
            last = below[~entities.among(below, family)]
            if not len(last):
                break
            family = np.concatenate([family, last])
        return family


def _given(part: Any) -> dict[str, Any]:
    """Return the values that a part sets; a class sets none."""
    return {} if isinstance(part, type) else _kind(part).values(part)


def _kind(part: Any) -> Kind:
    """Return the declaration of a component. Raises DeclarationError for anything else, as for what `get` returns."""
    kind = getattr(part, "__kind__", None)
    if not isinstance(kind, Kind):
        raise DeclarationError(
            f"{part!r} is no component", hint="Give instances of component classes, like Body(mass=2)"
        )
    return kind


def _private(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return copies of parts, so that later changes by the caller do not affect the queue."""
    return tuple([part if isinstance(part, type) else _remade(part, _copied(_given(part))) for part in parts])


def _copied(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value.copy() if is_array(value) else value for name, value in values.items()}


def _remade(part: Any, values: dict[str, Any]) -> Any:
    copy = object.__new__(cast("type[Any]", type(part)))
    copy.__dict__.update(values)
    return copy


def _narrow(part: Any, keep: Column) -> Any:
    """Return a part with only the rows that the bool mask `keep` selects."""
    if isinstance(part, type):
        return cast("Any", part)
    fields = part.__kind__.fields
    return _remade(part, {name: narrow(fields[name], value, keep) for name, value in _given(part).items()})


def _once(handles: Column) -> Column:
    """Return the handles without repetitions, in their order."""
    if len(distinct(handles)) == len(handles):
        return handles
    _, first = np.unique(handles, return_index=True)
    return handles[np.sort(first)]


def _write_rows(table: Table, rows: Column, encoded: dict[str, Any]) -> None:
    for name, value in encoded.items():
        table.put_rows(name, rows, value)
    table.mark(int(rows[0]) if len(rows) == 1 else rows)
