"""Occluders publish their edges once at their place, and a restore does not publish them again."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Edges, Transform, open_game
from rish_lighting import Occluder
from rish_lighting.walls.occluders import Outlines

SCENE = """
- {at: [40, 40], Transform: {}, Light: {radius: 60}}
- {name: crate, at: [80, 48], Transform: {}, Occluder: {shape: box, size: [20, 10]}}
"""


def test_what_stands_still_is_published_once(hall: Any) -> None:
    """Resting occluders are published once, however many ticks pass; a moved one is published again."""
    made = hall(SCENE)
    edges = made.world[Edges]
    assert len(edges) == 4
    published = edges.membership
    made.app.run(frames=3)
    assert edges.membership == published
    with made.world.query(Transform).edit(Transform.position) as position:
        position[1] += 5
    made.app.run(frames=1)
    assert edges.membership > published
    assert np.isclose(edges.x0.max(), 95)


def test_after_a_restore_nothing_is_published_that_stands_already(hall: Any) -> None:
    """After a restore nothing is published again, so a rewound game equals one without a rewind."""
    made = hall(SCENE)
    kept = made.world.snapshot()
    made.app.run(frames=2)
    straight = made.world.hash()
    made.world.restore(kept)
    made.app.run(frames=2)
    assert made.world.hash() == straight


def test_it_hides_nothing_from_strict_mode(hall: Any) -> None:
    """Occluders pass strict mode, which runs each tick twice."""
    folder = hall(SCENE).folder
    with open_game(folder, headless=True, policy="raise", more=["strict"]) as app:
        app.run(3)
        assert app.world.tick == 3
        assert len(app.world[Edges]) == 4


def test_who_goes_takes_the_edges_along(hall: Any) -> None:
    """The edges of a despawned occluder are removed, and light reaches its place."""
    made = hall(SCENE)
    made.world.despawn(int(made.world.query(Transform).entities[1]))
    made.app.run(frames=1)
    assert len(made.world[Edges]) == 0


def test_outlines_follow_the_occluders(hall: Any) -> None:
    """After occluders came, went and changed, each of them has its own outline, and no other one is traced again."""
    world = hall(SCENE).world
    world.check_derived()
    rng = np.random.default_rng(7)
    for _ in range(20):
        occluders, size = world.query(Occluder, Transform).entities, tuple(rng.integers(2, 40, 2).tolist())
        match int(rng.integers(4)):
            case 0 if len(occluders) > 1:
                world.despawn(int(rng.choice(occluders)))
            case 1:
                world.set(int(rng.choice(occluders)), Occluder(size=size))
            case 2:
                world.spawn(Transform())
            case _:
                world.spawn(Transform(), Occluder(size=size))
        outlines = world[Outlines]
        widths = [np.ptp(outlines.edges[outlines.which == k][:, 0]) for k in range(len(outlines.entities))]
        query = world.query(Occluder, Transform)
        np.testing.assert_array_equal(outlines.entities, query.entities)
        np.testing.assert_allclose(widths, query[Occluder.size][:, 0])
