"""Converts plain values to bytes that are equal exactly for equal values, independent of the order of dicts.

`plain_bytes` converts value by value in Python, which is slow. `FieldBytes` converts a resource and caches the result.
To detect changes it uses a second form that the interpreter writes quickly (`marshal`): it may differ for equal values,
but is never equal for different ones. `ResourceBytes` does this for all resources of a world.
"""

from __future__ import annotations

import dataclasses
import marshal
import struct
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from itertools import chain, compress
from operator import attrgetter, is_, is_not
from typing import Any, cast

import numpy as np

from rish_jit.errors import DeclarationError

from ..declarations.columns import Column, is_array
from ..declarations.resource import ResourceSpec, feed_plain, resource_spec

_DOUBLE, _LENGTH = struct.Struct("<d").pack, struct.Struct("<q").pack
_ATOMS = frozenset({float, int, bool, str, bytes, type(None)})
"""Immutable types: the same object has the same value."""
_NEVER = object()
"""The marker of values whose changes can't be detected; it is never equal to an earlier marker."""
_values = cast("Callable[[dict[str, Any]], Iterable[Any]]", dict.values)


def plain_bytes(value: Any) -> bytes:
    """Return a plain value as bytes. Raises DeclarationError for other values."""
    chunks: list[bytes] = []
    feed_plain(chunks.append, value)
    return b"".join(chunks)


class FieldBytes:
    """The cached bytes of a resource's fields. counts: whether the resource is included in the hash.

    It keeps the objects that the fields held at the last conversion, and for mutable ones (`loose`) a mark that shows
    changes. `unsure`: a field has no such mark, so the resource must be converted each time.
    """

    def __init__(self, spec: ResourceSpec | None) -> None:
        self.counts = spec is not None and not spec.derived and not spec.view
        self.key = spec.key if spec is not None else ""
        self.owner = spec.owner if spec is not None else ""
        names = [f.name for f in dataclasses.fields(spec.cls)] if spec is not None else []
        self._get: Any = attrgetter(*names) if len(names) > 1 else None
        self._names = names
        self._places = range(len(names))
        self._heads = [plain_bytes(name) for name in names]
        self._added = [f.metadata.get("added", False) for f in dataclasses.fields(spec.cls)] if spec is not None else []
        self._seen: Any = (_NEVER,) * len(names)
        self._marks: list[Any] = [_NEVER] * len(names)
        self._loose: list[int] = []
        self.loose: list[Any] = []
        self.unsure = False
        self._made: list[bytes] = [b""] * len(names)
        self._whole = b"" if names else bytes(8)

    def of(self, instance: Any) -> bytes:
        """Return the bytes of an instance, padded to words of 8. Raises DeclarationError for a non-plain value."""
        values: Any = self._get(instance) if self._get is not None else [getattr(instance, n) for n in self._names]
        seen, marks = self._seen, self._marks
        stale = [*compress(self._places, map(is_not, values, seen))]
        for k in self._loose:
            if values[k] is seen[k] and (marks[k] is _NEVER or _mark(values[k]) != marks[k]):
                stale.append(k)
        return self._anew(values, stale) if stale else self._whole

    def _anew(self, values: Any, stale: list[int]) -> bytes:
        """Convert the stale fields again, and return the bytes of all fields."""
        seen, marks, moved = self._seen, self._marks, False
        for k in stale:
            value, old_mark = values[k], marks[k]
            if old_mark is None and type(value) in _ATOMS:
                self._made[k] = self._field(k, value)
                continue
            mark = None if _is_fixed(value) else _mark(value)
            if mark is None or mark is _NEVER or mark != old_mark:
                marks[k] = _NEVER  # in case the conversion raises
                self._made[k] = self._field(k, value)
                marks[k] = mark = _NEVER if mark is not None and _hides_array(value) else mark
            if mark is not None or old_mark is not None:
                moved |= value is not seen[k] or mark is _NEVER or old_mark is _NEVER
        self._seen = values
        if moved:
            self._loose = [k for k, mark in enumerate(marks) if mark is not None]
            self.loose = [values[k] for k in self._loose if marks[k] is not _NEVER]
            self.unsure = _NEVER in marks
        whole = b"".join(self._made)
        self._whole = whole + bytes(8 - (len(whole) & 7))
        return self._whole

    def _field(self, place: int, value: Any) -> bytes:
        return b"" if value is None and self._added[place] else self._heads[place] + _bytes_of(value)


