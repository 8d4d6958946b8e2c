"""Edges of other plugins as ground, and static colliders as edges for other plugins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Edges, Transform, publish_edges
from rish_physics import ContactBegin, ContactEnd
from rish_physics.components.ground import chains_of
from rish_physics.components.tables import CHAIN, Shapes


def _ground(scene: Any, count: int = 40, y: float = 0.0) -> None:
    """Publish edges of length 1; the solid is on the left of an edge, so each runs to the left."""
    x = np.arange(count, dtype=np.float32) - count / 2
    publish_edges(scene.world, "tiles", x0=x + 1, y0=np.full(count, y), x1=x, y1=np.full(count, y), owner=0)


def test_edges_that_meet_know_each_other():
    """Ghost points are the far ends of neighboring edges, or the edge's own other end at an open end."""
    chains = chains_of(np.array([(2, 0, 1, 0), (1, 0, 0, 0), (0, 0, 0, -1)], np.float32))
    assert chains[0].tolist() == [[1, 0], [2, 0], [1, 0], [0, 0]]
    assert chains[1].tolist() == [[2, 0], [1, 0], [0, 0], [0, -1]]
    assert chains[2].tolist() == [[1, 0], [0, 0], [0, -1], [0, 0]]


def test_a_box_slides_over_the_joints_of_tiles(yard: Callable[..., Any]):
    """A box that slides over the joints of tiles never leaves the ground."""
    scene = yard(gravity=[0, -10])
    _ground(scene)
    box = scene.box(-15, 0.5, body={"velocity": (8, 0)}, friction=0)
    scene.run(20)
    for _ in range(120):
        scene.run()
        assert abs(scene.velocity(box)[1]) < 0.02
        assert scene.place(box)[1] == pytest.approx(0.5, abs=0.01)
    assert scene.place(box)[0] > 0


def test_from_below_edges_let_pass(yard: Callable[..., Any]):
    """Edges are one-sided: a body passes them from below."""
    scene = yard()
    _ground(scene)
    box = scene.box(0, -2, body={"velocity": (0, 9)})
    scene.run(120)
    assert scene.place(box)[1] == pytest.approx(0.5, abs=0.02)


def test_a_body_does_not_stand_in_its_own_way(yard: Callable[..., Any]):
    """Edges that a body with a collider publishes, as an Occluder does, are not used as ground."""
    scene = yard()
    box = scene.box(0, 0, body={"velocity": (3, 0)})
    x = np.array([-0.4, 0.4, 0.4, -0.4])
    y = np.array([-0.4, -0.4, 0.4, 0.4])
    publish_edges(scene.world, "lighting", x0=x, y0=y, x1=np.roll(x, -1), y1=np.roll(y, -1), owner=box)
    scene.run(60)
    assert scene.place(box)[0] == pytest.approx(3, abs=0.01)
    assert not (scene.world[Shapes].flags & CHAIN).any()


def test_edges_published_anew_replace_the_old_ones(yard: Callable[..., Any]):
    """Changed edges wake the bodies on them; equal edges that are published again change nothing."""
    scene = yard()
    _ground(scene)
    box = scene.box(0, 0.5)
    scene.run(90)
    before = scene.world[Shapes].flags.copy()
    _ground(scene)
    scene.run()
    assert not list(scene.world.events(ContactEnd))
    np.testing.assert_array_equal(scene.world[Shapes].flags, before)
    _ground(scene, y=-3)
    scene.run()
    assert len(scene.world.events(ContactEnd)) >= 1
    scene.run(90)
    assert scene.place(box)[1] == pytest.approx(-2.5, abs=0.02)
    publish_edges(scene.world, "tiles")
    scene.run(60)
    assert scene.place(box)[1] < -5
    assert not (scene.world[Shapes].flags & CHAIN).any()


def test_owners_of_edges_are_in_the_events(yard: Callable[..., Any]):
    """Contact events contain the owner of the edges."""
    scene = yard()
    owner = scene.put(0, 0)
    publish_edges(scene.world, "tiles", x0=5.0, y0=0.0, x1=-5.0, y1=0.0, owner=owner)
    box = scene.box(0, 0.6)
    events: list[Any] = []
    while not events:
        scene.run()
        events = list(scene.world.events(ContactBegin))
    (event,) = events
    assert {event.a, event.b} == {owner, box}


def test_static_colliders_are_published(yard: Callable[..., Any]):
    """The sides of static colliders are published with owner and category, solid on the left, only after a change."""
    scene = yard()
    wall = scene.wall(10, 0, 2, 2, category=4)
    scene.box(0, 5)
    scene.wall(0, 9, 1, 1, sensor=True)
    scene.run()
    edges = scene.world[Edges]
    assert len(edges) == 4
    assert set(edges.owner.tolist()) == {wall}
    assert set(edges.mask.tolist()) == {4}
    middle = np.stack([edges.x0 + edges.x1, edges.y0 + edges.y1], 1) / 2 - (10, 0)
    way = np.stack([edges.x1 - edges.x0, edges.y1 - edges.y0], 1)
    assert (way[:, 0] * -middle[:, 1] - way[:, 1] * -middle[:, 0] > 0).all()
    published = edges.membership
    scene.run(20)
    assert edges.membership == published
    scene.world.get(wall, Transform).position = (20, 0)
    scene.run()
    assert edges.membership > published
    assert scene.world[Edges].x0.min() == 19
