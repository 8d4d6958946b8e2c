"""What differs between an entity and the prefab that it was spawned from, and how to take it back."""

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
from ..tree.selection import chosen, said

Overrides = dict[tuple[type, str], Any]


@dataclass
class Use:
    """An entity with all that its prefab brings. brought: by handle, the keys in a World with one copy of it."""

    root: int
    prefab: str
    brought: dict[int, Key]


def use_of(app: App, handle: int, scene: SceneWorld | None = None) -> Use | None:
    """Return the outermost use of a prefab that an entity belongs to, or None. Raises StaleEntity."""
    chosen(app.world, [handle])
    scene = scene or SceneWorld(app)
    above, chain = handle, list[int]()
    while above and above not in chain:
        chain.append(above)
        above = scene.now.parent(above)
    for root in reversed(chain):
        prefab = prefab_of(scene, root)
        if prefab:
            use = Use(root, prefab, brought_by(scene, root, prefab))
            if handle in use.brought:
                return use
    return None


class _Compared:
    """An entity and what its prefab makes of it."""

    def __init__(self, app: App, handle: int, scene: SceneWorld | None = None) -> None:
        self.app, self.handle = app, handle
        scene = scene or SceneWorld(app)
        use = use_of(app, handle, scene)
        if use is None:
            raise UsageError(f"{said(app.world, handle)} comes from no prefab", hint="Choose a use of a prefab")
        self.use = use
        self.key = use.brought[handle]
        self.anew: Spawned = scene.prefab_world(use.prefab)
        self.now: Spawned = copy.copy(scene.now)
        self.now.keys = use.brought
        self.other = self.anew.handles[self.key]
        self.parts = scene.compiled.prefabs[use.prefab].steps[self.key[0]].parts

    def overrides(self) -> Overrides:
        """Return what differs; see `overrides`."""
        found: Overrides = {}
        changes = changes_of(self.now, self.handle, self.anew, self.other)
        for cls, values in changes.fields.items():
            theirs = self.anew.read(self.other, cls)
            for name in values:
                drawn = isinstance(self.parts.get(cls, {}).get(name), (Drawn, Listed))
                if not drawn and not self._is_own(cls, name):
                    found[cls, name] = self._here(cls, name, theirs[name])
        for cls in changes.added:
            if not self._is_own(cls, "value"):
                found[cls, ""] = None
        for cls in changes.removed:
            found[cls, ""] = {n: self._here(cls, n, v) for n, v in self.anew.read(self.other, cls).items()}
        return found

    def _is_own(self, cls: type, name: str) -> bool:
        """Whether a field belongs to the use and not to the prefab: place and name of the root."""
        return self.key[0] == 0 and (cls is Name or (hangs(cls) and name == "position"))

    def _here(self, cls: type, name: str, value: Any) -> Any:
        """Return a value of the prefab for this World: references go to what this use has brought."""
        if written_fields(cls)[name].type.special != "entity" or not value:
            return value.copy() if hasattr(value, "copy") else value
        theirs = self.anew.keys.get(int(value))
        return next((handle for handle, key in self.use.brought.items() if key == theirs), 0)

    def revert(self, wanted: Overrides) -> None:
        """Give fields and components the values of the prefab."""
        world = self.app.world
        for (cls, name), value in wanted.items():
            if name:
                world.set(self.handle, cls(**{name: value}))
            elif value is None:
                world.remove(self.handle, cls)
            else:
                world.add(self.handle, cls(**value))


def overrides(app: App, handle: int) -> Overrides:
    """Return what differs between an entity and its prefab: by component and field, the value of the prefab.

    The field "" stands for a whole component: None if the prefab has none, otherwise the values of the one that was
    removed. Place and name of the root, and random values, belong to the use; they are no overrides. Empty for an
    entity without a prefab. Raises StaleEntity.
    """
    scene = SceneWorld(app)
    return _Compared(app, handle, scene).overrides() if use_of(app, handle, scene) is not None else {}


def revert(app: App, handle: int, component: type, field: str | None = None) -> None:
    """Give one field of an entity, or a whole component, the values of its prefab again.

    Raises UsageError for an entity without a prefab, and UnknownName for an unknown field.
    """
    if field is not None:
        kind_of(component).field(field)
    compared = _Compared(app, handle)
    known = compared.overrides()
    wanted = {key: value for key, value in known.items() if key[0] is component and key[1] in ("", field or key[1])}
    compared.revert(wanted)


def revert_all(app: App, handle: int) -> None:
    """Give an entity, and for a use of a prefab all that the prefab brings, the values of the prefab again.

    Removed children stay removed. Raises UsageError for an entity without a prefab.
    """
    scene = SceneWorld(app)
    first = _Compared(app, handle, scene)
    for each in first.use.brought if handle == first.use.root else [handle]:
        compared = _Compared(app, each, scene)
        compared.revert(compared.overrides())


def unpack(app: App, handle: int) -> None:
    """Make a use of a prefab independent of it: its entry is written in full. Raises UsageError if it is none."""
    use = use_of(app, handle)
    if use is None or use.root != handle:
        raise UsageError(f"{said(app.world, handle)} is no use of a prefab", hint="Choose the top of a use")
    keep_places(app, handle)
    world = app.world
    world.remove([*use.brought], Origin)
    mark_authored(world, handle)


def keep_places(app: App, handle: int) -> None:
    """Arrange an entity among its siblings, and all below it, as they are now."""
    order = tree_order(app)
    row = int(order.rows_of([handle])[0])
    rows: Column = order.handles[row : order.ends[row]]
    above = int(order.parents[row])
    families = [order.children(int(order.handles[above]) if above >= 0 else 0)]
    families += [order.children(each) for each in rows.tolist()]
    for family in families:
        if len(family):
            store_arrangement(app.world, family)
