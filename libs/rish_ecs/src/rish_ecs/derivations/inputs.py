"""Inputs: what a derived value is computed from, and what of it has changed since the last look.

Each kind of source has a reader, which knows what it has seen: tables by the changes of their rows, fields by their
values, other derived values and objects by their version, and resources without a version by the values of their
fields. This is the only place where versions are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rish_jit.errors import DeclarationError, UnknownName

from ..declarations.columns import Column
from ..declarations.component import FieldSpec, current
from ..declarations.resource import copy_plain, fields_of, resource_spec
from ..storage.row_changes import NO_CHANGES, RowChanges, joined_changes
from .declaration import derived_spec
from .equality import equal

if TYPE_CHECKING:
    from ..storage.store import Store
    from ..storage.table import Columns
    from .values import DerivedValue

ALL_CHANGED = RowChanges(0)
"""The change of a source without rows."""


class InputChanges:
    """What changed since the last look: `changes[Wire]` is the `RowChanges` of a source.

    Iterating gives the sources that changed. by_rows: whether only rows of tables and fields changed, and it is known
    which.
    """

    def __init__(self, sources: Iterable[Any], changes: Mapping[Any, RowChanges]) -> None:
        self._sources = sources
        self._changes = changes
        self.by_rows = not any(change.all for change in changes.values())

    def __getitem__(self, source: Any) -> RowChanges:
        if source not in self._changes:
            if source not in self._sources:
                names = [_name_of(each) for each in self._sources]
                raise UnknownName(
                    f"{_name_of(source)} is not a declared source", choices=names, hint="Add it to reads="
                )
            return NO_CHANGES
        return self._changes[source]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._changes)

    def of_table(self, cls: type) -> RowChanges | None:
        """Return the changes of a table, of its fields, and of values by its rows together; None if another source
        changed."""
        if not all(_table_of(source) is current(cls) for source in self._changes):
            return None
        return joined_changes([*self._changes.values()])


class Inputs:
    """A list of sources, and what of them was seen last.

    A source is a component or `@table` class, a field such as `Transform.parent` (which changes only if its values
    differ), the class of a resource or of a derived value, an object with an integer `version` that increases with each
    change, or a function of the World that returns a plain value, which is compared. A resource with such a `version`
    counts as changed when it increases, or when another instance is put; other resources must have plain values, which
    are compared. A class that the World does not know never changes.
    """

    def __init__(self, sources: Iterable[Any]) -> None:
        self.sources = tuple(sources)
        self._readers: list[tuple[Any, _Reader]] = []
        self._world: Store | None = None
        self._layout = -1

    def changed(self, world: Store) -> bool:
        """Return whether a source may have changed since the last call; True at the first."""
        return self.take(world) is not None

    def take(self, world: Store) -> InputChanges | None:
        """Return what changed since the last call, and note it as seen; None if nothing did.

        At the first call, and after classes of the World were declared again, everything counts as changed.
        """
        if self._world is not world or self._layout != world.layout:
            self._bind(world)
            return InputChanges(self.sources, dict.fromkeys(self.sources, ALL_CHANGED))
        changes: dict[Any, RowChanges] | None = None
        for source, reader in self._readers:
            change = reader.take()
            if change is not NO_CHANGES and change:
                changes = changes or {}
                changes[source] = change
        return None if changes is None else InputChanges(self.sources, changes)

    def forget(self) -> None:
        """Let everything count as changed at the next call."""
        self._world = None

    def _bind(self, world: Store) -> None:
        readers: list[tuple[Any, _Reader]] = []
        for source in self.sources:
            reader = _reader_of(world, source)
            reader.take()
            readers.append((source, reader))
        self._readers, self._world, self._layout = readers, world, world.layout


class _Reader(Protocol):
    """Reads one source."""

    def take(self) -> RowChanges:
        """Return what changed since the last call."""
        ...


class _TableReader:
    """Reads the changes of a table."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._seen = columns.version

    def take(self) -> RowChanges:
        columns, seen = self._columns, self._seen
        if columns.version == seen:
            return NO_CHANGES
        self._seen = columns.version
        return columns.changes(seen)


