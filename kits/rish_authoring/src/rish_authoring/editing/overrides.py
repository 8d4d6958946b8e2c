"""Finds and reverts overrides: differences between an entity and the prefab from which it was spawned."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from rish_core import App, Name, Origin, UsageError
from rish_core.manifest import Drawn, Listed
from rish_ecs import kind_of
from rish_ecs.declarations import Column
from rish_ecs.storage import hangs

from ..saving.entries import brought_by, prefab_of
from ..saving.fields import changes_of
from ..saving.scene_world import SceneWorld
from ..saving.worlds import Key, Spawned, written_fields
from ..tree.marks import mark_authored
from ..tree.moves import store_arrangement
from ..tree.order import tree_order
from ..tree.selection import phrase_for, require_alive

Overrides = dict[tuple[type, str], Any]
"""The values of the prefab by component and field, see `overrides`."""


@dataclass
class Instance:
    """An instance of a prefab.

    root: the top entity. prefab: the name. brought: the entities that the prefab spawned: by handle, the key of the
    same entity in a World with one copy of the prefab.
    """

    root: int
    prefab: str
    brought: dict[int, Key]


def instance_of(app: App, handle: int, scene: SceneWorld | None = None) -> Instance | None:
    """Return the outermost prefab instance to which an entity belongs, or None. Raises StaleEntity."""
    require_alive(app.world, [handle])
    scene = scene or SceneWorld(app)
    ancestor, chain = handle, list[int]()
    while ancestor and ancestor not in chain:
        chain.append(ancestor)
        ancestor = scene.now.parent(ancestor)
    for root in reversed(chain):
        prefab = prefab_of(scene, root)
        if prefab:
            instance = Instance(root, prefab, brought_by(scene, root, prefab))
            if handle in instance.brought:
                return instance
    return None


class _Comparison:
    """An entity, and the same entity of a new copy of its prefab.

    now, handle: the World and the entity. anew, other: the World with one copy of the prefab, and the entity in it.
    key: its key in that World. parts: the components that the prefab's step declares.
    """

    def __init__(self, app: App, handle: int, scene: SceneWorld | None = None) -> None:
        self.app, self.handle = app, handle
        scene = scene or SceneWorld(app)
        instance = instance_of(app, handle, scene)
        if instance is None:
            raise UsageError(f"{phrase_for(app.world, handle)} comes from no prefab", hint="Choose a use of a prefab")
        self.instance = instance
        self.key = instance.brought[handle]
        self.anew: Spawned = scene.prefab_world(instance.prefab)
        self.now: Spawned = copy.copy(scene.now)
        self.now.keys = instance.brought
        self.other = self.anew.handles[self.key]
        self.parts = scene.compiled.prefabs[instance.prefab].steps[self.key[0]].parts

    def overrides(self) -> Overrides:
        """Return the overrides of the entity; see the function `overrides`."""
        differences: Overrides = {}
        changes = changes_of(self.now, self.handle, self.anew, self.other)
        for cls, values in changes.fields.items():
            prefab_values = self.anew.read(self.other, cls)
            for name in values:
                varies = isinstance(self.parts.get(cls, {}).get(name), (Drawn, Listed))
                if not varies and not self._is_own(cls, name):
                    differences[cls, name] = self._for_this_world(cls, name, prefab_values[name])
        for cls in changes.added:
            if not self._is_own(cls, "value"):
                differences[cls, ""] = None
        for cls in changes.removed:
            differences[cls, ""] = {
                n: self._for_this_world(cls, n, v) for n, v in self.anew.read(self.other, cls).items()
            }
        return differences

    def _is_own(self, cls: type, name: str) -> bool:
        """Return whether a field belongs to the instance, not to the prefab: position and name of the root."""
        return self.key[0] == 0 and (cls is Name or (hangs(cls) and name == "position"))

    def _for_this_world(self, cls: type, name: str, value: Any) -> Any:
        """Return a value of the prefab for this World: references refer to entities of this instance."""
        if written_fields(cls)[name].type.special != "entity" or not value:
            return value.copy() if hasattr(value, "copy") else value
        target_key = self.anew.keys.get(int(value))
        return next((handle for handle, key in self.instance.brought.items() if key == target_key), 0)

    def revert(self, values: Overrides) -> None:
        """Give fields and components the values of the prefab."""
        world = self.app.world
        for (cls, name), value in values.items():
            if name:
                world.set(self.handle, cls(**{name: value}))
            elif value is None:
                world.remove(self.handle, cls)
            else:
                world.add(self.handle, cls(**value))


def overrides(app: App, handle: int) -> Overrides:
    """Return the overrides of an entity: the values of its prefab, by component and field, wherever they differ.

    The field "" stands for a whole component: None if the prefab does not have it, otherwise the prefab's values of a
    component that was removed. Position and name of the root, and random values, belong to the instance and are no
    overrides. Empty for an entity without a prefab. Raises StaleEntity.
    """
    scene = SceneWorld(app)
    return _Comparison(app, handle, scene).overrides() if instance_of(app, handle, scene) is not None else {}


def revert(app: App, handle: int, component: type, field: str | None = None) -> None:
    """Give one field of an entity, or a whole component, the values of its prefab again.

    Raises UsageError for an entity without a prefab, and UnknownName for an unknown field.
    """
    if field is not None:
        kind_of(component).field(field)
    comparison = _Comparison(app, handle)
    differences = comparison.overrides()
    selected = {
        key: value for key, value in differences.items() if key[0] is component and key[1] in ("", field or key[1])
    }
    comparison.revert(selected)


def revert_all(app: App, handle: int) -> None:
    """Give an entity the values of its prefab again; for the root of an instance, all its entities.

    Removed children stay removed. Raises UsageError for an entity without a prefab.
    """
    scene = SceneWorld(app)
    first = _Comparison(app, handle, scene)
    for entity in first.instance.brought if handle == first.instance.root else [handle]:
        comparison = _Comparison(app, entity, scene)
        comparison.revert(comparison.overrides())


def unpack(app: App, handle: int) -> None:
    """Make a prefab instance independent of the prefab, so that its entry is written in full.

    Raises UsageError if the entity is not the root of an instance.
    """
    instance = instance_of(app, handle)
    if instance is None or instance.root != handle:
        raise UsageError(f"{phrase_for(app.world, handle)} is no use of a prefab", hint="Choose the top of a use")
    keep_places(app, handle)
    world = app.world
    world.remove([*instance.brought], Origin)
    mark_authored(world, handle)


def keep_places(app: App, handle: int) -> None:
    """Store the present order of an entity among its siblings, and of all its descendants."""
    order = tree_order(app)
    row = int(order.rows_of([handle])[0])
    rows: Column = order.handles[row : order.ends[row]]
    above = int(order.parents[row])
    families = [order.children(int(order.handles[above]) if above >= 0 else 0)]
    families += [order.children(each) for each in rows.tolist()]
    for family in families:
        if len(family):
            store_arrangement(app.world, family)
