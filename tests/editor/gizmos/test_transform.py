"""The gizmos of the tools change the transform as they say, for one entity and several, and each drag is one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_editor.session.settings import Settings
from rish_render import Shape, Text

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render, physics]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 40]}, Shape: {size: [60, 40], color: red}, Collider: {size: [60, 40]}}
    - name: ball
      Transform: {position: [100, 40]}
      Shape: {shape: circle, radius: 20, color: blue}
      Collider: {shape: circle, radius: 20}
    - name: turned
      Transform: {position: [0, -80], rotation: 90deg, scale: [2, 1]}
      children: [{name: child, Transform: {position: [10, 0]}, Shape: {size: [10, 10]}}]
    - {name: words, Transform: {position: [150, -100]}, Text: {text: HELLO, size: 24}}
    - name: arrow
      Transform: {position: [-200, -80]}
      Shape: {shape: polygon, points: [[-20, -20], [20, -20], [0, 20]]}
"""
Make = Callable[..., Any]


def steps(hands: Any) -> list[str]:
    """Return the names of the steps that can be undone."""
    return [entry.name for entry in hands.game.history.done]


@pytest.mark.slow
def test_the_handles_that_move(hands: Make) -> None:
    """The square in the middle moves freely, each arrow along its axis; one drag is one step, which undo takes back."""
    made = hands(GAME)
    made.select("red")
    before = made.world.hash()
    for handle, moved in (("move.center", (40, 30)), ("move.x", (40, 0)), ("move.y", (0, 30))):
        made.drag(handle, (40, 30))
        np.testing.assert_allclose(made.pose("red")[0], (-100 + moved[0], 40 + moved[1]), err_msg=handle)
        assert steps(made) == ["Move red"]
        made.driver.key("Ctrl+Z")
        assert made.world.hash() == before


def test_several_entities_move_together_and_children_only_once(hands: Make) -> None:
    """All selected entities move by the same way in the world, and a child whose parent is selected moves with it."""
    made = hands(GAME)
    made.select("red", "child", "turned")
    made.drag("move.center", (24, -8))
    np.testing.assert_allclose(made.pose("red")[0], (-76, 32))
    np.testing.assert_allclose(made.pose("turned")[0], (24, -88))
    np.testing.assert_allclose(made.pose("child")[0], (10, 0))
    assert steps(made) == ["Move 2 Entities"]


def test_a_child_of_a_turned_and_stretched_parent_moves_as_the_pointer(hands: Make) -> None:
    """A way in the world is converted to the space of the parent, which is turned by 90° and twice as wide."""
    made = hands(GAME)
    made.select("child")
    made.drag("move.center", (20, 40))
    np.testing.assert_allclose(made.pose("child")[0], (10 + 20, -20), atol=1e-4)


def test_local_axes_follow_the_rotation(hands: Make) -> None:
    """With local axes the arrow x of an entity that is turned by 90° points up."""
    made = hands(GAME)
    made.select("turned")
    made.use("local")
    made.drag("move.x", (30, 50))
    np.testing.assert_allclose(made.pose("turned")[0], (0, -30), atol=1e-4)


def test_moving_in_steps_ends_at_the_grid(hands: Make, settings: Settings) -> None:
    """Ctrl makes a drag end at multiples of the grid; with snapping on, it is the other way round."""
    made = hands(GAME)
    made.select("red")
    made.drag("move.center", (21, 13), held="ctrl")
    np.testing.assert_allclose(made.pose("red")[0], (-80, 48))
    settings.snap = True
    made.drag("move.center", (5, 5), held="ctrl")
    np.testing.assert_allclose(made.pose("red")[0], (-75, 53))
    made.drag("move.x", (10, 40))
    np.testing.assert_allclose(made.pose("red")[0], (-64, 53))


def test_alt_keeps_to_the_edges_of_others(hands: Make) -> None:
    """While Alt is held, an edge that comes near one of another entity stops at it."""
    made = hands(GAME)
    made.select("red")
    made.drag("move.x", (147, 0), held="alt")
    np.testing.assert_allclose(made.pose("red")[0], (50, 40), atol=1e-3)  # its right edge meets the ball's left one
    made.drag("move.x", (20, 0))
    np.testing.assert_allclose(made.pose("red")[0], (70, 40), atol=1e-3)


