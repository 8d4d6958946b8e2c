"""Children by their names: `barrel` in `tank.barrel.Sprite.color`, of one entity or of many."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import field
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from rish_core import Name, World
from rish_core.common import hierarchy_of
from rish_ecs import resource

Handles = npt.NDArray[np.int64]


def child_of(world: World, parent: int, name: str) -> int | None:
    """Return the first child of an entity with this name, or None."""
    return named_children(world).known.get((parent, world.texts.find(name)))


def child_names(world: World, parent: int) -> list[str]:
    """Return the names of the children of an entity."""
    return [world.text(number) for above, number in named_children(world).known if above == parent]


def children_at(world: World, parents: Handles, names: Sequence[str]) -> Handles:
    """Return the descendants of entities (int64 n) at a path of names, int64 n; 0 where there is none."""
    return named_children(world).at(world, parents, tuple(names))


@resource(derived=True)
class NamedChildren:
    """The named children of all entities; found again when entities, names or parents have changed.

    known: the child by parent and number of the name. paths: results, with the entities that were asked for.
    """

    known: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    paths: dict[tuple[str, ...], tuple[Handles, Handles]] = field(
        default_factory=dict[tuple[str, ...], "tuple[Handles, Handles]"]
    )
    token: Any = None

    def rebuild(self, world: World) -> None:
        """Forget everything after a restore."""
        self.token = None

    def at(self, world: World, parents: Handles, names: tuple[str, ...]) -> Handles:
        """Return the descendants at a path of names; see `children_at`."""
        before = self.paths.get(names)
        if before is not None and np.array_equal(before[0], parents):
            return before[1]
        handles: list[int] = parents.tolist()
        for name in names:
            number = world.texts.find(name)
            handles = [self.known.get((handle, number), 0) for handle in handles]
        found = np.array(handles, np.int64)
        self.paths[names] = (parents.copy(), found)
        return found

    def refresh(self, world: World) -> None:
        """Find the children again if something has changed."""
        names = world.tables.get(Name)
        trees = [hierarchy_of(world, table.schema.cls) for table in world.trees]
        token = (world.membership, names.version if names is not None else 0, trees)
        if self.token is not None and self.token[:2] == token[:2] and all(map(operator.is_, self.token[2], trees)):
            return
        self.token = token
        self.known.clear()
        self.paths.clear()
        for table in world.trees:
            cls: Any = table.schema.cls
            both = world.query(Name, cls)
            parents, numbers = both[cls.parent].tolist(), both[Name.value].tolist()
            for child, parent, number in zip(both.entities.tolist(), parents, numbers, strict=True):
                if parent:
                    self.known.setdefault((parent, number), child)


def named_children(world: World) -> NamedChildren:
    """Return the current children of a World; the resource is added at the first use, as it is no state."""
    held = cast("NamedChildren | None", world.resources.get(NamedChildren))
    if held is None:
        held = NamedChildren()
        world.put(held)
    held.refresh(world)
    return held
