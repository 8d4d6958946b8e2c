"""Live edits: applies changes in the text of scenes and prefabs to the entities that were spawned from it.

Each entity that was spawned from a manifest has a reference to its entry (`Origin`). The old and the new manifest are
compared entry by entry, and only the differences are written: a field whose text did not change keeps the value that
the game gave it. New entries and copies are spawned, removed ones are despawned with their children. Entities that the
game spawned from a prefab are changed in the same way.

    reconcile(world, before, after)      # between two ticks

Both manifests were checked and compiled, so the edit can't fail halfway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Origin, Scenes, Transform, find
from rish_core.manifest import CompiledManifest, Drawn, Link, Listed, SpawnPlan, Step, YamlList, copy_values
from rish_ecs import kind_of
from rish_ecs.declarations import Column, distinct

from .difference import Missing, changed_rows
from .entry_diff import Pairs, pair_steps

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_ecs.random import Stream

_NONE: Column = np.zeros(0, np.int64)


@dataclass
class Reconciled:
    """The result of a live edit: how many entities got new values, were spawned and were despawned.

    made: int64, the handles that were spawned. given: for each component that was added to existing entities, its class
    and their handles. lost: whether entities or components were removed.
    """

    changed: int = 0
    spawned: int = 0
    despawned: int = 0
    made: list[Column] = field(default_factory=list[Column])
    given: list[tuple[type, Column]] = field(default_factory=list["tuple[type, Column]"])

    lost: bool = False

    def __bool__(self) -> bool:
        return bool(self.changed or self.spawned or self.despawned)


def reconcile(world: World, before: CompiledManifest, after: CompiledManifest) -> Reconciled:
    """Change the entities that were spawned from one manifest to match another one. Only between two ticks."""
    done = Reconciled()
    current: str = world[Scenes].current
    table = world.table(Origin)
    numbers: list[int] = distinct(table.column("scene")).tolist()
    labels = [world.text(number) for number in numbers]
    for label in dict.fromkeys([*labels, current]):
        edit = edit_of(world, label, before, after, done)
        if edit is not None:
            edit.run()
    done.lost = done.lost or done.despawned > 0
    return done


def edit_of(
    world: World, label: str, before: CompiledManifest, after: CompiledManifest, done: Reconciled
) -> Edit | None:
    """Return the edit of a scene or prefab between two manifests; None if it is not in both."""
    old, new = before.plan(label), after.plan(label)
    if old is None or new is None:
        return None
    pairs = pair_steps(old, new, _texts(before, old), _texts(after, new))
    return Edit(world, old, new, pairs, done, fills=label == world[Scenes].current)


def _texts(compiled: CompiledManifest, plan: SpawnPlan) -> Sequence[Any]:
    """Return the text of each root of a plan, as nodes."""
    if plan.of_prefab:
        return [None]
    text = compiled.manifest.scenes.get(plan.origin)
    return text if isinstance(text, YamlList) else ()


@dataclass
class _Rows:
    """The living entities of a step: handles and copy numbers, int64. fresh: bool, those spawned by this edit."""

    handles: Column = field(default_factory=_NONE.copy)
    copies: Column = field(default_factory=_NONE.copy)
    fresh: Column = field(default_factory=lambda: np.zeros(0, np.bool_))

    def add(self, handles: Column, copies: Column) -> None:
        """Add newly spawned entities."""
        self.handles = np.concatenate([self.handles, handles])
        self.copies = np.concatenate([self.copies, copies])
        self.fresh = np.concatenate([self.fresh, np.ones(len(handles), np.bool_)])


class Edit:
    """The edit of one scene or prefab from an old plan to a new one. fills: whether new entries are spawned."""

    def __init__(
        self, world: World, old: SpawnPlan, new: SpawnPlan, pairs: Pairs, done: Reconciled, *, fills: bool
    ) -> None:
        self.world, self.old, self.new, self.pairs, self.done, self.fills = world, old, new, pairs, done, fills
        self.mates = {b: a for a, b in pairs.items()}
        self.many = old.of_prefab
        self.rows = [_Rows() for _ in new.steps]
        self.touched: set[int] = set()

    def run(self) -> None:
        """Run the edit: despawn, renumber, write, spawn, connect references."""
        self._keep(self._living())
        for number, mate in self.mates.items():
            self._write(self.old.steps[mate], self.new.steps[number], self.rows[number])
        for number, step in enumerate(self.new.steps):
            self._spawn(number, step)
        for number, step in enumerate(self.new.steps):
            mate = self.mates.get(number)
            self._connect(number, step, self.old.steps[mate].links if mate is not None else ())
        self.done.changed += len(self.touched)

    def successor(self, entry: int, copies: Column) -> tuple[int, Column] | None:
        """Return an old step's number in the new plan and that of its copies (-1: removed); None if it was removed."""
        mate = self.pairs.get(entry)
        return None if mate is None else (mate, self._moved(entry, copies))

    def rewrite(self, number: int, handles: Column, copies: Column, only: type | None = None) -> None:
        """Write the differences between the plans into entities of a step of the new plan.

        only: the component to write; None: all.
        """
        old, new = self.old.steps[self.mates[number]], self.new.steps[number]
        rows = _Rows(handles, copies, np.zeros(len(handles), np.bool_))
        if only is None:
            self._write(old, new, rows)
        elif only in new.parts and only in old.parts:
            self._write_fields(only, old.parts[only], new, rows)

    @property
    def _stream(self) -> Stream:
        return self.world.random(self.new.label)

    # Keeping and despawning

    def _living(self) -> dict[int, _Rows]:
        """Return the living entities of the old plan by step."""
        table = self.world.table(Origin)
        mine = np.flatnonzero(table.column("scene") == self.world.texts.find(self.old.origin))
        entries, copies = table.entry[mine], table.copy[mine].astype(np.int64)
        order = np.lexsort((copies, entries))
        entries, copies, handles = entries[order], copies[order], table.entities[mine][order]
        found: dict[int, _Rows] = {}
        for number in np.unique(entries).tolist():
            at = slice(*np.searchsorted(entries, [number, number + 1]).tolist())
            found[number] = _Rows(handles[at].copy(), copies[at], np.zeros(len(copies[at]), np.bool_))
        return found

    def _keep(self, living: dict[int, _Rows]) -> None:
        """Assign the entities to the steps of the new plan, with their new copy numbers; despawn the others."""
        gone: list[Column] = []
        for number, rows in living.items():
            if number >= len(self.old.steps):
                continue
            mate = self.pairs.get(number)
            copies = self._moved(number, rows.copies) if mate is not None else np.full(len(rows.copies), -1)
            stays = copies >= 0
            gone.append(rows.handles[~stays])
            if mate is not None:
                self.rows[mate] = _Rows(rows.handles[stays], copies[stays], rows.fresh[stays])
        lost = np.concatenate(gone) if gone else _NONE
        if len(lost):
            self.done.despawned += len(lost)
            self.world.despawn(lost)
        self._renumber()

    def _moved(self, number: int, copies: Column) -> Column:
        """Return the new numbers of copies of an old step; -1 for copies that are not in the new plan."""
        step, mate = self.old.steps[number], self.new.steps[self.pairs[number]]
        was, now = step.node.count, mate.node.count
        if step.parent < 0:
            return copies if self.many else np.where(copies < now, copies, -1)
        if self.pairs.get(step.parent) != mate.parent or not was:
            return np.full(len(copies), -1)
        above, which = self._moved(step.parent, copies // was), copies % was
        return np.where((above >= 0) & (which < now), above * now + which, -1)

    def _renumber(self) -> None:
        """Drop children that were despawned with their parents; write the new step and copy numbers of the others."""
        numbers = np.repeat(np.arange(len(self.rows)), [len(rows.handles) for rows in self.rows])
        handles = np.concatenate([_NONE, *(rows.handles for rows in self.rows)])
        copies = np.concatenate([_NONE, *(rows.copies for rows in self.rows)])
        alive = self.world.alive(handles)
        self.done.despawned += int((~alive).sum())
        numbers, handles, copies = numbers[alive], handles[alive], copies[alive]
        table = self.world.table(Origin)
        at = table.lookup(handles)
        other = (table.entry[at] != numbers) | (table.copy[at] != copies)
        if other.any():
            made: dict[str, Any] = {"entry": numbers[other], "copy": copies[other]}
            self.world.set(handles[other], Origin(**made))
        ends = np.searchsorted(numbers, np.arange(1, len(self.rows)))
        pairs = zip(np.split(handles, ends), np.split(copies, ends), strict=True)
        self.rows = [_Rows(mine, which, np.zeros(len(mine), np.bool_)) for mine, which in pairs][: len(self.rows)]

    # Writing

    def _write(self, old: Step, new: Step, rows: _Rows) -> None:
        """Write the differences between the old and the new step into its entities."""
        if not len(rows.handles) or old.node is new.node:  # the text did not change
            return
        olds = {kind_of(cls).key: (cls, values) for cls, values in old.parts.items()}
        news = {kind_of(cls).key: (cls, values) for cls, values in new.parts.items()}
        linked = {kind_of(link.cls).key for link in new.links}
        for key, (cls, _) in olds.items():
            if key not in news and key not in linked and cls in self.world:
                self._take(cls, rows)
        for key, (cls, _) in news.items():
            if key in olds:
                self._write_fields(cls, olds[key][1], new, rows)
            else:
                self._give(cls, new, rows)
        self._place(old, new, rows)

    def _take(self, cls: type, rows: _Rows) -> None:
        has = rows.handles[self.world.table(cls).lookup(rows.handles) >= 0]
        if len(has):
            self.world.remove(has, cls)
            self.done.lost = True
            self._touch(has)

    def _give(self, cls: type, step: Step, rows: _Rows) -> None:
        """Add a component that the old entry did not have; where the game has added it already, write its values."""
        fields = kind_of(cls).fields
        has = self.world.table(cls).lookup(rows.handles) >= 0
        for mask, change in ((~has, self.world.add), (has, self.world.set)):
            if mask.any():
                values = step.parts[cls]
                given = {n: copy_values(fields[n], v, rows.copies[mask], self._draws(v)) for n, v in values.items()}
                change(rows.handles[mask], cls(**given))
                self._touch(rows.handles[mask])
        if not has.all():
            self.done.given.append((cls, rows.handles[~has]))

    def _write_fields(self, cls: type, old: dict[str, Any], step: Step, rows: _Rows) -> None:
        kind, new, placed = kind_of(cls), step.parts[cls], step.node.at is not None
        for name in dict.fromkeys((*new, *old)):
            spec = kind.fields.get(name)
            if spec is None or (name == "position" and cls is Transform and placed):
                continue
            before, now = old.get(name, Missing), new.get(name, spec.default)
            if name not in new and any(kind_of(li.cls).key == kind.key and li.field == name for li in step.links):
                continue  # a reference, which is written later
            mask = changed_rows(before, now if name in new else Missing, rows.copies)
            if mask.any():
                mask &= self.world.table(cls).lookup(rows.handles) >= 0
            if mask.any():
                value = copy_values(spec, now, rows.copies[mask], self._draws(now))
                self.world.set(rows.handles[mask], cls(**{name: value}))
                self._touch(rows.handles[mask])

    def _place(self, old: Step, new: Step, rows: _Rows) -> None:
        """Move the copies whose position by `at` changed."""
        before, now = old.node.at, new.node.at
        if before == now or Transform not in new.parts or Transform not in old.parts:
            return
        which = rows.copies if self.many and new.parent < 0 else rows.copies % max(new.node.count, 1)
        there, was = self._places(new, which), self._places(old, which)
        drawn = any(at is not None and at.random for at in (before, now))
        moved = np.ones(len(which), np.bool_) if drawn else (there != was).any(axis=1)
        moved &= self.world.table(Transform).lookup(rows.handles) >= 0
        if moved.any():
            placed: dict[str, Any] = {"position": there[moved]}
            self.world.set(rows.handles[moved], Transform(**placed))
            self._touch(rows.handles[moved])

    def _places(self, step: Step, which: Column) -> Column:
        """Return float32 (n, 2): the positions of copies of a step by the text; NaN if they vary otherwise."""
        if step.node.at is not None:
            return step.places(which, self._stream if step.node.at.random else None)
        position = step.parts[Transform].get("position", kind_of(Transform).fields["position"].default)
        if isinstance(position, Listed | Drawn):
            return np.full((len(which), 2), np.nan, np.float32)
        return np.tile(np.asarray(position, np.float32), (len(which), 1))

    def _draws(self, value: Any) -> Stream | None:
        return self._stream if isinstance(value, Drawn) else None

    def _touch(self, handles: Column) -> None:
        self.touched.update(handles.tolist())

    # Spawning

    def _spawn(self, number: int, step: Step) -> None:
        """Spawn the copies that are not in the old plan, for living parents."""
        rows, mate = self.rows[number], self.mates.get(number)
        was, count = self.old.steps[mate].node.count if mate is not None else 0, step.node.count
        parents: Column | None = None
        if step.parent < 0:
            copies = np.arange(was, count) if self.fills and not self.many else _NONE
        else:
            above = self.rows[step.parent]
            each = np.tile(np.arange(count), len(above.handles))
            new = np.repeat(above.fresh, count) | (each >= was)
            parents = np.repeat(above.handles, count)[new]
            copies = (np.repeat(above.copies, count) * count + each)[new]
        if not len(copies):
            return
        stream = self._stream if step.draws else None
        made: dict[str, Any] = {"scene": self.new.origin, "entry": number, "copy": copies.astype(np.int32)}
        handles = self.world.spawn_many(len(copies), *step.components(copies, parents, stream, {}), Origin(**made))
        step.add_view(self.world, handles, copies, {})
        rows.add(handles, copies)
        self.done.spawned += len(handles)
        self.done.made.append(handles)

    # References

    def _connect(self, number: int, step: Step, known: Sequence[Link]) -> None:
        """Write references that are new or changed, that belong to new entities, or that refer to new entities."""
        rows = self.rows[number]
        if not len(rows.handles):
            return
        before = {(kind_of(link.cls).key, link.field): self._meant(link) for link in known}
        now = {(kind_of(link.cls).key, link.field) for link in step.links}
        now |= {(kind_of(cls).key, name) for cls, values in step.parts.items() for name in values}
        for link in step.links:
            key = (kind_of(link.cls).key, link.field)
            fresh = rows.fresh | (before.get(key) != (link.ref.name, link.target))
            if link.target is not None and self.rows[link.target].fresh.any():
                fresh[:] = True
            if fresh.any():
                values = self._targets(step, link, rows)[fresh]
                self.world.set(rows.handles[fresh], link.cls(**{link.field: values}))
                self._touch(rows.handles[fresh & ~rows.fresh])
        for link in known:
            key = (kind_of(link.cls).key, link.field)
            has = rows.handles[self.world.table(link.cls).lookup(rows.handles) >= 0]
            if key not in now and len(has):
                self.world.set(has, link.cls(**{link.field: 0}))
                self._touch(has)

    def _meant(self, link: Link) -> tuple[str, int | None]:
        """Return the name of an old reference, and its target's number in the new plan; -1 if that was removed."""
        return link.ref.name, None if link.target is None else self.pairs.get(link.target, -1)

    def _targets(self, step: Step, link: Link, rows: _Rows) -> Column:
        """Return int64: the target handle of the reference of each copy; 0 if the target does not exist."""
        if link.target is None:
            return np.full(len(rows.handles), find(self.world, link.ref.name) or 0, np.int64)
        target, theirs = self.new.steps[link.target], self.rows[link.target]
        found: Column = np.zeros(len(rows.handles), np.int64)
        if not len(theirs.handles):
            return found
        if target.root != step.root:
            found[:] = theirs.handles[np.argmin(theirs.copies)]
            return found
        order = np.argsort(theirs.copies, kind="stable")
        wanted = rows.copies * target.rows // max(step.rows, 1)
        at = np.searchsorted(theirs.copies[order], wanted).clip(0, len(order) - 1)
        hit = theirs.copies[order][at] == wanted
        found[hit] = theirs.handles[order][at][hit]
        return found
