"""What rish_lighting brings for the editor: handles of lights and occluders, and moods of ambient light."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from editing import Desk, desk
from rish_lighting import Ambient, Light, Occluder

GAME = """rish: 1
game: {title: Lights, size: [640, 360]}
plugins: [render, lighting]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: floor, Transform: {position: [0, 0]}, Shape: {size: [600, 330], color: "#8899aa"}}
    - {name: lamp, Transform: {position: [-150, 0]}, Light: {radius: 100, color: "#ffcc88"}}
    - name: spot
      Transform: {position: [60, -60], rotation: 90}
      Light: {kind: spot, radius: 150, angle: 60, direction: 0}
    - {name: off, Transform: {position: [220, 100]}, Light: {enabled: false}}
    - {name: wall, Transform: {position: [-60, 40]}, Occluder: {size: [40, 20]}}
    - {name: fence, Transform: {position: [160, -100]}, Occluder: {shape: polygon, points: [[0, 0], [50, 0], [25, 40]]}}
    - {name: sky, Ambient: {}}
"""


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor for all tests of this file."""
    with desk(tmp_path_factory.mktemp("lighting")) as made:
        yield made


@pytest.fixture
def game(at: Desk) -> Any:
    """The game of these tests, opened anew."""
    made = at.open(GAME)
    at.show("editor.inspector")
    return made


def test_the_radius_follows_the_pointer(at: Desk, game: Any) -> None:
    """Dragging the edge of a light's circle sets its radius, as one step that Undo takes back."""
    [lamp] = at.select("lamp")
    before, steps = game.world.hash(), len(at.steps)
    at.drag(f"light.{lamp}.radius", (30, 0))
    assert game.read(lamp, Light, "radius") == pytest.approx(130, abs=2)
    assert len(at.steps) == steps + 1
    at.driver.key("Ctrl+Z")
    assert game.world.hash() == before


@pytest.mark.slow
def test_a_cone_is_turned_and_widened(at: Desk, game: Any) -> None:
    """The arrow turns the cone relative to its entity, which is turned by 90 degrees; an edge widens both sides."""
    [spot] = at.select("spot")
    place = at.driver.place(f"editor.scene/light.{spot}.direction").center
    at.drag(f"light.{spot}.direction", (90, -90))
    assert place != at.driver.place(f"editor.scene/light.{spot}.direction").center
    turned = float(game.read(spot, Light, "direction"))
    assert turned == pytest.approx(math.atan2(0, 90) - math.pi / 2, abs=0.08)
    at.drag(f"light.{spot}.cone.left", (0, 25))
    assert float(game.read(spot, Light, "angle")) > math.radians(70)


def test_icons_select_lights_also_those_that_are_off(at: Desk, game: Any) -> None:
    """A click on the icon of a light selects it."""
    game.selection.clear()
    at.driver.step(2)
    off = at.entity("off")
    at.driver.click(f"editor.scene/icon.{off}")
    assert game.selection.handles == [off]


@pytest.mark.slow
def test_an_occluder_is_dragged(at: Desk, game: Any) -> None:
    """The corner of a box and the points of a polygon follow the pointer."""
    [wall] = at.select("wall")
    at.drag(f"occluder.{wall}.size", (10, 5))
    assert game.read(wall, Occluder, "size") == pytest.approx([60, 30], abs=2)
    [fence] = at.select("fence")
    at.drag(f"occluder.{fence}.1", (20, -10))
    assert np.asarray(game.read(fence, Occluder, "points"))[1] == pytest.approx([70, -10], abs=2)


def test_a_mood_sets_all_fields_as_one_step(at: Desk, game: Any) -> None:
    """A mood changes colors, gradient and intensity together, as one step."""
    [sky] = at.select("sky")
    steps, before = len(at.steps), game.world.hash()
    at.driver.click("editor.inspector/Ambient/mood")
    at.driver.click("editor.inspector/Ambient/mood:dusk")
    assert bool(game.read(sky, Ambient, "gradient"))
    assert game.read(sky, Ambient, "color_end") == pytest.approx([0.95, 0.5, 0.26, 1], abs=0.01)
    assert len(at.steps) == steps + 1
    game.undo()
    assert game.world.hash() == before


def test_the_inspector_shows_the_fields_of_the_kind(at: Desk, game: Any) -> None:
    """A point light shows no cone, a spot does."""
    at.select("lamp")
    at.driver.scroll("editor.inspector/Light:header", -10)
    assert not at.driver.sees("editor.inspector/Light/angle")
    at.select("spot")
    at.driver.scroll("editor.inspector/Light:header", -10)
    assert at.driver.sees("editor.inspector/Light/angle")
