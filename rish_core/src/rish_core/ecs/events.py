"""Events: typed batches, columns in and columns out, read after the fact.

`world.emit(Hit, a=..., b=..., impulse=...)` appends rows; `world.events(Hit)` gives a system the rows that it has not
seen yet. Events of tick t live to the end of tick t+1, so a tick system reads each exactly once wherever it stands in
the schedule; how far each reader came is state of the World. Frame systems see all events of the frame's ticks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import UnknownName
from .columns import Column
from .component import Kind
from .table import Columns
from .text import TextTable


class EventRow:
    """One event as a light object, for loops in Python; its attributes are the fields."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def __repr__(self) -> str:
        return f"EventRow({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


class EventBatch:
    """Rows of one event type: `batch.impulse` is a column, `for hit in batch` gives small objects."""

    def __init__(self, source: Columns, first: int, end: int) -> None:
        self._source = source
        self._first, self._end = first, end

    def __len__(self) -> int:
        return self._end - self._first

    def __getattr__(self, name: str) -> Any:
        source = self.__dict__.get("_source")
        if source is None or name.startswith("__"):
            raise AttributeError(name)
        return source.column(name)[self._first : self._end]

    def __iter__(self) -> Iterator[EventRow]:
        names = tuple(self._source.schema.fields)
        for row in range(self._first, self._end):
            yield EventRow({name: self._source.read_row(name, row) for name in names})

    def __repr__(self) -> str:
        return f"<{len(self)} events {self._source.schema.key}>"


class EventQueue:
    """The events of one type that somebody may still read, numbered from the first ever emitted."""

    def __init__(self, kind: Kind, texts: TextTable) -> None:
        self.kind = kind
        self.columns = Columns(kind, texts, 16)
        self.base = 0
        self.tick_start = 0
        self._texts = texts
        self._empty = EventBatch(self.columns, 0, 0)

    @property
    def end(self) -> int:
        """The number that the next event will have."""
        return self.base + len(self.columns)

    def emit(self, values: dict[str, Any]) -> None:
        """Append one event, or as many as the longest array among the values has rows."""
        fields = self.kind.fields
        count = 1
        for name, value in values.items():
            spec = fields.get(name)
            if spec is None:
                raise UnknownName(f"event {self.kind.name} has no field {name!r}", given=name, choices=fields)
            if isinstance(value, np.ndarray) and value.ndim > len(spec.type.shape):  # pyright: ignore[reportUnknownMemberType]
                count = len(value)  # pyright: ignore[reportUnknownArgumentType]
                break
        self.columns.append(count, **values)

    def reset(self, base: int, tick_start: int) -> None:
        """Forget all events and count from `base`; used by restore."""
        self.columns = Columns(self.kind, self._texts, 16)
        self._empty = EventBatch(self.columns, 0, 0)
        self.base, self.tick_start = base, tick_start

    def read(self, cursor: int) -> EventBatch:
        """The events from number `cursor` on; those that are gone are left out."""
        first = max(cursor - self.base, 0)
        if first >= len(self.columns):
            return self._empty
        return EventBatch(self.columns, first, len(self.columns))

    def tick_copy(self) -> Columns | None:
        """The events of the current tick in columns of their own, or None where there are none."""
        first = self.tick_start - self.base
        count = len(self.columns) - first
        if not count:
            return None
        copy = Columns(self.kind, self._texts, count)
        self._copy_rows(copy, first, count)
        return copy

    def end_tick(self) -> None:
        """Drop the events of the tick before this one, and begin the next."""
        gone = self.tick_start - self.base
        if gone:
            kept = Columns(self.kind, self._texts, max(16, len(self.columns) - gone))
            self._copy_rows(kept, gone, len(self.columns) - gone)
            self.columns = kept
            self._empty = EventBatch(kept, 0, 0)
            self.base = self.tick_start
        self.tick_start = self.end

    def _copy_rows(self, target: Columns, first: int, count: int) -> None:
        start = len(target)
        target.resize(start + count)
        for name, spec in self.kind.fields.items():
            source: Column = self.columns.column(name)[first : first + count]
            target.column(name)[start:] = source
            if spec.type.pooled:
                spans = target.column(name)[start:]
                content = self.columns.pool_of(name).gather(source)
                offset = target.pool_of(name).append(content)
                lengths = spans[:, 1].astype(np.int64)
                spans[:, 0] = offset + np.cumsum(lengths) - lengths

    def join(self, parts: list[Columns]) -> EventBatch:
        """Several copies as one batch."""
        if len(parts) == 1:
            return EventBatch(parts[0], 0, len(parts[0]))
        joined = EventQueue(self.kind, self._texts)
        for part in parts:
            lone = EventQueue(self.kind, self._texts)
            lone.columns = part
            lone._copy_rows(joined.columns, 0, len(part))
        return EventBatch(joined.columns, 0, len(joined.columns))