class ResourceBytes:
    """The bytes of all resources of a world that are included in the hash.

    Python code for each field would take longer than the hash itself. So the values of all fields are put into one
    list, with a few calls of the interpreter, and compared by identity with the objects of the last time. All mutable
    values are marshalled in one call and compared with the last result. A resource is converted only if these differ.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.chunks: list[bytes] = []
        self._fields: dict[type, FieldBytes] = {}
        self._all: list[Any] = []
        self._counting: list[tuple[Any, FieldBytes]] = []
        self._states: list[dict[str, Any]] = []
        self._seen: list[Any] = []
        self._owners: list[int] = []
        self._asked: set[int] = set()
        self._changing: set[int] = set()
        self._loose: list[Any] = []
        self._arrays: list[Column] = []
        self._written: Any = None

    def of(self, resources: Mapping[type, Any], view_owners: frozenset[str] = frozenset()) -> list[bytes]:
        """Return the bytes of each resource, in the order of `names`; those of `view_owners` are not included.

        Raises DeclarationError naming the resource.
        """
        every = list(resources.values())
        if len(every) != len(self._all) or not all(map(is_, every, self._all)):
            self._hold(resources, every, view_owners)
        values: list[Any] = [*chain.from_iterable(map(_values, self._states))]
        written = self._write()
        seen, asked, owners = self._seen, self._asked, self._owners
        if len(values) != len(owners):
            asked = range(len(self._counting))
        else:
            asked = asked.union([*compress(owners, map(is_not, values, seen))])
            if written != self._written:
                asked |= self._changing
        if asked:
            moved = self._ask(asked)
            self._seen, self._written = values, written
            if moved or len(values) != len(owners):
                self._list()
        return self.chunks

    def _hold(self, resources: Mapping[type, Any], every: list[Any], view_owners: frozenset[str]) -> None:
        """Set up the caches for the resources of the world."""
        made = [self._fields.get(cls) or FieldBytes(resource_spec(cls)) for cls in resources]
        self._fields = dict(zip(resources, made, strict=True))  # only present classes: they may be replaced by reloads
        self._all = every
        self._counting = [
            pair for pair in zip(every, made, strict=True) if pair[1].counts and pair[1].owner not in view_owners
        ]
        self._states = [getattr(instance, "__dict__", {}) for instance, _ in self._counting]
        self.names = [f"{found.key}:resource" for _, found in self._counting]
        self.chunks = [b""] * len(self.names)
        self._owners, self._written = [-1], _NEVER

    def _ask(self, which: Iterable[int]) -> bool:
        """Update the bytes of some resources; return whether the set of mutable values changed."""
        moved = False
        for k in which:
            instance, field_bytes = self._counting[k]
            before = field_bytes.loose
            try:
                self.chunks[k] = field_bytes.of(instance)
            except DeclarationError as error:
                self._all = []
                raise DeclarationError(error.what, where=field_bytes.key, hint=error.hint) from None
            moved |= field_bytes.loose is not before
        return moved

    def _list(self) -> None:
        """Update the owner of each field, the mutable values, and the resources that must be converted each time."""
        counting = self._counting
        self._owners = [k for k, state in enumerate(self._states) for _ in state]
        self._asked = {
            k for k, (one, field_bytes) in enumerate(counting) if field_bytes.unsure or not hasattr(one, "__dict__")
        }
        self._changing = {k for k, (_, field_bytes) in enumerate(counting) if field_bytes.loose}
        self._loose = [value for _, field_bytes in counting for value in field_bytes.loose]
        self._arrays = [value for value in self._loose if is_array(value)]
        self._written = self._write()

    def _write(self) -> Any:
        """Return a mark that differs if a mutable value has changed."""
        return _written(self._loose), [(array.shape, array.dtype) for array in self._arrays]


def _bytes_of(value: Any) -> bytes:
    if type(value) is float and value == value:
        return b"d" + _DOUBLE(value)
    if type(value) is bool:
        return b"t" if value else b"f"
    if type(value) is int:
        digits = b"%d" % value
        return b"i" + _LENGTH(len(digits)) + digits
    return plain_bytes(value)


def _is_fixed(value: Any) -> bool:
    """Whether a value can't change."""
    return (
        type(value) in _ATOMS
        or isinstance(value, (Enum, np.generic))
        or (type(value) is tuple and all(type(item) in _ATOMS for item in cast("tuple[Any, ...]", value)))
    )


def _mark(value: Any) -> Any:
    """Return a mark that is equal only for equal values, or `_NEVER` if it can't be marshalled."""
    if is_array(value):
        return value.tobytes(), value.shape, value.dtype
    return _written(value)


def _written(value: Any) -> Any:
    try:
        return marshal.dumps(value, 2)
    except ValueError:
        return _NEVER


def _hides_array(value: Any) -> bool:
    """Whether a list, tuple or dict contains an array, which `marshal` writes without dtype and shape."""
    if isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value)
        return any(_within(item) for item in pairs.values()) or any(_within(key) for key in pairs)
    return isinstance(value, (list, tuple)) and any(_within(item) for item in cast("list[Any]", value))


def _within(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) or _hides_array(value)
