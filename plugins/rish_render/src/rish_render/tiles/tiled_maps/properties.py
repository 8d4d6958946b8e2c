"""Properties of Tiled as plain values, from all forms in which its versions write them.

Colors become four numbers from 0 to 1, as components take them; files become paths as text, references to objects
their ids, classes mappings, and lists lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..model import Properties
from .documents import Node, color_of

Say = Callable[[str], object]
"""A function that takes a sentence about what is not understood."""
_COLOR = re.compile(r"#[0-9a-fA-F]{8}\Z")
_TEXTS = ("string", "file", "")


def properties_of(node: Node, say: Say) -> Properties:
    """Return the properties of a node."""
    kinds = node.get("propertytypes")
    return _all(node.get("properties"), kinds if isinstance(kinds, dict) else {}, say)


def old_tile_properties(tileset: Node, say: Say) -> dict[int, Properties]:
    """Return the properties of tiles by number that JSON of Tiled up to 1.1 keeps in the tileset."""
    kinds = tileset.node("tilepropertytypes")
    by_number: dict[int, Properties] = {}
    for number, values in tileset.node("tileproperties").items():
        if number.isdecimal():
            by_number[int(number)] = _all(values, kinds.node(number), say)
    return by_number


def _all(values: Any, kinds: dict[str, Any], say: Say) -> Properties:
    """Return values by name. values: a list of properties, or in older JSON and in classes a mapping of values."""
    if isinstance(values, dict):
        rows = [(name, kinds.get(name), value) for name, value in values.items()]
    else:
        nodes = [each for each in values if isinstance(each, Node)] if isinstance(values, list) else []
        rows = [(each.text("name"), each.get("type", "string"), each.get("value")) for each in nodes]
    by_name = {name: _value(kind, value, name, say) for name, kind, value in rows}
    return {name: value for name, value in by_name.items() if value is not None}


def _value(kind: Any, value: Any, name: str, say: Say) -> Any:
    """Return one value. kind: its type in the file; None where the file has none, then JSON's own type counts."""
    if kind is None:
        return _untyped(value)
    convert = _KINDS.get(kind) if isinstance(kind, str) else None
    if kind in _TEXTS:
        return value if isinstance(value, str) else "" if value is None else str(value)
    if kind == "class":
        return _all(value, {}, say)
    if kind == "list":
        items = value if isinstance(value, list) else []
        return [_value(each.get("type"), each.get("value"), name, say) for each in items if isinstance(each, Node)]
    if convert is None:
        say(f"the property {name!r} has the unknown type {kind!r}, so it is taken as it is written")
        return _untyped(value)
    converted = convert(value)
    if converted is None:
        say(f"the property {name!r} is {value!r:.40}, which is no {kind}, so it is left out")
    return converted


def _untyped(value: Any) -> Any:
    """Return a value of a class in JSON, whose members have no types; colors are known by their form."""
    if isinstance(value, dict):
        return {name: _untyped(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_untyped(each) for each in value]
    if isinstance(value, str) and _COLOR.match(value):
        return color_of(value)
    return "" if value is None else value


def _whole(value: Any) -> int | None:
    number = _number(value)
    return None if number is None else round(number)


def _number(value: Any) -> float | None:
    try:
        number = float(0 if value in (None, "") else value)
    except (TypeError, ValueError):
        return None
    return number if abs(number) < 2.0**63 else None


def _flag(value: Any) -> bool:
    return str(value).strip().lower() in ("true", "1")


def _color(value: Any) -> tuple[float, float, float, float] | None:
    return color_of(value) if isinstance(value, str) and value else (0.0, 0.0, 0.0, 0.0)


_KINDS: dict[str, Callable[[Any], Any]] = {
    "int": _whole, "object": _whole, "float": _number, "bool": _flag, "color": _color,
}  # fmt: skip
