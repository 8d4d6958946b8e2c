"""The cached tree of a component with a field `parent`; see `rish_ecs.storage`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Table, resource
from rish_ecs.declarations import Column
from rish_ecs.storage import Hierarchy, compute_hierarchy, hangs

from .transform import Transform

if TYPE_CHECKING:
    from rish_ecs import World

__all__ = ["Hierarchy", "HierarchyCache", "hangs", "hierarchy_of"]
_log = logging.getLogger("rish.transform")


@resource(derived=True)
class HierarchyCache:
    """The cached hierarchies of the components whose entities form trees."""

    def __post_init__(self) -> None:
        """Create an empty cache, by the key of the table."""
        self._trees: dict[str, _Tree] = {}

    def rebuild(self, world: World) -> None:
        """Drop the cached hierarchies after a restore."""
        for tree in self._trees.values():
            tree.forget()

    def get(self, world: World, table: Table) -> Hierarchy:
        """Return the hierarchy; it is computed again if entities were added or removed or a parent changed."""
        key = table.schema.key
        if key not in self._trees:
            self._trees[key] = _Tree()
        return self._trees[key].get(world, table)


class _Tree:
    """The cached hierarchy of one table. ring: the handles that were reported as their own ancestors."""

    def __init__(self) -> None:
        self.ring: tuple[int, ...] = ()
        self._hierarchy: Hierarchy | None = None
        self._parents: Column | None = None
        self._membership = -1
        self._version = -1

    def forget(self) -> None:
        """Drop the hierarchy, so that it is computed again; a cycle that was logged is not logged again."""
        self._hierarchy = None

    def get(self, world: World, table: Table) -> Hierarchy:
        """Return the hierarchy; it is computed again if entities were added or removed or a parent changed."""
        parents = table.column("parent")
        if self._hierarchy is None or self._membership != table.membership or not self._holds(table, parents):
            self._hierarchy = compute_hierarchy(world, table)
            self._parents, self._membership = parents.copy(), table.membership
            self._report(table.schema.name, self._hierarchy.ring)
        self._version = table.version
        return self._hierarchy

    def _holds(self, table: Table, parents: Column) -> bool:
        """Whether all parents equal those of the last call; if the written rows are known, only these are compared."""
        written = table.written_since(self._version)
        assert self._parents is not None
        if written is None:
            return np.array_equal(parents, self._parents)
        return bool((parents[written] == self._parents[written]).all())

    def _report(self, name: str, ring: tuple[int, ...]) -> None:
        """Log a cycle of parents once, not in every frame."""
        if ring and self.ring != ring:
            handles = ", ".join(str(handle) for handle in sorted(ring)[:4])
            what = "%s.parent forms a cycle: entities %s; they are treated as having no parent"
            _log.warning(what, name, handles)
        self.ring = ring


def hierarchy_of(world: World, component: Any = Transform) -> Hierarchy:
    """Return the current hierarchy of a component with a field `parent`, by default of the Transforms.

    A World without `HierarchyCache` computes it at each call.
    """
    table = world.table(component)
    cache = world.resources.get(HierarchyCache)
    return compute_hierarchy(world, table) if cache is None else cache.get(world, table)
