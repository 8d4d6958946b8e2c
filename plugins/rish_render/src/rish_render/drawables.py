"""Drawables: things of different kinds brought into one order, and cut into batches.

Each kind extracts what is visible into a `Drawables`: where it stands in the order, which state it needs, and how
to make a batch of some of it. `emit` sorts them all together by layer, then z (or by height, where a layer says so),
and cuts the row where kind or state changes. What another plugin has put into the same pass cuts it as well: a batch
never spans a z at which somebody else draws. Batches of things that did not change are the same objects again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from rish_core.frame.batches import Batch, Blend, Filter
from rish_core.frame.passes import Pass

Array = npt.NDArray[Any]
BLENDS: tuple[Blend, ...] = get_args(Blend)
FILTERS: tuple[Filter, ...] = get_args(Filter)
MakeBatch = Callable[[Array | slice, int], Batch]


@dataclass
class Drawables:
    """The visible things of one kind, in the order in which they are drawn where layer and z are equal.

    layer: int64 n. z: float32 n. height: float32 n, where a thing stands, for layers sorted by y. state: int64 n,
    what can't be mixed within a batch. make: the batch of some rows (an index array or a slice) in a given state.
    made: the batches that were asked for so far, which don't change any more.
    """

    layer: Array
    z: Array
    height: Array
    state: Array
    make: MakeBatch
    made: dict[Any, Batch] = field(default_factory=dict[Any, Batch])

    def batch(self, rows: Array, state: int) -> Batch:
        """The batch of some rows; the same object for the same question."""
        some = _compact(rows)
        key = (some.start, some.stop, state) if isinstance(some, slice) else (some.tobytes(), state)
        batch = self.made.get(key)
        if batch is None:
            batch = self.made[key] = self.make(some, state)
            batch.version = 0
        return batch

    def __len__(self) -> int:
        return len(self.layer)


def emit(kinds: Sequence[Drawables], layers: Array, y_sorted: Array, pass_: Pass, kept: dict[str, Any]) -> None:
    """Add the batches of those things that lie on some layers to a pass.

    layers: bool, for each layer whether this pass shows it. y_sorted: bool, whether a layer is sorted by y. kept:
    the batches of the last call by pass; where the things are the same objects, so are the batches.
    """
    kinds = [kind for kind in kinds if len(kind)]
    if not kinds:
        return
    others = [(batch.layer, batch.z) for batch in pass_.batches]
    key = ([id(kind) for kind in kinds], layers.tobytes(), y_sorted.tobytes(), others)
    last = kept.get(pass_.name)
    if last is None or last[0] != key:
        last = kept[pass_.name] = (key, list(_batches(kinds, layers, y_sorted, others)), kinds)
    pass_.batches.extend(last[1])


def _batches(
    kinds: Sequence[Drawables], layers: Array, y_sorted: Array, others: Sequence[tuple[int, float]]
) -> Iterator[Batch]:
    layer = np.concatenate([kind.layer for kind in kinds])
    z = np.concatenate([kind.z for kind in kinds])
    source = np.repeat(np.arange(len(kinds)), [len(kind) for kind in kinds])
    row = np.concatenate([np.arange(len(kind)) for kind in kinds])
    state = np.concatenate([kind.state for kind in kinds])
    order = np.flatnonzero(layers[layer])
    if y_sorted.any():
        height = np.concatenate([kind.height for kind in kinds])
        low = np.where(y_sorted[layer], -height, np.float32(0))
        order = order[np.lexsort((low[order], z[order], layer[order]))]
    elif not _rising(layer[order], z[order]):
        order = order[np.lexsort((z[order], layer[order]))]
    columns = tuple(column[order] for column in (layer, z, source, row, state))
    for begin, end in _runs(columns, others):
        kind = kinds[columns[2][begin]]
        batch = kind.batch(columns[3][begin:end], int(columns[4][begin]))
        batch.layer, batch.z = int(columns[0][begin]), float(columns[1][begin])
        yield batch


def _rising(layer: Array, z: Array) -> bool:
    """Whether the things are in order already."""
    same = layer[1:] == layer[:-1]
    return bool(((layer[1:] > layer[:-1]) | (same & (z[1:] >= z[:-1]))).all())


def _runs(columns: Sequence[Array], others: Sequence[tuple[int, float]]) -> list[tuple[int, int]]:
    """Where to cut the sorted row: (begin, end) of each batch."""
    layer, z, source, _, state = columns
    if not len(layer):
        return []
    cut = (layer[1:] != layer[:-1]) | (source[1:] != source[:-1]) | (state[1:] != state[:-1])
    for other_layer, other_z in others:
        here = layer == other_layer
        cut |= here[1:] & here[:-1] & (z[:-1] <= other_z) & (z[1:] > other_z)
    at = np.flatnonzero(cut) + 1
    return list(zip([0, *at.tolist()], [*at.tolist(), len(layer)], strict=True))


def _compact(rows: Array) -> Array | slice:
    """A slice where the rows follow one another, so that nothing is copied."""
    first, last = int(rows[0]), int(rows[-1])
    if last - first + 1 == len(rows) and (len(rows) == 1 or bool((np.diff(rows) == 1).all())):
        return slice(first, last + 1)
    return rows


def rgba_bytes(colours: Array, opacity: Array) -> Array:
    """Colours 0..1, float32 (n, 4), times an opacity n, as uint8 (n, 4)."""
    scaled = colours * np.float32(255)
    scaled[:, 3] *= opacity
    return np.clip(np.floor(scaled + np.float32(0.5)), 0, 255).astype(np.uint8)
