"""Values between JSON and columns.

Numbers of 32 bits are written with the fewest digits that give the same bits when they are read again. JSON has no
NaN and no infinity; both are written as null and refused when they are read. An entity is its handle as text, index
and generation, `17v2`, because a handle has more digits than a number of JavaScript can hold.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections import deque
from collections.abc import Mapping
from enum import Enum
from typing import Any, cast

import numpy as np

from rish_core import RishError, World, find
from rish_ecs import parse_color
from rish_ecs.declarations import FieldSpec, Kind
from rish_ecs.storage import INDEX_MASK, describe

from .errors import Problems

_HANDLE = re.compile(r"(\d{1,10})v(\d{1,10})", re.ASCII)
_DEEPEST = 64
_DEEPEST_OF_RESOURCE = 8
_MAX_NUMBERS = 4096
"""The greatest number of elements of an array in a resource that is written in full; of larger ones, only type and
shape."""


def handle_text(handle: int) -> str | None:
    """Return a handle as text, None for no entity."""
    return describe(handle) if handle else None


def read_handle(text: str) -> int | None:
    """Return the handle that a text such as `17v2` says, None for another text."""
    match = _HANDLE.fullmatch(text)
    if match is None:
        return None
    index, generation = int(match[1]), int(match[2])
    return generation << 32 | index if index <= INDEX_MASK and generation < 2**31 else None


def entity_of(world: World, text: str) -> int | None:
    """Return the live entity with this handle or name, or None."""
    handle = read_handle(text)
    if handle is not None and world.alive(handle):
        return handle
    return find(world, text)


# From columns to JSON


def typed(spec: FieldSpec, value: Any) -> Any:
    """Return a value of a field in a form that `plain` writes without loss; arrays are copied."""
    element = spec.type if spec.type.item is None else spec.type.item
    if element.special == "entity":
        return handle_text(int(value)) if spec.type.item is None else [handle_text(int(each)) for each in value]
    if isinstance(value, Enum):
        return word_of(value)
    if element.dtype.kind == "f":
        return np.array(value, np.float32)
    return np.array(value) if isinstance(value, np.ndarray) else value


def typed_column(spec: FieldSpec, values: Any) -> Any:
    """Return the values of a field for many entities, see `typed`."""
    if spec.type.special in ("", "entity") and isinstance(values, np.ndarray):
        column = np.array(values)
        return [handle_text(handle) for handle in column.tolist()] if spec.type.special == "entity" else column
    return [typed(spec, value) for value in values]


def word_of(member: Enum) -> str:
    """Return the name of an enum's member as in manifests."""
    return str(member.name).lower()


def plain(value: Any, levels: int = _DEEPEST) -> Any:
    """Return a value as what JSON can hold; an object that is no data becomes its type in angle brackets.

    levels: the depth to which mappings and lists are followed.
    """
    if value is None or (isinstance(value, (bool, int, str)) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return word_of(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain_array(np.asarray(cast("Any", value)))
    if not levels:
        return "..."
    if isinstance(value, Mapping):
        return {str(key): plain(item, levels - 1) for key, item in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, (list, tuple, deque, set, frozenset)):
        return [plain(item, levels - 1) for item in cast("list[Any]", value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name), levels - 1) for each in dataclasses.fields(value)}
    return f"<{type(value).__name__}>"


def plain_resource(value: Any) -> Any:
    """Return a value of a resource as what JSON can hold; of a long array only its type and shape."""
    if isinstance(value, np.ndarray) and cast("Any", value).size > _MAX_NUMBERS:
        array: np.ndarray[Any, Any] = value
        return f"<{array.dtype} {array.shape}>"
    return plain(value, _DEEPEST_OF_RESOURCE)


def _plain_array(array: np.ndarray[Any, Any]) -> Any:
    if array.dtype == np.float32:
        array = array.astype("U32").astype(np.float64)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        objects = array.astype(object)
        objects[~np.isfinite(array)] = None
        return objects.tolist()
    return array.tolist() if array.dtype.kind in "biufUO" else f"<{array.dtype} {array.shape}>"


# From JSON to values


def read_fields(
    world: World, kind: Kind, json_values: Mapping[str, Any], place: str, problems: Problems
) -> dict[str, Any]:
    """Return checked values by field; mistakes are added to `problems`, with their places."""
    values: dict[str, Any] = {}
    for name, value in json_values.items():
        try:
            spec = kind.given_field(name)
            values[spec.name] = kind.check_value(spec, from_json(world, spec, value))
        except (RishError, ValueError, TypeError, OverflowError) as error:
            problems.add(f"{place}.{name}", str(error).removeprefix(f"{kind.name}.{name}: "))
    return values


def from_json(world: World, spec: FieldSpec, value: Any) -> Any:
    """Return a value of JSON as the field takes it: entities as handles, colors as numbers. Raises ValueError."""
    element = spec.type if spec.type.item is None else spec.type.item
    if element.special == "entity":
        if spec.type.item is not None and isinstance(value, list):
            return [_handle(world, each) for each in cast("list[Any]", value)]
        return _handle(world, value)
    if element.name == "Color" and isinstance(value, str):
        return parse_color(value)
    return value


def _handle(world: World, value: Any) -> int:
    if value is None:
        return 0
    if not isinstance(value, str):
        raise ValueError(f"an entity is a text such as '17v2' or a name, or null for none, not {value!r}")
    handle = entity_of(world, value)
    if handle is None:
        raise ValueError(f"no entity has the handle or the name {value!r}")
    return handle
