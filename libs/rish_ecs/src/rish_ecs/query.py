"""Queries: the entities that have certain components, as rows and slices of their tables.

A query caches its rows until rows are added to or removed from one of *its* tables. Tables with the same entities in
the same order are `aligned`, which is the common case: then each column is a plain slice, and a kernel can loop over
flat arrays. Otherwise `rows(A)` returns the matching rows, and `query[A.x]` a gathered copy, which is read-only,
because a write into it would not change the table. `edit` can write in both cases.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rish_jit.errors import UnknownName, UsageError

from .declarations.columns import Column
from .declarations.component import Disabled, FieldSpec, current, narrow
from .storage.entities import INDEX_MASK
from .storage.table import Table
from .storage.text import RaggedView

if TYPE_CHECKING:
    from .storage.store import Store


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
        self._watched = (*self._wanted.values(), *self._without, *self._optional.values())
        self._need = world.signature(wanted)
        self._avoid = world.signature(without)
        self._memberships: tuple[int, ...] = ()
        self._versions: list[int] = []
        self.membership = -1
        self._aligned = False
        self._entities: Column = np.zeros(0, np.int64)
        self._rows: dict[type, Column] = {}

    def refresh(self, membership: int) -> None:
        """Find the rows again if rows of the query's tables were added or removed. membership: that of the World."""
        self.membership = membership
        memberships = tuple([table.membership for table in self._watched])
        if memberships == self._memberships:
            return
        self._memberships = memberships
        self._rows = {}
        tables = list(self._wanted.values())
        smallest = min(tables, key=len)
        handles = smallest.entities
        same = self._still_aligned(tables) or all(
            table is smallest or _same(handles, table.entities) for table in tables
        )
        self._versions = [table.version for table in tables]
        shunned = any(len(table) for table in self._without)
        if same and not shunned:
            self._aligned, self._entities = True, handles.copy()
            return
        index = handles & INDEX_MASK
        keep = self._unshunned(index) if shunned else None
        rows_of: dict[type, Column] = {}
        for cls, table in self._wanted.items():
            if table is not smallest:
                rows = rows_of[cls] = table.take_rows(index)
                keep = rows >= 0 if keep is None else keep & (rows >= 0)
        whole = keep is None or bool(keep.all())
        self._aligned = same and whole
        self._entities = handles.copy() if whole else handles[keep]
        self._rows = rows_of if whole else {cls: rows[keep] for cls, rows in rows_of.items()}
        every = np.arange(len(handles), dtype=np.int32)
        self._rows[smallest.schema.cls] = every if whole else every[keep]

    def _still_aligned(self, tables: list[Table]) -> bool:
        """Return whether the tables are aligned because they were so before, and the rows that changed are."""
        if not self._aligned or len({len(table) for table in tables}) > 1:
            return False
        handles = tables[0].entities
        for table, version in zip(tables, self._versions, strict=True):
            changes = table.changes(version)
            rows = changes.rows if not changes.all else None
            if rows is None or any((other.entities[rows] != handles[rows]).any() for other in tables[1:]):
                return False
        return True

    def _unshunned(self, index: Column) -> Column:
        """Return bool: which entities have none of the components in `without`."""
        keep: Column = np.ones(len(index), np.bool_)
        for word, bits in enumerate(self._world.entities.signature):
            if self._avoid[word]:
                keep &= bits.take(index) & self._avoid[word] == 0
        return keep

    def __len__(self) -> int:
        return len(self._entities)

    def __iter__(self) -> Iterator[int]:
        return iter(self._entities.tolist())

    @property
    def entities(self) -> Column:
        """int64: the handles, in the order of the rows."""
        return self._entities

    @property
    def aligned(self) -> bool:
        """Whether row k of each wanted table is the k-th entity, so that columns are plain slices."""
        return self._aligned

    def rows(self, cls: type) -> Column:
        """Return int32: the row of each entity in the table of `cls`; -1 if an optional component is absent."""
        rows = self._rows.get(cls)
        if rows is None:
            table = self._table(cls)
            if self._aligned and cls in self._wanted:
                rows = np.arange(len(self._entities), dtype=np.int32)
            else:
                rows = table.lookup(self._entities)
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


def _same(a: Column, b: Column) -> bool:
    """Whether two columns of handles are equal; the ends are compared first, which finds most differences quickly."""
    if len(a) != len(b):
        return False
    return not len(a) or bool(a[0] == b[0] and a[-1] == b[-1] and (a == b).all())


def _spec(spec: Any) -> FieldSpec:
    if not isinstance(spec, FieldSpec):
        raise UsageError(f"a query is indexed by a field, not by {spec!r}", hint="Write query[Body.velocity]")
    return spec
