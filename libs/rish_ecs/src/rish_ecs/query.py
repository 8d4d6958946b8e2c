"""Queries: the entities that have certain components, as rows and slices of their tables.

A query caches its rows until rows are added to or removed from one of *its* tables. Tables with the same entities in
the same order are `aligned`, which is the common case: then each column is a plain slice, and a kernel can loop over
flat arrays. Otherwise `rows(A)` returns the matching rows, and `query[A.x]` a gathered copy, which is read-only. `edit`
can write in both cases.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rish_jit.errors import UnknownName, UsageError

from .declarations.columns import Column, with_room
from .declarations.component import Disabled, FieldSpec, current, narrow
from .storage.entities import INDEX_MASK
from .storage.table import Table
from .storage.text import RaggedView

if TYPE_CHECKING:
    from .storage.store import Store


_NO_HANDLES: Column = np.zeros(0, np.int64)


class Query:
    """The rows of all entities that have all components in `wanted` and none of those in `without`.

    Rows are in the order of the smallest wanted table. Created by `world.query(A, B, without=C, optional=D)`.
    """

    def __init__(
        self, world: Store, wanted: tuple[type, ...], without: tuple[type, ...], optional: tuple[type, ...]
    ) -> None:
        self._world = world
        self._wanted = {cls: world.table(cls) for cls in wanted}
        self._without = tuple(world.table(cls) for cls in without)
        self._optional = {cls: world.table(cls) for cls in optional}
        self._tables = [*self._wanted.values()]
        self._watched = (*self._tables, *self._without, *self._optional.values())
        self._avoid = world.signature(without)
        self._memberships: list[int] = []
        self._versions: list[int] = []
        self.membership = -1
        self._smallest = self._tables[0]
        self._aligned = self._complete = False
        self._count = 0
        # The first `_count` numbers are in use; those who ask get copies.
        self._handles: Column = _NO_HANDLES
        self._places: dict[type, Column] = {}
        self._entities: Column | None = None
        self._rows: dict[type, Column] = {}

    def refresh(self, membership: int) -> None:
        """Find the rows again if rows of the query's tables were added or removed. membership: that of the World."""
        self.membership = membership
        memberships = [table.membership for table in self._watched]
        if memberships != self._memberships:
            if not self._memberships or not self._patch():
                self._find()
            self._memberships, self._versions = memberships, [table.version for table in self._tables]

    def _find(self) -> None:
        """Find the rows of all entities."""
        tables = self._tables
        smallest = self._smallest = min(tables, key=len)
        self._entities, self._rows, self._places = None, {}, {}
        handles = smallest.entities
        shunned = any(len(table) for table in self._without)
        same = all(table is smallest or np.array_equal(handles, table.entities) for table in tables)
        self._aligned = self._complete = same and not shunned
        if not self._complete:
            index = handles & INDEX_MASK
            keep = self._unshunned(index) if shunned else np.ones(len(index), np.bool_)
            for cls, table in self._wanted.items():
                if table is not smallest:
                    self._places[cls] = rows = table.take_rows(index)
                    keep &= rows >= 0
            self._complete = bool(keep.all())
            self._aligned = same and self._complete
            if not self._complete:
                handles = handles[keep]
                self._places = {cls: rows[keep] for cls, rows in self._places.items()}
                self._places[smallest.schema.cls] = np.flatnonzero(keep).astype(np.int32)
        self._count = len(handles)
        self._handles = handles if handles.base is None else handles.copy()

    def _patch(self) -> bool:
        """Update the rows of entities that were added, removed or moved; return False if all must be found again.

        One sprite that comes among 100,000 costs 0.1 ms less so.
        """
        changed = self._moved_rows() if self._can_patch() else None
        if changed is None:
            return False
        before, self._count = self._count, self._smallest.used
        differs = before != self._count or bool(self._optional)
        for row in changed:
            if row < self._count:
                change = self._write_row(row)
                if change is None:
                    return False
                differs |= change
        if differs:
            self._entities, self._rows = None, {}
        return True

    def _can_patch(self) -> bool:
        """Return whether all rows of the smallest table are in the query, and tables that were aligned can still be."""
        used = [table.used for table in self._tables]
        least = min(used)
        aligned = used.count(least) == len(used)
        if not self._complete or self._aligned != aligned or self._tables[used.index(least)] is not self._smallest:
            return False
        return not any(table.used for table in self._without)

    def _write_row(self, row: int) -> bool | None:
        """Write the entity of a row and its rows in other tables; return whether they differ. None if it has no rows
        there, or if the tables are not aligned any more."""
        handle = int(self._smallest.entities[row])
        self._handles = with_room(self._handles, row + 1)
        differs, self._handles[row] = bool(self._handles[row] != handle), handle
        for cls, table in self._wanted.items():
            if table is self._smallest:
                continue
            place = table.row_of(handle)
            if place < 0 or (self._aligned and place != row):
                return None
            if not self._aligned:
                places = self._places[cls] = with_room(self._places[cls], row + 1)
                differs, places[row] = differs or places[row] != place, place
        return differs

    def _moved_rows(self) -> set[int] | None:
        """Return the rows of the smallest table that may have changed, here or in other tables; None for any row."""
        smallest, changed = self._smallest, set[int]()
        if not smallest.used and not self._count:
            return changed
        for table, version, membership in zip(self._tables, self._versions, self._memberships, strict=False):
            moves = table.moved_since(version, membership)
            if moves is None:
                return None
            rows, removed = moves
            if table is smallest:
                changed |= rows
                continue
            for handle in removed:
                if smallest.row_of(handle) >= 0:
                    return None
            handles = table.entities
            for row in rows:
                if row < table.used and (place := smallest.row_of(int(handles[row]))) >= 0:
                    changed.add(place)
        return changed

    def _unshunned(self, index: Column) -> Column:
        """Return bool: which entities have none of the components in `without`."""
        keep: Column = np.ones(len(index), np.bool_)
        for word, bits in enumerate(self._world.entities.signature):
            if self._avoid[word]:
                keep &= bits.take(index) & self._avoid[word] == 0
        return keep

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        return iter(self.entities.tolist())

    @property
    def entities(self) -> Column:
        """int64: the handles, in the order of the rows."""
        if self._entities is None:
            self._entities = self._handles[: self._count].copy()
        return self._entities

    @property
    def aligned(self) -> bool:
        """Whether row k of each wanted table is the k-th entity, so that columns are plain slices."""
        return self._aligned

    def complete(self, cls: type) -> bool:
        """Return whether row k of the table of `cls` is the k-th entity, for all rows of the table."""
        return self._aligned or (self._complete and self._table(cls) is self._smallest)

    def rows(self, cls: type) -> Column:
        """Return int32: the row of each entity in the table of `cls`; -1 if an optional component is absent."""
        rows = self._rows.get(cls)
        if rows is None:
            table = self._table(cls)
            places = self._places.get(cls)
            if places is not None:
                rows = places[: self._count].copy()
            elif table in self._tables:
                rows = np.arange(self._count, dtype=np.int32)
            else:
                rows = table.lookup(self.entities)
            self._rows[cls] = rows
        return rows

    def flat(self, spec: Any) -> Column:
        """Return the column of a field as a flat slice, `width` numbers per entity; a live view.

        Raises UsageError if the tables are not aligned: check `query.aligned` first, and loop over rows otherwise.
        """
        if not self._aligned:
            raise UsageError(
                f"{spec.kind.name}.{spec.name} can't be a slice here: the tables of this query are not aligned",
                hint="Test query.aligned first, and loop over query.rows(...) otherwise",
            )
        return self._table(spec.kind.cls).flat(spec.name)

    def __getitem__(self, spec: Any) -> Any:
        """Return the values of a field, one row per entity: a live view if aligned, otherwise a read-only copy.

        Entities without an optional component get the field's default. To write, use `edit` or `query[field] = values`.
        """
        table = self._table(_spec(spec).kind.cls)
        if self._aligned and spec.kind.cls in self._wanted:
            return getattr(table, spec.name)
        rows = self.rows(spec.kind.cls)
        absent = rows < 0 if spec.kind.cls in self._optional else None
        if absent is None or not absent.any():
            if spec.type.pooled:
                return RaggedView(table, spec.name, rows)
            return _read_only(getattr(table, spec.name).take(rows, axis=0))
        if spec.type.pooled:
            raise UsageError(f"{spec!r} is not there for all of these entities", hint="Ask query.rows(...) first")
        values: Column = np.empty((len(rows), *spec.type.shape), spec.type.dtype)
        values[:] = table.encode(spec, spec.default, 1)
        values[~absent] = table.column(spec.name)[rows[~absent]]
        return _read_only(values)

    @contextmanager
    def edit(self, *specs: Any) -> Generator[Any]:
        """Change values of fields in place, whether or not the tables are aligned.

            with query.edit(Transform.position) as position:
                position += query[Velocity.value] * dt

        Yields an array for one field, otherwise a tuple of arrays, with one row per entity. They are live views if the
        tables are aligned; otherwise they are copies, which are written back at the end of the block, unless it raises.
        Values for entities without an optional component are ignored.
        """
        arrays: list[Any] = []
        copied: list[bool] = []
        for spec in specs:
            values = self[spec]
            copied.append(isinstance(values, np.ndarray) and not values.flags.writeable)
            arrays.append(values.copy() if copied[-1] else values)
        yield arrays[0] if len(arrays) == 1 else tuple(arrays)
        for spec, values, copy in zip(specs, arrays, copied, strict=True):
            if copy:
                self[spec] = values
            else:
                self._table(spec.kind.cls).mark()

    def __setitem__(self, spec: Any, value: Any) -> None:
        """Write the values of a field to the rows of the entities; absent optional components are skipped.

        An array of the column's dtype is written without checks, like a write into the column; other values are checked
        as in `world.set`. Raises UsageError for a shape that does not fit.
        """
        table = self._table(_spec(spec).kind.cls)
        if type(value) is np.ndarray and value.dtype == spec.type.dtype and spec.kind.cls in self._wanted:
            self._write_array(table, spec, value)
            return
        if self._aligned and spec.kind.cls in self._wanted:
            setattr(table, spec.name, value)
            return
        rows = self.rows(spec.kind.cls)
        checked = spec.kind.check_value(spec, value)
        if spec.kind.cls in self._optional and (rows < 0).any():
            present = rows >= 0
            checked = narrow(spec, checked, present)
            rows = rows[present]
        encoded = table.encode(spec, checked, len(rows))
        table.put_rows(spec.name, rows, encoded)
        table.mark(rows)

    def _write_array(self, table: Table, spec: FieldSpec, values: Column) -> None:
        if spec.type.pooled:
            raise UsageError(f"{spec!r} takes a list a row", hint="Give Each([...]) with one a row")
        column: Column = getattr(table, spec.name)
        rows = None if self._aligned else self.rows(spec.kind.cls)
        try:
            column[... if rows is None else rows] = values
        except ValueError:
            shape = (len(self), *spec.type.shape)
            raise UsageError(f"{spec!r}: an array of shape {values.shape} does not fit {shape}") from None
        table.mark(rows)

    def _table(self, cls: type) -> Table:
        table = self._wanted.get(cls)
        if table is None:
            table = self._optional.get(cls)
        if table is None and current(cls) is not cls:
            return self._table(current(cls))
        if table is None:
            names = [c.__name__ for c in (*self._wanted, *self._optional)]
            raise UnknownName(f"{cls.__name__} is not part of this query", given=cls.__name__, choices=names)
        return table


