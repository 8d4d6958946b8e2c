"""The search of the hierarchy: words of names, `tag:enemy`, `has:Body`, `prefab:tree`, `#12`; all have to match, and
`-` negates one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Name, Tags
from rish_ecs import Inputs

from ...commands.targets import prefab_uses

if TYPE_CHECKING:
    from rish_authoring import SiblingOrder
    from rish_core import World

    from ...session.game.game import Game

_INDEX = (1 << 32) - 1


class Search:
    """A search for entities. text: as the user types it."""

    def __init__(self) -> None:
        self.text = ""
        self._inputs = Inputs((Name,))
        self._names: tuple[Any, list[str]] = (np.zeros(0, np.int64), [])

    def matches(self, game: Game, order: SiblingOrder) -> Any:
        """Return bool n: which rows of the order match; None without a search."""
        terms = self.text.split()
        if not terms:
            return None
        fits = np.ones(len(order), np.bool_)
        for term in terms:
            turned = len(term) > 1 and term[0] == "-"
            one = self._one(game, order, term[1:] if turned else term)
            fits &= ~one if turned else one
        return fits

    def _one(self, game: Game, order: SiblingOrder, term: str) -> Any:
        """Return bool n: which entities fit one term."""
        world = game.world
        kind, colon, value = term.partition(":")
        if colon and kind.lower() == "prefab":
            return _uses(game, order, value)
        if colon and kind.lower() == "tag":
            return with_tags(world, order, value)
        if colon and kind.lower() == "has":
            return _with_component(world, order, value)
        if term[0] == "#" and term[1:].isdigit():
            return (order.handles & _INDEX) == int(term[1:])
        unnamed = ~_rows(order, world.table(Name).entities)
        return self._named(world, order, term.lower()) | (unnamed & _uses(game, order, term))

    def _named(self, world: World, order: SiblingOrder, word: str) -> Any:
        table = world.table(Name)
        if self._inputs.changed(world):
            numbers = np.unique(table.column("value"))
            self._names = numbers, [world.text(number).lower() for number in numbers.tolist()]
        numbers, texts = self._names
        fits = np.fromiter((word in text for text in texts), np.bool_, len(texts))
        return _rows(order, table.entities[np.isin(table.column("value"), numbers[fits])])


def _uses(game: Game, order: SiblingOrder, word: str) -> Any:
    """Return bool n: which entities are uses of a prefab whose name contains a word."""
    matched = np.zeros(len(order), np.bool_)
    for name, handles in prefab_uses(game).items():
        if word.lower() in name.lower():
            matched |= _rows(order, handles)
    return matched


def begins(world: World, handles: Any, begin: str) -> Any:
    """Return bool n: whether the names of some entities begin with a text; upper and lower case are equal. handles:
    int64 n."""
    table = world.table(Name)
    numbers = np.unique(table.column("value"))
    fits = np.fromiter((world.text(k).lower().startswith(begin) for k in numbers.tolist()), np.bool_, len(numbers))
    rows = table.lookup(handles)
    return (rows >= 0) & np.isin(table.column("value")[rows], numbers[fits]) if len(table) else rows >= 0


def with_tags(world: World, order: SiblingOrder, begin: str) -> Any:
    """Return bool n: which entities have a tag that begins with a text; upper and lower case are equal."""
    owners, numbers = tags_of(world)
    tags = np.unique(numbers)
    fits = np.fromiter((world.text(k).lower().startswith(begin.lower()) for k in tags.tolist()), np.bool_, len(tags))
    return _rows(order, world.table(Tags).entities[owners[np.isin(numbers, tags[fits])]])


def tags_of(world: World) -> tuple[Any, Any]:
    """Return all tags: int64 n, the row of the owner in the table of tags, and n, the number of the tag's text."""
    table = world.table(Tags)
    spans = table.column("values")
    if not len(table):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.repeat(np.arange(len(table)), spans[:, 1]), table.pool_of("values").gather(spans)


def _with_component(world: World, order: SiblingOrder, name: str) -> Any:
    """Return bool n: which entities have a component of this name; if none has it, whose name begins so."""
    prefix = name.lower().rpartition(".")[2]
    by_name = [(table.schema.name.lower().rpartition(".")[2], table) for table in world.tables.values()]
    exact = [table for each, table in by_name if each == prefix]
    matched = np.zeros(len(order), np.bool_)
    for table in exact or [table for each, table in by_name if each.startswith(prefix)]:
        matched |= _rows(order, table.entities)
    return matched


def _rows(order: SiblingOrder, handles: Any) -> Any:
    """Return bool n: which rows of the order are these entities."""
    matched = np.zeros(len(order), np.bool_)
    rows = order.rows_of(handles)
    matched[rows[rows >= 0]] = True
    return matched
