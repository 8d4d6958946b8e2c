"""Reads the mappings of `gym.yaml`: typed values, and mistakes with file, line and column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rish_assets import Section
from rish_core import ManifestError, World
from rish_core.manifest import YamlList, YamlMap, path_text, place_at, show
from rish_ecs import Place, Problem
from rish_expressions import Bound, Expression, ExpressionError

NUMERIC = ("number", "truth", "any")
"""The types of expressions whose value is one number."""


@dataclass(frozen=True)
class Text:
    """An expression or a name as written. place, path: where, for messages."""

    text: str
    place: Place
    path: str

    def failed(self, what: str) -> ManifestError:
        """Return the error for a mistake in this text."""
        return ManifestError([Problem(self.place, self.path, what)])

    def bind(self, world: World, names: Mapping[str, str], kinds: Iterable[str] = NUMERIC) -> Bound:
        """Look up the names of the expression in a World. Raises ManifestError.

        names: the types of the names whose values are given at each evaluation. kinds: the types that it may have.
        """
        try:
            bound = Expression.parse(self.text).bind(world, names)
        except ExpressionError as error:
            raise self.failed(error.line) from None
        if bound.type not in kinds:
            raise self.failed(f"must be a number, and {self.text} is of the type {bound.type}")
        return bound

    def number(self, bound: Bound, names: Mapping[str, Any]) -> float:
        """Return the value of the bound expression. Raises ManifestError if it has none, or is no number."""
        try:
            return float(bound(names))
        except ExpressionError as error:
            raise self.missing(error) from None
        except (TypeError, ValueError):
            raise self.failed(f"must be a number, and is {bound(names)!r}") from None

    def missing(self, error: ExpressionError) -> ManifestError:
        """Return the error for an expression that has no value now."""
        return self.failed(f"{error.line}. If an entity may be absent, write `... if exists('name') else 0`")


class TaskSection(Section):
    """A mapping of the file."""

    def text(self, key: str, default: str | None = None) -> Text | None:
        """Return an expression or a name; a number or truth value is an expression, too."""
        value = self.node.get(key, default)
        if isinstance(value, (bool, int, float)):
            value = str(value)
        if value is None or (isinstance(value, str) and value.strip()):
            mark = self.node.values_at.get(key, self.node.mark)
            return None if value is None else Text(value, place_at(mark), path_text((*self.path, key)))
        self.wrong(key, f"must be an expression or a name, not {show(value)}")
        return None

    def number(self, key: str, default: float) -> float:
        """Return a number."""
        value = self.node.get(key, default)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
        self.wrong(key, f"must be a number, not {show(value)}")
        return default

    def whole(self, key: str, default: int | None, low: int, high: int) -> int | None:
        """Return a whole number within a range; None if the file says null or has no such key."""
        value = self.node.get(key, default)
        if value is None or (type(value) is int and low <= value <= high):
            return value
        self.wrong(key, f"must be a whole number from {low} to {high}, not {show(value)}")
        return default

    def items(self, key: str) -> list[Any]:
        """Return a list; of anything else the only item."""
        value = self.node.get(key)
        return list(value) if isinstance(value, YamlList) else [] if value is None else [value]

    def texts(self, key: str) -> tuple[Text, ...]:
        """Return a list of names; of anything else the only item."""
        value = self.node.get(key)
        marks = value.items_at if isinstance(value, YamlList) else [self.node.values_at.get(key, self.node.mark)]
        path = path_text((*self.path, key))
        return tuple(Text(str(item), place_at(mark), path) for item, mark in zip(self.items(key), marks, strict=False))

    def sections(self) -> Iterator[tuple[str, TaskSection]]:
        """Yield each key whose value is a mapping; other values are reported."""
        for key, value in self.node.items():
            if isinstance(value, YamlMap):
                yield key, TaskSection(value, (*self.path, key), self.report)
            else:
                self.wrong(key, f"must be a mapping, not {show(value)}")
