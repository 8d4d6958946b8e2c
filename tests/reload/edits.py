"""A manifest with doors and keys, edits of it, and a description of the world that is made from it."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from rish_core import Name, Origin, Transform, World, component, field, parse_manifest
from rish_core.builtin import rish_components
from rish_core.manifest import CompiledManifest
from rish_core.manifest.check import compile_manifest
from rish_core.manifest.scenes import change_scene
from rish_core.plugin import build_registry, load_plugins
from rish_ecs import Chars, Color, Entity


class Mode(Enum):
    """The state of a door."""

    SHUT = 0
    OPEN = 1


@component
class Door:
    """A component with fields of several types."""

    hits: int = field(1, low=0)
    mode: Mode = Mode.SHUT
    label: Chars = ""
    color: Color = (1, 1, 1, 1)
    to: Entity = 0


@component
class Key:
    """A component with one number."""

    teeth: int = 3


class Doors:
    """A plugin that declares the components."""

    @staticmethod
    def rish_components() -> list[type]:
        """Return both components."""
        return [Door, Key]


class Core:
    """The plugin of the kernel's components."""

    rish_components = staticmethod(rish_components)


REGISTRY = build_registry(load_plugins(extra={"doors": Doors()}, core=Core(), installed=[]))


def read(scenes: str, prefabs: str = "{}") -> CompiledManifest:
    """Compile scenes and prefabs."""
    text = f"rish: 1\nprefabs:\n  {prefabs}\nscenes:\n  other: []\n  main:\n{scenes}"
    return compile_manifest(parse_manifest(text), REGISTRY)


def begin(compiled: CompiledManifest) -> World:
    """Return a world that shows the scene `main`."""
    world = World(REGISTRY.declared, seed=5)
    compiled.install(world)
    change_scene(world, compiled, "main")
    return world


def shown(world: World) -> list[tuple[Any, ...]]:
    """Return sorted rows of entry, copy, position, door, key, name and parent of each entity."""
    rows = []
    origin = world[Origin]
    for row, handle in enumerate(origin.entities.tolist()):
        place = (
            tuple(np.round(world.get(handle, Transform).position, 4).tolist()) if world.has(handle, Transform) else ()
        )
        door = world.get(handle, Door) if world.has(handle, Door) else None
        said = (door.hits, door.mode, door.label, tuple(door.color.tolist())) if door is not None else ()
        key = world.get(handle, Key).teeth if world.has(handle, Key) else None
        name = world.get(handle, Name).value if world.has(handle, Name) else ""
        parent = world.get(handle, Transform).parent if world.has(handle, Transform) else 0
        above = (origin.entry[origin.row_of(parent)], origin.copy[origin.row_of(parent)]) if parent else None
        rows.append((int(origin.entry[row]), int(origin.copy[row]), place, said, key, name, above))
    return sorted(rows, key=repr)


BASE = """\
    - {prefab: gate, count: 2, at: [[0, 0], [9, 0]]}
    - {name: hero, Transform: {position: [5, 5]}, Door: {hits: 9, mode: open}, Key: {}}
    - {Transform: {}, Door: {label: north}}
    - {count: 3, Transform: {}, Door: {hits: {each: [1, 2]}}, children: [{count: 2, Key: {teeth: 4}}]}
"""
GATES = "gate: {Transform: {}, Door: {hits: 4}, children: [{name: knob, Key: {teeth: 5}}]}"

EDITS: dict[str, tuple[str, str]] = {
    "nothing": (BASE, GATES),
    "a field": (BASE.replace("hits: 9", "hits: 3"), GATES),
    "an enum": (BASE.replace("open", "shut"), GATES),
    "a field less": (BASE.replace("{hits: 9, mode: open}", "{mode: open}"), GATES),
    "a field more": (BASE.replace("{label: north}", "{label: north, color: red}"), GATES),
    "a prefab": (BASE, GATES.replace("hits: 4", "hits: 6")),
    "a child of a prefab": (BASE, GATES.replace("teeth: 5", "teeth: 6")),
    "another child in a prefab": (BASE, GATES.replace("children: [", "children: [{name: bell, Key: {teeth: 9}}, ")),
    "no child in a prefab": (BASE, GATES.replace("{name: knob, Key: {teeth: 5}}", "")),
    "a place": (BASE.replace("[9, 0]", "[8, 1]"), GATES),
    "a grid for places": (BASE.replace("[[0, 0], [9, 0]]", "{grid: [2, 1], step: [3, 3]}"), GATES),
    "no place": (BASE.replace(", count: 2, at: [[0, 0], [9, 0]]", ", count: 2"), GATES),
    "a position": (BASE.replace("[5, 5]", "[6, 5]"), GATES),
    "more copies": (BASE.replace("count: 3", "count: 5"), GATES),
    "fewer copies": (BASE.replace("count: 3", "count: 1"), GATES),
    "no copies": (BASE.replace("count: 3", "count: 0"), GATES),
    "more children": (BASE.replace("[{count: 2, Key", "[{count: 3, Key"), GATES),
    "fewer children": (BASE.replace("[{count: 2, Key", "[{count: 1, Key"), GATES),
    "more of both": (BASE.replace("count: 3", "count: 4").replace("[{count: 2, Key", "[{count: 3, Key"), GATES),
    "fewer of both": (BASE.replace("count: 3", "count: 2").replace("[{count: 2, Key", "[{count: 1, Key"), GATES),
    "values in turn": (BASE.replace("each: [1, 2]", "each: [1, 2, 7]"), GATES),
    "one value for all": (BASE.replace("{each: [1, 2]}", "8"), GATES),
    "a component more": (BASE.replace("Door: {label: north}", "Door: {label: north}, Key: {teeth: 2}"), GATES),
    "a component less": (BASE.replace(", Key: {}}", "}"), GATES),
    "a component taken from a prefab": (BASE.replace("prefab: gate,", "prefab: gate, Door: null,"), GATES),
    "an entry first": ("    - {Transform: {}, Key: {}}\n" + BASE, GATES),
    "an entry last": (BASE + "    - {Transform: {position: [1, 1]}}\n", GATES),
    "no first entry": (BASE.partition("\n")[2], GATES),
    "the other way round": ("".join(line + "\n" for line in BASE.splitlines()[::-1]), GATES),
    "all at once": (
        "    - {Key: {}}\n" + BASE.replace("hits: 9", "hits: 2").replace("count: 3", "count: 4"),
        GATES.replace("hits: 4", "hits: 5"),
    ),
    "nothing left": ("    []\n", GATES),
}
