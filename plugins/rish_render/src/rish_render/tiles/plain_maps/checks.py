"""Checks of values in a hand-written map: each returns a usable value, and records a mistake with its place."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from rish_core.manifest import Document, YamlList, YamlMap, path_text
from rish_ecs import Place, Problem, did_you_mean, parse_color

Path = tuple[str | int, ...]


class Checks:
    """Collects the mistakes of one document in `problems`."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = []

    def wrong(self, path: Path, what: str) -> None:
        """Record a mistake at the place of the value at `path`."""
        self.wrong_at(self.document.place(*path), path, what)

    def wrong_at(self, place: Place, path: Path, what: str) -> None:
        """Record a mistake at a given place."""
        self.problems.append(Problem(place, path_text(path), what))

    def mapping(self, value: Any, path: Path, keys: Iterable[str] = (), needs: Iterable[str] = ()) -> bool:
        """Check that a value is a mapping with all keys in `needs` and, if `keys` are given, no others."""
        if not isinstance(value, YamlMap):
            self.wrong(path, "must be a mapping: 'name: value' lines, indented")
            return False
        choices = tuple(keys)
        for key in value if choices else ():
            if key not in choices:
                what = f"there is no {key!r} here{did_you_mean(key, choices)}. Choices: {', '.join(choices)}"
                self.wrong_at(_at(value.keys_at[key]), (*path, key), what)
        missing = [key for key in needs if key not in value]
        for key in missing:
            self.wrong(path, f"{key!r} is missing")
        return not missing

    def number(self, value: Any, path: Path, low: float = -math.inf, high: float = math.inf) -> float:
        """Check a finite number within a range."""
        good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        return float(value) if self._within(value, path, low, high, good, "a number") else max(low, 1.0)

    def whole(self, value: Any, path: Path, low: int, high: int) -> int:
        """Check a whole number within a range."""
        good = isinstance(value, int) and not isinstance(value, bool)
        return value if self._within(value, path, low, high, good, "a whole number") else low

    def mask(self, value: Any, path: Path) -> int:
        """Check a mask of layers."""
        return self.whole(value, path, 0, 2**31 - 1)

    def _within(self, value: Any, path: Path, low: float, high: float, good: bool, kind: str) -> bool:
        if not good:
            self.wrong(path, f"must be {kind}, not {value!r}")
        elif not low <= value <= high:
            limits = (f"{limit:g}" if kind == "a number" else f"{limit}" for limit in (low, high))
            self.wrong(path, f"{value} is out of range: must be from {' to '.join(limits)}")
            return False
        return good

    def pair(self, value: Any, path: Path, low: float = -math.inf, high: float = math.inf) -> tuple[float, float]:
        """Check two numbers, or one number that is used for both."""
        if isinstance(value, YamlList):
            if len(value) == 2:
                a, b = (self.number(part, (*path, k), low, high) for k, part in enumerate(value))
                return a, b
            self.wrong(path, "must be two numbers, as in [16, 16]")
            return 1.0, 1.0
        both = self.number(value, path, low, high)
        return both, both

    def text(self, value: Any, path: Path) -> str:
        """Check a text."""
        if isinstance(value, str):
            return value
        self.wrong(path, f"must be text, not {value!r}")
        return ""

    def flag(self, value: Any, path: Path) -> bool:
        """Check a boolean."""
        if isinstance(value, bool):
            return value
        self.wrong(path, f"must be true or false, not {value!r}")
        return False

    def choice(self, where: YamlMap, path: Path, key: str, choices: tuple[str, ...]) -> str:
        """Check that the value of a key is one of some words; the first word if the key is missing."""
        value = where.get(key, choices[0])
        if value in choices:
            return str(value)
        near = did_you_mean(value, choices)
        self.wrong((*path, key), f"must be one of {', '.join(choices)}, not {value!r}{near}")
        return choices[0]

    def color(self, value: Any, path: Path) -> tuple[float, float, float, float]:
        """Check a color in the notation of manifests; white if it is missing or wrong."""
        if value is None:
            return (1.0, 1.0, 1.0, 1.0)
        if isinstance(value, YamlList) and len(value) in (3, 4):
            parts = [self.number(part, (*path, k), 0, 1) for k, part in enumerate(value)]
            return parts[0], parts[1], parts[2], (parts[3] if len(parts) == 4 else 1.0)
        try:
            red, green, blue, alpha = parse_color(self.text(value, path)) if value != "" else [1.0] * 4
        except ValueError as error:
            if isinstance(value, str):
                self.wrong(path, str(error))
            return (1.0, 1.0, 1.0, 1.0)
        return red, green, blue, alpha

    def properties(self, value: Any, path: Path) -> dict[str, Any]:
        """Check a mapping of names and return it with plain values."""
        if value is None:
            return {}
        if not self.mapping(value, path):
            return {}
        return {key: _plain(inner) for key, inner in value.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, YamlMap):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, YamlList) else value


def _at(mark: Any) -> Place:
    return Place(mark.name, mark.line + 1, mark.column + 1)
