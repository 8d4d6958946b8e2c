"""Writes complete columns into a table, and marks only the rows whose values differ from those before."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from ..declarations.columns import Column
from ..storage.table import Columns

_NO_ROWS: Column = np.zeros(0, np.int64)


def fill(columns: Columns, values: dict[str, Any]) -> None:
    """Write columns with a value for each row, the results of `converted`, and mark the rows that differ.

    A field with None gets its default in all rows. This counts as a change for saved fields only; transient and derived
    fields are reset in every tick, or by those who compute them.
    """
    differing: list[Column] = []
    for name, value in values.items():
        if value is None:
            columns.put_rows(name, slice(0, columns.used), columns.defaults()[name])
            if columns.schema.fields[name].saved:
                differing.append(np.arange(columns.used))
        elif isinstance(value, tuple):
            differing.append(_fill_pool(columns, name, *cast("tuple[Column, Column]", value)))
        else:
            column = columns.column(name)
            differing.append(_differing(column, value))
            column[...] = value
    rows = [some for some in differing if len(some)]
    if rows:
        columns.mark(rows[0] if len(rows) == 1 else np.concatenate(rows))


def _fill_pool(columns: Columns, name: str, lengths: Column, items: Column) -> Column:
    """Write a column with rows of variable length; return the rows that differ."""
    spans, pool = columns.column(name), columns.pool_of(name)
    rows: Column = np.arange(len(lengths))
    if np.array_equal(spans[:, 1], lengths):
        rows = np.unique(np.repeat(rows, lengths)[_differing(pool.gather(spans), items)])
    spans[:, 1] = lengths
    pool.fill(spans, items)
    return rows


def _differing(before: Column, now: Any) -> Column:
    """Return the indices of the rows whose bits differ, int64."""
    now = np.ascontiguousarray(now, before.dtype).reshape(before.shape)
    bits = f"u{before.dtype.itemsize}" if before.dtype.kind == "f" else before.dtype
    different = before.view(bits) != now.view(bits)
    if not different.any():
        return _NO_ROWS
    return np.flatnonzero(different.reshape(len(before), -1).any(axis=1))
