"""The narrow phase of the physics to be read: where hulls touch, and which normals a chain allows."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_teach import Hull, collide

SQUARE = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]


def moved(corners: list[tuple[float, float]], x: float, y: float, angle: float = 0.0, radius: float = 0.0) -> Hull:
    """Return a hull turned and moved."""
    c, s = math.cos(angle), math.sin(angle)
    return Hull.of([(x + c * u - s * v, y + s * u + c * v) for u, v in corners], radius)


def test_two_boxes_touch_in_two_points_with_the_normal_between_them() -> None:
    """A box on a box touches along the common part of their edges, and its depth is that of the overlap."""
    found = collide(moved(SQUARE, 0, 0), moved(SQUARE, 0.5, 1.9), 0.1)
    assert found is not None
    assert found.normal == pytest.approx((0, 1))
    assert sorted(point.place[0] for point in found.points) == pytest.approx([-0.5, 1])
    assert [point.separation for point in found.points] == pytest.approx([-0.1, -0.1])
    assert [point.place[1] for point in found.points] == pytest.approx([0.95, 0.95])


@pytest.mark.parametrize(("x", "y", "gap"), [(3, 0, 0.5), (2, 2, math.sqrt(2) - 1.5), (0, 2.2, -0.3)])
def test_a_circle_touches_an_edge_or_a_corner(x: float, y: float, gap: float) -> None:
    """The separation of a circle is its distance from the nearest edge or corner, less its radius."""
    radius = 1.5
    found = collide(moved(SQUARE, 0, 0), moved([(0.0, 0.0)], x, y, radius=radius), 1.0)
    assert found is not None
    assert found.points[0].separation == pytest.approx(gap, abs=1e-9)
    if (x, y) == (2, 2):
        assert found.normal == pytest.approx((math.sqrt(0.5), math.sqrt(0.5)))


def test_shapes_beyond_the_reach_do_not_touch() -> None:
    """A pair that is farther apart than the reach has no contact, also corner to corner."""
    assert collide(moved(SQUARE, 0, 0), moved(SQUARE, 2.2, 0), 0.1) is None
    assert collide(moved(SQUARE, 0, 0), moved(SQUARE, 2.08, 2.08), 0.1) is None
    assert collide(moved(SQUARE, 0, 0), moved(SQUARE, 2.05, 0), 0.1) is not None


@settings(max_examples=40, deadline=None)
@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3), st.floats(0, 0.5))
def test_the_normal_turns_round_with_the_order_of_the_shapes(x: float, y: float, angle: float, radius: float) -> None:
    """Swapped shapes have the opposite normal and the same depth, except where two axes are equally good."""
    a, b = moved(SQUARE, 0, 0, 0.3), moved([(-0.7, -0.4), (0.9, -0.4), (0.1, 0.8)], x, y, angle, radius)
    one, other = collide(a, b, 0.2), collide(b, a, 0.2)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        deepest = [min(point.separation for point in found.points) for found in (one, other)]
        assert deepest[0] == pytest.approx(deepest[1], abs=1e-3)


def test_the_corner_between_two_segments_of_a_floor_does_not_stop_a_box() -> None:
    """A box that has sunk beside the end of a segment is pushed up by a chain, where a bare segment pushes it back."""
    box = moved(SQUARE, 1.97, 0.9)
    up = (0.0, 1.0)
    bare = Hull.of([(1.0, 0.0), (-1.0, 0.0)], 0.0)
    chain = Hull(bare.corners, bare.normals, 0.0, ghosts=(up, up))
    pushed = collide(bare, box, 0.1)
    smooth = collide(chain, box, 0.1)
    assert pushed is not None
    assert pushed.normal == pytest.approx((1, 0))
    assert smooth is not None
    assert smooth.normal == pytest.approx(up)


def test_a_chain_is_solid_on_one_side() -> None:
    """A shape whose middle is behind a segment does not touch it."""
    up = (0.0, 1.0)
    bare = Hull.of([(5.0, 0.0), (-5.0, 0.0)], 0.0)
    chain = Hull(bare.corners, bare.normals, 0.0, ghosts=(up, up))
    assert collide(chain, moved(SQUARE, 0, -0.5), 0.1) is None
    assert collide(moved(SQUARE, 0, 0.95), chain, 0.1) is not None