class _FieldReader:
    """Reads the changes of a table, and leaves out the rows in which a field has the same value as at the last call."""

    def __init__(self, columns: Columns, name: str) -> None:
        self._columns = columns
        self._name = name
        self._seen = columns.version
        self._count = len(columns)
        self._values: Column = columns.column(name).copy()  # the first `_count` rows are in use

    def take(self) -> RowChanges:
        columns, seen = self._columns, self._seen
        if columns.version == seen:
            return NO_CHANGES
        self._seen = columns.version
        changes, values, before = columns.changes(seen), columns.column(self._name), self._count
        self._reserve(len(values))
        both = min(before, len(values))
        if changes.all:
            rows = np.concatenate([_differing(self._values[:both], values[:both]), np.arange(both, len(values))])
        else:
            old, new = np.split(changes.rows, [np.searchsorted(changes.rows, before)])
            rows = np.concatenate([old[_differing(self._values[old], values[old])], new])
        self._values[rows] = values[rows]
        if changes.all and len(values) < before:
            return changes  # it is not known which rows were removed
        return RowChanges(len(values), rows, changes.removed)

    def _reserve(self, count: int) -> None:
        """Let the copy have `count` rows."""
        self._count = count
        if count > len(self._values):
            grown = np.zeros((2 * count, *self._values.shape[1:]), self._values.dtype)
            grown[: len(self._values)] = self._values
            self._values = grown


def _differing(one: Column, other: Column) -> Column:
    """Return the indices of the rows whose values differ."""
    differs = one != other
    return np.flatnonzero(differs if differs.ndim == 1 else differs.any(axis=1))


class _DerivedReader:
    """Reads the version of another derived value, after bringing it up to date."""

    def __init__(self, value: DerivedValue) -> None:
        self._value = value
        self._seen = -1

    def take(self) -> RowChanges:
        self._value.get()
        seen, self._seen = self._seen, self._value.version
        return self._value.changes(seen)


class _ObjectReader:
    """Reads the version of an object."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self._seen = -1

    def take(self) -> RowChanges:
        seen, self._seen = self._seen, self._source.version
        return NO_CHANGES if seen == self._seen else ALL_CHANGED


class _ResourceReader:
    """Reads the version of a resource, or else the values of its fields."""

    def __init__(self, world: Store, cls: type) -> None:
        self._world = world
        self._cls = cls
        self._seen: tuple[Any, Any] = (None, None)

    def take(self) -> RowChanges:
        instance = self._world.resources.get(self._cls)
        version = getattr(instance, "version", None)
        before, seen = self._seen
        if isinstance(version, int):
            self._seen = instance, version
            return NO_CHANGES if before is instance and seen == version else ALL_CHANGED
        values = None if instance is None else fields_of(instance)
        if equal(values, seen):
            return NO_CHANGES
        self._seen = None, _copied(self._cls, values)
        return ALL_CHANGED


class _FunctionReader:
    """Reads the result of a function of the World."""

    def __init__(self, world: Store, function: Callable[[Any], Any]) -> None:
        self._world = world
        self._function = function
        self._seen: Any = None

    def take(self) -> RowChanges:
        value = self._function(self._world)
        if equal(value, self._seen):
            return NO_CHANGES
        self._seen = copy_plain(value)
        return ALL_CHANGED


class _Absent:
    """A class that the World does not know."""

    def take(self) -> RowChanges:
        return NO_CHANGES


def _reader_of(world: Store, source: Any) -> _Reader:
    if isinstance(source, FieldSpec):
        columns = _columns_of(world, source.kind.cls)
        return _Absent() if columns is None else _FieldReader(columns, source.name)
    if not isinstance(source, type):
        return _FunctionReader(world, source) if callable(source) else _ObjectReader(source)
    cls = current(source)
    if derived_spec(cls) is not None:
        return _DerivedReader(world.derived_value(cls))
    if resource_spec(cls) is not None:
        return _ResourceReader(world, cls)
    columns = _columns_of(world, cls)
    return _Absent() if columns is None else _TableReader(columns)


def _table_of(source: Any) -> type | None:
    """Return the component or table whose rows a source has; None if it has no rows."""
    if isinstance(source, FieldSpec):
        return current(source.kind.cls)
    spec = derived_spec(source)
    return current(source) if spec is None else None if spec.by is None else current(spec.by)


def _columns_of(world: Store, cls: type) -> Columns | None:
    cls = current(cls)
    table = world.tables.get(cls)
    return world.columns.get(cls) if table is None else table


def _copied(cls: type, values: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a copy of the fields of a resource. Raises DeclarationError for one that is no plain value."""
    try:
        return None if values is None else {name: copy_plain(value) for name, value in values.items()}
    except DeclarationError as error:
        hint = "Give the resource an integer `version` that increases with each change"
        raise DeclarationError(f"{cls.__name__} can't be a source: {error.what}", hint=hint) from None


def _name_of(source: Any) -> str:
    return getattr(source, "__name__", repr(source))
