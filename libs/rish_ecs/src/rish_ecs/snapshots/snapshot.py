"""Snapshots: the complete state of a world as plain data, which can be restored.

Save games, undo, Play and Stop, replay, rewind and rollback all use snapshots. A snapshot contains its schema, so that
a world whose components have changed since (by a reload or a newer version) can restore what fits; see `restore`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..declarations.component import kind_of
from ..declarations.resource import copy_fields, resource_spec
from ..storage.store import Store
from ..storage.table import Columns, Table
from . import codec
from .data import Fields, QueueState, SnapshotData, TableState


@dataclass
class Snapshot(SnapshotData):
    """The complete state of a world at one moment. Created by `world.snapshot()`; treat it as read-only."""

    def to_bytes(self) -> bytes:
        """Return the snapshot as bytes, for a file or the network; they contain no code. See `from_bytes`."""
        return codec.encode_snapshot(self)

    @staticmethod
    def size_of(data: bytes) -> int:
        """Return the total size in bytes of a snapshot from its first 36 bytes, so that a reader can check it first.

        Raises SnapshotError for other bytes.
        """
        return codec.size_of(data)

    @staticmethod
    def from_bytes(data: bytes) -> Snapshot:
        """Return the snapshot from bytes of `to_bytes`. Raises SnapshotError for other bytes."""
        return Snapshot(**vars(codec.decode_snapshot(data)))


def capture(world: Store, transient: bool, pending: list[Any]) -> Snapshot:
    """Return the complete state of `world`; see `World.snapshot`."""
    return Snapshot(
        tick=world.tick,
        texts=list(world.texts.texts),
        entities=world.entities.capture(),
        tables={t.schema.key: capture_rows(t, transient, derived=transient) for t in world.tables.values() if len(t)},
        columns={c.schema.key: capture_rows(c, transient, derived=transient) for c in world.columns.values() if len(c)},
        queues={
            q.kind.key: QueueState(capture_rows(q.columns, True), q.base, q.tick_start)
            for q in world.queues.values()
            if q.end
        },
        resources=capture_resources(world),
        changes=world.changes.save(),
        view=view_parts(world),
        pending=pending,
    )


def capture_rows(columns: Columns, transient: bool, *, derived: bool = True) -> TableState:
    """Return a copy of all rows, with the entities of components.

    transient, derived: whether to include these fields.
    """
    fields: Fields = {}
    for name, spec in columns.schema.fields.items():
        if (spec.transient and not transient) or (spec.derived and not derived):
            continue
        if spec.type.pooled:
            spans = columns.column(name)
            fields[name] = (spans[:, 1].copy(), columns.pool_of(name).gather(spans))
        else:
            fields[name] = columns.column(name).copy()
    schema = {name: columns.schema.fields[name].type.schema for name in fields}
    state = TableState(schema, len(columns), fields)
    if isinstance(columns, Table):
        state.handles, state.added_at = columns.entities.copy(), columns.added_at[: len(columns)].copy()
    return state


def view_parts(world: Store) -> list[str]:
    """Return the full names of the parts that affect only what is drawn or heard."""
    kinds = map(kind_of, (*world.tables, *world.columns, *world.queues))
    specs = filter(None, map(resource_spec, world.resources))
    return [declared.key for declared in (*kinds, *specs) if world.is_view(declared)]


def capture_resources(world: Store) -> dict[str, dict[str, Any]]:
    """Return copies of the values of all resources. Raises DeclarationError for a value that is not plain."""
    specs = [(resource_spec(cls), instance) for cls, instance in world.resources.items()]
    return {s.key: copy_fields(s, instance) for s, instance in specs if s is not None and not s.derived}