@pytest.mark.slow
def test_a_cancelled_drag_leaves_what_can_be_done_again(hands: Make) -> None:
    """After an undone move, a drag that Escape cancels, and a click without a drag, the move can be done again."""
    made = hands(GAME)
    made.select("red")
    made.drag("move.x", (40, 0))
    after = made.world.hash()
    made.driver.key("Ctrl+Z")
    made.driver.move("editor.scene/move.x")
    made.driver.press()
    made.driver.move((made.driver.at[0] + 30, made.driver.at[1]))
    made.driver.key("Escape")
    made.driver.release()
    made.driver.move("editor.scene/move.x")
    made.driver.press()
    made.driver.release()
    made.driver.key("Ctrl+Y")
    assert made.world.hash() == after


def test_escape_cancels_a_drag_and_leaves_no_step(hands: Make) -> None:
    """Escape in the middle of a drag restores everything; the rest of the drag has no effect."""
    made = hands(GAME)
    made.select("red", "ball")
    before, driver = made.world.hash(), made.driver
    driver.move("editor.scene/move.center")
    driver.press()
    driver.move((driver.at[0] + 30, driver.at[1]))
    assert made.world.hash() != before
    driver.key("Escape")
    assert made.world.hash() == before
    driver.move((driver.at[0] + 30, driver.at[1]))
    driver.release()
    assert made.world.hash() == before
    assert not steps(made)
    assert made.selected() == ["red", "ball"]


def test_the_tool_stays_during_a_drag(hands: Make) -> None:
    """The keys of tools have no effect while a handle is dragged."""
    made = hands(GAME)
    made.select("red")
    driver = made.driver
    driver.move("editor.scene/move.x")
    driver.press()
    driver.move((driver.at[0] + 30, driver.at[1]))
    driver.key("R")
    assert made.editor.view.tool == "move"
    driver.release()
    driver.key("R")
    assert made.editor.view.tool == "rotate"


def test_dragging_a_selected_entity_moves_it(hands: Make) -> None:
    """With the tool move, a drag that begins on a selected entity moves it; on another one it draws a box."""
    made = hands(GAME)
    made.select("red")
    made.driver.drag(made.at(-120, 50), by=(32, 0))
    np.testing.assert_allclose(made.pose("red")[0], (-68, 40))
    made.driver.drag(made.at(110, 50), by=(40, 0))
    np.testing.assert_allclose(made.pose("ball")[0], (100, 40))


def test_arrow_keys_nudge(hands: Make) -> None:
    """The arrow keys move by a unit, with Shift by a step of the grid; consecutive ones are one step."""
    made = hands(GAME)
    made.select("red", "child")
    made.driver.move("editor.scene/view")
    for key in ("Right", "Right", "Up", "Shift+Down"):
        made.driver.key(key)
    np.testing.assert_allclose(made.pose("red")[0], (-98, 25))
    np.testing.assert_allclose(made.pose("child")[0], (10 - 15 / 2, -2), atol=1e-4)
    assert steps(made) == ["Move 2 Entities"]


STRETCHES = (
    ("right", (20, 11), (80, 40), (-90, 40)),
    ("left", (20, 11), (40, 40), (-90, 40)),
    ("top", (11, 20), (60, 60), (-100, 50)),
    ("bottom", (11, 20), (60, 20), (-100, 50)),
    ("top_right", (20, 10), (80, 50), (-90, 45)),
    ("bottom_left", (-20, -10), (80, 50), (-110, 35)),
    ("top_left", (-20, 10), (80, 50), (-110, 45)),
    ("bottom_right", (20, -10), (80, 50), (-90, 35)),
)
"""Handle, way of the drag, then size and position of the entity."""


@pytest.mark.slow
def test_the_handles_that_stretch(hands: Make) -> None:
    """Each of eight handles changes position and size; the opposite side stays, and the collider keeps the size."""
    made = hands(GAME)
    made.select("red")
    made.use("stretch")
    red, before = made.entity("red"), made.world.hash()
    collider = next(cls for cls in made.world.tables if cls.__name__ == "Collider")
    for handle, by, size, position in STRETCHES:
        made.drag(f"stretch.{handle}", by)
        np.testing.assert_allclose(made.pose("red")[0], position, atol=1e-3, err_msg=handle)
        np.testing.assert_allclose(made.game.read(red, Shape, "size"), size, atol=1e-3, err_msg=handle)
        np.testing.assert_allclose(made.game.read(red, collider, "size"), size, atol=1e-3, err_msg=handle)
        assert steps(made) == ["Stretch red"]
        made.driver.key("Ctrl+Z")
        assert made.world.hash() == before


