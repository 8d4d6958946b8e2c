"""Fingerprints: a checksum of each part of a world, fast enough to compute before and after every system.

A part is a class that a system can declare in `writes`: a component, a table, an event type, a resource. Unlike the
world's hash, a fingerprint includes transient and view fields, since only their own systems may write them. View
fields are a separate part, so that a comparison of two runs can leave them out. The checksum of a pool depends on
its content, not on the offsets.

Most of a world is the same after a system as before it. The slow step, the walk through the values of a resource,
is therefore skipped if `pickle` writes the same bytes for it as the last time. Equal bytes mean equal values; equal
values with other bytes, because other objects are shared, only cost the walk.
"""

from __future__ import annotations

import functools
import pickle
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

import numpy as np

from rish_ecs import Columns, kind_of
from rish_ecs.declarations import feed_plain, fields_of, resource_spec
from rish_ecs.random import RandomStreams
from rish_ecs.storage import Operation

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_ecs.declarations import Kind

Parts = dict[tuple[type, str], int]
"""Checksums by the declared class and `state` or `view`. The queued structure changes have the class `object`."""

STATE, VIEW, QUEUED = "state", "view", "queued"


Known = dict[type, tuple[bytes, int]]
"""For each resource, its bytes at the last check and their checksum."""


def fingerprint(world: World, known: Known) -> Parts:
    """Return the checksums of everything that a system may write, except derived resources and random streams.

    known: a cache that is kept from one call to the next and is empty at first.
    """
    parts: Parts = {}
    for cls, table in (*world.tables.items(), *world.columns.items()):
        _columns(parts, cls, table)
    for cls, queue in world.queues.items():
        parts[cls, STATE] = crc32(f"{queue.end}".encode())
        _columns(parts, cls, queue.columns)
    for cls, instance in world.resources.items():
        part = _part_of(cls)
        if part:
            parts[cls, part] = _resource(cls, instance, known)
    parts[object, QUEUED] = _operations(world.pending_operations()) if world.pending else 0
    return parts


def checksum(array: np.ndarray[Any, Any]) -> int:
    """Return a checksum of the bytes of an array."""
    return crc32(np.ascontiguousarray(array).data)


def changed(before: Parts, after: Parts) -> list[tuple[type, str]]:
    """Return the parts that differ, in the order of `before`, then those that only `after` has."""
    return [part for part in dict.fromkeys((*before, *after)) if before.get(part) != after.get(part)]


def _columns(parts: Parts, cls: type, columns: Columns) -> None:
    """Add the checksums of a table's state, which includes the number of rows, and of its view fields to `parts`.

    A table with view fields only has no state part; its number of rows is then in the view part.
    """
    fields, seen = _names(columns.schema)
    rows = len(columns)
    if fields or not seen:
        parts[cls, STATE] = _sum(columns, fields, parts.get((cls, STATE), rows))
        view = _sum(columns, seen, 0)
        if view:
            parts[cls, VIEW] = view
    else:
        parts[cls, VIEW] = _sum(columns, seen, rows)


@functools.lru_cache(maxsize=1024)
def _names(kind: Kind) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the fields that are state, and the names of the view fields."""
    seen = tuple(name for name, spec in kind.fields.items() if spec.view)
    return tuple(name for name in kind.fields if name not in seen), seen


def _sum(columns: Columns, names: tuple[str, ...], start: int) -> int:
    if len(columns):
        for name in names:
            start = crc32(_column(columns, name), start)
    return start


def _column(columns: Columns, name: str) -> bytes | memoryview:
    if not columns.schema.fields[name].type.pooled:
        return columns.flat(name).data
    spans = columns.column(name)
    return spans[:, 1].tobytes() + columns.pool_of(name).gather(spans).tobytes()


@functools.lru_cache(maxsize=1024)
def _part_of(cls: type) -> str:
    """Return `STATE` or `VIEW` for a resource; empty if it is derived or holds the random streams."""
    spec = resource_spec(cls)
    if spec is None or spec.derived or cls is RandomStreams:
        return ""
    return VIEW if spec.view else STATE


def _resource(cls: type, instance: Any, known: Known) -> int:
    fields = fields_of(instance)
    try:
        quick = pickle.dumps(fields, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, AttributeError, TypeError):
        return _plain(fields)  # such as an instance of a class that is local to a function
    last = known.get(cls)
    if last is not None and last[0] == quick:
        return last[1]
    total = _plain(fields)
    known[cls] = quick, total
    return total


def _plain(value: Any) -> int:
    chunks: list[bytes] = []
    feed_plain(chunks.append, value)
    return crc32(b"".join(chunks))


def _operations(operations: list[Operation]) -> int:
    total = 0
    for what, handles, parts in operations:
        total = crc32(handles.tobytes(), crc32(what.encode(), total))
        for part in parts:
            total = crc32(kind_of(part).key.encode(), total)
            values = cast("dict[str, Any]", {} if isinstance(part, type) else vars(part))
            for name, value in values.items():
                total = crc32(name.encode(), total)
                total = crc32(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode(), total)
    return total
