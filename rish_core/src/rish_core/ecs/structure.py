"""Changes of structure: spawning, despawning, adding and removing, at once or queued to the end of a stage.

A queued spawn reserves its handles at once, so that they can be stored and given away; everything else waits in call
order. An operation on an entity that died before its turn is dropped: two systems may despawn the same enemy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DeclarationError, UnknownName, UsageError
from .columns import Column
from .component import Each, FieldSpec, Kind
from .entities import ALIVE, INDEX_MASK, RESERVED, describe
from .system import TICK_STAGES
from .table import Table

if TYPE_CHECKING:
    from .world import World

_TICK = frozenset(TICK_STAGES)
_LIMIT = 2**31 - 1
Operation = tuple[str, Column, tuple[Any, ...]]


class Structure:
    """The queue of changes and the code that applies them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.queue: list[Operation] = []
        self._cascades: list[tuple[Table, FieldSpec]] | None = None

    @property
    def pending(self) -> bool:
        """Whether anything waits."""
        return bool(self.queue)

    def spawn(self, parts: tuple[Any, ...]) -> int:
        """One entity; see `World.spawn`."""
        kinds = self._check(parts)
        world = self._world
        if world.stage is not None:
            self._allow("spawning")
            handle = world.entities.take(RESERVED)
            self.queue.append(("spawn", np.array([handle], np.int64), parts))
            return handle
        handle = world.entities.take()
        world.epoch += 1
        stamp = world.changes.next()
        signature = world.entities.signature[:, handle & INDEX_MASK]
        for kind, part in zip(kinds, parts, strict=True):
            table = world.tables[kind.cls]
            row = table.insert_row(handle, stamp)
            signature |= world.signature((kind.cls,))
            self._fill(table, slice(row, row + 1), part, 1)
        return handle

    def spawn_many(self, count: int, parts: tuple[Any, ...]) -> Column:
        """Many entities; see `World.spawn_many`."""
        if not 0 <= count <= _LIMIT:
            raise UsageError(f"can't spawn {count} entities", hint="Give a count from 0 up")
        self._check(parts, count)
        world = self._world
        if world.stage is not None:
            self._allow("spawning")
            handles = world.entities.take_many(count, RESERVED)
            self.queue.append(("spawn", handles, parts))
            return handles
        handles = world.entities.take_many(count)
        self._place(handles, parts)
        return handles

    def despawn(self, handles: Column) -> None:
        """Remove entities with their children."""
        if self._world.stage is not None:
            self._allow("despawning")
            self.queue.append(("despawn", handles, ()))
        else:
            self._despawn(handles)

    def change(self, what: str, handles: Column, parts: tuple[Any, ...]) -> None:
        """`add`, `set` or `remove`, now or at the end of the stage."""
        if what == "remove":
            for cls in parts:
                self._world.table(cls)
        else:
            self._check(parts, len(handles))
        if self._world.stage is not None:
            self._allow(f"a component {what}")
            self.queue.append((what, handles, parts))
        else:
            self._apply(what, handles, parts)

    def flush(self) -> None:
        """Apply the queue."""
        queue, self.queue = self.queue, []
        entities = self._world.entities
        stage, self._world.stage = self._world.stage, None
        try:
            for what, handles, parts in queue:
                if what == "spawn":
                    entities.state[handles & INDEX_MASK] = ALIVE
                    self._place(handles, parts)
                    continue
                alive = entities.status_many(handles) == ALIVE
                kept = handles if alive.all() else handles[alive]
                if len(kept):
                    self._apply(what, kept, tuple(_narrow(part, alive) for part in parts))
        finally:
            self._world.stage = stage

    def write(self, handles: Column, parts: tuple[Any, ...]) -> None:
        """Write the given fields of components that the entities have."""
        for kind, part in zip(self._check(parts, len(handles)), parts, strict=True):
            table = self._world.tables[kind.cls]
            rows = table.rows_of(handles)
            if (rows < 0).any():
                missing = describe(int(handles[rows < 0][0]))
                raise UnknownName(f"entity {missing} has no {kind.name}", hint="Give it one with world.add(...)")
            self._write_rows(table, rows, kind.values(part) if not isinstance(part, type) else {})

    def _allow(self, doing: str) -> None:
        if self._world.stage not in _TICK:
            raise self._world.refusal(doing)

    def _check(self, parts: tuple[Any, ...], count: int = 1) -> list[Kind]:
        kinds: list[Kind] = []
        for part in parts:
            kind = getattr(part, "__kind__", None)
            if not isinstance(kind, Kind):
                raise DeclarationError(
                    f"{part!r} is no component", hint="Give instances of component classes, like Body(mass=2)"
                )
            self._world.table(kind.cls)
            if kind in kinds:
                raise UsageError(f"{kind.name} is given twice")
            kinds.append(kind)
        return kinds

    def _place(self, handles: Column, parts: tuple[Any, ...]) -> None:
        world = self._world
        world.epoch += 1
        stamp = world.changes.next()
        signature = world.signature(tuple(part.__kind__.cls for part in parts))
        world.entities.signature[:, handles & INDEX_MASK] = signature[:, None]
        for part in parts:
            table = world.tables[part.__kind__.cls]
            rows = table.insert_rows(handles, stamp)
            self._fill(table, rows, part, len(handles))

    def _fill(self, table: Table, rows: slice, part: Any, count: int) -> None:
        given = part.__kind__.values(part) if not isinstance(part, type) else {}
        for name, spec in table.schema.fields.items():
            table.fill_rows(name, rows, given.get(name, spec.default))

    def _write_rows(self, table: Table, rows: Column, given: dict[str, Any]) -> None:
        for name, value in given.items():
            spec = table.schema.field(name)
            if len(rows) == 1:
                table.fill_rows(name, slice(int(rows[0]), int(rows[0]) + 1), value)
            elif spec.type.pooled or isinstance(value, Each):
                values = value.values if isinstance(value, Each) else [value] * len(rows)
                for row, item in zip(rows.tolist(), values, strict=True):
                    table.write_row(name, row, item)
            else:
                table.column(name)[rows] = table.encode(spec.type, value)
        table.version += 1

    def _apply(self, what: str, handles: Column, parts: tuple[Any, ...]) -> None:
        if what == "despawn":
            self._despawn(handles)
        elif what == "set":
            self.write(handles, parts)
        elif what == "remove":
            for cls in parts:
                self._remove(handles, self._world.tables[cls])
        else:
            for part in parts:
                self._add(handles, part)

    def _add(self, handles: Column, part: Any) -> None:
        world, kind = self._world, part.__kind__
        table = world.tables[kind.cls]
        given = kind.values(part) if not isinstance(part, type) else {}
        full = {name: given.get(name, spec.default) for name, spec in kind.fields.items()}
        fresh = table.rows_of(handles) < 0
        if fresh.any():
            world.epoch += 1
            new = handles[fresh]
            table.insert_rows(new, world.changes.next())
            world.entities.signature[:, new & INDEX_MASK] |= world.signature((kind.cls,))[:, None]
        self._write_rows(table, table.rows_of(handles), full)

    def _remove(self, handles: Column, table: Table) -> None:
        here = handles[table.rows_of(handles) >= 0]
        if not len(here):
            return
        world = self._world
        world.epoch += 1
        world.changes.log_removed(table.schema.key, here)
        table.remove_rows(here)
        world.entities.signature[:, here & INDEX_MASK] &= ~world.signature((table.schema.cls,))[:, None]

    def _despawn(self, handles: Column) -> None:
        world = self._world
        handles = self._with_children(np.unique(handles) if len(handles) > 1 else handles)
        for table in world.tables.values():
            if len(table):
                self._remove(handles, table)
        world.epoch += 1
        world.entities.release(handles)

    def _with_children(self, handles: Column) -> Column:
        """The handles and, breadth first, everything whose cascading field points at one of them."""
        if self._cascades is None:
            self._cascades = [
                (table, spec)
                for table in self._world.tables.values()
                for spec in table.schema.fields.values()
                if spec.cascade
            ]
        found = last = handles
        while len(last):
            children: list[Column] = []
            for table, spec in self._cascades:
                parents = table.column(spec.name)
                if parents.any():
                    children.append(table.entities[np.isin(parents, last)])
            fresh = np.concatenate(children) if children else last[:0]
            last = np.unique(fresh[~np.isin(fresh, found)])
            found = np.concatenate([found, last])
        return found


def _narrow(part: Any, alive: Column) -> Any:
    """A part whose per-row values are cut down to the rows that are still alive."""
    if alive.all() or isinstance(part, type):
        return part
    kind: Kind = part.__kind__
    made = kind.cls.__new__(kind.cls)
    for name, value in kind.values(part).items():
        shape = kind.fields[name].type.shape
        many = getattr(value, "ndim", 0) > len(shape)
        if isinstance(value, Each):
            value = Each(item for item, keep in zip(value.values, alive, strict=True) if keep)
        made.__dict__[name] = value[alive] if many else value
    return made
