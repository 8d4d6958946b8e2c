"""The hash of a world: equal for equal state, on every machine and in every process.

Text is hashed as text, pools by content, dicts by sorted keys; what is transient, derived or only for the eye does not
count. Every part has a digest of its own, so that two worlds that differ can be told where.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

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
    parts["entities"] = _digest(
        entities.generation[: entities.used].tobytes(), entities.state[: entities.used].tobytes(), entities.free.tobytes()
    )
    parts["time"] = _digest(f"{world.tick}".encode())
    parts["cursors"] = _cursors(world)
    for table in world.tables.values():
        if len(table):
            parts[f"{table.schema.key}:entities"] = _digest(table.entities.tobytes())
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
            feed_plain(sink.update, fields_of(instance))
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
            if spec.type.item is not None and spec.type.item.special in ("str", "asset"):
                items = columns.texts.digests(items)
            parts[key] = _digest(np.ascontiguousarray(column[:, 1]).tobytes(), items.tobytes())
        elif spec.type.special in ("str", "asset"):
            parts[key] = _digest(columns.texts.digests(column).tobytes())
        else:
            parts[key] = _digest(columns.flat(name).tobytes())


def _cursors(world: World) -> str:
    changes = world.changes
    sink = hashlib.blake2b(digest_size=_SIZE)
    feed_plain(sink.update, sorted(changes.cursors.items()))
    feed_plain(sink.update, changes.logs)
    feed_plain(sink.update, changes.log_start)
    if any(what == "added" for what, _, _ in changes.cursors):
        feed_plain(sink.update, changes.sequence)
        for table in world.tables.values():
            sink.update(table.added_at[: len(table)].tobytes())
    return sink.hexdigest()


def _digest(*chunks: bytes) -> str:
    sink = hashlib.blake2b(digest_size=_SIZE)
    for chunk in chunks:
        sink.update(chunk)
    return sink.hexdigest()
