"""Writes new defaults of fields: an entity with the former default gets the new one, unless its text sets the field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Origin, Registry
from rish_core.manifest import CompiledManifest
from rish_ecs import Table, kind_of
from rish_ecs.declarations import Column, FieldSpec, distinct

from .difference import same

if TYPE_CHECKING:
    from rish_ecs import World


def write_defaults(world: World, before: Registry, game: CompiledManifest) -> None:
    """Write the defaults that new code has changed into the entities. Only between two ticks.

    before: the declarations from before the reload. game: the manifest, compiled for the new code. A value stays if it
    differs from the former default, or if the text sets it.
    """
    for cls, table in list(world.tables.items()):
        old = before.components.get(table.schema.key)
        if old is None or not len(table):
            continue
        for name, spec in table.schema.fields.items():
            former = old.fields.get(name)
            if spec.derived or former is None or former.type.schema != spec.type.schema:
                continue
            if same(former.default, spec.default):
                continue
            handles: Column = table.entities[_at_default(table, former)]
            handles = handles[~_set_in_text(world, game, spec, handles)]
            if len(handles):
                world.set(handles, cls(**{name: spec.default}))


def _at_default(table: Table, spec: FieldSpec) -> Column:
    """Return int64 (n,): the rows of a table in which a field has its default."""
    if spec.type.pooled:
        equal = [same(table.read_row(spec.name, row), spec.default) for row in range(len(table))]
        return np.flatnonzero(equal)
    column = table.column(spec.name)
    equal = column == table.encode(spec, spec.default, 1)
    return np.flatnonzero(equal.reshape(len(column), -1).all(axis=1))


def _set_in_text(world: World, game: CompiledManifest, spec: FieldSpec, handles: Column) -> Column:
    """Return bool (n,): which of the n entities come from an entry of the manifest that sets a field."""
    origin = world.table(Origin)
    rows = origin.lookup(handles)
    has_entry = rows >= 0
    scenes, entries = origin.column("scene")[rows], origin.column("entry")[rows]
    by_text = np.zeros(len(handles), np.bool_)
    for number in distinct(scenes[has_entry]).tolist():
        plan = game.plan(world.text(number))
        steps = plan.steps if plan is not None else ()
        setting = [entry for entry, step in enumerate(steps)
                   if any(kind_of(cls).key == spec.kind.key and spec.name in values
                          for cls, values in step.parts.items())]  # fmt: skip
        by_text |= has_entry & (scenes == number) & np.isin(entries, setting)
    return by_text
