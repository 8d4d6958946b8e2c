"""The order in which tools show entities: a tree in the order of the text.

Siblings have this order: first those that a tool has arranged, in that order; then those of the text, in the order of
their entries and copies; then the others, in the order in which they were created. `save_plan` writes entries in this
order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from rish_core import App, Origin, Scenes, World, derived, resource
from rish_ecs.declarations import Column
from rish_ecs.storage import generations_of, links_of

_INDEX = (1 << 32) - 1
_NONE: Column = np.zeros(0, np.int64)
_AFTER_ENTRIES = 1 << 62
"""The lowest key of entities that are not in the text, above all keys of entries."""


@resource(view=True)
class Arranged:
    """The entities that a tool has arranged. handles: int64 (n,), in the order that siblings among them have.

    The order is in snapshots and can be undone, but it is in no hash and in no text.
    """

    handles: Any = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass(frozen=True, eq=False)
class SiblingOrder:
    """All living entities as the rows of a tree, parents directly before their children.

    handles: int64 (n,). depths: int32 (n,), the number of ancestors. parents: int32 (n,), the row of the parent, -1 for
    none. ends: int32 (n,), the row after the last descendant, with which a tool skips folded rows.
    """

    handles: Column
    depths: Column
    parents: Column
    ends: Column

    def __len__(self) -> int:
        return len(self.handles)

    @cached_property
    def _places(self) -> Column:
        """int64 (slots,): the row of the entity in each slot of the World, -1 for a free slot."""
        slots = self.handles & _INDEX
        rows: Column = np.full(int(slots.max(initial=0)) + 1, -1, np.int64)
        rows[slots] = np.arange(len(slots))
        return rows

    def rows_of(self, handles: Any) -> Column:
        """Return int64 (m,): the rows of handles; -1 for entities that do not live."""
        queried = np.asarray(handles, np.int64)
        if not len(self.handles):
            return np.full(queried.shape, -1, np.int64)
        slots = queried & _INDEX
        rows = self._places[np.minimum(slots, len(self._places) - 1)]
        return np.where(self.handles[rows] == queried, rows, -1)

    @cached_property
    def positions(self) -> Column:
        """int32 (n,): the index of each row among its siblings."""
        positions: Column = np.zeros(len(self), np.int32)
        family = np.argsort(self.parents, kind="stable")
        parents = self.parents[family]
        first = np.flatnonzero(np.diff(parents, prepend=-2))
        positions[family] = np.arange(len(self)) - np.repeat(first, np.diff(np.append(first, len(self))))
        return positions

    def children(self, handle: int) -> Column:
        """Return int64 (m,): the children of an entity in their order. handle: 0 for the entities without a parent."""
        row = int(self.rows_of([handle])[0]) if handle else -1
        return self.handles[self.parents == row] if row >= 0 or not handle else self.handles[:0]


def _entities(world: World) -> tuple[Any, ...]:
    """Return a number that rises with each change of entities, the name of the scene, and all parents."""
    scene = world[Scenes].current if Scenes in world else ""
    return world.membership, scene, [tree.column("parent") for tree in world.trees]


@derived(reads=(_entities, Origin, Arranged))
class TreeOrder:
    """All entities as a tree, in the order of the text."""

    order: SiblingOrder | None = None

    def compute(self, world: World) -> None:
        """Sort the entities."""
        self.order = compute_order(world, arrangement(world))


def arrangement(world: World) -> Column:
    """Return int64 (n,): the arranged entities of a World, including dead ones."""
    return world[Arranged].handles if Arranged in world else _NONE


def tree_order(app: App) -> SiblingOrder:
    """Return all entities of a game as a tree in the order of the text; the same object while nothing has changed."""
    return app.world[TreeOrder].order


def compute_order(world: World, arranged: Column) -> SiblingOrder:
    """Compute the tree. arranged: int64 (m,), the entities that come first among their siblings, in their order."""
    entities = world.entities
    slots = np.flatnonzero(entities.state[: entities.used] == 1)
    handles: Column = entities.generation[slots].astype(np.int64) << 32 | slots
    count = len(handles)
    row_of_slot: Column = np.full(entities.used + 1, -1, np.int64)
    row_of_slot[slots] = np.arange(count)
    parents: Column = np.full(count, -1, np.int64)
    links = links_of(world)
    parents[row_of_slot[links.children & _INDEX]] = row_of_slot[links.parents & _INDEX]
    generations, _ = generations_of(parents)
    order = np.argsort(_text_keys(world, row_of_slot, count), kind="stable")
    if len(arranged):
        living = arranged[world.alive(arranged)]
        ranks: Column = np.full(count, len(living), np.int64)
        ranks[row_of_slot[living & _INDEX]] = np.arange(len(living))
        order = order[np.argsort(ranks[order], kind="stable")]
    order = order[np.argsort(parents[order], kind="stable")]
    return _build(handles, parents, order, generations)


def _text_keys(world: World, place: Column, count: int) -> Column:
    """Return int64 (count,): the sort keys of entities: entry and copy in the current scene, or the time of creation.

    place: int64 (slots,), the index of the entity in each slot.
    """
    keys: Column = np.full(count, _AFTER_ENTRIES, np.int64)
    for tree in reversed(world.trees):
        keys[place[tree.entities & _INDEX]] = _AFTER_ENTRIES + tree.added_at[: len(tree)]
    origins = world.table(Origin)
    number = world.texts.find(world[Scenes].current)
    rows = np.flatnonzero(origins.column("scene") == number) if number >= 0 else np.zeros(0, np.int64)
    entries, copies = origins.column("entry")[rows].astype(np.int64), origins.column("copy")[rows].astype(np.int64)
    keys[place[origins.entities[rows] & _INDEX]] = entries << 32 | copies
    return keys


def _build(handles: Column, above: Column, order: Column, generations: Sequence[Column]) -> SiblingOrder:
    """Return the rows of a tree.

    above: int64 (n,), the index of the parent of each entity, -1 for none. order: int64 (n,), the entities sorted by
    parent, then position. generations: the entities of each depth from 1 up.
    """
    count = len(handles)
    size: Column = np.ones(count, np.int64)
    depth: Column = np.zeros(count, np.int32)
    for number, rank in enumerate(generations, 1):
        depth[rank] = number
    for rank in reversed(generations):
        np.add.at(size, above[rank], size[rank])
    # rows of siblings follow each other by the sizes of their trees
    sizes = size[order]
    before = np.cumsum(sizes) - sizes
    families = above[order]
    first = np.flatnonzero(np.diff(families, prepend=-2))
    offset: Column = np.zeros(count, np.int64)
    offset[order] = before - np.repeat(before[first], np.diff(np.append(first, count)))
    for rank in generations:
        offset[rank] += offset[above[rank]] + 1
    sequence: Column = np.zeros(count, np.int64)
    sequence[offset] = np.arange(count)
    parents = np.append(offset, -1)[above][sequence].astype(np.int32)
    ends = (offset + size)[sequence].astype(np.int32)
    return SiblingOrder(handles[sequence], depth[sequence], parents, ends)
