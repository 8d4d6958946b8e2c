"""Deltas: the difference between two states of a World, as changed rows of columns, which can be applied both ways.

A `Mirror` keeps a copy of a World's state. `difference` compares the copy with the World, returns what has changed, and
updates the copy; `apply` changes World and copy together. All columns are compared, however they were written. Handles,
the order of rows, generations and free slots are part of a delta, so undone states have the same hash.

Not part of a delta: transient fields, derived resources, the tick, events and the cursors of readers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np

from rish_jit.errors import UsageError

from ..declarations.columns import Column, distinct, is_array
from ..declarations.component import Kind
from ..declarations.resource import ResourceSpec, copy_fields, copy_plain, remade, resource_spec
from ..storage.store import Store
from ..storage.table import Columns, Table
from ..storage.text import gathered
from .data import TableState
from .filling import fill
from .plain_bytes import FieldBytes, plain_bytes
from .snapshot import capture_rows

_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
HANDLES, ADDED = "<handles>", "<added_at>"
"""The names of the two columns of a table of components that are no fields."""


class Ragged(NamedTuple):
    """A column of rows of variable length: int32 lengths, and the items of all rows in order."""

    lengths: Column
    items: Column

    def take(self, rows: Column) -> Ragged:
        """Return some rows."""
        ends = np.cumsum(self.lengths, dtype=np.int64)
        lengths = self.lengths[rows]
        return Ragged(lengths, gathered(self.items, ends[rows] - lengths, lengths))

    def split(self) -> list[Column]:
        """Return the items of each row."""
        return np.split(self.items, np.cumsum(self.lengths)[:-1]) if len(self.lengths) else []


Values = Column | Ragged


@dataclass(slots=True)
class Patch:
    """The difference between two versions of a column.

    rows: int64, the rows below the length of both versions that differ. sides: for the earlier and the later version,
    the values of these rows, and the values of the rows beyond the shorter length.
    """

    rows: Column
    sides: tuple[tuple[Values, Values], tuple[Values, Values]]

    @property
    def nbytes(self) -> int:
        """The size in bytes."""
        arrays = [array for side in self.sides for values in side for array in _parts(values)]
        return self.rows.nbytes + sum(array.nbytes for array in arrays)

    def applied(self, values: Values, forward: bool) -> Values:
        """Return the other version of a column: the later one, or the earlier one."""
        present, (some, tail) = self.sides[not forward], self.sides[forward]
        return patched(values, self.rows, some, count_of(present[1]), tail)


@dataclass
class TableDelta:
    """The changed columns of a table, by field."""

    patches: dict[str, Patch] = field(default_factory=dict[str, Patch])
    moved: bool = False
    """Whether rows were added, removed or moved."""


@dataclass
class Delta:
    """The difference between two states of a World; false if there is none.

    entities: by array. tables: by full name. resources: by full name, the earlier and the later values of the fields
    that differ; None: the resource did not exist. changes: the state of change detection, earlier and later.
    """

    entities: dict[str, Patch] = field(default_factory=dict[str, Patch])
    tables: dict[str, TableDelta] = field(default_factory=dict[str, TableDelta])
    resources: dict[str, tuple[Any, Any]] = field(default_factory=dict[str, tuple[Any, Any]])
    changes: tuple[Any, Any] | None = None

    def __bool__(self) -> bool:
        return bool(self.entities or self.tables or self.resources)

    @property
    def nbytes(self) -> int:
        """The size in bytes; that of resources is an estimate."""
        patches = [*self.entities.values(), *(p for table in self.tables.values() for p in table.patches.values())]
        resources = [values for pair in self.resources.values() for values in pair if values is not None]
        return 200 + sum(patch.nbytes + 100 for patch in patches) + sum(len(plain_bytes(v)) for v in resources)

    def then(self, later: Delta) -> Delta | None:
        """Return this delta and the following one as one, if both change the same rows of the same fields.

        None if they do not; so the deltas of a drag stay as small as one.
        """
        if self.entities or later.entities or self.tables.keys() != later.tables.keys():
            return None
        if self.resources.keys() != later.resources.keys() or any(None in pair for pair in self.resources.values()):
            return None
        joined = Delta(changes=self.changes)
        for key, table in self.tables.items():
            later_table = later.tables[key]
            if table.moved or later_table.moved or table.patches.keys() != later_table.patches.keys():
                return None
            joined.tables[key] = TableDelta()
            for name, patch in table.patches.items():
                if not np.array_equal(patch.rows, later_table.patches[name].rows):
                    return None
                joined.tables[key].patches[name] = Patch(
                    patch.rows, (patch.sides[0], later_table.patches[name].sides[1])
                )
        for key, (before, after) in self.resources.items():
            first, last = later.resources[key]
            if first is None or last is None:
                return None
            joined.resources[key] = ({**first, **before}, {**after, **last})
        return joined


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
        if not state.length and not columns.used:
            return None
        delta = TableDelta(moved=state.length != columns.used)
        for name in (*state.fields, *((HANDLES, ADDED) if isinstance(columns, Table) else ())):
            now = _current(columns, name)
            patch = patch_of(field_of(state, name), now)
            if patch is not None:
                delta.patches[name] = patch
                delta.moved |= name in (HANDLES, ADDED)
                put_field(state, name, now if isinstance(now, Ragged) else now.copy())
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


def patch_of(before: Values, now: Values) -> Patch | None:
    """Return the difference between two versions of a column; None if they have the same bits."""
    common = min(count_of(before), count_of(now))
    if isinstance(before, Ragged) or isinstance(now, Ragged):
        assert isinstance(before, Ragged)
        assert isinstance(now, Ragged)
        if _same(before.lengths, now.lengths) and _same(before.items, now.items):
            return None
        rows = _ragged_rows(before, now, common)
    else:
        if len(before) == len(now) and _same(before, now):
            return None
        unlike = _bits(before[:common]) != _bits(now[:common])
        rows = np.flatnonzero(_any(unlike))
    sides = [(_taken(values, rows), _taken(values, np.arange(common, count_of(values)))) for values in (before, now)]
    return Patch(rows, (sides[0], sides[1]))


def patched(values: Values, rows: Column, some: Values, cut: int, tail: Values) -> Values:
    """Return another version of a column: without its last `cut` rows, with a tail, and with some rows replaced."""
    joined = _joined(_taken(values, np.arange(count_of(values) - cut)), tail)
    return _placed(joined, rows, some)


def _bits(values: Column) -> Column:
    return np.ascontiguousarray(values).view(_WORDS[values.dtype.itemsize])


def _same(one: Column, other: Column) -> bool:
    return one.shape == other.shape and np.array_equal(_bits(one), _bits(other))


def _ragged_rows(before: Ragged, now: Ragged, common: int) -> Column:
    """Return int64: the rows below `common` whose items differ."""
    unlike = before.lengths[:common] != now.lengths[:common]
    alike = np.flatnonzero(~unlike)
    one, other = before.take(alike), now.take(alike)
    owner = np.repeat(alike, one.lengths)
    items = _bits(one.items) != _bits(other.items)
    unlike[owner[_any(items)]] = True
    return np.flatnonzero(unlike)


def _any(unlike: Column) -> Column:
    """Return bool: the rows in which any number is True."""
    return cast("Column", unlike.any(axis=tuple(range(1, unlike.ndim)))) if unlike.ndim > 1 else unlike


def _parts(values: Values) -> tuple[Column, ...]:
    return tuple(values) if isinstance(values, Ragged) else (values,)


def count_of(values: Values) -> int:
    """Return the number of rows of a column."""
    return len(values.lengths) if isinstance(values, Ragged) else len(values)


def _taken(values: Values, rows: Column) -> Values:
    return values.take(rows) if isinstance(values, Ragged) else values[rows]


def _joined(values: Values, tail: Values) -> Values:
    if isinstance(values, Ragged):
        assert isinstance(tail, Ragged)
        return Ragged(*map(np.concatenate, zip(values, tail, strict=True)))
    return np.concatenate([values, cast("Column", tail)])


def _placed(values: Values, rows: Column, some: Values) -> Values:
    """Return the values with some rows replaced."""
    if not isinstance(values, Ragged):
        values[rows] = some
        return values
    assert isinstance(some, Ragged)
    order = np.arange(len(values.lengths))
    order[rows] = len(order) + np.arange(len(rows))
    return cast("Ragged", _joined(values, some)).take(order)


def _current(columns: Columns, name: str) -> Values:
    """Return a column of a table as it is now; plain ones are views."""
    if isinstance(columns, Table) and name in (HANDLES, ADDED):
        return columns.entities if name == HANDLES else columns.added_at[: columns.used]
    if columns.schema.fields[name].type.pooled:
        spans = columns.column(name)
        return Ragged(spans[:, 1].copy(), columns.pool_of(name).gather(spans))
    return columns.column(name)


def field_of(state: TableState, name: str) -> Values:
    """Return a captured column by its name in a `TableDelta`."""
    if name in (HANDLES, ADDED):
        return cast("Column", state.handles if name == HANDLES else state.added_at)
    values = state.fields[name]
    return values if is_array(values) else Ragged(*values)


def put_field(state: TableState, name: str, values: Values) -> None:
    """Replace a captured column by its name in a `TableDelta`."""
    if name == HANDLES:
        state.handles = cast("Column", values)
    elif name == ADDED:
        state.added_at = cast("Column", values)
    else:
        state.fields[name] = values


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
