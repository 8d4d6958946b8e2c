"""The visible rows of the hierarchy as numpy arrays: computed when entities, folding or the search change."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_authoring import SiblingOrder, tree_order
from rish_core import Name, Origin, Tags
from rish_ecs import Inputs

from .search import Search, tags_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rish_core import World

    from ...session.game.game import Game

WAIT_SECONDS = 0.25
"""Seconds between two updates while the game runs, so that a big game is not slowed down."""


def _entities(world: World) -> int:
    """Return a number that rises with each change of entities and their components."""
    return world.membership


@dataclass(frozen=True, eq=False)
class Shown:
    """The rows that are shown. handles: int64 n, 0 for the heading of a tag. depths: int32 n. arrows: int8 n, 1 open, 0
    closed, -1 without children. dim: bool n, only there because of a row below it. tags: int32 n, the heading's number
    in `titles`, -1 for entities. titles: tag and number of entities; the tag is "" for those without any. matches: the
    number of entities that the search has found, None without one.
    """

    handles: Any
    depths: Any
    arrows: Any
    dim: Any
    tags: Any
    titles: list[tuple[str, int]]
    matches: int | None = None

    def __len__(self) -> int:
        return len(self.handles)

    def index_of(self, handle: int | None) -> int:
        """Return the first row of an entity; -1 if it is not shown."""
        indices: Any = np.flatnonzero(self.handles == handle) if handle else ()
        return int(indices[0]) if len(indices) else -1

    def between(self, one: int, other: int) -> list[int]:
        """Return the entities of the rows from one to another, both included."""
        low, high = min(one, other), max(one, other)
        part = self.handles[low : high + 1]
        return part[part != 0].tolist()


class Tree:
    """Computes the rows of the hierarchy. by_tag: grouped by tags instead of by parents. opened: entities whose
    children are shown. opened_tags: tags whose entities are shown.
    """

    def __init__(self) -> None:
        self.search = Search()
        self.by_tag = False
        self.opened: set[int] = set()
        self.opened_tags: set[str] = set()
        self.order: SiblingOrder | None = None
        self.shown: Shown | None = None
        self._key: tuple[Any, ...] = ()
        self._searched = Inputs((Name, Tags, Origin, _entities))
        self._tags = Inputs((Tags,))
        self._ordered: SiblingOrder | None = None
        self._folds = 0
        self._time = 0.0

    def update(self, game: Game) -> Shown:
        """Return the rows; the same object while nothing has changed."""
        now = time.perf_counter()
        if self.order is None or game.editing or now - self._time >= WAIT_SECONDS:
            self.order, self._time = tree_order(game.app), now
        searched, tags = self._searched.changed(game.world), self._tags.changed(game.world)
        changed = (self.by_tag and tags) or (bool(self.search.text.strip()) and game.editing and searched)
        key = self.by_tag, self._folds, self.search.text, game.editing
        if self.shown is None or changed or key != self._key or self.order is not self._ordered:
            self._key, self._ordered = key, self.order
            matched = self.search.matches(game, self.order)
            make = self._by_tag if self.by_tag else self._as_tree
            self.shown = make(game, self.order, matched)
        return self.shown

    def open(self, handles: Iterable[int], opened: bool = True) -> None:
        """Show or hide the children of entities."""
        if opened:
            self.opened.update(handles)
        else:
            self.opened.difference_update(handles)
        self._folds += 1

    def open_tag(self, tag: str, opened: bool = True) -> None:
        """Show or hide the entities of a tag."""
        (self.opened_tags.add if opened else self.opened_tags.discard)(tag)
        self._folds += 1

    def reveal(self, game: Game, handle: int) -> None:
        """Show the children of all ancestors of an entity; by tag, the entities of its first tag."""
        if self.by_tag:
            tags = game.world.get(handle, Tags).values if game.world.has(handle, Tags) else ()
            self.open_tag(next(iter(tags), ""))
            return
        if self.order is None:
            self.update(game)
        assert self.order is not None
        row = int(self.order.rows_of([handle])[0])
        parents, above = self.order.parents, set[int]()
        while row >= 0 and (row := int(parents[row])) >= 0:
            above.add(int(self.order.handles[row]))
        if not above <= self.opened:
            self.open(above)

    def tagged(self, shown: Shown, index: int) -> list[int]:
        """Return the entities of the heading of a tag, also if they are not shown."""
        tag = shown.titles[shown.tags[index]][0]
        if shown.arrows[index] != 1:
            self.open_tag(tag)
            return []
        later = shown.tags[index + 1 :] >= 0
        end = index + 1 + int(np.argmax(later)) if later.any() else len(shown)
        return shown.handles[index + 1 : end].tolist()

    # Rows

    def _as_tree(self, game: Game, order: SiblingOrder, matched: Any) -> Shown:
        count = len(order)
        parent = order.ends > np.arange(1, count + 1)
        opened = np.zeros(count, np.bool_)
        if matched is None:
            rows = order.rows_of(np.fromiter(self.opened, np.int64, len(self.opened)))
            opened[rows[rows >= 0]] = True
            shut = np.flatnonzero(parent & ~opened)
            edges = np.zeros(count + 1, np.int64)
            np.add.at(edges, shut + 1, 1)
            np.subtract.at(edges, order.ends[shut], 1)
            visible = np.flatnonzero(np.cumsum(edges[:count]) == 0)
            dim = np.zeros(len(visible), np.bool_)
        else:
            before = np.concatenate([[0], np.cumsum(matched)])
            inside = before[order.ends] > before[:-1]
            visible = np.flatnonzero(inside)
            dim = ~matched[visible]
            opened = before[order.ends] > before[1:]
            parent = opened
        arrows = np.where(parent, opened.astype(np.int8), np.int8(-1))[visible]
        none = np.full(len(visible), -1, np.int32)
        match_count = None if matched is None else int(np.count_nonzero(matched))
        return Shown(order.handles[visible], order.depths[visible], arrows, dim, none, [], match_count)

    def _by_tag(self, game: Game, order: SiblingOrder, matched: Any) -> Shown:
        world = game.world
        owners, numbers = tags_of(world)
        rows = order.rows_of(world.table(Tags).entities[owners])
        alive = rows >= 0
        rows, numbers = rows[alive], numbers[alive]
        lone = np.ones(len(order), np.bool_)
        lone[rows] = False
        if matched is not None:
            rows, numbers = rows[matched[rows]], numbers[matched[rows]]
            lone &= matched
        groups: list[tuple[str, Any]] = [
            (world.text(number), _ordered(rows[numbers == number], len(order)))
            for number in np.flatnonzero(np.bincount(numbers)).tolist()
        ]
        groups.sort(key=lambda each: each[0].lower())
        if lone.any():
            groups.append(("", np.flatnonzero(lone)))
        titles = [(tag, len(rows_of_tag)) for tag, rows_of_tag in groups]
        parts: list[Any] = []
        for number, (tag, rows_of_tag) in enumerate(groups):
            opened = tag in self.opened_tags or matched is not None
            parts.append((number, opened, order.handles[rows_of_tag] if opened else order.handles[:0]))
        if not parts:
            none = np.zeros(0, np.int64)
            return Shown(none, none, none, none, none, [], 0 if matched is not None else None)
        handles = np.concatenate([np.concatenate([[0], rows_of_tag]) for _, _, rows_of_tag in parts])
        heads = handles == 0
        arrows, tags = np.full(len(handles), -1, np.int8), np.full(len(handles), -1, np.int32)
        arrows[heads] = [opened for _, opened, _ in parts]
        tags[heads] = [number for number, _, _ in parts]
        match_count = None if matched is None else int(np.count_nonzero(matched))
        return Shown(
            handles, (~heads).astype(np.int32), arrows, np.zeros(len(handles), np.bool_), tags, titles, match_count
        )


def _ordered(rows: Any, count: int) -> Any:
    """Return the distinct rows below `count` in ascending order, int64."""
    there = np.zeros(count, np.bool_)
    there[rows] = True
    return np.flatnonzero(there)
