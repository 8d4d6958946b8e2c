"""The packing order: the order of the sprites of each block by group.

It depends only on the groups, so it is computed once and stays valid until a sprite changes its group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rish_jit import Array

BLOCK = 256
"""How many sprites a block has."""
_RADIX = 1 << 16
_FEW = 64
_MANY = 4
"""All blocks are ordered again, which takes less time for each, if more than one in this number changed."""


class PackingOrder(NamedTuple):
    """The order of n sprites, block by block; within a block they are sorted by group. A stretch holds sprites of one
    group.

    places: uint8 n, the indices of the sprites within their block. blocks: int64, the first stretch of each block, and
    the end of the last one. ends, group: uint16 and uint32, for each stretch its end within its block, and its group.
    """

    places: Array
    blocks: Array
    ends: Array
    group: Array


def order_of(key: Array) -> PackingOrder:
    """Return the packing order of sprites with these groups, uint32 n."""
    block, groups = np.arange(len(key)) // BLOCK, int(key.max()) + 1
    code: Array = block.astype(np.uint64) * np.uint64(groups) + key
    if code[-1] <= _RADIX - groups:
        code = code.astype(np.uint16)  # sorted by radix, three times as fast
    by_group = np.argsort(code, kind="stable")
    key = key[by_group]
    cut = (key[1:] != key[:-1]) | (block[1:] != block[:-1])
    last = np.append(np.flatnonzero(cut), len(key) - 1)
    blocks = np.searchsorted(block[last], np.arange(block[-1] + 2))
    places = (by_group % BLOCK).astype(np.uint8)
    return PackingOrder(places, blocks.astype(np.int64), (last % BLOCK + 1).astype(np.uint16), key[last])


def order_of_block(key: Array) -> PackingOrder:
    """Return the packing order of at most BLOCK sprites; the same as `order_of`, faster."""
    places = key.argsort(kind="stable")
    key = key[places]
    last = np.concatenate([(key[1:] != key[:-1]).nonzero()[0], [len(key) - 1]])
    blocks = np.array([0, len(last)], np.int64)
    return PackingOrder(places.astype(np.uint8), blocks, (last + 1).astype(np.uint16), key[last])


def changed_blocks(before: int, count: int, positions: Array) -> list[int]:
    """Return the blocks that have other sprites than before, ascending; blocks that no longer exist are among them.

    before, count: the number of sprites then and now. positions: of those that changed, or whose position changed.
    """
    touched = {*(np.unique(positions // BLOCK) if len(positions) > _FEW else positions // BLOCK).tolist()}
    if before != count:  # the last block has another length
        touched.update(range(min(before, count) // BLOCK, -(-max(before, count) // BLOCK)))
    return sorted(touched)


def patched_order(order: PackingOrder, key: Array, touched: Sequence[int]) -> PackingOrder:
    """Return the packing order after some sprites changed; only their blocks are ordered again.

    key: the groups of all sprites now. touched: the result of `changed_blocks`.
    """
    before, count = len(order.blocks) - 1, -(-len(key) // BLOCK)
    if len(touched) * _MANY > count:
        return order_of(key)
    kept = min(len(order.places), len(key))
    places = np.empty(len(key), np.uint8)
    places[:kept] = order.places[:kept]
    some = {block: order_of_block(key[block * BLOCK : (block + 1) * BLOCK]) for block in touched if block < count}
    for block, one in some.items():
        places[block * BLOCK : (block + 1) * BLOCK] = one.places
    sizes = np.zeros(count + 1, np.int64)
    sizes[1 : min(before, count) + 1] = (order.blocks[1:] - order.blocks[:-1])[:count]
    for block, one in some.items():
        sizes[block + 1] = len(one.ends)
    return PackingOrder(
        places,
        sizes.cumsum(),
        spliced(order.ends, order.blocks, count, {block: one.ends for block, one in some.items()}),
        spliced(order.group, order.blocks, count, {block: one.group for block, one in some.items()}),
    )


def spliced(values: Array, bounds: Array, count: int, some: Mapping[int, Array]) -> Array:
    """Return the values of all stretches, block by block, after those of some blocks are replaced.

    values, bounds: those before, and `PackingOrder.blocks` before. count: the number of blocks now. some: the new
    values by block, in ascending order.
    """
    last = len(bounds) - 1
    pieces, begin = list[Array](), 0
    for block, part in some.items():
        pieces += [values[bounds[min(begin, last)] : bounds[min(block, last)]], part]
        begin = block + 1
    pieces.append(values[bounds[min(begin, last)] : bounds[min(count, last)]])
    return np.concatenate(pieces)
