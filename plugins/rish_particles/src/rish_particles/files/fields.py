"""Reads mappings of YAML value by value; all mistakes are reported together, each with its file, line and column.

A `Fields` takes the known keys out of a mapping; the keys left at the end are unknown, and are reported with the
nearest known one. A wrong value is replaced by its default, so that reading continues.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rish_core.manifest import Mark, Report, YamlList, YamlMap, degrees_of, path_text, place_at, show
from rish_ecs import RishError, did_you_mean, parse_color
from rish_ecs.declarations import notice_former
from rish_jit import easing

from ..curves import FORMER_EASINGS, Curve, constant, ramp
from ..preset import Color, Pair, Span, Vector

Steps = tuple[str | int, ...]
Parse = Callable[[Any], tuple[float, ...]]
FAR = 1e6
"""The largest number that a preset may have."""


class Wrong(ValueError):
    """Raised for a wrong value; the message says what the value must be."""


class Fields:
    """A mapping that is being read. what: its name in messages, such as `a preset`."""

    def __init__(self, node: YamlMap, path: Steps, report: Report, what: str) -> None:
        self.node, self.path, self.report, self.what = node, path, report, what
        self.known: list[str] = []

    def take(self, key: str, default: Any, parse: Callable[[Any], Any]) -> Any:
        """Return a key's value, read by `parse`; the default if the key is missing or `parse` raises Wrong."""
        self.known.append(key)
        value = self.node.get(key)
        if value is None:
            return default
        try:
            return parse(value)
        except Wrong as error:
            self.report.add(self.node.values_at[key], (*self.path, key), str(error))
            return default

    def end(self) -> None:
        """Report the keys that were not taken."""
        for key in self.node:
            if key not in self.known:
                self.report.unknown(self.node, key, self.path, f"{self.what} has no key {key!r}", self.known)

    # Kinds of values

    def number(self, key: str, default: float, low: float = -FAR, high: float = FAR) -> float:
        """Read a number within a range."""
        return self.take(key, default, lambda value: number(value, low, high))

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """Read a whole number within a range."""

        def parse(value: Any) -> int:
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                raise Wrong(f"must be a whole number from {low} to {high}, not {show(value)}")
            return value

        return self.take(key, default, parse)

    def span(self, key: str, default: Any, low: float = -FAR, high: float = FAR, unit: float = 1.0) -> Any:
        """Read a number, or [least, greatest], times `unit`; if `unit` is not 1, texts like `90deg` are valid."""

        def parse(value: Any) -> Span:
            minimum, maximum = span(_in_degrees(value) if unit != 1.0 else value, low, high)
            return minimum * unit, maximum * unit

        return self.take(key, default, parse)

    def pair(self, key: str, default: Pair, low: float = -FAR, high: float = FAR) -> Pair:
        """Read a pair [x, y]."""
        return self.take(key, default, lambda value: pair(value, low, high))

    def vector(self, key: str, default: Vector, low: float = -FAR, high: float = FAR) -> Vector:
        """Read a vector [x, y] or [x, y, z]."""
        return self.take(key, default, lambda value: vector(value, low, high))

    def flag(self, key: str, default: bool = False) -> bool:
        """Read true or false."""
        return self.take(key, default, flag)

    def text(self, key: str, default: str = "") -> str:
        """Read a text that is not empty."""

        def parse(value: Any) -> str:
            if not isinstance(value, str) or not value:
                raise Wrong(f"must be text, not {show(value)}")
            return value

        return self.take(key, default, parse)

    def word(self, key: str, default: str, choices: Iterable[str], former: Mapping[str, str] | None = None) -> Any:
        """Read one of the words in `choices`. former: the new name of each renamed word."""
        words = list(choices)

        def parse(value: Any) -> str:
            if former and isinstance(value, str) and value in former:
                notice_former(path_text((*self.path, key)), value, former[value])
                value = former[value]
            if value not in words:
                raise Wrong(f"must be one of {', '.join(words)}, not {show(value)}{did_you_mean(value, words)}")
            return value

        return self.take(key, default, parse)

    def present(self, key: str, former: str) -> str:
        """Return the key that the file uses for a value: `key`, or its former name, for which a notice is reported."""
        if former not in self.node or key in self.node:
            return key
        notice_former(path_text(self.path), former, key, place_at(self.node.keys_at[former]))
        return former

    def color(self, key: str, default: Color) -> Color:
        """Read a color as text, or as 3 or 4 numbers from 0 to 1."""
        return self.take(key, default, color)

    def curve(self, key: str, default: Curve, parse: Parse | None = None, low: float = -FAR) -> Curve:
        """Read a curve over life. parse: the function that reads one value; None for numbers."""
        parse_value = parse or (lambda value: (number(value, low, FAR),))
        return self.take(key, default, lambda value: curve(value, parse_value))

    def inner(self, key: str, what: str) -> Fields | None:
        """Return an inner mapping, which the caller reads and ends; None if it is missing."""

        def parse(value: Any) -> Fields:
            if not isinstance(value, YamlMap):
                raise Wrong(f"must be a mapping, not {show(value)}")
            return Fields(value, (*self.path, key), self.report, what)

        return self.take(key, None, parse)

    def many(self, key: str, what: str) -> Iterator[Fields]:
        """Yield the mappings of a list; a single mapping counts as a list of one."""

        def parse(value: Any) -> list[Fields]:
            if isinstance(value, YamlMap):
                return [Fields(value, (*self.path, key), self.report, what)]
            if not isinstance(value, YamlList):
                raise Wrong(f"must be a list of mappings, not {show(value)}")
            return [self._item(key, k, item, value.items_at[k], what) for k, item in enumerate(value)]

        return iter([fields for fields in self.take(key, [], parse) if fields is not None])

    def _item(self, key: str, k: int, item: Any, mark: Mark, what: str) -> Any:
        if isinstance(item, YamlMap):
            return Fields(item, (*self.path, key, k), self.report, what)
        return self.report.add(mark, (*self.path, key, k), f"must be a mapping, not {show(item)}")

    def items(self, key: str, default: Any, parse: Callable[[Any], Any], minimum: int = 1) -> Any:
        """Read a list of values, each read by `parse`."""

        def read(value: Any) -> tuple[Any, ...]:
            if not isinstance(value, YamlList) or len(value) < minimum:
                raise Wrong(f"must be a list of at least {minimum} values, not {show(value)}")
            return tuple(parse(item) for item in value)

        return self.take(key, default, read)


