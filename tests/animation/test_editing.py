"""What rish_animation brings for the editor: paths with handles, clips by name, pictures of easings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from editing import Desk, desk
from rish_animation import Animator, MotionPath

GAME = """rish: 1
game: {title: Animation, size: [640, 360]}
plugins: [render, animation]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: track, Transform: {position: [0, 20], rotation: 90}, MotionPath: {points: [[-60, 0], [0, 40], [60, 0]]}}
    - {name: oval, Transform: {position: [-200, 0]}, MotionPath: {shape: ellipse, size: [100, 60]}}
    - name: cart
      Transform: {position: [0, 0]}
      FollowPath: {path: track, speed: 40}
      Tween: {field: Transform.scale, to: [2, 2], easing: back_out}
    - {name: lid, Transform: {position: [200, 0]}, Animator: {clips: lid.anim.yaml}}
"""
CLIPS = """clips:
  open: {tracks: {Transform.rotation: [[0, 0], [1, 90]]}}
  shut: {tracks: {Transform.rotation: [[0, 90], [0.5, 0]]}}
"""


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor for all tests of this file."""
    with desk(tmp_path_factory.mktemp("animation")) as made:
        yield made


@pytest.fixture
def game(at: Desk) -> Any:
    """The game of these tests, opened anew."""
    made = at.open(GAME, {"lid.anim.yaml": CLIPS})
    at.show("editor.inspector")
    return made


def points(game: Any, handle: int) -> Any:
    """Return the points of a path."""
    return np.asarray(game.read(handle, MotionPath, "points"), float)


def test_points_of_a_path_are_dragged_added_and_removed(at: Desk, game: Any) -> None:
    """A point follows the pointer in the frame of its turned entity; Alt and Ctrl add and remove; each is one step."""
    [track] = at.select("track")
    before, steps = game.world.hash(), len(at.steps)
    at.drag(f"path.{track}.1", (0, 20))
    assert points(game, track)[1] == pytest.approx([20, 40], abs=2)
    at.driver.click(f"editor.scene/path.{track}.0", held="alt")
    assert points(game, track)[1] == pytest.approx([-20, 20], abs=2)
    at.driver.click(f"editor.scene/path.{track}.1", held="ctrl")
    assert len(points(game, track)) == 3
    assert len(at.steps) == steps + 3
    for _ in range(3):
        game.undo()
    assert game.world.hash() == before


def test_the_size_of_a_function_is_dragged(at: Desk, game: Any) -> None:
    """The corner of an ellipse's box follows the pointer."""
    [oval] = at.select("oval")
    at.drag(f"path.{oval}.size", (20, 10))
    assert game.read(oval, MotionPath, "size") == pytest.approx([140, 80], abs=2)


def test_the_path_of_a_follower_is_drawn_when_the_follower_is_selected(at: Desk, game: Any) -> None:
    """The path that a selected entity follows is seen, without handles."""
    [cart] = at.select("cart")
    with_path = at.driver.picture()
    at.select("lid")
    assert (with_path != at.driver.picture())[80:690, 260:940].any()
    assert not at.driver.marks("editor.scene/path.")
    assert cart


def test_a_clip_is_chosen_by_its_name(at: Desk, game: Any) -> None:
    """The list has the clips of the file."""
    [lid] = at.select("lid")
    at.driver.click("editor.inspector/Animator/clip")
    at.driver.click("editor.inspector/Animator/clip:shut")
    assert game.read(lid, Animator, "clip") == "shut"


def test_a_tween_shows_its_easing(at: Desk, game: Any) -> None:
    """The curve of the chosen easing is below its name."""
    at.select("cart")
    at.driver.scroll("editor.inspector/Transform:header", -20)
    assert at.driver.sees("editor.inspector/Tween/easing_curve")
