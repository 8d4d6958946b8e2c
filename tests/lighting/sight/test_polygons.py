"""The visible polygons of viewers, compared with rays at every edge."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import plain_sight as reference
from rish_lighting.sight.kernels import polygons
from rish_lighting.sight.queries import Sights, unit_circle

SIDES = 64
ROUND = reference.area(reference.circle(SIDES))


def seen(viewers, edges, radius=100.0, family=None, mask=None, own=0, wanted=-1):
    """Return the visible polygons of viewers."""
    viewers = np.asarray(viewers, np.float64).reshape(-1, 2)
    edges = np.asarray(edges, np.float64).reshape(-1, 4)
    count, many = len(edges), len(viewers)

    def each(value, size, dtype=np.int64):
        return np.ascontiguousarray(np.broadcast_to(np.asarray(value, dtype), size))

    made = polygons(
        edges.ravel(), each(0 if family is None else family, count), each(1 if mask is None else mask, count),
        viewers.ravel(), each(radius, many, np.float64), each(own, many), each(wanted, many),
        unit_circle(SIDES).ravel(),
    )  # fmt: skip
    return Sights(*made)


def box(x, y, w, h):
    """Return the edges of a box, counter-clockwise."""
    corners = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float64)
    return np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)


def is_simple(polygon, viewer):
    """Return True if a polygon runs once around a viewer, counter-clockwise."""
    turns = np.unwrap(np.arctan2(*(polygon - viewer).T[::-1]))
    return (np.diff(turns) > -1e-9).all() and turns[-1] - turns[0] <= 2 * np.pi + 1e-9


@pytest.mark.slow
def test_where_nothing_blocks_all_of_the_circle_is_seen():
    """Without edges the polygon is a circle of 64 sides."""
    found = seen([(3, 4), (-10, 7)], [], radius=[100, 5])
    np.testing.assert_allclose(found.areas(), [ROUND * 1e4, ROUND * 25])
    assert len(found) == 2


@pytest.mark.slow
def test_no_viewers_see_nothing():
    """No viewers give an empty result."""
    found = seen(np.zeros((0, 2)), box(0, 0, 1, 1))
    assert len(found) == 0
    assert len(found.areas()) == 0


@pytest.mark.slow
def test_random_edges_are_seen_as_rays_find_them_one_by_one():
    """With random crossing edges, area and border equal the reference's."""
    rng = np.random.default_rng(3)
    for _ in range(12):
        start = rng.uniform(-100, 100, (int(rng.integers(1, 14)), 2))
        edges = np.concatenate([start, start + rng.normal(0, 50, start.shape)], axis=1)
        viewer = rng.uniform(-40, 40, 2)
        (found,), wanted = seen([viewer], edges), reference.polygon(viewer, edges, 100.0)
        assert abs(reference.area(found) - reference.area(wanted)) < 1e-6
        assert is_simple(found, viewer)
        assert_same_rim(found, wanted, viewer)


def assert_same_rim(found, wanted, viewer):
    """Assert that rays leave both polygons at the same distance."""
    lines = [np.stack([one, np.roll(one, -1, axis=0)], axis=1) - viewer for one in (found, wanted)]
    for turn in np.linspace(0, 2 * np.pi, 57) + 0.0123:
        ray = np.array([np.cos(turn), np.sin(turn)])
        far = [min(reference.distance(ray, line) for line in each) for each in lines]
        np.testing.assert_allclose(far[0], far[1], rtol=1e-9)


@pytest.mark.slow
def test_boxes_on_a_grid_that_share_edges_and_corners_leave_no_gaps():
    """Adjacent tiles with collinear edges, viewed from integer places, equal the reference."""
    rng = np.random.default_rng(8)
    for _ in range(12):
        tiles = np.unique(rng.integers(-4, 4, (7, 2)), axis=0) * 10
        edges = np.concatenate([box(x, y, 10, 10) for x, y in tiles])
        viewer = rng.integers(-40, 40, 2) + 0.5 * rng.integers(0, 2, 2)
        inside = ((tiles <= viewer) & (viewer <= tiles + 10)).all(axis=1).any()
        if inside:
            continue
        (found,), wanted = seen([viewer], edges, 60.0), reference.polygon(viewer, edges, 60.0)
        np.testing.assert_allclose(reference.area(found), reference.area(wanted), rtol=1e-9)


