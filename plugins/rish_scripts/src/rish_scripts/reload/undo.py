"""Undo of a live edit: entities that one edit removes get their state back if the next edit adds them again.

A text editor may save a file in two writes, and the first part of a manifest can be a valid manifest. An author may
also comment an entry out for a moment. Without this module, its entities would start with their initial state.

    undo = Undo(world, before, snapshot)         # after an edit; the snapshot is of the moment before it
    undo.give_back(world, after, done)           # after the next edit
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Origin
from rish_core.manifest import CompiledManifest
from rish_ecs import Snapshot, Table, kind_of
from rish_ecs.declarations import Column, FieldSpec
from rish_ecs.snapshots import TableState, put_captured
from rish_reload import Edit, Reconciled, edit_of

if TYPE_CHECKING:
    from rish_ecs import World

_NONE: Column = np.zeros(0, np.int64)


class Undo:
    """The entities and components of a manifest that were removed since a snapshot.

    game: the manifest at the time of the snapshot. It is False if nothing was removed.
    """

    def __init__(self, world: World, game: CompiledManifest, snapshot: Snapshot) -> None:
        self._game = game
        tables = {table.schema.key: table for table in world.tables.values()}
        origin = world.table(Origin).schema.key
        self._origins = snapshot.tables[origin]
        of_manifest = _handles(self._origins)
        self._removed_rows: dict[str, tuple[TableState, Column]] = {}
        for key, state in snapshot.tables.items():
            if key in tables and key != origin:
                handles = _handles(state)
                removed = np.flatnonzero((tables[key].lookup(handles) < 0) & np.isin(handles, of_manifest))
                if len(removed):
                    self._removed_rows[key] = (state, removed)

    def __bool__(self) -> bool:
        return bool(self._removed_rows)

    def give_back(self, world: World, after: CompiledManifest, done: Reconciled) -> None:
        """Write the removed rows into the entities and components that an edit made in their place.

        Fields that differ between the manifest `after` and the former one keep the value of `after`. References to
        removed entities keep the value of the manifest. Entities that the game had despawned before are despawned
        again.
        """
        new_handles = set(np.concatenate([_NONE, *done.new_handles]).tolist())
        edits = {
            number: edit
            for number in np.unique(np.asarray(self._origins.fields["scene"])).tolist()
            if (edit := edit_of(world, world.text(number), self._game, after, done)) is not None
        }
        parts = [
            (number, edit, *match) for number, edit in edits.items() for match in self._matches(world, edit, number)
        ]
        replacements = {
            old: new
            for *_, olds, news, _ in parts
            for old, new in zip(olds.tolist(), news.tolist(), strict=True)
            if new in new_handles
        }
        for edit in edits.values():
            self._despawn(world, edit, new_handles - set(replacements.values()))
        added = {kind_of(cls).key: set(handles.tolist()) for cls, handles in done.added}
        for table in world.tables.values():
            state, removed = self._removed_rows.get(table.schema.key, (None, _NONE))
            former_owners = set(_handles(state)[removed].tolist()) if state is not None else set[int]()
            if table.schema.key != kind_of(Origin).key:
                _take(world, table, [new for old, new in replacements.items() if old not in former_owners])
            if state is not None:
                again = {h: h for h in added.get(table.schema.key, ())}
                _put(world, table, state, removed, replacements | again, replacements)
        for _, edit, entry, _, news, copies in parts:
            new_rows = np.isin(news, list(new_handles))
            if new_rows.any():
                edit.rewrite(entry, news[new_rows], copies[new_rows])
            for cls, handles in done.added:
                given_rows = np.isin(news, handles)
                if given_rows.any() and kind_of(cls).key in self._removed_rows:
                    edit.rewrite(entry, news[given_rows], copies[given_rows], cls)

    def _despawn(self, world: World, edit: Edit, spawned: set[int]) -> None:
        """Despawn new entities whose former entity was despawned by the game before the snapshot."""
        living = _living(world, edit.new.origin)
        for entry, step in enumerate(edit.old.steps):
            number, copies = edit.successor(entry, np.arange(step.rows)) or (-1, _NONE)
            handles = [living.get((number, copy), 0) for copy in copies.tolist()]
            doomed = np.array([handle for handle in handles if handle in spawned and world.alive(handle)], np.int64)
            if len(doomed):
                world.despawn(doomed)

    def _matches(self, world: World, edit: Edit, scene: int) -> list[tuple[int, Column, Column, Column]]:
        """Return for each step of the new manifest: its number, the former handles, the new ones, and copy numbers."""
        living = _living(world, edit.new.origin)
        fields = {name: np.asarray(self._origins.fields[name]) for name in ("scene", "entry", "copy")}
        matches: list[tuple[int, Column, Column, Column]] = []
        for entry in np.unique(fields["entry"][fields["scene"] == scene]).tolist():
            rows = np.flatnonzero((fields["scene"] == scene) & (fields["entry"] == entry))
            successor = edit.successor(entry, fields["copy"][rows].astype(np.int64))
            if successor is None:
                continue
            number, copies = successor
            new_handles = np.array([living.get((number, copy), 0) for copy in copies.tolist()], np.int64)
            exists = new_handles != 0
            matches.append((number, _handles(self._origins)[rows][exists], new_handles[exists], copies[exists]))
        return matches


def _living(world: World, origin: str) -> dict[tuple[int, int], int]:
    """Return the entities of a scene or prefab by step and copy."""
    table = world.table(Origin)
    rows = np.flatnonzero(table.column("scene") == world.texts.find(origin))
    handles = table.entities[rows].tolist()
    return dict(zip(zip(table.entry[rows].tolist(), table.copy[rows].tolist(), strict=True), handles, strict=True))


def _handles(state: TableState) -> Column:
    return state.handles if state.handles is not None else _NONE


def _take(world: World, table: Table, handles: list[int]) -> None:
    """Remove a component from the entities that have it."""
    handles = [handle for handle in handles if table.row_of(handle) >= 0]
    if handles:
        world.remove(np.array(handles, np.int64), table.schema.cls)


def _put(
    world: World, table: Table, state: TableState, removed: Column, new_of: dict[int, int], replacements: dict[int, int]
) -> None:  # fmt: skip
    """Write removed rows of a component into the new entities; add the component where it is missing."""
    handles = _handles(state)[removed]
    pairs = [(row, new_of[h]) for row, h in zip(removed.tolist(), handles.tolist(), strict=True) if h in new_of]
    if not pairs:
        return
    rows_of_state, new = np.array(pairs, np.int64).T
    without_component = new[table.lookup(new) < 0]
    if len(without_component):
        world.add(without_component, table.schema.cls)
    rows = table.rows_of(new)
    links = [spec for spec in table.schema.fields.values() if spec.type.special == "entity"]
    first_values = [table.column(spec.name)[rows].copy() for spec in links]
    put_captured(table, rows, state, rows_of_state)
    for spec, before in zip(links, first_values, strict=True):
        _fix_references(world, table, spec, rows, before, replacements)


def _fix_references(
    world: World, table: Table, spec: FieldSpec, rows: Column, first_values: Column, replacements: dict[int, int]
) -> None:  # fmt: skip
    """Replace references to former entities by the new ones; a reference to a removed entity gets its first value."""
    values = table.column(spec.name)[rows].copy()
    for i, handle in enumerate(values.tolist()):
        values[i] = replacements.get(handle, handle if not handle or world.alive(handle) else first_values[i])
    table.put_rows(spec.name, rows, values)
