"""Restores a snapshot into a world, also one of a world with another schema.

A snapshot contains its schema. So a world whose classes have changed since (by a reload or a newer version) restores
what fits: fields by name or former name, numbers are cast, enum members are matched by name, everything else gets its
default. The world is changed only after all rows were converted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import numpy as np

from rish_jit.errors import SnapshotError, UsageError

from ..declarations.columns import Column, ColumnType, members_of
from ..declarations.component import Declaration, FieldSpec, kind_of
from ..declarations.resource import fitted, remade, resource_spec, whole_fields
from ..equality import equal
from ..storage.entities import INDEX_MASK
from ..storage.store import Store
from ..storage.table import Columns, Table
from ..storage.text import TextTable
from .codec import revive
from .data import QueueState, TableState
from .filling import fill
from .snapshot import Snapshot

_NUMERIC = frozenset({"float", "int", "bool"})
_VECTORS = frozenset({"Vec2", "Vec3", "Vec4", "Color"})
_NONE: Column = np.zeros(0, np.int64)
_MISSING = object()
_NO_ROWS = TableState({}, 0, {}, _NONE, _NONE)
Rows = dict[str, dict[str, Any]]
"""The columns of each table, by full name and field."""


def restore(world: Store, snapshot: Snapshot) -> list[Any]:
    """Restore `world`, see `World.restore`; return the queued changes of structure."""
    snapshot = _under_present_names(world, snapshot)
    _check_known(world, snapshot)
    rows, resources = _make_plan(world, snapshot)
    world.entities.restore(snapshot.entities)
    for table in world.tables.values():
        _restore_table(world, table, snapshot.tables.get(table.schema.key, _NO_ROWS), rows)
    for columns in world.columns.values():
        _restore_rows(columns, snapshot.columns.get(columns.schema.key, _NO_ROWS), rows)
    for queue in world.queues.values():
        state = snapshot.queues.get(queue.kind.key, QueueState(_NO_ROWS, 0, 0))
        queue.reset(state.base, state.tick_start)
        _restore_rows(queue.columns, state.rows, rows)
    for cls in [cls for cls in world.resources if _goes(world, cls) and cls not in resources]:
        world.drop(cls)
    for cls, values in resources.items():
        _restore_resource(world, cls, values)
    world.changes.load(snapshot.changes)
    _forget_absent(world, snapshot)
    world.tick = snapshot.tick
    world.membership += 1
    world.bus.version += 1
    rebuild(world)
    return list(snapshot.pending)


def _forget_absent(world: Store, snapshot: Snapshot) -> None:
    """Drop the cursors on parts for drawing that this world does not know, and those of their owners' systems."""
    declared = {kind_of(cls).key for cls in (*world.tables, *world.columns, *world.queues)}
    absent = {*snapshot.view} - declared - world.resource_classes.keys()
    owners = {key.partition(".")[0] for key in absent} - {key.partition(".")[0] for key in declared}
    readers = {reader for _, reader, _ in world.changes.tick.cursors if reader.partition(".")[0] in owners}
    world.changes.tick.forget(readers, absent)


def _under_present_names(world: Store, snapshot: Snapshot) -> Snapshot:
    """Return the snapshot with renamed classes (`was=`) under their current names."""
    kinds: list[Declaration] = [kind_of(cls) for cls in (*world.tables, *world.columns, *world.queues)]
    kinds += filter(None, map(resource_spec, world.resource_classes.values()))
    now = {old: kind.key for kind in kinds if kind.was for old in kind.former_keys}
    keys = snapshot.tables.keys() | snapshot.columns.keys() | snapshot.queues.keys() | snapshot.resources.keys()
    if now.keys().isdisjoint(keys):
        return snapshot

    def renamed(states: dict[str, Any]) -> dict[str, Any]:
        return {now.get(key, key): state for key, state in states.items()}

    changes = dict(snapshot.changes)
    changes["cursors"] = {(what, by, now.get(key, key)): n for (what, by, key), n in changes["cursors"].items()}
    changes |= {name: renamed(changes[name]) for name in ("log_start", "logs")}
    return replace(
        snapshot,
        tables=renamed(snapshot.tables),
        columns=renamed(snapshot.columns),
        queues=renamed(snapshot.queues),
        resources=renamed(snapshot.resources),
        changes=changes,
    )


