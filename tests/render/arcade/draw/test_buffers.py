"""Buffers of rows on OpenGL that hold the rows of one batch from version to version."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_frame import INSTANCE, Batch, Patch
from rish_render.backends.arcade.draw.buffers import SPRITES, PatchedRows, Streams

pytestmark = pytest.mark.gl


def instances(random: np.random.Generator, count: int) -> Any:
    """Return random instances."""
    return np.frombuffer(random.bytes(count * INSTANCE.itemsize), INSTANCE).copy()


@pytest.mark.parametrize("seed", range(long(40, 8)))
def test_the_buffer_holds_the_last_rows(seed: int, arcade: Any) -> None:
    """After each write the buffer holds the last array, and a patch of the array before writes its rows alone; some
    patches are of arrays that were never written."""
    random, held = np.random.default_rng(seed), PatchedRows(Streams(arcade._device), SPRITES)
    last = instances(random, int(random.integers(0, 30)))
    held.write(last, Batch("sprites", {"instances": last}))
    written = True
    for _ in range(40):
        first = int(random.integers(0, len(last) + 1))
        new = np.concatenate([last[:first], instances(random, int(random.integers(0, 30)))])
        patch = Patch(last, [(first, len(new))]) if random.integers(4) else None
        fits = len(new) <= len(last)
        if fits:
            new = np.concatenate([new, last[len(new) :]])
        last = new
        if write := bool(random.integers(4)):
            size = held.write(new, Batch("sprites", {"instances": new}, patch=patch))
            assert held.rows.count == len(new)
            assert held.rows.buffer.read()[: new.nbytes] == new.tobytes()
            if patch is not None and written and fits:
                assert size == sum(end - begin for begin, end in patch.ranges) * INSTANCE.itemsize
        written = write
