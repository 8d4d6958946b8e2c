"""What rish_physics brings for the editor: outlines, handles, joints, forces by dragging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from editing import Desk, desk
from rish_core import Transform, named
from rish_physics import Body, Collider, DistanceJoint, RevoluteJoint, joint_sketches

GAME = """rish: 1
game: {title: Physics, size: [640, 360]}
plugins: [render, physics]
settings: {physics: {gravity: [0, 0]}}
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - name: box
      Transform: {position: [-150, 50]}
      Body: {}
      Collider: {size: [80, 40]}
      Shape: {size: [80, 40], color: "#446688"}
    - name: ball
      Transform: {position: [0, 50]}
      Body: {}
      Collider: {shape: circle, size: [60, 60]}
      Shape: {shape: circle, size: [60, 60], color: "#886644"}
    - name: poly
      Transform: {position: [150, 50]}
      Body: {}
      Collider: {shape: polygon, points: [[-40, -30], [40, -30], [0, 50]]}
    - {name: sensor, Transform: {position: [-150, -80]}, Collider: {shape: capsule, size: [40, 90], sensor: true}}
    - {name: floor, Transform: {position: [0, -150]}, Collider: {size: [500, 20]}}
    - name: pin
      RevoluteJoint: {a: box, b: ball, anchor_a: [75, 0], anchor_b: [-75, 0], limited: true, lower: -30, upper: 60}
    - {name: rope, DistanceJoint: {a: ball, b: poly, length: 150}}
"""


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor for all tests of this file."""
    with desk(tmp_path_factory.mktemp("physics")) as made:
        yield made


@pytest.fixture
def game(at: Desk) -> Any:
    """The game of these tests, opened anew."""
    return at.open(GAME)


def local(game: Any, handle: int, field: str, cls: type = Collider) -> Any:
    """Return a field as an array."""
    return np.asarray(game.read(handle, cls, field), float)


def test_an_edge_of_a_box_is_dragged_and_the_opposite_one_stays(at: Desk, game: Any) -> None:
    """Dragging the right edge of a box changes size and offset so that the left edge stays; it is one step."""
    [box] = at.select("box")
    before = len(at.steps)
    hash_before = game.world.hash()
    at.drag(f"collider.{box}.right", (30, 0))
    assert local(game, box, "size") == pytest.approx([110, 40], abs=1.5)
    assert local(game, box, "offset")[0] == pytest.approx(local(game, box, "size")[0] / 2 - 40, abs=1e-3)
    assert len(at.steps) == before + 1
    at.driver.key("Ctrl+Z")
    assert game.world.hash() == hash_before


def test_with_shift_a_box_grows_around_its_center(at: Desk, game: Any) -> None:
    """With Shift both edges move, and the offset stays."""
    [box] = at.select("box")
    at.drag(f"collider.{box}.top", (0, 20), held="shift")
    assert local(game, box, "size") == pytest.approx([80, 80], abs=2)
    assert local(game, box, "offset") == pytest.approx([0, 0], abs=1e-6)


def test_the_radius_of_a_circle_is_dragged(at: Desk, game: Any) -> None:
    """The radius follows the pointer, in the field that the author has used."""
    [ball] = at.select("ball")
    at.drag(f"collider.{ball}.radius", (10, 0))
    assert local(game, ball, "size") == pytest.approx([80, 80], abs=2)


def test_the_offset_is_dragged(at: Desk, game: Any) -> None:
    """The middle of a shape moves it on its entity."""
    [ball] = at.select("ball")
    at.drag(f"collider.{ball}.offset", (15, -10))
    assert local(game, ball, "offset") == pytest.approx([15, -10], abs=1.5)


def test_points_of_a_polygon_are_dragged_added_and_removed(at: Desk, game: Any) -> None:
    """A point follows the pointer; Alt and a click on an edge add one; Ctrl and a click remove it; each is one step."""
    [poly] = at.select("poly")
    steps = len(at.steps)
    at.drag(f"collider.{poly}.point.2", (20, 10))
    assert local(game, poly, "points")[2] == pytest.approx([20, 60], abs=1.5)
    at.driver.click(f"editor.scene/collider.{poly}.edge.0", held="alt")
    assert len(local(game, poly, "points")) == 4
    assert local(game, poly, "points")[1] == pytest.approx([0, -30], abs=2)
    at.driver.click(f"editor.scene/collider.{poly}.point.1", held="ctrl")
    assert len(local(game, poly, "points")) == 3
    assert len(at.steps) == steps + 3


def test_an_edge_of_a_polygon_moves_both_points(at: Desk, game: Any) -> None:
    """Dragging an edge moves its two points and no other."""
    [poly] = at.select("poly")
    at.drag(f"collider.{poly}.edge.0", (0, -20))
    assert local(game, poly, "points") == pytest.approx(np.array([[-40, -50], [40, -50], [0, 50]]), abs=2)


def test_escape_takes_a_drag_back(at: Desk, game: Any) -> None:
    """After Escape the shape is as before and the history has no step of the drag."""
    [box] = at.select("box")
    before, steps = game.world.hash(), at.steps
    driver = at.driver
    driver.move(f"editor.scene/collider.{box}.right")
    driver.press()
    driver.move((driver.at[0] + 40, driver.at[1]))
    driver.step()
    assert local(game, box, "size")[0] > 100
    driver.key("Escape")
    driver.release()
    assert (game.world.hash(), at.steps) == (before, steps)


