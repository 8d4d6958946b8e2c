"""Records: changes of a World as bytes, which bring a snapshot up to date.

    recorder, snapshot = Recorder(world), world.snapshot()
    ...                                       # any changes
    record = recorder.record()                # the changed rows; their size does not depend on that of the World
    bring_up_to_date(snapshot, record)        # is equal to world.snapshot() now

So a journal of a large World is a snapshot and the records since. Like a snapshot, records contain neither transient
nor derived fields. They hold only the later values, so they can't be applied backwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rish_jit.errors import SnapshotError

from ..declarations.columns import is_array
from ..declarations.component import FieldSpec
from ..storage.store import Store
from ..storage.table import Columns
from .codec import decode, encode
from .data import QueueState, SnapshotData, TableState
from .deltas import (
    HANDLES,
    Delta,
    Patch,
    Ragged,
    TableDelta,
    Values,
    count_of,
    field_of,
    patched,
    put_field,
)
from .mirror import Mirror
from .snapshot import capture_rows
from .validate import validate

_MAGIC = b"RISHRECD"


class Recorder:
    """Records the changes of one World since it was created, or since the last record."""

    def __init__(self, world: Store) -> None:
        self._world = world
        self._mirror = Mirror(world)
        self._texts = len(world.texts.texts)

    @property
    def fits(self) -> bool:
        """Whether the World still has the declarations of which there are records; a reload may change them."""
        return self._mirror.fits

    def record(self) -> bytes:
        """Return what has changed since the last record. Only between two ticks, while it `fits`; see `Mirror`."""
        world, delta = self._world, self._mirror.difference()
        entities = {name: _later(patch) for name, patch in delta.entities.items()}
        queues = {
            queue.kind.key: QueueState(capture_rows(queue.columns, True), queue.base, queue.tick_start)
            for queue in world.queues.values()
            if queue.end
        }
        texts, self._texts = world.texts.texts[self._texts :], len(world.texts.texts)
        content = {
            "tick": world.tick,
            "texts": texts,
            "entities": entities,
            "tables": _changed(world.tables.values(), delta),
            "columns": _changed(world.columns.values(), delta),
            "queues": queues,
            "resources": {key: [before is None, after] for key, (before, after) in delta.resources.items()},
            "changes": world.changes.save(),
        }
        return encode(content, _MAGIC)


def bring_up_to_date(snapshot: SnapshotData, record: bytes) -> None:
    """Change a snapshot to the state of the next record of its World. Raises SnapshotError for damaged bytes."""
    change = decode(record, _MAGIC)
    try:
        snapshot.tick, snapshot.queues, snapshot.changes = change["tick"], change["queues"], change["changes"]
        snapshot.texts = [*snapshot.texts, *change["texts"]]
        for name, later in change["entities"].items():
            snapshot.entities[name] = _patched(snapshot.entities[name], later)
        _update(snapshot.tables, change["tables"])
        _update(snapshot.columns, change["columns"])
        for key, (whole, values) in change["resources"].items():
            if values is None:
                snapshot.resources.pop(key, None)
            else:
                snapshot.resources[key] = values if whole else {**snapshot.resources[key], **values}
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise SnapshotError(f"a record does not fit the snapshot: {error}") from None
    validate(snapshot)


def _changed(tables: Iterable[Columns], delta: Delta) -> dict[str, list[Any]]:
    kinds = {table.schema.key: table.schema for table in tables}
    return {key: _rows(table, kinds[key].fields) for key, table in delta.tables.items() if key in kinds}


def _rows(table: TableDelta, fields: Mapping[str, FieldSpec]) -> list[Any]:
    """Return the schema of the changed fields, and their patches."""
    names = [name for name in table.patches if name not in fields or not fields[name].derived]
    schema = {name: fields[name].type.schema for name in names if name in fields}
    return [schema, {name: _later(table.patches[name]) for name in names}]


def _later(patch: Patch) -> list[Any]:
    """Return the arguments of `patched` for the later version of a column."""
    (_, end), (some, tail) = patch.sides
    return [patch.rows, _plain(some), count_of(end), _plain(tail)]


def _plain(values: Values) -> Any:
    return tuple(values) if isinstance(values, Ragged) else values


def _values(plain: Any) -> Values:
    return plain if is_array(plain) else Ragged(*plain)


def _patched(values: Values, later: list[Any]) -> Any:
    rows, some, cut, tail = later
    return _plain(patched(values, rows, _values(some), cut, _values(tail)))


def _update(states: dict[str, TableState], changed: dict[str, list[Any]]) -> None:
    """Bring captured tables up to date; those without rows are left out, as in a snapshot."""
    for key, (schema, patches) in changed.items():
        exists = key in states  # otherwise it had no rows
        state = states.setdefault(key, TableState(schema, 0, {}))
        for name, later in patches.items():
            put_field(state, name, _patched(field_of(state, name), later) if exists else later[3])
        state.length = count_of(field_of(state, next(iter(state.fields), HANDLES)))
        if not state.length:
            del states[key]
