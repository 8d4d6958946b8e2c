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
_ROUNDS = 3
"""How far the fingerprint of an entity depends on those of the entities that it refers to."""
_PARENT = "parent"


class Fingerprints:
    """The fingerprints of some entities of a World.

    handles: int64 n. own: uint64 n, of components and values. targets: by field, int64 n, the entity that each refers
    to; 0 for none.
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
        mine = np.flatnonzero(rows >= 0)
        rows, key = rows[mine], kind_of(cls).key
        if not len(rows):
            return
        found = np.full(len(rows), _salt(key))
        for name, spec in written_fields(cls).items():
            if spec.type.special == "entity":
                targets = np.zeros(len(self.handles), np.int64)
                targets[mine] = table.column(name)[rows]
                self.targets[f"{key}.{name}"] = targets
            else:
                found += _mixed(_of_field(table, name, spec.type, rows) ^ _salt(f"{key}.{name}"))
        self.own[mine] += _mixed(found)

    def with_targets(self) -> Numbers:
        """Return uint64 n: fingerprints that also depend on the parents and on the entities that are referred to."""
        order = np.argsort(self.handles)
        found = self.own
        for _ in range(_ROUNDS):
            known, found = found, self.own.copy()
            for name, targets in self.targets.items():
                found += _mixed(self._of_targets(targets, order, known) ^ _salt(name))
        return found

    def _of_targets(self, targets: Handles, order: npt.NDArray[np.intp], known: Numbers) -> Numbers:
        """Return uint64 n: the number of each target; of its name for an entity that has no fingerprint."""
        found: Numbers = np.zeros(len(targets), np.uint64)
        mine = np.flatnonzero(targets)
        places = order[np.searchsorted(self.handles, targets[mine], sorter=order) % len(order)] if len(mine) else mine
        inside = self.handles[places] == targets[mine]
        found[mine[inside]] = known[places[inside]]
        for row in mine[~inside].tolist():
            found[row] = _salt(self.side.name(int(targets[row])) or "none")
        return found


def unlike(one: Fingerprints, two: Fingerprints) -> tuple[list[int], list[int]]:
    """Return the entities of each World that have no equal in the other, each entity being the equal of one."""
    mine, theirs = one.with_targets(), two.with_targets()
    both, inverse = np.unique(np.concatenate([mine, theirs]), return_inverse=True)
    more = np.bincount(inverse[: len(mine)], minlength=len(both)) - np.bincount(
        inverse[len(mine) :], minlength=len(both)
    )
    return _surplus(one.handles, inverse[: len(mine)], more), _surplus(two.handles, inverse[len(mine) :], -more)


def _surplus(handles: Handles, numbers: npt.NDArray[np.intp], more: npt.NDArray[np.intp]) -> list[int]:
    """Return as many of the entities with each number as there are more of them here."""
    left = np.maximum(more, 0)
    found: list[int] = []
    for row in np.flatnonzero(left[numbers]).tolist():
        if left[numbers[row]]:
            left[numbers[row]] -= 1
            found.append(int(handles[row]))
    return found


def may_differ(now: Spawned, anew: Spawned) -> set[Key]:
    """Return the keys in both Worlds of which components or values may differ; all others are equal.

    A reference counts as different unless both targets have the same key.
    """
    both = [key for key in now.handles if key in anew.handles]
    one = Fingerprints(now, [now.handles[key] for key in both])
    two = Fingerprints(anew, [anew.handles[key] for key in both])
    other = one.own != two.own
    for name in one.targets.keys() | two.targets.keys():
        if name != _PARENT:
            other |= _other_targets(now, one.targets.get(name), anew, two.targets.get(name), len(both))
    return {both[row] for row in np.flatnonzero(other).tolist()}


def _other_targets(
    now: Spawned, mine: Handles | None, anew: Spawned, theirs: Handles | None, count: int
) -> npt.NDArray[np.bool_]:
    """Return bool n: where two references are to entities with other keys."""
    found = np.zeros(count, bool)
    none = np.zeros(count, np.int64)
    mine, theirs = none if mine is None else mine, none if theirs is None else theirs
    for row in np.flatnonzero((mine != 0) | (theirs != 0)).tolist():
        found[row] = now.key_of(int(mine[row])) != anew.key_of(int(theirs[row]))
    return found


def _of_field(table: Table, name: str, found: ColumnType, rows: npt.NDArray[np.intp]) -> Numbers:
    """Return uint64 n: numbers for the values of a field."""
    column = table.column(name)[rows]
    if not found.pooled:
        return _of_numbers(column, found, table)
    items = _of_numbers(table.pool_of(name).gather(column), found, table)
    lengths = column[:, 1].astype(np.int64)
    places = np.arange(len(items)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(_mixed(items + _mixed(places.astype(np.uint64))))])
    ends = np.cumsum(lengths)
    return sums[ends] - sums[ends - lengths] + lengths.astype(np.uint64)


def _of_numbers(values: npt.NDArray[Any], found: ColumnType, table: Table) -> Numbers:
    """Return uint64 n: numbers for rows of plain numbers, or of the numbers of texts."""
    if found.text:
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
    z = z + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _salt(text: str) -> np.uint64:
    return np.uint64(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little"))
