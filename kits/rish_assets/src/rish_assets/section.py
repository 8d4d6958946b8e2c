"""Mappings of YAML files that a package reads itself, such as the preferences of a player; with the places of mistakes.

section = Section(load_yaml(path).data, (), report := Report())
section.only(("title", "colors"))
section.below("colors").wrong("sky", "must be a color")
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from rish_core.manifest import Report, YamlMap, show


@dataclass
class Section:
    """A mapping of a file. path: of its keys, for messages. report: collects the mistakes.

    A package derives a class from it that reads its own kinds of values.
    """

    node: YamlMap
    path: tuple[str | int, ...]
    report: Report

    def wrong(self, key: str, what: str) -> None:
        """Report a mistake of the value of a key, or of the mapping if it lacks the key or the key is ""."""
        self.report.add(self.node.values_at.get(key, self.node.mark), (*self.path, key) if key else self.path, what)

    def only(self, keys: Iterable[str]) -> None:
        """Report the keys that are not among these."""
        for key in self.node:
            if key not in keys:
                self.report.unknown(self.node, key, self.path, f"nothing is called {key!r} here", keys)

    def below(self, key: str) -> Self:
        """Return the mapping of a key; an empty one if the key is missing or has another value, which is reported."""
        value, mark = self.node.get(key), self.node.values_at.get(key, self.node.mark)
        if value is not None and not isinstance(value, YamlMap):
            self.wrong(key, f"must be a mapping, not {show(value)}")
        return type(self)(value if isinstance(value, YamlMap) else YamlMap(mark), (*self.path, key), self.report)
