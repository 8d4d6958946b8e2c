"""Concave outlines are decomposed into convex pieces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import UsageError
from rish_physics.geometry.decompose import decompose, outline_of
from rish_physics.geometry.hull import MAX_CORNERS, area_of, crossing_of, turns_left

STAR = [
    [np.cos(k * np.pi / 5) * (1 if k % 2 else 0.4), np.sin(k * np.pi / 5) * (1 if k % 2 else 0.4)] for k in range(10)
]
L = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]]


@pytest.mark.parametrize("outline", [L, L[::-1], STAR, [[k, 0.2 * (k % 2)] for k in range(9)] + [[8, -3], [0, -3]]])
def test_the_pieces_are_convex_and_cover_the_outline(outline: list[list[float]]) -> None:
    """The pieces are convex and counter-clockwise with at most 8 corners, and their areas add up."""
    pieces = decompose(outline)
    assert all(
        3 <= len(piece) <= MAX_CORNERS and area_of(piece) > 0 and turns_left(piece) and crossing_of(piece) is None
        for piece in pieces
    )
    assert sum(map(area_of, pieces)) == pytest.approx(abs(area_of(np.array(outline, float))), rel=1e-9)


def test_few_pieces_are_made() -> None:
    """An L is decomposed into two boxes, and a convex outline is one piece."""
    assert len(decompose(L)) == 2
    assert len(decompose([[0, 0], [2, 0], [2, 2], [0, 2]])) == 1
    assert len(decompose(STAR)) <= 6


@given(st.lists(st.floats(0.3, 3), min_size=5, max_size=40))
def test_any_star_shaped_outline_is_covered(radii: list[float]) -> None:
    """Random star-shaped outlines, mostly concave, are covered by convex pieces."""
    angles = np.arange(len(radii)) * 2 * np.pi / len(radii)
    outline = np.stack([np.cos(angles), np.sin(angles)], 1) * np.array(radii)[:, None]
    pieces = decompose(outline)
    assert all(turns_left(piece) and crossing_of(piece) is None for piece in pieces)
    assert sum(map(area_of, pieces)) == pytest.approx(area_of(outline), rel=2e-3)


@pytest.mark.parametrize(
    ("outline", "says"),
    [
        ([[0, 0], [2, 2], [2, 0], [0, 2]], "crosses itself: the edge from"),
        ([[0, 0], [1, 0], [2, 0]], "crosses itself|no area"),
        ([[0, 0], [1, 0]], "no area"),
        ([[0, 0], [1, 0], [1, float("nan")], [0, 1]], "point 2"),
        ([[0, 0], [4, 0], [4, 1e-6], [0, 1e-6]], "no area"),
    ],
)
def test_what_is_no_outline_is_refused(outline: list[list[float]], says: str) -> None:
    """Outlines that cross or fold back, are flat, or contain NaN are refused."""
    with pytest.raises(UsageError, match=says):
        decompose(outline)


def test_an_outline_is_turned_round_if_need_be() -> None:
    """A clockwise outline is reversed."""
    assert area_of(outline_of(L[::-1])) == area_of(outline_of(L)) == pytest.approx(5)
