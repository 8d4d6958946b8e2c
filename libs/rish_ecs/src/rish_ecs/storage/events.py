"""Events: typed batches stored in columns, which systems read later.

`world.emit(Hit, a=..., b=..., impulse=...)` appends rows; `world.events(Hit)` returns the rows that the running system
has not read yet. Events of tick t are kept until the end of tick t+1, so a tick system reads each exactly once,
whatever its position in the schedule; the position of each reader is state of the World. Frame systems get all events
of the frame's ticks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit.errors import UnknownName, UsageError, place_of

from ..declarations.columns import Column
from ..declarations.component import Kind, current, kind_of, rows_in
from ..declarations.system import SystemSpec
from .table import Columns
from .text import RaggedView, TextTable

if TYPE_CHECKING:
    from .store import Store

Rows = tuple[Columns, int, int]
"""The location of events: columns, first row, and end row (exclusive)."""
Migrate = Callable[[Columns, Kind], None]


class EventRow:
    """One event as a light object, for loops in Python; its attributes are the fields; vectors are `Vector` objects."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def __repr__(self) -> str:
        return f"EventRow({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


class EventBatch:
    """Rows of one event type: `batch.impulse` is a column, `for hit in batch` yields `EventRow` objects."""

    def __init__(self, source: Columns, first: int, end: int) -> None:
        self._source = source
        self._first, self._end = first, end

    def __len__(self) -> int:
        return self._end - self._first

    def __getattr__(self, name: str) -> Any:
        source = self.__dict__.get("_source")
        if source is None or name.startswith("__"):
            raise AttributeError(name)
        if source.schema.field(name).type.pooled:
            return RaggedView(source, name, np.arange(self._first, self._end))
        return source.column(name)[self._first : self._end]

    def __iter__(self) -> Iterator[EventRow]:
        source = self._source
        for row in range(self._first, self._end):
            yield EventRow({name: source.read_value(name, row) for name in source.schema.fields})

    def __repr__(self) -> str:
        return f"<{len(self)} events {self._source.schema.key}>"


class _EventColumns(Columns):
    """The columns of events. All rows count as changed: with changes by row, `events_1000` takes a tenth longer."""

    def start_versions(self, capacity: int) -> None:
        super().start_versions(0)

    def mark(self, rows: Any = None) -> None:
        super().mark()

    def _note(self, rows: Any) -> None:
        self.__dict__["_all_changed"] = self.version

    def _reserve_changes(self, capacity: int) -> None: ...


class EventQueue:
    """The events of one type that can still be read, numbered from the first one ever emitted. on_demand: see
    `World.is_read`.
    """

    def __init__(self, kind: Kind, texts: TextTable) -> None:
        self._texts = texts
        self._take(kind)
        self.reset(0, 0)

    @property
    def end(self) -> int:
        """The number of the next event."""
        return self.base + len(self.columns)

    def take_kind(self, kind: Kind, migrate: Migrate) -> None:
        """Change to another declaration of the event type; existing events are migrated."""
        self._take(kind)
        migrate(self.columns, kind)

    def _take(self, kind: Kind) -> None:
        self.kind, self.key, self.on_demand = kind, kind.key, bool(kind.marks.get("on_demand"))

    def emit(self, values: dict[str, Any]) -> None:
        """Append one event, or one for each row of array values; on an error, none."""
        kind, columns = self.kind, self.columns
        count: int | None = None
        checked: dict[str, Any] = {}
        for name, value in values.items():
            spec = kind.given_field(name)
            checked[spec.name] = kind.check_value(spec, value)
            count = rows_in(spec, checked[spec.name]) if count is None else count
        count = 1 if count is None else count
        encoded = columns.encode_all(checked, count)
        columns.put_all(columns.resize(len(columns) + count), encoded)

    def reset(self, base: int, tick_start: int) -> None:
        """Drop all events and count from `base`; used by a restore."""
        self._hold(_EventColumns(self.kind, self._texts, 16))
        self.base, self.tick_start = base, tick_start

    def _hold(self, columns: Columns) -> None:
        """Continue with other columns. One empty batch serves all readers without news: 0.8 µs for each of them."""
        self.columns, self.nothing = columns, EventBatch(columns, 0, 0)

    def read(self, cursor: int) -> EventBatch:
        """Return the events with number `cursor` and later; events that were already dropped are skipped."""
        first, end = max(cursor - self.base, 0), len(self.columns)
        return EventBatch(self.columns, first, end) if first < end else self.nothing

    def extend(self, count: int) -> tuple[Column, ...]:
        """Append rows without setting their values; return their columns, which the caller must fill."""
        return self.columns.flat_rows(self.columns.resize(len(self.columns) + count))

    def end_tick(self) -> Rows | None:
        """Drop the events of the previous tick, and begin the next tick; return the events of this tick, or None.

        The queue continues with new columns, so the returned rows are not overwritten.
        """
        old, first, end = self.columns, self.tick_start - self.base, len(self.columns)
        remaining = _EventColumns(self.kind, self._texts, max(16, 2 * (end - first)))
        self._copy_rows(remaining, first, end - first)
        self._hold(remaining)
        self.base = self.tick_start
        self.tick_start = self.end
        return (old, first, end) if end > first else None

    def _copy_rows(self, target: Columns, first: int, count: int) -> None:
        if not count:
            return
        rows = target.resize(len(target) + count)
        copied = slice(first, first + count)
        for to, source in zip(target.flat_rows(rows), self.columns.flat_rows(copied), strict=True):
            to[:] = source
        for name, spec in self.kind.fields.items():
            if spec.type.pooled:
                source, spans = self.columns.column(name)[copied], target.column(name)[rows]
                content = self.columns.pool_of(name).gather(source)
                offset = target.pool_of(name).append(content)
                lengths = spans[:, 1].astype(np.int64)
                spans[:, 0] = offset + np.cumsum(lengths) - lengths

    def join(self, parts: list[Rows]) -> EventBatch:
        """Return several runs of rows as one batch."""
        if len(parts) == 1:
            return EventBatch(*parts[0])
        joined = EventQueue(self.kind, self._texts)
        for columns, first, end in parts:
            lone = EventQueue(self.kind, self._texts)
            lone.columns = columns
            lone._copy_rows(joined.columns, first, end - first)
        return EventBatch(joined.columns, 0, len(joined.columns))


