"""The packer: packs one set of sprites frame by frame, or only the blocks in which something changed.

The packed sprites of a group are in the order of their blocks. Those of a changed block replace those that the block
had before, and the sprites behind them are moved. One sprite that comes among 100,000 costs 0.3 ms less so.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from rish_frame import INSTANCE
from rish_frame.poses import KERNEL_ROWS, Poses, plain_bases
from rish_jit import Array, Ready

from ..drawables.former_batches import Move
from .order import BLOCK, PackingOrder, order_of
from .packing import Packed, PackingArea, Style, plain_pack
from .repack import patched_order, repack

_F32 = np.float32
_NONE = np.zeros(0, np.int32)
_NO_ODD = np.zeros(0, np.int64)
_NO_ROWS = np.zeros(0, np.uint64)
FEW_BLOCKS = 8
"""More changed blocks than this are not packed alone."""


def _warm_up() -> None:
    """Pack two sprites, and again, with the kernels, so that they are compiled."""
    rows = np.arange(2, dtype=np.int32)
    pairs, flat = np.ones(4, _F32), np.ones(2, _F32)
    matrices = np.array([[1, 0, 0, 1, 0, 0]], _F32)
    poses = Poses(pairs, flat, pairs, pairs, flat, pairs, _F32(0.5), np.zeros(2, np.uint32), matrices)
    groups, key = np.array([2], np.int64), np.zeros(2, np.uint32)
    style = Style(
        pairs, np.zeros(2, np.uint16), key, key, np.zeros(0, _F32), np.zeros(0, np.uint8), groups, order_of(key)
    )
    window = PackingArea((0.0, 0.0), (9.0, 9.0), 1.0, 1.0).numbers()
    packer = Packer()
    packer.compiled(poses, plain_bases(matrices), rows, style, window, False)
    packer.patch(poses, plain_bases(matrices), rows, style, [0])
    patched_order(style.order, key, 1, [0])


READY = Ready(_warm_up)
"""Whether the kernels of packing are compiled and can be called."""


class _Last(NamedTuple):
    """What a changed block replaces: the last result, if all visible sprites fit.

    numbers: of the area. taken: uint16, how many sprites of each stretch of `order` are packed. counts: int64, how many
    of each group.
    """

    numbers: Array
    order: PackingOrder
    taken: Array
    counts: Array


class Packer:
    """Packs one set of sprites frame by frame; each result overwrites the previous one.

    Data that stays valid for more than a frame is cached together with the arrays that it was computed from.
    """

    def __init__(self) -> None:
        self._out: Array = np.zeros(0, np.uint64)
        self._odd: Array = np.zeros(0, np.int32)
        self._source: Array = np.zeros(0, np.int32)
        self._scratch: Array = np.zeros(0, np.uint64)
        self._terms: Array = np.zeros(0, _F32)
        self._order: PackingOrder | None = None
        self._starts: Array = np.zeros(0, np.uint32)
        self._cursor: Array = np.zeros(0, np.uint32)
        self._rows: Array = _NONE
        self._follow = False
        self._last: _Last | None = None

    def pack(
        self, poses: Poses, bases: Array, rows: Array, style: Style, window: PackingArea, *, sources: bool = False
    ) -> Packed:
        """Pack the sprites with these rows of poses, int32 n; see the classes. sources: also return `source`."""
        if not READY.serve(len(rows), KERNEL_ROWS):
            self._last = None
            return plain_pack(poses, bases, rows, style, window.numbers(), sources=sources)
        return self.compiled(poses, bases, rows, style, window.numbers(), sources)

    def compiled(self, poses: Poses, bases: Array, rows: Array, style: Style, numbers: Array, sources: bool) -> Packed:
        """Pack with the kernels; see `pack`. numbers: the window's `PackingArea.numbers`."""
        from .kernels import pack

        n = len(rows)
        self._prepare(rows, style)
        out, odd, order = self._out, self._odd, style.order
        source = self._source if sources else _NONE
        counts, taken = np.empty(len(style.groups), np.int64), np.empty(len(order.ends), np.uint16)
        total, odds = pack(
            (_NONE if self._follow else rows, int(rows[0]), n),
            poses.back,
            (poses.position, poses.rotation, poses.scale, poses.last_position, poses.last_rotation, poses.last_scale),
            (poses.slots, bases.reshape(-1)),
            numbers,
            (style.sizes, style.frame, style.rgba, style.shift, style.snaps),
            (order.places, order.blocks, order.ends, order.group, self._starts),
            (counts, taken, out, source, odd),
            (self._cursor, self._scratch, self._terms),
        )
        which = before = _NO_ODD
        if odds:
            which, before = odd[: 2 * odds : 2].astype(np.int64), odd[1 : 2 * odds : 2].astype(np.int64)
            by_number = np.argsort(which)
            which, before = which[by_number], before[by_number]
            before -= self._starts[style.key[which]]
        self._last = None if odds or sources else _Last(numbers, order, taken, counts)
        return Packed(out[: 2 * total].view(INSTANCE), counts, source[:total], which, before)

    def patch(self, poses: Poses, bases: Array, rows: Array, style: Style, touched: Collection[int]) -> Packed | None:
        """Pack some blocks again in the area of the last result; return None if all sprites must be packed.

        touched: the blocks in which sprites came, went, moved or changed since the last result, see `changed_blocks`.
        """
        last = self._last
        if (
            last is None or not len(rows) or 2 * len(rows) > len(self._out) or len(touched) > FEW_BLOCKS
            or len(last.counts) != len(style.groups)
        ):  # fmt: skip
            return None
        order, then, groups = style.order, last.order, len(style.groups)
        counts, taken = last.counts.copy(), np.empty(len(order.ends), np.uint16)
        n = len(touched)
        moves = np.empty((n * groups + 1, 3), np.int64)
        number = repack(
            np.array(sorted(touched), np.int64),
            rows,
            poses.back,
            (poses.position, poses.rotation, poses.scale, poses.last_position, poses.last_rotation, poses.last_scale),
            (poses.slots, bases.reshape(-1)),
            last.numbers,
            (style.sizes, style.frame, style.rgba, style.shift, style.snaps),
            (order.places, order.blocks, order.ends, order.group),
            (then.blocks, then.group, last.taken),
            (counts, taken, self._out, moves.reshape(-1)),
            (
                np.empty(2 * n * BLOCK, np.uint64), np.empty(2 * BLOCK, np.int32), np.empty(n * groups, np.int64),
                np.empty(2 * n * groups, np.int64), np.empty(groups, np.uint32), np.empty(groups, np.int64),
                (self._cursor, self._scratch, self._terms),
            ),
        )  # fmt: skip
        if number < 0:
            return None
        self._last = last._replace(order=order, taken=taken, counts=counts)
        same = [Move(*move) for move in moves[:number].tolist()]
        return Packed(self._out[: 2 * int(counts.sum())].view(INSTANCE), counts, _NONE, _NO_ODD, _NO_ODD, same)

    def _prepare(self, rows: Array, style: Style) -> None:
        """Allocate the buffers for these sprites, and compute everything that the kernels need beforehand."""
        count = len(rows)
        if len(self._odd) < 2 * count:
            from .kernels import SCRATCH
            from .lanes import TERMS

            room = count + count // 4
            self._out, self._odd = np.zeros(2 * room, np.uint64), np.zeros(2 * room, np.int32)
            self._source = np.zeros(room, np.int32)
            self._scratch, self._terms = np.zeros(SCRATCH // 2, np.uint64), np.zeros(TERMS, _F32)
        if style.order is not self._order:
            self._order = style.order
            self._starts = (style.groups.cumsum() - style.groups).astype(np.uint32)
            self._cursor = self._starts.copy()
        if rows is not self._rows:
            self._rows, self._follow = rows, _follow(rows)


def _follow(rows: Array) -> bool:
    """Return whether rows are consecutive."""
    return int(rows[-1]) - int(rows[0]) + 1 == len(rows) and bool((rows[1:] - rows[:-1] == 1).all())
