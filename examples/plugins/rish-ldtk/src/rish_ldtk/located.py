"""JSON with places: a mistake is reported with its path, and with the line of the nearest element that has an iid."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from rish_core import AssetError
from rish_ecs import Place

_T = TypeVar("_T")
_IID = re.compile(r'"iid"\s*:\s*"([^"\\]+)"')
_MISSING: Any = object()
MAX_INTEGER = 2**31 - 1


class Lines:
    """The lines of a text: of each iid, and of errors of the parser."""

    def __init__(self, text: str) -> None:
        self._of: dict[str, int] = {}
        line, last = 1, 0
        for match in _IID.finditer(text):
            line, last = line + text.count("\n", last, match.start()), match.start()
            self._of.setdefault(match[1], line)

    def of(self, iid: str) -> int:
        """Return the line of an element, 0 if it is unknown."""
        return self._of.get(iid, 0)


class Node:
    """A value of the file with its path. `number`, `text` and others read its members and raise AssetError."""

    def __init__(self, value: Any, path: str, file: str, lines: Lines, line: int = 0) -> None:
        self.value, self.path, self.file, self.lines = value, path, file, lines
        line_of_iid = lines.of(value["iid"]) if isinstance(value, dict) and isinstance(value.get("iid"), str) else 0
        self.line = line_of_iid or line

    def wrong(self, what: str, hint: str | None = None) -> AssetError:
        """Return the error of this value."""
        where = f"{self.path}: " if self.path else ""
        return AssetError(f"{where}{what}", where=Place(self.file, self.line), hint=hint)

    def has(self, key: str) -> bool:
        """Whether the value has a member that is not null."""
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def member(self, key: str, kind: type[_T] | tuple[type, ...], default: Any = _MISSING) -> Any:
        """Return a member of this type. A missing one, or null, gives the default, or is an error without one."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"expected a mapping, not {_shown(self.value)}")
        value = self.value.get(key)
        if value is None and default is not _MISSING:
            return default
        types = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            names = " or ".join(_NAMES[each] for each in types)
            problem = "is missing" if value is None else f"is {_shown(value)}, expected {names}"
            raise self.wrong(f"{key} {problem}")
        return value

    def number(self, key: str, default: Any = _MISSING, low: int = -MAX_INTEGER, high: int = MAX_INTEGER) -> int:
        """Return a whole number from low to high."""
        value = self.member(key, (int, float), default)
        if value is default:
            return value
        if not low <= value <= high or value != int(value):
            raise self.wrong(f"{key} is {_shown(value)}, expected a whole number from {low} to {high}")
        return int(value)

    def items(self, key: str) -> Iterator[Node]:
        """Yield the items of a list; a list that is missing is empty."""
        for k, value in enumerate(self.member(key, list, [])):
            yield self.inner(value, f"{key}[{k}]")

    def inner(self, value: Any, path: str) -> Node:
        """Return a value below this one."""
        return Node(value, f"{self.path}.{path}" if self.path else path, self.file, self.lines, self.line)


_NAMES = {dict: "a mapping", list: "a list", str: "a text", int: "a number", float: "a number", bool: "true or false"}


def _shown(value: Any) -> str:
    return "missing" if value is None else f"{value!r:.40}"


def parse(text: str, file: str) -> Node:
    """Parse a file. Raises AssetError with the line for what is no JSON, for NaN, and for too many levels."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise AssetError(f"it is no JSON: {error.msg}", where=Place(file, error.lineno, error.colno)) from None
    except (ValueError, RecursionError) as error:
        raise AssetError(f"it is no JSON that LDtk writes: {error}", where=file) from None
    node = Node(value, "", file, Lines(text))
    if not isinstance(value, dict):
        raise node.wrong("it is no project of LDtk, which is a mapping")
    return node


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")