class EventBus:
    """The queues of all event types, and the events of this frame's ticks for frame systems.

    version: increases whenever events are added or removed.
    """

    def __init__(self) -> None:
        self.queues: dict[type, EventQueue] = {}
        self._frame: dict[type, list[Rows]] = {}
        self.version: int = 0

    def queue(self, cls: type) -> EventQueue:
        """Return the queue of an event type. Raises UnknownName with the nearest."""
        queue = self.queues.get(cls) or self.queues.get(current(cls))
        if queue is None:
            name = getattr(cls, "__name__", repr(cls))
            raise UnknownName(
                f"this world knows no event {name}",
                given=name,
                choices=[c.__name__ for c in self.queues],
                hint="Return the class from your plugin's rish_events()",
            )
        return queue

    def of_frame(self, cls: type) -> EventBatch:
        """Return the events of this frame's ticks."""
        queue = self.queue(cls)
        parts = self._frame.get(queue.kind.cls)
        return queue.join(parts) if parts else EventBatch(queue.columns, 0, 0)

    def hold(self, queues: dict[type, EventQueue], migrate: Migrate) -> None:
        """Replace the queues; the events kept for the frame are migrated to the new type of the same name."""
        by_key = {queue.kind.key: queue for queue in queues.values()}
        frame, self._frame = self._frame, {}
        for parts in frame.values():
            queue = by_key.get(parts[0][0].schema.key)
            if queue is not None:
                for columns, _, _ in parts:
                    migrate(columns, queue.kind)
                self._frame[queue.kind.cls] = parts
        self.queues.clear()
        self.queues.update(queues)
        self.version += 1

    def end_tick(self) -> None:
        """Keep the events of this tick for the frame, and drop those of the previous tick."""
        for cls, queue in self.queues.items():
            if queue.columns.used:
                self.version += 1
                emitted = queue.end_tick()
                if emitted is not None:
                    self._frame.setdefault(cls, []).append(emitted)

    def end_frame(self) -> None:
        """Drop the events that were kept for the frame."""
        self._frame.clear()


class EventReaders:
    """The systems of the simulation that read events. Nothing else decides what is emitted, because queues are hashed.

    specs: their declarations by name. every: the names of those that read all events. reactions: the events that
    plugins read by the text of the game.
    """

    def __init__(
        self, specs: Mapping[str, SystemSpec], every: Collection[str], reactions: Mapping[str, set[Any]]
    ) -> None:
        self._specs, self._every = specs, every
        self._reads = {
            name: {*map(current, spec.reads), *reactions.get(name.partition(".")[0], ())}
            for name, spec in specs.items()
        }
        self._declared = set[Any]().union(*self._reads.values(), *reactions.values())
        self._functions = [spec.events for spec in specs.values() if callable(spec.events)]

    def is_read(self, world: Store, cls: type) -> bool:
        """Whether a system of the simulation reads the events of a type."""
        return bool(self._every) or cls in self._declared or any(cls in function(world) for function in self._functions)

    def check(self, world: Store, cls: type) -> None:
        """Raise UsageError if the running system reads events that it does not declare.

        Other code may read what is emitted.
        """
        name = world.running
        spec, key = self._specs.get(name), kind_of(cls).key
        if spec is None:
            if self.is_read(world, cls):
                return
            what, place = "no system of the simulation declares", None
        elif name in self._every or cls in self._reads[name] or (callable(spec.events) and cls in spec.events(world)):
            return
        else:
            what, place = "it does not declare", place_of(spec.fn)
        hint = f"Declare @system(..., reads={cls.__name__})"
        raise UsageError(f"'{name or 'this code'}' reads {key}, which {what} to read", where=place, hint=hint)
