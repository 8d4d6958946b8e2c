"""Values for fields that are drawn at random from what a field allows, as they are written in a manifest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from rish_ecs.declarations import FieldSpec

_LARGEST = 1000.0
"""Numbers without a limit of their own are drawn up to this or ten times the default."""


def value_for(spec: FieldSpec, random: Random, names: Sequence[str] = ()) -> Any:
    """Return a value inside the field's range, or None for a field that only its author can fill (files, texts).

    names: of the entities to which an `Entity` may refer.
    """
    column_type = spec.type
    if spec.hidden or column_type.special in ("asset", "chars", "list") or column_type.name in ("Quat", "Mat4"):
        return None
    if column_type.special == "entity":
        return random.choice(names) if names else None
    if column_type.enum is not None:
        return random.choice([member.name.lower() for member in column_type.enum])
    if column_type.special == "str":
        return random.choice(spec.choices) if spec.choices else None
    if column_type.name == "Color":
        return "#" + "".join(f"{random.randrange(256):02x}" for _ in range(4))
    if column_type.dtype.kind == "b":
        return _shaped(column_type.shape, lambda: random.random() < 0.5)
    default = float(abs(spec.default).max()) if column_type.shape else abs(float(spec.default))
    low, high = _range(spec, 0.0 if math.isnan(default) else default)
    if column_type.dtype.kind == "f":
        unit = 180 / math.pi if spec.angle else 1.0
        return _shaped(column_type.shape, lambda: round(random.uniform(low, high) * unit, 4))
    return _shaped(column_type.shape, lambda: random.randint(math.ceil(low), math.floor(high)))


def _range(spec: FieldSpec, default: float) -> tuple[float, float]:
    """Return a range inside the declared one, near the default, since limits are often those of the machine."""
    reach = min(max(1.0, 2 * default), max(_LARGEST, default))
    low = -reach if spec.low is None else max(spec.low, -reach)
    high = reach if spec.high is None else min(spec.high, max(reach, low + 1))
    if spec.type.dtype.kind == "f" and spec.low is not None:
        low = min(low + 1e-3 * abs(low), high)
    return low, max(low, high)


def _shaped(shape: tuple[int, ...], draw: Any) -> Any:
    return draw() if not shape else [_shaped(shape[1:], draw) for _ in range(shape[0])]
