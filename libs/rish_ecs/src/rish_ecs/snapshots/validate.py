"""Checks that a decoded snapshot is consistent.

The digest detects damage, but not malicious changes or mistakes of an older writer. So the parts of a decoded snapshot
are checked against each other: each row belongs to a living entity, each column is as long as its table, each pool has
as many items as its rows need. `restore` checks whether it fits a particular world.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from rish_jit.errors import SnapshotError

from ..declarations.columns import Column, distinct, is_array
from ..storage.entities import ALIVE, FREE, INDEX_MASK, RESERVED
from .data import QueueState, SnapshotData, TableState

_FAR = 2**62


def validate(snapshot: SnapshotData) -> SnapshotData:
    """Return the snapshot. Raises SnapshotError if its parts are inconsistent."""
    _need(_is_count(snapshot.tick), "its tick is no number")
    _need(_is_list_of(snapshot.texts, str), "its texts are no texts")
    _need(_is_list_of(snapshot.view, str), "the names of its parts for drawing are no texts")
    _entities(snapshot.entities)
    for states in (snapshot.tables, snapshot.columns, snapshot.queues, snapshot.resources):
        _need(_is_dict_of_names(states), "a part has no names")
    for key, state in snapshot.tables.items():
        _rows(key, state)
        _handles(key, state, snapshot.entities)
    for key, state in snapshot.columns.items():
        _rows(key, state)
    for key, queue in snapshot.queues.items():
        _queue(key, queue)
    _need(all(_is_dict_of_names(values) for values in snapshot.resources.values()), "a resource has no fields")
    _changes(snapshot.changes)
    return snapshot


def _need(true: bool, otherwise: str) -> None:
    if not true:
        raise SnapshotError(f"the snapshot is inconsistent: {otherwise}")


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < _FAR


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(type(item) is kind for item in cast("list[Any]", value))


def _is_dict_of_names(value: Any) -> bool:
    return isinstance(value, dict) and all(type(key) is str for key in cast("dict[Any, Any]", value))


def _is_array(value: Any, dtype: type[np.generic], length: int) -> bool:
    return is_array(value) and value.dtype == dtype and value.shape == (length,)


def _entities(captured: Any) -> None:
    _need(_is_dict_of_names(captured), "it has no entities")
    generation, state, free = (captured.get(name) for name in ("generation", "state", "free"))
    for array in (generation, state, free):
        _need(is_array(array) and array.ndim == 1, "its entities are no columns")
    count = len(generation)
    _need(count <= INDEX_MASK and _is_array(generation, np.int64, count), "its generations are wrong")
    _need(_is_array(state, np.uint8, count) and (state <= RESERVED).all(), "its states are wrong")
    _need(bool((generation >= 1).all() and (generation <= 2**31).all()), "its generations are wrong")
    _need(_is_array(free, np.int32, len(free)) and _is_index(free, count), "its free slots are wrong")
    _need(len(distinct(free)) == len(free) and (state[free] == FREE).all(), "its free slots are wrong")


def _is_index(values: Column, count: int) -> bool:
    return not len(values) or bool(values.min() >= 0 and values.max() < count)


def _rows(key: str, state: Any) -> None:
    _need(isinstance(state, TableState) and _is_count(state.length), f"{key} is no table")
    _need(_is_dict_of_names(state.schema) and _is_dict_of_names(state.fields), f"{key} has no fields")
    _need(all(type(name) is str for name in state.schema.values()), f"{key} has no types")
    _need(state.schema.keys() == state.fields.keys(), f"{key} has fields without types")
    for name, value in state.fields.items():
        if isinstance(value, tuple):
            pair = cast("tuple[Any, ...]", value)
            _need(len(pair) == 2 and all(isinstance(a, np.ndarray) for a in pair), f"{key}.{name} has no items")
            lengths, items = pair
            _need(_is_array(lengths, np.int32, state.length), f"{key}.{name} has the wrong length")
            _need(not len(lengths) or lengths.min() >= 0, f"{key}.{name} has lengths below 0")
            _need(
                items.ndim >= 1 and int(lengths.sum(dtype=np.int64)) == len(items),
                f"{key}.{name} lacks items",
            )
        else:
            _need(
                is_array(value) and value.ndim >= 1 and len(value) == state.length, f"{key}.{name} has the wrong length"
            )


def _handles(key: str, state: TableState, entities: dict[str, Any]) -> None:
    handles, added_at = cast("Any", state.handles), cast("Any", state.added_at)
    _need(_is_array(handles, np.int64, state.length), f"{key} has no entities")
    _need(_is_array(added_at, np.int64, state.length), f"{key} has no times")
    index = handles & INDEX_MASK
    _need(_is_index(index, len(entities["state"])), f"{key} has entities that don't exist")
    alive = (entities["state"][index] == ALIVE) & (entities["generation"][index] == handles >> 32)
    _need(bool(alive.all()) and len(distinct(index)) == len(index), f"{key} has entities that don't exist")


def _queue(key: str, queue: Any) -> None:
    _need(isinstance(queue, QueueState), f"{key} is no event")
    _rows(key, queue.rows)
    counts = _is_count(queue.base) and _is_count(queue.tick_start)
    _need(
        counts and queue.base <= queue.tick_start <= queue.base + queue.rows.length,
        f"{key} is numbered wrongly",
    )


def _changes(changes: Any) -> None:
    _need(_is_dict_of_names(changes) and _is_count(changes.get("sequence")), "its changes are not numbered")
    _need(_is_count(changes.get("view_sequence", 0)), "its changes are not numbered")
    starts, logs = changes.get("log_start"), changes.get("logs")
    _need(isinstance(changes.get("cursors"), dict), "it has no cursors")
    cursors: dict[Any, Any] = changes["cursors"]
    _need(all(_is_cursor(key) for key in cursors), "its cursors have no readers")
    _need(all(_is_count(number) for number in cursors.values()), "its cursors are no numbers")
    _need(_is_dict_of_names(starts) and all(_is_count(n) for n in starts.values()), "its logs have no start")
    _need(_is_dict_of_names(logs) and logs.keys() == starts.keys(), "its logs have no start")
    _need(all(_is_list_of(log, int) for log in logs.values()), "its logs are no entities")
    _need(all(0 <= handle < 2**63 for log in logs.values() for handle in log), "its logs are no entities")
    for (what, _, key), number in cursors.items():
        was_written = what != "removed" or (key in logs and starts[key] <= number <= starts[key] + len(logs[key]))
        _need(was_written, "a reader has read what was never there")


def _is_cursor(key: Any) -> bool:
    return isinstance(key, tuple) and [type(part) for part in cast("tuple[Any, ...]", key)] == [str, str, str]
