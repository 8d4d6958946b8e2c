"""Writes plain data as YAML text, in flow style or as a block of lines."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from rish_core import UsageError
from rish_core.manifest import written

WIDTH = 100
"""The maximum column of a collection that is written in one line."""


def plain(value: Any) -> Any:
    """Return a value as data that a text can express: dicts, lists, texts, numbers with nine digits, bool, None.

    Raises UsageError for other values, and for numbers that are not finite.
    """
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in cast("list[Any]", value)]
    if isinstance(value, np.ndarray | np.generic):
        return plain(cast("Any", value).tolist())
    if isinstance(value, float):
        if not math.isfinite(value):
            raise UsageError(f"{value} can't be written", hint="Give a finite number")
        return float(written(value))
    written(value)
    return value


def flow_text(value: Any) -> str:
    """Return plain data in flow style, in one line."""
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value)
        return "{" + ", ".join(f"{written(key)}: {flow_text(item)}" for key, item in pairs.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow_text(item) for item in cast("list[Any]", value)) + "]"
    return written(value)


def fits(value: Any, column: int) -> bool:
    """Return whether plain data fits in one line that begins at a column, and contains no list of mappings."""
    return not _has_entries(value) and column + len(flow_text(value)) <= WIDTH


def _has_entries(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_entries(item) for item in cast("dict[str, Any]", value).values())
    return isinstance(value, list) and any(isinstance(item, dict) for item in cast("list[Any]", value))


def pair_text(key: str, value: Any, column: int) -> str:
    """Return `key: value` in one or more lines. column: the indentation of all lines but the first, which has none."""
    head = f"{written(key)}:"
    if not isinstance(value, (dict, list)) or not value or fits(value, column + len(head) + 1):
        return f"{head} {flow_text(value)}"
    return f"{head}\n{' ' * (column + 2)}{block_text(value, column + 2)}"


def section_text(key: str, value: Any, column: int = 0) -> str:
    """Return `key: value` for a section of a manifest.

    It is written as by `pair_text`, but with three or more levels of mappings, the outer ones are blocks.
    """
    if not isinstance(value, dict) or _depth(value) < 3:
        return pair_text(key, value, column)
    pairs = cast("dict[str, Any]", value).items()
    inner = f"\n{' ' * (column + 2)}"
    return inner.join([f"{written(key)}:", *(section_text(name, item, column + 2) for name, item in pairs)])


def _depth(value: Any) -> int:
    """Return the number of levels of nested mappings, including this one."""
    if not isinstance(value, dict):
        return 0
    return 1 + max(map(_depth, cast("dict[str, Any]", value).values()), default=0)


def item_text(value: Any, column: int, *, flow: bool) -> str:
    """Return `- value` in one or more lines.

    column: as for `pair_text`. flow: write a mapping in one line if it fits.
    """
    block = isinstance(value, dict) and not (flow and fits(cast("Any", value), column + 2))
    if isinstance(value, (dict, list)) and value and (block or not fits(value, column + 2)):
        return f"- {block_text(value, column + 2)}"
    return f"- {flow_text(value)}"


def block_text(value: Any, column: int) -> str:
    """Return a collection that is not empty as a block of lines. column: as for `pair_text`."""
    if isinstance(value, dict):
        lines = [pair_text(key, item, column) for key, item in cast("dict[str, Any]", value).items()]
    else:
        lines = [item_text(item, column, flow=True) for item in cast("list[Any]", value)]
    return f"\n{' ' * column}".join(lines)


def same(left: Any, right: Any) -> bool:
    """Return whether two plain values are equal, with mappings in the same order. `true` does not equal 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        left_pairs, right_pairs = cast("dict[Any, Any]", left), cast("dict[Any, Any]", right)
        return list(left_pairs) == list(right_pairs) and all(
            same(value, right_pairs[key]) for key, value in left_pairs.items()
        )
    if isinstance(left, list) and isinstance(right, list):
        left_items, right_items = cast("list[Any]", left), cast("list[Any]", right)
        return len(left_items) == len(right_items) and all(map(same, left_items, right_items))
    return (
        left == right
        and isinstance(left, bool) == isinstance(right, bool)
        and isinstance(left, str) == isinstance(right, str)
    )
