"""Puts the things of paintings at their places, and joins neighbors in the drawing order to batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from rish_frame import Batch
from rish_frame.frame import Rect
from rish_jit import Array

from ...drawables.drawables import Runs, SortedThings, Stretch
from .items import Flat

_COLORS = ("rgba", "rgba2", "edge")
_LENGTHS = ("half", "corner", "line", "width")
SOURCE = "render"


class Pose(NamedTuple):
    """Where a painting is in the space of its layer: the place of its origin, its scale, and its opacity."""

    x: float
    y: float
    scale: float
    opacity: float


class Row(NamedTuple):
    """Items of a part at one position of the drawing order: a Flat, or the batch of the letters."""

    layer: int
    z: float
    low: float
    item: Flat | Batch
    pose: Pose
    clip: Rect | None

    @property
    def state(self) -> tuple[Any, ...]:
        """The key by which neighbors in the drawing order are joined: those of equal state become one batch."""
        item = self.item
        if isinstance(item, Batch):
            return (id(item),)
        return self.layer, item.kind, item.filter, item.texture, self.clip


@dataclass(eq=False)
class Joined:
    """Neighbors that are one batch. arrays: of all of them, in the spaces of their paintings."""

    rows: list[Row]
    arrays: dict[str, Array]
    batch: Batch


Made = dict[Flat | Batch, Joined]
"""Batches by the first item in them."""


def things_of(rows: Sequence[Row], before: Made, batches: Made) -> SortedThings:
    """Return rows as things in drawing order.

    before: the batches of the last frame; those that are the same get a version. batches: those of this frame are
    added to it.
    """
    rows = sorted(rows, key=itemgetter(0, 1, 2))
    numbers: dict[Any, int] = {}
    states = [numbers.setdefault(row.state, len(numbers)) for row in rows]

    def runs() -> Runs:
        number = np.arange(len(rows))
        layer, z, low = (np.array(column) for column in list(zip(*rows, strict=True))[:3])
        return Runs(layer, z.astype(np.float32), low.astype(np.float32), np.array(states), number, np.ones_like(number))

    def make(some: Array | slice, state: int) -> Batch:
        chosen = list(rows[some]) if isinstance(some, slice) else [rows[k] for k in some.tolist()]
        first = chosen[0].item
        last = before.get(first)
        joined = batches[first] = _joined(chosen, last)
        if last is not None and joined.batch is last.batch:
            joined.batch.version = 0
        return joined.batch

    whole: list[Stretch] = []
    for state, group in groupby(range(len(rows)), states.__getitem__):
        number = list(group)
        whole.append(Stretch(number[0], len(number), state, rows[number[0]].layer, rows[number[0]].z))
    return SortedThings(runs, make, whole, [*{row.layer for row in rows}])


def _joined(rows: list[Row], last: Joined | None) -> Joined:
    """Return the batch of neighbors of equal state. last: that of the last frame with the same first item."""
    first = rows[0].item
    if isinstance(first, Batch):
        return last or Joined(rows, {}, first)
    if last is not None and last.rows == rows:
        return last
    flats: list[Any] = [row.item for row in rows]
    same = last is not None and [row.item for row in last.rows] == flats
    arrays = last.arrays if last is not None and same else _gathered(flats)
    counts = [flat.stop - flat.start for flat in flats]
    placed = _placed(arrays, [row.pose for row in rows], counts)
    batch = Batch(
        first.kind, placed, filter=first.filter, texture=first.texture, clip=rows[0].clip, source=SOURCE
    )  # fmt: skip
    return Joined(rows, arrays, batch)


def _gathered(flats: Sequence[Flat]) -> dict[str, Array]:
    """Return the rows of several Flats as arrays, which are not copied if they lie beside each other."""
    pieces: list[tuple[dict[str, Array], int, int]] = []
    for flat in flats:
        if pieces and pieces[-1][0] is flat.arrays and pieces[-1][2] == flat.start:
            pieces[-1] = flat.arrays, pieces[-1][1], flat.stop
        else:
            pieces.append((flat.arrays, flat.start, flat.stop))
    names = flats[0].arrays
    if len(pieces) == 1:
        arrays, start, stop = pieces[0]
        return {name: arrays[name][start:stop] for name in names}
    return {name: np.concatenate([arrays[name][start:stop] for arrays, start, stop in pieces]) for name in names}


def _placed(arrays: dict[str, Array], poses: Sequence[Pose], counts: Sequence[int]) -> dict[str, Array]:
    """Return arrays with everything at its place; what stays the same is not copied. counts: rows of each pose."""
    if all(pose == poses[0] for pose in poses):
        poses, counts = poses[:1], [sum(counts)]
    x, y, scale, opacity = np.repeat(np.array(poses), counts, axis=0).T
    factor, place = scale.astype(np.float32), np.stack([x, y], axis=1).astype(np.float32)
    scaled, shifted, fades = bool((scale != 1).any()), bool(place.any()), bool((opacity < 1).any())
    placed = dict(arrays)
    for name, array in arrays.items():
        if name in ("matrix", "points") and (scaled or shifted):
            placed[name] = array * factor[:, None]
            placed[name][:, -2:] += place
            if name == "points":
                placed[name][:, :2] += place
        elif name in _LENGTHS and scaled:
            placed[name] = array * (factor[:, None] if array.ndim > 1 else factor)
        elif name in _COLORS and fades:
            placed[name] = faded(array, opacity)
    return placed


def faded(rgba: Array, opacity: Array | float) -> Array:
    """Return colors, uint8 (n, 4), with their opacity multiplied."""
    colors = rgba.copy()
    colors[:, 3] = np.floor(rgba[:, 3] * np.clip(opacity, 0.0, 1.0) + 0.5)
    return colors
