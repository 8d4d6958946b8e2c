"""Values of fields as data in the notation of manifests, and back: for the clipboard and for tooltips."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Name, UsageError, find
from rish_ecs import parse_color

if TYPE_CHECKING:
    from rish_core import World
    from rish_ecs.declarations import FieldSpec


def data_of(world: World, spec: FieldSpec, value: Any) -> Any:
    """Return a field's value, as `table.read_row` gives it, as plain data: degrees, colors, names of entities."""
    kind = spec.type
    if kind.special == "entity":
        return world.get(int(value), Name).value if value and world.has(int(value), Name) else None
    if kind.special == "enum":
        return value.name.lower()
    if kind.special in ("str", "chars", "asset"):
        return str(value)
    if kind.special == "list":
        assert kind.item is not None
        if kind.item.special == "entity":
            return [data_of(world, _item(spec), item) for item in value]
        if kind.item.text:
            return list(value)
        return [_number(spec, kind.item.name == "Color", item) for item in value]
    return _number(spec, kind.name == "Color", value)


def value_of(world: World, spec: FieldSpec, data: Any) -> Any:
    """Return the checked value of a field from plain data. Raises ValueError, and UsageError for an unknown name."""
    kind = spec.type
    if kind.special == "entity":
        return _entity(world, data)
    if kind.special == "list" and kind.item is not None and kind.item.special == "entity":
        return spec.check([_entity(world, item) for item in data or ()])
    item = kind.item.name if kind.item is not None else ""
    if "Color" in (kind.name, item):
        data = _color(data) if kind.name == "Color" else [_color(each) for each in data]
    if spec.angle:
        data = np.radians(data) if np.ndim(data) else math.radians(data)
    return spec.check(data)


def _item(spec: FieldSpec) -> Any:
    """Return the declaration of a list's items, for reading them one by one."""
    item_spec = type(spec)(angle=spec.angle)
    item_spec.type = spec.type.item  # pyright: ignore[reportAttributeAccessIssue]
    return item_spec


def _entity(world: World, data: Any) -> int:
    if data is None or data == 0:
        return 0
    handle = find(world, str(data))
    if handle is None:
        raise UsageError(f"no entity is called {str(data)!r}", hint="Choose another entity")
    return handle


def _number(spec: FieldSpec, color: bool, value: Any) -> Any:
    if color:
        parts = np.asarray(value, np.float64)
        steps = np.rint(parts * 255)
        if ((parts >= 0) & (parts <= 1)).all() and np.allclose(steps / 255, parts, atol=1e-6):
            text = "#" + "".join(f"{int(step):02x}" for step in steps.tolist())
            return text[:7] if text.endswith("ff") else text
    if np.ndim(value):
        return [_number(spec, False, part) for part in value]
    number = np.asarray(value).item()
    if not isinstance(number, float):
        return number
    return round(math.degrees(number), 4) if spec.angle else float(str(np.float32(number)))


def _color(data: Any) -> Any:
    if isinstance(data, str):
        return parse_color(data)
    return data if len(data) == 4 else [*data, 1.0]


def plain_data(data: Any) -> Any:
    """Return data of a manifest as plain dicts, lists and values, which YAML can write."""
    if isinstance(data, dict):
        return {str(key): plain_data(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [plain_data(value) for value in data]
    return data
