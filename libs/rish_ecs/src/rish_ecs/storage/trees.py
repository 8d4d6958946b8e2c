"""Entities as trees: a component whose field `parent` cascades hangs an entity below another one.

`Transform` of `rish_core` is such a component, and any plugin can have its own, as `rish_space3d` does. The field holds
entity handles, but matrices are multiplied by row. So a `Hierarchy` holds, for the table of one component, the row of
each parent, the depth of each row, and the rows that have children (the carriers). The world matrices of the carriers
are computed first; then each row needs the matrix of at most one carrier.

`parents_of` and `links_of` regard all such components together. If several components of an entity have a living
parent, that of the component that was declared first counts, so that all entities form one tree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..declarations.component import kind_of

if TYPE_CHECKING:
    from ..declarations import Column
    from .store import Store
    from .table import Table


_MAX_PATCHED = 64
"""The number of changed rows up to which a hierarchy is patched."""
_MAX_DEPTH = 64
"""The depth of the rows with children from which all rows count as moved if one of them moves."""


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The parent tree of a table of n rows.

    parents: int32 n, the row of each parent, -1 for none. depths: int32 n, how many rows are above each row.
    carriers: int32 k, the rows that have children, parents before children; the same array while only rows without
    children change. slots: uint32 n, for each row 1 + the index of its parent among the carriers, 0 for none. handles:
    int64 k, the entities of the carriers. children: int64 k + 1, how many rows have each slot. ring: the entities that
    are their own ancestors. loose: whether a row names a parent that it does not hang on, as it is dead or in a cycle.
    """

    parents: Column
    depths: Column
    carriers: Column
    slots: Column
    handles: Column
    children: Column
    ring: tuple[int, ...] = ()
    loose: bool = False

    @cached_property
    def carries(self) -> Column:
        """bool n: whether each row has children."""
        mask: Column = np.zeros(len(self.parents), np.bool_)
        mask[self.carriers] = True
        return mask

    @cached_property
    def order(self) -> Column:
        """int32 n: all rows, parents before children."""
        return np.argsort(self.depths, kind="stable").astype(np.int32)

    @cached_property
    def ranks(self) -> list[Column]:
        """The rows by depth, from those without a parent, each ascending."""
        return _split(self.order, self.depths)

    @property
    def generations(self) -> list[Column]:
        """The rows at depth 1, depth 2, and so on."""
        return self.ranks[1:]

    @property
    def flat(self) -> bool:
        """Whether no row has a parent."""
        return not len(self.carriers)

    @cached_property
    def slot_of(self) -> dict[int, int]:
        """The slot of the rows below each carrier, by the entity of the carrier; 0 for the rows below none."""
        return {handle: slot for slot, handle in enumerate([0, *self.handles.tolist()])}

    def patched(self, table: Table, changed: Column) -> Hierarchy | None:
        """Return the hierarchy after rows were added, removed or moved, or got another parent; None if it must be
        computed again, because a row with children changed, or too many rows. This hierarchy is invalid then.

        changed: the rows whose parent is another one. One sprite that comes beside 50,000 in the game breakout costs
        half as much so.
        """
        before, count, carriers = len(self.parents), len(table), self.carriers
        dropped = range(count, before)
        if self.loose or len(changed) + len(dropped) > _MAX_PATCHED or (len(carriers) and carriers.max() >= count):
            return None
        if (table.entities[carriers] != self.handles).any():
            return None
        rows = changed.tolist()
        slots = [self.slot_of.get(parent, -1) for parent in table.column("parent")[changed].tolist()]
        if -1 in slots or any(row < before and self.carries[row] for row in rows):
            return None
        children = self.children.copy()
        for row in (*dropped, *(row for row in rows if row < before)):
            children[self.slots[row]] -= 1
        for slot in slots:
            children[slot] += 1
        if not children[1:].all():
            return None
        parents, depths, by_row = [_resized(column, count) for column in (self.parents, self.depths, self.slots)]
        for row, slot in zip(rows, slots, strict=True):
            carrier = int(carriers[slot - 1]) if slot else -1
            parents[row], depths[row], by_row[row] = carrier, depths[carrier] + 1 if slot else 0, slot
        patched = replace(self, parents=parents, depths=depths, slots=by_row, children=children)
        patched.__dict__["slot_of"] = self.slot_of
        return patched

    def below(self, rows: Column) -> Column | None:
        """Return some rows with all rows below them, ascending; None if the tree is so deep that this takes too long.

        A parent that moves then costs what it carries: one with ten sprites among 100,000 causes no others to be drawn
        again.
        """
        if not self.carries[rows].any():
            return rows
        depths = self.depths[self.carriers]
        if depths[-1] >= _MAX_DEPTH:
            return None
        moved: Column = np.zeros(len(self.parents), np.bool_)
        moved[rows] = True
        by_slot: Column = np.zeros(len(self.carriers) + 1, np.bool_)
        for some in _split(np.arange(len(depths)), depths):
            carriers = self.carriers[some]
            by_slot[some + 1] = moved[carriers] | by_slot[self.slots[carriers]]
        return np.flatnonzero(moved | by_slot[self.slots])


