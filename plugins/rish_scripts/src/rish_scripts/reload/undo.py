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
    """The entities of a manifest, and their components, that were removed since a snapshot.

    game: the manifest at the time of the snapshot. kept: by component, the rows of the snapshot that were removed.
    """

    def __init__(self, world: World, game: CompiledManifest, snapshot: Snapshot) -> None:
        self._game = game
        tables = {table.schema.key: table for table in world.tables.values()}
        origin = world.table(Origin).schema.key
        self._origins = snapshot.tables[origin]
        mine = _handles(self._origins)
        self._kept: dict[str, tuple[TableState, Column]] = {}
        for key, state in snapshot.tables.items():
            if key in tables and key != origin:
                handles = _handles(state)
                lost = np.flatnonzero((tables[key].lookup(handles) < 0) & np.isin(handles, mine))
                if len(lost):
                    self._kept[key] = (state, lost)

    def __bool__(self) -> bool:
        return bool(self._kept)

    def give_back(self, world: World, after: CompiledManifest, done: Reconciled) -> None:
        """Write the removed rows into the entities and components that an edit made in their place.

        Fields that differ between the manifest `after` and the former one keep the value of `after`. References to
        removed entities keep the value of the manifest. Entities that the game had despawned before are despawned
        again.
        """
        made = set(np.concatenate([_NONE, *done.new_handles]).tolist())
        edits = {
            number: edit
            for number in np.unique(np.asarray(self._origins.fields["scene"])).tolist()
            if (edit := edit_of(world, world.text(number), self._game, after, done)) is not None
        }
        parts = [(number, edit, *found) for number, edit in edits.items() for found in self._found(world, edit, number)]
        stood_for = {
            old: new
            for *_, olds, news, _ in parts
            for old, new in zip(olds.tolist(), news.tolist(), strict=True)
            if new in made
        }
        for edit in edits.values():
            self._despawn(world, edit, made - set(stood_for.values()))
        given = {kind_of(cls).key: set(handles.tolist()) for cls, handles in done.added}
        for table in world.tables.values():
            state, lost = self._kept.get(table.schema.key, (None, _NONE))
            had = set(_handles(state)[lost].tolist()) if state is not None else set[int]()
            if table.schema.key != kind_of(Origin).key:
                _take(world, table, [new for old, new in stood_for.items() if old not in had])
            if state is not None:
                again = {h: h for h in given.get(table.schema.key, ())}
                _put(world, table, state, lost, stood_for | again, stood_for)
        for _, edit, entry, _, news, copies in parts:
            mine = np.isin(news, list(made))
            if mine.any():
                edit.rewrite(entry, news[mine], copies[mine])
            for cls, handles in done.added:
                theirs = np.isin(news, handles)
                if theirs.any() and kind_of(cls).key in self._kept:
                    edit.rewrite(entry, news[theirs], copies[theirs], cls)

    def _despawn(self, world: World, edit: Edit, fresh: set[int]) -> None:
        """Despawn new entities whose former entity was despawned by the game before the snapshot."""
        living = _living(world, edit.new.origin)
        for entry, step in enumerate(edit.old.steps):
            number, copies = edit.successor(entry, np.arange(step.rows)) or (-1, _NONE)
            there = [living.get((number, copy), 0) for copy in copies.tolist()]
            gone = np.array([handle for handle in there if handle in fresh and world.alive(handle)], np.int64)
            if len(gone):
                world.despawn(gone)

    def _found(self, world: World, edit: Edit, scene: int) -> list[tuple[int, Column, Column, Column]]:
        """Return for each step of the new manifest: its number, the former handles, the new ones, and copy numbers."""
        living = _living(world, edit.new.origin)
        fields = {name: np.asarray(self._origins.fields[name]) for name in ("scene", "entry", "copy")}
        found: list[tuple[int, Column, Column, Column]] = []
        for entry in np.unique(fields["entry"][fields["scene"] == scene]).tolist():
            mine = np.flatnonzero((fields["scene"] == scene) & (fields["entry"] == entry))
            successor = edit.successor(entry, fields["copy"][mine].astype(np.int64))
            if successor is None:
                continue
            number, copies = successor
            news = np.array([living.get((number, copy), 0) for copy in copies.tolist()], np.int64)
            there = news != 0
            found.append((number, _handles(self._origins)[mine][there], news[there], copies[there]))
        return found


def _living(world: World, origin: str) -> dict[tuple[int, int], int]:
    """Return the entities of a scene or prefab by step and copy."""
    table = world.table(Origin)
    mine = np.flatnonzero(table.column("scene") == world.texts.find(origin))
    handles = table.entities[mine].tolist()
    return dict(zip(zip(table.entry[mine].tolist(), table.copy[mine].tolist(), strict=True), handles, strict=True))


def _handles(state: TableState) -> Column:
    return state.handles if state.handles is not None else _NONE


def _take(world: World, table: Table, handles: list[int]) -> None:
    """Remove a component from the entities that have it."""
    handles = [handle for handle in handles if table.row_of(handle) >= 0]
    if handles:
        world.remove(np.array(handles, np.int64), table.schema.cls)


def _put(
    world: World, table: Table, state: TableState, lost: Column, heirs: dict[int, int], stood_for: dict[int, int]
) -> None:  # fmt: skip
    """Write removed rows of a component into the new entities; add the component where it is missing."""
    handles = _handles(state)[lost]
    pairs = [(row, heirs[h]) for row, h in zip(lost.tolist(), handles.tolist(), strict=True) if h in heirs]
    if not pairs:
        return
    chosen, new = np.array(pairs, np.int64).T
    lacking = new[table.lookup(new) < 0]
    if len(lacking):
        world.add(lacking, table.schema.cls)
    rows = table.rows_of(new)
    links = [spec for spec in table.schema.fields.values() if spec.type.special == "entity"]
    made = [table.column(spec.name)[rows].copy() for spec in links]
    put_captured(table, rows, state, chosen)
    for spec, before in zip(links, made, strict=True):
        _mend(world, table, spec, rows, before, stood_for)


def _mend(
    world: World, table: Table, spec: FieldSpec, rows: Column, made: Column, stood_for: dict[int, int]
) -> None:  # fmt: skip
    """Change references from former entities to the new ones; a reference to a removed entity gets its first value."""
    values = table.column(spec.name)[rows].copy()
    for i, handle in enumerate(values.tolist()):
        values[i] = stood_for.get(handle, handle if not handle or world.alive(handle) else made[i])
    table.put_rows(spec.name, rows, values)
