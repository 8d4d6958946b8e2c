"""Finds children by their names, such as `barrel` in `tank.barrel.Sprite.color`, for one entity or many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from rish_core import Disabled, Name, World
from rish_ecs import Inputs, Rows, resource

Handles = npt.NDArray[np.int64]
_ENABLED = Rows(Disabled)


def child_of(world: World, parent: int, name: str) -> int | None:
    """Return the first child of an entity with this name, or None."""
    return named_children(world).children.get((parent, world.texts.find(name)))


def child_names(world: World, parent: int) -> list[str]:
    """Return the names of the children of an entity."""
    return [world.text(number) for owner, number in named_children(world).children if owner == parent]


def children_at(world: World, parents: Handles, names: Sequence[str]) -> Handles:
    """Return int64 (n,): the descendants of entities at a path of names; 0 where there is none.

    parents: int64 (n,), handles. names: the names of the child, its child, and so on.
    """
    return named_children(world).at(world, parents, tuple(names))


@resource(derived=True)
class NamedChildren:
    """The named children of all entities, an index that is rebuilt when entities, names or parents have changed.

    children: the handle of the child by the parent's handle and the number of the child's name. paths: results of `at`
    by names, each with its parents. inputs: what the index depends on.
    """

    children: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    paths: dict[tuple[str, ...], tuple[Handles, Handles]] = field(
        default_factory=dict[tuple[str, ...], "tuple[Handles, Handles]"]
    )
    inputs: Inputs = field(default_factory=lambda: Inputs(()))

    def rebuild(self, world: World) -> None:
        """Mark the index as out of date after a restore."""
        self.inputs.forget()

    def at(self, world: World, parents: Handles, names: tuple[str, ...]) -> Handles:
        """Return the descendants at a path of names; see `children_at`."""
        cached = self.paths.get(names)
        if cached is not None and cached[0].tobytes() == parents.tobytes():
            return cached[1]
        handles: list[int] = parents.tolist()
        for name in names:
            number = world.texts.find(name)
            handles = [self.children.get((handle, number), 0) for handle in handles]
        result = np.array(handles, np.int64)
        self.paths[names] = (parents.copy(), result)
        return result

    def refresh(self, world: World) -> None:
        """Build the index again if entities, names or parents have changed."""
        sources = (Name.value, _ENABLED, *(table.schema.fields["parent"] for table in world.trees))
        if sources != self.inputs.sources:
            self.inputs = Inputs(sources)
        if not self.inputs.changed(world):
            return
        self.children.clear()
        self.paths.clear()
        for table in world.trees:
            cls: Any = table.schema.cls
            rows = world.query(Name, cls)
            parents, numbers = rows[cls.parent].tolist(), rows[Name.value].tolist()
            for child, parent, number in zip(rows.entities.tolist(), parents, numbers, strict=True):
                if parent:
                    self.children.setdefault((parent, number), child)


def named_children(world: World) -> NamedChildren:
    """Return the up-to-date index of a World. The first call adds the resource, which is derived and not state."""
    index = cast("NamedChildren | None", world.resources.get(NamedChildren))
    if index is None:
        index = NamedChildren()
        world.put(index)
    index.refresh(world)
    return index
