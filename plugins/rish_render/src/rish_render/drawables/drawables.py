"""Drawables: sorts things of different kinds into one order and cuts it into batches.

Each kind extracts its visible things into `Drawables`: the position of each thing in the order, the state that it
needs, and a function that makes the batch of some of them. Things that are consecutive in the order form a *run*.
`emit` sorts the runs of all kinds by layer, then z (or by height, on a layer that is sorted by y), joins neighbors of
one kind and state, and makes their batches. A batch never spans a position in the order at which another plugin draws
into the same pass. If the things did not change, the batches are the same objects as before. If only their positions
changed, their order and the description of the batches are those of the last frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, get_args

import numpy as np

from rish_frame import Batch, Pass
from rish_frame.frame import Blend, Filter
from rish_jit import Array

from .former_batches import FormerBatches

BLENDS: tuple[Blend, ...] = get_args(Blend)
FILTERS: tuple[Filter, ...] = get_args(Filter)
_FEW = 256
"""Up to this number, rows are searched in a Python set."""
MakeBatch = Callable[[Array | slice, int], Batch]


class Runs(NamedTuple):
    """m runs of consecutive things, in drawing order.

    layer: int64 m. z, low: float32 m; low sorts things of equal z, 0 if the layer is not sorted by y. state: int64 m.
    start, count: int64 m, the first thing of the run and their number.
    """

    layer: Array
    z: Array
    low: Array
    state: Array
    start: Array
    count: Array

    def some(self, which: Array) -> Runs:
        """Return the runs that an index or bool array selects."""
        return Runs(*(column[which] for column in self))

    def equals(self, other: Runs) -> bool:
        """Return whether all runs are the same."""
        return self is other or all(map(same, self, other))


@dataclass
class Drawables:
    """The visible things of one kind, in their drawing order for equal layer and z.

    layer: int64 n. z: float32 n. height: float32 n, the y by which layers that are sorted by y draw. state: int64 n,
    things of different states can't share a batch. make: returns the batch of some rows (an index array or a slice) in
    a given state. batches: those made so far, which do not change any more.
    """

    layer: Array
    z: Array
    height: Array
    state: Array
    make: MakeBatch
    batches: dict[Any, Batch] = field(default_factory=dict[Any, Batch])
    _runs: _SortedRuns | None = None

    def __len__(self) -> int:
        return len(self.layer)

    def reuse_order(self, last: Things) -> None:
        """Use the order of the last frame's things if it is the order of these too."""
        runs = last._runs if isinstance(last, Drawables) else None
        if (
            isinstance(last, Drawables) and runs is not None
            and same(self.layer, last.layer) and same(self.z, last.z) and same(self.state, last.state)
            and (not runs.by_height or same(self.height, last.height))
        ):  # fmt: skip
            self._runs = runs

    def runs(self, y_sorted: Array) -> Runs:
        """Return the runs of the things in drawing order. y_sorted: bool for each layer."""
        key = y_sorted.tobytes()
        if self._runs is None or self._runs.key != key:
            self._runs = self._sorted(y_sorted)
        return self._runs.runs

    def batch(self, start: int, count: int, state: int) -> Batch:
        """Return the batch of consecutive things of the order; the same object for the same arguments."""
        rows = slice(start, start + count) if self._runs is None else self._runs.rows(start, count)
        return _made(self, start, count, state, rows)

    def _sorted(self, y_sorted: Array) -> _SortedRuns:
        """Return the runs in drawing order."""
        self.batches.clear()
        layer, z, state = self.layer, self.z, self.state
        each = y_sorted[layer]
        by_height = bool(each.any())
        low = np.where(each, -self.height, np.float32(0)) if by_height else np.zeros(len(layer), np.float32)
        order = None
        if by_height or not _rising(layer, z):
            order = np.lexsort((low, z, layer))
            layer, z, low, state, each = layer[order], z[order], low[order], state[order], each[order]
        cut = (layer[1:] != layer[:-1]) | (z[1:] != z[:-1]) | (state[1:] != state[:-1]) | each[1:]
        start = np.concatenate([np.zeros(min(len(layer), 1), np.int64), np.flatnonzero(cut) + 1])
        count = np.diff(start, append=len(layer))
        runs = Runs(layer[start], z[start], low[start], state[start], start, count)
        return _SortedRuns(y_sorted.tobytes(), runs, order, by_height, {})


