"""The cached tree of a component with a field `parent`; see `rish_ecs.storage`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from rish_ecs import Inputs, Table, resource
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

    def get(self, world: World, table: Table) -> Hierarchy:
        """Return the hierarchy; it is computed again if entities were added or removed or a parent changed."""
        key = table.schema.key
        if key not in self._trees:
            self._trees[key] = _Tree(table)
        return self._trees[key].get(world, table)


class _Tree:
    """The cached hierarchy of one table. ring: the handles that were reported as their own ancestors."""

    def __init__(self, table: Table) -> None:
        self.ring: tuple[int, ...] = ()
        self._parent = table.schema.fields["parent"]
        self._inputs = Inputs([self._parent])
        self._hierarchy: Hierarchy | None = None

    def get(self, world: World, table: Table) -> Hierarchy:
        """Return the hierarchy; it is computed again if a row with a parent was added or removed, or changed."""
        changes, now = self._inputs.take(world), self._hierarchy
        if now is None or changes is not None:
            parents = None if changes is None else changes[self._parent]
            if now is not None:
                now = None if parents is None or parents.all else now.patched(table, parents.rows)
            if now is None:
                now = compute_hierarchy(world, table)
                self._report(table.schema.name, now.ring)
            self._hierarchy = now
        return now

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
