"""The World: the complete state of a game as columns and resources.

All state is stored here: components, tables, resources, events with the cursors of their readers, random streams and
the tick; `snapshot`, `restore` and `hash` cover all of it.

While a stage of the schedule runs, changes of structure (spawn, add, remove, despawn) are queued in call order and
applied at its end; the handle of a queued spawn can be used immediately. Outside a stage changes take effect
immediately.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from rish_jit.errors import DeclarationError

from .declarations.columns import Column
from .declarations.component import Disabled
from .declarations.resource import resource_spec
from .derivations.checks import Recorder
from .derivations.declaration import derived_spec
from .derivations.values import DerivedValue
from .query import Query, classes, make_query
from .random import RandomStreams, Stream
from .snapshots.redeclare import migrate, redeclared, renewed_resource
from .storage.entities import FREE, as_handles
from .storage.events import EventBatch
from .storage.store import TICK, Store
from .storage.structure import Structure
from .storage.table import Columns
from .storage.trees import hangs
from .views import ComponentView, EntityView, view_of

if TYPE_CHECKING:
    from .snapshots.snapshot import Snapshot
    from .states.state import SavedState

_T = TypeVar("_T")


class World(Store):
    """Entities, components, tables, resources and events, with the tick and its length.

    declared: component, event and table classes. seed: of all random streams. dt: seconds of a tick.
    """

    def __init__(self, declared: Iterable[type] = (), *, seed: int = 0, dt: float = 1 / 60) -> None:
        super().__init__(dt)
        self._queries: dict[Any, Query] = {}
        self._derived: dict[type, DerivedValue] = {}
        self._structure = Structure(self)
        self._border: list[Callable[[World], None]] = []
        self.redeclare(declared)
        self.put(RandomStreams(seed=seed))

    def redeclare(self, declared: Iterable[type]) -> None:
        """Use exactly these component, event and table classes from now on; call it only between two ticks.

        Classes with a known full name keep their rows, see `redeclare.py`; the rows of other classes are dropped.
        Raises DeclarationError if two have the same name; then nothing has changed.
        """
        stores = redeclared(self, dict.fromkeys((*declared, Disabled)))
        for present, now in ((self.tables, stores["component"]), (self.columns, stores["table"])):
            for cls in present:
                del self._by_type[cls]
            present.clear()
            present.update(now)
            self._by_type.update(now)
        self.bus.hold(stores["event"], migrate)
        self._bits = {cls: bit for bit, cls in enumerate(self.tables)}
        self.trees = [table for cls, table in self.tables.items() if hangs(cls)]
        self._signatures.clear()
        self._queries.clear()
        self._structure.know_tables()
        words = max(1, -(-len(self.tables) // 64))
        self.entities.set_signatures(words, [table.entities for table in self.tables.values()])
        everything: list[Columns] = [*self.tables.values(), *self.columns.values()]
        self._transient = [t for t in everything if any(s.transient for s in t.schema.fields.values())]
        pooled = [(t, name) for t in everything for name, spec in t.schema.fields.items() if spec.type.pooled]
        self._pools = [(table, table.pool_of(name)) for table, name in pooled]
        self._derived.clear()
        self.layout += 1
        self.membership += 1
        self.hasher = self.saver = None

    def derived_value(self, cls: type) -> DerivedValue:
        """Return the holder of a derived value of this World."""
        value = self._derived.get(cls)
        if value is None:
            spec = derived_spec(cls)
            assert spec is not None, cls
            value = self._derived[cls] = DerivedValue(self, spec)
        return value

    def check_derived(self) -> None:
        """Check derived values from now on, for tests: this takes time.

        Each patched value is compared with a computed one, and a value that is computed from a class that it does not
        declare is an error.
        """
        if not self.checks_derived:
            for name in ("tables", "columns", "resources", "_by_type", "_queries"):
                setattr(self, name, Recorder(getattr(self, name), self))
            self.checks_derived = True

    # Resources

    def put(self, instance: Any) -> None:
        """Set the resource of the instance's class; an existing one is replaced."""
        cls = cast("type[Any]", type(instance))
        spec = resource_spec(cls)
        if spec is None:
            raise DeclarationError(f"{cls.__name__} is no resource", hint="Mark the class with @resource")
        if spec.cls is not cls:
            instance, cls = renewed_resource(instance, spec.cls), spec.cls
        former = self.resource_classes.get(spec.key, cls)
        if former is not cls:
            if (former.__module__, former.__qualname__) != (cls.__module__, cls.__qualname__):
                raise DeclarationError(f"the world has another resource called {spec.key}, of {former.__module__}")
            self.drop(former)  # the class was reloaded
        self.hold(spec.key, cls, instance)

    def renew(self, cls: type) -> Any:
        """Replace a resource class by a newer version of the same full name; return its instance.

        A new instance is created with the old one's fields, by name; without an old class it has its defaults. A
        resource that the game dropped stays dropped, and None is returned. Call it only between two ticks.
        """
        spec = resource_spec(cls)
        former = self.resource_classes.get(spec.key) if spec is not None else None
        if former is cls and cls in self.resources:
            return self.resources[cls]
        if spec is None or former is None:
            self.put(cls())
            return self.resources[cls]
        old = self.resources.get(former)
        instance = renewed_resource(cls() if old is None else old, cls)
        self.resource_classes[spec.key] = cls
        if old is None:  # the game has dropped it
            return None
        del self.resources[former], self._by_type[former]
        self.put(instance)
        return instance

    def private(self, *resources: type) -> World:
        """Return an empty World with the same classes and step, and shallow copies of these resources.

        Systems can run in it without an effect on this World, for instance to call their kernels before a scene begins.
        """
        world = World([*self.tables, *self.columns, *self.queues], dt=self.dt)
        for cls in resources:
            world.put(copy.copy(self[cls]))
        return world

    def forget(self, cls: type) -> None:
        """Remove a resource and its class, which is no longer declared. Call it only between two ticks."""
        self.drop(cls)
        spec = resource_spec(cls)
        self.resource_classes.pop(spec.key if spec is not None else "", None)

    @property
    def seed(self) -> int:
        """The seed of all random streams."""
        return self.resources[RandomStreams].seed

    def random(self, name: str) -> Stream:
        """Return the random stream of that name; streams are independent. Not allowed in frame stages."""
        self.check_stage("drawing random numbers")
        return self.resources[RandomStreams][name]

    # Entities

    def spawn(self, *parts: Any) -> int:
        """Spawn an entity with these components (instances, or classes for all defaults); return its handle."""
        return self._structure.spawn(parts)

    def spawn_many(self, count: int, *parts: Any) -> Column:
        """Spawn many entities; a value may be an array (or `Each`) with one row per entity. Return int64 handles."""
        return self._structure.spawn_many(count, parts)

    def despawn(self, which: int | Column | Sequence[int]) -> None:
        """Remove one or many entities and their children. Raises StaleEntity before anything is removed."""
        self._structure.change("despawn", self._handles(which))

    def add(self, which: int | Column | Sequence[int], *parts: Any) -> None:
        """Add components to one or many entities; an existing component is replaced completely, including defaults."""
        self._structure.change("add", self._handles(which), parts)

    def set(self, which: int | Column | Sequence[int], *parts: Any) -> None:
        """Write only the given fields of existing components."""
        self._structure.set(self._handles(which), parts)

    def remove(self, which: int | Column | Sequence[int], *kinds: type) -> None:
        """Remove components from one or many entities; absent ones are ignored."""
        self._structure.change("remove", self._handles(which), kinds)

    def _handles(self, which: int | Column | Sequence[int]) -> Column:
        if isinstance(which, (int, np.integer)):
            handle = int(which)
            if self.entities.status(handle) == FREE:
                raise self.entities.stale(handle)
            return np.array([handle], np.int64)
        handles = as_handles(which)
        bad = self.entities.status_many(handles) == FREE
        if bad.any():
            raise self.entities.stale(int(handles[bad][0]))
        return handles

    def get(self, handle: int, cls: type[_T]) -> ComponentView:
        """Return an entity's component as a light view. Raises StaleEntity, NotYet, or UnknownName if absent."""
        handle = self._number(handle)
        self.locate(handle, cls)
        return view_of(self, handle, cls)

    def entity(self, handle: int) -> EntityView:
        """Return an entity as an object."""
        return EntityView(self, self._number(handle))

    # Queries

    def query(self, *wanted: type, without: Any = (), optional: Any = ()) -> Query:
        """Return all entities with all components of `wanted` and none of `without`; `optional` ones may be absent.

        Entities with `Disabled` are left out unless it is named. The same arguments return the same object.
        """
        key = (wanted, without, optional)
        try:
            query = self._queries.get(key)
        except TypeError:  # a list or a set of classes
            return self.query(*wanted, without=classes(without), optional=classes(optional))
        if query is None:
            query = self._queries[key] = make_query(self, wanted, classes(without), classes(optional))
        if query.membership != self.membership:
            query.refresh(self.membership)
        return query

    def added(self, cls: type) -> Column:
        """Return int64: entities that got a component since the running system's last call, and still have it."""
        return self.changes.added(cls)

    def removed(self, cls: type) -> Column:
        """Return int64: entities that lost a component, or died with it, since the running system's last call."""
        return self.changes.removed(cls)

    # Events

    def emit(self, cls: type, /, **values: Any) -> None:
        """Emit an event, or one for each row of array values; nothing if nobody reads it, see `is_read`.

        Only tick stages may emit.
        """
        self.check_stage("emitting")
        queue = self.bus.queue(cls)
        if not queue.on_demand or self.is_read(cls):
            self.bus.version += 1
            queue.emit(values)

    def emit_rows(self, cls: type, count: int) -> tuple[Column, ...]:
        """Emit `count` events; return their columns, flat and in the order of the fields, which the caller must fill.

        For kernels that write hundreds of events per tick: nothing is checked or copied. Only tick stages may emit.
        """
        self.check_stage("emitting")
        self.bus.version += 1
        return self.bus.queue(cls).extend(count)

    def is_read(self, cls: type) -> bool:
        """Whether events of this type are emitted: not if they are `on_demand`, and no system declares to read them."""
        queue = self.queues.get(cls) or self.bus.queue(cls)
        return not queue.on_demand or self.readers is None or self.readers.is_read(self, queue.kind.cls)

    def events(self, cls: type) -> EventBatch:
        """Return the events that the running system has not read yet; in frame stages all of this frame's ticks.

        Raises UsageError for events `on_demand` that the system does not declare to read.
        """
        queue = self.queues.get(cls) or self.bus.queue(cls)
        if queue.on_demand and self.readers is not None:
            self.readers.check(self, queue.kind.cls)
        if self.stage is not None and self.stage not in TICK:
            return self.bus.of_frame(cls)
        end, cursors = queue.base + queue.columns.used, self.changes.tick.cursors
        cursor = ("events", self.running, queue.key)
        first = cursors.get(cursor, 0)
        cursors[cursor] = end  # a system that reads without news costs 1 µs, and a game has dozens of them
        return queue.read(first) if first < end else queue.nothing

    # Time

    @property
    def pending(self) -> bool:
        """Whether changes of structure are queued for the end of the stage."""
        return bool(self._structure.queue)

    def flush(self) -> None:
        """Apply the queued changes of structure, in the order of the calls."""
        self._structure.flush()

    def pending_operations(self) -> list[Any]:
        """Return the changes of structure that are queued for the end of the stage."""
        return list(self._structure.queue)

    def defer(self, work: Callable[[World], None]) -> None:
        """Call `work(world)` before the next tick, between two ticks, where any state may change."""
        self._border.append(work)

    @property
    def has_deferred(self) -> bool:
        """Whether deferred calls are waiting; they are not state, so a snapshot taken now does not contain them."""
        return bool(self._border)

    def run_deferred(self) -> None:
        """Run the deferred calls; calls that these defer run at the next time."""
        waiting, self._border = self._border, []
        try:
            while waiting:
                waiting.pop(0)(self)
        finally:
            self._border[:0] = waiting  # calls that did not run because of an error run first next time

    def end_tick(self) -> None:
        """Finish a tick: drop old events, reset transient fields, compact pools, and increment the tick."""
        self.bus.end_tick()
        for table in self._transient:
            table.reset_transient()
        for table, pool in self._pools:
            if pool.garbage:
                table.compact_pools()
        self.changes.trim()
        self.tick += 1

    def end_frame(self) -> None:
        """Drop the events that were kept for the frame."""
        self.bus.end_frame()

    # Snapshots and hashes

    def snapshot(self, *, transient: bool = False) -> Snapshot:
        """Return a copy of all state.

        transient: include the fields that are reset each tick, and derived ones, for use within a tick.
        """
        from .snapshots.snapshot import capture

        return capture(self, transient, self.pending_operations())

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot, also of a world with another schema. Raises SnapshotError; then nothing has changed."""
        from .snapshots.restore import restore

        self._structure.queue = restore(self, snapshot)

    def save_state(self) -> SavedState:
        """Return a copy of all state that only this World can load, much faster than a snapshot; between two ticks.

        It contains transient and derived fields too. Raises DeclarationError for a resource with a value not plain.
        """
        from .states.state import StateSaver

        return StateSaver.of(self).save(self, self.pending_operations())

    def load_state(self, state: SavedState) -> None:
        """Load a saved state; only what differs from the present state is written, and marked as changed.

        As after `restore`, derived resources are rebuilt. Raises SnapshotError for a state of another World, or of
        before classes were declared again; then nothing has changed.
        """
        from .states.state import StateSaver

        StateSaver.of(self).load(self, state)
        self._structure.queue = list(state.pending)

    def hash(self) -> str:
        """Return 32 hex digits that are equal for equal state, on all machines."""
        from .snapshots.hashing import Hasher

        return Hasher.of(self).total()

    def hashes(self) -> dict[str, str]:
        """Return a hash for each part of the state, to find where two worlds differ."""
        from .snapshots.hashing import Hasher

        return Hasher.of(self).parts()
