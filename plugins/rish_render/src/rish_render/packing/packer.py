"""The packer: packs one set of sprites frame by frame, or only the blocks in which something changed.

The packed sprites of a group are in the order of their blocks. Those of a changed block replace those that the block
had before, and the sprites behind them are moved. One sprite that comes among 100,000 costs 0.3 ms less so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from rish_frame import INSTANCE
from rish_frame.poses import KERNEL_ROWS, Poses, plain_bases
from rish_jit import Array, Ready

from ..drawables.former_batches import Move
from .order import BLOCK, PackingOrder, order_of, spliced
from .packing import Packed, PackingArea, Style, plain_pack

_F32 = np.float32
_NONE = np.zeros(0, np.int32)
_NO_ODD = np.zeros(0, np.int64)
_NO_ROWS = np.zeros(0, np.uint64)
FEW_BLOCKS = 8
"""More changed blocks than this are not packed alone."""


def _warm_up() -> None:
    """Pack and color two sprites with the kernels, so that they are compiled."""
    from .kernels import color_bytes

    rows = np.arange(2, dtype=np.int32)
    pairs, flat = np.ones(4, _F32), np.ones(2, _F32)
    matrices = np.array([[1, 0, 0, 1, 0, 0]], _F32)
    poses = Poses(pairs, flat, pairs, pairs, flat, pairs, _F32(0.5), np.zeros(2, np.uint32), matrices)
    groups, key = np.array([2], np.int64), np.zeros(2, np.uint32)
    style = Style(
        pairs, np.zeros(2, np.uint16), key, key, np.zeros(0, _F32), np.zeros(0, np.uint8), groups, order_of(key)
    )
    window = PackingArea((0.0, 0.0), (9.0, 9.0), 1.0, 1.0).numbers()
    Packer().compiled(poses, plain_bases(matrices), rows, style, window, False)
    color_bytes(pairs, flat, np.zeros(1, np.int32), np.zeros(1, np.uint32))


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


class _Edit(NamedTuple):
    """The packed sprites of one group in one block, which are replaced.

    start, count: the sprites before. rows: uint64, two numbers for each sprite now.
    """

    group: int
    block: int
    start: int
    count: int
    rows: Array


class _Block(NamedTuple):
    """The packed sprites of one block. counts: int64, of each group. taken: uint16, of each stretch. rows: uint64."""

    counts: Array
    taken: Array
    rows: Array


_NO_SPRITES = _Block(np.zeros(1, np.int64), np.zeros(0, np.uint16), _NO_ROWS)


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
        self._placed: tuple[Array, Array] | None = None
        self._follow = False
        self._even: Array = np.zeros(0, np.uint8)
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
        self._prepare(poses.slots, rows, style)
        out, odd, order = self._out, self._odd, style.order
        source = self._source if sources else _NONE
        counts, taken = np.empty(len(style.groups), np.int64), np.empty(len(order.ends), np.uint16)
        total, odds = pack(
            (_NONE if self._follow else rows, int(rows[0]), n),
            poses.back,
            (poses.position, poses.rotation, poses.scale, poses.last_position, poses.last_rotation, poses.last_scale),
            (poses.slots, self._even, bases.reshape(-1)),
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
        count, counts = len(style.order.blocks) - 1, last.counts.copy()
        edits, taken = list[_Edit](), dict[int, Array]()
        for block in sorted(touched):
            now: _Block | None = _NO_SPRITES
            if block < count:
                now = self._pack_block(poses, bases, rows, style, last.numbers, block)
                if now is None:
                    return None
                taken[block] = now.taken
            edits += _edits_of(last, block, now)
        for edit in edits:
            counts[edit.group] += len(edit.rows) // 2 - edit.count
        moves = _replace(self._out, sorted(edits, key=lambda edit: edit[:2]), int(last.counts.sum()))
        self._last = last._replace(
            order=style.order, taken=spliced(last.taken, last.order.blocks, count, taken), counts=counts
        )
        return Packed(self._out[: 2 * int(counts.sum())].view(INSTANCE), counts, _NONE, _NO_ODD, _NO_ODD, moves)

    def _pack_block(
        self, poses: Poses, bases: Array, rows: Array, style: Style, numbers: Array, block: int
    ) -> _Block | None:
        """Pack the sprites of one block; return None if some are visible but do not fit."""
        from .kernels import pack

        order, mine = style.order, slice(block * BLOCK, (block + 1) * BLOCK)
        both = slice(2 * mine.start, 2 * mine.stop)
        stretches = slice(int(order.blocks[block]), int(order.blocks[block + 1]))
        rows = rows[mine]
        n, first, follow = len(rows), int(rows[0]), _follow(rows)
        slots = poses.slots[first : first + BLOCK]
        even = np.array([follow and n == BLOCK and bool((slots == slots[0]).all())], np.uint8)
        counts, taken = np.empty(len(style.groups), np.int64), np.empty(stretches.stop - stretches.start, np.uint16)
        groups = np.bincount(style.key[mine], minlength=len(counts))
        starts = (groups.cumsum() - groups).astype(np.uint32)
        out, odd = np.empty(2 * n, np.uint64), np.empty(2 * n, np.int32)
        total, odds = pack(
            (_NONE if follow else rows, first, n),
            poses.back,
            (poses.position, poses.rotation, poses.scale, poses.last_position, poses.last_rotation, poses.last_scale),
            (poses.slots, even, bases.reshape(-1)),
            numbers,
            (style.sizes[both], style.frame[mine], style.rgba[mine], style.shift[both], style.snaps[mine]),
            (order.places[mine], np.array([0, len(taken)]), order.ends[stretches], order.group[stretches], starts),
            (counts, taken, out, _NONE, odd),
            (starts.copy(), self._scratch, self._terms),
        )
        return None if odds else _Block(counts, taken, out[: 2 * total])

    def _prepare(self, slots: Array, rows: Array, style: Style) -> None:
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
        placed = self._placed
        if placed is None or placed[0] is not slots or placed[1] is not rows:
            from .kernels import find_even

            self._placed = slots, rows
            self._follow = _follow(rows)
            self._even = np.zeros(count // BLOCK + 1, np.uint8)
            if self._follow:
                find_even(slots, int(rows[0]), self._even)


def _follow(rows: Array) -> bool:
    """Return whether rows are consecutive."""
    return int(rows[-1]) - int(rows[0]) + 1 == len(rows) and bool((rows[1:] - rows[:-1] == 1).all())


def _edits_of(last: _Last, block: int, now: _Block) -> list[_Edit]:
    """Return what is replaced if the sprites of a block are packed again."""
    order = last.order
    first, end = (int(order.blocks[min(k, len(order.blocks) - 1)]) for k in (block, block + 1))
    gone = dict(zip(order.group[first:end].tolist(), last.taken[first:end].tolist(), strict=True))
    # Of each group, the packed sprites of all blocks before this one come first.
    starts = last.counts.cumsum() - last.counts
    starts += np.bincount(order.group[:first], last.taken[:first], len(starts)).astype(np.int64)
    begin = now.counts.cumsum() - now.counts
    rows = {g: now.rows[2 * begin[g] : 2 * (begin[g] + now.counts[g])] for g in now.counts.nonzero()[0].tolist()}
    return [_Edit(g, block, int(starts[g]), gone.get(g, 0), rows.get(g, _NO_ROWS)) for g in {*gone, *rows}]


def _replace(out: Array, edits: Sequence[_Edit], count: int) -> list[Move]:
    """Replace some of `count` packed sprites, and move those between, which are returned.

    edits: in the order of the sprites.
    """
    moves, puts = list[Move](), list[tuple[int, Array]]()
    begin = shift = 0
    for edit in edits:
        moves.append(Move(begin, edit.start, shift))
        puts.append((edit.start + shift, edit.rows))
        begin, shift = edit.start + edit.count, shift + len(edit.rows) // 2 - edit.count
    moves.append(Move(begin, count, shift))
    # Those that move back go first, from the first on; then the others, from the last on. So none is overwritten.
    back = [move for move in moves if move.by < 0]
    ahead = [move for move in reversed(moves) if move.by > 0]
    for first, end, by in (*back, *ahead):
        out[2 * (first + by) : 2 * (end + by)] = out[2 * first : 2 * end]
    for first, rows in puts:
        out[2 * first : 2 * first + len(rows)] = rows
    return moves
