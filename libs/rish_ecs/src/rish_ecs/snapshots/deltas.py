"""Deltas: the difference between two states of a World, as changed rows of columns, which can be applied both ways.

Handles, the order of rows, generations and free slots are part of a delta, so undone states have the same hash.
Not part of a delta: transient fields, derived resources, the tick, events and the cursors of readers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np

from ..declarations.columns import Column, is_array
from ..storage.text import gathered
from .data import TableState
from .plain_bytes import plain_bytes

_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
HANDLES, ADDED = "<handles>", "<added_at>"
"""The names of the two columns of a table of components that are no fields."""


class Ragged(NamedTuple):
    """A column of rows of variable length: int32 lengths, and the items of all rows in order."""

    lengths: Column
    items: Column

    def take(self, rows: Column | slice) -> Ragged:
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
    sides = [(taken(values, rows), taken(values, np.arange(common, count_of(values)))) for values in (before, now)]
    return Patch(rows, (sides[0], sides[1]))


def patched(values: Values, rows: Column, some: Values, cut: int, tail: Values) -> Values:
    """Return another version of a column: without its last `cut` rows, with a tail, and with some rows replaced."""
    joined = _joined(taken(values, slice(count_of(values) - cut)), tail)
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


def taken(values: Values, rows: Column | slice) -> Values:
    """Return some rows of a column."""
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
