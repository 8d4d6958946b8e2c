"""Restores the state that a change of code dropped, after the change was undone."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs.snapshots import put_captured

if TYPE_CHECKING:
    from rish_core import Registry
    from rish_ecs import Snapshot, Table, World
    from rish_ecs.snapshots import TableState


def give_back(world: World, state: Snapshot, between: Registry) -> None:
    """Write the classes and fields that a registry lacks from a snapshot into the World.

    state: the snapshot from before the change. between: the registry that was in use during the change, and dropped
    what it did not declare. Entities that no longer exist are skipped.
    """
    current = world.snapshot()
    fields = {key: {*kind.fields} for key, kind in {**between.components, **between.tables}.items()}
    for spec in (*between.resources.values(), *between.settings.values()):
        fields[spec.key] = {each.name for each in dataclasses.fields(spec.cls)}
    for key, rows in state.columns.items():
        if key not in fields:
            current.columns[key] = rows
    for key, values in state.resources.items():
        if key in current.resources:
            missing = values.keys() - fields.get(key, set())
            current.resources[key] |= {name: values[name] for name in missing & current.resources[key].keys()}
    world.restore(current)
    for table in world.tables.values():
        rows = state.tables.get(table.schema.key)
        if rows is not None:
            _write_rows(world, table, rows, fields.get(table.schema.key))


def _write_rows(world: World, table: Table, rows: TableState, written: set[str] | None) -> None:
    """Write captured rows of a component. written: the fields to leave out; None: the whole component was dropped."""
    handles = rows.handles
    if handles is None or not len(handles):
        return
    alive = world.alive(handles)
    if written is None:
        world.add(handles[alive & (table.rows_of(handles) < 0)], table.schema.cls)
    indices = np.flatnonzero(alive & (table.rows_of(handles) >= 0))
    missing: dict[str, Any] = {name: each for name, each in rows.fields.items() if name not in (written or ())}
    if len(indices) and missing:
        schema = {name: rows.schema[name] for name in missing}
        put_captured(
            table, table.rows_of(handles[indices]), dataclasses.replace(rows, schema=schema, fields=missing), indices
        )
