"""The store: the contents of a World, and the functions to look them up.

Queries, changes, snapshots and hashes use this class. `World` adds the operations.
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numpy as np

from rish_jit.errors import NotYet, UnknownName, UsageError, nearest

from ..declarations.columns import Column
from ..declarations.component import Declaration, current
from ..declarations.resource import resource_spec
from ..declarations.system import TICK_STAGES, Stage
from .changes import Changes
from .entities import ALIVE, RESERVED, Entities, as_handles, describe
from .events import EventBus, EventReaders
from .table import Columns, Table
from .text import TextTable

_T = TypeVar("_T")
TICK = frozenset(TICK_STAGES)


class Store:
    """Entities, tables, event queues and resources, with the tick and its length.

    dt: seconds of a tick. alpha: position of the drawn frame between the last two ticks, 0..1; set by the loop, not
    state. stage, running: the stage and the system that are running. membership: increases whenever entities or their
    components are added or removed. hasher, saver: the caches of `hash` and `save_state`. view_owners: the owners of
    declarations that are `view` in this world, whatever they say; to be set before the first tick. layout: increases
    whenever classes are declared again. checks_derived: whether derived values are checked, see `World.check_derived`;
    reads: the classes that were read meanwhile, or None. readers: the declared readers of events; None: all events are
    emitted. trees: the tables of the components whose entities form trees, in the order of their declaration; see
    `trees.py`.
    """

    def __init__(self, dt: float) -> None:
        self.texts = TextTable()
        self.tables: dict[type, Table] = {}
        self.trees: list[Table] = []
        self.columns: dict[type, Columns] = {}
        self.bus = EventBus()
        self.queues = self.bus.queues
        self.resources: dict[type, Any] = {}
        self.resource_classes: dict[str, type] = {}
        self._by_type: dict[type, Any] = {}
        self._bits: dict[type, int] = {}
        self._signatures: dict[tuple[type, ...], Column] = {}
        self.tick: int = 0
        self.dt = dt
        self.alpha = 1.0
        self.stage: Stage | None = None
        self.running = ""
        self.membership: int = 0
        self.entities = Entities()
        self.changes = Changes(self)
        self.layout: int = 0
        self.checks_derived = False
        self.reads: set[type] | None = None
        self.readers: EventReaders | None = None
        self.hasher: Any = None
        self.saver: Any = None
        self.view_owners: frozenset[str] = frozenset()
        self._named: dict[str, type] = {}

    def __getitem__(self, cls: type[_T]) -> Any:
        """Return the table of a component, the columns of a table, the instance of a resource class, or of a derived
        value.
        """
        try:
            return self._by_type[cls]
        except KeyError:
            pass
        now = current(cls)
        if now is not cls and now in self._by_type:
            return self._by_type[now]
        if getattr(now, "__derived__", None) is not None:
            return self.derived_value(now).get()
        raise self._unknown(cls)

    def derived_value(self, cls: type) -> Any:
        """Return the holder of a derived value; only a World has them."""
        raise self._unknown(cls)

    def is_view(self, declared: Declaration) -> bool:
        """Whether a component, event, table or resource affects only what is drawn or heard, so it is not hashed."""
        return declared.view or declared.owner in self.view_owners

    def __contains__(self, cls: type) -> bool:
        return cls in self._by_type or current(cls) in self._by_type

    def _unknown(self, cls: Any) -> UnknownName | UsageError:
        if not isinstance(cls, type):
            declared = [c.__name__ for c in self._by_type]
            near = nearest(cls, declared) or "Transform"
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
        """Return the table of a component. Raises UnknownName for another class, UsageError for anything else."""
        table = self.tables.get(cls)
        if table is None:
            table = self.tables.get(current(cls))
            if table is None:
                raise self._unknown(cls)
        return table

    def kind(self, name: str) -> type | None:
        """Return the component, event or table class called `name` or `plugin.name`, or None."""
        kept = self._named.get(name)
        if kept in self.tables or kept in self.queues or kept in self.columns:
            return kept
        for cls in (*self.tables, *self.queues, *self.columns):
            if name in (cls.__name__, cls.__kind__.key):  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
                self._named[name] = cls  # a twentieth of a tick of breakout, whose reactions ask for events by name
                return cls
        return None

    def resource(self, name: str) -> Any:
        """Return the resource of the class with the full name `plugin.Name`, or None if the world has none.

        For a plugin that uses a resource of another one without requiring it.
        """
        cls = self.resource_classes.get(name)
        return None if cls is None else self.resources.get(cls)

    def hold(self, key: str, cls: type, instance: Any) -> None:
        """Set the instance of a resource class with the full name `key`, without checks. See `World.put`."""
        self.resources[cls] = self._by_type[cls] = instance
        self.resource_classes[key] = cls

    def drop(self, cls: type) -> None:
        """Remove a resource, if it exists."""
        cls = current(cls)
        if self.resources.pop(cls, None) is not None:
            del self._by_type[cls]

    @property
    def time(self) -> float:
        """Seconds since the start, counted in ticks."""
        return self.tick * self.dt

    def intern(self, text: str) -> int:
        """Return the number of a text in `Str` and `Asset` columns; a new text is added."""
        return self.texts.intern(text)

    def text(self, number: int) -> str:
        """Return the text of a number in a `Str` or `Asset` column. Raises UnknownName."""
        if not 0 <= number < len(self.texts):
            raise UnknownName(f"{number} is not the number of a text")
        return self.texts.texts[number]

    def alive(self, which: Any) -> Any:
        """Return whether a handle is alive; for an array of handles, a bool array."""
        if isinstance(which, (int, np.integer)):
            return self.entities.status(int(cast("Any", which))) == ALIVE
        return self.entities.status_many(as_handles(which)) == ALIVE

    def has(self, handle: int, cls: type) -> bool:
        """Whether an entity has a component. Raises StaleEntity."""
        handle = self._number(handle)
        if self.table(cls).row_of(handle) >= 0:
            return True
        self._require(handle)
        return False

    def components_of(self, handle: int) -> list[type]:
        """Return the component classes of an entity. Raises StaleEntity."""
        self._require(handle)
        return [cls for cls, table in self.tables.items() if table.row_of(handle) >= 0]

    def locate(self, handle: int, cls: type) -> tuple[Table, int]:
        """Return the table and row of an entity's component. Raises StaleEntity, NotYet or UnknownName."""
        table = self.tables.get(cls)
        if table is None:
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
        """Return the error for an entity that is only reserved."""
        after = self.stage.name if self.stage is not None else "the stage"
        return NotYet(
            f"entity {describe(handle)} exists after {after}",
            hint="Pass its values to spawn, or read it in a later stage",
        )

    def signature(self, kinds: tuple[type, ...]) -> Column:
        """Return uint64 words with a bit for each of the component classes; read-only."""
        words = self._signatures.get(kinds)
        if words is None:
            words = self._signatures[kinds] = np.zeros(self.entities.words, np.uint64)
            for cls in kinds:
                bit = self._bits[self.table(cls).schema.cls]
                words[bit >> 6] |= np.uint64(1 << (bit & 63))
        return words

    def check_stage(self, doing: str) -> None:
        """Raise UsageError in a frame stage, in which hashed state must not change. doing: for the message."""
        if self.stage is not None and self.stage not in TICK:
            raise UsageError(
                f"{doing} in {self.stage.name}: only TICK stages may change the state that is hashed",
                where=self.running or None,
                hint="Move it to a system of Stage.UPDATE, or use world.defer(...)",
            )

    def _number(self, handle: int | None) -> int:
        """Return a handle as an int. Raises StaleEntity for None, which `find` returns if there is no entity."""
        if handle is None:
            raise self.entities.stale(None)
        return int(handle)
