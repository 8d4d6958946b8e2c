"""Compares values of two manifests: whether they are equal, and for which copies they differ.

The values have been checked by the manifest: numbers, texts, arrays, enum members, names of entities, and the two forms
that differ from copy to copy, `{each: ...}` and `{random: ...}`. Classes may have been reloaded between the two
manifests, so members of enums are compared by name.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, cast

import numpy as np

from rish_core.manifest import Drawn, Listed, Ref
from rish_ecs.declarations import Column

_TYPES: tuple[type, ...] = (Enum, Ref, Drawn, Listed)


class Missing:
    """Stands for the value of a field that a manifest does not set."""


def same(a: Any, b: Any) -> bool:
    """Return whether two values are equal. Members of enums and references are equal if their names are."""
    for cls in _TYPES:
        if isinstance(a, cls) or isinstance(b, cls):
            return isinstance(a, cls) and isinstance(b, cls) and same(_meaning(a), _meaning(b))
    if isinstance(a, dict) and isinstance(b, dict):
        left, right = cast("dict[Any, Any]", a), cast("dict[Any, Any]", b)
        return left.keys() == right.keys() and all(same(value, right[key]) for key, value in left.items())
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return bool(np.array_equal(cast("Any", a), cast("Any", b)))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        pair = cast("list[Any]", a), cast("list[Any]", b)
        return len(pair[0]) == len(pair[1]) and all(same(x, y) for x, y in zip(*pair, strict=True))
    return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)


def _meaning(value: Any) -> Any:
    """Return a value of plain types that is equal for equal values of the same type."""
    if isinstance(value, (Enum, Ref)):
        return value.name
    return (value.low, value.high) if isinstance(value, Drawn) else (value.hold, value.values)


def changed_rows(before: Any, after: Any, copies: Column) -> Column:
    """Return bool (n,): for which copies the value differs. copies: int64 (n,), their numbers."""
    if same(before, after):
        return np.zeros(len(copies), np.bool_)
    listed = isinstance(before, Listed) or isinstance(after, Listed)
    if not listed or isinstance(before, Drawn) or isinstance(after, Drawn):
        return np.ones(len(copies), np.bool_)
    return np.array([not same(_of(before, copy), _of(after, copy)) for copy in copies.tolist()], np.bool_)


def _of(value: Any, copy: int) -> Any:
    """Return the value of one copy."""
    return value.values[copy // value.hold % len(value.values)] if isinstance(value, Listed) else value