def _check_known(world: Store, snapshot: Snapshot) -> None:
    queues = {key: state.rows for key, state in snapshot.queues.items()}
    for what, states, classes in (
        ("component", snapshot.tables, world.tables),
        ("table", snapshot.columns, world.columns),
        ("event", queues, world.queues),
    ):
        declared = {kind_of(cls).key for cls in classes}
        for key, state in states.items():
            if key not in declared and key not in snapshot.view and state.length:
                raise _unknown(what, key, declared)
    for key in snapshot.resources:
        if key not in world.resource_classes and key not in snapshot.view:
            raise _unknown("resource", key, world.resource_classes)


def _unknown(what: str, key: str, declared: Iterable[str]) -> SnapshotError:
    plugin, dot, _ = key.partition(".")
    return SnapshotError(
        f"the snapshot holds the {what} {key}, which this world does not know",
        given=key,
        choices=declared,
        hint=f"Name the plugin '{plugin}' in the manifest's plugins, and install it" if dot else None,
    )


def _make_plan(world: Store, snapshot: Snapshot) -> tuple[Rows, dict[type, dict[str, Any]]]:
    """Return the values to write: those of tables, and those of resources by class."""
    numbers = _numbers(world, snapshot.texts)
    states = snapshot.states
    rows: Rows = {}
    for cls in (*world.tables, *world.columns, *world.queues):
        kind = kind_of(cls)
        state = states.get(kind.key)
        if state is not None:
            fields = kind.fields.items()
            rows[kind.key] = {name: converted(spec, state, numbers, world.texts) for name, spec in fields}
    resources: dict[type, dict[str, Any]] = {}
    for key, captured in snapshot.resources.items():
        cls = world.resource_classes.get(key)
        if cls is None:  # for drawing only, of a plugin that does not run here
            continue
        spec, values = resource_spec(cls), {name: revive(value, cls) for name, value in captured.items()}
        try:
            resources[cls] = whole_fields(cls, fitted(spec, values) if spec is not None else values)
        except KeyError as error:
            raise SnapshotError(f"the snapshot lacks a field: {error.args[0]}") from None
    return rows, resources


def _numbers(world: Store, texts: list[str]) -> Column:
    """Return int32: the number in this world of each text of the snapshot."""
    try:
        return np.array([world.texts.intern(text) for text in texts], np.int32)
    except (UsageError, TypeError) as error:
        raise SnapshotError(f"the snapshot contains invalid text: {error}") from None


def converted(spec: FieldSpec, state: TableState, numbers: Column, texts: TextTable) -> Any:
    """Return the captured values in the form of the current column, or None for the default.

    Rows of variable length are a pair of lengths and items. The first of the field's names that fits is used. numbers:
    int32, the current number of each captured text.
    """
    column = spec.type
    for name in (spec.name, *spec.was):
        stored, values = state.schema.get(name), state.fields.get(name)
        if stored is None or values is None:
            continue
        if isinstance(values, tuple) != column.pooled:
            if {stored, column.name} == {"Str", "Chars"}:
                return _respelled(values, numbers, texts)
            continue
        if column.pooled:
            lengths, items = cast("tuple[Column, Column]", values)
            items = _same(column, items, numbers) if stored == column.schema else _cast_items(stored, column, items)
            if items is not None:
                if column.special == "chars":
                    _check_characters(lengths, items)
                return lengths, items
        elif stored == column.schema or (column.text and stored in ("Str", "Asset")):
            values = _same(column, values, numbers)
            if values is not None:
                return values
        elif stored in _NUMERIC and column.name in _NUMERIC and values.ndim == 1:
            return _cast(column, values)
        elif stored in _VECTORS and column.name in _VECTORS and values.ndim == 2:
            return _widened(spec, values)
        elif column.enum is not None and stored.startswith("enum(") and values.dtype == np.uint8 and values.ndim == 1:
            return _members(column, stored[5:-1].split(","), spec.default, values)
    return None


def _same(column: ColumnType, values: Column, numbers: Column) -> Column | None:
    """Return values of the same type, with texts renumbered; None if their shape or dtype does not fit."""
    if values.shape[1:] != column.shape or values.dtype != column.dtype:
        return None
    if column.text:
        return _known(values, numbers)
    if column.enum is not None and len(values) and values.max() >= len(column.enum):
        raise SnapshotError(f"the snapshot contains a {column.name} that is not one of its members")
    return values


def _check_characters(lengths: Column, items: Column) -> None:
    """Raise SnapshotError unless each row is valid UTF-8 by itself."""
    starts = (np.cumsum(lengths, dtype=np.int64) - lengths)[lengths > 0]
    try:
        items.tobytes().decode()
    except UnicodeDecodeError:
        starts = None
    if starts is None or (items[starts] & 0xC0 == 0x80).any():
        raise SnapshotError("the snapshot contains invalid text")


