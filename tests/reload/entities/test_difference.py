"""Values of two texts are compared by their meaning."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np
import pytest

from rish_core.manifest.nodes import Spot
from rish_core.manifest.schema import Drawn, Listed, Ref
from rish_reload.entities.difference import Missing, changed_rows, same


class Mode(Enum):
    """The state of a door."""

    SHUT = 0
    OPEN = 1


def test_references_are_equal_by_name() -> None:
    """References are compared by name, wherever they are in the text."""
    assert same(Ref("a", Spot("x", 1), ("p",)), Ref("a", Spot("y", 2), ("q",)))
    assert not same(Ref("a", Spot("x"), ()), Ref("b", Spot("x"), ()))
    assert not same(Ref("a", Spot("x"), ()), "a")


@pytest.mark.parametrize(
    ("before", "now", "rows"),
    [
        (1, 1, []), (1, 2, [0, 1, 2, 3]), (Missing, 1, [0, 1, 2, 3]), (Listed((1, 2)), Listed((1, 3)), [1, 3]),
        (Listed((1, 2)), Listed((1, 2), 2), [1, 2]), (Listed((1, 2)), 1, [1, 3]), (Drawn(0, 1), Drawn(0, 1), []),
        (Drawn(0, 1), Drawn(0, 2), [0, 1, 2, 3]), (Listed((1, 2)), Drawn(0, 1), [0, 1, 2, 3]),
    ],
)  # fmt: skip
def test_the_copies_that_differ(before: Any, now: Any, rows: list[int]) -> None:
    """Each copy is compared by its own value."""
    assert np.flatnonzero(changed_rows(before, now, np.arange(4))).tolist() == rows


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (1, 1.0, True), (True, 1, False), ((1, 2), [1, 2], True), (np.zeros(2), np.zeros(2), True),
        (np.zeros(2), np.ones(2), False), (Mode.OPEN, Enum("Mode", ["SHUT", "OPEN"]).OPEN, True),
        (Mode.OPEN, 1, False), ({"a": [1]}, {"a": [1]}, True), ({"a": 1}, {"b": 1}, False), ("x", "x", True),
    ],
)  # fmt: skip
def test_same(a: Any, b: Any, equal: bool) -> None:
    """Values with the same meaning are equal, whatever type they have; booleans and enums are not numbers."""
    assert same(a, b) is equal
    assert same(b, a) is equal
