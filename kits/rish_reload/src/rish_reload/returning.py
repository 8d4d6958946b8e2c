"""Gives state back that a change of code dropped, after the former code has returned."""

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
    """Write what a registry in between did not know: classes and fields, as they were in a snapshot from before it.

    Entities that do not exist any more get nothing.
    """
    now = world.snapshot()
    fields = {key: {*kind.fields} for key, kind in {**between.components, **between.tables}.items()}
    for spec in (*between.resources.values(), *between.settings.values()):
        fields[spec.key] = {each.name for each in dataclasses.fields(spec.cls)}
    for key, rows in state.columns.items():
        if key not in fields:
            now.columns[key] = rows
    for key, values in state.resources.items():
        if key in now.resources:
            lacking = values.keys() - fields.get(key, set())
            now.resources[key] |= {name: values[name] for name in lacking & now.resources[key].keys()}
    world.restore(now)
    for table in world.tables.values():
        rows = state.tables.get(table.schema.key)
        if rows is not None:
            _give_rows(world, table, rows, fields.get(table.schema.key))


def _give_rows(world: World, table: Table, rows: TableState, known: set[str] | None) -> None:
    """Write captured rows of a component. known: the fields to leave out; None: the whole component was dropped."""
    handles = rows.handles
    if handles is None or not len(handles):
        return
    here = world.alive(handles)
    if known is None:
        world.add(handles[here & (table.rows_of(handles) < 0)], table.schema.cls)
    chosen = np.flatnonzero(here & (table.rows_of(handles) >= 0))
    lacking: dict[str, Any] = {name: each for name, each in rows.fields.items() if name not in (known or ())}
    if len(chosen) and lacking:
        schema = {name: rows.schema[name] for name in lacking}
        put_captured(
            table, table.rows_of(handles[chosen]), dataclasses.replace(rows, schema=schema, fields=lacking), chosen
        )
