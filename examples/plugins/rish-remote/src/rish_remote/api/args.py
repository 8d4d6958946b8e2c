"""Arguments of requests: one declaration checks them and describes them in OpenAPI."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import Problems, unknown

TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "whole": {"type": "integer"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "names": {"type": "array", "items": {"type": "string"}},
    "point": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    "fields": {"type": "object"},
    "components": {"type": "object", "additionalProperties": {"type": "object"}},
    "list": {"type": "array", "items": {"type": "object"}},
}
"""The JSON Schema of each type of argument."""
_MAX_TEXT = 4096


@dataclass(frozen=True)
class Arg:
    """One argument. type: a key of `TYPES`. low, high: the range of a number, ends included."""

    type: str
    doc: str
    default: Any = None
    required: bool = False
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the argument."""
        schema = {**TYPES[self.type], "description": self.doc}
        if self.low is not None:
            schema["minimum"] = self.low
        if self.high is not None:
            schema["maximum"] = self.high
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.default is not None:
            schema["default"] = self.default
        return schema

    def from_text(self, text: str) -> Any:
        """Return the value that a query says; a text that is no number or flag is returned unchanged."""
        if self.type == "names":
            return [part for part in text.split(",") if part]
        if self.type == "flag":
            return {"true": True, "1": True, "false": False, "0": False}.get(text, text)
        if self.type in ("whole", "number"):
            try:
                return int(text) if self.type == "whole" else float(text)
            except ValueError:
                return text
        return text

    def problem(self, value: Any) -> str | None:
        """Return the problem of a value of JSON as a clause, or None."""
        expected, fits = _CHECKS[self.type]
        if not fits(value):
            return f"must be {expected}, not {_shown(value)}"
        if self.type in ("whole", "number") and not self._inside(value):
            return f"{_shown(value)} is out of range: {self.low} to {self.high}"
        if self.choices and value not in self.choices:
            return unknown("choice", value, self.choices)
        return None

    def _inside(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < math.inf


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_TEXT and "\x00" not in value


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))  # pyright: ignore[reportUnknownArgumentType]


_CHECKS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "text": (f"a text of at most {_MAX_TEXT} characters", _is_text),
    "whole": ("a whole number", _is_whole),
    "number": ("a finite number", _is_number),
    "flag": ("true or false", lambda value: isinstance(value, bool)),
    "names": ("a list of texts", lambda value: _is_list(value, _is_text)),
    "point": ("a list of two numbers", lambda value: _is_list(value, _is_number) and len(value) == 2),
    "fields": ("a mapping of fields", lambda value: isinstance(value, dict)),
    "components": (
        "a mapping of components to mappings of fields",
        lambda value: isinstance(value, dict) and all(isinstance(fields, dict) for fields in value.values()),  # pyright: ignore[reportUnknownVariableType]
    ),
    "list": ("a list of mappings", lambda value: _is_list(value, lambda item: isinstance(item, dict))),
}  # fmt: skip


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def checked(declared: Mapping[str, Arg], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return all declared arguments, with defaults for those that are absent. Raises ApiError 400 with all mistakes."""
    problems = Problems()
    for name in arguments.keys() - declared.keys():
        problems.add(name, unknown("argument", name, declared))
    values = {name: arg.default for name, arg in declared.items()}
    for name, arg in declared.items():
        if name in arguments:
            problem = arg.problem(arguments[name])
            if problem is not None:
                problems.add(name, problem)
            values[name] = arguments[name]
        elif arg.required:
            problems.add(name, f"is missing: {arg.doc}")
    problems.refuse()
    return values
