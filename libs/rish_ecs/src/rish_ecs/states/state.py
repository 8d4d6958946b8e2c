"""States in memory: `world.save_state()` and `world.load_state(state)`.

A snapshot is portable: it contains its schema, and a world with other declarations can restore it. Rollback and rewind
return to a state of the same world with the same declarations, many times a second. For them a state is a copy of
memory. Loading one compares it with the present state, and touches only what differs, so derived values stay valid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rish_jit.errors import SnapshotError

from ..snapshots.snapshot import Snapshot
from .derived import DerivedSaver
from .portable import snapshot_of
from .resources import ResourceSaver, SavedFields
from .rows import RowSaver, SavedRows

if TYPE_CHECKING:
    from ..storage.events import EventQueue
    from ..storage.store import Store


@dataclass(slots=True, eq=False)
class SavedState:
    """The state of a World at one moment, for this World only. Created by `world.save_state()`; read-only."""

    world: Store
    layout: int
    tick: int
    texts: int
    entities: tuple[bytes, ...]
    rows: SavedRows
    queues: dict[EventQueue, tuple[int, int]]
    resources: dict[type, SavedFields]
    derived: dict[type, Any]
    changes: dict[str, Any]
    pending: list[Any]

    @property
    def nbytes(self) -> int:
        """The size of entities, rows and events in bytes."""
        return sum(map(len, self.entities)) + len(self.rows.data)

    def fits(self, world: Store) -> bool:
        """Whether the World can load the state: it is the same one, and its classes were not declared again."""
        return self.world is world and self.layout == world.layout and self._knows_resources()

    def check_fits(self, world: Store) -> None:
        """Raise SnapshotError unless the state `fits` the World."""
        hint = "Use world.snapshot() and world.restore(...)"
        if self.world is not world:
            raise SnapshotError("the state was saved by another World", hint=hint)
        if not self.fits(world):
            raise SnapshotError("the state was saved before classes were declared again", hint=hint)

    def _knows_resources(self) -> bool:
        return self.resources.keys() <= {*self.world.resource_classes.values()}

    def snapshot(self) -> Snapshot:
        """Return the state as a snapshot, which other Worlds and processes can restore; equal to the one that
        `world.snapshot()` would have returned. Raises SnapshotError after classes were declared again.
        """
        self.check_fits(self.world)
        return Snapshot(**snapshot_of(self))

    def to_bytes(self) -> bytes:
        """Return the bytes of the snapshot, for a file or the network; see `snapshot`."""
        return self.snapshot().to_bytes()


class StateSaver:
    """Saves and loads states of a World, with caches that save time between two saves."""

    def __init__(self) -> None:
        self._rows = RowSaver()
        self._resources = ResourceSaver()
        self._derived = DerivedSaver()

    @staticmethod
    def of(world: Store) -> StateSaver:
        """Return the saver of a World, which has one from its first save on."""
        if world.saver is None:
            world.saver = StateSaver()
        return world.saver

    def save(self, world: Store, pending: list[Any]) -> SavedState:
        """Return a copy of the state; see `World.save_state`."""
        return SavedState(
            world,
            world.layout,
            world.tick,
            len(world.texts),
            world.entities.save(),
            self._rows.save(world),
            {queue: (queue.base, queue.tick_start) for queue in world.queues.values()},
            self._resources.save(world),
            self._derived.save(world),
            world.changes.save(),
            pending,
        )

    def load(self, world: Store, state: SavedState) -> None:
        """Let the world have a saved state again; see `World.load_state`."""
        state.check_fits(world)
        moved = world.entities.load(state.entities)
        moved |= self._rows.load(world, state.rows)
        for queue, (base, tick_start) in state.queues.items():
            queue.base, queue.tick_start = base, tick_start
        self._resources.load(world, state.resources)
        world.changes.load(state.changes)
        world.tick = state.tick
        world.membership += moved
        world.bus.version += 1
        self._derived.load(world, state.derived)
