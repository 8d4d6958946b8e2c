"""Hierarchies: the tree of parents of the Transforms, by row, computed once and kept until parents change.

`Transform.parent` names entities; matrices are multiplied by rows. A `Hierarchy` turns one into the other: the row of
each parent, the generations in which the children can be placed, and the few rows that have children. Those are
placed first, and then every row needs the matrix of one of them, or of none.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import Table, resource
from rish_ecs.declarations import Column

from .transform import Transform

if TYPE_CHECKING:
    from rish_ecs import World

_log = logging.getLogger("rish.transform")


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The tree of a table of n rows.

    parents: int32 n, the row of each parent, -1 for none. generations: rows with a parent, those of the first before
    those of the second. carriers: int32 k, the rows that have children, parents before children. slots: uint32 n, for
    each row 1 + the index of its parent among the carriers, 0 for none. ring: the entities that are their own
    ancestors.
    """

    parents: Column
    generations: tuple[Column, ...]
    carriers: Column
    slots: Column
    ring: tuple[int, ...] = ()

    @cached_property
    def carries(self) -> Column:
        """bool n: whether a row has children."""
        found: Column = np.zeros(len(self.parents), np.bool_)
        found[self.carriers] = True
        return found

    @cached_property
    def carriers_by_rank(self) -> list[Column]:
        """The carriers of each generation, those without parents first."""
        ranks = (np.flatnonzero(self.parents < 0), *self.generations)
        ends = np.cumsum([np.isin(self.carriers, rank).sum() for rank in ranks])
        return np.split(self.carriers, ends[:-1])

    @property
    def flat(self) -> bool:
        """Whether no row has a parent."""
        return not self.generations


@resource(derived=True)
class HierarchyCache:
    """The hierarchy of the Transforms. ring: the entities that were reported because they are their own ancestors."""

    ring: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Start empty."""
        self._hierarchy: Hierarchy | None = None
        self._parents: Column | None = None
        self._membership = -1
        self._version = -1

    def rebuild(self, world: World) -> None:
        """After a restore all is computed again."""
        self._hierarchy = None

    def get(self, world: World, table: Table) -> Hierarchy:
        """The hierarchy; computed again where entities came or went, or a parent is another."""
        parents = table.column("parent")
        if self._hierarchy is None or self._membership != table.membership or not self._holds(table, parents):
            self._hierarchy = compute_hierarchy(world, table)
            self._parents, self._membership = parents.copy(), table.membership
            self._report(self._hierarchy.ring)
        self._version = table.version
        return self._hierarchy

    def _holds(self, table: Table, parents: Column) -> bool:
        """Whether all parents are those of the last call; only written rows are compared where these are known."""
        written = table.written_since(self._version)
        assert self._parents is not None
        if written is None:
            return np.array_equal(parents, self._parents)
        return bool((parents[written] == self._parents[written]).all())

    def _report(self, ring: tuple[int, ...]) -> None:
        """Log a ring once, not in every frame."""
        if ring and self.ring != ring:
            handles = ", ".join(str(handle) for handle in sorted(ring)[:4])
            _log.warning(
                "Transform.parent goes in a ring: entities %s; they are placed as if they had no parent", handles
            )
        self.ring = ring


def hierarchy_of(world: World) -> Hierarchy:
    """The hierarchy of the Transforms as it is now; computed at each call in a World without `HierarchyCache`."""
    table = world.table(Transform)
    cache = world.resources.get(HierarchyCache)
    return compute_hierarchy(world, table) if cache is None else cache.get(world, table)


def compute_hierarchy(world: World, table: Table) -> Hierarchy:
    """The hierarchy, worked out from the parents of all rows; a ring of parents is cut open."""
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
    """The rows below a root by generation, and those on a ring, whose parents are set to -1 in place."""
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
    """bool: which of these rows, none of which has a finished parent, lie on a ring and not below one."""
    inside = np.ones(len(waiting), np.bool_)
    while True:
        rows = waiting[inside]
        carried = np.isin(waiting, parents[rows]) & inside
        if carried.sum() == len(rows):
            return carried
        inside = carried
