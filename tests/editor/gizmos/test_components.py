"""The gizmos of cameras, lines, polygons and groups: their handles change fields, each drag is one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_render import Camera, CanvasGroup, Line, Shape, view_of

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360, limits: [-300, -160, 600, 320]}}
    - name: near
      Transform: {position: [0, 20], rotation: 90deg}
      Camera: {height: 100, primary: false, enabled: false}
    - {name: path, Transform: {position: [-100, 0], rotation: 90deg}, Line: {points: [[0, 0], [60, 0]], width: 4}}
    - {name: hill, Transform: {position: [100, -60]}, Shape: {shape: polygon, points: [[-50, 0], [50, 0], [0, 80]]}}
    - {name: window, Transform: {position: [-200, 100]}, CanvasGroup: {clip: [-50, -20, 100, 40]}}
"""
Make = Callable[..., Any]


def steps(hands: Any) -> list[str]:
    """Return the names of the steps that can be undone."""
    return [entry.name for entry in hands.game.history.done]


def test_a_camera_is_selected_by_its_icon(hands: Make) -> None:
    """A camera has no picture of its own; a click on its icon selects it."""
    made = hands(GAME)
    made.driver.click(f"editor.scene/icon.{made.entity('near')}")
    assert made.selected() == ["near"]


def test_the_edges_of_a_camera_change_what_it_sees(hands: Make) -> None:
    """Dragging an edge away from the middle changes the height of the view in proportion, in one step."""
    made = hands(GAME)
    made.select("camera")
    made.drag(f"camera.{made.entity('camera')}.top.middle", (0, -90))
    assert made.game.read(made.entity("camera"), Camera, "height") == pytest.approx(180)
    assert steps(made) == ["Set the view of camera"]
    made.driver.key("Ctrl+Z")
    assert made.game.read(made.entity("camera"), Camera, "height") == pytest.approx(360)


FOLLOWS = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360, follow: hero, limits: [0, 0, 4000, 2000]}}
    - {name: hero, Transform: {position: [3900, 900]}, Shape: {size: [20, 20]}}
"""


def test_a_camera_that_follows_is_shown_where_the_run_begins(hands: Make) -> None:
    """Its frame and the Game view are at what it follows, within its limits, also after a
    run; the entity of the camera stays where it is written."""
    made = hands(FOLLOWS)
    game, camera = made.game, made.entity("camera")
    wanted = pytest.approx((3680, 900), abs=0.5)
    assert view_of(game.world, camera).center == wanted
    game.play.start()
    game.play.advance(1 / 30)
    assert view_of(game.world, camera).center == wanted
    game.play.stop()
    assert view_of(game.world, camera).center == wanted
    assert game.read(camera, Transform, "position").tolist() == [0, 0]
    game.set([made.entity("hero")], Transform, "position", (1000, 900))
    assert view_of(game.world, camera).center == pytest.approx((1000, 900), abs=0.5)


@pytest.mark.slow
def test_a_turned_camera_without_height_changes_its_zoom(hands: Make) -> None:
    """The edges are turned with the camera: here the side `right` is above its middle. Without a height, it zooms."""
    made = hands(GAME.replace("height: 100, ", ""))
    made.panel.views["2d"].camera.density = 0.25
    made.select("near")
    near = made.entity("near")
    place = made.driver.place(f"editor.scene/camera.{near}.right.middle").center
    middle = made.at(0, 20)
    assert place[0] == pytest.approx(middle[0], abs=1)
    assert place[1] < middle[1]
    made.driver.drag(place, by=(0, (middle[1] - place[1]) / 2))
    assert made.game.read(near, Camera, "zoom") == pytest.approx(2, rel=0.05)


def test_the_limits_of_a_camera_have_handles(hands: Make) -> None:
    """A corner of the limits changes two sides of the rectangle."""
    made = hands(GAME)
    made.select("camera")
    made.drag(f"limits.{made.entity('camera')}.bottom_left", (20, 10))
    np.testing.assert_allclose(made.game.read(made.entity("camera"), Camera, "limits"), (-280, -150, 580, 310))


@pytest.mark.slow
def test_points_of_a_line_are_dragged_added_and_removed(hands: Make) -> None:
    """A point of a turned line follows the pointer, a mark on a side adds one, Alt removes one; each is one step."""
    made = hands(GAME)
    made.select("path")
    path = made.entity("path")
    made.drag(f"line.{path}.1", (10, 20))
    np.testing.assert_allclose(made.game.read(path, Line, "points"), [(0, 0), (80, -10)], atol=1e-3)
    made.drag(f"line.{path}.add.0", (-15, 0))
    np.testing.assert_allclose(made.game.read(path, Line, "points"), [(0, 0), (40, 10), (80, -10)], atol=1e-3)
    made.driver.click(f"editor.scene/line.{path}.1", held="alt")
    assert len(made.game.read(path, Line, "points")) == 2
    assert steps(made) == ["Move a point", "Add a point", "Remove a point"]


def test_a_cancelled_point_returns(hands: Make) -> None:
    """Escape during the drag of a polygon's point restores it and leaves no step."""
    made = hands(GAME)
    made.select("hill")
    hill, driver = made.entity("hill"), made.driver
    driver.move(f"editor.scene/shape.{hill}.2")
    driver.press()
    driver.move((driver.at[0] + 20, driver.at[1] + 20))
    assert made.game.read(hill, Shape, "points").tolist()[2] == pytest.approx([20, 60])
    driver.key("Escape")
    driver.release()
    assert made.game.read(hill, Shape, "points").tolist()[2] == [0, 80]
    assert not steps(made)


def test_the_rectangle_of_a_group_has_handles(hands: Make) -> None:
    """A side of the rectangle that a canvas group shows is dragged, in steps of the grid with Ctrl."""
    made = hands(GAME)
    made.select("window")
    made.drag(f"clip.{made.entity('window')}.right", (20, 5), held="ctrl")
    np.testing.assert_allclose(made.game.read(made.entity("window"), CanvasGroup, "clip"), (-50, -20, 114, 40))
