"""The debug view of bodies in space."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rish_core import App, named, parse_manifest
from rish_physics3d import DebugView3D
from rish_physics3d.plugin.debug import PARTS, debug_lines, draw_debug
from rish_scene3d import Lines3D

GAME = """rish: 1
plugins: [{plugins}]
settings: {{physics3d: {{debug: [{debug}]}}}}
scenes:
  main:
    - {{name: floor, Transform3D: {{}}, Collider3D: {{shape: plane}}}}
    - {{name: low, Transform3D: {{position: [0, 0.5, 0]}}, Body3D: {{}}, Collider3D: {{}}}}
    - {{name: high, Transform3D: {{position: [0, 1.5, 0]}}, Body3D: {{}}, Collider3D: {{}}}}
    - {{name: bob, Transform3D: {{position: [5, 2, 0]}}, Body3D: {{}}, Collider3D: {{shape: sphere}}}}
    - {{name: rope, BallJoint3D: {{b: bob, anchor_a: [5, 4, 0], anchor_b: [0, 2, 0]}}}}
"""


def start(debug: str = "", plugins: str = "scene3d, physics3d") -> App:
    """Return a headless game with two crates on the ground and a pendulum at rest."""
    return App(parse_manifest(GAME.format(plugins=plugins, debug=debug)), headless=True, policy="raise")


@pytest.fixture(scope="module")
def world() -> Iterator[Any]:
    """The World of the game after the crates fell asleep."""
    with start() as app:
        app.run(90)
        yield app.world


def lines_of(world: Any, part: str) -> list[Any]:
    """Return the lines (n, 2, 3) of each group of a part."""
    return [lines for lines, _ in debug_lines(world, world[DebugView3D], [part])]


@pytest.mark.parametrize("part", PARTS)
def test_each_part_has_lines(world: Any, part: str) -> None:
    """Each part gives lines with both ends finite, and a color for all or for each."""
    parts = debug_lines(world, world[DebugView3D], [part])
    assert sum(len(lines) for lines, _ in parts) > 0
    for lines, color in parts:
        assert lines.shape[1:] == (2, 3)
        assert np.isfinite(lines).all()
        assert np.shape(color) in ((4,), (len(lines), 4))


def test_contacts_are_where_bodies_touch(world: Any) -> None:
    """The crates touch the ground and each other at their corners; normals are vertical."""
    [marks] = lines_of(world, "contacts")
    points = marks.mean(axis=1)[::3]
    assert sorted(set(np.abs(np.round(points[:, 1])).tolist())) == [0, 1]
    assert np.abs(points[:, [0, 2]]) == pytest.approx(np.full((8, 2), 0.5), abs=0.01)
    [normals] = lines_of(world, "normals")
    ways = normals[:, 1] - normals[:, 0]
    assert np.abs(ways[:, 1]) == pytest.approx(np.full(8, world[DebugView3D].size), abs=1e-3)


def test_impulses_carry_the_weight(world: Any) -> None:
    """In sum, the lines below both crates are two meters long, and those between them one: the weight of a crate."""
    [lines] = lines_of(world, "impulses")
    length = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    low = lines[:, 0, 1] < 0.5
    assert (length[low].sum(), length[~low].sum()) == (pytest.approx(2, abs=0.1), pytest.approx(1, abs=0.1))


def test_sleeping_bodies_are_in_a_box_of_their_island(world: Any) -> None:
    """Both crates are one island, whose box is around both; the pendulum is another."""
    [(lines, colors)] = debug_lines(world, world[DebugView3D], ["islands"])
    extents = np.ptp(lines.reshape(2, -1, 3), axis=1).round(1).tolist()
    assert sorted(extents) == [[1, 1, 1], [1, 2, 1]]
    assert len(np.unique(colors, axis=0)) == 2


def test_it_is_drawn_only_when_it_is_wanted() -> None:
    """The settings and `show` choose parts; the lines are in the scene, and none of it is state."""
    with start("shapes, boxes") as app:
        view = app.world[DebugView3D]
        assert (view.shapes, view.boxes, view.contacts) == (True, True, False)
        app.run(2)
        before, count = app.world.hash(), len(app.world[Lines3D])
        view.show("all")
        draw_debug(app.world, 0.0)
        assert len(app.world[Lines3D]) > count + 100
        assert app.world.hash() == before
        view.show()
        app.frame()
        assert len(app.world[Lines3D]) == 0
        view.show("all")
        app.world.despawn(named(app.world, "low"))
        app.frame()


def test_a_game_without_scene3d_says_that_nothing_is_drawn(caplog: pytest.LogCaptureFixture) -> None:
    """The setting needs scene3d; without it there is a warning, and the game runs."""
    with caplog.at_level(logging.WARNING), start("contacts", "space3d, physics3d") as app:
        app.run(2)
    assert "settings.physics3d.debug has no effect" in caplog.text
