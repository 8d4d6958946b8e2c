"""Entities as trees: a component whose field `parent` cascades hangs an entity below another one.

`Transform` of `rish_core` is such a component, and any plugin can have its own, as `rish_space3d` does. The field holds
entity handles, but matrices are multiplied by row. So a `Hierarchy` holds, for the table of one component, the row of
each parent, the generations in which the children can be placed, and the rows that have children (the carriers). The
world matrices of the carriers are computed first; then each row needs the matrix of at most one carrier.

`parents_of` and `links_of` regard all such components together. If several components of an entity have a living
parent, that of the component that was declared first counts, so that all entities form one tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..declarations.component import kind_of

if TYPE_CHECKING:
    from ..declarations import Column
    from .store import Store
    from .table import Table


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
        mask: Column = np.zeros(len(self.parents), np.bool_)
        mask[self.carriers] = True
        return mask

    @cached_property
    def ranks(self) -> tuple[Column, ...]:
        """The rows by depth: those without a parent, then the generations."""
        return (np.flatnonzero(self.parents < 0), *self.generations)

    @cached_property
    def order(self) -> Column:
        """int32 n: all rows, parents before children."""
        return np.concatenate(self.ranks).astype(np.int32)

    @cached_property
    def carriers_by_rank(self) -> list[Column]:
        """The carriers of each generation; the first item holds the carriers without a parent."""
        if self.flat:
            return [self.carriers]
        ends = np.cumsum([np.isin(self.carriers, rank).sum() for rank in self.ranks])
        return np.split(self.carriers, ends[:-1])

    @property
    def flat(self) -> bool:
        """Whether no row has a parent."""
        return not self.generations


def hangs(cls: Any) -> bool:
    """Whether a component has a field `parent` that cascades, so that its entities form a tree."""
    spec = kind_of(cls).fields.get("parent")
    return spec is not None and spec.cascade


class Links(NamedTuple):
    """All entities that have a living parent. children, parents: int64 n, handles. added: int64 n, when each child got
    the component that names its parent, as change numbers of the World."""

    children: Column
    parents: Column
    added: Column


def links_of(world: Store) -> Links:
    """Return all entities with a living parent, each of them once."""
    links: list[tuple[Column, ...]] = []
    for table in world.trees:
        parents = table.column("parent")
        rows = np.flatnonzero(parents) if len(parents) else parents
        rows = rows[world.alive(parents[rows])] if len(rows) else rows
        if links and len(rows):
            rows = rows[~np.isin(table.entities[rows], np.concatenate([each[0] for each in links]))]
        if len(rows):
            links.append((table.entities[rows], parents[rows], table.added_at[rows]))
    if not links:
        return Links(*(np.zeros(0, np.int64) for _ in range(3)))
    return Links(*(links[0] if len(links) == 1 else map(np.concatenate, zip(*links, strict=True))))


def parents_of(world: Store, handles: Column) -> Column:
    """Return int64: the living parent of each entity, 0 for none."""
    above: Column = np.zeros(len(handles), np.int64)
    for table in world.trees:
        rows = table.lookup(handles)
        unset = np.flatnonzero((rows >= 0) & (above == 0))
        if len(unset):
            parents = table.column("parent")[rows[unset]]
            above[unset] = np.where(world.alive(parents), parents, 0)
    return above


def compute_hierarchy(world: Store, table: Table) -> Hierarchy:
    """Compute the hierarchy from the parents of all rows; rows in a cycle are treated as having no parent."""
    count = len(table)
    parents = table.column("parent")
    rows: Column = np.full(count, -1, np.int32)
    if not parents.any():
        return Hierarchy(rows, (), rows[:0], np.zeros(count, np.uint32))
    alive = world.alive(parents)
    rows[alive] = table.rows_of(parents[alive])
    generations, ring = generations_of(rows)
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


def generations_of(parents: Column) -> tuple[tuple[Column, ...], Column]:
    """Return the rows below a root by generation, and the rows in cycles, whose parents are set to -1 in place.

    parents: int, the row of each parent, -1 for none.
    """
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
