"""Tables: packed columns without holes, and a sparse index from entities to rows.

Rows 0 to n-1 are always in use: removing a row moves the last one into its place (swap-remove), in all columns and in
the index. Tables to which rows are added and removed together stay aligned; `Query` then uses plain slices.

A vector column is stored flat, which numba indexes three times faster than (n, 2); for numpy there is a view (n, 2).
Growth replaces the columns, so get a column each time it is needed and do not keep it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from rish_jit.errors import UnknownName, UsageError

from ..declarations.columns import Column, ColumnType, distinct, members_of
from ..declarations.component import PLAIN_TYPES, FieldSpec, Kind, rows_in
from ..vector import Vector
from .entities import INDEX_MASK, describe
from .row_changes import RECENT, RowChanges, Versioned
from .text import Pool, RaggedView, TextTable

_T = TypeVar("_T")
GrowCallback = Callable[["Columns", dict[str, Column]], None]
RemoveCallback = Callable[[Column], None]
_NO_ROWS: Column = np.zeros(0, np.int64)
_FEW = 8
"""The number of handles up to which a loop is faster than numpy."""


class Columns(Versioned):
    """Growable columns for the fields of one kind. `columns.x` is a live view of all rows of field x.

    caches: dicts that are cleared whenever rows are added, removed or moved, or columns are replaced. Code that caches
    values that such a change makes invalid can add a dict of its own.
    """

    def __init__(self, kind: Kind, texts: TextTable | None = None, capacity: int = 64) -> None:
        state = self.__dict__
        state["used"] = 0
        state["room"] = capacity
        self.start_versions(capacity)
        state["on_grow"] = list[GrowCallback]()
        state["texts"] = texts if texts is not None else TextTable()
        state["_seen"] = list[str]()
        state["_flats"] = dict[str, Column]()
        state["_columns"] = dict[Any, Any]()  # views by name, and results by function
        state["caches"] = [state["_flats"], state["_columns"]]
        self._lay_out(kind)
        self._describe(kind)

    def _lay_out(self, kind: Kind) -> None:
        """Create the columns and pools of a kind, with the current capacity."""
        state = self.__dict__
        state["_data"] = {name: self._new(spec, self.room) for name, spec in kind.fields.items()}
        state["_pools"] = {
            name: Pool(spec.type.dtype, spec.type.shape) for name, spec in kind.fields.items() if spec.type.pooled
        }

    def _expose(self) -> None:
        """Get the columns as memoryviews, which read and write single numbers and rows faster than arrays.

        With arrays, `spawn_3` and `despawn_100` take up to twice as long.
        """
        state = self.__dict__
        state["_cells"] = {name: data.data for name, data in self._data.items()}
        state["_row"] = dict[str, tuple[memoryview, int]]()
        state["_single"], state["_wide"], state["_filled"] = list[Any](), list[Any](), dict[str, Any]()

    def _describe(self, kind: Kind) -> None:
        """Set the values that depend on the declaration of a kind."""
        state = self.__dict__
        state["schema"] = kind
        state["_widths"], state["_shapes"], state["_plain"] = kind.layout
        state["_defaults"] = dict[str, Any]()
        self._expose()
        state["_transient"] = [
            (name, not spec.type.pooled and not np.any(self.encode(spec, spec.default, 1)))
            for name, spec in kind.fields.items()
            if spec.transient
        ]

    def take_kind(self, kind: Kind) -> bool:
        """Change to another declaration of the kind with the same rows; return whether the columns were replaced.

        If fields and types are the same, the columns stay. Otherwise all are new, and `redeclare` fills them.
        """
        old = self._data
        changed = _types(kind) != _types(self.schema)
        if changed:
            self._lay_out(kind)
        self._describe(kind)
        self._set_count(self.used)
        self.mark()
        for callback in self.on_grow if changed else ():
            callback(self, old)
        return changed

    @staticmethod
    def _new(spec: FieldSpec, capacity: int) -> Column:
        return np.zeros(capacity * spec.type.stored_width, np.int32 if spec.type.pooled else spec.type.dtype)

    def __len__(self) -> int:
        return self.used

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.schema.key}: {self.used} rows of {', '.join(self.schema.fields)}>"

    def __getattr__(self, name: str) -> Any:
        kind = self.__dict__.get("schema")
        if kind is None or name not in kind.fields:
            if name.startswith("__") or kind is None:
                raise AttributeError(name)
            raise UnknownName(f"{kind.name} has no field {name!r}", given=name, choices=kind.shown)
        view: Any = RaggedView(self, name) if kind.fields[name].type.pooled else self.column(name)
        self.__dict__[name] = view
        self._seen.append(name)
        return view

    def __setattr__(self, name: str, value: Any) -> None:
        kind: Kind = self.schema
        if name in kind.fields:
            if value is not self.__dict__.get(name):  # otherwise `table.x += 1`, which has already written the view
                self.fill_rows(name, slice(0, self.used), value)
            self.mark()
        elif name in self.__dict__:
            self.__dict__[name] = value
        else:
            raise UnknownName(f"{kind.name} has no field {name!r}", given=name, choices=kind.shown)

    @property
    def nbytes(self) -> int:
        """The size in bytes of the rows in use."""
        return sum(self.flat(name).nbytes for name in self.schema.fields)

    def flat(self, name: str) -> Column:
        """Return the rows of a field as a one-dimensional slice, `width` numbers per row."""
        view = self._flats.get(name)
        if view is None:
            view = self._flats[name] = self._data[name][: self.used * self._widths[name]]
        return view

    def flat_rows(self, rows: slice) -> tuple[Column, ...]:
        """Return some rows of each field as one-dimensional slices, in the order of the fields."""
        first, end, widths = rows.start, rows.stop, self._widths.values()
        return tuple([data[first * w : end * w] for data, w in zip(self._data.values(), widths, strict=True)])

    def column(self, name: str) -> Column:
        """Return the rows of a field as (n,) or (n, width...), a view."""
        view = self._columns.get(name)
        if view is None:
            if name not in self._data:
                self.schema.field(name)  # raises UnknownName
            flat, shape = self.flat(name), self._shapes[name]
            view = self._columns[name] = flat.reshape(self.used, *shape) if shape else flat
        return view

    def cached(self, function: Callable[[Any], _T]) -> _T:
        """Return the result of a function of this table, cached until rows are added, removed or moved, or columns are
        replaced.
        """
        result: Any = self._columns.get(function)
        if result is None:
            result = self._columns[function] = function(self)
        return result

    def pool_of(self, name: str) -> Pool:
        """Return the pool of a `Chars` or `list[T]` field."""
        return self._pools[name]

    def read_row(self, name: str, row: int) -> Any:
        """Return one value for Python: a float, a str, an enum member, a live view of a vector, a copied list."""
        if name in self._plain and 0 <= row < self.used:
            return self._cells[name][row]
        column: ColumnType = self.schema.field(name).type
        if column.pooled:
            first, length = self.column(name)[row].tolist()
            items = self._pools[name].items[first : first + length]
            if column.special == "chars":
                return items.tobytes().decode()
            return tuple(self.texts.texts[n] for n in items.tolist()) if column.text else items.copy()
        if column.shape:
            return self.column(name)[row]
        number: int | float = self.flat(name)[row].item()
        if column.text:
            return self.texts.texts[number]
        return number if column.enum is None else members_of(column.enum)[int(number)]

    def read_value(self, name: str, row: int) -> Any:
        """Return one value for Python: the same as `read_row`, but a vector as a `Vector`."""
        if name in self._plain and 0 <= row < self.used:
            return self._cells[name][row]
        if len(self._shapes.get(name, ())) != 1 or name in self._pools or not 0 <= row < self.used:
            return self.read_row(name, row)
        width = self._widths[name]
        return Vector(self._cells[name][row * width : row * width + width].tolist())

    def write_row(self, name: str, row: int, value: Any) -> None:
        """Set one value, coerced and checked; a row that has the same bits already is not marked. Raises
        DeclarationError.
        """
        spec = self.schema.fields.get(name)
        if spec is not None and 0 <= row < self.used and spec.is_usual(value):
            cells, (words, count) = self._cells[name], (self._row or self._lay_out_row())[name]
            first = row * count
            before = words[row] if count == 1 else words[first : first + count].tolist()
            if name in self._plain:
                cells[row] = value
            else:
                for index, number in enumerate(value, row * len(value)):
                    cells[index] = number
            if before != (words[row] if count == 1 else words[first : first + count].tolist()):
                self.mark(row)
            return
        spec = self.schema.field(name)
        encoded = self.encode(spec, self.schema.check_value(spec, value), 1)
        if not -self.used <= row < self.used:
            raise IndexError(f"{self.schema.name} has {self.used} rows, there is no row {row}")
        row %= self.used
        bits = self._bits_of(name, row)
        self._put_value(name, row, encoded)
        if bits != self._bits_of(name, row):
            self.mark(row)

    def _lay_out_row(self) -> dict[str, tuple[memoryview, int]]:
        """Return by field the column as the longest whole numbers that fit in a row, and how many of them a row has.

        Lists the columns with one such number in a row (`_single`) and with more (`_wide`), each with the default, and
        the defaults that have items in a pool (`_filled`).
        """
        for name, data in self._data.items():
            size = data.nbytes // self.room
            code, bytes_each = ("Q", 8) if size % 8 == 0 else ("I", 4) if size % 4 == 0 else ("B", 1)
            count, words = size // bytes_each, data.data.cast("B").cast(code)
            stored, default = np.empty_like(data[: data.size // self.room]), self.defaults()[name]
            stored[:] = 0 if name in self._pools else np.ravel(default)
            if name in self._pools and len(default):
                self._filled[name] = default
            numbers = stored.data.cast("B").cast(code)
            self._row[name] = words, count
            if count == 1:
                self._single.append((words, numbers[0]))
            else:
                self._wide.append((words, count, numbers))
        return self._row

    def row_key(self, row: int, names: Iterable[str]) -> tuple[Any, ...]:
        """Return the stored numbers of some fields of a row, as a key: equal for equal bits."""
        layout = self._row or self._lay_out_row()
        columns = [layout[name] for name in names]
        return tuple(
            [
                words[row] if count == 1 else words[row * count : row * count + count].tobytes()
                for words, count in columns
            ]
        )

    def _bits_of(self, name: str, row: int) -> bytes:
        """Return the bytes of a value; of one with items in a pool, those of the items."""
        if name not in self._pools:
            return self.column(name)[row].tobytes()
        first, length = self.column(name)[row].tolist()
        return self._pools[name].items[first : first + length].tobytes()

    def fill_rows(self, name: str, rows: slice, value: Any) -> None:
        """Set many rows of a field: one value for all, or an array or `Each` with one per row."""
        spec = self.schema.field(name)
        checked = self.schema.check_value(spec, value)
        self.put_rows(name, rows, self.encode(spec, checked, rows.stop - rows.start))

    def encode(self, spec: FieldSpec, value: Any, count: int) -> Any:
        """Return a checked value as numbers, for `put_rows`; texts are interned.

        A single value gives the numbers of one row, which apply to all rows; an array gives an array, an `Each` a list.
        Raises UsageError if it does not have `count` rows.
        """
        column = spec.type
        is_plain = column.special in PLAIN_TYPES
        if is_plain and getattr(value, "ndim", -1) == len(column.shape):
            return value
        many = rows_in(spec, value)
        if many is not None and many != count:
            raise UsageError(f"{self.schema.name}.{spec.name}: {many} values for {count} rows")
        if is_plain:
            return value
        if column.pooled:
            items = [self._encode_items(column, item) for item in (value.values if many is not None else [value])]
            return items if many is not None else items[0]
        if column.text:
            return self.texts.encode(value)
        return members_of(column.enum).index(value) if column.enum is not None and many is None else value

    def _encode_items(self, column: ColumnType, value: Any) -> Column:
        if column.special == "chars":
            return np.frombuffer(value.encode(), np.uint8)
        return self.texts.encode(value) if column.text else value

    def encode_all(self, values: dict[str, Any], count: int) -> dict[str, Any]:
        """Return checked values by field as numbers, for `put_all`."""
        fields = self.schema.fields
        return {name: self.encode(fields[name], value, count) for name, value in values.items() if name in fields}

    def put_rows(self, name: str, rows: Any, encoded: Any) -> None:
        """Write encoded values into rows, a slice or an index array."""
        if name in self._pools:
            self._pools[name].put(self.column(name), rows, encoded)
        else:
            self.column(name)[rows] = encoded

    def put_all(self, rows: slice, encoded: dict[str, Any]) -> None:
        """Write complete new rows; fields without an encoded value get their defaults."""
        if rows.stop - rows.start == 1:
            self.put_row(rows.start, encoded)
            return
        for name, default in self.defaults().items():
            self.put_rows(name, rows, encoded.get(name, default))

    def put_row(self, row: int, encoded: dict[str, Any]) -> None:
        """Write one complete new row, as `put_all`."""
        if not self._row:
            self._lay_out_row()
        for words, default in self._single:
            words[row] = default
        for words, count, default in self._wide:
            words[row * count : row * count + count] = default
        for name, value in (self._filled | encoded).items():
            self._put_value(name, row, value)

    def _put_value(self, name: str, row: int, value: Any) -> None:
        width = self._widths[name]
        if name in self._pools:
            self._pools[name].put(self.column(name), slice(row, row + 1), value)
        elif getattr(value, "dtype", self._data[name].dtype) != self._data[name].dtype:
            self.column(name)[row : row + 1] = value  # numpy converts it
        elif width > 1:
            self._cells[name][row * width : row * width + width] = value.ravel()
        else:
            self._cells[name][row] = value.item() if isinstance(value, np.ndarray) else value

    def defaults(self) -> dict[str, Any]:
        """Return the encoded default of each field; read-only."""
        defaults = self._defaults
        if not defaults:
            for name, spec in self.schema.fields.items():
                defaults[name] = self.encode(spec, spec.default, 1)
        return defaults

    def append(self, count: int, /, **values: Any) -> slice:
        """Add rows; fields that are not named get their defaults. Return the slice of the new rows."""
        kind = self.schema
        specs = {kind.given_field(name): value for name, value in values.items()}
        checked = {spec.name: kind.check_value(spec, value) for spec, value in specs.items()}
        encoded = self.encode_all(checked, count)
        self.put_all(rows := self.resize(self.used + count), encoded)
        return rows

    def resize(self, count: int) -> slice:
        """Set the number of rows; return the slice of the new ones, whose values are undefined."""
        before = self.used
        if count < before:
            self.drop_spans(slice(count, before))
        if count > self.room:
            self._grow(count)
        rows = slice(min(before, count), count)
        self._set_count(count, before if count == before + 1 else rows)
        if count < before:
            self._mark_moved()  # without handles, a reader can't learn which rows were removed
        for name in self._pools:
            self.column(name)[rows] = 0
        return rows

    def clear(self) -> None:
        """Remove all rows."""
        self._set_count(0)
        self._mark_moved()
        for pool in self._pools.values():
            pool.used = pool.garbage = 0

    def keep_rows(self, mask: Column) -> None:
        """Keep the rows of a table that a bool array selects, in their order, and remove the others.

        Raises UsageError for another length or dtype, and for tables of components, whose rows belong to entities.
        """
        if isinstance(self, Table):
            raise UsageError(
                f"the rows of {self.schema.name} belong to entities", hint="Call world.remove or world.despawn"
            )
        if mask.dtype != np.bool_ or mask.shape != (self.used,):
            raise UsageError(
                f"{self.schema.name}.keep_rows was given {mask.dtype} {mask.shape}", hint=f"Give bool ({self.used},)"
            )
        rows = np.flatnonzero(mask)
        if len(rows) == self.used:
            return
        self.drop_spans(~mask)
        self.move_rows(np.arange(len(rows)), rows)
        for name in self._pools:
            self.column(name)[len(rows) :] = 0
        self.resize(len(rows))

    def compact_pools(self) -> None:
        """Compact the pools that have enough garbage."""
        for name, pool in self._pools.items():
            if pool.garbage:
                pool.compact(self.column(name))

    def reset_transient(self) -> None:
        """Set all transient fields to their defaults in all rows."""
        if not self.used:
            return
        for name, zero in self._transient:
            if zero:
                self.flat(name).fill(0)
            else:
                self.put_rows(name, slice(0, self.used), self.defaults()[name])

    def _set_count(self, count: int, changed: Any = _NO_ROWS) -> None:
        """Set the number of rows. changed: the rows that were added, or filled by others; see `_note`."""
        state = self.__dict__
        state["used"] = count
        state["version"] += 1
        state["membership"] += 1
        self._note(changed)
        state["_moves"][state["membership"] % RECENT] = changed
        for name in state["_seen"]:
            del state[name]
        state["_seen"].clear()
        for cache in state["caches"]:
            if cache:
                cache.clear()

    def _grow(self, need: int) -> None:
        capacity = max(need, 2 * self.room)
        old = self._data
        grown = {name: self._new(spec, capacity) for name, spec in self.schema.fields.items()}
        for name, data in old.items():
            grown[name][: len(data)] = data
        self.__dict__["_data"] = grown
        self.__dict__["room"] = capacity
        self._expose()
        self._reserve_changes(capacity)
        self._set_count(self.used)
        for callback in self.on_grow:
            callback(self, old)

    def move_rows(self, target: Any, source: Any) -> None:
        """Copy rows `source` over rows `target` (ints or index arrays) in all columns."""
        for name in self.schema.fields:
            column = self.column(name)
            column[target] = column[source]

    def drop_spans(self, rows: Any) -> None:
        """Count the pool items of rows as garbage, before the rows are removed."""
        for name, pool in self._pools.items():
            pool.garbage += int(self.column(name)[rows].reshape(-1, 2)[:, 1].sum())


def _types(kind: Kind) -> dict[str, str]:
    """Return the types of the fields by name, as in snapshots."""
    return {name: spec.type.schema for name, spec in kind.fields.items()}


class Table(Columns):
    """The columns of a component, and the entity of each row.

    on_remove: functions that are called with the handles (int64) of entities before `remove` or `despawn` removes their
    rows; not called by a restore. Their changes of structure are queued.
    """

    def __init__(self, kind: Kind, texts: TextTable | None = None, capacity: int = 64) -> None:
        self.__dict__["on_remove"] = list[RemoveCallback]()
        self.__dict__["_handles"] = np.zeros(capacity, np.int64)
        self.__dict__["added_at"] = np.zeros(capacity, np.int64)
        self.__dict__["_sparse"] = np.full(64, -1, np.int32)
        super().__init__(kind, texts, capacity)

    def _expose(self) -> None:
        state = self.__dict__
        state["_slot_cells"] = state["_sparse"].data
        state["_handle_cells"], state["_added_cells"] = state["_handles"].data, state["added_at"].data
        super()._expose()

    @property
    def entities(self) -> Column:
        """int64: the handle of each row, in row order; a view."""
        return self._handles[: self.used]

    @property
    def row_index(self) -> Column:
        """int32: the row of an entity by its index (`INDEX_MASK`), -1 for none; a view, too short for the newest ones.

        A row belongs to a handle if it is that in `entities`.
        """
        return self._sparse

    def row_of(self, handle: int) -> int:
        """Return the row of an entity, or -1 if it has none or the handle is stale."""
        try:
            row = self._slot_cells[handle & INDEX_MASK]
        except IndexError:
            return -1
        return row if row >= 0 and self._handle_cells[row] == handle else -1

    def rows_of(self, handles: Column) -> Column:
        """Return int32: the row of each entity, -1 if it has none or the handle is stale."""
        if not self.used:
            return np.full(len(handles), -1, np.int32)
        if len(handles) <= _FEW:
            return np.array([self.row_of(handle) for handle in handles.tolist()], np.int32)
        index = handles & INDEX_MASK
        in_range = index < len(self._sparse)
        rows = self._sparse.take(index if in_range.all() else np.where(in_range, index, 0))
        rows[self._handles.take(rows, mode="clip") != handles] = -1
        return rows

    def lookup(self, handles: Column) -> Column:
        """Return int32: the same as `rows_of` for handles that are known to be alive; faster."""
        return self.take_rows(handles & INDEX_MASK)

    def take_rows(self, index: Column) -> Column:
        """Return int32: the row of each slot, -1 if it has none."""
        try:
            return self._sparse.take(index)
        except IndexError:
            self._reach(int(index.max()))
            return self._sparse.take(index)

    def insert_row(self, handle: int, at: int = 0) -> int:
        """Add an uninitialized row for an entity; return its index. at: number of the change, for change detection."""
        row, index = self.used, handle & INDEX_MASK
        if row >= self.room:
            self._grow(row + 1)
        if index >= len(self._slot_cells):
            self._reach(index)
        self._handle_cells[row] = handle
        self._added_cells[row] = at
        self._slot_cells[index] = row
        self._set_count(row + 1, row)
        for name in self._pools:
            self._cells[name][2 * row] = self._cells[name][2 * row + 1] = 0
        return row

    def insert_rows(self, handles: Column, at: int = 0) -> slice:
        """Add uninitialized rows for many entities, in their order; return the slice of rows."""
        first, end = self.used, self.used + len(handles)
        if end > self.room:
            self._grow(end)
        index = handles & INDEX_MASK
        self._reach(int(index.max(initial=0)))
        self._handles[first:end] = handles
        self.added_at[first:end] = at
        self._sparse[index] = np.arange(first, end, dtype=np.int32)
        self._set_count(end, rows := slice(first, end))
        for name in self._pools:
            self.column(name)[rows] = 0
        return rows

    def remove_row(self, handle: int) -> None:
        """Remove an entity's row; the last row moves into its place. Raises UnknownName if it has none."""
        row, last = self.row_of(handle), self.used - 1
        if row < 0:
            raise UnknownName(f"entity {describe(handle)} has no {self.schema.name}")
        for name, pool in self._pools.items():
            pool.garbage += self._cells[name][2 * row + 1]
        if row != last:
            if not self._row:
                self._lay_out_row()
            for words, _ in self._single:
                words[row] = words[last]
            for words, count, _ in self._wide:
                words[row * count : row * count + count] = words[last * count : last * count + count]
            moved = self._handle_cells[row] = self._handle_cells[last]
            self._added_cells[row] = self._added_cells[last]
            self._slot_cells[moved & INDEX_MASK] = row
        self._slot_cells[handle & INDEX_MASK] = -1
        self._set_count(last, row)
        self._removals.append((self.version, handle))

    def remove_rows(self, handles: Column) -> None:
        """Remove many rows together: the remaining rows of the tail fill the holes, in order.

        The result depends only on the set of rows, so tables with the same entities in the same order stay aligned.
        Handles without a row are ignored. The time depends on the number of handles, not of rows.
        """
        rows = distinct(self.rows_of(handles))
        rows = rows[rows >= 0]
        if not len(rows):
            return
        keep = self.used - len(rows)
        removed = self._handles[rows]
        self.drop_spans(rows)
        self._sparse[removed & INDEX_MASK] = -1
        holes = rows[rows < keep]
        if len(holes):
            stays = np.ones(self.used - keep, bool)
            stays[rows[len(holes) :] - keep] = False
            tail = keep + np.flatnonzero(stays)
            moved = self._handles[tail]
            self.move_rows(holes, tail)
            self._handles[holes] = moved
            self.added_at[holes] = self.added_at[tail]
            self._sparse[moved & INDEX_MASK] = holes
        self._set_count(keep, holes)
        self._removals.append((self.version, removed))

    def reset_rows(self, handles: Column, added_at: Column) -> None:
        """Let the rows belong to these entities, in this order; used by restore.

        Rows that belonged to another entity are marked. The values stay, those of new rows are undefined.
        """
        before, count = self.entities.copy(), len(handles)
        if not np.array_equal(before, handles):
            if count > self.room:
                self._grow(count)
            index = handles & INDEX_MASK
            self._reach(int(index.max(initial=0)))
            self._sparse[:] = -1
            self._sparse[index] = np.arange(count, dtype=np.int32)
            self._handles[:count] = handles
            both = min(count, len(before))
            others = np.flatnonzero(before[:both] != handles[:both])
            self._set_count(count, np.concatenate([others, np.arange(both, count)]))
            self._removals.append((self.version, before[self.rows_of(before) < 0]))
            for name in self._pools:
                self.column(name)[both:] = 0
        if not np.array_equal(self.added_at[:count], added_at):
            self.added_at[:count] = added_at
            self.__dict__["version"] += 1
            self._note(_NO_ROWS)

    def repeat_changes(self, changes: RowChanges, *, moved: bool) -> None:
        """Mark rows as changed that a reader had not read when a state was saved, after it has noted all as read.

        moved: whether rows were added, removed or moved; the rows themselves stay.
        """
        rows = None if changes.all else changes.rows
        if moved:
            self._set_count(self.used, _NO_ROWS if rows is None else rows)
            self._removals.append((self.version, changes.removed))
            if rows is None:
                self._mark_moved()
        if changes.written or not moved:
            self.mark(rows)

    def _reach(self, index: int) -> None:
        """Make room for a slot."""
        if index < len(self._sparse):
            return
        grown = np.full(max(index + 1, 2 * len(self._sparse)), -1, np.int32)
        grown[: len(self._sparse)] = self._sparse
        self.__dict__["_sparse"], self.__dict__["_slot_cells"] = grown, grown.data

    def _grow(self, need: int) -> None:
        capacity = max(need, 2 * self.room)
        for name in ("_handles", "added_at"):
            grown = np.zeros(capacity, np.int64)
            grown[: self.used] = self.__dict__[name][: self.used]
            self.__dict__[name] = grown
        super()._grow(need)
