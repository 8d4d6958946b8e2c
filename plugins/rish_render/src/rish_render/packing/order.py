"""The packing order: the order of the sprites of each block by group.

It depends only on the groups, so it is computed once and stays valid until a sprite changes its group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_jit import Array

BLOCK = 256
"""How many sprites a block has."""


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
