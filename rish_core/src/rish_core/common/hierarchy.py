"""The tree of a component with a field `parent`, by row, cached until a parent changes.

`Transform.parent` holds entity handles, but matrices are multiplied by row. Any component whose field `parent` cascades
has such a tree, as that of `rish_space3d` does. A `Hierarchy` holds the row of each parent,
the generations in which the children can be placed, and the rows that have children (the carriers). The world matrices
of the carriers are computed first; then each row needs the matrix of at most one carrier.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Table, kind_of, resource
from rish_ecs.declarations import Column

from .transform import Transform

if TYPE_CHECKING:
    from rish_ecs import World

_log = logging.getLogger("rish.transform")


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The parent tree of a table of n rows.

    parents: int32 n, the row of each parent, -1 for none. generations: the rows at depth 1, depth 2, and so on below a
    root. carriers: int32 k, the rows that have children, parents before children. slots: uint32 n, for each row 1 + the
    index of its parent among the carriers, 0 for none. ring: the entities that are their own ancestors.
    """

    parents: Column
    generations: tuple[Column, ...]
    carriers: Column
    slots: Column
    ring: tuple[int, ...] = ()

    @cached_property
    def carries(self) -> Column:
        """bool n: whether each row has children."""
        found: Column = np.zeros(len(self.parents), np.bool_)
        found[self.carriers] = True
        return found

    @cached_property
    def carriers_by_rank(self) -> list[Column]:
        """The carriers of each generation; the first item holds the carriers without a parent."""
        ranks = (np.flatnonzero(self.parents < 0), *self.generations)
        ends = np.cumsum([np.isin(self.carriers, rank).sum() for rank in ranks])
        return np.split(self.carriers, ends[:-1])

    @property
    def flat(self) -> bool:
        """Whether no row has a parent."""
        return not self.generations


def hangs(cls: Any) -> bool:
    """Whether a component has a field `parent` that cascades, so that its entities form a tree."""
    spec = kind_of(cls).fields.get("parent")
    return spec is not None and spec.cascade


@resource(derived=True)
class HierarchyCache:
    """The cached hierarchies of the components whose entities form trees."""

    def __post_init__(self) -> None:
        """Start empty."""
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
    """The cached hierarchy of one table. ring: the entities already reported as their own ancestors."""

    def __init__(self) -> None:
        self.ring: tuple[int, ...] = ()
        self._hierarchy: Hierarchy | None = None
        self._parents: Column | None = None
        self._membership = -1
        self._version = -1

    def forget(self) -> None:
        """Drop the hierarchy; its ring is not reported again."""
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


def compute_hierarchy(world: World, table: Table) -> Hierarchy:
    """Compute the hierarchy from the parents of all rows; rows in a cycle are treated as having no parent."""
    count = len(table)
    parents = table.column("parent")
    rows: Column = np.full(count, -1, np.int32)
    if not parents.any():
        return Hierarchy(rows, (), rows[:0], np.zeros(count, np.uint32))
    alive = world.alive(parents)
    rows[alive] = table.rows_of(parents[alive])
    generations, ring = _generations(rows)
    slots: Column = np.zeros(count, np.uint32)
    carries = np.zeros(count, np.bool_)
    carries[rows[rows >= 0]] = True
    roots = np.flatnonzero(carries & (rows < 0))
    carriers = np.concatenate([roots, *(rank[carries[rank]] for rank in generations)]).astype(np.int32)
    place: Column = np.zeros(count, np.uint32)
    place[carriers] = np.arange(1, len(carriers) + 1, dtype=np.uint32)
    hung = rows >= 0
    slots[hung] = place[rows[hung]]
    return Hierarchy(rows, generations, carriers, slots, tuple(table.entities[ring].tolist()))


def _generations(parents: Column) -> tuple[tuple[Column, ...], Column]:
    """Return the rows below a root by generation, and the rows in cycles, whose parents are set to -1 in place."""
    done = parents < 0
    waiting = np.flatnonzero(~done)
    generations: list[Column] = []
    cut: list[Column] = []
    while len(waiting):
        ready = done[parents[waiting]]
        now = waiting[ready]
        if len(now):
            generations.append(now)
        else:
            ready = _on_a_ring(waiting, parents)
            now = waiting[ready]
            cut.append(now)
        done[now] = True
        waiting = waiting[~ready]
    ring = np.concatenate(cut) if cut else np.zeros(0, np.int64)
    parents[ring] = -1
    return tuple(generations), ring


def _on_a_ring(waiting: Column, parents: Column) -> Column:
    """Return a bool per waiting row: True if it is part of a cycle of parents, False if it is below one."""
    inside = np.ones(len(waiting), np.bool_)
    while True:
        rows = waiting[inside]
        carried = np.isin(waiting, parents[rows]) & inside
        if carried.sum() == len(rows):
            return carried
        inside = carried
