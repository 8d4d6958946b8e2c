"""Plain values as bytes, in a form that is equal exactly for equal values, however a dict is ordered.

`plain_bytes` makes the form, value by value; that is slow, for Python walks through everything. `FieldBytes` makes it
of a resource, and remembers it: a second form, which the interpreter writes in one go (`marshal`) and which may
differ for equal values but never agree for different ones, tells that nothing has changed since.
"""

from __future__ import annotations

import dataclasses
import marshal
import struct
from enum import Enum
from operator import attrgetter
from typing import Any, cast

import numpy as np

from .columns import Column
from .resource import ResourceSpec, feed_plain

_DOUBLE = struct.Struct("<d").pack
_ATOMS = frozenset({float, int, bool, str, bytes, type(None)})
"""What can't change, so that the same object is the same value."""
_NEVER = object()
"""In the place of a mark that says nothing."""


class _Mark(tuple[Any, ...]):
    """Bytes that tell whether a value has changed."""

    __slots__ = ()


def plain_bytes(value: Any) -> bytes:
    """A plain value as bytes. Raises DeclarationError for what is none."""
    chunks: list[bytes] = []
    feed_plain(chunks.append, value)
    return b"".join(chunks)


class FieldBytes:
    """The bytes of a resource's fields. counts: whether they belong to the hash at all.

    What a field was when its bytes were made is remembered: the very object, where that can't change, else bytes that
    tell whether it did.
    """

    def __init__(self, spec: ResourceSpec | None) -> None:
        self.counts = spec is not None and not spec.derived and not spec.view
        self.key = spec.key if spec is not None else ""
        names = [f.name for f in dataclasses.fields(spec.cls)] if spec is not None else []
        self._get: Any = attrgetter(*names) if len(names) > 1 else None
        self._names = names
        self._heads = [plain_bytes(name) for name in names]
        self._last: list[Any] = [_NEVER] * len(names)
        self._made: list[bytes] = [b""] * len(names)
        self._whole = b""

    def of(self, instance: Any) -> bytes:
        """The bytes of an instance, padded to whole words of 8. Raises DeclarationError for what is no plain value."""
        values: Any = self._get(instance) if self._get is not None else [getattr(instance, n) for n in self._names]
        last, same = self._last, True
        for k, value in enumerate(values):
            if value is last[k]:
                continue
            mark = value if type(value) in _ATOMS or isinstance(value, Enum) else _mark(value)
            if type(mark) is _Mark and mark == last[k]:
                continue
            self._made[k] = self._heads[k] + _bytes_of(value)
            last[k] = _NEVER if type(mark) is _Mark and _hides_array(value) else mark
            same = False
        if not same or not self._whole:
            whole = b"".join(self._made)
            self._whole = whole + bytes(8 - (len(whole) & 7))
        return self._whole


def _bytes_of(value: Any) -> bytes:
    if type(value) is float and value == value:
        return b"d" + _DOUBLE(value)
    return plain_bytes(value)


def _mark(value: Any) -> Any:
    """What is equal only for equal values; `_NEVER` where that takes as long as the bytes themselves."""
    if isinstance(value, (np.ndarray, np.generic)):
        array = cast("Column", value)
        return _Mark((array.dtype, array.shape, array.tobytes()))
    try:
        return _Mark((marshal.dumps(value, 2),))
    except ValueError:
        return _NEVER


def _hides_array(value: Any) -> bool:
    """Whether an array is somewhere within a list, tuple or dict, where its bytes alone would stand for it."""
    if isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value)
        return any(_within(item) for item in pairs.values()) or any(_within(key) for key in pairs)
    return isinstance(value, (list, tuple)) and any(_within(item) for item in cast("list[Any]", value))


def _within(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) or _hides_array(value)