class _SortedRuns(NamedTuple):
    """The runs of things, and what they depend on.

    key: the layers that are sorted by y. order: of the rows that the runs refer to; None if it is the order of the rows
    themselves. by_height: whether the order depends on the heights. compact: the results of `rows`.
    """

    key: bytes
    runs: Runs
    order: Array | None
    by_height: bool
    compact: dict[tuple[int, int], Array | slice]

    def rows(self, start: int, count: int) -> Array | slice:
        """Return the rows of consecutive things of the order."""
        if self.order is None:
            return slice(start, start + count)
        rows = self.compact.get((start, count))
        if rows is None:
            rows = self.compact[start, count] = _compact(self.order[start : start + count])
        return rows


class Stretch(NamedTuple):
    """The description of a batch: consecutive things from `start` on, their state, and the layer and depth of the
    batch.
    """

    start: int
    count: int
    state: int
    layer: int
    z: float


@dataclass
class SortedThings:
    """Things that are already in drawing order, described by their runs. Can be used in place of `Drawables`.

    find: returns the runs; called once, and only if something else is drawn between the things. make: returns the batch
    of a slice in a given state. whole: the batches to make if nothing is drawn between the things, if known; shown: the
    layers of all of them. former: the batches of the last frame, if only some of the things changed since.
    """

    find: Callable[[], Runs]
    make: MakeBatch
    whole: Sequence[Stretch] | None = None
    shown: Any = ()
    former: FormerBatches | None = None
    batches: dict[Any, Batch] = field(default_factory=dict[Any, Batch])

    @cached_property
    def parts(self) -> Runs:
        """The runs of the things; they are computed on first use."""
        return self.find()

    @property
    def layer(self) -> Array:
        """int64: the layers of the runs."""
        return self.parts.layer

    def __len__(self) -> int:
        return len(self.parts.layer if self.whole is None else self.whole)

    def runs(self, y_sorted: Array) -> Runs:
        """Return the runs of the things in drawing order."""
        return self.parts

    def batch(self, start: int, count: int, state: int) -> Batch:
        """Return the batch of consecutive things; the same object for the same arguments."""
        number, batch = len(self.batches), _made(self, start, count, state, slice(start, start + count))
        if self.former is not None and len(self.batches) > number:
            key = start, count, state
            batch = self.batches[key] = self.former.renew(number, key, batch)
        return batch


Things = Drawables | SortedThings


def _made(things: Things, start: int, count: int, state: int, rows: Array | slice) -> Batch:
    """Return the batch of consecutive things; one that was made before gets a version. rows: those of these things."""
    key = (start, count, state)
    batch = things.batches.get(key)
    if batch is None:
        batch = things.batches[key] = things.make(rows, state)
    elif batch.version is None:
        batch.version = 0
    return batch


class _Emitted(NamedTuple):
    """What `emit` has found for a pass: the runs of each kind, the other values that the order depends on, and the
    batches, each with the index of its kind."""

    runs: list[Runs]
    key: tuple[Any, ...]
    stretches: list[tuple[int, Stretch]]


def emit(things: Sequence[Things], layers: Array, y_sorted: Array, pass_: Pass, results: dict[str, Any]) -> None:
    """Add the batches of the things on some layers to a pass.

    layers: bool, for each layer whether this pass shows it. y_sorted: bool, whether a layer is sorted by y. results:
    for each pass the result of the last frame, which is used again if the things are in the same order. If the things
    are the same objects, the batches are too, and get a version, so that a backend can keep the data that it derived
    from them.
    """
    some = [each for each in things if len(each) and _may_show(each, layers)]
    if not some:
        return
    others = [(batch.layer, batch.z) for batch in pass_.batches]
    alone = some[0] if len(some) == 1 and not others else None
    if isinstance(alone, SortedThings) and alone.whole is not None and layers[alone.shown].all():
        stretches = [(0, stretch) for stretch in alone.whole]
    else:
        runs = [each.runs(y_sorted) for each in some]
        key = layers.tobytes(), others
        last: _Emitted | None = results.get(pass_.name)
        if last is None or last.key != key or not _same_order(runs, last.runs):
            last = results[pass_.name] = _Emitted(runs, key, _stretches(runs, layers, others))
        stretches = last.stretches
    for which, (start, count, state, layer, z) in stretches:
        batch = some[which].batch(start, count, state)
        batch.layer, batch.z = layer, z
        pass_.batches.append(batch)


