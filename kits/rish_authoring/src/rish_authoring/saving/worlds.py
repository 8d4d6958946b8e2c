"""Comparison of an edited World with a World that was just spawned from the text.

An entity of a scene is identified by its `Origin`: the number of its entry and of its copy. So the entities of both
Worlds correspond, although their handles and rows differ.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from rish_core import Group, Name, Origin, Scenes, Tags, Transform, World
from rish_core.manifest import CompiledManifest, SpawnPlan
from rish_ecs import kind_of
from rish_ecs.declarations import FieldSpec
from rish_ecs.storage import hangs, links_of

from ..tree.marks import previews

Key = tuple[int, int]
"""Identifies an entity of a plan in both Worlds: the number of its entry and the number of its copy."""
NAMED: tuple[type, ...] = (Name, Tags, Group)
"""The components that entries write by lower-case keys."""


class Spawned:
    """A World, with the keys of the entities that were spawned from a plan.

    handles: the handle of each key. keys: the key of each handle. parents, children: the tree by handle, without
    previews.
    """

    def __init__(self, world: World, label: str) -> None:
        self.world = world
        self.handles: dict[Key, int] = {}
        self.keys: dict[int, Key] = {}
        table = world[Origin]
        rows_of_plan = (
            np.flatnonzero(table.column("scene") == world.texts.find(label)) if len(table) else np.zeros(0, int)
        )
        order = rows_of_plan[np.argsort(table.entities[rows_of_plan])]
        rows = zip(table.entry[order].tolist(), table.copy[order].tolist(), table.entities[order].tolist(), strict=True)
        for entry, copy, handle in rows:
            if (entry, copy) not in self.handles:
                self.handles[entry, copy] = handle
                self.keys[handle] = (entry, copy)
        self.children: dict[int, list[int]] = {}
        links = links_of(world)
        pairs = zip(links.children.tolist(), links.parents.tolist(), strict=True)
        previewed = set(previews(world).tolist())
        self.parents: dict[int, int] = dict(sorted(pair for pair in pairs if pair[0] not in previewed))
        for handle, parent in self.parents.items():
            self.children.setdefault(parent, []).append(handle)

    def key_of(self, handle: int) -> tuple[Any, Any] | None:
        """Return the key of an entity; ("outside", name) for an entity outside of the plan, None for no entity."""
        if not handle:
            return None
        key = self.keys.get(handle)
        return key if key is not None else ("outside", self.name(handle) or handle)

    def name(self, handle: int) -> str:
        """Return the name of an entity, or ""."""
        if not self.world.alive(handle) or not self.world.has(handle, Name):
            return ""
        return self.world.get(handle, Name).value

    def parent(self, handle: int) -> int:
        """Return the handle of an entity's parent, or 0."""
        return self.parents.get(handle, 0)

    def components(self, handle: int) -> list[type]:
        """Return the components of an entity that a manifest can contain."""
        return [cls for cls in self.world.components_of(handle) if is_written(cls)]

    def read(self, handle: int, cls: type) -> dict[str, Any]:
        """Return the fields of a component that a manifest can contain."""
        table, row = self.world.locate(handle, cls)
        return {name: table.read_row(name, row) for name in written_fields(cls)}


def is_written(cls: type) -> bool:
    """Return whether manifests can contain a component: it has fields that are not hidden, or no fields."""
    kind = kind_of(cls)
    return bool(kind.shown) or not kind.fields


@lru_cache(1024)
def written_fields(cls: type) -> dict[str, FieldSpec]:
    """Return the fields of a component that manifests can contain, without the parent, which nesting expresses.

    The result is shared; do not change it.
    """
    hierarchy = {"parent"} if hangs(cls) else set[str]()
    fields = kind_of(cls).fields
    return {
        name: spec for name, spec in fields.items() if not (spec.hidden or spec.transient) and name not in hierarchy
    }


def scratch(like: World, seed: int) -> World:
    """Return an empty World with the declarations of another one."""
    return World([*like.tables, *like.columns, *like.queues], seed=seed, dt=like.dt)


def spawn_anew(like: World, compiled: CompiledManifest, plan: SpawnPlan) -> Spawned:
    """Spawn a plan into an empty World, as when the game begins with it.

    Entities outside of the plan to which it refers are replaced by empty entities with the same names.
    """
    world = scratch(like, like.seed)
    compiled.install(world)
    world[Scenes].current = plan.origin
    outside = dict.fromkeys(link.ref.name for step in plan.steps for link in step.links if link.target is None)
    for name in outside:
        world.spawn(Name(value=name), Transform())
    plan.spawn(world)
    return Spawned(world, plan.origin)


def same_value(spec: FieldSpec, value: Any, other: Any, one: Spawned, two: Spawned) -> bool:
    """Return whether a field has the same value in two Worlds.

    References are equal if their targets have the same key.
    """
    if spec.type.special == "entity":
        return one.key_of(int(value)) == two.key_of(int(other))
    if isinstance(value, np.ndarray):
        array: Any = value  # pyright: ignore[reportUnknownVariableType]
        return array.shape == other.shape and bool((array == other).all())
    return bool(value == other)


def described(side: Spawned, handle: int) -> str:
    """Return a description of an entity: its components with their values, and the names of referenced entities."""
    parts: list[str] = []
    for cls in side.components(handle):
        parts.append(kind_of(cls).key)
        for name, value in side.read(handle, cls).items():
            if kind_of(cls).fields[name].type.special == "entity":
                value = side.name(int(value)) if value else "none"
            printed = value.tolist() if isinstance(value, np.ndarray) else value  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            parts.append(f"{kind_of(cls).key}.{name}={printed!r}")
    parent = side.parent(handle)
    return "; ".join(sorted(parts)) + (f"; parent={side.name(parent)!r}" if parent else "")
