"""Mirrors: a copy of the state of a World, which shows what has changed since, as a delta.

Only rows that changed since the last look are compared, by the versions of the tables; so code that writes to columns
must mark the rows, see `Columns.mark`. Derived fields, whose writers need not mark them, are compared whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from rish_jit.errors import UsageError

from ..declarations.columns import Column, distinct
from ..declarations.component import Kind
from ..declarations.resource import ResourceSpec, copy_fields, copy_plain, remade, resource_spec
from ..storage.store import Store
from ..storage.table import Columns, Table
from .data import TableState
from .deltas import (
    ADDED,
    HANDLES,
    Delta,
    Patch,
    Ragged,
    TableDelta,
    Values,
    count_of,
    field_of,
    patch_of,
    put_field,
    taken,
)
from .filling import fill
from .plain_bytes import FieldBytes, plain_bytes
from .snapshot import capture_rows


@dataclass
class _Resource:
    """The mirrored values of a resource. written: their bytes, which are compared."""

    spec: ResourceSpec
    bytes_of: FieldBytes
    written: bytes
    values: dict[str, Any]


class Mirror:
    """A copy of the state of a World, kept for comparison. entities: copies of the arrays of all entities."""

    def __init__(self, world: Store) -> None:
        self.world = world
        self._kinds = self._declared()
        self.entities: dict[str, Column] = world.entities.capture()
        self._states = {columns: capture_rows(columns, False) for columns in self._tables()}
        self._versions = {columns: columns.version for columns in self._states}
        self._derived = {
            columns: [name for name in state.fields if columns.schema.fields[name].derived]
            for columns, state in self._states.items()
        }
        self._resources: dict[type, _Resource] = {}
        self._look_at_resources()
        self._changes = self._capture_changes()

    @property
    def fits(self) -> bool:
        """Whether the World still has the declarations of which this is a copy; a reload may change them."""
        return self._kinds == self._declared()

    @property
    def captured(self) -> dict[str, tuple[Columns, Kind, TableState]]:
        """For each table, by its full name: its declaration at the last look, and the copy of its rows."""
        return {kind.key: (columns, kind, self._states[columns]) for columns, kind in self._kinds}

    @property
    def resources(self) -> dict[str, type]:
        """The classes of the copied resources, by full name."""
        return {state.spec.key: cls for cls, state in self._resources.items()}

    def difference(self) -> Delta:
        """Return the difference between the copy and the World; then the copy is equal to the World.

        Raises UsageError within a stage, and if the declarations have changed.
        """
        if self.world.stage is not None:
            raise UsageError("states can't be compared within a stage", hint="Do it between two ticks")
        if not self.fits:
            raise UsageError("the world's declarations have changed", hint="Create a new Mirror")
        delta = Delta()
        for columns, state in self._states.items():
            table = self._compare(columns, state)
            if table is not None:
                delta.tables[columns.schema.key] = table
        now = self.world.entities.capture()
        for name, values in now.items():
            patch = patch_of(self.entities[name], values)
            if patch is not None:
                delta.entities[name] = patch
        self.entities = now
        delta.resources = self._look_at_resources()
        changes = self._capture_changes()
        if changes != self._changes:
            delta.changes, self._changes = (self._changes, changes), changes
        return delta

    def apply(self, delta: Delta, *, forward: bool) -> None:
        """Change World and copy from the earlier to the later state of a delta, or back.

        The World must be equal to the copy: call `difference` before. Only between two ticks.
        """
        world, moved, rebuilt = self.world, False, bool(delta.resources)
        for columns, state in self._states.items():
            table = delta.tables.get(columns.schema.key)
            if table is None:
                continue
            for name, patch in table.patches.items():
                put_field(state, name, patch.applied(field_of(state, name), forward))
            if table.moved:
                _refill(columns, state)
            else:
                _write(columns, table, forward)
            moved |= table.moved
            rebuilt |= not isinstance(columns, Table)
        if delta.entities:
            for name, patch in delta.entities.items():
                self.entities[name] = cast("Column", patch.applied(self.entities[name], forward))
            world.entities.restore(self.entities)
        if delta.changes is not None:
            self._put_changes(delta.changes[forward])
        for key, pair in delta.resources.items():
            self._put_resource(key, pair[forward], pair[not forward])
        if moved or delta.entities:
            world.entities.set_signatures(world.entities.words, [table.entities for table in world.tables.values()])
            world.membership += 1
            world.changes.frame.clear()  # so that readers in frame stages see revived entities as added
        if rebuilt:
            for instance in list(world.resources.values()):
                spec = resource_spec(type(instance))
                if spec is not None and spec.derived and hasattr(instance, "rebuild"):
                    instance.rebuild(world)
        self._look_at_resources()

    # Tables

    def _tables(self) -> list[Columns]:
        return [*self.world.tables.values(), *self.world.columns.values()]

    def _declared(self) -> list[tuple[Columns, Kind]]:
        return [(columns, columns.schema) for columns in self._tables()]

    def _compare(self, columns: Columns, state: TableState) -> TableDelta | None:
        """Return the difference of one table, and update its copy."""
        since, self._versions[columns] = self._versions[columns], columns.version
        names: Iterable[str] = self._derived[columns]
        if since != columns.version:
            names = (*state.fields, *((HANDLES, ADDED) if isinstance(columns, Table) else ()))
        elif not names:
            return None
        changes, delta = columns.changes(since), TableDelta(moved=state.length != columns.used)
        for name in names:
            every = changes.all or name in self._derived[columns]
            patch = _patch_of_field(columns, state, name, None if every else changes.rows)
            if patch is not None:
                delta.patches[name] = patch
                delta.moved |= name in (HANDLES, ADDED)
                put_field(state, name, patch.applied(field_of(state, name), forward=True))
        state.length = columns.used
        return delta if delta.patches else None

    # Change detection

    def _capture_changes(self) -> tuple[int, dict[str, int], dict[str, list[int]]]:
        changes = self.world.changes
        logs = {key: list(log) for key, log in changes.tick.logs.items()}
        return changes.sequence, dict(changes.tick.log_start), logs

    def _put_changes(self, captured: Any) -> None:
        changes = self.world.changes
        changes.sequence = captured[0]
        changes.tick.log_start = dict(captured[1])
        changes.tick.logs = {key: list(log) for key, log in captured[2].items()}
        self._changes = captured

    # Resources

    def _look_at_resources(self) -> dict[str, tuple[Any, Any]]:
        """Update the copies of resources; return the earlier and the later values of those that differ."""
        changes: dict[str, tuple[Any, Any]] = {}
        for cls, instance in self.world.resources.items():
            state, spec = self._resources.get(cls), resource_spec(cls)
            if spec is None or spec.derived:
                continue
            bytes_of = state.bytes_of if state is not None else FieldBytes(spec)
            written = bytes_of.of(instance)
            if state is not None and written == state.written:
                continue
            now = copy_fields(spec, instance)
            if state is None:
                changes[spec.key] = (None, now)
            else:
                other = [n for n, value in now.items() if plain_bytes(value) != plain_bytes(state.values[n])]
                changes[spec.key] = ({n: state.values[n] for n in other}, {n: now[n] for n in other})
            self._resources[cls] = _Resource(spec, bytes_of, written, now)
        for cls in [cls for cls in self._resources if cls not in self.world.resources]:
            gone = self._resources.pop(cls)
            changes[gone.spec.key] = (gone.values, None)
        return changes

    def _put_resource(self, key: str, values: Any, others: Any) -> None:
        cls = self.world.resource_classes.get(key)
        if cls is None:
            return
        if values is None:
            self.world.drop(cls)
        elif others is None:
            self.world.hold(key, cls, remade(cls, copy_plain(values)))
        else:
            for name, value in values.items():
                setattr(self.world.resources[cls], name, copy_plain(value))


def _patch_of_field(columns: Columns, state: TableState, name: str, changed: Column | None) -> Patch | None:
    """Return the difference between the copy of a field and the table. changed: the rows to compare; None: all."""
    before = field_of(state, name)
    if changed is None:
        return patch_of(before, _current(columns, name))
    common = min(state.length, columns.used)
    rows = changed[: np.searchsorted(changed, common)]
    parts = [np.concatenate([rows, np.arange(common, count)]) for count in (state.length, columns.used)]
    patch = patch_of(taken(before, parts[0]), _current(columns, name, parts[1]))
    return None if patch is None else Patch(rows[patch.rows], patch.sides)


def _current(columns: Columns, name: str, rows: Any = slice(None)) -> Values:
    """Return rows of a column of a table as they are now; all rows of plain columns are a view."""
    if isinstance(columns, Table) and name in (HANDLES, ADDED):
        return (columns.entities if name == HANDLES else columns.added_at[: columns.used])[rows]
    if columns.schema.fields[name].type.pooled:
        spans = columns.column(name)[rows]
        return Ragged(spans[:, 1].copy(), columns.pool_of(name).gather(spans))
    return columns.column(name)[rows]


def _refill(columns: Columns, state: TableState) -> None:
    """Write all rows of a table again, in the order of its copy."""
    if isinstance(columns, Table):
        state.length = len(cast("Column", state.handles))
        columns.reset_rows(cast("Column", state.handles), cast("Column", state.added_at))
    else:
        state.length = count_of(field_of(state, next(iter(state.fields)))) if state.fields else 0
        columns.resize(state.length)
    fill(columns, {name: state.fields.get(name) for name in columns.schema.fields})


def _write(columns: Columns, table: TableDelta, forward: bool) -> None:
    """Write the changed rows of a table whose rows did not move."""
    for name, patch in table.patches.items():
        some = patch.sides[forward][0]
        columns.put_rows(name, patch.rows, some.split() if isinstance(some, Ragged) else some)
    columns.mark(distinct(np.concatenate([patch.rows for patch in table.patches.values()])))
