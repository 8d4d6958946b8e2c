"""Points become convex hulls, or are refused with a sentence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import UsageError
from rish_physics.geometry import hull as h

SQUARE = [[0, 0], [2, 0], [2, 2], [0, 2]]


def test_the_hull_of_points_in_any_order_is_counter_clockwise_and_leaves_out_what_is_inside() -> None:
    """The hull of points in any order is counter-clockwise, without inner and duplicate points."""
    points = [[0, 2], [1, 1], [2, 0], [0, 0], [2, 2], [1, 0], [0, 0]]
    made = h.convex_hull(points)
    assert sorted(made.tolist()) == sorted(map(list, np.array(SQUARE, float)))
    assert h.area_of(made) == pytest.approx(4)


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=3, max_size=40))
def test_every_point_lies_within_the_hull(points: list[tuple[int, int]]) -> None:
    """No point is outside of an edge by more than the welding distance, and all corners turn left."""
    try:
        made = h.convex_hull(points)
    except UsageError:
        return
    near = h.WELD * h.size_of(np.array(points, float))
    normals = h.normals_of(made)
    out = np.einsum("ij,kj->ik", normals, np.array(points, float)) - (normals * made).sum(1)[:, None]
    assert out.max() <= 8 * near + 1e-9
    assert h.turns_left(made)
    assert h.crossing_of(made) is None


def test_corners_that_are_nearly_one_are_welded() -> None:
    """Corners that are nearly equal are welded, because a very short edge has no reliable normal."""
    assert len(h.convex_hull([*SQUARE, [2, 1e-5], [1e-5, 0]])) == 4


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ([[0, 0], [1, 1], [2, 2]], "on one line"),
        ([[0, 0], [0, 0], [0, 0]], "on one line"),
        ([[0, 0], [1, float("nan")], [2, 0]], "point 1 of the outline"),
        ([[0, 0], [1, float("inf")], [2, 0]], "is not finite or too large"),
        ([[0, 0], [1e12, 0], [2, 1]], "is not finite or too large"),
        ([], "list of points"),
        ([[1, 2, 3]], "list of points"),
        ("corner", "list of points"),
        ([[np.cos(a), np.sin(a)] for a in np.linspace(0, 6, 12)], "12 corners"),
    ],
)
def test_what_is_no_shape_is_refused_with_next_step(points: object, says: str) -> None:
    """Points that are too flat, too many or not finite are refused with problem and hint."""
    with pytest.raises(UsageError, match=says) as caught:
        h.convex_hull(points)  # pyright: ignore[reportArgumentType]
    assert caught.value.hint


def test_crossing_edges_are_found() -> None:
    """Crossing edges are found for a bow tie and for a spike that folds back, and not for a square."""
    assert h.crossing_of(np.array([[0, 0], [1, 1], [1, 0], [0, 1]], float)) == (0, 2)
    assert h.crossing_of(np.array(SQUARE, float)) is None
    assert h.crossing_of(np.array([[0, 0], [2, 0], [1, 0], [1, 2]], float)) is not None


def test_a_row_holds_points_and_outward_unit_normals() -> None:
    """A row of `Shapes.hull` has 8 points, then 8 normals, float32."""
    (row,) = h.hull_rows(np.array([SQUARE]))
    assert row[:8].tolist() == [0, 0, 2, 0, 2, 2, 0, 2]
    assert row[16:24].tolist() == [0, -1, 1, 0, 0, 1, -1, 0]
    assert not row[8:16].any()
    assert not row[24:].any()


def test_a_chain_has_a_row_a_segment_with_ghosts() -> None:
    """A chain has one row per segment with ghost points: the neighbors' far ends, or the other end at an open end."""
    rows = h.chain_rows([[0, 0], [1, 0], [2, 1]], loop=False)
    assert rows[:, :8].tolist() == [[1, 0, 0, 0, 1, 0, 2, 1], [0, 0, 1, 0, 2, 1, 1, 0]]
    loop = h.chain_rows(SQUARE, loop=True)
    assert len(loop) == 4
    assert loop[0, :8].tolist() == [0, 2, 0, 0, 2, 0, 2, 2]
    assert loop[0, 18:20].tolist() == [0, -1]


@pytest.mark.parametrize(
    ("points", "loop"), [([[0, 0]], False), ([[0, 0], [1, 0]], True), ([[0, 0], [0, 0], [1, 0]], False)]
)
def test_a_chain_without_segments_is_refused(points: list[list[float]], loop: bool) -> None:
    """A chain with too few or duplicate points is refused."""
    with pytest.raises(UsageError, match="chain"):
        h.chain_rows(points, loop=loop)
