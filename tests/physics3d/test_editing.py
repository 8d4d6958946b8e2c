"""What rish_physics3d brings for the editor: outlines, handles, joints, fitting and dropping."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from editing import Desk, desk
from rish_physics3d import Body3D, BodyType3D, Collider3D, ColliderShape3D, HingeJoint3D, joint_sketches_3d
from rish_space3d import Transform3D
from space_hands import SpaceHands

GAME = """rish: 1
game: {title: Physics, size: [640, 360]}
plugins: [render, scene3d, physics3d]
scenes:
  main:
    - {name: floor, Collider3D: {shape: plane}, Transform3D: {}}
    - {name: box, Transform3D: {position: [-2, 1, 0]}, Body3D: {}, Collider3D: {size: [1, 0.5, 1]}}
    - {name: ball, Transform3D: {position: [0, 1, 0], scale: [2, 2, 2]}, Body3D: {}, Collider3D: {shape: sphere}}
    - {name: pill, Transform3D: {position: [3, 1, 0]}, Collider3D: {shape: capsule, size: [1, 2, 1], radius: 0.5}}
    - name: rock
      Transform3D: {position: [-4, 1, 0]}
      Body3D: {}
      Collider3D: {shape: hull, points: [[-0.5, 0, 0], [0.5, 0, 0], [0, 1, 0], [0, 0, 1]]}
    - name: net
      Transform3D: {position: [0, 3, 0]}
      Body3D: {type: static}
      Collider3D: {shape: mesh, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [0, 1, 2]}
    - {name: crate, Transform3D: {position: [5, 2, 0], scale: [1, 2, 1]}, Model3D: {asset: box}, Collider3D: {}}
    - {name: pin, HingeJoint3D: {a: box, b: ball, axis: [0, 0, 1], anchor_a: [1, 0, 0], anchor_b: [-1, 0, 0]}}
"""


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor for all tests of this file."""
    with desk(tmp_path_factory.mktemp("physics3d")) as opened:
        yield opened


@pytest.fixture
def hands(at: Desk) -> SpaceHands:
    """A person at the view of the game of these tests, opened anew, who looks along -z."""
    person = SpaceHands(at.driver, at.open(GAME))
    person.look("front", at=(0.0, 1.0, 0.0))
    return person


def read(hands: SpaceHands, name: str, field: str, cls: type = Collider3D) -> Any:
    """Return a field as an array."""
    return np.asarray(hands.game.read(hands.entity(name), cls, field), float)


def pull(hands: SpaceHands, handle: str, start: tuple[float, ...], end: tuple[float, ...], held: str = "") -> None:
    """Drag a handle by the way from one point of space to another."""
    (x0, y0), (x1, y1) = hands.at(*start), hands.at(*end)
    hands.drag(handle, by=(x1 - x0, y1 - y0), held=held)


def test_a_side_of_a_box_is_dragged_and_the_opposite_one_stays(at: Desk, hands: SpaceHands) -> None:
    """Dragging a side changes size and offset so that the other side stays, with Shift around the center; it is one
    step, which can be undone.
    """
    hands.select("box")
    before, steps = hands.world.hash(), len(at.steps)
    pull(hands, f"collider3d.{hands.entity('box')}.+x", (-1.5, 1, 0), (-1, 1, 0))
    assert read(hands, "box", "size") == pytest.approx([1.5, 0.5, 1], abs=0.03)
    assert read(hands, "box", "offset")[0] == pytest.approx(read(hands, "box", "size")[0] / 2 - 0.5, abs=1e-3)
    assert len(at.steps) == steps + 1
    at.driver.key("Ctrl+Z")
    assert hands.world.hash() == before
    pull(hands, f"collider3d.{hands.entity('box')}.+y", (-2, 1.25, 0), (-2, 1.5, 0), held="shift")
    assert read(hands, "box", "size") == pytest.approx([1, 1, 1], abs=0.03)
    assert read(hands, "box", "offset") == pytest.approx([0, 0, 0], abs=1e-6)


def test_radii_and_the_height_of_a_capsule_are_dragged(hands: SpaceHands) -> None:
    """The radius follows the pointer, divided by the scale of the entity; an end of a capsule changes its height."""
    hands.select("ball")
    pull(hands, f"collider3d.{hands.entity('ball')}.radius.+x", (1, 1, 0), (1.5, 1, 0))
    assert float(read(hands, "ball", "radius")) == pytest.approx(0.75, abs=0.02)
    hands.select("pill")
    pull(hands, f"collider3d.{hands.entity('pill')}.+y", (3, 2, 0), (3, 3, 0))
    assert read(hands, "pill", "size") == pytest.approx([1, 3, 1], abs=0.03)
    assert read(hands, "pill", "offset") == pytest.approx([0, 0.5, 0], abs=0.02)


def test_points_and_the_offset_are_dragged_in_the_plane_of_the_picture(hands: SpaceHands) -> None:
    """A point of a hull, and the middle of a collider, follow the pointer as far away as they are."""
    hands.select("rock")
    pull(hands, f"collider3d.{hands.entity('rock')}.point.2", (-4, 2, 0), (-3.5, 2.5, 0))
    assert read(hands, "rock", "points")[2] == pytest.approx([0.5, 1.5, 0], abs=0.03)
    hands.select("ball")
    pull(hands, f"collider3d.{hands.entity('ball')}.offset", (0, 1, 0), (1, 1, 0))
    assert read(hands, "ball", "offset") == pytest.approx([0.5, 0, 0], abs=0.02)


