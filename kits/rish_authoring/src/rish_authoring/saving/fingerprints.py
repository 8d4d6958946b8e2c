"""Fingerprints of entities: 64-bit numbers that are equal for equal components and values.

They depend neither on handles nor on rows, so entities of two Worlds can be compared column by column. Numbers are
mixed by the finalizer of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import Table, kind_of
from rish_ecs.declarations import ColumnType
from rish_ecs.storage import parents_of

from .worlds import Key, Spawned, is_written, written_fields

Handles = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.uint64]
_REFERENCE_DEPTH = 3
"""The length of the chains of references that a fingerprint depends on."""
_PARENT = "parent"


class Fingerprints:
    """The fingerprints of some entities of a World.

    handles: int64 (n,). own: uint64 (n,), the fingerprints of components and values. targets: by field, int64 (n,), the
    entity to which each entity refers; 0 for none.
    """

    def __init__(self, side: Spawned, handles: Iterable[int]) -> None:
        self.side = side
        self.handles = np.fromiter(handles, np.int64)
        self.own: Numbers = np.zeros(len(self.handles), np.uint64)
        self.targets: dict[str, Handles] = {_PARENT: parents_of(side.world, self.handles)}
        for cls, table in side.world.tables.items():
            if is_written(cls):
                self._add(cls, table)

    def _add(self, cls: type, table: Table) -> None:
        """Add the values of a component to the fingerprints of the entities that have it."""
        rows = table.rows_of(self.handles)
        indices = np.flatnonzero(rows >= 0)
        rows, key = rows[indices], kind_of(cls).key
        if not len(rows):
            return
        numbers = np.full(len(rows), _salt(key))
        for name, spec in written_fields(cls).items():
            if spec.type.special == "entity":
                targets = np.zeros(len(self.handles), np.int64)
                targets[indices] = table.column(name)[rows]
                self.targets[f"{key}.{name}"] = targets
            else:
                numbers += _mixed(_of_field(table, name, spec.type, rows) ^ _salt(f"{key}.{name}"))
        self.own[indices] += _mixed(numbers)

    def with_targets(self) -> Numbers:
        """Return uint64 (n,): fingerprints that also depend on the parents and on referenced entities."""
        order = np.argsort(self.handles)
        fingerprints = self.own
        for _ in range(_REFERENCE_DEPTH):
            former, fingerprints = fingerprints, self.own.copy()
            for name, targets in self.targets.items():
                fingerprints += _mixed(self._of_targets(targets, order, former) ^ _salt(name))
        return fingerprints

    def _of_targets(self, targets: Handles, order: npt.NDArray[np.intp], fingerprints: Numbers) -> Numbers:
        """Return uint64 (n,): the fingerprint of each target, or a number for its name if it has no fingerprint."""
        numbers: Numbers = np.zeros(len(targets), np.uint64)
        indices = np.flatnonzero(targets)
        places = (
            order[np.searchsorted(self.handles, targets[indices], sorter=order) % len(order)]
            if len(indices)
            else indices
        )
        inside = self.handles[places] == targets[indices]
        numbers[indices[inside]] = fingerprints[places[inside]]
        for row in indices[~inside].tolist():
            numbers[row] = _salt(self.side.name(int(targets[row])) or "none")
        return numbers


def unmatched(one: Fingerprints, two: Fingerprints) -> tuple[list[int], list[int]]:
    """Return the entities of each World without an equal entity in the other. Each entity matches at most one."""
    numbers, other_numbers = one.with_targets(), two.with_targets()
    distinct, inverse = np.unique(np.concatenate([numbers, other_numbers]), return_inverse=True)
    surplus = np.bincount(inverse[: len(numbers)], minlength=len(distinct)) - np.bincount(
        inverse[len(numbers) :], minlength=len(distinct)
    )
    return _surplus(one.handles, inverse[: len(numbers)], surplus), _surplus(
        two.handles, inverse[len(numbers) :], -surplus
    )


def _surplus(handles: Handles, numbers: npt.NDArray[np.intp], more: npt.NDArray[np.intp]) -> list[int]:
    """Return, for each number, as many of its entities as one World has more than the other."""
    remaining = np.maximum(more, 0)
    result: list[int] = []
    for row in np.flatnonzero(remaining[numbers]).tolist():
        if remaining[numbers[row]]:
            remaining[numbers[row]] -= 1
            result.append(int(handles[row]))
    return result


def may_differ(now: Spawned, anew: Spawned) -> set[Key]:
    """Return the keys of entities in both Worlds whose components or values may differ. All others are equal.

    A reference counts as different unless both targets have the same key.
    """
    keys = [key for key in now.handles if key in anew.handles]
    one = Fingerprints(now, [now.handles[key] for key in keys])
    two = Fingerprints(anew, [anew.handles[key] for key in keys])
    differs = one.own != two.own
    for name in one.targets.keys() | two.targets.keys():
        if name != _PARENT:
            differs |= _other_targets(now, one.targets.get(name), anew, two.targets.get(name), len(keys))
    return {keys[row] for row in np.flatnonzero(differs).tolist()}


def _other_targets(
    now: Spawned, targets: Handles | None, anew: Spawned, other_targets: Handles | None, count: int
) -> npt.NDArray[np.bool_]:
    """Return bool (n,): whether two references refer to entities with different keys."""
    differs = np.zeros(count, bool)
    none = np.zeros(count, np.int64)
    targets, other_targets = none if targets is None else targets, none if other_targets is None else other_targets
    for row in np.flatnonzero((targets != 0) | (other_targets != 0)).tolist():
        differs[row] = now.key_of(int(targets[row])) != anew.key_of(int(other_targets[row]))
    return differs


def _of_field(table: Table, name: str, column_type: ColumnType, rows: npt.NDArray[np.intp]) -> Numbers:
    """Return uint64 (n,): a number for each value of a field."""
    column = table.column(name)[rows]
    if not column_type.pooled:
        return _of_numbers(column, column_type, table)
    items = _of_numbers(table.pool_of(name).gather(column), column_type, table)
    lengths = column[:, 1].astype(np.int64)
    places = np.arange(len(items)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(_mixed(items + _mixed(places.astype(np.uint64))))])
    ends = np.cumsum(lengths)
    return sums[ends] - sums[ends - lengths] + lengths.astype(np.uint64)


def _of_numbers(values: npt.NDArray[Any], column_type: ColumnType, table: Table) -> Numbers:
    """Return uint64 (n,): a number for each row of plain numbers, or of text numbers."""
    if column_type.text:
        return table.texts.digests(values)
    if values.dtype.kind == "f":
        values = (values + 0.0).astype(np.float64)  # -0.0 becomes 0.0
        values = np.where(np.isnan(values), np.nan, values)
        words = np.ascontiguousarray(values).view(np.uint64)
    else:
        words = values.astype(np.int64).view(np.uint64)
    width = int(np.prod(values.shape[1:]))
    result: Numbers = np.zeros(len(values), np.uint64)
    for word in words.reshape(len(values), width).T:
        result = _mixed(result ^ word)
    return result


def _mixed(z: Numbers) -> Numbers:
    """Return uint64 (n,): the numbers after the finalizer of splitmix64."""
    z = z + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _salt(text: str) -> np.uint64:
    """Return a 64-bit digest of a text."""
    return np.uint64(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little"))
