"""The data of a YAML file: plain mappings and lists that keep the place of each value in the file.

`YamlMap` is a dict and `YamlList` a list, so they can be used and compared like plain data. In addition they keep a
mark (file, line and column) of their own, and one for each key and value. Data that code inserts gets the mark of the
place where it is inserted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rish_ecs import Place, Problem
from rish_ecs.declarations import shorten

MAX_PROBLEMS = 100
"""The number of problems at which reading or checking stops, because each problem costs a search for similar names."""


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
    """A mark for values that are not from a file, but from the command line or a plugin.

    written: how a value that is not text was written, if not in its usual form, such as `0x10`; also used for files.
    """

    name: str
    line: int = -1
    column: int = -1
    written: str = ""


def place_at(mark: Mark) -> Place:
    """Return the place of a mark, with line and column counted from 1."""
    return Place(mark.name, mark.line + 1, mark.column + 1)


class YamlMap(dict[str, Any]):
    """A mapping with the marks of itself, its keys and its values."""

    __slots__ = ("keys_at", "mark", "values_at")

    def __init__(self, mark: Mark) -> None:
        super().__init__()
        self.mark = mark
        self.keys_at: dict[str, Mark] = {}
        self.values_at: dict[str, Mark] = {}

    def put(self, key: str, value: Any, key_mark: Mark, value_mark: Mark) -> None:
        """Set a key with the marks of key and value."""
        super().__setitem__(key, value)
        self.keys_at[key] = key_mark
        self.values_at[key] = value_mark

    def __setitem__(self, key: str, value: Any) -> None:
        """Set a key from code; plain data gets the mark of the replaced value, or that of this mapping."""
        mark = self.values_at.get(key, self.mark)
        self.put(key, marked(value, mark), self.keys_at.get(key, self.mark), mark)

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Set a key from code if it is missing; return its value."""
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *others: Any, **values: Any) -> None:
        """Set several keys from code."""
        for key, value in dict(*others, **values).items():
            self[key] = value


class YamlList(list[Any]):
    """A list with the marks of itself and its items."""

    __slots__ = ("items_at", "mark")

    def __init__(self, mark: Mark) -> None:
        super().__init__()
        self.mark = mark
        self.items_at: list[Mark] = []


def marked(value: Any, mark: Mark, *, anew: bool = False) -> Any:
    """Convert plain dicts and lists to marked ones, all with one mark; data that has marks is returned unchanged.

    anew: copy data that has marks as well, with this mark.
    """
    if isinstance(value, YamlMap | YamlList) and not anew:
        return value
    if isinstance(value, Mapping):
        mapping = YamlMap(mark)
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
            mapping.put(str(key), marked(inner, mark, anew=anew), mark, mark)  # pyright: ignore[reportUnknownArgumentType]
        return mapping
    if isinstance(value, list | tuple):
        items = YamlList(mark)
        items.extend(marked(item, mark, anew=anew) for item in value)  # pyright: ignore[reportUnknownVariableType]
        items.items_at.extend([mark] * len(items))
        return items
    return value


def mark_of(node: Any, steps: Iterable[str | int], default: Mark) -> Mark:
    """Return the mark of the value at `steps` below a node, or of its nearest known ancestor."""
    mark = node.mark if isinstance(node, YamlMap | YamlList) else default
    for step in steps:
        child = below(node, step)
        if child is None:
            break
        node, mark = child
    return mark


def below(node: Any, step: str | int) -> tuple[Any, Mark] | None:
    """Return the value of a key or index, and its mark; None if there is none."""
    if isinstance(node, YamlMap) and step in node:
        return node[str(step)], node.values_at[str(step)]
    if isinstance(node, YamlList) and isinstance(step, int) and 0 <= step < len(node):
        return node[step], node.items_at[step]
    return None


@dataclass
class Document:
    """The content of one file: the data, and the mistakes found while reading.

    text: the text that was read, "" if reading failed. values: an upper bound of the number of values, with aliases
    expanded. linked: whether the file has anchors, so that a value may come from another place. reused: whether the
    data has entries of an earlier reading. settle: corrects their marks; to be called once the manifest is in use.
    """

    data: Any
    file: str
    problems: list[Problem] = field(default_factory=list[Problem])
    text: str = ""
    values: int = 0
    linked: bool = False
    reused: bool = False
    settle: Callable[[], object] | None = None

    def place(self, *path: str | int) -> Place:
        """Return the place of the value at a path of keys and indices, or of its nearest known ancestor."""
        return place_at(mark_of(self.data, path, Spot(self.file)))


def path_text(path: tuple[str | int, ...] | list[str | int]) -> str:
    """Return the text of a path for messages: `scenes.main[3].Body.mass`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{shorten(step)}" if text else shorten(step)
    return text
