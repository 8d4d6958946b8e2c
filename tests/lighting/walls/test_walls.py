"""The edges that block light: published edges of any plugin, and the outlines of occluders."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Edges, Transform, publish_edges
from rish_lighting import Light, Occluder
from rish_lighting.passes.extract import Lighting
from rish_lighting.walls.walls import Walls, is_open


def edges_of(world, source="lighting"):
    """Return float64 (n, 4): the published edges of a source."""
    table = world[Edges]
    mine = table.column("source") == world.intern(source)
    return np.stack([table.column(name)[mine] for name in ("x0", "y0", "x1", "y1")], axis=1).astype(float)


def area(edges):
    """Return twice the area within closed edges."""
    return float((edges[:, 0] * edges[:, 3] - edges[:, 2] * edges[:, 1]).sum())


@pytest.fixture
def world(hall):
    """A game with one lamp, so that it is lit."""
    made = hall("- {at: [5, 5], Transform: {}, Light: {}}")
    made.world.run = lambda frames=1: made.app.run(frames=frames)
    return made


def put(made, *parts):
    """Spawn an entity and run a tick; return its handle."""
    found = []
    made.world.defer(lambda world: found.append(world.spawn(*parts)))
    made.app.run(frames=1)
    return found[0]


def test_a_line_is_open_and_a_ring_is_not():
    """A chain of edges is open and a square is closed, also if the edges of both are mixed."""
    ring = [[0, 0, 1, 0], [1, 0, 1, 1], [1, 1, 0, 1], [0, 1, 0, 0]]
    chain = [[5, 5, 6, 5], [6, 5, 7, 5], [7, 5, 8, 6]]
    mixed = np.array([chain[1], ring[2], ring[0], chain[0], ring[3], ring[1], chain[2]], np.float32)
    assert is_open(mixed).tolist() == [True, False, False, True, False, False, True]


@pytest.mark.parametrize(
    ("occluder", "count", "surrounds"),
    [
        (Occluder(size=(10, 4)), 4, 80),
        (Occluder(shape="circle", size=(20, 20)), 32, 2 * np.pi * 100 * 0.9936),
        (Occluder(shape="polygon", points=[(0, 0), (0, 10), (10, 0)]), 3, 100),
        (Occluder(shape="image", image="ball.png", size=(0, 0)), None, 2 * np.pi * 256),
        (Occluder(shape="line", points=[(0, 0), (5, 0), (9, 1)]), 2, None),
    ],
)
def test_occluders_publish_their_outlines(world, occluder, count, surrounds):
    """Occluders publish their outlines in world coordinates, rotated and scaled, with solid on the left."""
    put(world, Transform(position=(70, 40), rotation=0.7, scale=(2, -1)), occluder)
    edges = edges_of(world.world)
    if count is not None:
        assert len(edges) == count
    if surrounds is not None:
        assert area(edges) == pytest.approx(2 * surrounds, rel=0.06)
    assert np.abs(edges.reshape(-1, 2) - (70, 40)).max() < 60


def test_an_occluder_that_stands_still_is_not_published_again(world):
    """An occluder's edges are replaced only when it moves, and removed with it."""
    edges = world.world[Edges]
    entity = put(world, Transform(position=(70, 40)), Occluder())
    before = edges.membership
    world.app.run(frames=5)
    assert edges.membership == before
    world.world.defer(lambda w: w.set(entity, Transform(position=(71, 40))))
    world.app.run(frames=1)
    assert edges.membership > before
    world.world.defer(lambda w: w.despawn(entity))
    world.app.run(frames=1)
    assert not len(edges_of(world.world))


def test_edges_of_anybody_block_light(world):
    """An open line blocks from both sides, a closed outline from its far side; a restored game has them again."""
    line = {"x0": np.array([20.0]), "y0": np.array([-50.0]), "x1": np.array([20.0]), "y1": np.array([50.0])}
    world.world.defer(lambda w: publish_edges(w, "test", **line))
    world.app.run(frames=1)
    walls = world.world[Walls]
    assert walls.two_sided.tolist() == [1]
    assert world.world[Lighting].shadows.maps.texels.min() == pytest.approx(15, rel=1e-3)


def test_broken_edges_are_passed_over(world):
    """Edges with NaN, infinity or no length are skipped."""
    columns = {"x0": [1.0, 1, 5], "y0": [0.0, 1, 5], "x1": [2.0, 3, 5], "y1": [1.0, 2, 5]}

    def write(w):
        publish_edges(w, "test", **{k: np.array(v, float) for k, v in columns.items()})
        w[Edges].column("x0")[:2] = np.nan, np.inf

    world.world.defer(write)
    world.app.run(frames=1)
    assert not len(world.world[Walls])


def test_broken_lights_do_no_harm(world):
    """Lights with an invalid place or axis are skipped; the frame is drawn with the other lights."""
    bad = put(world, Transform(position=(30, 3)), Light())
    put(world, Transform(position=(80, 48)), Light(radius=40))
    put(world, Transform(position=(80, 48), scale=(0, 0)), Light(kind="spot", radius=40))
    table = world.world.table(Transform)
    world.world.defer(lambda w: table.column("position").__setitem__(table.row_of(bad), np.nan))
    world.app.run(frames=2)
    shown = world.pixels("light.light.1")
    assert np.isfinite(shown).all()
    assert shown[24, 40, 0] > 0.5
