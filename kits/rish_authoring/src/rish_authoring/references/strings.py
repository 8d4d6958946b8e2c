"""The strings of a text file with their places: the common form of YAML, JSON, XML, lines of BMFont and Python."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class String:
    """A string in a text.

    path: the keys to the string, joined by `/`, without the indices of lists; "" in Python. value: its value without
    quotes and escapes. start, end: its characters in the text, with quotes. kind: its notation, see the syntax.
    """

    path: str
    value: str
    start: int
    end: int
    kind: str = ""


@dataclass(frozen=True)
class Syntax:
    """A syntax of text files.

    scan: function(text) that returns the strings in the order of the text, and raises ValueError for a text with
    mistakes. quote: function(value, string, raw) that returns the notation of a new value for a string, in the style of
    the present characters `raw` if possible.
    """

    scan: Callable[[str], list[String]]
    quote: Callable[[str, String, str], str]


def rewritten(syntax: Syntax, text: str, changes: Mapping[int, str]) -> str | None:
    """Return a text in which some strings have other values; all other characters stay.

    changes: the new values, by the index of the string. A value is replaced within its quotes if that gives the new
    value, and is written anew otherwise. Return None if the text can't have these values.
    """
    before = syntax.scan(text)
    expected = [(string.path, changes.get(index, string.value)) for index, string in enumerate(before)]
    for inside in (True, False):
        result = _replaced(syntax, text, before, changes, inside=inside)
        try:
            values = [(string.path, string.value) for string in syntax.scan(result)]
        except ValueError:
            continue
        if values == expected:
            return result
    return None


def _replaced(syntax: Syntax, text: str, strings: list[String], changes: Mapping[int, str], *, inside: bool) -> str:
    parts: list[str] = []
    at = 0
    for index in sorted(changes, key=lambda number: strings[number].start):
        string = strings[index]
        raw = text[string.start : string.end]
        in_place = inside and raw.count(string.value) == 1
        new = raw.replace(string.value, changes[index]) if in_place else syntax.quote(changes[index], string, raw)
        parts += [text[at : string.start], new]
        at = string.end
    return "".join([*parts, text[at:]])


class Lines:
    """The lines of a text, to find the places of many characters."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def place(self, position: int) -> tuple[int, int]:
        """Return the line and the column of a character, from 1."""
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1


def joined(keys: Iterable[str]) -> str:
    """Return the path of a string below these keys."""
    return "/".join(keys)