def _may_show(things: Things, layers: Array) -> bool:
    """Return False if it is known that none of the things are on the layers of a pass."""
    return not isinstance(things, SortedThings) or not len(things.shown) or bool(np.count_nonzero(layers[things.shown]))


def _same_order(runs: list[Runs], last: list[Runs]) -> bool:
    return len(runs) == len(last) and all(map(Runs.equals, runs, last))


def _stretches(parts: list[Runs], layers: Array, others: Sequence[tuple[int, float]]) -> list[tuple[int, Stretch]]:
    """Return the batches of the things on some layers, each with the index of its kind."""
    runs, source = _in_order(parts, layers)
    if not len(source):
        return []
    begin, end = _joined(runs, source, others)
    last = end - 1
    start = runs.start[begin]
    columns = start, runs.start[last] + runs.count[last] - start, runs.state[begin], runs.layer[begin], runs.z[begin]
    stretches = map(Stretch, *(column.tolist() for column in columns))
    return list(zip(source[begin].tolist(), stretches, strict=True))


def _in_order(parts: Sequence[Runs], layers: Array) -> tuple[Runs, Array]:
    """Return the runs of all kinds on some layers in drawing order, and the index of the kind of each."""
    if len(parts) == 1:
        runs, shown = parts[0], layers[parts[0].layer]
        runs = runs if shown.all() else runs.some(shown)
        return runs, np.zeros(len(runs.layer), np.int64)
    runs = Runs(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    source = np.repeat(np.arange(len(parts)), [len(part.layer) for part in parts])
    order = np.flatnonzero(layers[runs.layer])
    order = order[np.lexsort((runs.low[order], runs.z[order], runs.layer[order]))]
    return runs.some(order), source[order]


def same(one: Array, other: Array) -> bool:
    """Return whether two arrays are equal. Of few numbers, `any` and `all` take as long as ten comparisons."""
    return one is other or (one.shape == other.shape and not np.count_nonzero(one != other))


def among(rows: Array, others: Array) -> Array:
    """Return bool n: which of some rows of a table are among others; with fewer calls than `np.isin`."""
    if len(rows) + len(others) > _FEW:
        there = np.zeros(max(int(rows.max(initial=0)), int(others.max(initial=0))) + 1, np.bool_)
        there[others] = True
        return there[rows]
    known = set(others.tolist())
    return np.array([row in known for row in rows.tolist()], np.bool_)


def _rising(layer: Array, z: Array) -> bool:
    """Return True if the things are already in drawing order."""
    same = layer[1:] == layer[:-1]
    return bool(((layer[1:] > layer[:-1]) | (same & (z[1:] >= z[:-1]))).all())


def _joined(runs: Runs, source: Array, others: Sequence[tuple[int, float]]) -> tuple[Array, Array]:
    """Return which runs form a batch: the index of the first run of each batch, and of the one after the last."""
    cut = (
        (source[1:] != source[:-1])
        | (runs.state[1:] != runs.state[:-1])
        | (runs.start[1:] != runs.start[:-1] + runs.count[:-1])
    )
    for layer, z in others:
        above = (runs.layer > layer) | ((runs.layer == layer) & (runs.z > z))
        cut |= above[1:] & ~above[:-1]
    at = np.flatnonzero(cut) + 1
    return np.concatenate([[0], at]), np.concatenate([at, [len(source)]])


def _compact(rows: Array) -> Array | slice:
    """Return a slice if the rows are consecutive, so that nothing is copied; otherwise the rows."""
    first, last = int(rows[0]), int(rows[-1])
    if last - first + 1 == len(rows) and bool((rows[1:] - rows[:-1] == 1).all()):
        return slice(first, last + 1)
    return rows
