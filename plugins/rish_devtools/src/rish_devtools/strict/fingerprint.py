"""Fingerprints: a checksum of each part of a world, fast enough to compute before and after every system.

A part is a class that a system can declare in `writes`: a component, a table, an event type, a resource. Unlike the
world's hash, a fingerprint includes transient and view fields, since only their own systems may write them. View
fields are a separate part, so that a comparison of two runs can leave them out. The checksum of a pool depends on
its content, not on the offsets.

Most of a world is the same after a system as before it. The slow step, the walk through the values of a resource,
is therefore skipped if `pickle` writes the same bytes for it as the last time: for all resources together, and if these
have changed, for each. Equal bytes mean equal values; equal values with other bytes, because other objects are shared,
only cost the walk. Likewise a column of texts or lists is
put together only if its spans or its pool have other bytes than the last time.
"""

from __future__ import annotations

import dataclasses
import functools
import io
import pickle
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from zlib import crc32

import numpy as np

from rish_core.manifest import YamlList, YamlMap
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


Cache = dict[Any, tuple[Any, Any]]
"""For each resource, for all resources together, and for each column with a pool: the bytes or checksums that the last
check compared, and its results."""


def fingerprint(world: World, cache: Cache) -> Parts:
    """Return the checksums of everything that a system may write, except derived resources and random streams.

    cache: passed to every call; empty at first.
    """
    parts: Parts = {}
    for cls, table in (*world.tables.items(), *world.columns.items()):
        _columns(parts, cls, table, len(table), cache)
    for cls, queue in world.queues.items():
        _columns(parts, cls, queue.columns, queue.end, cache)
    _resources(parts, world, cache)
    parts[object, QUEUED] = _operations(world.pending_operations()) if world.pending else 0
    return parts


def checksum(array: np.ndarray[Any, Any]) -> int:
    """Return a checksum of the bytes of an array."""
    return crc32(np.ascontiguousarray(array).data)


def changed(before: Parts, after: Parts) -> list[tuple[type, str]]:
    """Return the parts that differ, in the order of `before`, then those that only `after` has."""
    if before == after:
        return []
    return [part for part in dict.fromkeys((*before, *after)) if before.get(part) != after.get(part)]


class _Fields(NamedTuple):
    """The fields of a class: the parts that they belong to, and the numbers of those without and with pools."""

    part: tuple[type, str]
    plain: tuple[int, ...]
    pooled: tuple[str, ...]


@functools.lru_cache(maxsize=4096)
def _fields(cls: type, kind: Kind) -> tuple[_Fields, ...]:
    """Return the state fields and the view fields of a class; only one of them if the other is empty."""
    parts: list[_Fields] = []
    for part in (STATE, VIEW):
        specs = [(index, spec) for index, spec in enumerate(kind.fields.values()) if spec.view is (part == VIEW)]
        plain = tuple(index for index, spec in specs if not spec.type.pooled)
        parts.append(_Fields((cls, part), plain, tuple(spec.name for _, spec in specs if spec.type.pooled)))
    state, view = parts
    if not (view.plain or view.pooled):
        return (state,)
    return (state, view) if state.plain or state.pooled else (view,)


def _columns(parts: Parts, cls: type, columns: Columns, start: int, cache: Cache) -> None:
    """Add the checksums of a table's state and of its view fields to `parts`.

    start: the number of rows or events, which belongs to the state, or to the view fields of a class without state.
    """
    rows = len(columns)
    data = columns.flat_rows(slice(0, rows)) if rows else ()
    for fields in _fields(cls, columns.schema):
        total = start
        if rows:
            for index in fields.plain:
                total = crc32(data[index].data, total)
            for name in fields.pooled:
                total = _pooled(columns, cls, name, total, cache)
        parts[fields.part] = total
        start = 0


def _pooled(columns: Columns, cls: type, name: str, start: int, cache: Cache) -> int:
    """Return the checksum of a column with a pool, continued from another one."""
    spans, pool = columns.flat(name), columns.pool_of(name)
    key = (start, len(columns), crc32(spans.data), crc32(pool.items[: pool.used].data))
    last = cache.get((cls, name))
    if last is not None and last[0] == key:
        return last[1]
    spans_column = columns.column(name)
    total = crc32(pool.gather(spans_column).tobytes(), crc32(spans_column[:, 1].tobytes(), start))
    cache[cls, name] = key, total
    return total


@functools.lru_cache(maxsize=1024)
def _part_of(cls: type) -> str:
    """Return `STATE` or `VIEW` for a resource; empty if it is derived or holds the random streams."""
    spec = resource_spec(cls)
    if spec is None or spec.derived or cls is RandomStreams:
        return ""
    return VIEW if spec.view else STATE


@functools.lru_cache(maxsize=1024)
def _names(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cast("Any", cls)))


class _Pickler(pickle.Pickler):
    """Writes plain data that was read from a manifest without its marks."""

    dispatch_table = {
        YamlMap: lambda data: (dict, (), None, None, iter(data.items())),
        YamlList: lambda data: (list, (), None, iter(data)),
    }


def _resources(parts: Parts, world: World, cache: Cache) -> None:
    """Add the checksums of all resources to `parts`."""
    resources = [(cls, instance) for cls, instance in world.resources.items() if _part_of(cls)]
    classes, written = [cls for cls, _ in resources], _pickled([_values(cls, instance) for cls, instance in resources])
    last = cache.get("resources")
    if last is None or written is None or last[0] != (classes, written):
        sums = {(cls, _part_of(cls)): _resource(cls, instance, cache) for cls, instance in resources}
        cache["resources"] = last = (classes, written), sums
    parts.update(last[1])


def _resource(cls: type, instance: Any, cache: Cache) -> int:
    quick, last = _pickled(_values(cls, instance)), cache.get(cls)
    if quick is not None and last is not None and last[0] == quick:
        return last[1]
    total = _plain(fields_of(instance))
    cache[cls] = quick, total
    return total


def _values(cls: type, instance: Any) -> list[Any]:
    return [getattr(instance, name) for name in _names(cls)]


def _pickled(values: list[Any]) -> bytes | None:
    """Return the bytes of plain data; None if there is other data, such as of a class that is local to a function."""
    written = io.BytesIO()
    try:
        _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(values)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    return written.getvalue()


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
