"""The World: everything that is, as columns and resources.

All state lives here and nowhere else: components, tables, resources, events with the cursors of their
readers, random streams and the tick. So one mechanism, `snapshot`, `restore` and `hash`, gives save games,
undo, replay, rewind and the determinism tests.

While a stage of the schedule runs, changes of structure (spawn, add, remove, despawn) are queued in call
order and applied at its end; a reserved handle can be kept and given away at once. Outside a stage they take
effect at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from .declarations.columns import Column
from .declarations.component import Disabled, current
from .declarations.resource import resource_spec
from .declarations.system import TICK_STAGES, Stage
from .errors import DeclarationError, NotYet, UnknownName, UsageError, nearest
from .query import Query, classes, make_query
from .random import RandomStreams, Stream
from .snapshots.redeclare import migrate, redeclared, renewed_resource
from .storage.changes import Changes
from .storage.entities import ALIVE, FREE, RESERVED, Entities, as_handles, describe
from .storage.events import EventBatch, EventBus
from .storage.structure import Structure
from .storage.table import Columns, Table
from .storage.text import TextTable
from .views import ComponentView, EntityView

if TYPE_CHECKING:
    from .snapshots.snapshot import Snapshot

_T = TypeVar("_T")
_TICK = frozenset(TICK_STAGES)


class World:
    """Entities, components, tables, resources and events, with the clock that they are counted by.

    declared: component, event and table classes. seed: of all random streams. dt: seconds of a tick.
    alpha: how far the picture stands between the last two ticks, 0..1; the loop sets it, it is no state.
    """

    def __init__(self, declared: Iterable[type] = (), *, seed: int = 0, dt: float = 1 / 60) -> None:
        self.texts = TextTable()
        self.tables: dict[type, Table] = {}
        self.columns: dict[type, Columns] = {}
        self._bus = EventBus()
        self.queues = self._bus.queues
        self.resources: dict[type, Any] = {}
        self.resource_classes: dict[str, type] = {}
        self._by_type: dict[type, Any] = {}
        self._bits: dict[type, int] = {}
        self._signatures: dict[tuple[type, ...], Column] = {}
        self._queries: dict[Any, Query] = {}
        self.tick = 0
        self.dt = dt
        self.alpha = 1.0
        self.stage: Stage | None = None
        self.running = ""
        self.epoch = 0
        self.entities = Entities()
        self.changes = Changes(self)
        self._structure = Structure(self)
        self._border: list[Callable[[World], None]] = []
        self.redeclare(declared)
        self.put(RandomStreams(seed=seed))

    def redeclare(self, declared: Iterable[type]) -> None:
        """Know exactly these component, event and table classes from now on; at the tick border only.

        What is known by the same full name keeps its rows, see `redeclare.py`; the rows of what is gone go. Raises
        DeclarationError where two have one name, changing nothing.
        """
        made = redeclared(self, dict.fromkeys((*declared, Disabled)))
        for held, now in ((self.tables, made.tables), (self.columns, made.columns)):
            for cls in held:
                del self._by_type[cls]
            held.clear()
            held.update(cast("Any", now))
            self._by_type.update(now)
        self._bus.hold(made.queues, migrate)
        self._bits = {cls: bit for bit, cls in enumerate(self.tables)}
        self._signatures.clear()
        self._queries.clear()
        self._structure.know_tables()
        words = max(1, -(-len(self.tables) // 64))
        self.entities.set_signatures(words, [table.entities for table in self.tables.values()])
        everything: list[Columns] = [*self.tables.values(), *self.columns.values()]
        self._transient = [t for t in everything if any(s.transient for s in t.schema.fields.values())]
        self._pooled = [t for t in everything if any(s.type.pooled for s in t.schema.fields.values())]
        self.epoch += 1

    # Looking things up

    def __getitem__(self, cls: type[_T]) -> Any:
        """The table of a component, the columns of a table, or the one instance of a resource class."""
        try:
            return self._by_type[cls]
        except KeyError:
            now = current(cls)
            if now is not cls and now in self._by_type:
                return self._by_type[now]
            raise self._unknown(cls) from None

    def __contains__(self, cls: type) -> bool:
        return cls in self._by_type or current(cls) in self._by_type

    def _unknown(self, cls: Any) -> UnknownName | UsageError:
        if not isinstance(cls, type):
            known = [c.__name__ for c in self._by_type]
            near = nearest(cls, known) or "Transform"
            return UsageError(f"expected a class, not {cls!r}", hint=f"Import {near} and write it without quotes")
        name = cls.__name__
        if cls in self.queues:
            return UnknownName(f"{name} is an event", hint=f"Read it with world.events({name})")
        if resource_spec(cls) is not None:
            return UnknownName(f"the world holds no resource {name}", hint=f"Put one first: world.put({name}(...))")
        return UnknownName(
            f"this world knows no component {name}",
            given=name,
            choices=[c.__name__ for c in self._by_type],
            hint="Return the class from your plugin's rish_components()",
        )

    def table(self, cls: type) -> Table:
        """The table of a component. Raises UnknownName for another class, and UsageError for what is no class."""
        table = self.tables.get(cls)
        if table is None:
            table = self.tables.get(current(cls))
            if table is None:
                raise self._unknown(cls)
        return table

    def kind(self, name: str) -> type | None:
        """The component, event or table class called `name` or `plugin.name`, or None; for optional parts."""
        for cls in (*self.tables, *self.queues, *self.columns):
            if name in (cls.__name__, cls.__kind__.key):  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
                return cls
        return None

    def put(self, instance: Any) -> None:
        """Set the resource of the instance's class, replacing the one that was there."""
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
            self.drop(former)  # the class was loaded anew
        self.resources[cls] = self._by_type[cls] = instance
        self.resource_classes[spec.key] = cls

    def drop(self, cls: type) -> None:
        """Take a resource away, if it is there."""
        cls = current(cls)
        if self.resources.pop(cls, None) is not None:
            del self._by_type[cls]

    def renew(self, cls: type) -> Any:
        """Let a resource class stand for the one of the same full name that was loaded before it; gives its instance.

        The instance is made anew and keeps the old one's fields by name; a new class gets its defaults, one that was
        dropped stays so. At the tick border only.
        """
        spec = resource_spec(cls)
        former = self.resource_classes.get(spec.key) if spec is not None else None
        if former is cls and cls in self.resources:
            return self.resources[cls]
        if spec is None or former is None:
            self.put(cls())
            return self.resources[cls]
        old = self.resources.get(former)
        made = renewed_resource(cls() if old is None else old, cls)
        self.resource_classes[spec.key] = cls
        if old is None:  # the game has dropped it
            return None
        del self.resources[former], self._by_type[former]
        self.put(made)
        return made

    def forget(self, cls: type) -> None:
        """Take a resource away for good: nobody declares its class any more. At the tick border only."""
        self.drop(cls)
        spec = resource_spec(cls)
        self.resource_classes.pop(spec.key if spec is not None else "", None)

    @property
    def time(self) -> float:
        """Seconds since the start, counted in ticks."""
        return self.tick * self.dt

    @property
    def seed(self) -> int:
        """The seed of all random streams."""
        return self.resources[RandomStreams].seed

    def random(self, name: str) -> Stream:
        """The random stream of that name; streams don't disturb one another. Not for stages of the frame."""
        self.check_stage("drawing random numbers")
        return self.resources[RandomStreams][name]

    def intern(self, text: str) -> int:
        """The number that stands for a text in `Str` and `Asset` columns."""
        return self.texts.intern(text)

    def text(self, number: int) -> str:
        """The text that a number of a `Str` or `Asset` column stands for."""
        if not 0 <= number < len(self.texts):
            raise UnknownName(f"{number} is the number of no text")
        return self.texts.texts[number]

    # Entities

    def spawn(self, *parts: Any) -> int:
        """Make an entity with these components (instances, or classes for all defaults); gives its handle."""
        return self._structure.spawn(parts)

    def spawn_many(self, count: int, *parts: Any) -> Column:
        """Make many entities; a value may be an array (or `Each`) with one row an entity. Gives int64 handles."""
        return self._structure.spawn_many(count, parts)

    def despawn(self, which: int | Column | Sequence[int]) -> None:
        """Remove an entity, or many, with their children. Raises StaleEntity before anything is removed."""
        self._structure.despawn(self._handles(which))

    def add(self, which: int | Column | Sequence[int], *parts: Any) -> None:
        """Give an entity, or many, components; one that is there already is set anew, defaults and all."""
        self._structure.change("add", self._handles(which), parts)

    def set(self, which: int | Column | Sequence[int], *parts: Any) -> None:
        """Write the given fields, and no others, of components that are there."""
        self._structure.set(self._handles(which), parts)

    def remove(self, which: int | Column | Sequence[int], *kinds: type) -> None:
        """Take components from an entity, or from many; those that are absent are passed over."""
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

    def alive(self, which: Any) -> Any:
        """Whether a handle is alive; for an array, a bool array."""
        if isinstance(which, (int, np.integer)):
            return self.entities.status(int(cast("Any", which))) == ALIVE
        return self.entities.status_many(as_handles(which)) == ALIVE

    def has(self, handle: int, cls: type) -> bool:
        """Whether an entity carries a component. Raises StaleEntity."""
        handle = self._number(handle)
        if self.table(cls).row_of(handle) >= 0:
            return True
        self._require(handle)
        return False

    def get(self, handle: int, cls: type[_T]) -> ComponentView:
        """A component of an entity as a light view. Raises StaleEntity, NotYet, UnknownName where it is absent."""
        handle = self._number(handle)
        self.locate(handle, cls)
        return ComponentView(self, handle, cls)

    def entity(self, handle: int) -> EntityView:
        """An entity as an object."""
        return EntityView(self, self._number(handle))

    def _number(self, handle: int | None) -> int:
        """A handle as an int. Raises StaleEntity for None, which `find` gives where there is no entity."""
        if handle is None:
            raise self.entities.stale(None)
        return int(handle)

    def components_of(self, handle: int) -> list[type]:
        """The component classes that an entity carries."""
        self._require(handle)
        return [cls for cls, table in self.tables.items() if table.row_of(handle) >= 0]

    def locate(self, handle: int, cls: type) -> tuple[Table, int]:
        """The table and row of a component of an entity. Raises StaleEntity, NotYet or UnknownName."""
        table = self.table(cls)
        row = table.row_of(handle)
        if row < 0:
            self._require(handle)
            has = [c.__name__ for c in self.components_of(handle)]
            raise UnknownName(f"entity {describe(handle)} has no {cls.__name__}", given=cls.__name__, choices=has)
        return table, row

    def _require(self, handle: int) -> None:
        status = self.entities.status(handle)
        if status == ALIVE:
            return
        raise self.not_yet(handle) if status == RESERVED else self.entities.stale(handle)

    def not_yet(self, handle: int) -> NotYet:
        """The error for an entity that is only reserved."""
        after = self.stage.name if self.stage is not None else "the stage"
        return NotYet(
            f"entity {describe(handle)} exists after {after}",
            hint="Pass its values to spawn, or read it in a later stage",
        )

    def signature(self, kinds: tuple[type, ...]) -> Column:
        """uint64 words with a bit for each of the component classes; not to be written to."""
        words = self._signatures.get(kinds)
        if words is None:
            words = self._signatures[kinds] = np.zeros(self.entities.words, np.uint64)
            for cls in kinds:
                bit = self._bits[self.table(cls).schema.cls]
                words[bit >> 6] |= np.uint64(1 << (bit & 63))
        return words

    # Queries

    def query(self, *wanted: type, without: Any = (), optional: Any = ()) -> Query:
        """All entities with every component of `wanted` and none of `without`; `optional` ones may be absent.

        Entities that carry `Disabled` are left out unless it is named. The same question gives the same
        object.
        """
        key = (wanted, without, optional)
        try:
            query = self._queries.get(key)
        except TypeError:  # a list or a set of classes
            return self.query(*wanted, without=classes(without), optional=classes(optional))
        if query is None:
            query = self._queries[key] = make_query(self, wanted, classes(without), classes(optional))
        if query.epoch != self.epoch:
            query.refresh(self.epoch)
        return query

    def added(self, cls: type) -> Column:
        """int64: entities that got a component since the running system last asked, and still have it."""
        return self.changes.added(cls)

    def removed(self, cls: type) -> Column:
        """int64: entities that lost a component, or died with it, since the running system last asked."""
        return self.changes.removed(cls)

    # Events

    def emit(self, cls: type, /, **values: Any) -> None:
        """Emit an event, or as many as the arrays among the values have rows. Only tick stages may emit."""
        self.check_stage("emitting")
        self._bus.queue(cls).emit(values)

    def emit_rows(self, cls: type, count: int) -> tuple[Column, ...]:
        """Emit `count` events; gives their columns, flat and in the order of the fields, for the caller to fill.

        For kernels that write hundreds of events a tick: nothing is checked, and nothing copied. Only tick stages may
        emit.
        """
        self.check_stage("emitting")
        return self._bus.queue(cls).extend(count)

    def events(self, cls: type) -> EventBatch:
        """The events that the running system has not read yet; for a frame system, all of this frame's ticks."""
        queue = self._bus.queue(cls)
        if self.stage is not None and self.stage not in _TICK:
            return self._bus.of_frame(cls)
        return queue.read(self.changes.move_cursor("events", queue.kind.key, queue.end))

    # Time

    @property
    def pending(self) -> bool:
        """Whether changes of structure wait for the end of the stage."""
        return self._structure.pending

    def flush(self) -> None:
        """Apply the queued changes of structure, in the order of the calls."""
        self._structure.flush()

    def pending_operations(self) -> list[Any]:
        """The queued changes, for a snapshot within a stage."""
        return list(self._structure.queue)

    def set_pending(self, operations: list[Any]) -> None:
        """Put back queued changes; used by restore."""
        self._structure.queue = list(operations)

    def check_stage(self, doing: str) -> None:
        """Raise UsageError in a stage of the frame, where nothing that is hashed may change."""
        if self.stage is not None and self.stage not in _TICK:
            raise UsageError(
                f"{doing} in {self.stage.name}: only TICK stages may change the state that is hashed",
                where=self.running or None,
                hint="Move it to a system of Stage.UPDATE, or use world.defer(...)",
            )

    def defer(self, work: Callable[[World], None]) -> None:
        """Run `work(world)` at the border before the next tick, where anything may change."""
        self._border.append(work)

    @property
    def has_deferred(self) -> bool:
        """Whether work waits for the tick border; it is no state, so a snapshot taken now would lack it."""
        return bool(self._border)

    def run_deferred(self) -> None:
        """Run what waits for the tick border; what that work adds waits for the next one."""
        waiting, self._border = self._border, []
        try:
            while waiting:
                waiting.pop(0)(self)
        finally:
            self._border[:0] = waiting  # what an error kept from its turn comes first next time

    def end_tick(self) -> None:
        """Finish a tick: events age, transient fields take their defaults, pools are squeezed, time moves on."""
        self._bus.end_tick()
        for table in self._transient:
            table.reset_transient()
        for table in self._pooled:
            table.compact_pools()
        self.changes.trim()
        self.tick += 1

    def end_frame(self) -> None:
        """Forget the frame's copies of events."""
        self._bus.end_frame()

    # Going back

    def snapshot(self, *, transient: bool = False) -> Snapshot:
        """A copy of all state. transient: with the fields that are reset each tick, for use within one."""
        from .snapshots.snapshot import capture

        return capture(self, transient)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot, also of a world with another schema. Raises SnapshotError, changing nothing."""
        from .snapshots.restore import restore

        restore(self, snapshot)

    def hash(self) -> str:
        """32 hex digits that are equal for equal state, on every machine."""
        from .snapshots.hashing import world_hash

        return world_hash(self)

    def hashes(self) -> dict[str, str]:
        """A hash for each part of the state, to find where two worlds differ."""
        from .snapshots.hashing import part_hashes

        return part_hashes(self)
