"""Parts: the sprites of a view that are in the same space, with the columns that packing needs.

The rows of a part ascend, unless the tables of Sprite and Transform are in another order. A change of few sprites
changes few positions of its columns, and few blocks of the packing order.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_jit import Array

from ...packing.order import PackingOrder, changed_blocks, order_of, resized
from ...packing.packer import READY, Packer
from ...packing.packing import Style
from ...packing.repack import patched_order

if TYPE_CHECKING:
    from .looks import SpriteLooks

_NO_FLOATS, _NO_BYTES = np.zeros(0, np.float32), np.zeros(0, np.uint8)


class Space(NamedTuple):
    """The placement of layers. screen: in screen space. follow: factors of the camera's motion along x and y."""

    screen: bool
    follow: tuple[float, float]


class Placing(NamedTuple):
    """Where n sprites are drawn. part: int64, the index of the space, -1 for a layer that the view does not show.

    layer, state: int64. z: float32.
    """

    part: Array
    layer: Array
    z: Array
    state: Array

    def some(self, which: Array) -> Placing:
        """Return those of the sprites that a bool or index array selects."""
        return Placing(*[column[which] for column in self])


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups in drawing order. layer: int64 k. z: float32 k. state: int64 k, an index into `Styles.states`."""

    layer: Array
    z: Array
    state: Array

    @cached_property
    def alike(self) -> list[tuple[int, int, int, list[int], list[float]]]:
        """Runs of consecutive groups with one state.

        For each run: the first group and the one after the last, their state, and the layers and the z values of the
        groups.
        """
        cut = np.flatnonzero(np.diff(self.state)) + 1
        bounds = [0, *cut.tolist(), len(self.state)]
        return [
            (first, end, int(self.state[first]), self.layer[first:end].tolist(), self.z[first:end].tolist())
            for first, end in itertools.pairwise(bounds)
        ]

    @cached_property
    def rows(self) -> list[tuple[int, float, int]]:
        """The layer, z and state of each group."""
        return list(zip(self.layer.tolist(), self.z.tolist(), self.state.tolist(), strict=True))

    @cached_property
    def numbers(self) -> dict[tuple[int, float, int], int]:
        """The number of each group by its layer, z and state."""
        return {row: number for number, row in enumerate(self.rows)}

    @cached_property
    def ties(self) -> list[range]:
        """For each group, the groups with its layer and z, which are in the order of their first sprites."""
        begin, ties = 0, list[range]()
        for end in range(1, len(self.rows) + 1):
            if end == len(self.rows) or self.rows[end][:2] != self.rows[begin][:2]:
                ties += [range(begin, end)] * (end - begin)
                begin = end
        return ties

    def of(self, placing: Placing) -> list[int] | None:
        """Return the group of each sprite; None if one has none yet."""
        keys = zip(placing.layer.tolist(), placing.z.tolist(), placing.state.tolist(), strict=True)
        groups = [self.numbers.get(key, -1) for key in keys]
        return None if -1 in groups else groups

    def in_order(self, touched: set[int], key: Array, counts: Array) -> bool:
        """Return whether groups of equal layer and z are still in the order of their first sprites.

        touched: the groups that lost or got sprites. key: the group of each sprite. counts: how many each group has.
        """
        for tie in {self.ties[group] for group in touched if len(self.ties[group]) > 1}:
            first = [int((key == group).argmax()) for group in tie if counts[group]]
            if first != sorted(first):
                return False
        return True


@dataclass(eq=False)
class Part:
    """The sprites of one space.

    rows, places: int32 n, their rows in the tables of Sprite and of Transform. If `whole`, `rows` are those of
    `numbers_below`. style: another object after each change. repeated: whether some may be repeated. whole: whether all
    rows of the table are in it; then the columns of its style are those of `SpriteLooks`, otherwise copies. ascends:
    whether the rows ascend. touched: the blocks whose sprites changed since they were packed; None for all.
    """

    space: Space
    rows: Array
    places: Array
    groups: Groups
    style: Style
    repeated: bool = False
    whole: bool = False
    ascends: bool = True
    touched: set[int] | None = None
    packer: Packer = field(default_factory=Packer)

    def position(self, row: int) -> int | None:
        """Return the position of a sprite by its row; None if it is not in the part."""
        if self.whole:
            return row if 0 <= row < len(self.rows) else None
        if not self.ascends:
            there = np.flatnonzero(self.rows == row)
            return int(there[0]) if len(there) else None
        at = int(self.rows.searchsorted(row))
        return at if at < len(self.rows) and self.rows[at] == row else None

    def positions(self, rows: Array) -> Array:
        """Return the positions of those of some sprites that are in the part, given by their rows; -1 is no row."""
        if self.whole:
            return rows[rows >= 0]
        if not self.ascends:
            return np.flatnonzero(np.isin(self.rows, rows))
        at = self.rows.searchsorted(rows)
        there = self.rows.take(at, mode="clip") == rows
        return at[there]

    def place(self, places: Array) -> None:
        """Set the rows of Transform."""
        if places is not self.places and not np.array_equal(places, self.places):
            self.places, self.style = places, self.style._replace()


def full_part(
    space: Space, rows: Array, places: Array, placing: Placing, looks: SpriteLooks, *, whole: bool
) -> Part:  # fmt: skip
    """Return a part with all its columns computed. whole: the rows are all rows of the table, in their order."""
    key, groups = grouped(placing)
    counts = np.bincount(key, minlength=len(groups.layer)).astype(np.int64)
    part = Part(space, rows, places, groups, _NO_STYLE)
    fill_style(part, looks, key, counts, None, whole=whole)
    return part


def fill_style(
    part: Part, looks: SpriteLooks, key: Array, counts: Array, positions: Array | None, *, whole: bool
) -> None:  # fmt: skip
    """Set the style of a part from the looks of its sprites.

    key: the group of each sprite. counts: how many sprites each group has. positions: those that changed; None for all.
    """
    before, rows, was_whole, part.whole = part.style, part.rows, part.whole, whole
    some = rows if positions is None else rows[positions]
    anew = positions is None
    shifted = bool(looks.shift[some].any()) or (not anew and len(before.shift) > 0)
    snapped = bool(looks.snaps[some].any()) or (not anew and len(before.snaps) > 0)
    part.repeated = bool(looks.repeat[some].any()) or (not anew and part.repeated)

    def column(source: Array, last: Array) -> Array:
        """Return the values of a look for the sprites of the part."""
        if whole:
            return source
        if positions is None or not len(last) or was_whole:
            return source[rows]
        values = resized(last.reshape(-1, *source.shape[1:]), len(rows))
        values[positions] = source[some]
        return values

    part.style = Style(
        column(looks.size, before.sizes).reshape(-1),
        column(looks.frame, before.frame),
        column(looks.rgba, before.rgba),
        key,
        column(looks.shift, before.shift).reshape(-1) if shifted else _NO_FLOATS,
        column(looks.snaps, before.snaps) if snapped else _NO_BYTES,
        counts,
        _touch(part, key, counts, positions),
    )


def _touch(part: Part, key: Array, counts: Array, positions: Array | None) -> PackingOrder:
    """Note the blocks of the changed sprites in `part.touched`, and return the packing order."""
    before = part.style
    if positions is None:
        part.touched = None
        return order_of(key)
    blocks = changed_blocks(len(before.order.places), len(key), positions)
    if part.touched is not None:
        part.touched.update(blocks)
    if counts is before.groups:
        return before.order
    return patched_order(before.order, key, len(counts), blocks) if READY.ready else order_of(key)


def numbers_below(count: int, before: Array) -> Array:
    """Return the numbers from 0 on, int32. before: a result of this function, whose memory is used if it suffices."""
    room = before if before.base is None else before.base
    if len(room) < count:
        room = np.arange(count + count // 2 + 16, dtype=np.int32)
    return room[:count]


_NO_STYLE = Style(
    _NO_FLOATS, np.zeros(0, np.uint16), np.zeros(0, np.uint32), np.zeros(0, np.uint32), _NO_FLOATS, _NO_BYTES,
    np.zeros(0, np.int64), PackingOrder(*(np.zeros(0, kind) for kind in (np.uint8, np.int64, np.uint16, np.uint32))),
)  # fmt: skip


def grouped(placing: Placing) -> tuple[Array, Groups]:
    """Return the group of each sprite, uint32 n, and the groups, sorted by layer, z and first sprite."""
    _, layer, z, state = placing
    if (layer == layer[0]).all() and (z == z[0]).all() and (state == state[0]).all():
        return np.zeros(len(layer), np.uint32), Groups(layer[:1], z[:1], state[:1])
    # Map the bits of a float32 to a uint32 of the same order: flip all bits if negative, else only the sign.
    bits = z.view(np.uint32)
    rank = np.where(bits >> np.uint32(31), ~bits, bits | np.uint32(1 << 31)).astype(np.uint64)
    code = layer.astype(np.uint64) << np.uint64(48) | rank << np.uint64(16) | state.astype(np.uint64)
    codes, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    order = np.lexsort((first, codes >> np.uint64(16)))
    place = np.empty(len(order), np.uint32)
    place[order] = np.arange(len(order), dtype=np.uint32)
    chosen = first[order]
    return place[inverse.reshape(-1)], Groups(layer[chosen].astype(np.int64), z[chosen], state[chosen])