def test_stretching_keeps_circles_round_and_texts_in_shape(hands: Make) -> None:
    """A circle with a radius stays a circle, and a text takes another size of its font."""
    made = hands(GAME)
    made.use("stretch")
    made.select("ball")
    made.drag("stretch.right", (20, 0))
    assert made.game.read(made.entity("ball"), Shape, "radius") == pytest.approx(30)
    np.testing.assert_allclose(made.pose("ball")[0], (110, 40), atol=1e-3)
    made.select("words")
    box = made.panel.views["2d"].viewport.extent
    made.drag("stretch.right", (box[2] - box[0], 0))
    assert made.game.read(made.entity("words"), Text, "size") == pytest.approx(48, rel=1e-2)


def test_what_has_no_size_is_scaled(hands: Make) -> None:
    """A polygon has no field for its size, so stretching it changes its scale."""
    made = hands(GAME)
    made.use("stretch")
    made.select("arrow")
    made.drag("stretch.top_right", (40, 40))
    np.testing.assert_allclose(made.pose("arrow")[2], (2, 2), atol=1e-3)
    np.testing.assert_allclose(made.pose("arrow")[0], (-180, -60), atol=1e-3)


def test_a_turned_child_is_stretched_along_its_own_axes(hands: Make) -> None:
    """The box of an entity is turned with it: its right handle points up here, where its parent is turned by 90°."""
    made = hands(GAME)
    made.use("stretch")
    made.select("child")
    made.drag("stretch.right", (0, 20))  # the child's x is drawn twice as long, and upwards
    np.testing.assert_allclose(made.game.read(made.entity("child"), Shape, "size"), (20, 10), atol=1e-3)
    np.testing.assert_allclose(made.pose("child")[0], (15, 0), atol=1e-3)


def test_the_common_box_of_several_is_stretched(hands: Make) -> None:
    """Positions and sizes of several entities change so that they keep their places within the common box."""
    made = hands(GAME)
    made.use("stretch")
    made.select("red", "ball")
    x0, y0, x1, y1 = made.panel.views["2d"].viewport.extent
    assert (x0, y0, x1, y1) == pytest.approx((-130, 20, 120, 60))
    made.drag("stretch.right", (250, 0))
    np.testing.assert_allclose(made.pose("red")[0], (-70, 40), atol=1e-3)
    np.testing.assert_allclose(made.game.read(made.entity("red"), Shape, "size"), (120, 40), atol=1e-3)
    np.testing.assert_allclose(made.pose("ball")[0], (330, 40), atol=1e-3)
    assert steps(made) == ["Stretch 2 Entities"]


def test_shift_keeps_the_aspect_and_alt_the_center(hands: Make) -> None:
    """With Shift both sides change by the same factor; with Alt the center stays."""
    made = hands(GAME)
    made.use("stretch")
    made.select("red")
    made.drag("stretch.top_right", (60, 0), held="shift")
    np.testing.assert_allclose(made.game.read(made.entity("red"), Shape, "size"), (120, 80), atol=1e-2)
    made.drag("stretch.right", (10, 0), held="alt")
    np.testing.assert_allclose(made.game.read(made.entity("red"), Shape, "size"), (140, 80), atol=1e-2)
    np.testing.assert_allclose(made.pose("red")[0], (-70, 60), atol=1e-2)


@pytest.mark.slow
def test_the_handles_that_scale(hands: Make) -> None:
    """A drag is projected on the axis; the handle in the middle scales both. Children follow."""
    made = hands(GAME)
    made.use("scale")
    made.select("red")
    drags = ("scale.x", (78, 20), (2, 1)), ("scale.y", (20, 39), (1, 1.5)), ("scale.center", (39, 39), (2, 2))
    for handle, by, scale in drags:
        made.drag(handle, by)
        np.testing.assert_allclose(made.pose("red")[2], scale, atol=1e-3, err_msg=handle)
        np.testing.assert_allclose(made.pose("red")[0], (-100, 40))
        assert steps(made) == ["Scale red"]
        made.driver.key("Ctrl+Z")


