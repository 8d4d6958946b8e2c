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

    new_handles: int64 (n,) arrays, the handles that were spawned. added: for each component that was added to existing
    entities, its class and their handles. lost: whether entities or components were removed.
    """

    changed: int = 0
    spawned: int = 0
    despawned: int = 0
    new_handles: list[Column] = field(default_factory=list[Column])
    added: list[tuple[type, Column]] = field(default_factory=list["tuple[type, Column]"])

    lost: bool = False

    def __bool__(self) -> bool:
        return bool(self.changed or self.spawned or self.despawned)


def reconcile(world: World, before: CompiledManifest, after: CompiledManifest) -> Reconciled:
    """Change the entities that were spawned from one manifest to match another one. Only between two ticks.

    Returns what was changed.
    """
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
    """Return the edit of a scene or prefab between two manifests; None if it is not in both.

    label: the name of the scene or prefab. done: counts the changes.
    """
    old, new = before.plan(label), after.plan(label)
    if old is None or new is None:
        return None
    pairs = pair_steps(old, new, _texts(before, old), _texts(after, new))
    return Edit(world, old, new, pairs, done, fills=label == world[Scenes].current)


def _texts(compiled: CompiledManifest, plan: SpawnPlan) -> Sequence[Any]:
    """Return the YAML node of each root of a plan."""
    if plan.of_prefab:
        return [None]
    text = compiled.manifest.scenes.get(plan.origin)
    return text if isinstance(text, YamlList) else ()


@dataclass
class _Rows:
    """The living entities of a step. handles, copies: int64 (n,). fresh: bool (n,), whether this edit spawned them."""

    handles: Column = field(default_factory=_NONE.copy)
    copies: Column = field(default_factory=_NONE.copy)
    fresh: Column = field(default_factory=lambda: np.zeros(0, np.bool_))

    def add(self, handles: Column, copies: Column) -> None:
        """Add newly spawned entities."""
        self.handles = np.concatenate([self.handles, handles])
        self.copies = np.concatenate([self.copies, copies])
        self.fresh = np.concatenate([self.fresh, np.ones(len(handles), np.bool_)])


class Edit:
    """The edit of one scene or prefab from an old plan to a new one.

    pairs: the new numbers of the old steps. done: counts the changes. fills: whether new entries are spawned.
    """

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
        self._keep(self._living_rows())
        for number, mate in self.mates.items():
            self._write(self.old.steps[mate], self.new.steps[number], self.rows[number])
        for number, step in enumerate(self.new.steps):
            self._spawn(number, step)
        for number, step in enumerate(self.new.steps):
            mate = self.mates.get(number)
            self._connect(number, step, self.old.steps[mate].links if mate is not None else ())
        self.done.changed += len(self.touched)

    def successor(self, entry: int, copies: Column) -> tuple[int, Column] | None:
        """Return the new number of an old step, and the new numbers of its copies; None if the step was removed.

        copies: int64 (n,). Of the result too; -1 for copies that were removed.
        """
        mate = self.pairs.get(entry)
        return None if mate is None else (mate, self._moved(entry, copies))

    def rewrite(self, number: int, handles: Column, copies: Column, only: type | None = None) -> None:
        """Write the differences between the plans into entities of a step of the new plan.

        number: the step. handles, copies: int64 (n,). only: the component to write; None: all.
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

    def _living_rows(self) -> dict[int, _Rows]:
        """Return the living entities of the old plan by step."""
        table = self.world.table(Origin)
        indices = np.flatnonzero(table.column("scene") == self.world.texts.find(self.old.origin))
        entries, copies = table.entry[indices], table.copy[indices].astype(np.int64)
        order = np.lexsort((copies, entries))
        entries, copies, handles = entries[order], copies[order], table.entities[indices][order]
        rows_of: dict[int, _Rows] = {}
        for number in np.unique(entries).tolist():
            part = slice(*np.searchsorted(entries, [number, number + 1]).tolist())
            rows_of[number] = _Rows(handles[part].copy(), copies[part], np.zeros(len(copies[part]), np.bool_))
        return rows_of

    def _keep(self, living: dict[int, _Rows]) -> None:
        """Assign the entities to the steps of the new plan, with their new copy numbers; despawn the others."""
        removed: list[Column] = []
        for number, rows in living.items():
            if number >= len(self.old.steps):
                continue
            mate = self.pairs.get(number)
            copies = self._moved(number, rows.copies) if mate is not None else np.full(len(rows.copies), -1)
            remains = copies >= 0
            removed.append(rows.handles[~remains])
            if mate is not None:
                self.rows[mate] = _Rows(rows.handles[remains], copies[remains], rows.fresh[remains])
        handles = np.concatenate(removed) if removed else _NONE
        if len(handles):
            self.done.despawned += len(handles)
            self.world.despawn(handles)
        self._renumber()

    def _moved(self, number: int, copies: Column) -> Column:
        """Return the new numbers of copies of an old step; -1 for copies that are not in the new plan."""
        step, mate = self.old.steps[number], self.new.steps[self.pairs[number]]
        old_count, new_count = step.node.count, mate.node.count
        if step.parent < 0:
            return copies if self.many else np.where(copies < new_count, copies, -1)
        if self.pairs.get(step.parent) != mate.parent or not old_count:
            return np.full(len(copies), -1)
        parent_copies, indices = self._moved(step.parent, copies // old_count), copies % old_count
        return np.where((parent_copies >= 0) & (indices < new_count), parent_copies * new_count + indices, -1)

    def _renumber(self) -> None:
        """Drop children that were despawned with their parents; write the new step and copy numbers of the others."""
        numbers = np.repeat(np.arange(len(self.rows)), [len(rows.handles) for rows in self.rows])
        handles = np.concatenate([_NONE, *(rows.handles for rows in self.rows)])
        copies = np.concatenate([_NONE, *(rows.copies for rows in self.rows)])
        alive = self.world.alive(handles)
        self.done.despawned += int((~alive).sum())
        numbers, handles, copies = numbers[alive], handles[alive], copies[alive]
        table = self.world.table(Origin)
        indices = table.lookup(handles)
        changed = (table.entry[indices] != numbers) | (table.copy[indices] != copies)
        if changed.any():
            values: dict[str, Any] = {"entry": numbers[changed], "copy": copies[changed]}
            self.world.set(handles[changed], Origin(**values))
        ends = np.searchsorted(numbers, np.arange(1, len(self.rows)))
        pairs = zip(np.split(handles, ends), np.split(copies, ends), strict=True)
        self.rows = [_Rows(part, which, np.zeros(len(part), np.bool_)) for part, which in pairs][: len(self.rows)]

    # Writing

    def _write(self, old: Step, new: Step, rows: _Rows) -> None:
        """Write the differences between the old and the new step into its entities."""
        if not len(rows.handles) or old.node is new.node:  # the text did not change
            return
        old_parts = {kind_of(cls).key: (cls, values) for cls, values in old.parts.items()}
        new_parts = {kind_of(cls).key: (cls, values) for cls, values in new.parts.items()}
        linked = {kind_of(link.cls).key for link in new.links}
        for key, (cls, _) in old_parts.items():
            if key not in new_parts and key not in linked and cls in self.world:
                self._take(cls, rows)
        for key, (cls, _) in new_parts.items():
            if key in old_parts:
                self._write_fields(cls, old_parts[key][1], new, rows)
            else:
                self._give(cls, new, rows)
        self._place(old, new, rows)

    def _take(self, cls: type, rows: _Rows) -> None:
        """Remove a component that the new entry does not have."""
        owners = rows.handles[self.world.table(cls).lookup(rows.handles) >= 0]
        if len(owners):
            self.world.remove(owners, cls)
            self.done.lost = True
            self._touch(owners)

    def _give(self, cls: type, step: Step, rows: _Rows) -> None:
        """Add a component that the old entry did not have; where the game has added it already, write its values."""
        fields = kind_of(cls).fields
        has = self.world.table(cls).lookup(rows.handles) >= 0
        for mask, change in ((~has, self.world.add), (has, self.world.set)):
            if mask.any():
                values = step.parts[cls]
                fields_of_copies = {
                    n: copy_values(fields[n], v, rows.copies[mask], self._draws(v)) for n, v in values.items()
                }
                change(rows.handles[mask], cls(**fields_of_copies))
                self._touch(rows.handles[mask])
        if not has.all():
            self.done.added.append((cls, rows.handles[~has]))

    def _write_fields(self, cls: type, old: dict[str, Any], step: Step, rows: _Rows) -> None:
        """Write the fields of a component that differ. old: the values of the old entry. step: the new one."""
        kind, new, placed = kind_of(cls), step.parts[cls], step.node.at is not None
        for name in dict.fromkeys((*new, *old)):
            spec = kind.fields.get(name)
            if spec is None or (name == "position" and cls is Transform and placed):
                continue
            before, after = old.get(name, Missing), new.get(name, spec.default)
            if name not in new and any(kind_of(li.cls).key == kind.key and li.field == name for li in step.links):
                continue  # a reference, which is written later
            mask = changed_rows(before, after if name in new else Missing, rows.copies)
            if mask.any():
                mask &= self.world.table(cls).lookup(rows.handles) >= 0
            if mask.any():
                value = copy_values(spec, after, rows.copies[mask], self._draws(after))
                self.world.set(rows.handles[mask], cls(**{name: value}))
                self._touch(rows.handles[mask])

    def _place(self, old: Step, new: Step, rows: _Rows) -> None:
        """Move the copies whose position by `at` changed."""
        before, after = old.node.at, new.node.at
        if before == after or Transform not in new.parts or Transform not in old.parts:
            return
        indices = rows.copies if self.many and new.parent < 0 else rows.copies % max(new.node.count, 1)
        positions, old_positions = self._places(new, indices), self._places(old, indices)
        random = any(at is not None and at.random for at in (before, after))
        moved = np.ones(len(indices), np.bool_) if random else (positions != old_positions).any(axis=1)
        moved &= self.world.table(Transform).lookup(rows.handles) >= 0
        if moved.any():
            fields: dict[str, Any] = {"position": positions[moved]}
            self.world.set(rows.handles[moved], Transform(**fields))
            self._touch(rows.handles[moved])

    def _places(self, step: Step, copies: Column) -> Column:
        """Return float32 (n, 2): the positions that the text gives to copies of a step.

        copies: int64 (n,). The result is NaN if `position` itself differs between copies.
        """
        if step.node.at is not None:
            return step.places(copies, self._stream if step.node.at.random else None)
        position = step.parts[Transform].get("position", kind_of(Transform).fields["position"].default)
        if isinstance(position, Listed | Drawn):
            return np.full((len(copies), 2), np.nan, np.float32)
        return np.tile(np.asarray(position, np.float32), (len(copies), 1))

    def _draws(self, value: Any) -> Stream | None:
        """Return the stream of random numbers if a value needs one."""
        return self._stream if isinstance(value, Drawn) else None

    def _touch(self, handles: Column) -> None:
        """Count entities as changed, each only once."""
        self.touched.update(handles.tolist())

    # Spawning

    def _spawn(self, number: int, step: Step) -> None:
        """Spawn the copies that are not in the old plan, for living parents."""
        rows, mate = self.rows[number], self.mates.get(number)
        old_count, count = self.old.steps[mate].node.count if mate is not None else 0, step.node.count
        parents: Column | None = None
        if step.parent < 0:
            copies = np.arange(old_count, count) if self.fills and not self.many else _NONE
        else:
            parent_rows = self.rows[step.parent]
            indices = np.tile(np.arange(count), len(parent_rows.handles))
            new = np.repeat(parent_rows.fresh, count) | (indices >= old_count)
            parents = np.repeat(parent_rows.handles, count)[new]
            copies = (np.repeat(parent_rows.copies, count) * count + indices)[new]
        if not len(copies):
            return
        stream = self._stream if step.draws else None
        origin: dict[str, Any] = {"scene": self.new.origin, "entry": number, "copy": copies.astype(np.int32)}
        handles = self.world.spawn_many(len(copies), *step.components(copies, parents, stream, {}), Origin(**origin))
        step.add_view(self.world, handles, copies, {})
        rows.add(handles, copies)
        self.done.spawned += len(handles)
        self.done.new_handles.append(handles)

    # References

    def _connect(self, number: int, step: Step, old_links: Sequence[Link]) -> None:
        """Write references that are new or changed, that belong to new entities, or that refer to new entities."""
        rows = self.rows[number]
        if not len(rows.handles):
            return
        before = {(kind_of(link.cls).key, link.field): self._old_target(link) for link in old_links}
        current = {(kind_of(link.cls).key, link.field) for link in step.links}
        current |= {(kind_of(cls).key, name) for cls, values in step.parts.items() for name in values}
        for link in step.links:
            key = (kind_of(link.cls).key, link.field)
            fresh = rows.fresh | (before.get(key) != (link.ref.name, link.target))
            if link.target is not None and self.rows[link.target].fresh.any():
                fresh[:] = True
            if fresh.any():
                values = self._targets(step, link, rows)[fresh]
                self.world.set(rows.handles[fresh], link.cls(**{link.field: values}))
                self._touch(rows.handles[fresh & ~rows.fresh])
        for link in old_links:
            key = (kind_of(link.cls).key, link.field)
            owners = rows.handles[self.world.table(link.cls).lookup(rows.handles) >= 0]
            if key not in current and len(owners):
                self.world.set(owners, link.cls(**{link.field: 0}))
                self._touch(owners)

    def _old_target(self, link: Link) -> tuple[str, int | None]:
        """Return the name of an old reference, and its target's number in the new plan; -1 if that was removed."""
        return link.ref.name, None if link.target is None else self.pairs.get(link.target, -1)

    def _targets(self, step: Step, link: Link, rows: _Rows) -> Column:
        """Return int64 (n,): the target handle of the reference of each of n copies; 0 if the target does not exist."""
        if link.target is None:
            return np.full(len(rows.handles), find(self.world, link.ref.name) or 0, np.int64)
        target, target_rows = self.new.steps[link.target], self.rows[link.target]
        targets: Column = np.zeros(len(rows.handles), np.int64)
        if not len(target_rows.handles):
            return targets
        if target.root != step.root:
            targets[:] = target_rows.handles[np.argmin(target_rows.copies)]
            return targets
        order = np.argsort(target_rows.copies, kind="stable")
        target_copies = rows.copies * target.rows // max(step.rows, 1)
        positions = np.searchsorted(target_rows.copies[order], target_copies).clip(0, len(order) - 1)
        matches = target_rows.copies[order][positions] == target_copies
        targets[matches] = target_rows.handles[order][positions][matches]
        return targets
