"""Fingerprints: a checksum of each part of a world, quick enough to take around every system.

A part is what a system declares as a whole: a component, a table, an event type, a resource. Unlike the
world's hash it counts transient and view fields as well, for they too belong to whoever declared them; those
for the eye have a part of their own, so that a comparison of two runs can leave them out. Pools count by
content, not by place.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

import numpy as np

from ..ecs.component import kind_of
from ..ecs.random import RandomStreams
from ..ecs.resource import feed_plain, fields_of, resource_spec
from ..ecs.structure import Operation
from ..ecs.table import Columns

if TYPE_CHECKING:
    from ..ecs.world import World

Parts = dict[tuple[type, str], int]
"""Checksums by the declared class and `state` or `view`; the queued structure changes stand under
`object`.
"""

STATE, VIEW, QUEUED = "state", "view", "queued"


def fingerprint(world: World) -> Parts:
    """A checksum of everything that a system may write; derived resources and random streams are left out."""
    parts: Parts = {}
    for cls, table in (*world.tables.items(), *world.columns.items()):
        _columns(parts, cls, table)
    for cls, queue in world.queues.items():
        parts[cls, STATE] = crc32(f"{queue.end}".encode())
        _columns(parts, cls, queue.columns)
    for cls, instance in world.resources.items():
        spec = resource_spec(cls)
        if spec is not None and not spec.derived and cls is not RandomStreams:
            parts[cls, VIEW if spec.view else STATE] = _plain(fields_of(instance))
    parts[object, QUEUED] = _operations(world.pending_operations()) if world.pending else 0
    return parts


def checksum(array: np.ndarray[Any, Any]) -> int:
    """A checksum of the bytes of an array."""
    return crc32(np.ascontiguousarray(array).data)


def changed(before: Parts, after: Parts) -> list[tuple[type, str]]:
    """The parts that differ, in the order in which the world knows them."""
    return [part for part in dict.fromkeys((*before, *after)) if before.get(part) != after.get(part)]


def _columns(parts: Parts, cls: type, columns: Columns) -> None:
    if columns.schema.fields and all(spec.view for spec in columns.schema.fields.values()):
        start = crc32(f"{len(columns)}".encode())
        parts[cls, VIEW] = functools.reduce(
            lambda sum, name: crc32(_column(columns, name), sum), columns.schema.fields, start
        )
        return
    state, view = parts.get((cls, STATE), len(columns)), 0
    for name, spec in columns.schema.fields.items():
        value = _column(columns, name)
        if spec.view:
            view = crc32(value, view)
        else:
            state = crc32(value, state)
    parts[cls, STATE] = state
    if view:
        parts[cls, VIEW] = view


def _column(columns: Columns, name: str) -> bytes | memoryview:
    if not columns.schema.fields[name].type.pooled:
        return columns.flat(name).data
    spans = columns.column(name)
    return spans[:, 1].tobytes() + columns.pool_of(name).gather(spans).tobytes()


def _plain(value: Any) -> int:
    total = 0

    def sink(data: bytes) -> None:
        nonlocal total
        total = crc32(data, total)

    feed_plain(sink, value)
    return total


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
