"""The data classes of snapshots."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from ..declarations.columns import Column

Fields = dict[str, Any]


@dataclass
class TableState:
    """The rows of a table: its schema `{field: type name}`, its length, and the columns.

    A pooled column is a pair of int32 lengths and the items in row order. handles, added_at: only for
    components.
    """

    schema: dict[str, str]
    length: int
    fields: Fields
    handles: Column | None = None
    added_at: Column | None = None


@dataclass
class QueueState:
    """The events of a type that can still be read, and their numbers."""

    rows: TableState
    base: int
    tick_start: int


@dataclass
class SnapshotData:
    """The complete state of a world at one moment, without the conversions to and from bytes.

    view: the full names of the parts that affect only what is drawn or heard; a world that does not know them restores
    the rest.
    """

    tick: int
    texts: list[str]
    entities: dict[str, Any]
    tables: dict[str, TableState]
    columns: dict[str, TableState]
    queues: dict[str, QueueState]
    resources: dict[str, dict[str, Any]]
    changes: dict[str, Any]
    view: list[str] = field(default_factory=list[str])
    pending: list[Any] = field(default_factory=list[Any])

    @property
    def states(self) -> dict[str, TableState]:
        """The rows of all events, tables and components, by full name."""
        return {**{key: queue.rows for key, queue in self.queues.items()}, **self.columns, **self.tables}

    @property
    def nbytes(self) -> int:
        """The total size of the columns in bytes."""
        values = [value for state in self.states.values() for value in state.fields.values()]
        pairs = [cast("tuple[Column, ...]", v if isinstance(v, tuple) else (v,)) for v in values]
        return sum(array.nbytes for pair in pairs for array in pair)
