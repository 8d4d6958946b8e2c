"""Whether two plain values are equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from rish_ecs.equality import equal


@dataclass(eq=False)
class Pair:
    """A dataclass that is compared by its fields."""

    a: Any
    b: Any


class Sulky:
    """An object that can't be compared."""

    def __eq__(self, other: object) -> bool:
        raise ValueError("no")

    __hash__ = None  # pyright: ignore[reportAssignmentType]


NAN = np.array([np.nan, 1.0], np.float32)
SULKY = Sulky()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1),
        ("a", "a"),
        (NAN, NAN.copy()),
        ([1, (2, NAN)], [1, (2, NAN.copy())]),
        ({"a": NAN}, {"a": NAN.copy()}),
        (Pair(1, NAN), Pair(1, NAN.copy())),
        (np.zeros((2, 3))[:, ::2], np.zeros((2, 2))),
        (SULKY, SULKY),
        (np.zeros(2, "u4,f4"), np.zeros(2, "u4,f4")),
    ],
)
def test_equal_values(one: Any, other: Any) -> None:
    """Values with the same types and the same bits are equal, also inside of containers and dataclasses."""
    assert equal(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (np.zeros(2), np.zeros(3)),
        (np.zeros(2), np.zeros(2, np.float32)),
        (np.zeros(1), -np.zeros(1)),
        ([1], (1,)),
        ([1, 2], [1]),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": 2}),
        (Pair(1, 2), Pair(1, 3)),
        (SULKY, Sulky()),
    ],
)
def test_unequal_values(one: Any, other: Any) -> None:
    """Another type, shape, length or bit makes values unequal; objects that can't be compared are too."""
    assert not equal(one, other)
