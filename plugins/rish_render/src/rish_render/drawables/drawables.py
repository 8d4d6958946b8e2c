"""Drawables: sorts things of different kinds into one order and cuts it into batches.

Each kind extracts its visible things into `Drawables`: the position of each thing in the order, the state that it
needs, and a function that makes the batch of some of them. Things that are consecutive in the order form a *run*.
`emit` sorts the runs of all kinds by layer, then z (or by height, on a layer that is sorted by y), joins neighbors of
one kind and state, and makes their batches. A batch never spans a position in the order at which another plugin draws
into the same pass. If the things did not change, the batches are the same objects as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, get_args

import numpy as np

from rish_frame import Batch, Pass
from rish_frame.frame import Blend, Filter
from rish_jit import Array

BLENDS: tuple[Blend, ...] = get_args(Blend)
FILTERS: tuple[Filter, ...] = get_args(Filter)
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
    _runs: tuple[bytes, Runs, Array | None] | None = None

    def __len__(self) -> int:
        return len(self.layer)

    def runs(self, y_sorted: Array) -> Runs:
        """Return the runs of the things in drawing order. y_sorted: bool for each layer."""
        key = y_sorted.tobytes()
        if self._runs is None or self._runs[0] != key:
            self._runs = (key, *self._sorted(y_sorted))
        return self._runs[1]

    def batch(self, start: int, count: int, state: int) -> Batch:
        """Return the batch of consecutive things of the order; the same object for the same arguments."""
        order = None if self._runs is None else self._runs[2]
        return _made(self, start, count, state, order)

    def _sorted(self, y_sorted: Array) -> tuple[Runs, Array | None]:
        """Return the runs, and the order of rows that they refer to; None if it is the order of the rows themselves."""
        self.batches.clear()
        layer, z, state = self.layer, self.z, self.state
        each = y_sorted[layer]
        low = np.where(each, -self.height, np.float32(0)) if each.any() else np.zeros(len(layer), np.float32)
        order = None
        if each.any() or not _rising(layer, z):
            order = np.lexsort((low, z, layer))
            layer, z, low, state, each = layer[order], z[order], low[order], state[order], each[order]
        cut = (layer[1:] != layer[:-1]) | (z[1:] != z[:-1]) | (state[1:] != state[:-1]) | each[1:]
        start = np.concatenate([np.zeros(min(len(layer), 1), np.int64), np.flatnonzero(cut) + 1])
        count = np.diff(start, append=len(layer))
        return Runs(layer[start], z[start], low[start], state[start], start, count), order


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
    layers of all of them.
    """

    find: Callable[[], Runs]
    make: MakeBatch
    whole: Sequence[Stretch] | None = None
    shown: Any = ()
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
        return _made(self, start, count, state, None)


Things = Drawables | SortedThings


def _made(things: Things, start: int, count: int, state: int, order: Array | None) -> Batch:
    """Return the batch of consecutive things; one that was made before gets a version. order: of the rows."""
    key = (start, count, state)
    batch = things.batches.get(key)
    if batch is None:
        rows = slice(start, start + count) if order is None else _compact(order[start : start + count])
        batch = things.batches[key] = things.make(rows, state)
    else:
        batch.version = 0
    return batch


def emit(things: Sequence[Things], layers: Array, y_sorted: Array, pass_: Pass, results: dict[str, Any]) -> None:
    """Add the batches of the things on some layers to a pass.

    layers: bool, for each layer whether this pass shows it. y_sorted: bool, whether a layer is sorted by y. results:
    for each pass the key of its last result, its batches, and the things, so that their ids stay unique. If the things
    are the same objects, the batches are too, and get a version, so that a backend can keep the data that it derived
    from them.
    """
    some = [each for each in things if len(each)]
    if not some:
        return
    others = [(batch.layer, batch.z) for batch in pass_.batches]
    key = ([id(each) for each in some], layers.tobytes(), y_sorted.tobytes(), others)
    last = results.get(pass_.name)
    if last is None or last[0] != key:
        last = results[pass_.name] = (key, list(_batches(some, layers, y_sorted, others)), some)
    else:
        for batch in last[1]:
            batch.version = 0
    pass_.batches.extend(last[1])


def _batches(
    things: Sequence[Things], layers: Array, y_sorted: Array, others: Sequence[tuple[int, float]]
) -> Iterator[Batch]:
    alone = things[0] if len(things) == 1 and not others else None
    if isinstance(alone, SortedThings) and alone.whole is not None and layers[alone.shown].all():
        for start, count, state, layer, z in alone.whole:
            batch = alone.batch(start, count, state)
            batch.layer, batch.z = layer, z
            yield batch
        return
    runs, source = _in_order([each.runs(y_sorted) for each in things], layers)
    if not len(source):
        return
    begin, end = _joined(runs, source, others)
    last = end - 1
    rows = zip(
        source[begin].tolist(), runs.start[begin].tolist(), (runs.start[last] + runs.count[last]).tolist(),
        runs.state[begin].tolist(), runs.layer[begin].tolist(), runs.z[begin].tolist(), strict=True,
    )  # fmt: skip
    for which, first, stop, state, layer, z in rows:
        batch = things[which].batch(first, stop - first, state)
        batch.layer, batch.z = layer, z
        yield batch


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
    if last - first + 1 == len(rows) and (len(rows) == 1 or bool((np.diff(rows) == 1).all())):
        return slice(first, last + 1)
    return rows


def rgba_bytes(colors: Array, opacity: Array) -> Array:
    """Return colors 0..1, float32 (n, 4), times an opacity n, as uint8 (n, 4)."""
    scaled = colors * np.float32(255)
    scaled[:, 3] *= opacity
    return np.clip(np.floor(scaled + np.float32(0.5)), 0, 255).astype(np.uint8)
