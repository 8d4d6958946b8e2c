"""All modes of primitives become lists."""

from __future__ import annotations

import numpy as np
import pytest

from rish_gltf.geometry.faces import parts_of


@pytest.mark.parametrize(
    ("mode", "parts"),
    [
        (0, [[0], [1], [2], [3]]),
        (1, [[0, 1], [2, 3]]),
        (2, [[0, 1], [1, 2], [2, 3], [3, 0]]),
        (3, [[0, 1], [1, 2], [2, 3]]),
        (4, [[0, 1, 2]]),
        (5, [[0, 1, 2], [1, 3, 2]]),
        (6, [[1, 2, 0], [2, 3, 0]]),
    ],
)
def test_modes_are_those_of_the_specification(mode: int, parts: list[list[int]]) -> None:
    """Points, lines, loops, strips and fans have the parts that the specification lists in section 3.7.2.1."""
    assert parts_of(mode, np.arange(4, dtype=np.uint32)).tolist() == parts
