"""Redeclaring: sets the classes of a world, at the beginning or again while it runs.

Classes are matched by full name, `plugin.Name`. A class with a known name takes over the existing rows: fields of the
same type are kept unchanged; renamed fields (`was="old"`) and fields of another type are migrated like a snapshot of an
older version; new fields get their defaults. The previous class *forwards* to the new one by its `__kind__` and its
fields, so that code that still uses it finds the same table.

A resource is replaced by an instance of the new class with the field values of the old instance.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any, cast

import numpy as np

from rish_jit.errors import DeclarationError, SnapshotError

from ..declarations.columns import Column
from ..declarations.component import Kind, kind_of
from ..declarations.resource import ResourceSpec, coerced, fields_of, resource_spec
from ..storage.events import EventQueue
from ..storage.store import Store
from ..storage.table import Columns, Table
from ..storage.text import TextTable
from .data import TableState

_MAKERS: dict[str, Callable[[Kind, TextTable], Any]] = {"component": Table, "table": Columns, "event": EventQueue}


def redeclared(world: Store, declared: Iterable[type]) -> dict[str, dict[type, Any]]:
    """Return tables, columns and queues for exactly these classes; those with a known full name are reused.

    They are in the order of declaration, by category and class. Raises DeclarationError if two classes have the same
    full name, before anything is changed.
    """
    kinds = _distinct(kind_of(cls) for cls in declared)
    former: dict[tuple[str, str], Any] = {}
    for columns in (*world.tables.values(), *world.columns.values()):
        former[columns.schema.category, columns.schema.key] = columns
    for queue in world.queues.values():
        former["event", queue.kind.key] = queue
    stores = {category: dict[type, Any]() for category in _MAKERS}
    for kind in kinds:
        store: Any = former.get((kind.category, kind.key))
        if store is None:
            store = _MAKERS[kind.category](kind, world.texts)
        elif isinstance(store, EventQueue):
            store.take_kind(kind, migrate)
        else:
            migrate(store, kind)
        stores[kind.category][kind.cls] = store
    return stores


def _distinct(kinds: Iterable[Kind]) -> list[Kind]:
    by_key: dict[str, Kind] = {}
    for kind in kinds:
        other = by_key.setdefault(kind.key, kind)
        if other is not kind:
            raise DeclarationError(
                f"two classes are called {kind.key}, of {other.cls.__module__} and of {kind.cls.__module__}",
                hint="Rename one of them, or let a plugin own it",
            )
    return list(by_key.values())


def migrate(columns: Columns, kind: Kind) -> None:
    """Migrate the rows of columns to another declaration of their kind, and forward the previous class."""
    from .filling import fill
    from .restore import converted
    from .snapshot import capture_rows

    old = columns.schema
    if old is kind:
        return
    state = capture_rows(columns, True)
    if columns.take_kind(kind):
        numbers = np.arange(len(columns.texts), dtype=np.int32)
        values = {name: converted(spec, state, numbers, columns.texts) for name, spec in kind.fields.items()}
        fill(columns, values)
    forward(old, kind)


def put_captured(columns: Columns, rows: Column, state: TableState, chosen: Column) -> None:
    """Write captured rows into existing rows. chosen: for each of `rows` the index of its captured row."""
    from .restore import converted

    numbers = np.arange(len(columns.texts), dtype=np.int32)
    for name, spec in columns.schema.fields.items():
        values = converted(spec, state, numbers, columns.texts)
        if isinstance(values, tuple):
            lengths, items = cast("tuple[Column, Column]", values)
            ends = np.cumsum(lengths, dtype=np.int64)
            columns.put_rows(name, rows, [items[ends[row] - lengths[row] : ends[row]] for row in chosen.tolist()])
        elif values is not None:
            columns.put_rows(name, rows, values[chosen])
    columns.mark(rows)


def forward(old: Kind, kind: Kind) -> None:
    """Make the previous versions of a class use the declaration of their successor."""
    for cls in {*old.before, old.cls} - {kind.cls}:
        kind.before.add(cls)
        cls.__kind__ = kind  # pyright: ignore[reportAttributeAccessIssue]
        for name, spec in kind.fields.items():
            setattr(cls, name, spec)


def reinstate(kinds: Iterable[Kind], specs: Iterable[ResourceSpec]) -> None:
    """Give classes their own declarations back; used when a reload is undone."""
    for kind in kinds:
        cast("Any", kind.cls).__kind__ = kind
        for name, spec in kind.fields.items():
            setattr(kind.cls, name, spec)
    for spec in specs:
        cast("Any", spec.cls).__resource__ = spec


def renewed_resource(old: Any, cls: type[Any]) -> Any:
    """Return an instance of a resource class with the fields of an older instance, whose class then forwards to it.

    Values of removed fields are dropped. A field whose value does not fit the new class gets its default.
    """
    spec = resource_spec(cls)
    assert spec is not None
    instance, former = cls(), fields_of(old)
    for declared in dataclasses.fields(instance):
        names = (declared.name, *(spec.fields[declared.name].was if declared.name in spec.fields else ()))
        name = next((name for name in names if name in former), None)
        if name is not None:
            value = former[name] if spec.derived else _kept(spec, declared.name, former[name], instance)
            setattr(instance, declared.name, value)
    old_spec = resource_spec(type(old))
    for former in {*(old_spec.before if old_spec is not None else ()), type(old)} - {cls}:
        spec.before.add(former)
        cast("Any", former).__resource__ = spec
    return instance


def _kept(spec: ResourceSpec, name: str, value: Any, instance: Any) -> Any:
    """Return a field's value with the current enums and dataclasses; the default if it can't be converted."""
    from .codec import named, revive

    default: Any = getattr(instance, name)
    try:
        revived: Any = revive(named(value), spec.cls)
    except (SnapshotError, DeclarationError):
        return default
    if name in spec.fields:
        return coerced(spec.fields[name], revived, default)
    if spec.hints.get(name) is Any:
        return revived
    containers = (list, tuple, dict, np.ndarray)
    unlike = type(revived) is not type(default) and default is not None
    return default if unlike and any(isinstance(each, containers) for each in (revived, default)) else revived
