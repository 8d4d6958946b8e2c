"""Deltas that follow a reload: they are changed so that they fit the new declarations of their World."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..declarations.component import FieldSpec, Kind
from ..storage.table import Columns
from .data import TableState
from .deltas import ADDED, HANDLES, Delta, Patch, Ragged, TableDelta, Values, count_of, field_of, patch_of
from .mirror import Mirror

_NONE = np.zeros(0, np.int64)


def follow(former: Mirror, deltas: Iterable[Delta]) -> Mirror | None:
    """Return the mirror of a World whose declarations have changed, and let deltas of before fit them.

    What the deltas say about fields and resources that are gone or have another type is left out. Returns None, and
    changes nothing, if the World has other rows than before, or a new field of rows that have moved has values other
    than its default: then the deltas describe something else.
    """
    now, deltas = Mirror(former.world), list(deltas)
    before, after = former.captured, now.captured
    if any(patch_of(former.entities[name], values) is not None for name, values in now.entities.items()):
        return None
    shared = [key for key in before if key in after]
    if not all(_same_rows(before[key][2], after[key][2]) for key in shared):
        return None
    moved = {key for delta in deltas for key, table in delta.tables.items() if table.moved}
    for key in moved.intersection(shared):
        columns, _, state = after[key]
        if not all(_is_default(columns, state, name) for name in _fresh(before[key][1], state)):
            return None
    resources = former.resources.items() & now.resources.items()
    for delta in deltas:
        delta.tables = {key: _fitting(table, before[key][1], after[key]) for key, table in delta.tables.items()
                        if key in before and key in after}  # fmt: skip
        declared = {key for key, _ in resources}
        delta.resources = {key: pair for key, pair in delta.resources.items() if key in declared}
    return now


def _same_rows(one: TableState, other: TableState) -> bool:
    if one.handles is None or other.handles is None:
        return one.length == other.length
    return bool(np.array_equal(one.handles, other.handles))


def _fresh(before: Kind, state: TableState) -> list[str]:
    """Return the captured fields that were not declared before, or with another type."""
    return [name for name in state.fields if _type_of(before.fields.get(name)) != state.schema[name]]


def _type_of(spec: FieldSpec | None) -> str | None:
    return None if spec is None else spec.type.schema


def _is_default(columns: Columns, state: TableState, name: str) -> bool:
    """Whether all rows have the default of a field."""
    return patch_of(field_of(state, name), _defaults(columns, state, name, state.length)) is None


def _defaults(columns: Columns, state: TableState, name: str, count: int) -> Values:
    """Return the default of a field for a number of rows."""
    like, default = field_of(state, name), columns.defaults()[name]
    if isinstance(like, Ragged):
        items = np.asarray(default, like.items.dtype)
        return Ragged(np.full(count, len(items), np.int32), np.concatenate([like.items[:0], *[items] * count]))
    values = np.empty((count, *like.shape[1:]), like.dtype)
    values[...] = default
    return values


def _fitting(table: TableDelta, before: Kind, after: tuple[Columns, Kind, TableState]) -> TableDelta:
    """Return the changes of a table with the fields that it has now."""
    columns, _, state = after
    new_fields = _fresh(before, state)
    delta = TableDelta(
        {name: patch for name, patch in table.patches.items()
         if name in (HANDLES, ADDED) or (name in state.fields and name not in new_fields)}, table.moved,
    )  # fmt: skip
    if table.moved and table.patches:
        sides = next(iter(table.patches.values())).sides
        for name in new_fields:
            none, *tails = (
                _defaults(columns, state, name, count) for count in (0, *(count_of(tail) for _, tail in sides))
            )
            if any(map(count_of, tails)):
                delta.patches[name] = Patch(_NONE, ((none, tails[0]), (none, tails[1])))
    return delta
