"""Which components and values an entity has from its prefab, and which differ from it."""

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
"""The fields of a Transform, or of another component with a parent, that are different in each use of a prefab."""


@dataclass(frozen=True)
class Prefab:
    """The prefab of an entity. name: of the prefab. node: the part of the prefab for this entity. root: whether the
    entity is the root of the use."""

    name: str
    node: Node
    root: bool

    def value(self, cls: type, name: str) -> Any:
        """Return the value of a field in the prefab; None for references, random values, and fields in which each use
        differs, such as the position."""
        part = self.node.parts.get(cls)
        if part is None or (self.root and name in _OWN and hangs(cls)):
            return None
        spec = kind_of(cls).fields[name]
        value = part.get(name, spec.default)
        if isinstance(value, (Ref, Listed, Drawn)) or spec.type.special == "entity":
            return None
        return cls(**{name: value}).__dict__.get(name, spec.default)

    def differs(self, cls: type, name: str, value: Any) -> bool:
        """Return whether a value differs from that of the prefab."""
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
        """Return the components of the prefab that the entity does not have."""
        return [cls for cls in self.node.parts if cls not in present]

    def has(self, cls: type) -> bool:
        """Return whether the prefab has a component."""
        return cls in self.node.parts


def prefab_of(game: Game, handle: int) -> Prefab | None:
    """Return the prefab that an entity, or an ancestor that spawned it, was spawned from; None without one."""
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
    """Return the outermost prefab that contains the entity of a step; None without one."""
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
    """Return the node of a descendant by the names on the path to it, or None."""
    for name in names:
        below = [child for child in node.children if child.name and child.name == name]
        if not below:
            return None
        node = below[0]
    return node
