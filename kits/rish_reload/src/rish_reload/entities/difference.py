"""Compares values of two manifests: whether they are equal, and for which copies they differ.

The values are checked ones: numbers, texts, arrays, enum members, names of entities, and the two forms that differ from
copy to copy, `{each: ...}` and `{random: ...}`. Classes may have been reloaded between the two manifests, so members of
enums are compared by name.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, cast

import numpy as np

from rish_core.manifest import Drawn, Listed, Ref
from rish_ecs.declarations import Column

_LIKE: tuple[type, ...] = (Enum, Ref, Drawn, Listed)


class Missing:
    """Represents a field that a manifest does not set."""


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal in meaning."""
    for like in _LIKE:
        if isinstance(a, like) or isinstance(b, like):
            return isinstance(a, like) and isinstance(b, like) and same(_meaning(a), _meaning(b))
    if isinstance(a, dict) and isinstance(b, dict):
        one, other = cast("dict[Any, Any]", a), cast("dict[Any, Any]", b)
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return bool(np.array_equal(cast("Any", a), cast("Any", b)))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        pair = cast("list[Any]", a), cast("list[Any]", b)
        return len(pair[0]) == len(pair[1]) and all(same(x, y) for x, y in zip(*pair, strict=True))
    return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)


def _meaning(value: Any) -> Any:
    """Return a key that differs for different values of the same type."""
    if isinstance(value, (Enum, Ref)):
        return value.name
    return (value.low, value.high) if isinstance(value, Drawn) else (value.hold, value.values)


def changed_rows(before: Any, now: Any, copies: Column) -> Column:
    """Return bool: for which of the copies, given by number, the value differs."""
    if same(before, now):
        return np.zeros(len(copies), np.bool_)
    listed = isinstance(before, Listed) or isinstance(now, Listed)
    if not listed or isinstance(before, Drawn) or isinstance(now, Drawn):
        return np.ones(len(copies), np.bool_)
    return np.array([not same(_of(before, copy), _of(now, copy)) for copy in copies.tolist()], np.bool_)


def _of(value: Any, copy: int) -> Any:
    """Return the value of one copy."""
    return value.values[copy // value.hold % len(value.values)] if isinstance(value, Listed) else value
