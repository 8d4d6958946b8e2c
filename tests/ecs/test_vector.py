"""Vectors are values: arithmetic returns new ones, component by component."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_ecs import Vector

numbers = st.floats(-1e6, 1e6, allow_nan=False)
lengths = st.integers(1, 5)
OPERATORS = (operator.add, operator.sub, operator.mul)


@given(st.data(), lengths, st.sampled_from(OPERATORS))
def test_vectors_go_together_number_by_number(data: Any, length: int, combine: Any) -> None:
    """Operators give the same as numpy with float64, in either order, also with tuples and lists."""
    a, b = (data.draw(st.lists(numbers, min_size=length, max_size=length)) for _ in range(2))
    expected = combine(np.array(a), np.array(b)).tolist()
    assert list(combine(Vector(a), Vector(b))) == expected
    assert list(combine(Vector(a), tuple(b))) == expected
    assert list(combine(Vector(a), b)) == expected
    assert list(combine(tuple(a), Vector(b))) == expected


@given(st.lists(numbers, min_size=1, max_size=5), st.floats(0.5, 100) | st.integers(1, 100))
def test_a_number_stands_for_all(a: list[float], number: float) -> None:
    """`*` and `/` with a number scale all components; `*` works from both sides."""
    assert list(Vector(a) * number) == (np.array(a) * number).tolist()
    assert number * Vector(a) == Vector(a) * number
    assert list(Vector(a) / number) == (np.array(a) / number).tolist()
    assert list(-Vector(a)) == [-x for x in a]


def test_parts_and_length() -> None:
    """x, y, z and w can be read; `length` and `direction` are right, and the direction of zero is zero."""
    v = Vector((3, 4, 0, 12))
    assert (v.x, v.y, v.z, v.w) == (3, 4, 0, 12)
    assert v.length == 13
    assert Vector((3, 4)).direction == (0.6, 0.8)
    assert Vector((0, 0)).direction == (0, 0)
    assert Vector((1, 2)).dot((3, 4)) == 11
    assert repr(Vector((1.5, 2))) == "(1.5, 2)"


def test_different_lengths_are_refused() -> None:
    """Vectors of different lengths raise ValueError with both lengths; other types raise TypeError."""
    with pytest.raises(ValueError, match="2 numbers and 3 numbers"):
        Vector((1, 2)) + Vector((1, 2, 3))
    with pytest.raises(TypeError):
        Vector((1, 2)) + "x"
    assert isinstance(Vector((1, 2)) + np.array([1, 2]), np.ndarray)