def _cast(column: ColumnType, values: Column) -> Column:
    """Cast numbers to another type; integers are clipped to its range, NaN becomes 0."""
    if column.dtype.kind == "i":
        bounds = np.iinfo(column.dtype)
        values = np.clip(np.nan_to_num(values.astype(np.float64)), bounds.min, bounds.max)
    with np.errstate(over="ignore"):
        return values.astype(column.dtype)


def _cast_items(stored: str, column: ColumnType, items: Column) -> Column | None:
    """Cast the items of lists of numbers to another type; return None if the types do not fit."""
    kinds = {f"list[{name}]" for name in _NUMERIC}
    return _cast(column, items) if stored in kinds and column.name in kinds and items.ndim == 1 else None


def _widened(spec: FieldSpec, values: Column) -> Column:
    """Convert vectors of another length: keep the common numbers, take the others from the default."""
    both = min(values.shape[1], spec.type.width)
    widened: Column = np.tile(np.asarray(spec.default, np.float32), (len(values), 1))
    widened[:, :both] = values[:, :both]
    return widened


def _respelled(values: Any, numbers: Column, texts: TextTable) -> Any:
    """Convert interned texts (`Str`) to characters (`Chars`), or the reverse."""
    if isinstance(values, tuple):
        lengths, items = cast("tuple[Column, Column]", values)
        _check_characters(lengths, items)
        ends = np.cumsum(lengths, dtype=np.int64).tolist()
        whole = items.tobytes()
        parts = [whole[end - size : end].decode() for end, size in zip(ends, lengths.tolist(), strict=True)]
        return np.array([texts.intern(part) for part in parts], np.int32)
    used: list[int] = _known(cast("Column", values), numbers).tolist()
    spellings = [texts.texts[number] for number in used]
    spelled = [text.encode() for text in spellings]
    return np.array([len(text) for text in spelled], np.int32), np.frombuffer(b"".join(spelled), np.uint8)


def _known(values: Column, numbers: Column) -> Column:
    """Return the current numbers of captured texts. Raises SnapshotError for an invalid number."""
    if len(values) and not (values.min() >= 0 and values.max() < len(numbers)):
        raise SnapshotError("the snapshot holds the number of a text that it does not hold")
    return numbers[values]


def _members(column: ColumnType, names: list[str], default: Any, values: Column) -> Column:
    """Convert the numbers of captured enum members to those of the current members, matched by name."""
    assert column.enum is not None
    place = {member: number for number, member in enumerate(members_of(column.enum))}
    now = {name: place[member] for name, member in column.enum.__members__.items()}
    fallback = now[default.name]
    numbers = np.array([now.get(name, fallback) for name in names], np.uint8)
    return np.where(values < len(names), numbers[np.minimum(values, len(names) - 1)], fallback).astype(np.uint8)


def _restore_table(world: Store, table: Table, state: TableState, rows: Rows) -> None:
    handles = cast("Column", state.handles)
    table.reset_rows(handles, cast("Column", state.added_at))
    world.entities.signature[:, handles & INDEX_MASK] |= world.signature((table.schema.cls,))[:, None]
    fill(table, rows.get(table.schema.key, {}))


def _restore_rows(columns: Columns, state: TableState, rows: Rows) -> None:
    if len(columns) != state.length:
        columns.resize(state.length)
    fill(columns, rows.get(columns.schema.key, {}))


def _goes(world: Store, cls: type) -> bool:
    """Whether a resource that a snapshot does not contain is dropped: not if a plugin declared it for drawing only.

    Such a snapshot was taken without that plugin.
    """
    spec = resource_spec(cls)
    return spec is not None and not spec.derived and not (world.is_view(spec) and spec.owner)


def _restore_resource(world: Store, cls: type, values: dict[str, Any]) -> None:
    """Restore the values of a resource, in place if it exists; equal values stay the same objects."""
    instance = world.resources.get(cls)
    if instance is None:
        spec = resource_spec(cls)
        assert spec is not None
        world.hold(spec.key, cls, remade(cls, values))
        return
    for name, value in values.items():
        if not equal(getattr(instance, name, _MISSING), value):
            setattr(instance, name, value)  # not object.__setattr__, so that a class can count its changes


def rebuild(world: Store) -> None:
    """Call `rebuild` of the derived resources, after the state was replaced."""
    for instance in list(world.resources.values()):
        spec = resource_spec(type(instance))
        if spec is not None and spec.derived and hasattr(instance, "rebuild"):
            instance.rebuild(world)
