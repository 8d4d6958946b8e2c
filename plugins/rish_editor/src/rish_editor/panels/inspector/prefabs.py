"""What an entity has from its prefab, and what differs from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Name, Origin, Tags
from rish_core.manifest import Drawn, Listed, Ref
from rish_ecs import kind_of
from rish_ecs.storage import hangs

if TYPE_CHECKING:
    from rish_core.manifest import Node

    from ...session.game.game import Game

_OWN = ("position", "parent")
"""What each copy of a prefab has for itself, of a Transform or another component with a parent."""


@dataclass(frozen=True)
class Prefab:
    """The prefab of an entity. name: of the prefab. node: what it gives this entity. root: whether it is its root."""

    name: str
    node: Node
    root: bool

    def value(self, cls: type, name: str) -> Any:
        """Return the value that the prefab gives a field; None for references, random values, and what copies have."""
        part = self.node.parts.get(cls)
        if part is None or (self.root and name in _OWN and hangs(cls)):
            return None
        spec = kind_of(cls).fields[name]
        value = part.get(name, spec.default)
        if isinstance(value, (Ref, Listed, Drawn)) or spec.type.special == "entity":
            return None
        return cls(**{name: value}).__dict__.get(name, spec.default)

    def differs(self, cls: type, name: str, value: Any) -> bool:
        """Whether a value is another one than that of the prefab."""
        if cls in (Name, Tags):
            return False
        base = self.value(cls, name)
        if base is None:
            return False
        dtype = kind_of(cls).fields[name].type.dtype
        if isinstance(base, (str, tuple)) or hasattr(base, "name"):
            return base != value
        return not np.array_equal(np.asarray(base, dtype), np.asarray(value, dtype))

    def removed(self, present: list[type]) -> list[type]:
        """Return the components that the prefab brings and that the entity does not have any more."""
        return [cls for cls in self.node.parts if cls not in present]

    def has(self, cls: type) -> bool:
        """Whether the prefab brings a component."""
        return cls in self.node.parts


def prefab_of(game: Game, handle: int) -> Prefab | None:
    """Return the prefab that an entity, or what brought it, was spawned from; None if there is none."""
    world, compiled = game.world, game.app.game
    if not world.has(handle, Origin):
        return None
    origin: Any = world.get(handle, Origin)
    plan = compiled.plan(origin.scene)
    number = int(origin.entry)
    if plan is None or number >= len(plan.steps):
        return None
    if origin.scene.startswith("prefab:"):
        return Prefab(origin.scene.removeprefix("prefab:"), plan.steps[number].node, number == 0)
    return _highest(compiled, plan.steps, number)


def _highest(compiled: Any, steps: Any, number: int) -> Prefab | None:
    """Return the prefab of the highest entity above a step that brings what the step spawns."""
    highest: Prefab | None = None
    names: list[str] = []
    while number >= 0:
        step = steps[number]
        base = compiled.prefabs.get(step.node.prefab)
        node = _below(base.steps[0].node, names) if base is not None else None
        if node is not None:
            highest = Prefab(step.node.prefab, node, not names)
        names.insert(0, step.node.name)
        number = step.parent
    return highest


def _below(node: Node, names: list[str]) -> Node | None:
    """Return the node of a child by the names on the way, or None."""
    for name in names:
        below = [child for child in node.children if child.name and child.name == name]
        if not below:
            return None
        node = below[0]
    return node
