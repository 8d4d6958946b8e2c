"""The packing order: the order of the sprites of each block by group.

It depends only on the groups, so it is computed once and stays valid until a sprite changes its group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_jit import Array

BLOCK = 256
"""How many sprites a block has."""
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
    number = np.arange(len(key))
    block = number // BLOCK
    by_group = np.argsort((block.astype(np.uint64) << np.uint64(32)) | key, kind="stable")
    key = key[by_group]
    cut = (key[1:] != key[:-1]) | (block[1:] != block[:-1])
    last = np.append(np.flatnonzero(cut), len(key) - 1)
    blocks = np.searchsorted(block[last], np.arange(block[-1] + 2))
    places = (by_group % BLOCK).astype(np.uint8)
    return PackingOrder(places, blocks.astype(np.int64), (last % BLOCK + 1).astype(np.uint16), key[last])


def patched_order(order: PackingOrder, key: Array, positions: Array) -> PackingOrder:
    """Return the packing order after some sprites changed; only their blocks are ordered again.

    key: the groups of all sprites now. positions: of the changed sprites, and of all sprites whose position changed.
    """
    count = -(-len(key) // BLOCK)
    touched = np.unique(positions // BLOCK) if len(positions) else positions
    last = len(order.blocks) - 2
    if len(order.places) != len(key) and last >= 0:  # the last block has another length
        touched = np.union1d(touched, [block for block in (last, count - 1) if block < count])
    if len(touched) * _MANY > count:
        return order_of(key)
    places = order.places[: len(key)]
    if len(places) < len(key):
        places = np.concatenate([places, np.zeros(len(key) - len(places), np.uint8)])
    else:
        places = places.copy()
    begin = 0
    starts = np.minimum(np.arange(count + 1), last + 1)
    ends: list[Array] = []
    group: list[Array] = []
    sizes = np.diff(order.blocks[starts])
    for block in touched.tolist():
        some = order_of(key[block * BLOCK : (block + 1) * BLOCK])
        places[block * BLOCK : (block + 1) * BLOCK] = some.places
        old = slice(order.blocks[starts[begin]], order.blocks[starts[block]])
        ends += [order.ends[old], some.ends]
        group += [order.group[old], some.group]
        sizes[block] = len(some.ends)
        begin = block + 1
    rest = slice(order.blocks[starts[begin]], order.blocks[starts[count]])
    return PackingOrder(
        places,
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.concatenate([*ends, order.ends[rest]]),
        np.concatenate([*group, order.group[rest]]),
    )
