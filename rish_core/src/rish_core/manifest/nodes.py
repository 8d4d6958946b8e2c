"""Plain data that knows where it stands: what a YAML file becomes.

`YamlMap` is a dict and `YamlList` a list, so they compare and read like plain data; beside that they keep a
mark (file, line and column) for themselves, for every key and for every value. Data from code can join them:
it gets the marks of the place where it was put.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rish_ecs import Place, Problem

from .scalars import shorten

MAX_PROBLEMS = 100
"""Mistakes after which the reading or the check of a file stops: names are looked up for each, which takes time."""


class Mark(Protocol):
    """A place in a file: `name` is the file; `line` and `column` count from 0, -1 is unknown."""

    @property
    def name(self) -> str:
        """The file."""
        ...

    @property
    def line(self) -> int:
        """From 0; -1 is unknown."""
        ...

    @property
    def column(self) -> int:
        """From 0; -1 is unknown."""
        ...


@dataclass(frozen=True)
class Spot:
    """A mark made by hand, for values that come from the command line or from a plugin."""

    name: str
    line: int = -1
    column: int = -1


def place_at(mark: Mark) -> Place:
    """The place that a mark stands for, counted from 1."""
    return Place(mark.name, mark.line + 1, mark.column + 1)


class YamlMap(dict[str, Any]):
    """A mapping that knows where it, its keys and its values stand."""

    __slots__ = ("keys_at", "mark", "values_at")

    def __init__(self, mark: Mark) -> None:
        super().__init__()
        self.mark = mark
        self.keys_at: dict[str, Mark] = {}
        self.values_at: dict[str, Mark] = {}

    def put(self, key: str, value: Any, key_mark: Mark, value_mark: Mark) -> None:
        """Set a key, with the marks of both sides."""
        super().__setitem__(key, value)
        self.keys_at[key] = key_mark
        self.values_at[key] = value_mark

    def __setitem__(self, key: str, value: Any) -> None:
        """Set a key from code; plain data gets the marks of this mapping."""
        mark = self.values_at.get(key, self.mark)
        self.put(key, marked(value, mark), self.keys_at.get(key, self.mark), mark)

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Set a key from code, if it is missing; gives its value."""
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *others: Any, **values: Any) -> None:
        """Set several keys from code."""
        for key, value in dict(*others, **values).items():
            self[key] = value


class YamlList(list[Any]):
    """A list that knows where it and its items stand."""

    __slots__ = ("items_at", "mark")

    def __init__(self, mark: Mark) -> None:
        super().__init__()
        self.mark = mark
        self.items_at: list[Mark] = []


def marked(value: Any, mark: Mark) -> Any:
    """Plain dicts and lists as maps and lists that stand wholly at one mark; what is marked already stays."""
    if isinstance(value, YamlMap | YamlList):
        return value
    if isinstance(value, Mapping):
        made = YamlMap(mark)
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
            made.put(str(key), marked(inner, mark), mark, mark)  # pyright: ignore[reportUnknownArgumentType]
        return made
    if isinstance(value, list | tuple):
        items = YamlList(mark)
        items.extend(marked(item, mark) for item in value)  # pyright: ignore[reportUnknownVariableType]
        items.items_at.extend([mark] * len(items))
        return items
    return value


def mark_of(node: Any, steps: Iterable[str | int], default: Mark) -> Mark:
    """The place of the value at `steps` below a node, or of its nearest known ancestor."""
    mark = node.mark if isinstance(node, YamlMap | YamlList) else default
    for step in steps:
        if isinstance(node, YamlMap) and step in node:
            mark, node = node.values_at[str(step)], node[str(step)]
        elif isinstance(node, YamlList) and isinstance(step, int) and step < len(node):
            mark, node = node.items_at[step], node[step]
        else:
            break
    return mark


@dataclass
class Document:
    """The content of one file: the data, and the mistakes that did not stop the reading.

    text: as it was read, "" where it could not be. values: how many the data holds at most, with aliases expanded.
    linked: whether it has anchors, by which one place means what stands at another. kept: whether entries of an earlier
    reading are among the data; moves: those of them whose marks are wrong by some lines, see `reload/reread.py`.
    """

    data: Any
    file: str
    problems: list[Problem] = field(default_factory=list[Problem])
    text: str = ""
    values: int = 0
    linked: bool = False
    kept: bool = False
    moves: list[tuple[YamlMap, int]] = field(default_factory=list["tuple[YamlMap, int]"])

    def place(self, *path: str | int) -> Place:
        """The place of the value at a path of keys and indices, or of its nearest known ancestor."""
        return place_at(mark_of(self.data, path, Spot(self.file)))

    @property
    def marks(self) -> dict[tuple[str | int, ...], tuple[int, int]]:
        """Line and column, from 1, of every value, by its path."""
        return {path: (mark.line + 1, mark.column + 1) for path, mark in _walk(self.data, ())}


def _walk(node: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Mark]]:
    if isinstance(node, YamlMap):
        for key, value in node.items():
            yield (*path, key), node.values_at[key]
            yield from _walk(value, (*path, key))
    elif isinstance(node, YamlList):
        for index, value in enumerate(node):
            yield (*path, index), node.items_at[index]
            yield from _walk(value, (*path, index))


def path_text(path: tuple[str | int, ...] | list[str | int]) -> str:
    """A path as a sentence shows it: `scenes.main[3].Body.mass`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{shorten(step)}" if text else shorten(step)
    return text
