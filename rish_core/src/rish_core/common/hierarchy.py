"""Hierarchies: who hangs on whom, worked out once and kept as long as nobody changes parents.

`Transform.parent` names entities; matrices are multiplied by rows. A `Hierarchy` turns one into the other: the row of
each parent, the generations in which the children can be placed, and the few rows that carry others. Those are
placed first, and then every row needs the matrix of one of them, or of none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import Table
from rish_ecs.declarations import Column

if TYPE_CHECKING:
    from rish_ecs import World


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The tree of a table of n rows.

    parents: int32 n, the row of each parent, -1 for none. generations: rows with a parent, those of the first before
    those of the second. carriers: int32 k, the rows that others hang on, parents before children. slots: uint32 n, for
    each row 1 + the place of its parent among the carriers, 0 for none. ring: the entities that hang on themselves.
    """

    parents: Column
    generations: tuple[Column, ...]
    carriers: Column
    slots: Column
    ring: tuple[int, ...] = ()

    @cached_property
    def carries(self) -> Column:
        """bool n: whether others hang on a row."""
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
        """Whether nobody has a parent."""
        return not self.generations


def hierarchy_of(world: World, table: Table) -> Hierarchy:
    """The tree of the Transforms; a ring of parents is cut open."""
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
