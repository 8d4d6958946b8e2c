"""Converts states in memory to snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..declarations.columns import Column
from ..declarations.resource import copy_plain
from ..snapshots.data import QueueState, TableState
from ..snapshots.snapshot import Snapshot, view_parts
from ..storage.text import gathered
from .rows import HANDLES, SavedRows

if TYPE_CHECKING:
    from .state import SavedState


def snapshot_of(state: SavedState) -> Snapshot:
    """Return the snapshot that is equal to a state; see `SavedState.snapshot`."""
    world = state.world
    state.check_fits(world)
    generation, slots, _, free = state.entities
    rows = {columns: _table_state(saved) for columns, saved in state.rows.items()}
    return Snapshot(
        tick=state.tick,
        texts=world.texts.texts[: state.texts],
        entities={
            "generation": np.frombuffer(generation, np.int64).copy(),
            "state": np.frombuffer(slots, np.uint8).copy(),
            "free": np.frombuffer(free, np.int32).copy(),
        },
        tables={table.schema.key: rows[table] for table in world.tables.values() if table in rows},
        columns={columns.schema.key: rows[columns] for columns in world.columns.values() if columns in rows},
        queues={
            queue.key: QueueState(_table_state(saved, every=True), base, start)
            for queue, (base, start, saved) in state.queues.items()
        },
        resources={saved.spec.key: saved.by_name for saved in state.resources.values()},
        changes=copy_plain(state.changes),
        view=view_parts(world),
        pending=list(state.pending),
    )


def _table_state(saved: SavedRows, *, every: bool = False) -> TableState:
    """Return rows as those of a snapshot. every: with transient and derived fields."""
    state, used = TableState({}, saved.used, {}), saved.used
    start, pools = 0, iter(saved.pools)
    if saved.component:
        start = HANDLES * used
        state.handles, state.added_at = np.frombuffer(saved.data, np.int64, 2 * used).reshape(2, used).copy()
    for name, spec in saved.kind.fields.items():
        column = spec.type
        dtype: Any = np.int32 if column.pooled else column.dtype
        stored: Column = np.frombuffer(saved.data, dtype, used * column.stored_width, start).copy()
        start += stored.nbytes
        values: Any = stored.reshape(used, *column.shape) if not column.pooled else None
        if column.pooled:
            spans = stored.reshape(used, 2)
            items = np.frombuffer(next(pools)[0], column.dtype).reshape(-1, *column.shape)
            values = spans[:, 1].copy(), gathered(items, spans[:, 0], spans[:, 1])
        if every or spec.saved:
            state.schema[name], state.fields[name] = column.schema, values
    return state
