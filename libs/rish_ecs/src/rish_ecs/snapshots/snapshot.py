"""Snapshots: all state of a world as plain data, to go back to.

One mechanism serves save games, undo, Play and Stop, replay, rewind and rollback. A snapshot carries its
schema, so that a world whose components have changed since (a reload, a newer version) takes what it can:
fields by name or former name, numbers cast, new fields at their defaults; see `restore`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..declarations.resource import copy_fields, resource_spec
from ..storage.store import Store
from ..storage.table import Columns
from . import codec
from .data import Fields, QueueState, SnapshotData, TableState


@dataclass
class Snapshot(SnapshotData):
    """All state of a world at one moment. Made by `world.snapshot()`; treat it as read-only."""

    def to_bytes(self) -> bytes:
        """The snapshot as bytes, for a file or a wire; no code can hide in them. See `from_bytes`."""
        return codec.encode_snapshot(self)

    @staticmethod
    def size_of(data: bytes) -> int:
        """How many bytes the snapshot has whose first 36 these are, so that a reader can judge before it reads on.

        Raises SnapshotError for what is no snapshot.
        """
        return codec.size_of(data)

    @staticmethod
    def from_bytes(data: bytes) -> Snapshot:
        """The snapshot that `to_bytes` wrote. Raises SnapshotError for anything else."""
        return Snapshot(**vars(codec.decode_snapshot(data)))


def capture(world: Store, transient: bool, pending: list[Any]) -> Snapshot:
    """All state of `world`; see `World.snapshot`."""
    tables: dict[str, TableState] = {}
    for table in world.tables.values():
        if len(table):
            state = capture_rows(table, transient)
            state.handles = table.entities.copy()
            state.added_at = table.added_at[: len(table)].copy()
            tables[table.schema.key] = state
    changes = world.changes
    return Snapshot(
        tick=world.tick,
        texts=list(world.texts.texts),
        entities=world.entities.capture(),
        tables=tables,
        columns={c.schema.key: capture_rows(c, transient) for c in world.columns.values() if len(c)},
        queues={
            q.kind.key: QueueState(capture_rows(q.columns, True), q.base, q.tick_start)
            for q in world.queues.values()
            if q.end
        },
        resources=_capture_resources(world),
        changes={
            "sequence": changes.sequence,
            "cursors": dict(changes.tick.cursors),
            "log_start": dict(changes.tick.log_start),
            "logs": {key: list(log) for key, log in changes.tick.logs.items()},
        },
        pending=pending,
    )


def capture_rows(columns: Columns, transient: bool) -> TableState:
    """A copy of all rows. transient: with the fields that are reset each tick."""
    fields: Fields = {}
    for name, spec in columns.schema.fields.items():
        if spec.transient and not transient:
            continue
        if spec.type.pooled:
            spans = columns.column(name)
            fields[name] = (spans[:, 1].copy(), columns.pool_of(name).gather(spans))
        else:
            fields[name] = columns.column(name).copy()
    schema = {name: columns.schema.fields[name].type.schema for name in fields}
    return TableState(schema, len(columns), fields)


def _capture_resources(world: Store) -> dict[str, dict[str, Any]]:
    specs = [(resource_spec(cls), instance) for cls, instance in world.resources.items()]
    return {s.key: copy_fields(s, instance) for s, instance in specs if s is not None and not s.derived}