def test_anchors_of_a_joint_are_dragged_together_and_apart(at: Desk, hands: SpaceHands) -> None:
    """Two anchors in one place are dragged together; with Ctrl only one of them."""
    hands.select("pin")
    handle = f"joint3d.{hands.entity('pin')}.HingeJoint3D.b"
    pull(hands, handle, (-1, 1, 0), (-1, 2, 0))
    [sketch] = joint_sketches_3d(hands.world, hands.entity("pin"))
    assert sketch.anchors == pytest.approx(np.array([[-1, 2, 0], [-1, 2, 0]]), abs=0.03)
    assert at.steps[-1] == "Move an anchor"
    pull(hands, handle, (-1, 2, 0), (-0.5, 2, 0), held="ctrl")
    [sketch] = joint_sketches_3d(hands.world, hands.entity("pin"))
    assert sketch.anchors[:, 0] == pytest.approx([-1, -0.5], abs=0.03)


def test_a_joint_is_attached_to_the_selected_bodies(at: Desk, hands: SpaceHands) -> None:
    """Two bodies and the joint are selected; the command writes both ends, with both anchors at the second body."""
    hands.select("rock", "box", "pin")
    steps, pin = len(at.steps), hands.entity("pin")
    assert at.editor.run("physics3d.attach")
    ends = [hands.game.read(pin, HingeJoint3D, side) for side in "ab"]
    assert ends == [hands.entity("rock"), hands.entity("box")]
    assert read(hands, "pin", "anchor_a", HingeJoint3D) == pytest.approx([2, 0, 0])
    assert len(at.steps) == steps + 1


def test_a_collider_is_fitted_to_the_model(at: Desk, hands: SpaceHands) -> None:
    """The commands make the shape as large as what the entity draws, as one step each."""
    hands.select("crate", "box")
    hands.game.set([hands.entity("crate")], Collider3D, "size", (3, 3, 3))
    steps = len(at.steps)
    assert at.editor.run("physics3d.fit.box")
    assert read(hands, "crate", "size") == pytest.approx([1, 1, 1])
    assert read(hands, "box", "size") == pytest.approx([1, 0.5, 1])
    assert len(at.steps) == steps + 1
    assert at.editor.run("physics3d.fit.hull")
    assert hands.game.read(hands.entity("crate"), Collider3D, "shape") is ColliderShape3D.HULL
    assert np.abs(read(hands, "crate", "points")) == pytest.approx(np.full((8, 3), 0.5))


def test_bodies_are_dropped_onto_what_is_below(at: Desk, hands: SpaceHands) -> None:
    """Selected bodies fall until they touch, the lowest first; one in the floor is lifted; it is one step."""
    hands.game.set([hands.entity("box")], Transform3D, "position", (-4, 4, 0))
    hands.game.set([hands.entity("pill")], Transform3D, "position", (3, 0.2, 0))
    hands.select("box", "rock", "pill", "net")
    steps = len(at.steps)
    assert at.editor.run("physics3d.drop")
    heights = [float(read(hands, name, "position", Transform3D)[1]) for name in ("rock", "box", "pill", "net")]
    assert heights == pytest.approx([0, 1.25, 1, 3], abs=0.01)
    assert len(at.steps) == steps + 1
    at.editor.run("physics3d.drop")
    assert float(read(hands, "box", "position", Transform3D)[1]) == pytest.approx(1.25, abs=0.01)


def test_a_body_is_pushed_by_dragging_while_the_game_plays(at: Desk, hands: SpaceHands) -> None:
    """An armed impulse moves the body that is dragged; Stop restores the World of before."""
    before = hands.world.hash()
    hands.select("ball")
    at.editor.memory["physics3d.push"] = "impulse"
    at.editor.run("play.start")
    at.driver.step(2)
    at.editor.show("editor.scene")
    at.driver.step(3)
    hands.drag(f"body3d.{hands.entity('ball')}.push", by=(60, 0))
    at.driver.step(5)
    assert read(hands, "ball", "velocity", Body3D)[0] > 0.5
    at.editor.run("play.stop")
    at.driver.step()
    assert hands.world.hash() == before


def test_all_colliders_are_shown_by_a_command(at: Desk, hands: SpaceHands) -> None:
    """The command draws bodies and joints that are not selected; the picture changes, the World does not."""
    before = hands.world.hash()
    hands.game.selection.clear()
    at.driver.step(2)
    plain = at.driver.picture()
    at.editor.run("physics3d.show_colliders")
    at.driver.step(2)
    assert (at.driver.picture() != plain).any(axis=2).sum() > 500
    assert at.editor.commands["physics3d.show_colliders"].checked(at.editor)
    assert not at.editor.failed_drawers
    assert hands.world.hash() == before


def test_the_inspector_shows_the_fields_of_the_shape(at: Desk, hands: SpaceHands) -> None:
    """A sphere has no size, a box no radius; a body whose mesh is refused is drawn all the same."""
    at.show("editor.inspector")
    hands.game.set([hands.entity("net")], Body3D, "type", BodyType3D.DYNAMIC)  # a manifest may not say so
    for name, field, other in (("ball", "radius", "size.x"), ("box", "size.x", "radius"), ("net", "points", "radius")):
        hands.select(name)
        at.driver.scroll((1100, 400), -3)
        marks = at.driver.marks("editor.inspector/Collider3D")
        assert any(mark.startswith(f"editor.inspector/Collider3D/{field}") for mark in marks), marks
        assert f"editor.inspector/Collider3D/{other}" not in marks
    assert not at.editor.failed_drawers