def _split(rows: Column, depths: Column) -> list[Column]:
    """Return rows that are in the order of their depths as a list by depth. depths: of each row, in any order."""
    ends = np.cumsum(np.bincount(depths, minlength=1)).tolist()
    return [rows[first:end] for first, end in pairwise([0, *ends])]


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
    parents = table.column("parent")
    rows: Column = np.full(len(table), -1, np.int32)
    slots: Column = np.zeros(len(table), np.uint32)
    if not parents.any():
        depths, children = np.zeros(len(table), np.int32), np.array([len(table)])
        return Hierarchy(rows, depths, np.zeros(0, np.int32), slots, np.zeros(0, np.int64), children)
    alive = world.alive(parents)
    rows[alive] = table.rows_of(parents[alive])
    depths, ring = depths_of(rows)
    hung = np.flatnonzero(rows >= 0)
    carries = np.zeros(len(table), np.bool_)
    carries[rows[hung]] = True
    carriers = np.flatnonzero(carries)
    carriers = carriers[np.argsort(depths[carriers], kind="stable")].astype(np.int32)
    slots[carriers] = np.arange(1, len(carriers) + 1)
    slots = np.where(rows >= 0, slots[rows], np.uint32(0))
    children, loose = np.bincount(slots, minlength=len(carriers) + 1), bool((parents[rows < 0] != 0).any())
    handles = table.entities[carriers]
    return Hierarchy(rows, depths, carriers, slots, handles, children, tuple(table.entities[ring].tolist()), loose)


def _resized(values: Column, count: int) -> Column:
    """Return an array with `count` rows and the same first rows; more room than needed is allocated for the next."""
    room = values if values.base is None else values.base
    if len(room) < count:
        room = np.empty(count + count // 2 + 16, values.dtype)
        room[: len(values)] = values
    return room[:count]


def generations_of(parents: Column) -> tuple[list[Column], Column]:
    """Return the rows below a root by depth, and the rows in cycles, whose parents are set to -1 in place.

    parents: int, the row of each parent, -1 for none.
    """
    depths, ring = depths_of(parents)
    return _split(np.argsort(depths, kind="stable"), depths)[1:], ring


def depths_of(parents: Column) -> tuple[Column, Column]:
    """Return int32: how many rows are above each row; and the rows in cycles, whose parents are set to -1 in place.

    parents: int, the row of each parent, -1 for none. Each pass doubles the distance to the row that is looked at, so a
    chain of 10,000 rows takes 14 passes.
    """
    count = len(parents)
    above = np.append(parents, -1)  # the last row is above those without a parent, and above itself
    depths = (above >= 0).astype(np.int32)
    for _ in range(count.bit_length() + 1):
        if not (above >= 0).any():
            return depths[:-1], above[:0]
        depths += depths[above]
        above = above[above]
    ring = np.unique(above[above >= 0])  # at this distance, only rows in cycles have a row above them
    parents[ring] = -1
    return depths_of(parents)[0], ring
