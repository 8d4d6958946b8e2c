"""Queries about line of sight in a world."""

from __future__ import annotations

import numpy as np
import pytest

import plain_sight as reference
from rish_core import Transform, publish_edges
from rish_ecs import UsageError
from rish_lighting import Occluder, Sight, can_see, visible_from

BOX = "- {at: [60, 40], Transform: {}, Occluder: {size: [20, 20]}}"


def walls(hall, edges, scene=""):
    """Return a world with these edges."""
    world = hall(scene).world
    edges = np.asarray(edges, np.float32).reshape(-1, 4)
    publish_edges(world, "test", x0=edges[:, 0], y0=edges[:, 1], x1=edges[:, 2], y1=edges[:, 3])
    return world


@pytest.mark.slow
def test_many_lines_are_free_where_no_edge_lies_between_their_ends(hall):
    """Random lines among random crossing edges equal the reference."""
    rng = np.random.default_rng(4)
    start = rng.uniform(-50, 50, (30, 2))
    edges = np.concatenate([start, start + rng.normal(0, 12, start.shape)], axis=1).astype(np.float32)
    a, b = rng.uniform(-60, 60, (2, 150, 2))
    wanted = [reference.free(p, q, edges) for p, q in zip(a, b, strict=True)]
    found = can_see(walls(hall, edges), a, b)
    np.testing.assert_array_equal(found, wanted)
    assert 20 < found.sum() < 130


@pytest.mark.slow
def test_what_touches_hides_nothing_and_what_is_shared_by_two_walls_hides_all(hall):
    """Touching an edge or corner hides nothing; a corner shared by two walls hides all."""
    square = [(0, 0, 10, 0), (10, 0, 10, 10), (10, 10, 0, 10), (0, 10, 0, 0)]
    other = np.array(square) + 10
    world = walls(hall, square)
    ends = {"along": ((-5, 10), (15, 10)), "corner": ((5, 15), (15, 5)), "through": ((-5, -5), (15, 15))}
    seen = {name: bool(can_see(world, [a], [b])[0]) for name, (a, b) in ends.items()}
    assert seen == {"along": True, "corner": True, "through": False}
    assert not can_see(walls(hall, [*square, *other]), [(5, 15)], [(15, 5)])[0]
    assert not can_see(walls(hall, [(-5, 1, 0, 0), (0, 0, 5, 1)]), [(0, 4)], [(0, -4)])[0]


def test_sight_is_mutual(hall):
    """Line of sight is symmetric, also at integer places where lines often touch corners and edges."""
    rng = np.random.default_rng(9)
    tiles = np.unique(rng.integers(-3, 3, (8, 2)), axis=0) * 4
    sides = np.array([(0, 0, 4, 0), (4, 0, 4, 4), (4, 4, 0, 4), (0, 4, 0, 0)])
    edges = (np.tile(tiles, 2)[:, None] + sides).reshape(-1, 4)
    world = walls(hall, edges)
    a, b = rng.integers(-14, 14, (2, 300, 2)).astype(float)
    np.testing.assert_array_equal(can_see(world, a, b), can_see(world, b, a))


@pytest.mark.slow
def test_one_place_may_look_at_many(hall):
    """One place can be tested with a thousand goals, and vice versa."""
    world = walls(hall, [(-10, 5, 10, 5)])
    goals = np.stack([np.linspace(-30, 30, 1000), np.full(1000, 10.0)], axis=1)
    found = can_see(world, [(0, 0)], goals)
    assert found.tolist() == can_see(world, goals, [(0, 0)]).tolist()
    np.testing.assert_array_equal(found, np.abs(goals[:, 0]) > 20)
    assert len(can_see(world, np.zeros((0, 2)), goals[:0])) == 0


@pytest.mark.slow
def test_things_look_through_their_own_edges(hall):
    """An entity that is an occluder looks through its own edges and is visible; a point inside it is not."""
    world = hall(BOX + "\n- {at: [120, 40], Transform: {}, Sight: {}}").world
    eye, box = (int(world.query(kind, Transform).entities[0]) for kind in (Sight, Occluder))
    assert can_see(world, eye, box).tolist() == [True]
    assert can_see(world, [(120, 40)], [(60, 40)]).tolist() == [False]
    assert visible_from(world, box, radius=50).areas()[0] > visible_from(world, [(60, 40)], radius=50).areas()[0]


def test_nonsense_is_refused_by_name(hall):
    """Invalid places, negative radii and arrays of wrong shapes are rejected by name."""
    world = walls(hall, [(0, 0, 1, 1)])
    with pytest.raises(UsageError, match="not a finite number"):
        visible_from(world, [(np.nan, 0)])
    with pytest.raises(UsageError, match="above 0"):
        visible_from(world, [(0, 0)], radius=-1)
    with pytest.raises(UsageError, match="expected one number, or 2"):
        visible_from(world, [(0, 0), (1, 1)], radius=[1, 2, 3])
    with pytest.raises(UsageError, match="must be equal"):
        can_see(world, [(0, 0), (1, 1)], [(0, 0), (1, 1), (2, 2)])
    with pytest.raises(UsageError, match="no Transform"):
        can_see(world, 123456, [(0, 0)])
    with pytest.raises(UsageError, match="expected points"):
        visible_from(world, [1.0, 2.0, 3.0])
