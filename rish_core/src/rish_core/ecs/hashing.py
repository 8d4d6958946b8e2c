"""The hash of a world: equal for equal state, on every machine and in every process.

Text is hashed as text, pools by content, dicts by sorted keys; what is transient, derived or only for the eye
does not count. Every part has a digest of its own, so that two worlds that differ can be told where.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from ..errors import DeclarationError
from .columns import Column
from .resource import feed_plain, fields_of, resource_spec
from .table import Columns

if TYPE_CHECKING:
    from .world import World

_SIZE = 16


def world_hash(world: World) -> str:
    """32 hex digits over all parts."""
    total = hashlib.blake2b(digest_size=_SIZE)
    for name, digest in part_hashes(world).items():
        total.update(f"{name}={digest};".encode())
    return total.hexdigest()


def part_hashes(world: World) -> dict[str, str]:
    """The digest of each part, by name, sorted: `entities`, `time`, and `table.field` for every column."""
    parts: dict[str, str] = {}
    entities = world.entities
    parts["entities"] = _digest(entities.generation[: entities.used], entities.state[: entities.used], entities.free)
    parts["time"] = _digest(f"{world.tick}".encode())
    parts["cursors"] = _cursors(world)
    for table in world.tables.values():
        if len(table):
            parts[f"{table.schema.key}:entities"] = _digest(table.entities)
            _hash_columns(parts, table)
    for columns in world.columns.values():
        if len(columns):
            _hash_columns(parts, columns)
    for queue in world.queues.values():
        if queue.end:
            parts[f"{queue.kind.key}:numbers"] = _digest(f"{queue.base} {queue.tick_start} {queue.end}".encode())
            _hash_columns(parts, queue.columns)
    for cls, instance in world.resources.items():
        spec = resource_spec(cls)
        if spec is not None and not spec.derived and not spec.view:
            sink = hashlib.blake2b(digest_size=_SIZE)
            try:
                feed_plain(sink.update, fields_of(instance))
            except DeclarationError as error:
                raise DeclarationError(error.what, where=spec.key, hint=error.hint) from None
            parts[f"{spec.key}:resource"] = sink.hexdigest()
    return dict(sorted(parts.items()))


def _hash_columns(parts: dict[str, str], columns: Columns) -> None:
    for name, spec in columns.schema.fields.items():
        if spec.transient or spec.view:
            continue
        key = f"{columns.schema.key}.{name}"
        column = columns.column(name)
        if spec.type.pooled:
            items = columns.pool_of(name).gather(column)
            if spec.type.text:
                items = columns.texts.digests(items)
            parts[key] = _digest(column[:, 1], items)
        elif spec.type.text:
            parts[key] = _digest(columns.texts.digests(column))
        else:
            parts[key] = _digest(columns.flat(name))


def _cursors(world: World) -> str:
    readers = world.changes.tick
    sink = hashlib.blake2b(digest_size=_SIZE)
    feed_plain(sink.update, sorted(readers.cursors.items()))
    feed_plain(sink.update, readers.logs)
    feed_plain(sink.update, readers.log_start)
    if any(what == "added" for what, _, _ in readers.cursors):
        feed_plain(sink.update, world.changes.sequence)
        for key, table in sorted((table.schema.key, table) for table in world.tables.values() if len(table)):
            sink.update(key.encode())
            sink.update(table.added_at[: len(table)].data)
    return sink.hexdigest()


def _digest(*chunks: Column | bytes) -> str:
    sink = hashlib.blake2b(digest_size=_SIZE)
    for chunk in chunks:
        sink.update(chunk if isinstance(chunk, bytes) else np.ascontiguousarray(chunk).reshape(-1).data)
    return sink.hexdigest()
