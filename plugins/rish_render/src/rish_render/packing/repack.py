"""Packs the blocks in which sprites changed again, and puts them among the other packed sprites, which are moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rish_jit import Array, njit

from .kernels import pack
from .order import BLOCK, PackingOrder, resized


def patched_order(order: PackingOrder, key: Array, groups: int, touched: Sequence[int]) -> PackingOrder:
    """Return the packing order after some sprites changed; only their blocks are ordered again, by a kernel.

    The result may use the memory of the order before. key: the groups of all sprites now. groups: how many groups there
    are. touched: the result of `changed_blocks`.
    """
    count = -(-len(key) // BLOCK)
    places = resized(order.places, len(key))
    room = len(order.ends) + len(touched) * min(groups, BLOCK)
    blocks, ends, group = np.empty(count + 1, np.int64), np.empty(room, np.uint16), np.empty(room, np.uint32)
    then, now = (order.blocks, order.ends, order.group), (places, blocks, ends, group)
    number = reorder(np.array(touched, np.int64), key, then, now, np.zeros(groups, np.int64))
    return PackingOrder(places, blocks, ends[:number], group[:number])


@njit(borrows=True)
def repack(
    touched: Array, rows: Array, back: Any, poses: Any, ground: Any, window: Array, style: Any, groups: Any, last: Any,
    packed: Any, working: Any,
) -> Any:  # fmt: skip
    """Pack the blocks `touched`, int64, ascending; return the number of `moves`, -1 if a visible sprite does not fit.

    rows: of the poses of all sprites. back to style, groups: see `pack`, without `starts`. last: of the last result,
    the blocks and groups of its order, and `taken`. packed: counts: int64, of each group in the last result, replaced
    by those now; taken, out: see `pack`; moves: int64, three numbers for each `Move`. working: fresh: uint64, the
    sprites of the touched blocks; odd: int32; found: int64, how many of each group are in each touched block; spans:
    int64, where these were in the last result, and how many; starts, run: uint32 and int64, a number for each group;
    and those of `pack`.
    """
    counts, taken, out, moves = packed
    fresh, odd, found, spans, starts, run, buffers = working
    found[:] = 0
    for k in range(len(touched)):
        odds = _pack_block(
            touched[k], rows, back, poses, ground, window, style, groups, starts, buffers,
            (found[k * len(counts) : (k + 1) * len(counts)], taken, fresh[2 * k * BLOCK : 2 * (k + 1) * BLOCK], odd),
        )  # fmt: skip
        if odds:
            return -1
    total = _find_spans(touched, groups[1], counts, taken, last, spans, run)
    number = _find_moves(len(touched), total, counts, found, spans, moves)
    _move(out, moves, number)
    for k in range(len(touched)):
        source = 2 * k * BLOCK
        for i in range(k * len(counts), (k + 1) * len(counts)):
            target = 2 * spans[2 * i]
            for word in range(2 * found[i]):
                out[target + word] = fresh[source + word]
            source += 2 * found[i]
    return number


@njit(borrows=True, inline="always")
def _pack_block(
    block: Any, rows: Array, back: Any, poses: Any, ground: Any, window: Array, style: Any, groups: Any, starts: Array,
    buffers: Any, packed: Any,
) -> Any:  # fmt: skip
    """Pack one block; return how many of its sprites are visible but do not fit."""
    sizes, frame, rgba, shift, snaps = style
    places, blocks, ends, group = groups
    counts, taken, out, odd = packed
    first, end = block * BLOCK, min((block + 1) * BLOCK, len(rows))
    if first >= end:
        return 0
    begin, stretch = np.uint32(0), blocks[block]
    for g in range(len(starts)):
        starts[g] = begin
        if stretch < blocks[block + 1] and group[stretch] == g:
            begin = np.uint32(ends[stretch])
            stretch += 1
    row = np.int64(rows[first])
    follow = True
    for k in range(first, end):
        follow &= rows[k] == row + (k - first)
    _, odds = pack(
        (rows[:0] if follow else rows[first:end], row, end - first), back, poses, ground, window,
        (sizes[2 * first : 2 * end], frame[first:end], rgba[first:end], shift[2 * first : 2 * end], snaps[first:end]),
        (places[first:end], blocks[block : block + 2], ends, group, starts), (counts, taken, out, rows[:0], odd),
        buffers,
    )  # fmt: skip
    return odds


@njit(borrows=True, inline="always")
def _find_spans(
    touched: Array, blocks: Array, counts: Array, taken: Array, last: Any, spans: Array, run: Array
) -> Any:  # fmt: skip
    """Write where the sprites of the touched blocks were, and what the others took; return how many there were."""
    blocks_then, group_then, taken_then = last
    spans[:] = 0
    total, k = 0, 0
    for g in range(len(counts)):
        run[g] = total
        total += counts[g]
    for block in range(max(len(blocks), len(blocks_then)) - 1):
        is_touched = k < len(touched) and touched[k] == block
        if is_touched:
            for g in range(len(counts)):
                spans[2 * (k * len(counts) + g)] = run[g]
        if block < len(blocks_then) - 1:
            for stretch in range(blocks_then[block], blocks_then[block + 1]):
                g, count = group_then[stretch], np.int64(taken_then[stretch])
                run[g] += count
                if is_touched:
                    spans[2 * (k * len(counts) + g) + 1] = count
                elif block < len(blocks) - 1:
                    taken[blocks[block] + stretch - blocks_then[block]] = count
        k += np.int64(is_touched)
    return total


@njit(borrows=True, inline="always")
def _find_moves(number: Any, total: Any, counts: Array, found: Array, spans: Array, moves: Array) -> Any:
    """Write the moves of the sprites between the touched blocks, where these begin now, and the counts of the groups.

    number: of touched blocks. Return how many moves there are.
    """
    begin, by, m = 0, 0, 0
    for g in range(len(counts)):
        for k in range(number):
            i = k * len(counts) + g
            start, gone, come = spans[2 * i], spans[2 * i + 1], found[i]
            if gone + come == 0:
                continue
            if start > begin:
                moves[3 * m], moves[3 * m + 1], moves[3 * m + 2] = begin, start, by
                m += 1
            spans[2 * i] = start + by
            begin, by = start + gone, by + come - gone
            counts[g] += come - gone
    if total > begin:
        moves[3 * m], moves[3 * m + 1], moves[3 * m + 2] = begin, total, by
        m += 1
    return m


@njit(borrows=True, inline="always")
def _move(out: Array, moves: Array, number: Any) -> None:
    """Move packed sprites, two numbers each.

    Those that move back go first, from the first on; then the others, from the last on. So none is overwritten.
    """
    for m in range(number):
        by = 2 * moves[3 * m + 2]
        if by < 0:
            for word in range(2 * moves[3 * m], 2 * moves[3 * m + 1]):
                out[word + by] = out[word]
    for k in range(number):
        m = number - 1 - k
        by = 2 * moves[3 * m + 2]
        if by > 0:
            for word in range(2 * moves[3 * m + 1] - 1, 2 * moves[3 * m] - 1, -1):
                out[word + by] = out[word]


@njit(borrows=True)
def reorder(touched: Array, key: Array, then: Any, now: Any, cursor: Array) -> Any:
    """Order the blocks `touched`, int64, ascending, again; return the number of all stretches.

    key: the groups of all sprites. then: the blocks, ends and groups of the order before. now: those of the new one,
    which are written, after its places, of which only those in these blocks are written. cursor: int64, 0 for each
    group.
    """
    blocks_then, ends_then, group_then = then
    places, blocks, ends, group = now
    at, k = np.int64(0), 0
    for block in range(len(blocks) - 1):
        blocks[block] = at
        if k < len(touched) and touched[k] == block:
            k += 1
            at = _order_block(block * BLOCK, min((block + 1) * BLOCK, len(key)), key, places, ends, group, at, cursor)
        else:
            for stretch in range(blocks_then[block], blocks_then[block + 1]):
                ends[at], group[at] = ends_then[stretch], group_then[stretch]
                at += 1
    blocks[len(blocks) - 1] = at
    return at


@njit(borrows=True, inline="always")
def _order_block(
    first: Any, end: Any, key: Array, places: Array, ends: Array, group: Array, at: Any, cursor: Array
) -> Any:  # fmt: skip
    """Order a block; return the end of its stretches, which begin at `at`."""
    for i in range(first, end):
        cursor[key[i]] += 1
    begin, stretch = 0, at
    for g in range(len(cursor)):
        if cursor[g]:
            begin += cursor[g]
            ends[stretch], group[stretch] = begin, g
            stretch += 1
            cursor[g] = begin - cursor[g]
    for i in range(first, end):
        places[first + cursor[key[i]]] = i - first
        cursor[key[i]] += 1
    for k in range(at, stretch):
        cursor[group[k]] = 0
    return stretch
