"""Snapshots: all state of a world as plain data, to go back to.

One mechanism serves save games, undo, Play and Stop, replay, rewind and rollback. A snapshot carries its schema, so
that a world whose components have changed since (a reload, a newer version) takes what it can: fields by name or
former name, numbers cast, new fields at their defaults. `restore` checks everything before it changes anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..errors import SnapshotError
from .columns import Column
from .component import FieldSpec
from .entities import INDEX_MASK
from .resource import copy_plain, fields_of, resource_spec
from .table import Columns, Table

if TYPE_CHECKING:
    from .world import World

Fields = dict[str, Any]


@dataclass
class TableState:
    """The rows of a table: its schema as `{field: type name}`, its length, and the columns.

    A pooled column is a pair of int32 lengths and the items in row order. handles, added_at: only for components.
    """

    schema: dict[str, str]
    length: int
    fields: Fields
    handles: Column | None = None
    added_at: Column | None = None


@dataclass
class QueueState:
    """The events of a type that are still alive, and their numbers."""

    rows: TableState
    base: int
    tick_start: int


@dataclass
class Snapshot:
    """All state of a world at one moment. Made by `world.snapshot()`; treat it as read-only."""

    tick: int
    texts: list[str]
    entities: dict[str, Any]
    tables: dict[str, TableState]
    columns: dict[str, TableState]
    queues: dict[str, QueueState]
    resources: dict[str, dict[str, Any]]
    changes: dict[str, Any]
    pending: list[Any] = field(default_factory=list[Any])

    @property
    def nbytes(self) -> int:
        """Bytes of the columns."""
        states = [*self.tables.values(), *self.columns.values(), *(q.rows for q in self.queues.values())]
        arrays = [a for s in states for v in s.fields.values() for a in (v if isinstance(v, tuple) else (v,))]
        return sum(cast("Column", a).nbytes for a in arrays)

    def to_bytes(self) -> bytes:
        """The snapshot as bytes, for a file or a wire; no code can hide in them. See `from_bytes`."""
        from .codec import encode_snapshot

        return encode_snapshot(self)

    @staticmethod
    def from_bytes(data: bytes) -> Snapshot:
        """The snapshot that `to_bytes` wrote. Raises SnapshotError for anything else."""
        from .codec import decode_snapshot

        return decode_snapshot(data)


def capture(world: World, transient: bool) -> Snapshot:
    """All state of `world`; see `World.snapshot`."""
    tables: dict[str, TableState] = {}
    for table in world.tables.values():
        if len(table):
            state = _capture_rows(table, transient)
            state.handles = table.entities.copy()
            state.added_at = table.added_at[: len(table)].copy()
            tables[table.schema.key] = state
    changes = world.changes
    return Snapshot(
        tick=world.tick,
        texts=list(world.texts.texts),
        entities=world.entities.capture(),
        tables=tables,
        columns={c.schema.key: _capture_rows(c, transient) for c in world.columns.values() if len(c)},
        queues={
            q.kind.key: QueueState(_capture_rows(q.columns, True), q.base, q.tick_start)
            for q in world.queues.values()
            if q.end
        },
        resources=_capture_resources(world),
        changes={
            "sequence": changes.sequence,
            "cursors": dict(changes.cursors),
            "log_start": dict(changes.log_start),
            "logs": {key: list(log) for key, log in changes.logs.items()},
        },
        pending=world.pending_operations(),
    )


def _capture_rows(columns: Columns, transient: bool) -> TableState:
    fields: Fields = {}
    for name, spec in columns.schema.fields.items():
        if spec.transient and not transient:
            continue
        if spec.type.pooled:
            spans = columns.column(name)
            fields[name] = (spans[:, 1].copy(), columns.pool_of(name).gather(spans).copy())
        else:
            fields[name] = columns.column(name).copy()
    schema = {name: columns.schema.fields[name].type.name for name in fields}
    return TableState(schema, len(columns), fields)


def _capture_resources(world: World) -> dict[str, dict[str, Any]]:
    captured: dict[str, dict[str, Any]] = {}
    for cls, instance in world.resources.items():
        spec = resource_spec(cls)
        if spec is not None and not spec.derived:
            captured[spec.key] = {name: copy_plain(value) for name, value in fields_of(instance).items()}
    return captured


def restore(world: World, snapshot: Snapshot) -> None:
    """Make `world` what it was; see `World.restore`."""
    _check(world, snapshot)
    numbers = np.array([world.texts.intern(text) for text in snapshot.texts], np.int32)
    moved = not np.array_equal(numbers, np.arange(len(numbers)))
    remap = numbers if moved else None
    world.entities.restore(snapshot.entities)
    for table in world.tables.values():
        _restore_table(world, table, snapshot.tables.get(table.schema.key), remap)
    for columns in world.columns.values():
        _restore_columns(columns, snapshot.columns.get(columns.schema.key), remap)
    for queue in world.queues.values():
        state = snapshot.queues.get(queue.kind.key)
        queue.reset(state.base if state else 0, state.tick_start if state else 0)
        _restore_columns(queue.columns, state.rows if state else None, remap)
    _restore_resources(world, snapshot)
    changes = world.changes
    changes.sequence = snapshot.changes["sequence"]
    changes.cursors = dict(snapshot.changes["cursors"])
    changes.log_start = dict(snapshot.changes["log_start"])
    changes.logs = {key: list(log) for key, log in snapshot.changes["logs"].items()}
    world.tick = snapshot.tick
    world.epoch += 1
    world.set_pending(snapshot.pending)
    for instance in list(world.resources.values()):
        rebuild = getattr(instance, "rebuild", None)
        spec = resource_spec(type(instance))
        if rebuild is not None and spec is not None and spec.derived:
            rebuild(world)


def _check(world: World, snapshot: Snapshot) -> None:
    known = {t.schema.key for t in world.tables.values()}
    for key in snapshot.tables:
        if key not in known:
            plugin = key.partition(".")[0]
            raise SnapshotError(
                f"the snapshot holds the component {key}, which this world does not know",
                given=key,
                choices=known,
                hint=f"Name the plugin '{plugin}' in the manifest's plugins",
            )
    for key in snapshot.resources:
        if key not in world.resource_classes:
            raise SnapshotError(
                f"the snapshot holds the resource {key}, which this world never had", given=key, choices=world.resource_classes
            )


def _restore_table(world: World, table: Table, state: TableState | None, remap: Column | None) -> None:
    empty: Column = np.zeros(0, np.int64)
    handles = empty if state is None or state.handles is None else state.handles
    added_at = empty if state is None or state.added_at is None else state.added_at
    table.reset_rows(handles, added_at)
    world.entities.signature[:, handles & INDEX_MASK] |= world.signature((table.schema.cls,))[:, None]
    if state is not None:
        _fill(table, state, remap)


def _restore_columns(columns: Columns, state: TableState | None, remap: Column | None) -> None:
    columns.clear()
    if state is not None:
        columns.resize(state.length)
        _fill(columns, state, remap)


def _fill(columns: Columns, state: TableState, remap: Column | None) -> None:
    rows = slice(0, state.length)
    for name, spec in columns.schema.fields.items():
        source = _source(spec, state)
        if source is None:
            columns.fill_rows(name, rows, spec.default)
        elif spec.type.pooled:
            lengths, items = state.fields[source]
            spans = columns.column(name)
            spans[:, 1] = lengths
            inner = spec.type.item
            texts = inner is not None and inner.special in ("str", "asset")
            columns.pool_of(name).fill(spans, remap[items] if texts and remap is not None else items)
        else:
            values: Column = state.fields[source]
            text = spec.type.special in ("str", "asset")
            columns.column(name)[...] = remap[values] if text and remap is not None else values


def _source(spec: FieldSpec, state: TableState) -> str | None:
    """The field of a captured table from which a field of today takes its values; None for the default."""
    for name in (spec.name, *spec.was):
        if name in state.fields and _fits(state.schema[name], spec, state.fields[name]):
            return name
    return None


def _fits(stored: str, spec: FieldSpec, values: Any) -> bool:
    if stored == spec.type.name:
        return True
    if spec.type.pooled or spec.type.special or isinstance(values, tuple):
        return False
    numeric = {"float", "int", "bool"}
    return stored in numeric and spec.type.name in numeric


def _restore_resources(world: World, snapshot: Snapshot) -> None:
    from .codec import revive

    for cls, instance in list(world.resources.items()):
        spec = resource_spec(cls)
        if spec is None or spec.derived:
            continue
        captured = snapshot.resources.get(spec.key)
        if captured is None:
            world.drop(cls)
            continue
        for name in fields_of(instance):
            if name in captured:
                setattr(instance, name, revive(captured[name], cls))
    held = {spec.key for cls in world.resources if (spec := resource_spec(cls)) is not None}
    for key, captured in snapshot.resources.items():
        if key not in held:
            cls = world.resource_classes[key]
            made = object.__new__(cls)
            made.__dict__.update({name: revive(value, cls) for name, value in captured.items()})
            world.put(made)