def test_anchors_of_a_joint_are_dragged_together_and_apart(at: Desk, game: Any) -> None:
    """Two anchors in one place are dragged together; with Ctrl only one of them."""
    [pin] = at.select("pin")
    at.drag(f"joint.{pin}.RevoluteJoint.b", (0, 30))
    [sketch] = joint_sketches(game.world, pin)
    assert sketch.anchors == pytest.approx(np.array([[-75, 80], [-75, 80]]), abs=2)
    assert at.steps[-1] == "Move an anchor"
    at.drag(f"joint.{pin}.RevoluteJoint.b", (20, 0), held="ctrl")
    [sketch] = joint_sketches(game.world, pin)
    assert sketch.anchors[0] == pytest.approx([-75, 80], abs=2)
    assert sketch.anchors[1] == pytest.approx([-55, 80], abs=2)


def test_anchors_have_short_numbers_on_turned_bodies(at: Desk, game: Any) -> None:
    """What a drag writes into the space of a turned body has no digits that a pixel can't show."""
    [pin] = at.select("pin")
    turned = named(game.world, "ball")
    game.set([turned], Transform, "rotation", 0.7)
    at.driver.step(2)
    at.drag(f"joint.{pin}.RevoluteJoint.b", (17.3, 9.1))
    anchor = np.asarray(game.read(pin, RevoluteJoint, "anchor_b"), float)
    assert anchor.tolist() == pytest.approx(np.round(anchor, 2).tolist(), abs=1e-5)
    assert anchor.tolist() != [-75, 0]


def test_a_body_is_pushed_by_dragging_while_the_game_plays(at: Desk, game: Any) -> None:
    """An armed impulse moves the body that is dragged; Stop restores the World of before."""
    before = game.world.hash()
    [box] = at.select("box")
    at.editor.memory["physics.push"] = "impulse"
    at.editor.run("play.start")
    at.driver.step(2)
    at.editor.show("editor.scene")
    at.driver.step(3)
    at.driver.drag(f"editor.scene/body.{box}.push", by=(60, 0))
    at.driver.step(5)
    assert game.read(box, Body, "velocity")[0] > 10
    at.editor.run("play.stop")
    at.driver.step()
    assert game.world.hash() == before


def test_all_colliders_are_shown_by_a_command(at: Desk, game: Any) -> None:
    """The command draws the outlines of bodies that are not selected; the picture changes, the World does not."""
    before = game.world.hash()
    game.selection.clear()
    at.driver.step(2)
    plain = at.driver.picture()
    at.editor.run("physics.show_colliders")
    at.driver.step(2)
    assert (at.driver.picture() != plain).any(axis=2).sum() > 500
    assert at.editor.commands["physics.show_colliders"].checked(at.editor)
    assert game.world.hash() == before


def test_a_body_gets_a_velocity_by_dragging(at: Desk, game: Any) -> None:
    """The tip of the arrow is half a second of flight away."""
    [box] = at.select("box")
    at.drag(f"body.{box}.velocity", (60, 0))
    velocity = game.read(box, Body, "velocity")
    assert velocity[0] == pytest.approx(2 * (60 + 18), abs=12)
    assert at.steps[-1] == "Set Body.velocity"


def test_a_collider_is_fitted_to_the_picture(at: Desk, game: Any) -> None:
    """The button makes the shape as large as what the entity draws, as one step."""
    at.show("editor.inspector")
    [box] = at.select("box")
    game.set([box], Collider, "size", (10, 10))
    steps = len(at.steps)
    reveal(at, "editor.inspector/Collider/fit")
    at.driver.click("editor.inspector/Collider/fit")
    assert local(game, box, "size") == pytest.approx([80, 40])
    assert len(at.steps) == steps + 1


def reveal(at: Desk, mark: str) -> None:
    """Scroll the inspector until a widget is in the middle of it."""
    at.driver.scroll((1100, 400), 100)
    for _ in range(40):
        if at.driver.sees(mark) and at.driver.place(mark).bottom < 640:
            return
        at.driver.scroll((1100, 400), -1)
    raise AssertionError(f"the inspector has no {mark}: {at.driver.marks('editor.inspector')}")


@pytest.mark.slow
def test_the_inspector_shows_the_fields_of_the_shape(at: Desk, game: Any) -> None:
    """A circle has no rotation, a polygon has no size, and both have a surface."""
    at.show("editor.inspector")
    at.select("ball")
    reveal(at, "editor.inspector/Collider/surface/friction")
    assert not at.driver.sees("editor.inspector/Collider/rotation")
    at.select("poly")
    reveal(at, "editor.inspector/Collider/radius")
    assert not at.driver.sees("editor.inspector/Collider/size.x")


def test_a_joint_is_attached_to_the_selected_bodies(at: Desk, game: Any) -> None:
    """Two bodies and the joint are selected; the command writes both ends in one step, and the distance can be kept."""
    at.show("editor.inspector")
    poly, box, rope = at.select("poly", "box", "rope")
    steps = len(at.steps)
    assert at.editor.run("physics.attach")
    assert (game.read(rope, DistanceJoint, "a"), game.read(rope, DistanceJoint, "b")) == (poly, box)
    assert len(at.steps) == steps + 1
    at.select("rope")
    reveal(at, "editor.inspector/DistanceJoint/keep")
    at.driver.click("editor.inspector/DistanceJoint/keep")
    assert float(game.read(rope, DistanceJoint, "length")) == pytest.approx(300, abs=0.1)


def test_a_joint_takes_the_bodies_that_were_selected_before(at: Desk, game: Any) -> None:
    """The button in the inspector of a joint attaches it to the two bodies that were selected before the joint."""
    at.show("editor.inspector")
    poly, box = at.select("poly", "box")
    [rope] = at.select("rope")
    reveal(at, "editor.inspector/DistanceJoint/attach")
    at.driver.click("editor.inspector/DistanceJoint/attach")
    assert (game.read(rope, DistanceJoint, "a"), game.read(rope, DistanceJoint, "b")) == (poly, box)
