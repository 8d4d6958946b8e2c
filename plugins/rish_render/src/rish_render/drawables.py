"""Drawables: things of different kinds brought into one order, and cut into batches.

Each kind extracts what is visible into a `Drawables`: where it stands in the order, which state it needs, and how to
make a batch of some of it. `emit` sorts them all together by layer, then z (or by height, on layers that are sorted so),
and cuts the row where kind or state changes. What another plugin has put into the same pass cuts it as well: a batch
never spans a z at which somebody else draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core.frame.batches import Batch
from rish_core.frame.passes import Pass

Array = npt.NDArray[Any]
MakeBatch = Callable[[Array | slice, int], Batch]


@dataclass
class Drawables:
    """The visible things of one kind, in the order in which they are drawn where layer and z are equal.

    layer: int64 n. z: float32 n. height: float32 n, where a thing stands, for layers sorted by y. state: int64 n,
    what can't be mixed within a batch. make: the batch of some rows (an index array or a slice) in a given state.
    """

    layer: Array
    z: Array
    height: Array
    state: Array
    make: MakeBatch

    def __len__(self) -> int:
        return len(self.layer)


def emit(kinds: Sequence[Drawables], layers: Array, y_sorted: Array, pass_: Pass) -> None:
    """Add the batches of those things that lie on some layers to a pass.

    layers: bool, for each layer whether this pass shows it. y_sorted: bool, whether a layer is sorted by y.
    """
    kinds = [kind for kind in kinds if len(kind)]
    if not kinds:
        return
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
    for begin, end in _runs(columns, pass_.batches):
        kind = kinds[columns[2][begin]]
        batch = kind.make(_compact(columns[3][begin:end]), int(columns[4][begin]))
        batch.layer, batch.z = int(columns[0][begin]), float(columns[1][begin])
        pass_.batches.append(batch)


def _rising(layer: Array, z: Array) -> bool:
    """Whether the things are in order already."""
    same = layer[1:] == layer[:-1]
    return bool(((layer[1:] > layer[:-1]) | (same & (z[1:] >= z[:-1]))).all())


def _runs(columns: Sequence[Array], others: Sequence[Batch]) -> list[tuple[int, int]]:
    """Where to cut the sorted row: (begin, end) of each batch."""
    layer, z, source, _, state = columns
    if not len(layer):
        return []
    cut = (layer[1:] != layer[:-1]) | (source[1:] != source[:-1]) | (state[1:] != state[:-1])
    for other in others:
        here = layer == other.layer
        cut |= here[1:] & here[:-1] & (z[:-1] <= other.z) & (z[1:] > other.z)
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
