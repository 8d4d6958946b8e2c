"""Tables: packed columns without holes, and the sparse index that finds an entity's row.

This is the seed's component array as numpy columns. Rows 0 to n-1 are always full: removing a row moves the last
one into the hole (swap-remove), in every column and in the index. Tables that are filled and emptied together stay
aligned, because the same removal moves the same row in each; `Query` turns that into plain slices.

A vector column is stored flat, which numba indexes three times faster than (n, 2), and is seen by numpy as (n, 2).
Growth replaces the columns, so fetch a column each time it is needed and never keep it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import UnknownName, UsageError
from .columns import Column, ColumnType
from .component import Each, FieldSpec, Kind
from .text import Pool, RaggedView, TextTable

GrowCallback = Callable[["Columns", dict[str, Column]], None]


class Columns:
    """Growable columns of the fields of one kind. `columns.x` is a live view of all rows of field x."""

    def __init__(self, kind: Kind, texts: TextTable | None = None, capacity: int = 64) -> None:
        state = self.__dict__
        state["schema"] = kind
        state["used"] = 0
        state["room"] = capacity
        state["version"] = 0
        state["on_grow"] = list[GrowCallback]()
        state["texts"] = texts if texts is not None else TextTable()
        state["_seen"] = list[str]()
        state["_data"] = {name: self._new(spec, capacity) for name, spec in kind.fields.items()}
        state["_pools"] = {
            name: Pool(_item_dtype(spec.type), spec.type.shape) for name, spec in kind.fields.items() if spec.type.pooled
        }

    @staticmethod
    def _new(spec: FieldSpec, capacity: int) -> Column:
        found = spec.type
        return np.zeros(capacity * 2, np.int32) if found.pooled else np.zeros(capacity * found.width, found.dtype)

    def __len__(self) -> int:
        return self.used

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.schema.key}: {self.used} rows of {', '.join(self.schema.fields) or 'nothing'}>"

    def __getattr__(self, name: str) -> Any:
        kind = self.__dict__.get("schema")
        if kind is None or name not in kind.fields:
            if name.startswith("__") or kind is None:
                raise AttributeError(name)
            raise UnknownName(f"{kind.name} has no field {name!r}", given=name, choices=kind.fields)
        view: Any = RaggedView(self, name) if kind.fields[name].type.pooled else self.column(name)
        self.__dict__[name] = view
        self._seen.append(name)
        return view

    def __setattr__(self, name: str, value: Any) -> None:
        kind: Kind = self.schema
        if name in kind.fields:
            self.fill_rows(name, slice(0, self.used), value)
            self.__dict__["version"] += 1
        elif name in self.__dict__:
            self.__dict__[name] = value
        else:
            raise UnknownName(f"{kind.name} has no field {name!r}", given=name, choices=kind.fields)

    @property
    def nbytes(self) -> int:
        """Bytes of the rows in use."""
        return sum(self.flat(name).nbytes for name in self.schema.fields)

    def flat(self, name: str) -> Column:
        """The rows of a field as a one-dimensional slice, `width` numbers a row."""
        data = self._data[name]
        return data[: self.used * (len(data) // self.room)]

    def column(self, name: str) -> Column:
        """The rows of a field as (n,) or (n, width...), a view."""
        found = self.schema.field(name).type
        shape = (2,) if found.pooled else found.shape
        flat = self.flat(name)
        return flat.reshape(self.used, *shape) if shape else flat

    def pool_of(self, name: str) -> Pool:
        """The pool behind a `Chars` or `list[T]` field."""
        return self._pools[name]

    def read_row(self, name: str, row: int) -> Any:
        """One value as Python sees it: a float, a str, an enum member, a live vector view, a copy of a list."""
        found = self.schema.field(name).type
        value = self.column(name)[row]
        if found.pooled:
            items = self._pools[name].items[value[0] : value[0] + value[1]]
            if found.special == "chars":
                return items.tobytes().decode()
            if found.item is not None and found.item.special == "str":
                return tuple(self.texts.texts[number] for number in items)
            return items.copy()
        if found.special == "str":
            return self.texts.texts[value]
        if found.enum is not None:
            return list(found.enum)[value]
        return value if found.shape else value.item()

    def write_row(self, name: str, row: int, value: Any) -> None:
        """Set one value, coerced and checked. Raises DeclarationError."""
        spec = self.schema.field(name)
        self._write_checked(spec, row, self.schema.check_value(spec, value))
        self.__dict__["version"] += 1

    def _write_checked(self, spec: FieldSpec, row: int, value: Any) -> None:
        if spec.type.pooled:
            self._write_span(spec, row, self._encode_span(spec.type, value))
        else:
            self.column(spec.name)[row] = self.encode(spec.type, value)

    def encode(self, found: ColumnType, value: Any) -> Any:
        """A checked value, or array of rows, as the numbers that the column holds; texts are interned."""
        if found.special in ("str", "asset") and isinstance(value, str):
            return self.texts.intern(value)
        if found.enum is not None and not isinstance(value, np.ndarray):
            return list(found.enum).index(value)
        if found.special in ("str", "asset") and isinstance(value, np.ndarray) and value.dtype.kind in "UO":  # pyright: ignore[reportUnknownMemberType]
            return self.texts.intern_many(value)  # pyright: ignore[reportUnknownArgumentType]
        return value

    def _encode_span(self, found: ColumnType, value: Any) -> Column:
        if found.special == "chars":
            return np.frombuffer(value.encode(), np.uint8)
        if found.item is not None and found.item.special == "str":
            return self.texts.intern_many(value)
        return np.asarray(value, _item_dtype(found)).reshape(-1, *found.shape)

    def _write_span(self, spec: FieldSpec, row: int, items: Column) -> None:
        pool, span = self._pools[spec.name], self.column(spec.name)[row]
        if len(items) <= span[1]:
            pool.items[span[0] : span[0] + len(items)] = items
            pool.garbage += int(span[1]) - len(items)
            span[1] = len(items)
        else:
            pool.garbage += int(span[1])
            span[0], span[1] = pool.append(items), len(items)

    def fill_rows(self, name: str, rows: slice, value: Any) -> None:
        """Set many rows of a field: one value for all, or an array or `Each` with one a row."""
        spec = self.schema.field(name)
        value = self.schema.check_value(spec, value)
        if isinstance(value, Each):
            self._fill_each(spec, rows, value.values)
            return
        if spec.type.pooled:
            self._fill_spans(spec, rows, self._encode_span(spec.type, value))
            return
        encoded = self.encode(spec.type, value)
        target = self.column(name)[rows]
        if target is encoded:
            return
        try:
            target[...] = encoded
        except ValueError:
            shape = np.shape(encoded)
            raise UsageError(f"{self.schema.name}.{name}: {shape} does not fit {target.shape}") from None

    def _fill_each(self, spec: FieldSpec, rows: slice, values: list[Any]) -> None:
        count = rows.stop - rows.start
        if len(values) != count:
            raise UsageError(f"{self.schema.name}.{spec.name}: {len(values)} values for {count} rows")
        for row, item in zip(range(rows.start, rows.stop), values, strict=True):
            self._write_checked(spec, row, self.schema.check_value(spec, item))

    def _fill_spans(self, spec: FieldSpec, rows: slice, items: Column) -> None:
        """Give every row a copy of the same items."""
        pool, spans = self._pools[spec.name], self.column(spec.name)[rows]
        pool.garbage += int(spans[:, 1].sum())
        spans[:, 1] = len(items)
        if len(items) and len(spans):
            offset = pool.append(np.tile(items, (len(spans), *(1,) * (items.ndim - 1))))
            spans[:, 0] = offset + len(items) * np.arange(len(spans))

    def append(self, count: int, **values: Any) -> slice:
        """Add rows; fields that are not named take their defaults. Gives the slice of the new rows."""
        rows = self.resize(self.used + count)
        for name in values:
            self.schema.field(name)
        for name, spec in self.schema.fields.items():
            self.fill_rows(name, rows, values.get(name, spec.default))
        return rows

    def resize(self, count: int) -> slice:
        """Make it `count` rows. New rows hold whatever was there; gives their slice (empty when it shrinks)."""
        before = self.used
        if count > self.room:
            self._grow(count)
        self._set_count(count)
        for name in self._pools:
            self.column(name)[min(before, count) :] = 0
        return slice(min(before, count), count)

    def clear(self) -> None:
        """Remove all rows."""
        self._set_count(0)
        for pool in self._pools.values():
            pool.used = pool.garbage = 0

    def compact_pools(self) -> None:
        """Squeeze the pools, where that frees enough."""
        for name, pool in self._pools.items():
            pool.compact(self.column(name))

    def reset_transient(self) -> None:
        """Set every transient field to its default in all rows."""
        for name, spec in self.schema.fields.items():
            if spec.transient and self.used:
                self.fill_rows(name, slice(0, self.used), spec.default)

    def _set_count(self, count: int) -> None:
        state = self.__dict__
        state["used"] = count
        state["version"] += 1
        for name in state["_seen"]:
            del state[name]
        state["_seen"].clear()

    def _grow(self, need: int) -> None:
        capacity = max(need, 2 * self.room)
        old = self._data
        grown = {name: self._new(spec, capacity) for name, spec in self.schema.fields.items()}
        for name, data in old.items():
            grown[name][: len(data)] = data
        self.__dict__["_data"] = grown
        self.__dict__["room"] = capacity
        self._set_count(self.used)
        for callback in self.on_grow:
            callback(self, old)

    def move_rows(self, target: Any, source: Any) -> None:
        """Copy rows `source` over rows `target` (an int or index arrays) in every column."""
        for name in self.schema.fields:
            column = self.column(name)
            column[target] = column[source]

    def drop_spans(self, rows: Any) -> None:
        """Count what the rows held in pools as garbage, before the rows go."""
        for name, pool in self._pools.items():
            pool.garbage += int(self.column(name)[rows].reshape(-1, 2)[:, 1].sum())


def _item_dtype(found: ColumnType) -> np.dtype[Any]:
    return np.dtype(np.int32) if found.item is not None and found.item.special in ("str", "asset") else found.dtype


class Table(Columns):
    """The columns of a component, and which entity each row belongs to."""

    def __init__(self, kind: Kind, texts: TextTable | None = None, capacity: int = 64) -> None:
        self.__dict__["membership"] = 0
        self.__dict__["_handles"] = np.zeros(capacity, np.int64)
        self.__dict__["added_at"] = np.zeros(capacity, np.int64)
        self.__dict__["_sparse"] = np.full(64, -1, np.int32)
        super().__init__(kind, texts, capacity)

    @property
    def entities(self) -> Column:
        """int64: the handle of each row, in row order; a view."""
        return self._handles[: self.used]

    def row_of(self, handle: int) -> int:
        """The row of an entity, or -1."""
        index = handle & 0xFFFFFFFF
        return int(self._sparse[index]) if index < len(self._sparse) else -1

    def rows_of(self, handles: Column) -> Column:
        """int32: the row of each entity, -1 where it has none. Handles must be alive."""
        index = handles & 0xFFFFFFFF
        if len(index) and int(index.max()) >= len(self._sparse):
            self._reach(int(index.max()))
        return self._sparse.take(index)

    def insert_row(self, handle: int, at: int = 0) -> int:
        """Give an entity a row, uninitialised; gives its number. `at` is the time stamp for change detection."""
        row = self.used
        index = handle & 0xFFFFFFFF
        if row >= self.room:
            self._grow(row + 1)
        if index >= len(self._sparse):
            self._reach(index)
        self._handles[row] = handle
        self.added_at[row] = at
        self._sparse[index] = row
        self._changed(row + 1)
        for name in self._pools:
            self.column(name)[row] = 0
        return row

    def insert_rows(self, handles: Column, at: int = 0) -> slice:
        """Give many entities rows, uninitialised, in their order; gives the slice of rows."""
        first, end = self.used, self.used + len(handles)
        if end > self.room:
            self._grow(end)
        index = handles & 0xFFFFFFFF
        if len(index) and int(index.max()) >= len(self._sparse):
            self._reach(int(index.max()))
        self._handles[first:end] = handles
        self.added_at[first:end] = at
        self._sparse[index] = np.arange(first, end, dtype=np.int32)
        self._changed(end)
        for name in self._pools:
            self.column(name)[first:end] = 0
        return slice(first, end)

    def remove_row(self, handle: int) -> None:
        """Take an entity's row away; the last row moves into the hole."""
        row, last = self.row_of(handle), self.used - 1
        self.drop_spans(row)
        if row != last:
            moved = self._handles[last]
            self.move_rows(row, last)
            self._handles[row] = moved
            self.added_at[row] = self.added_at[last]
            self._sparse[moved & 0xFFFFFFFF] = row
        self._sparse[handle & 0xFFFFFFFF] = -1
        self._changed(last)

    def remove_rows(self, handles: Column) -> None:
        """Take many rows away at once: what survives of the tail fills the holes, in order.

        The result depends on the set of rows alone, so tables that hold the same entities in the same order stay
        aligned. Time: linear in the number of handles, not of rows.
        """
        rows = np.sort(self.rows_of(handles))
        if not len(rows):
            return
        keep = self.used - len(rows)
        self.drop_spans(rows)
        self._sparse[self._handles[rows] & 0xFFFFFFFF] = -1
        holes = rows[rows < keep]
        tail = np.setdiff1d(np.arange(keep, self.used, dtype=np.int32), rows, assume_unique=True)
        if len(holes):
            moved = self._handles[tail]
            self.move_rows(holes, tail)
            self._handles[holes] = moved
            self.added_at[holes] = self.added_at[tail]
            self._sparse[moved & 0xFFFFFFFF] = holes
        self._changed(keep)

    def reset_rows(self, handles: Column, added_at: Column) -> slice:
        """Hold exactly these entities, in this order, uninitialised; used by restore."""
        self._sparse[:] = -1
        self.clear()
        rows = self.insert_rows(handles)
        self.added_at[rows] = added_at
        return rows

    def _changed(self, count: int) -> None:
        self.__dict__["membership"] += 1
        self._set_count(count)

    def _reach(self, index: int) -> None:
        grown = np.full(max(index + 1, 2 * len(self._sparse)), -1, np.int32)
        grown[: len(self._sparse)] = self._sparse
        self.__dict__["_sparse"] = grown

    def _grow(self, need: int) -> None:
        capacity = max(need, 2 * self.room)
        for name in ("_handles", "added_at"):
            grown = np.zeros(capacity, np.int64)
            grown[: self.used] = self.__dict__[name][: self.used]
            self.__dict__[name] = grown
        super()._grow(need)


