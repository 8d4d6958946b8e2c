"""Whether two plain values are equal, bit for bit for arrays."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from operator import is_
from typing import Any, cast

import numpy as np

_ATOMS = frozenset((bool, int, float, str, bytes))


def equal(a: Any, b: Any) -> bool:
    """Return whether two values are equal: arrays with the same type, shape and bits, containers by their items.

    Other objects are compared with `==`; those that can't be compared are equal only if they are the same object.
    """
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if type(a) in _ATOMS:
        return bool(a == b)
    if isinstance(a, np.ndarray):
        return _equal_arrays(a, b)
    if isinstance(a, dict):
        one, other = cast("dict[Any, Any]", a), cast("dict[Any, Any]", b)
        return one.keys() == other.keys() and all(equal(value, other[key]) for key, value in one.items())
    if isinstance(a, (list, tuple)):
        one, other = cast("list[Any]", a), cast("list[Any]", b)
        return len(one) == len(other) and (all(map(is_, one, other)) or all(map(equal, one, other)))
    if is_dataclass(a):
        return all(equal(getattr(a, each.name), getattr(b, each.name)) for each in fields(a))
    try:
        return bool(a == b)
    except Exception:
        return False


def _equal_arrays(a: Any, b: Any) -> bool:
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.hasobject:
        return bool(np.array_equal(a, b))
    one, other = (np.ascontiguousarray(array).reshape(-1).view(np.uint8) for array in (a, b))
    return bool((one == other).all())
