"""Values of columns in the notation of manifests: degrees, colors, words, names of entities."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from rish_core import UsageError
from rish_ecs.declarations import FieldSpec

NameOf = Callable[[int], str]
"""Returns the name by which a text refers to an entity; raises UsageError if it has none."""


def text_value(spec: FieldSpec, value: Any, name_of: NameOf) -> Any:
    """Return a value from `table.read_row` as data of a manifest, which is read back as the same value.

    Raises UsageError for a value that a manifest can't contain.
    """
    column_type = spec.type
    if column_type.special == "entity":
        return name_of(int(value)) if value else None
    if column_type.special == "enum":
        return value.name.lower()
    if column_type.special in ("str", "chars", "asset"):
        return value
    if column_type.special == "list":
        assert column_type.item is not None
        if column_type.item.special == "entity":
            raise UsageError(f"{spec.name}: a list of entities can't be written in a manifest")
        if column_type.item.special == "enum" or column_type.item.text:
            return [item.name.lower() if column_type.item.special == "enum" else item for item in value]
        if column_type.item.name == "Color":
            return [_color(item) for item in value]
        return [_numbers(spec, item) for item in value]
    if column_type.name == "Color":
        return _color(value)
    return _numbers(spec, value)


def _numbers(spec: FieldSpec, value: Any) -> Any:
    """Return a number, or nested lists of numbers; angles in degrees. Raises UsageError."""
    if np.ndim(value):
        return [_numbers(spec, item) for item in value]
    kind = np.asarray(value).dtype.kind
    if kind in "bui":
        return bool(value) if kind == "b" else int(value)
    number = float(value)
    if not math.isfinite(number):
        raise UsageError(f"{spec.name}: {number} can't be written in a manifest", hint="Set a finite number")
    return _degrees(number) if spec.angle else _short(number)


def _short(number: float) -> float:
    """Return the number with the fewest digits that is stored as the same float32."""
    return float(str(np.float32(number))) if np.float32(number) == number else number


def _degrees(radians: float) -> float:
    """Return the degrees with the fewest digits that are read as the same angle."""
    degrees = math.degrees(radians)
    for digits in range(3, 10):
        short = float(f"{degrees:.{digits}g}")
        if np.float32(math.radians(short)) == np.float32(radians):
            return short
    return float(f"{degrees:.9g}")


def _color(value: Any) -> Any:
    """Return a color as `#rrggbb` if that is exact, otherwise as numbers."""
    parts = np.asarray(value, np.float32)
    steps = np.rint(parts * np.float32(255)).astype(int)
    if ((steps >= 0) & (steps <= 255)).all() and (np.float32(steps / 255) == parts).all():
        text = "#" + "".join(f"{step:02x}" for step in steps.tolist())
        return text[:7] if text.endswith("ff") else text
    return [_short(float(part)) for part in parts]
