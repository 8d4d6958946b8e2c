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

from rish_core import App, Origin, Scenes, World, resource
from rish_ecs.declarations import Column
from rish_ecs.storage import generations_of, links_of

_INDEX = (1 << 32) - 1
_NONE: Column = np.zeros(0, np.int64)
_LATER = 1 << 62
"""The lowest key of entities that are not in the text, above all keys of entries."""


@resource(view=True)
class Arranged:
    """The entities that a tool has arranged. handles: int64; among siblings, the order of this list is theirs.

    It is in snapshots and can be undone, but it is in no hash and in no text.
    """

    handles: Any = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass(frozen=True, eq=False)
class SiblingOrder:
    """All living entities as the rows of a tree, parents directly before their children.

    handles: int64 n. depths: int32 n, 0 without a parent. parents: int32 n, the row of the parent, -1 for none.
    ends: int32 n, the row after the last one below each entity, so that a tool can skip what is folded.
    """

    handles: Column
    depths: Column
    parents: Column
    ends: Column

    def __len__(self) -> int:
        return len(self.handles)

    @cached_property
    def _places(self) -> Column:
        """int64: the row of the entity in each slot of the World, -1 for a free one."""
        slots = self.handles & _INDEX
        made: Column = np.full(int(slots.max(initial=0)) + 1, -1, np.int64)
        made[slots] = np.arange(len(slots))
        return made

    def rows_of(self, handles: Any) -> Column:
        """Return int64: the rows of some handles, -1 for those that do not live."""
        wanted = np.asarray(handles, np.int64)
        if not len(self.handles):
            return np.full(wanted.shape, -1, np.int64)
        slots = wanted & _INDEX
        rows = self._places[np.minimum(slots, len(self._places) - 1)]
        return np.where(self.handles[rows] == wanted, rows, -1)

    @cached_property
    def positions(self) -> Column:
        """int32 n: the number of each row among its siblings."""
        made: Column = np.zeros(len(self), np.int32)
        family = np.argsort(self.parents, kind="stable")
        parents = self.parents[family]
        first = np.flatnonzero(np.diff(parents, prepend=-2))
        made[family] = np.arange(len(self)) - np.repeat(first, np.diff(np.append(first, len(self))))
        return made

    def children(self, handle: int) -> Column:
        """Return int64: the children of an entity in their order; of 0, the entities without a parent."""
        row = int(self.rows_of([handle])[0]) if handle else -1
        return self.handles[self.parents == row] if row >= 0 or not handle else self.handles[:0]


@resource(derived=True)
class TreeCache:
    """The last computed order, with what it was computed from."""

    def __post_init__(self) -> None:
        """Start empty."""
        self._order: SiblingOrder | None = None
        self._versions: tuple[Any, ...] = ()
        self._arranged: Column = _NONE
        self._parents: list[Column] = []

    def rebuild(self, world: World) -> None:
        """Drop the order after a restore."""
        self._order = None

    def get(self, world: World) -> SiblingOrder:
        """Return the order; it is computed again if entities, parents, entries or the arrangement have changed."""
        arranged = arrangement(world)
        parents = [tree.column("parent") for tree in world.trees]
        versions = (world.membership, world.table(Origin).version, world[Scenes].current)
        known = versions == self._versions and arranged is self._arranged and len(parents) == len(self._parents)
        if self._order is None or not known or not all(map(np.array_equal, parents, self._parents)):
            self._order, self._parents = compute_order(world, arranged), [each.copy() for each in parents]
            self._versions, self._arranged = versions, arranged
        return self._order


def arrangement(world: World) -> Column:
    """Return int64: the arranged entities of a World, also dead ones."""
    return world[Arranged].handles if Arranged in world else _NONE


def tree_order(app: App) -> SiblingOrder:
    """Return all entities of a game as a tree in the order of the text; the same object while nothing has changed."""
    world = app.world
    if TreeCache not in world:
        world.put(TreeCache())
    return world[TreeCache].get(world)


def compute_order(world: World, arranged: Column) -> SiblingOrder:
    """Compute the tree. arranged: int64, the entities that are first among their siblings, in their order."""
    entities = world.entities
    slots = np.flatnonzero(entities.state[: entities.used] == 1)
    handles: Column = entities.generation[slots].astype(np.int64) << 32 | slots
    count = len(handles)
    place: Column = np.full(entities.used + 1, -1, np.int64)
    place[slots] = np.arange(count)
    above: Column = np.full(count, -1, np.int64)
    links = links_of(world)
    above[place[links.children & _INDEX]] = place[links.parents & _INDEX]
    generations, _ = generations_of(above)
    order = np.argsort(_text_keys(world, place, count), kind="stable")
    if len(arranged):
        living = arranged[world.alive(arranged)]
        ranks: Column = np.full(count, len(living), np.int64)
        ranks[place[living & _INDEX]] = np.arange(len(living))
        order = order[np.argsort(ranks[order], kind="stable")]
    order = order[np.argsort(above[order], kind="stable")]
    return _laid_out(handles, above, order, generations)


def _text_keys(world: World, place: Column, count: int) -> Column:
    """Return int64: entry and copy of the entities of the current scene; for others, when they were created."""
    keys: Column = np.full(count, _LATER, np.int64)
    for tree in reversed(world.trees):
        keys[place[tree.entities & _INDEX]] = _LATER + tree.added_at[: len(tree)]
    text = world.table(Origin)
    number = world.texts.find(world[Scenes].current)
    rows = np.flatnonzero(text.column("scene") == number) if number >= 0 else np.zeros(0, np.int64)
    entries, copies = text.column("entry")[rows].astype(np.int64), text.column("copy")[rows].astype(np.int64)
    keys[place[text.entities[rows] & _INDEX]] = entries << 32 | copies
    return keys


def _laid_out(handles: Column, above: Column, order: Column, generations: Sequence[Column]) -> SiblingOrder:
    """Return the rows of a tree. above: the parent of each entity. order: the entities sorted by parent, then place."""
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
