"""Arrays that a kernel finds by their addresses are the arrays that were packed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_jit import njit
from rish_physics.solver.packed import Packed, floats, ints, longs, truths, words


@njit(borrows=True)
def turn_over(table: Any) -> int:
    """Write into each of five arrays; return the sum of their lengths."""
    f, i, w, u, b = floats(table, 0), ints(table, 1), longs(table, 2), words(table, 3), truths(table, 4)
    for k in range(len(f)):
        f[k] += np.float32(0.5)
    for k in range(len(i)):
        i[k] -= 1
    w[0] = len(f)
    u[1] += np.uint64(2)
    b[2] = not b[2]
    return len(f) + len(i) + len(w) + len(u) + len(b)


@pytest.mark.parametrize("run", [turn_over, turn_over.py_func], ids=["compiled", "plain"])
def test_a_kernel_reads_and_writes_what_was_packed(run: Any) -> None:
    """A kernel reads and writes packed arrays of each type and length; a shortened one counts as shorter."""
    f, i, w = np.arange(5, dtype=np.float32), np.zeros(0, np.int32), np.zeros(3, np.int64)
    u, b = np.full(2, 2**63, np.uint64), np.zeros(3, bool)
    packed = Packed(5)
    packed.put(0, f, i, w, u, b)
    assert run(packed.table) == 13
    np.testing.assert_array_equal(f, np.arange(5) + 0.5)
    assert (w.tolist(), u.tolist(), b.tolist()) == ([5, 0, 0], [2**63, 2**63 + 2], [False, False, True])
    packed.shorten(0, np.array([2], np.uint64))
    packed.put(1, np.array([7, 8], np.int32))
    assert run(packed.table) == 12
    assert f.tolist() == [1, 2, 2.5, 3.5, 4.5]
    assert packed.arrays[1].tolist() == [6, 7]
