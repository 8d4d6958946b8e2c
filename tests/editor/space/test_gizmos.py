"""The gizmos with three axes, dragged with the mouse."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from rish_space3d import Transform3D
from space_hands import SpaceHands

Hands = Callable[..., SpaceHands]


def test_an_arrow_moves_along_its_axis_only(hands: Hands) -> None:
    """The red arrow moves along x by as much as the pointer goes there, in one step that undo takes back."""
    made = hands()
    made.select("left")
    before = len(made.game.history.done)
    x, y = made.driver.place("editor.scene/move.x").center
    goal = made.at(-1, 0, 0)[0] - made.at(-2, 0, 0)[0]
    made.drag("move.x", to=(x + goal, y - 40))
    assert made.read("left", "position") == pytest.approx([-1, 0, 0], abs=0.02)
    assert len(made.game.history.done) == before + 1
    assert made.game.history.done[-1].name == "Move left"
    made.driver.key("Ctrl+Z")
    assert made.read("left", "position") == pytest.approx([-2, 0, 0])


def test_a_square_moves_in_its_plane(hands: Hands) -> None:
    """The square between x and y follows the pointer and leaves z."""
    made = hands()
    made.select("left")
    x, y = made.driver.place("editor.scene/move.xy").center
    (x0, y0), (x1, y1) = made.at(-2, 0, 0), made.at(-1.5, 1, 0)
    made.drag("move.xy", to=(x + x1 - x0, y + y1 - y0))
    assert made.read("left", "position") == pytest.approx([-1.5, 1, 0], abs=0.02)


def test_the_middle_moves_in_the_plane_of_the_picture(hands: Hands) -> None:
    """Seen from the side, the square in the middle moves along z and y."""
    made = hands()
    made.look("right")
    made.select("left")
    made.drag("move.center", to=made.at(-2, 1, 1))
    assert made.read("left", "position") == pytest.approx([-2, 1, 1], abs=0.05)


def test_snapping_ends_on_the_grid(hands: Hands) -> None:
    """With snapping, and with Ctrl without it, positions end on multiples of the grid."""
    made = hands()
    made.world.set(made.entity("left"), Transform3D(position=(-2.2, 0, 0)))
    made.select("left")
    made.editor.settings.snap = True
    x, y = made.driver.place("editor.scene/move.x").center
    made.drag("move.x", to=(x + 55, y))
    place = made.read("left", "position")[0]
    assert place != pytest.approx(-2.2)
    assert place * 2 == pytest.approx(round(place * 2))
    made.driver.key("Ctrl+Z")
    made.drag("move.x", to=(x + 55, y), held="ctrl")
    place = made.read("left", "position")[0]
    assert place * 2 != pytest.approx(round(place * 2))


def test_local_axes_follow_the_rotation(hands: Hands) -> None:
    """With local axes the arrow x of a turned entity moves along its own axis."""
    made = hands()
    made.look("right")
    assert made.editor.run("tool.local")
    made.select("right")
    x, y = made.driver.place("editor.scene/move.x").center
    before = made.read("right", "position")
    made.drag("move.x", to=(x + 60, y))
    moved = made.read("right", "position") - before
    assert abs(moved[2]) > 0.2
    assert moved[:2] == pytest.approx([0, 0], abs=1e-4)


def test_children_move_in_the_world(hands: Hands) -> None:
    """A child below a turned parent is moved along the axes of the world, and its own numbers follow."""
    made = hands()
    made.select("child")
    x, y = made.driver.place("editor.scene/move.x").center
    goal = made.at(3, 1, 0)[0] - made.at(2, 1, 0)[0]
    made.drag("move.x", to=(x + goal, y))
    assert made.read("child", "position") == pytest.approx([0, 1, 1], abs=0.03)
    made.select("child", "right")
    made.drag("move.y", by=(0, -50))
    assert made.read("child", "position")[1] == pytest.approx(1)
    assert made.read("right", "position")[1] > 0.3


def test_rings_rotate_around_their_axes(hands: Hands) -> None:
    """The ring around the view direction turns around z, right-handed, in steps with Shift."""
    made = hands()
    made.look("front", (-2, 0, 0))
    made.select("left")
    made.use("rotate")
    ring = made.at(-2, 0, 0)
    start = made.driver.place("editor.scene/rotate.view").center
    arm = np.subtract(start, ring)
    quarter = ring[0] + arm[1], ring[1] - arm[0]  # y points down in the window
    half = tuple((np.add(start, quarter) / 2 - ring) * 1.4142 + ring)
    driver = made.driver
    driver.move(start)
    driver.press()
    for point in (half, quarter):
        driver.move((float(point[0]), float(point[1])))
    driver.release()
    assert made.axis("left", 0) == pytest.approx([0, 1, 0], abs=0.05)
    assert made.game.history.done[-1].name == "Rotate left"


def test_a_ring_around_an_axis_turns_the_entity(hands: Hands) -> None:
    """From above, the ring around y turns the entity around y and nothing else."""
    made = hands()
    made.look("top", (-2, 0, 0))
    made.select("left")
    made.use("rotate")
    made.drag("rotate.y", by=(30, 60))
    assert made.axis("left", 1) == pytest.approx([0, 1, 0], abs=1e-4)
    assert made.axis("left", 0)[0] < 0.97


def test_rings_seen_edge_on_can_be_dragged(hands: Hands) -> None:
    """A ring that is a line in the picture turns along it."""
    made = hands()
    made.look("front", (-2, 0, 0))
    made.select("left")
    made.use("rotate")
    x, y = made.at(-2, 0, 0)
    made.drag_from((x, y - 30), (x, y + 44))
    assert made.axis("left", 0) == pytest.approx([1, 0, 0], abs=1e-4)
    assert np.arccos(made.axis("left", 1)[1]) == pytest.approx(1.0, abs=0.1)


def test_groups_turn_around_their_middle(hands: Hands) -> None:
    """Two selected entities turn around the point between them, and each turns itself."""
    made = hands()
    made.select("left", "right")
    made.use("rotate")
    made.look("top")
    made.drag("rotate.y", by=(40, 80))
    left, right = made.read("left", "position"), made.read("right", "position")
    assert left + right == pytest.approx([0, 0, 0], abs=1e-4)
    assert np.linalg.norm(left) == pytest.approx(2, abs=1e-4)
    assert abs(left[2]) > 0.2


def test_scaling_along_one_axis_and_all(hands: Hands) -> None:
    """The end of an axis scales along it; the middle scales all; Escape takes a drag back without a step."""
    made = hands()
    made.select("left")
    made.use("scale")
    made.drag("scale.x", by=(92, 0))
    assert made.read("left", "scale") == pytest.approx([2, 1, 1], abs=0.05)
    made.drag("scale.center", by=(100, 0))
    assert made.read("left", "scale") == pytest.approx([4, 2, 2], abs=0.1)
    steps = len(made.game.history.done)
    driver = made.driver
    driver.move("editor.scene/scale.center")
    driver.press()
    driver.move((driver.at[0] + 80, driver.at[1]))
    driver.key("Escape")
    driver.release()
    assert made.read("left", "scale") == pytest.approx([4, 2, 2], abs=0.1)
    assert len(made.game.history.done) == steps


def test_what_runs_can_be_moved_and_is_listed(hands: Hands) -> None:
    """While a run is paused, a drag changes the run, and stopping restores the edited place."""
    made = hands()
    assert made.editor.run("play.start")
    made.driver.step(3)
    assert made.editor.run("play.pause")
    made.editor.show("editor.scene")
    made.driver.step(3)
    made.look("front")
    made.select("left")
    made.drag("move.y", by=(0, -60))
    assert made.read("left", "position")[1] > 0.3
    assert made.editor.run("play.stop")
    made.driver.step(3)
    assert made.read("left", "position")[1] == 0
