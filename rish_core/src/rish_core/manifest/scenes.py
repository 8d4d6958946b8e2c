"""Scenes and prefabs in a running world: the current and the requested scene, and spawning from prefabs.

    world[Scenes].go("play")                                   # before the next tick
    spawn_prefab(world, "ball", Transform(position=(3, 4)))      # one handle
    spawn_prefab(world, "spark", n=100, at=points)               # 100 handles

A scene changes between two ticks: all entities except `Persistent` ones and their children are despawned, then those of
the new scene are spawned. `Scenes` is state and part of the hash; `Prefabs` holds the manifest's prefabs and is not
state.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np

from rish_ecs import UnknownName, UsageError, kind_of, resource
from rish_ecs.declarations import Column, NamedCondition, call_text, current
from rish_ecs.storage import ALIVE

from ..common.hierarchy import hangs
from ..common.names import Group, Name, Persistent, Tags
from ..common.transform import Transform
from .manifest import Manifest
from .plan import PREFAB, Origin, SpawnPlan, Values
from .prefabs import Node

if TYPE_CHECKING:
    from rish_ecs import World

COMPONENTS: tuple[type, ...] = (Origin, Name, Tags, Group, Persistent, Transform)
"""The components that spawning needs; every world that spawns scenes declares them."""


@resource
class Scenes:
    """The current scene and the requested one.

    current: the scene that is shown, "" before the first. requested: the scene that begins before the next tick, "" for
    none. names: all scenes of the game.
    """

    current: str = ""
    requested: str = ""
    names: tuple[str, ...] = ()

    def go(self, name: str) -> None:
        """Request a scene; the name of the current one restarts it. Raises UnknownName with the nearest name."""
        if name not in self.names:
            raise UnknownName(f"no scene is called {name!r}", given=name, choices=self.names)
        self.requested = name

    def restart(self) -> None:
        """Request the current scene again."""
        self.go(self.current)


def in_scene(*names: str) -> NamedCondition:
    """Return a run condition: True while one of these scenes is current. Raises UsageError if no name is given."""
    if not names:
        raise UsageError("in_scene() names no scene", hint='Write in_scene("play")')
    allowed = frozenset(names)
    return NamedCondition(call_text("in_scene", names), lambda world: world.resources[Scenes].current in allowed)


@resource(derived=True)
class Prefabs:
    """The prefabs of a manifest and its plugins, ready to be spawned."""

    plans: dict[str, SpawnPlan] = dataclass_field(default_factory=dict[str, SpawnPlan])

    @property
    def names(self) -> list[str]:
        """The names of all prefabs."""
        return list(self.plans)

    def plan(self, name: str) -> SpawnPlan:
        """Return the plan of a prefab. Raises UnknownName with the nearest name."""
        plan = self.plans.get(name)
        if plan is None:
            raise UnknownName(f"no prefab is called {name!r}", given=name, choices=self.plans)
        return plan

    def spawn(self, world: World, name: str, *parts: Any, n: int = 1, at: Any = None, parent: Any = 0) -> Column:
        """Spawn `n` copies of a prefab with its children; return the n handles (int64). See `spawn_prefab`."""
        plan = self.plan(name)
        if n < 0:
            raise UsageError(f"can't spawn {n} copies of {name!r}", hint="Give a count from 0 up")
        override = _overrides(world, plan, name, parts, n)
        if at is not None:
            override.setdefault(0, {}).setdefault(Transform, {})["position"] = _places(name, at, n)
        if isinstance(parent, np.ndarray) or parent:
            root = override.setdefault(0, {})
            for cls in [*filter(hangs, {**plan.roots[0].parts, **root})] or [Transform]:
                root.setdefault(cls, {})["parent"] = parent
        return plan.spawn(world, n, override)[0]


@overload
def spawn_prefab(world: World, name: str, *parts: Any, at: Any = None, parent: int = 0) -> int: ...
@overload
def spawn_prefab(world: World, name: str, *parts: Any, n: int, at: Any = None, parent: Any = 0) -> Column: ...
def spawn_prefab(
    world: World, name: str, *parts: Any, n: int | None = None, at: Any = None, parent: Any = 0
) -> int | Column:
    """Spawn a prefab; return the handle, or with `n` the int64 handles of `n` copies.

    parts: components whose given fields override the prefab's, or that are added; a field may be an array of n rows. A
    mapping of dotted names can also change children: `{"barrel.Sprite.color": "red"}`. at: (x, y), or an array (n, 2),
    in world units. parent: one handle, or n; the prefab gets a Transform if nothing else of it has a parent. In a
    system the entities exist after the stage, but the handles are valid immediately. Raises UnknownName for a prefab,
    child, component or field that does not exist.
    """
    handles = world[Prefabs].spawn(world, name, *parts, n=1 if n is None else n, at=at, parent=parent)
    return int(handles[0]) if n is None else handles


def _overrides(world: World, plan: SpawnPlan, name: str, parts: Sequence[Any], n: int) -> dict[int, dict[type, Values]]:
    """Return the overriding values by step index, from components and from mappings of dotted names."""
    override: dict[int, dict[type, Values]] = {}
    for part in parts:
        if isinstance(part, Mapping):
            for key, value in cast("Mapping[str, Any]", part).items():
                _override_one(world, plan, name, override, key, value, n)
            continue
        cls = current(part if isinstance(part, type) else type(part))
        kind, root_values = kind_of(cls), override.setdefault(0, {})
        if cls in root_values:
            raise UsageError(f"prefab {name!r}: {kind.name} is given twice")
        root_values[cls] = {} if isinstance(part, type) else dict(kind.values(part))
    return override


def _override_one(
    world: World, plan: SpawnPlan, name: str, override: dict[int, dict[type, Values]], key: str, value: Any, n: int
) -> None:  # fmt: skip
    """Add the value for a key `child.Component.field` to `override`."""
    *names, component, field = key.split(".") if key.count(".") else ("", key)
    cls = world.kind(f"{names[-1]}.{component}") if names else None
    if cls is not None:
        names.pop()
    cls = cls or world.kind(component)
    if cls is None or cls not in world.tables:
        raise UnknownName(
            f"prefab {name!r}: {key!r} names no component", given=component,
            choices=[table.schema.name for table in world.tables.values()],
            hint="Write Component.field or child.Component.field",
        )  # fmt: skip
    cls(**{field: value})  # raises for a wrong value before anything is spawned
    number = plan.below(names)
    rows = plan.steps[number].rows
    if rows > 1 and isinstance(value, np.ndarray) and len(cast("Column", value)) == n:
        value = np.repeat(cast("Column", value), rows, axis=0)
    values = override.setdefault(number, {}).setdefault(cls, {})
    if field in values:
        raise UsageError(f"prefab {name!r}: {key} is given twice")
    values[field] = value


def _places(name: str, at: Any, n: int) -> Any:
    places = np.asarray(at, np.float32)
    if places.shape not in ((2,), (n, 2)):
        raise UsageError(f"prefab {name!r}: at has the shape {places.shape}", hint=f"Give (x, y) or ({n}, 2) numbers")
    return places if places.ndim == 2 else (float(places[0]), float(places[1]))


@dataclass
class CompiledManifest:
    """A manifest that was checked against the plugins, with plans that can be spawned without errors.

    scenes, prefabs: plans by name. settings: one instance of each plugin's settings class, by plugin. roots: the node
    of each entry of the manifest, by the entry's `id`. layers: the values of the plugins' layer options, by layer.
    skipped: how often the manifest uses each optional plugin that does not run.
    """

    manifest: Manifest
    scenes: dict[str, SpawnPlan]
    prefabs: dict[str, SpawnPlan]
    settings: dict[str, Any]
    roots: dict[int, Node] = dataclass_field(default_factory=dict[int, Node])
    layers: dict[str, dict[str, Any]] = dataclass_field(default_factory=dict[str, dict[str, Any]])
    skipped: Counter[str] = dataclass_field(default_factory=Counter[str])

    def install(self, world: World) -> None:
        """Put the settings, the prefabs and the list of scenes into a world; nothing is spawned."""
        for settings in self.settings.values():
            world.put(copy.deepcopy(settings))  # the game may change its copy
        world.put(Prefabs(plans=self.prefabs))
        world.put(Scenes(requested=self.manifest.start, names=tuple(self.scenes)))

    def plan(self, origin: str) -> SpawnPlan | None:
        """Return the plan that a value of `Origin.scene` names, of a scene or a prefab, or None."""
        prefab = origin.removeprefix(PREFAB)
        return self.scenes.get(origin) if prefab == origin else self.prefabs.get(prefab)

    def scene(self, name: str) -> SpawnPlan:
        """Return the plan of a scene. Raises UnknownName with the nearest name."""
        plan = self.scenes.get(name)
        if plan is None:
            raise UnknownName(f"no scene is called {name!r}", given=name, choices=self.scenes)
        return plan


def spawn_scene(world: World, compiled: CompiledManifest, name: str) -> Column:
    """Spawn the entities of a scene; return their int64 handles in the order of the text."""
    handles = compiled.scene(name).spawn(world)
    return np.concatenate(handles) if handles else np.zeros(0, np.int64)


def change_scene(world: World, compiled: CompiledManifest, name: str) -> Column:
    """Despawn all entities except persistent ones, then spawn the new scene; only between two ticks.

    Returns the new int64 handles. A persistent entity whose parent is despawned keeps its own position and has no
    parent.
    """
    compiled.scene(name)
    clear_scene(world)
    scenes = world[Scenes]
    scenes.current, scenes.requested = name, ""
    return spawn_scene(world, compiled, name)


def clear_scene(world: World) -> None:
    """Despawn all entities except those with `Persistent` and their children."""
    slots = np.flatnonzero(world.entities.state[: world.entities.used] == ALIVE)
    everything = world.entities.generation[slots] << 32 | slots
    persistent = _persistent_entities(world)
    for tree in world.trees if len(persistent) else ():
        rows = tree.rows_of(persistent)
        rows = rows[rows >= 0]
        orphans = rows[~np.isin(tree.parent[rows], persistent) & (tree.parent[rows] != 0)]
        if len(orphans):
            tree.column("parent")[orphans] = 0
            tree.mark(orphans)
    despawned = np.setdiff1d(everything, persistent, assume_unique=True)
    if len(despawned):
        world.despawn(despawned)


def _persistent_entities(world: World) -> Column:
    """Return int64: the handles of persistent entities and their descendants."""
    handles = world[Persistent].entities.copy()
    while len(handles):
        below = [t.entities[np.isin(t.parent, handles) & ~np.isin(t.entities, handles)] for t in world.trees]
        if not any(map(len, below)):
            break
        handles = np.unique(np.concatenate([handles, *below]))
    return handles
