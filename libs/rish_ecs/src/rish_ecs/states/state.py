"""States in memory: `world.save_state()` and `world.load_state(state)`.

A snapshot is portable: it contains its schema, and a world with other declarations can restore it. Rollback and rewind
return to a state of the same world with the same declarations, many times a second. For them a state is a copy of
memory. Loading one compares it with the present state, and touches only what differs, so derived values stay valid.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rish_jit.errors import SnapshotError

from ..snapshots.restore import rebuild
from ..storage.table import Columns
from .resources import ResourceSaver, SavedFields
from .rows import SavedRows, clear_rows, load_rows, save_rows

if TYPE_CHECKING:
    from ..snapshots.snapshot import Snapshot
    from ..storage.events import EventQueue
    from ..storage.store import Store

_Queue = tuple[int, int, SavedRows]
"""The events of a type that can still be read: the numbers of the first one and of the first one of the tick, rows."""


@dataclass(slots=True, eq=False)
class SavedState:
    """The state of a World at one moment, for this World only. Created by `world.save_state()`; read-only."""

    world: Store
    layout: int
    tick: int
    texts: int
    entities: tuple[bytes, ...]
    rows: dict[Columns, SavedRows]
    queues: dict[EventQueue, _Queue]
    resources: dict[type, SavedFields]
    changes: dict[str, Any]
    pending: list[Any]

    @property
    def nbytes(self) -> int:
        """The size of entities, rows and events in bytes."""
        events = [rows for _, _, rows in self.queues.values()]
        return sum(map(len, self.entities)) + sum(rows.nbytes for rows in (*self.rows.values(), *events))

    def check_fits(self, world: Store) -> None:
        """Raise SnapshotError for a state of another World, or of before classes were declared again."""
        hint = "Use world.snapshot() and world.restore(...)"
        if self.world is not world:
            raise SnapshotError("the state was saved by another World", hint=hint)
        if self.layout != world.layout or not self.resources.keys() <= {*world.resource_classes.values()}:
            raise SnapshotError("the state was saved before classes were declared again", hint=hint)

    def snapshot(self) -> Snapshot:
        """Return the state as a snapshot, which other Worlds and processes can restore; equal to the one that
        `world.snapshot()` would have returned. Raises SnapshotError after classes were declared again.
        """
        from .portable import snapshot_of

        return snapshot_of(self)


def save(world: Store, pending: list[Any]) -> SavedState:
    """Return a copy of the state; see `World.save_state`."""
    if world.saver is None:
        world.saver = ResourceSaver()
    return SavedState(
        world,
        world.layout,
        world.tick,
        len(world.texts),
        world.entities.save(),
        {columns: save_rows(columns) for columns in _tables(world) if columns.used},
        {queue: _save_queue(queue) for queue in world.queues.values() if queue.end},
        world.saver.save(world),
        world.changes.save(),
        pending,
    )


def load(world: Store, state: SavedState) -> None:
    """Let the world have a saved state again; see `World.load_state`."""
    state.check_fits(world)
    moved = world.entities.load(state.entities)
    for columns in _tables(world):
        saved, membership = state.rows.get(columns), columns.membership
        if saved is not None:
            load_rows(columns, saved)
        elif columns.used:
            clear_rows(columns)
        moved |= columns.membership != membership
    for queue in world.queues.values():
        if queue.end or queue in state.queues:
            _load_queue(queue, state.queues.get(queue))
    world.saver.load(world, state.resources)
    world.changes.load(state.changes)
    world.tick = state.tick
    world.membership += moved
    world.bus.version += 1
    rebuild(world)


def _tables(world: Store) -> Iterable[Columns]:
    return (*world.tables.values(), *world.columns.values())


def _save_queue(queue: EventQueue) -> _Queue:
    return queue.base, queue.tick_start, save_rows(queue.columns)


def _load_queue(queue: EventQueue, saved: _Queue | None) -> None:
    if saved is None:
        queue.reset(0, 0)
    else:
        queue.base, queue.tick_start, rows = saved
        load_rows(queue.columns, rows)