def _read_only(values: Column) -> Column:
    values.flags.writeable = False
    return values


def classes(which: Any) -> tuple[type, ...]:
    """Return one class, or several in any collection, as a tuple."""
    if isinstance(which, (set, frozenset)):
        return tuple(sorted(cast("set[type]", which), key=lambda cls: cls.__qualname__))
    return (which,) if isinstance(which, type) else tuple(which)


def make_query(world: Store, wanted: tuple[type, ...], without: tuple[type, ...], optional: tuple[type, ...]) -> Query:
    """Create a query, see `World.query`. Raises UsageError without components, and for one that is also excluded."""
    if not wanted:
        raise UsageError("a query names at least one component", hint="Write world.query(Transform)")
    wanted, without, optional = (tuple([current(cls) for cls in part]) for part in (wanted, without, optional))
    for cls in wanted:
        if cls in without:
            raise UsageError(f"the query wants {cls.__name__} and excludes it")
    if Disabled not in (*wanted, *without, *optional):
        without = (*without, Disabled)
    return Query(world, wanted, without, optional)


def _spec(spec: Any) -> FieldSpec:
    if not isinstance(spec, FieldSpec):
        raise UsageError(f"a query is indexed by a field, not by {spec!r}", hint="Write query[Body.velocity]")
    return spec
