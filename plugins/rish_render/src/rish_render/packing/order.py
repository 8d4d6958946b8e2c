"""The order of packing: where, within its block, each sprite stands among those of its group.

It depends on the groups alone, so it is worked out once and holds as long as no sprite changes its layer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

BLOCK = 256
"""Sprites a block."""


class PackingOrder(NamedTuple):
    """n sprites block by block, those of a block in the order of their groups; a stretch is of one group.

    places: uint8 n, numbers within their block. blocks: int64, the first stretch of each block, and where the last one
    ends. ends, group: uint16 and uint32, for each stretch where in its block it ends, and its group.
    """

    places: Array
    blocks: Array
    ends: Array
    group: Array


def order_of(key: Array) -> PackingOrder:
    """The order of sprites with these groups, uint32 n."""
    number = np.arange(len(key))
    block = number // BLOCK
    by_group = np.argsort((block.astype(np.uint64) << np.uint64(32)) | key, kind="stable")
    key = key[by_group]
    cut = (key[1:] != key[:-1]) | (block[1:] != block[:-1])
    last = np.append(np.flatnonzero(cut), len(key) - 1)
    blocks = np.searchsorted(block[last], np.arange(block[-1] + 2))
    places = (by_group % BLOCK).astype(np.uint8)
    return PackingOrder(places, blocks.astype(np.int64), (last % BLOCK + 1).astype(np.uint16), key[last])
