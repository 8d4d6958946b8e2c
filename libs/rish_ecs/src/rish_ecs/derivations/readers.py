"""The readers of sources: what each of them has seen, and what has changed since.

Tables are read by the changes of their rows, fields by their values, derived values and objects by their version, and
resources without a version and functions by their values. This is the only place where versions are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rish_jit.errors import DeclarationError

from ..declarations.columns import Column, distinct, with_room
from ..declarations.component import FieldSpec, current
from ..declarations.resource import copy_plain, fields_of, resource_spec
from ..equality import equal
from ..storage.row_changes import NO_CHANGES, RowChanges
from ..storage.table import Columns, Table
from .declaration import Compared, Rows, derived_spec

if TYPE_CHECKING:
    from ..storage.store import Store

_NONE: Column = np.zeros(0, np.int64)
_MARKS = 64
"""The number of changes that a comparing reader stores; with more, it needs a new copy of the table."""
ALL_CHANGED = RowChanges(0)
"""The change of a source without rows."""


class _Value(Protocol):
    """The part of a `DerivedValue` that its readers need."""

    version: int

    def get(self) -> Any: ...

    def changes(self, since: int) -> RowChanges: ...


class Reader:
    """Reads one source.

    counted: what has a `version` that increases with each change of the source; None if a look must find out.
    """

    __slots__ = ("counted", "source")

    def __init__(self, source: Any, counted: Any = None) -> None:
        self.source = source
        self.counted = counted

    def look(self) -> RowChanges:
        """Return what changed since the last `note`."""
        raise NotImplementedError

    def note(self) -> None:
        """Note what the last look has found as seen."""
        raise NotImplementedError

    def skip(self) -> bool:
        """Note everything as seen; return whether anything had changed."""
        change = self.look()
        if change is NO_CHANGES:
            return False
        self.note()
        return bool(change)


class _TableReader(Reader):
    """Reads the changes of a table."""

    __slots__ = ("_columns", "_membership", "_version")

    def __init__(self, source: Any, columns: Columns) -> None:
        super().__init__(source, columns)
        self._columns = columns
        self._version = self._membership = -1

    def look(self) -> RowChanges:
        columns, seen = self._columns, self._version
        if columns.version == seen:
            return NO_CHANGES
        changes = columns.changes(seen)
        if columns.version - seen != columns.membership - self._membership:
            return changes
        return RowChanges(changes.count, None if changes.all else changes.rows, changes.removed, written=False)

    def note(self) -> None:
        self._version, self._membership = self._columns.version, self._columns.membership

    def skip(self) -> bool:
        columns = self._columns
        if columns.version == self._version:
            return False
        self._version, self._membership = columns.version, columns.membership
        return True


class _ComparingReader(Reader):
    """Reads the changes of a component; if any row may have been written, it compares the values with a copy."""

    def __init__(self, source: Any, table: Table) -> None:
        super().__init__(source, table)
        self._table = table
        self._seen = -1
        self._copy: dict[str, Column] | None = None
        self._values: dict[str, Column] = {}
        self._entities: Column = _NONE
        self._marked: list[tuple[Column, Column]] = []  # rows that changed since the copy was made, and their entities
        self._changes = NO_CHANGES
        self._membership = -1

    def look(self) -> RowChanges:
        if self._table.version == self._seen:
            return NO_CHANGES
        self._changes = changes = self._table.changes(self._seen)
        if not changes.all:
            return changes
        self._values = {name: _values(self._table, name) for name in self._table.schema.fields}
        return changes if self._copy is None else self._compare()

    def note(self) -> None:
        self._seen, self._membership = self._table.version, self._table.membership
        if not self._changes.all:
            self._marked.append((self._changes.rows, self._table.entities[self._changes.rows]))
            if len(self._marked) > _MARKS:
                self._copy, self._marked = None, []
            return
        self._entities, self._marked = self._table.entities.copy(), []
        self._copy = {name: values.copy() for name, values in self._values.items()}

    def _compare(self) -> RowChanges:
        """Return the rows that differ from the copy, and those that changed since it was made; the same of handles."""
        table, copy = self._table, self._copy or {}
        entities, both = table.entities, min(len(self._entities), len(table))
        parts = [rows[rows < both] for rows, _ in self._marked]
        parts += [_differing(self._entities[:both], entities[:both]), np.arange(both, len(table))]
        parts += [_differing(column[:both], self._values[name][:both]) for name, column in copy.items()]
        removed = _NONE
        if table.membership != self._membership:
            removed = np.setdiff1d(np.concatenate([self._entities, *[added for _, added in self._marked]]), entities)
        return RowChanges(len(table), distinct(np.concatenate(parts)), removed)


def _values(table: Table, name: str) -> Column:
    """Return a column; for values of variable length, an array of their bytes."""
    column = table.column(name)
    if not table.schema.fields[name].type.pooled:
        return column
    items, lengths = table.pool_of(name).gather(column), column[:, 1]
    content, size = items.tobytes(), items[:1].nbytes
    ends = zip((np.cumsum(lengths, dtype=np.int64) * size).tolist(), (lengths * size).tolist(), strict=True)
    values = np.empty(len(column), np.object_)
    values[:] = [content[end - length : end] for end, length in ends]
    return values


class _RowsReader(Reader):
    """Reads whether rows of a table, or of any table of a World, were added, removed or moved."""

    __slots__ = ("_columns", "_membership")

    def __init__(self, source: Any, columns: Columns | Store) -> None:
        super().__init__(source, columns if isinstance(columns, Columns) else None)
        self._columns = columns
        self._membership = -1

    def look(self) -> RowChanges:
        return NO_CHANGES if self._columns.membership == self._membership else ALL_CHANGED

    def note(self) -> None:
        self._membership = self._columns.membership


class _FieldReader(Reader):
    """Reads the changes of a table, and leaves out the rows in which a field has the same value as at the last note."""

    def __init__(self, source: FieldSpec, columns: Columns) -> None:
        super().__init__(source, columns)
        name = source.name
        self._columns = columns
        self._name = name
        self._seen, self._membership = columns.version, columns.membership
        self._count = len(columns)
        self._values: Column = columns.column(name).copy()  # the first `_count` rows are in use
        self._rows: Column | slice | None = None
        self._last = (self._seen, NO_CHANGES)  # the last result of `look`, with the version

    def look(self) -> RowChanges:
        columns = self._columns
        if columns.version != self._last[0]:
            self._last = columns.version, self._look()
        return self._last[1]

    def _look(self) -> RowChanges:
        columns, before = self._columns, self._count
        changes, values = columns.changes(self._seen), columns.column(self._name)
        if changes.all and columns.membership != self._membership:
            self._rows = slice(len(values))
            return changes  # it is not known which rows were removed, or belong to another entity now
        if changes.all:
            rows = _differing(self._values[:before], values)
        else:
            old, new = changes.rows, _NONE
            if len(old) and old[-1] >= before:
                first = int(np.searchsorted(old, before))
                old, new = old[:first], old[first:]
            rows = old[_differing(self._values[old], values[old])] if len(old) else old
            rows = np.concatenate([rows, new]) if len(new) else rows
        if not rows.size and columns.membership == self._membership:
            self._seen = columns.version
            return NO_CHANGES
        self._rows = rows
        return RowChanges(len(values), rows, changes.removed)

    def note(self) -> None:
        columns, rows = self._columns, self._rows
        self._seen, self._membership = columns.version, columns.membership
        self._last, self._rows = (self._seen, NO_CHANGES), None
        values = columns.column(self._name)
        self._count = len(values)
        self._values = with_room(self._values, self._count)
        if rows is not None:
            self._values[rows] = values[rows]


def _differing(one: Column, other: Column) -> Column:
    """Return the indices of the rows whose values differ."""
    differs = one != other
    if not differs.any():
        return _NONE
    return np.flatnonzero(differs if differs.ndim == 1 else differs.any(axis=1))


class _DerivedReader(Reader):
    """Reads the version of another derived value, after bringing it up to date."""

    def __init__(self, source: Any, value: _Value) -> None:
        super().__init__(source)
        self._value = value
        self._seen = -1

    def look(self) -> RowChanges:
        self._value.get()
        return self._value.changes(self._seen)

    def note(self) -> None:
        self._seen = self._value.version


def _changes_of(source: Any, version: int, since: int) -> RowChanges:
    """Return the changes of an object with a version; it may have a method `changes(since)`, as tables have."""
    if version == since:
        return NO_CHANGES
    changes = getattr(source, "changes", None)
    return ALL_CHANGED if changes is None or since < 0 else changes(since)


class _ObjectReader(Reader):
    """Reads the version of an object, once for each look, since a version may be computed."""

    def __init__(self, source: Any) -> None:
        super().__init__(source)
        self._seen = self._version = -1

    def look(self) -> RowChanges:
        self._version = self.source.version
        return _changes_of(self.source, self._version, self._seen)

    def note(self) -> None:
        self._seen = self._version


class _ResourceReader(Reader):
    """Reads the version of a resource, or else the values of its fields."""

    def __init__(self, source: Any, world: Store, cls: type) -> None:
        super().__init__(source)
        self._world = world
        self._cls = cls
        self._counted: Any = None  # the instance, if it has a version
        self._seen: Any = None  # the version, or a copy of the fields
        self._looked: tuple[Any, Any] = (None, None)  # the instance and its version

    def look(self) -> RowChanges:
        instance = self._world.resources.get(self._cls)
        version = getattr(instance, "version", None)
        self._looked = instance, version
        if isinstance(version, int):
            return _changes_of(instance, version, self._seen) if instance is self._counted else ALL_CHANGED
        fields = None if instance is None else fields_of(instance)
        return NO_CHANGES if self._counted is None and equal(fields, self._seen) else ALL_CHANGED

    def skip(self) -> bool:
        instance = self._world.resources.get(self._cls)
        if instance is None or instance is not self._counted:
            return super().skip()
        before, self._seen = self._seen, instance.version
        return before != self._seen

    def note(self) -> None:
        instance, version = self._looked
        if isinstance(version, int):
            self._counted, self._seen = instance, version
        else:
            self._counted = None
            self._seen = None if instance is None else _copied(self._cls, fields_of(instance))


class _FunctionReader(Reader):
    """Reads the result of a function of the World."""

    def __init__(self, source: Any, world: Store, function: Callable[[Any], Any]) -> None:
        super().__init__(source)
        self._world = world
        self._function = function
        self._value = self._seen = None

    def look(self) -> RowChanges:
        value = self._value = self._function(self._world)
        return NO_CHANGES if value is self._seen or equal(value, self._seen) else ALL_CHANGED

    def note(self) -> None:
        self._seen = copy_plain(self._value)


def reader_of(world: Store, source: Any) -> Reader | None:
    """Return a reader of a source that has seen nothing yet; None for a class that the World does not know."""
    if isinstance(source, FieldSpec):
        columns = _columns_of(world, source.kind.cls)
        return None if columns is None else _FieldReader(source, columns)
    if isinstance(source, Compared):
        columns = _columns_of(world, source.cls)
        if columns is None:
            return None
        return _ComparingReader(source, columns) if isinstance(columns, Table) else _TableReader(source, columns)
    if isinstance(source, Rows):
        columns = world if isinstance(world, source.cls) else _columns_of(world, source.cls)
        return None if columns is None else _RowsReader(source, columns)
    if not isinstance(source, type):
        return _FunctionReader(source, world, source) if callable(source) else _ObjectReader(source)
    cls = current(source)
    if derived_spec(cls) is not None:
        return _DerivedReader(source, world.derived_value(cls))
    if resource_spec(cls) is not None:
        return _ResourceReader(source, world, cls)
    columns = _columns_of(world, cls)
    return None if columns is None else _TableReader(source, columns)


def _columns_of(world: Store, cls: type) -> Columns | None:
    cls = current(cls)
    table = world.tables.get(cls)
    return world.columns.get(cls) if table is None else table


def _copied(cls: type, values: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of the fields of a resource. Raises DeclarationError for one that is no plain value."""
    try:
        return {name: copy_plain(value) for name, value in values.items()}
    except DeclarationError as error:
        hint = "Give the resource an integer `version` that increases with each change"
        raise DeclarationError(f"{cls.__name__} can't be a source: {error.what}", hint=hint) from None