def test_nothing_is_seen_beyond_a_closed_room():
    """In a room of 400 short edges every corner of the polygon is on the room, from any place."""
    turn = np.arange(401) * (2 * np.pi / 400)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * (30 + 5 * np.sin(9 * turn))[:, None]
    ring[-1] = ring[0]
    edges = np.array([[*a, *b] for a, b in pairwise(ring)])
    viewers = np.random.default_rng(1).uniform(-12, 12, (40, 2))
    for polygon in seen(viewers, edges, 500.0):
        assert np.hypot(*polygon.T).max() <= 35 + 1e-9


def test_two_things_that_touch_at_a_corner_let_nothing_through():
    """Two diagonal tiles that touch at a corner let nothing through."""
    edges = np.concatenate([box(0, 0, 10, 10), box(10, 10, 10, 10)])
    (found,) = seen([(14, 6)], edges, 15.0)
    behind = (found[:, 0] < 10 - 1e-9) & (found[:, 1] > 10 + 1e-9)
    assert not behind.any()


@pytest.mark.slow
def test_who_stands_on_an_edge_looks_over_it():
    """An edge hides nothing from a viewer on its middle or its end."""
    for viewer in ((0, 0), (10, 0), (-10, 0)):
        (found,) = seen([viewer], [(-10, 0, 10, 0)], 50.0)
        np.testing.assert_allclose(reference.area(found), ROUND * 2500)


def test_an_edge_seen_from_its_end_hides_nothing():
    """An edge that points at the viewer, or has no length, hides nothing."""
    (found,) = seen([(-20, 0)], [(-10, 0, 10, 0), (5, 5, 5, 5)], 50.0)
    np.testing.assert_allclose(reference.area(found), ROUND * 2500)


def test_edges_that_lie_on_each_other_are_one():
    """An edge that exists twice, completely or in part, has the same effect as once."""
    once = seen([(0, -10)], [(-10, 0, 10, 0)]).areas()
    again = seen([(0, -10)], [(-10, 0, 10, 0), (10, 0, -10, 0), (-3, 0, 4, 0)]).areas()
    np.testing.assert_allclose(once, again)


def test_edges_block_whose_bits_a_viewer_asks_for_and_that_are_not_its_own():
    """An edge blocks if it shares a bit with the viewer's mask, and not if it is of the viewer's own family."""
    edge = [(-10, 5, 10, 5)]
    free = seen([(0, 0)], []).areas()
    assert seen([(0, 0)], edge, mask=2).areas() < free
    np.testing.assert_allclose(seen([(0, 0)], edge, mask=2, wanted=1).areas(), free)
    np.testing.assert_allclose(seen([(0, 0)], edge, family=7, own=7).areas(), free)
    assert seen([(0, 0)], edge, family=0, own=0).areas() < free


def test_thousands_of_edges_are_as_many_rays_find_them():
    """With 4,000 edges, far and near, rays leave the polygon where they first meet an edge."""
    rng = np.random.default_rng(12)
    start = rng.uniform(-400, 400, (4000, 2))
    edges = np.concatenate([start, start + rng.normal(0, 6, start.shape)], axis=1)
    (found,) = seen([(0.25, 0.5)], edges, 300.0)
    at = np.array([0.25, 0.5])
    a, b = edges[:, :2] - at, edges[:, 2:] - at
    rim = np.stack([found, np.roll(found, -1, axis=0)], axis=1) - at
    for turn in np.linspace(0, 2 * np.pi, 40) + 0.01:
        ray = np.array([np.cos(turn), np.sin(turn)])
        edge = b - a
        across = ray[0] * edge[:, 1] - ray[1] * edge[:, 0]
        share = (a[:, 0] * ray[1] - a[:, 1] * ray[0]) / across
        far = (a[:, 0] * edge[:, 1] - a[:, 1] * edge[:, 0]) / across
        nearest = far[(share >= 0) & (share <= 1) & (far > 0)].min(initial=np.inf)
        left = min(reference.distance(ray, line) for line in rim)
        np.testing.assert_allclose(left, min(nearest, left if left > 299 else np.inf), rtol=1e-9)


@pytest.mark.parametrize("size", [1e-6, 1e6])
def test_what_is_seen_does_not_depend_on_the_scale(size):
    """The visible area scales with the square of the scene's size, for a tiny and a huge scene."""
    edges = np.concatenate([box(3, 3, 4, 4), box(-8, 2, 3, 1)])
    plain = seen([(0, 0)], edges, 20.0).areas()
    np.testing.assert_allclose(seen([(0, 0)], edges * size, 20.0 * size).areas() / size**2, plain, rtol=1e-9)
