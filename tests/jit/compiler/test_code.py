"""Hand-written LLVM instructions run compiled and in plain Python, and are cached like other code."""

from __future__ import annotations

import numpy as np
import pytest

import rish_jit
from rish_jit import njit
from rish_jit.compiler.code import instructions


@instructions
def swap4(builder, ir, x, at):
    """Turn four numbers round."""
    kind = ir.VectorType(ir.IntType(32), 4)
    place = builder.bitcast(builder.gep(x, [at]), kind.as_pointer())
    loaded = builder.load(place)
    loaded.align = 4
    order = ir.Constant(ir.VectorType(ir.IntType(32), 4), [3, 2, 1, 0])
    builder.store(builder.shuffle_vector(loaded, loaded, order), place).align = 4


@swap4.plain
def _swap4(x, at):
    x[int(at) : int(at) + 4] = x[int(at) : int(at) + 4][::-1].copy()


@instructions
def bare(builder, ir, x):
    """An instruction without a plain form."""


@njit
def turn(x):
    """Reverse every group of four numbers."""
    for at in range(0, x.shape[0], 4):
        swap4(x, np.uint64(at))


@pytest.mark.skipif(not rish_jit.available(), reason="needs numba")
def test_a_kernel_runs_the_instructions():
    """Instructions are compiled into the kernel that calls them, and give the same result as the plain form."""
    numbers = np.arange(12, dtype=np.uint32)
    turn(numbers)
    assert numbers.tolist() == [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8]
    plain = np.arange(12, dtype=np.uint32)
    turn.py_func(plain)
    assert plain.tolist() == numbers.tolist()


def test_without_numba_the_plain_form_runs():
    """Called from Python the plain form runs; without one the error names the function."""
    numbers = np.arange(4, dtype=np.uint32)
    swap4(numbers, 0)
    assert numbers.tolist() == [3, 2, 1, 0]
    assert swap4.__doc__ == "Turn four numbers round."
    with pytest.raises(NotImplementedError, match="bare"):
        bare(numbers)
