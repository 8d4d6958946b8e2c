"""The packing order: the order of the sprites of each block by group.

It depends only on the groups, so it is computed once and stays valid until a sprite changes its group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_ecs.declarations import distinct
from rish_jit import Array

BLOCK = 256
"""How many sprites a block has."""
_RADIX = 1 << 16
_FEW = 64


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


def changed_blocks(before: int, count: int, positions: Array) -> list[int]:
    """Return the blocks that have other sprites than before, ascending; blocks that no longer exist are among them.

    before, count: the number of sprites then and now. positions: of those that changed, or whose position changed.
    """
    touched = {*(distinct(positions // BLOCK) if len(positions) > _FEW else positions // BLOCK).tolist()}
    if before != count:  # the last block has another length
        touched.update(range(min(before, count) // BLOCK, -(-max(before, count) // BLOCK)))
    return sorted(touched)


def resized(array: Array, count: int) -> Array:
    """Return an array with `count` rows and the same first rows; more room than needed is allocated for the next."""
    room = array if array.base is None else array.base
    if len(room) < count:
        grown = np.zeros((count + count // 2 + 16, *array.shape[1:]), array.dtype)
        grown[: len(array)] = array
        room = grown
    return room[:count]