def test_several_entities_scale_around_their_middle(hands: Make) -> None:
    """The places of several entities are scaled too, around the pivot; a step of the scale is kept with Ctrl."""
    made = hands(GAME)
    made.use("scale")
    made.select("red", "ball")
    made.drag("scale.x", (41, 0), held="ctrl")  # to 1.53
    np.testing.assert_allclose(made.pose("red")[0], (-150, 40), atol=1e-3)
    np.testing.assert_allclose(made.pose("ball")[2], (1.5, 1), atol=1e-3)


def test_the_ring_rotates_by_the_angle_of_the_pointer(hands: Make) -> None:
    """The angle between where the drag began and where it is turns the entity; Shift keeps to steps."""
    made = hands(GAME)
    made.use("rotate")
    made.select("red")
    made.drag("rotate", (-66, 66))  # from the right end of the ring to its top
    assert made.pose("red")[1] == pytest.approx(90, abs=2)
    assert steps(made) == ["Rotate red"]
    made.driver.key("Ctrl+Z")
    made.drag("rotate", (-66, 60), held="shift")
    assert made.pose("red")[1] == pytest.approx(90, abs=1e-3)


@pytest.mark.slow
def test_several_entities_rotate_around_the_pivot(hands: Make) -> None:
    """Several entities turn around their middle, or around the one selected last."""
    made = hands(GAME)
    made.use("rotate")
    made.select("red", "ball")
    made.drag("rotate", (-66, 64), held="shift")
    np.testing.assert_allclose(made.pose("red")[0], (0, -60), atol=1e-3)
    np.testing.assert_allclose(made.pose("ball")[0], (0, 140), atol=1e-3)
    assert made.pose("ball")[1] == pytest.approx(90, abs=1e-3)
    made.driver.key("Ctrl+Z")
    made.editor.run("tool.pivot")
    made.driver.step()
    made.drag("rotate", (-66, 64), held="shift")
    np.testing.assert_allclose(made.pose("ball")[0], (100, 40), atol=1e-3)
    np.testing.assert_allclose(made.pose("red")[0], (100, -160), atol=1e-3)


def test_a_drag_during_play_edits_the_run_and_is_no_step(hands: Make) -> None:
    """While the game runs, a drag changes the running World; it is listed, and Stop brings the edited state back."""
    made = hands(GAME)
    before = made.world.hash()
    made.editor.run("play.start")
    made.editor.run("play.pause")
    made.driver.step(2)
    made.editor.show("editor.scene")
    made.driver.step(3)
    made.select("red")
    made.drag("move.x", (40, 0))
    np.testing.assert_allclose(made.pose("red")[0], (-60, 40))
    assert not steps(made)
    assert made.game.play.undoable == "Move red"
    made.driver.key("Ctrl+Z")
    np.testing.assert_allclose(made.pose("red")[0], (-100, 40))
    made.editor.run("play.stop")
    assert made.world.hash() == before


HANDLES = {
    "move": ("move.center", "move.x", "move.y"),
    "stretch": ("stretch.left", "stretch.top", "stretch.bottom_right", "stretch.top_left"),
    "scale": ("scale.x", "scale.y", "scale.center"),
    "rotate": ("rotate",),
}
NAMES = ("red", "ball", "turned", "child", "words", "arrow")


@pytest.mark.slow
def test_undo_of_random_drags_restores_the_first_hash(hands: Make) -> None:
    """After any drags of any handles, with any keys held, undoing all steps gives the first hash, and redo the last."""
    made = hands(GAME)
    way = st.tuples(st.integers(-60, 60), st.integers(-60, 60))
    names, keys = st.sets(st.sampled_from(NAMES), min_size=1), st.sampled_from(["", "shift", "ctrl", "alt"])
    drag = st.tuples(st.sampled_from(list(HANDLES)), st.integers(0, 3), names, way, keys)
    first = made.world.hash()

    @settings(max_examples=long(8, 4), deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(drag, min_size=1, max_size=4))
    def check(drags: list[Any]) -> None:
        for tool, number, names, by, held in drags:
            made.select(*sorted(names))
            made.use(tool)
            handle = HANDLES[tool][number % len(HANDLES[tool])]
            if made.driver.sees(f"editor.scene/{handle}"):
                made.drag(handle, by, held=held, steps=2)
        last = made.world.hash()
        count = len(made.game.history.done)
        while made.game.history.done:
            made.game.undo()
        assert made.world.hash() == first
        for _ in range(count):
            made.game.redo()
        assert made.world.hash() == last
        while made.game.history.done:
            made.game.undo()

    check()
