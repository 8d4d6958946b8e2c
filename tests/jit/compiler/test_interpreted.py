"""Kernels as plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit, plain_form

STEP = np.int64(2)


@njit
def doubled(values: Any, k: int) -> None:
    """Double an item."""
    values[k] *= STEP


@njit
def double_all(values: Any, times: int = 1) -> None:
    """Double all items."""
    for _ in range(times):
        for k in range(len(values)):
            doubled(values, k)


def test_plain_form() -> None:
    """The plain form does what the kernel does, with lists, and nothing is compiled, callees included."""
    numbers = [1.5, 2.0]
    plain_form(double_all)(numbers)
    assert numbers == [3.0, 4.0]
    assert [type(each) for each in numbers] == [float, float]
    plain_form(double_all)(numbers, 2)
    assert numbers == [12.0, 16.0]
    assert not double_all.compiled
    assert not doubled.compiled
