"""Walls are counted as a plain loop counts them, and muffle; the air takes high frequencies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_audio.space.air import air_cutoff
from rish_audio.space.walls import OPEN_CUTOFF, muffled_cutoff, muffled_gain, muffling, walls_between

WHOLE = st.integers(-6, 6)
ODD = st.integers(-6, 6).map(lambda k: k + 0.37)
EDGES = st.lists(st.tuples(WHOLE, WHOLE, WHOLE, WHOLE), max_size=30)
PLACES = st.lists(st.tuples(ODD, ODD.map(lambda k: k + 0.241)), max_size=20)
SQUARE = np.array([[1, -1, 2, -1], [2, -1, 2, 1], [2, 1, 1, 1], [1, 1, 1, -1]], float).T


def crosses(edge: tuple[float, ...], source: tuple[float, float], listener: tuple[float, float]) -> bool:
    """Whether the segment crosses the edge: the ends of each are on different sides of the other."""

    def side(a: tuple[float, ...], b: tuple[float, ...], p: tuple[float, ...]) -> bool:
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0

    a, b = edge[:2], edge[2:]
    return side(a, b, source) != side(a, b, listener) and side(source, listener, a) != side(source, listener, b)


@given(EDGES, PLACES, st.tuples(ODD, ODD))
def test_walls_are_counted_like_a_loop_over_all_of_them(
    edges: list[tuple[int, int, int, int]], places: list[tuple[float, float]], listener: tuple[float, float]
) -> None:
    """The count for each source is that of a test of every edge, and weights add up in the same way."""
    ends = np.array(edges, float).reshape(-1, 4).T
    sources = np.array(places).reshape(-1, 2)
    plain = [[crosses(edge, place, listener) for edge in edges] for place in places]
    assert walls_between(ends, sources, np.array(listener)).tolist() == [sum(row) for row in plain]
    weight = np.arange(len(edges)) + 1.0
    weighted = walls_between(ends, sources, np.array(listener), weight)
    assert weighted.tolist() == [sum(weight[k] for k in np.flatnonzero(row)) for row in plain]


def test_a_wall_with_two_faces_counts_twice_and_not_beside_or_behind() -> None:
    """A square between counts 2; one beside the line, behind the source or behind the listener counts 0."""
    sources = np.array([[5.0, 0.1], [0.5, 0.1], [5.0, 9.0], [-3.0, 0.1], [1.5, 0.1]])
    assert walls_between(SQUARE, sources, np.zeros(2)).tolist() == [2, 0, 0, 0, 1]


def test_a_line_through_a_corner_crosses_a_chain_once() -> None:
    """Where a line meets the common end of two edges of a chain, it crosses one of them."""
    chain = np.array([[1, 3, 1, 0], [1, 0, 1, -2]], float).T
    assert walls_between(chain, np.array([[4.0, 0.0]]), np.zeros(2)).tolist() == [1]
    behind = np.array([[3, -1, 0, -1], [0, -1, -2, -1]], float).T
    assert walls_between(behind, np.array([[0.0, -4.0]]), np.zeros(2)).tolist() == [1]


def test_a_wall_all_round_is_crossed_from_every_side() -> None:
    """In a closed room each source outside is behind one edge, in whatever direction it is."""
    angle = np.linspace(0.01, 2 * np.pi + 0.01, 61)
    x, y = 3 * np.cos(angle), 3 * np.sin(angle)
    room = np.array([x[:-1], y[:-1], x[1:], y[1:]])
    sources = np.random.default_rng(2).normal(size=(200, 2))
    sources *= 9 / np.linalg.norm(sources, axis=1, keepdims=True)
    for listener in ((0.0, 0.0), (1.1, -0.7)):
        assert (walls_between(room, sources, np.array(listener)) == 1).all()


def test_more_walls_muffle_more_and_none_not_at_all() -> None:
    """Without walls or with the strength 0 nothing changes; gain and cutoff fall with each further edge."""
    assert muffled_gain(muffling(np.zeros(1))) == 1
    assert muffled_cutoff(muffling(np.zeros(1))) == OPEN_CUTOFF
    assert muffling(np.array([5.0]), 0.0) == 0
    share = muffling(np.arange(50.0))
    assert (np.diff(muffled_gain(share)) < 0).all()
    assert (np.diff(muffled_cutoff(share)) < 0).all()
    assert share.max() < 1
    assert 20 * np.log10(muffled_gain(share[1:3])) == pytest.approx([-6.02, -9.54], abs=0.01)


def test_the_air_takes_three_decibels_at_the_cutoff() -> None:
    """The cutoff is near the frequency that loses 3 dB by table 2 of ISO 9613-2 (20 °C, 70 %), within a fifth."""
    for kilohertz, decibels_per_km in ((4, 22.9), (8, 76.6)):
        meters = 3000 / decibels_per_km
        assert air_cutoff(np.array([meters]))[0] == pytest.approx(1000 * kilohertz, rel=0.2)
    assert (air_cutoff(np.array([0.0, 1e5]), 0.0) > 1e6).all()
