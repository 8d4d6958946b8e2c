"""Converts states in memory to snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..declarations.columns import Column
from ..declarations.resource import copy_plain
from ..snapshots.data import QueueState, TableState
from ..snapshots.snapshot import view_parts
from ..storage.table import Table
from ..storage.text import gathered
from .rows import HANDLES, Part, Pools

if TYPE_CHECKING:
    from ..storage.events import EventQueue
    from .state import SavedState


def snapshot_of(state: SavedState) -> dict[str, Any]:
    """Return the fields of the snapshot that is equal to a state; see `SavedState.snapshot`."""
    world, rows = state.world, state.rows
    generation, slots, _, free = state.entities
    pools = dict(zip(rows.parts.pooled, rows.pools, strict=True))
    tables = {
        owner: _table_state(part, rows.data, pools.get(part, []), every=owner in state.queues)
        for owner, part in rows.parts.by_owner.items()
    }
    return {
        "tick": state.tick,
        "texts": world.texts.texts[: state.texts],
        "entities": {
            "generation": np.frombuffer(generation, np.int64).copy(),
            "state": np.frombuffer(slots, np.uint8).copy(),
            "free": np.frombuffer(free, np.int32).copy(),
        },
        "tables": {table.schema.key: tables[table] for table in world.tables.values() if table in tables},
        "columns": {table.schema.key: tables[table] for table in world.columns.values() if table in tables},
        "queues": {
            queue.key: QueueState(tables.get(queue) or _table_state(_empty(queue), b"", [], every=True), base, start)
            for queue, (base, start) in state.queues.items()
            if base or queue in tables
        },
        "resources": {saved.spec.key: saved.by_name for saved in state.resources.values()},
        "changes": copy_plain(state.changes),
        "view": view_parts(world),
        "pending": list(state.pending),
    }


def _empty(queue: EventQueue) -> Part:
    return Part(queue, queue.kind, 0, 0, 0)


def _table_state(part: Part, data: bytes, pools: Pools, *, every: bool) -> TableState:
    """Return rows as those of a snapshot. every: with transient and derived fields."""
    used, start = part.used, part.start
    state, items_of = TableState({}, used, {}), iter(pools)
    if isinstance(part.owner, Table):
        state.handles, state.added_at = np.frombuffer(data, np.int64, 2 * used, start).reshape(2, used).copy()
        start += HANDLES * used
    for name, spec in part.kind.fields.items():
        column = spec.type
        dtype: Any = np.int32 if column.pooled else column.dtype
        stored: Column = np.frombuffer(data, dtype, used * column.stored_width, start).copy()
        start += stored.nbytes
        if column.pooled:
            spans = stored.reshape(used, 2)
            items = np.frombuffer(next(items_of, (b"", 0))[0], column.dtype).reshape(-1, *column.shape)
            values: Any = spans[:, 1].copy(), gathered(items, spans[:, 0], spans[:, 1])
        else:
            values = stored.reshape(used, *column.shape)
        if every or spec.saved:
            state.schema[name], state.fields[name] = column.schema, values
    return state