def number(value: Any, low: float = -FAR, high: float = FAR) -> float:
    """Return a number within a range. Raises Wrong for other values."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Wrong(f"must be a number, not {show(value)}")
    if not low <= value <= high:
        raise Wrong(f"{value} is out of range: from {low:g} to {high:g}")
    return float(value)


def flag(value: Any) -> bool:
    """Return true or false. Raises Wrong for other values."""
    if not isinstance(value, bool):
        raise Wrong(f"must be true or false, not {show(value)}")
    return value


def _in_degrees(value: Any) -> Any:
    """Convert angles such as `90deg` to numbers of degrees; other values are returned unchanged."""
    if isinstance(value, list):
        return [_in_degrees(item) for item in value]
    degrees = degrees_of(value) if isinstance(value, str) else None
    return value if degrees is None else degrees


def span(value: Any, low: float = -FAR, high: float = FAR) -> Span:
    """Return a number, or [least, greatest], as a span. Raises Wrong for other values."""
    if not isinstance(value, list):
        try:
            single = number(value, low, high)
        except Wrong as error:
            raise Wrong(str(error).replace("a number,", "a number or [least, greatest],")) from None
        return single, single
    if len(value) != 2:
        raise Wrong(f"must be a number or [least, greatest], not {show(value)}")
    minimum, maximum = (number(item, low, high) for item in value)
    if minimum > maximum:
        raise Wrong(f"[{minimum:g}, {maximum:g}] is in the wrong order: write the smaller value first")
    return minimum, maximum


def pair(value: Any, low: float = -FAR, high: float = FAR) -> Pair:
    """Return [x, y] as a pair. Raises Wrong for other values."""
    if not isinstance(value, list) or len(value) != 2:
        raise Wrong(f"must be [x, y], not {show(value)}")
    return number(value[0], low, high), number(value[1], low, high)


def vector(value: Any, low: float = -FAR, high: float = FAR) -> Vector:
    """Return [x, y] or [x, y, z] as a vector. Raises Wrong for other values."""
    if not isinstance(value, list) or len(value) not in (2, 3):
        raise Wrong(f"must be [x, y], or [x, y, z] in space, not {show(value)}")
    return tuple(number(part, low, high) for part in value)


def color(value: Any) -> Color:
    """Return a color given as text, or as 3 or 4 numbers from 0 to 1. Raises Wrong for other values."""
    if isinstance(value, str):
        try:
            red, green, blue, alpha = parse_color(value)
        except ValueError as error:
            raise Wrong(str(error)) from None
        return red, green, blue, alpha
    if isinstance(value, list) and len(value) in (3, 4):
        red, green, blue, alpha = ([number(item, 0, 1) for item in value] + [1.0])[:4]
        return red, green, blue, alpha
    raise Wrong(f"must be a color such as '#ff8800', or 3 or 4 numbers from 0 to 1, not {show(value)}")


def curve(value: Any, parse: Parse) -> Curve:
    """Return a curve from a value, a list of values at even steps, or {time: value, time: [value, easing]}."""
    if isinstance(value, dict):
        return _keys(value, parse)
    if isinstance(value, list) and not (parse is color and value and not isinstance(value[0], str | list)):
        if not value:
            raise Wrong("a curve needs at least one value")
        return ramp(*(parse(item) for item in value))
    return constant(*parse(value))


def _keys(value: dict[str, Any], parse: Parse) -> Curve:
    keys: dict[float, tuple[tuple[float, ...], str]] = {}
    for key, item in value.items():
        try:
            time = float(key)
        except ValueError:
            time = math.nan
        if not 0 <= time <= 1:
            raise Wrong(f"{key!r} is not a valid time of a curve: 0 is birth, 1 is death")
        ease = "linear"
        if isinstance(item, list) and len(item) == 2 and isinstance(item[1], str) and not item[1].startswith("#"):
            item, ease = item
        keys[time] = (parse(item), known_easing(ease))
    if not keys:
        raise Wrong("a curve needs at least one key")
    times = sorted(keys)
    return Curve(tuple(times), tuple(keys[t][0] for t in times), tuple(keys[t][1] for t in times))


def known_easing(name: str) -> str:
    """Return the name of an easing; an earlier name is replaced with a notice. Raises Wrong for an unknown one."""
    if name in FORMER_EASINGS:
        notice_former("easing", name, FORMER_EASINGS[name])
    try:
        easing(FORMER_EASINGS.get(name, name))
    except RishError as error:
        raise Wrong(str(error)) from None
    return FORMER_EASINGS.get(name, name)
