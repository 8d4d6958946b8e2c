"""Scratch memory: named arrays that grow."""

from __future__ import annotations

import numpy as np
import pytest

from rish_physics.components.scratch import LINE, Scratch, aligned


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint64, np.uint8])
@pytest.mark.parametrize("size", [0, 1, 63, 1000])
def test_arrays_begin_at_a_cache_line(size: int, dtype: type) -> None:
    """Arrays are aligned to cache lines, so that no block straddles two; they are zero, contiguous and writable."""
    made = aligned(size, dtype)
    assert not size or made.ctypes.data % LINE == 0  # an empty array has no address
    assert made.dtype == dtype
    assert len(made) == size
    assert made.flags.c_contiguous
    assert made.flags.writeable
    assert not made.any()


def test_an_array_is_there_until_it_is_too_small() -> None:
    """`take` returns the same array until a larger one is needed, and makes it 1.5 times as large as requested."""
    scratch = Scratch()
    first = scratch.take("a", 100)
    assert len(first) == 150
    assert scratch.take("a", 150) is first
    assert scratch.take("a", 1) is first
    second = scratch.take("a", 151)
    assert len(second) >= 151
    assert scratch.take("b", 5) is not second


def test_a_restore_empties_it() -> None:
    """A restore empties the scratch memory."""
    scratch = Scratch()
    scratch.take("a", 10)
    scratch.state = object()
    scratch.rebuild(None)  # pyright: ignore[reportArgumentType]
    assert scratch.arrays == {}
    assert scratch.state is None
