"""Followers move to their targets."""

from __future__ import annotations

import numpy as np
import pytest

from rish_basics import Follow
from rish_core import Transform, find, world_matrices


def place(app, name: str) -> list[float]:
    """Return the world position of an entity."""
    row = app.world.table(Transform).row_of(find(app.world, name))
    return world_matrices(app.world)[row, 4:].tolist()


def test_it_is_where_its_target_is_plus_an_offset(play) -> None:
    """Without smoothing a follower is immediately at its target plus the offset."""
    app = play(
        "{name: ship, Transform: {position: [100, 50]}}",
        "{name: label, Transform: {}, Follow: {target: ship, offset: [0, 30]}}",
    )
    app.tick()
    assert place(app, "label") == [100, 80]


def test_smoothing_makes_up_63_percent_in_its_time(play) -> None:
    """With smoothing a follower covers 63 % of the distance in that time, independent of the tick rate."""
    app = play(
        "{name: ship, Transform: {position: [100, 0]}}",
        "{name: drone, Transform: {}, Follow: {target: ship, smoothing: 0.5}}",
    )
    app.run(30)
    assert place(app, "drone")[0] == pytest.approx(100 * (1 - np.exp(-1)), rel=1e-4)
    app.run(30)
    assert place(app, "drone")[0] == pytest.approx(100 * (1 - np.exp(-2)), rel=1e-4)


def test_it_keeps_its_distance(play) -> None:
    """A follower stops at its distance; one that is nearer does not move away."""
    app = play(
        "{name: hero, Transform: {}}",
        "{name: dog, Transform: {position: [30, 40]}, Follow: {target: hero, distance: 25}}",
        "{name: cat, Transform: {position: [3, 4]}, Follow: {target: hero, distance: 25}}",
        "{name: flea, Transform: {}, Follow: {target: hero, distance: 25}}",
    )
    app.tick()
    assert place(app, "dog") == pytest.approx([15, 20])
    assert place(app, "cat") == [3, 4]
    assert place(app, "flea") == [0, 0]


def test_both_may_hang_on_parents(play) -> None:
    """Positions are compared in the world, with parents of any rotation and scale."""
    app = play(
        "{name: ring, Transform: {position: [50, 10], rotation: 90, scale: [2, 3]}, children: "
        "[{name: bead, Transform: {position: [5, 0]}}]}",
        "{name: arm, Transform: {position: [-20, 7], rotation: 30, scale: [0.5, 4]}, children: "
        "[{name: hand, Transform: {}, Follow: {target: bead, offset: [1, 2]}}]}",
        "{name: flat, Transform: {scale: [0, 1]}, children: [{name: lost, Transform: {}, Follow: {target: bead}}]}",
    )
    app.tick()
    bead = place(app, "bead")
    assert bead == pytest.approx([50, 20])
    assert place(app, "hand") == pytest.approx([51, 22], abs=1e-4)
    assert np.isfinite(place(app, "lost")).all()


def test_without_a_target_it_stays(play) -> None:
    """A follower without a target, with a dead one or with itself as target stays."""
    app = play(
        "{name: ship, Transform: {position: [9, 9]}}",
        "{name: late, Transform: {}, Follow: {target: ship}}",
        "{name: free, Transform: {position: [1, 2]}, Follow: {}}",
        "{name: self, Transform: {position: [3, 4]}, Follow: {target: self, offset: [1, 1]}}",
    )
    app.world.despawn(find(app.world, "ship"))
    app.run(3)
    assert place(app, "late") == [0, 0]
    assert place(app, "free") == [1, 2]
    assert place(app, "self") == [3, 4]
    assert app.world.get(find(app.world, "late"), Follow).smoothing == 0
