"""One object of the JSON of a model, whose fields are read by type and range, and what one reading shares."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, cast

from .errors import AGAIN, GltfError
from .limits import Limits

_MAX_SHOWN = 60
_MAX_INTEGER = (1 << 40) - 1


@dataclass
class Reading:
    """What the parts of one reading share: the file's name, limits, warnings and the bytes that may still be made."""

    file: str
    limits: Limits
    warnings: list[str] = field(default_factory=list[str])
    left: int = 0

    def fail(self, place: str, what: str, advice: str = AGAIN) -> NoReturn:
        """Raise the error."""
        raise GltfError(self.file, place, what, advice)

    def warn(self, place: str, what: str) -> None:
        """Note something that is left out; the same text is noted once."""
        text = f"{place}: {what}" if place else what
        if len(self.warnings) < self.limits.warnings and text not in self.warnings:
            self.warnings.append(text)

    def take(self, size: int, place: str) -> None:
        """Count `size` bytes of an array that is about to be made, or fail if they are too many."""
        self.left -= size
        if self.left < 0:
            self.fail(
                place,
                f"needs {size:,} bytes more than a model with such small buffers may have",
                "If you trust the file, raise `made_bytes` of Limits",
            )


def shown(value: object) -> str:
    """Return a short text of any value of JSON."""
    if isinstance(value, str):
        return repr(value[:_MAX_SHOWN]) + ("…" if len(value) > _MAX_SHOWN else "")
    if isinstance(value, list):
        return f"a list of {len(cast('list[Any]', value))}"
    return "an object" if isinstance(value, dict) else repr(value)


class Element:
    """An object of the JSON with its path. Each method reads one field, and fails with the path where it is wrong."""

    __slots__ = ("data", "path", "reading")

    def __init__(self, reading: Reading, path: str, data: Mapping[str, Any]) -> None:
        self.reading, self.path, self.data = reading, path, data

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def fail(self, what: str, advice: str = AGAIN) -> NoReturn:
        """Raise the error that names this element."""
        self.reading.fail(self.path or "top", what, advice)

    def warn(self, what: str) -> None:
        """Note that something of this element is left out."""
        self.reading.warn(self.path or "top", what)

    def wrong(self, key: str, wanted: str) -> NoReturn:
        """Raise the error about a field that is missing or has a wrong value."""
        if key not in self.data:
            self.fail(f"misses `{key}`, {wanted}")
        self.fail(f"`{key}` must be {wanted}, not {shown(self.data[key])}")

    def whole(self, key: str, default: int | None = None, low: int = 0, high: int = _MAX_INTEGER) -> int:
        """Return a whole number from `low` to `high`."""
        value = self.data.get(key, default)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.wrong(key, f"a whole number from {low} to {high}")
        return value

    def index(self, key: str, count: int, of: str) -> int:
        """Return an index into a list of `count` elements, or -1 if there is none."""
        if key not in self.data:
            return -1
        if count == 0:
            self.fail(f"`{key}` names one of {of}, and there are none")
        value = self.whole(key)
        if value >= count:
            self.fail(f"`{key}` names {of}[{value}], the last one is {of}[{count - 1}]")
        return value

    def indices(self, key: str, count: int, of: str) -> tuple[int, ...]:
        """Return a list of different indices into a list of `count` elements."""
        entry = Element(self.reading, f"{self.path}.{key}", {})
        indices: list[int] = []
        for value in self.entries(key):
            entry.data = {"entry": value}
            indices.append(entry.index("entry", count, of))
        values = tuple(indices)
        if len(set(values)) != len(values):
            self.fail(f"`{key}` names one of {of} twice")
        return values

    def number(self, key: str, default: float | None = None, low: float = -math.inf, high: float = math.inf) -> float:
        """Return a finite number from `low` to `high`."""
        value = self.data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(key, "a number")
        if not (math.isfinite(value) and abs(value) < 1e30 and low <= value <= high):
            self.wrong(key, f"a number from {low} to {high}")
        return float(value)

    def numbers(self, key: str, default: tuple[float, ...], low: float = -math.inf) -> tuple[float, ...]:
        """Return as many finite numbers as the default has."""
        if key not in self.data:
            return default
        values = self.entries(key)
        if len(values) != len(default):
            self.wrong(key, f"a list of {len(default)} numbers")
        return self.each_number(key, low)

    def each_number(self, key: str, low: float = -math.inf) -> tuple[float, ...]:
        """Return a list of finite numbers of any length."""
        given = self.entries(key)
        if all(type(each) in (int, float) and abs(each) < 1e30 and each >= low for each in given):
            return tuple(map(float, given))
        entry = Element(self.reading, f"{self.path}.{key}", {})
        values: list[float] = []
        for value in given:
            entry.data = {"entry": value}
            values.append(entry.number("entry", None, low))
        return tuple(values)

    def text(self, key: str, default: str | None = None, choices: tuple[str, ...] = ()) -> str:
        """Return a text, one of the choices if there are any."""
        value = self.data.get(key, default)
        if not isinstance(value, str) or (choices and value not in choices):
            self.wrong(key, "one of " + ", ".join(choices) if choices else "a text")
        return value

    @property
    def name(self) -> str:
        """The name, or an empty text."""
        return self.text("name", "")

    def flag(self, key: str) -> bool:
        """Return a truth value, False if there is none."""
        value = self.data.get(key, False)
        if not isinstance(value, bool):
            self.wrong(key, "true or false")
        return value

    def entries(self, key: str) -> list[Any]:
        """Return a list, empty if there is none."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            self.wrong(key, "a list")
        entries = cast("list[Any]", value)
        if len(entries) > self.reading.limits.elements:
            self.fail(
                f"`{key}` has {len(entries):,} entries, more than {self.reading.limits.elements:,}",
                "If you trust the file, raise `elements` of Limits",
            )
        return entries

    def child(self, key: str) -> Element | None:
        """Return the object in a field, or None if there is none."""
        if key not in self.data:
            return None
        value = self.data[key]
        if not isinstance(value, dict):
            self.wrong(key, "an object")
        return Element(self.reading, f"{self.path}.{key}" if self.path else key, cast("dict[str, Any]", value))

    def need(self, key: str) -> Element:
        """Return the object in a field that must be there."""
        child = self.child(key)
        if child is None:
            self.wrong(key, "an object")
        return child

    def children(self, key: str) -> list[Element]:
        """Return the objects of a list, none if there is no list."""
        at = f"{self.path}.{key}" if self.path else key
        elements: list[Element] = []
        for index, value in enumerate(self.entries(key)):
            if not isinstance(value, dict):
                self.reading.fail(f"{at}[{index}]", f"must be an object, not {shown(value)}")
            elements.append(Element(self.reading, f"{at}[{index}]", cast("dict[str, Any]", value)))
        return elements

    def extension(self, name: str) -> Element | None:
        """Return the object of an extension, or None if this element has none."""
        extensions = self.child("extensions")
        return None if extensions is None else extensions.child(name)
