"""Inputs: what a derived value is computed from, and what of it has changed since the last look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from rish_jit.errors import UnknownName

from ..declarations.component import FieldSpec, current
from ..storage.row_changes import NO_CHANGES, RowChanges, joined_changes
from .declaration import Compared, Rows, derived_spec
from .readers import ALL_CHANGED, Reader, reader_of

if TYPE_CHECKING:
    from ..storage.store import Store


_VERSION = attrgetter("version")


class InputChanges:
    """What changed since the last look: `changes[Wire]` is the `RowChanges` of a source.

    Iterating gives the sources that changed. tables: for each source the component or table whose rows it has, or None.
    """

    def __init__(self, tables: Mapping[Any, type | None], changes: Mapping[Any, RowChanges]) -> None:
        self._tables = tables
        self._changes = changes

    @property
    def by_rows(self) -> bool:
        """Whether only rows of tables and fields changed, and it is known which."""
        return not any(change.all for change in self._changes.values())

    def __getitem__(self, source: Any) -> RowChanges:
        if source not in self._changes:
            if source not in self._tables:
                names = [_name_of(each) for each in self._tables]
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
        table, changes = current(cls), [*self._changes.values()]
        if any(self._tables[source] is not table for source in self._changes):
            return None
        return changes[0] if len(changes) == 1 else joined_changes(changes)


class Inputs:
    """A list of sources, and what of them was seen last.

    A source is a component or `@table` class, a field such as `Transform.parent` (which changes only if its values
    differ), `Rows(Transform)` for the rows of a table without their values, `Compared(Sprite)` for values by rows, the
    class of a resource or of a derived value, an object with an integer `version` that increases with each change, or a
    function of the World that returns a plain value, which is compared. A resource with a `version` counts as changed
    when it increases, or when another instance is put; other resources must have plain values, which are compared.
    What has a `version` may have a method `changes(since)`, which returns `RowChanges`. A class that the World does not
    know never changes.
    """

    def __init__(self, sources: Iterable[Any]) -> None:
        self.sources = tuple(sources)
        self.latest: list[Any] = []  # those that had changed at the last call of `changed`
        self._tables: dict[Any, type | None] = {}
        self._readers: list[Reader] = []
        self._counted: list[Any] = []  # what has a version that tells whether a reader has anything to read
        self._versions: list[int] = []
        self._others: list[Reader] = []
        self._world: Store | None = None
        self._layout = -1

    def changed(self, world: Store) -> bool:
        """Return whether a source may have changed since the last call, and note it as seen; True at the first."""
        if self._world is not world or self._layout != world.layout:
            self._bind(world)
            self.latest = [*self.sources]
            return True
        versions, readers = [*map(_VERSION, self._counted)], self._others
        if versions != self._versions:
            self._versions, readers = versions, self._readers
        self.latest = [reader.source for reader in readers if reader.skip()] if readers else []
        return bool(self.latest)

    def take(self, world: Store) -> InputChanges | None:
        """Return what changed since the last call, and note it as seen; None if nothing did.

        At the first call, and after classes of the World were declared again, everything counts as changed.
        """
        return self._changes(world, note=True)

    def look(self, world: Store) -> InputChanges | None:
        """Return what `take` would return, but do not note it as seen."""
        return self._changes(world, note=False)

    def forget(self) -> None:
        """Let everything count as changed at the next call."""
        self._world = None

    def _changes(self, world: Store, *, note: bool) -> InputChanges | None:
        """Return the changes of all sources; None if there are none."""
        if self._world is not world or self._layout != world.layout:
            if note:
                self._bind(world)
            everything = dict.fromkeys(self.sources, ALL_CHANGED)
            return InputChanges(self._tables or dict.fromkeys(everything), everything)
        versions = [*map(_VERSION, self._counted)]
        readers = self._others if versions == self._versions else self._readers
        changes: dict[Any, RowChanges] = {}
        for reader in readers:
            change = reader.look()
            if change is NO_CHANGES:
                continue
            if note:
                reader.note()
            if change:
                changes[reader.source] = change
        if note:
            self._versions = versions
        return InputChanges(self._tables, changes) if changes else None

    def _bind(self, world: Store) -> None:
        self._tables = {source: _table_of(source) for source in self.sources}
        readers = [reader_of(world, source) for source in self.sources]
        self._readers = [reader for reader in readers if reader is not None]
        self._others = [reader for reader in self._readers if reader.counted is None]
        self._counted = [reader.counted for reader in self._readers if reader.counted is not None]
        self._versions = [*map(_VERSION, self._counted)]
        for reader in self._readers:
            reader.skip()
        self._world, self._layout = world, world.layout


def _table_of(source: Any) -> type | None:
    """Return the component or table whose rows a source has; None if it has no rows."""
    if isinstance(source, FieldSpec):
        return current(source.kind.cls)
    if isinstance(source, (Rows, Compared)):
        return current(source.cls)
    spec = derived_spec(source)
    return current(source) if spec is None else None if spec.by is None else current(spec.by)


def _name_of(source: Any) -> str:
    return getattr(source, "__name__", repr(source))
