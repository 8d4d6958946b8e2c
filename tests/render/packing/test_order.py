"""The packing order: each block is ordered by group, and by number within a group."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rish_render.packing.order import BLOCK, order_of


@given(seed=st.integers(0, 2**32 - 1), count=st.sampled_from([1, 2, 255, 256, 257, 1000]), groups=st.integers(1, 300))
def test_a_walk_along_the_stretches_meets_every_sprite(seed, count, groups):
    """A walk along the runs visits every sprite once, block by block, each group together and in order of number."""
    key = np.random.default_rng(seed).integers(0, groups, count).astype(np.uint32)
    order = order_of(key)
    assert [array.dtype for array in order] == [np.uint8, np.int64, np.uint16, np.uint32]
    met = []
    for block in range(len(order.blocks) - 1):
        begin = 0
        for stretch in range(order.blocks[block], order.blocks[block + 1]):
            end = int(order.ends[stretch])
            numbers = block * BLOCK + order.places[block * BLOCK + begin : block * BLOCK + end].astype(int)
            assert (key[numbers] == order.group[stretch]).all()
            met += numbers.tolist()
            begin = end
        assert begin == min(BLOCK, count - block * BLOCK)
    wanted = [
        n
        for first in range(0, count, BLOCK)
        for n in sorted(range(first, min(first + BLOCK, count)), key=lambda n: (key[n], n))
    ]
    assert met == wanted
