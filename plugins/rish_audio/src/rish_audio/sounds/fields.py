"""Reads mappings of the settings: each mistake has its place, its key and what was expected."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Any

from rish_core.manifest import Mark, YamlMap
from rish_ecs import did_you_mean

Mistake = tuple[Mark | None, str, str]
"""Where it is written (None if the value is from no file), its path, and a sentence."""


class Fields:
    """One mapping that is read key by key. path: where it is, for messages. mistakes: those that were found."""

    def __init__(self, data: Any, path: str, mistakes: list[Mistake]) -> None:
        self.path, self.mistakes = path, mistakes
        self.data: dict[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.wrong("", f"expected a mapping, got {data!r}")

    def mark(self, key: str) -> Mark | None:
        """Return where a value is written."""
        data = self.data
        return data.values_at.get(key, data.mark) if isinstance(data, YamlMap) else None

    def wrong(self, key: str, sentence: str) -> None:
        """Add a mistake of a key, or of the whole mapping."""
        self.mistakes.append((self.mark(key), f"{self.path}.{key}" if key else self.path, sentence))

    def only(self, known: Collection[str], what: str) -> None:
        """Add a mistake for each key that is not known."""
        for key in self.data:
            if key not in known:
                self.wrong(str(key), f"{what} has no {str(key)!r}{did_you_mean(str(key), known)}: {', '.join(known)}")

    def number(self, key: str, default: float, low: float = -math.inf, high: float = math.inf) -> float:
        """Return a number within a range."""
        value = self.data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            self.wrong(key, f"expected a number, got {value!r}")
            return default
        if not low <= value <= high:
            limit = f"at least {low:g}" if value < low else f"at most {high:g}"
            self.wrong(key, f"expected {limit}, got {value:g}")
            return default
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        """Return a bool."""
        value = self.data.get(key, default)
        if not isinstance(value, bool):
            self.wrong(key, f"expected true or false, got {value!r}")
            return default
        return value

    def text(self, key: str, default: str = "") -> str:
        """Return a text."""
        value = self.data.get(key, default)
        if not isinstance(value, str):
            self.wrong(key, f"expected a text, got {value!r}")
            return default
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a text or a list of texts."""
        value = self.data.get(key, ())
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, (list, tuple)) or not all(isinstance(item, str) and item for item in items):
            self.wrong(key, f"expected a text or a list of texts, got {value!r}")
            return ()
        return tuple(items)

    def inner(self, key: str) -> Iterator[tuple[str, Any]]:
        """Yield the items of a mapping."""
        value = self.data.get(key) or {}
        if not isinstance(value, dict):
            self.wrong(key, f"expected a mapping, got {value!r}")
            return
        for name, item in value.items():
            yield str(name), item
