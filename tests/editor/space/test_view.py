"""The view of space: its camera, moved with mouse and keys, and what it shows when a scene opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_editor.panels.inspector.adding import add
from rish_editor.testing import LEFT, MIDDLE, RIGHT, UIDriver
from rish_space3d import Flat, Transform3D
from space_hands import SpaceHands

from .conftest import GAME

Hands = Callable[..., SpaceHands]


def test_scenes_in_space_open_in_space(hands: Hands, open_text: Callable[..., Any]) -> None:
    """A scene with things in space only opens there, framed; one of the plane opens flat, and a command switches."""
    made = hands()
    made.panel.views["3d"].reset()
    made.driver.step(2)
    for x in (-2.0, 2.0):
        px, py = made.at(x, 0, 0)
        place = made.driver.place("editor.scene/view")
        assert place.left < px < place.right
        assert place.top < py < place.bottom
    open_text(name="flat")
    assert made.panel.shown != "3d"
    assert not made.editor.run("view.space")
    assert not made.editor.commands.enabled("view.top", made.editor)


def test_a_command_switches_between_plane_and_space(hands: Hands) -> None:
    """The key 3 shows the plane, and space again."""
    made = hands()
    made.driver.key("3")
    assert made.panel.shown != "3d"
    assert not made.driver.sees("editor.scene/compass.top")
    made.driver.key("3")
    made.driver.step()
    assert made.panel.shown == "3d"
    assert made.driver.sees("editor.scene/compass.top")


def test_the_middle_button_turns_and_moves(hands: Hands) -> None:
    """The middle button turns around the pivot; with Shift the point below the pointer follows it."""
    made = hands()
    middle = made.at(0, 0, 0)
    made.drag_from(middle, (middle[0] + 100, middle[1] + 50), MIDDLE)
    assert made.camera.pivot == (0, 0, 0)
    assert made.camera.distance == 10
    assert made.camera.yaw == pytest.approx(-0.6)
    assert made.camera.pitch == pytest.approx(-0.3)
    made.look("front")
    made.drag_from(middle, (middle[0] + 60, middle[1] - 30), MIDDLE, held="shift")
    assert made.at(0, 0, 0) == pytest.approx((middle[0] + 60, middle[1] - 30), abs=1.0)
    made.look("front")
    made.drag_from(middle, (middle[0] + 100, middle[1]), LEFT, held="alt")
    assert made.camera.yaw == pytest.approx(-0.6)


def test_the_wheel_comes_nearer(hands: Hands) -> None:
    """Turning the wheel up comes nearer to the pivot."""
    made = hands()
    made.driver.scroll("editor.scene/view", 2)
    assert made.camera.distance == pytest.approx(10 / 1.15**2)
    made.editor.run("view.zoom_out")
    assert made.camera.distance == pytest.approx(10)


def test_the_right_button_looks_around_and_keys_fly(hands: Hands) -> None:
    """With the right button the eye stays while it looks around; W flies ahead, and no tool changes."""
    made = hands()
    eye, tool = made.camera.eye, made.editor.view.tool
    driver = made.driver
    driver.move("editor.scene/view")
    driver.press(RIGHT)
    driver.move((driver.at[0] + 80, driver.at[1]))
    assert made.camera.eye == pytest.approx(eye)
    assert made.camera.yaw < -0.1
    ahead = -made.camera.axes[2]
    code = _code("W")
    driver.window.dispatch_event("on_key_press", code, 0)
    driver.step(5)
    driver.window.dispatch_event("on_key_release", code, 0)
    driver.release(RIGHT)
    moved = made.camera.eye - eye
    assert np.linalg.norm(moved) > 0.1
    assert moved / np.linalg.norm(moved) == pytest.approx(ahead, abs=1e-4)
    assert made.editor.view.tool == tool
    assert not driver.sees("editor.scene/menu")


@pytest.mark.parametrize("focus", ["editor.hierarchy/search", "editor.inspector/search", "editor.assets"])
def test_keys_fly_at_once_whatever_had_the_keyboard(hands: Hands, focus: str) -> None:
    """With the right button held still, each of the keys flies in its direction; no tool changes and nothing is typed,
    also when a text field or another panel had the keyboard."""
    made = hands()
    driver, editor = made.driver, made.editor
    made.select("left")
    if "/" in focus:
        driver.click(focus)
    else:
        editor.show(focus)
    driver.step(2)
    tool, chosen = editor.view.tool, made.game.selection.handles
    driver.move("editor.scene/view")
    driver.press(RIGHT)
    for key, way in (("W", -2), ("S", 2), ("A", -1), ("D", 1), ("E", 3), ("Q", -3)):
        eye, axes = made.camera.eye, made.camera.axes
        driver.window.dispatch_event("on_key_press", _code(key), 0)
        driver.window.dispatch_event("on_text", key.lower())
        driver.step(8)
        driver.window.dispatch_event("on_key_release", _code(key), 0)
        driver.step(2)
        moved = made.camera.eye - eye
        along = {1: axes[0], 2: axes[2], 3: axes[1]}[abs(way)] * np.sign(way)
        assert moved @ along > 0.1, key
    driver.release(RIGHT)
    driver.step(2)
    assert (editor.view.tool, made.game.selection.handles) == (tool, chosen)
    assert not driver.sees("editor.scene/menu")
    assert not editor.panels["editor.hierarchy"].tree.search.text
    assert editor.view.tool == tool


def _code(name: str) -> int:
    from rish_editor.ui.keys import key_code

    return key_code(name)


def test_frame_shows_the_selection(hands: Hands) -> None:
    """F shows the selected entities in the middle; without a selection it shows everything."""
    made = hands()
    made.select("left")
    made.driver.move("editor.scene/view")
    made.driver.key("F")
    assert made.camera.pivot == pytest.approx((-2, 0, 0))
    near = made.camera.distance
    made.game.selection.set([])
    made.driver.key("F")
    assert made.camera.pivot == pytest.approx((0, 0.5, 0))
    assert made.camera.distance > near


def test_the_compass_and_keys_look_along_axes(hands: Hands) -> None:
    """A click on an end of the compass looks from there; so do keys of the keypad, and one makes it orthographic."""
    made = hands()
    made.driver.click("editor.scene/compass.right")
    assert made.camera.axes[2] == pytest.approx([1, 0, 0], abs=1e-6)
    made.driver.key("Num7")
    assert made.camera.axes[2] == pytest.approx([0, 1, 0], abs=1e-6)
    made.driver.key("Num5")
    assert made.camera.flat
    one, two = made.at(1, 0, 0), made.at(1, 5, 0)
    assert one == pytest.approx(two, abs=1e-6)


def test_things_are_created_where_the_view_looks(hands: Hands) -> None:
    """What has no place of its own gets one in space, at the pivot; children are beside their parents."""
    made = hands()
    made.panel.views["3d"].camera = made.camera.fly((1, 2, 0))
    assert made.editor.run("entity.create.empty")
    made.driver.step()
    assert made.selected() == ["Entity"]
    assert made.read("Entity", "position") == pytest.approx([1, 2, 0])
    assert not made.world.has(made.entity("Entity"), Transform)
    assert made.game.undo() == "Create Empty"
    made.driver.click("editor.hierarchy/rows/left", button=RIGHT)
    made.driver.step(2)
    made.driver.move(next(mark for mark in made.driver.marks() if mark.endswith("entities/create")))
    made.driver.step(4)
    made.driver.click(next(mark for mark in made.driver.marks() if mark.endswith("create/empty")))
    made.driver.step(2)
    assert made.read("Entity", "position").tolist() == [0, 0, 0]
    assert made.world.get(made.entity("Entity"), Transform3D).parent == made.entity("left")


def test_the_menu_creates_where_it_was_opened(hands: Hands) -> None:
    """A thing of the menu of the view stands on the ground below the place of the right click."""
    made = hands()
    made.look("top")
    made.driver.click(made.at(-1, 0, 2), button=RIGHT)
    made.driver.step(3)
    made.driver.click("editor.scene/menu/entity.create.empty")
    made.driver.step(3)
    assert made.read("Entity", "position") == pytest.approx([-1, 0, 2], abs=0.05)
    assert made.editor.run("entity.create.empty")
    made.driver.step()
    assert made.read("Entity 2", "position").tolist() == [0, 0, 0]


def test_added_components_bring_a_place_in_space(hands: Hands) -> None:
    """A component that is added in the view of space to what has no place gives it one where the view looks."""
    made = hands(GAME.replace("Transform3D: {position: [-2, 0, 0]}", "Tags: {values: [a]}"))
    made.panel.views["3d"].camera = made.camera.fly((1, 0, 0))
    made.select("left")
    add(made.editor, made.game.selection.array, Flat)
    made.driver.step(2)
    assert made.read("left", "position") == pytest.approx([1, 0, 0])
    assert not made.world.has(made.entity("left"), Transform)


def test_arrow_keys_move_on_the_ground(hands: Hands) -> None:
    """Arrow keys move along the axis of the ground that is nearest to them in the picture, Page up upwards; Shift by a
    cell. A sequence of them is one step."""
    made = hands()
    made.panel.views["3d"].camera = type(made.camera)((0, 0, 0), 10.0, yaw=0.3, pitch=-0.5)
    made.driver.click("editor.scene/view")
    made.select("left", "child")
    steps = len(made.game.history.done)
    for key in ("Right", "Up", "Up", "PageUp"):
        made.driver.key(key)
    assert made.read("left", "position") == pytest.approx([-1.95, 0.05, -0.1])
    made.driver.key("Shift+Left")
    made.driver.key("Shift+PageDown")
    assert made.read("left", "position") == pytest.approx([-2.45, -0.45, -0.1])
    assert made.read("child", "position") == pytest.approx([0.1, 0.55, -0.45])  # below a parent that is turned
    assert len(made.game.history.done) == steps + 1
    made.driver.key("Ctrl+Z")
    assert made.read("left", "position").tolist() == [-2, 0, 0]


@pytest.mark.parametrize(
    ("yaw", "pitch", "right", "up"),
    [
        (0.0, -1.5708, (1, 0, 0), (0, 0, -1)),
        (1.6, -0.5, (0, 0, -1), (-1, 0, 0)),
        (3.1, -0.5, (-1, 0, 0), (0, 0, 1)),
        (0.0, 0.0, (1, 0, 0), (0, 1, 0)),
        (0.0, 1.2, (1, 0, 0), (0, 0, 1)),
    ],
)
def test_arrow_keys_follow_the_picture(hands: Hands, yaw: float, pitch: float, right: Any, up: Any) -> None:
    """From above, from behind, level and from below: the keys go to where they point in the picture."""
    made = hands()
    made.panel.views["3d"].camera = type(made.camera)((0, 0, 0), 10.0, yaw=yaw, pitch=pitch)
    made.driver.step()
    scene = made.panel.views["3d"].scene
    assert scene.nudge(1, 0, 0, coarse=True).tolist() == pytest.approx(np.array(right) * 0.5)
    assert scene.nudge(0, 1, 0, coarse=True).tolist() == pytest.approx(np.array(up) * 0.5)
    start, end = (scene.to_screen(np.array(way) * 0.5 * k) for way, k in ((up, 0), (up, 1)))
    assert end[1] < start[1]  # y points down in the window


def test_duplicates_copies_and_undo_in_space(hands: Hands) -> None:
    """Copies are where their originals are, move without them, and everything is undone step by step."""
    made = hands()
    made.driver.click("editor.scene/view")
    made.select("left", "right")
    count = made.game.count
    made.driver.key("Ctrl+D")
    assert made.selected() == ["left 2", "right 2"]
    made.driver.key("Shift+PageUp")
    assert made.read("right 2", "position") == pytest.approx([2, 0.5, 0])
    assert made.read("right", "position").tolist() == [2, 0, 0]
    made.driver.key("Delete")
    assert made.game.count == count
    made.driver.key("Ctrl+Z")
    assert made.selected() == ["left 2", "right 2"]
    made.driver.key("Ctrl+C")
    made.driver.key("Ctrl+V")
    assert made.selected() == ["left 3", "right 3"]
    assert made.read("right 3", "position") == pytest.approx([2, 0.5, 0])
    made.driver.key("Ctrl+G")
    assert made.read("Group", "position") == pytest.approx([0, 0.5, 0])
    made.driver.key("F")
    assert made.camera.pivot == pytest.approx((0, 1.0, 0))  # with the child above `right 3`
    for _ in range(4):
        made.driver.key("Ctrl+Z")
    assert made.game.count == count


def test_the_game_never_sees_the_view_of_the_tool(hands: Hands) -> None:
    """After a frame of the editor, the view of the tool is reset."""
    from rish_space3d import ToolView3D

    made = hands()
    made.driver.step(2)
    tool = made.world[ToolView3D]
    assert tool.view is None
    assert not tool.hidden
    assert not len(tool.lines)


def test_text_keys_of_the_keypad(driver: UIDriver) -> None:
    """Keys of the keypad have names for shortcuts."""
    from rish_editor.session.commands import parse_shortcut
    from rish_editor.ui.keys import key_code, key_name

    assert key_name(key_code("Num7")) == "Num7"
    assert parse_shortcut("Num7") == (frozenset(), "Num7")


def test_views_of_the_plane_show_nothing_of_space(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the scene view shows the plane, space is hidden; in space the layers of the game are."""
    from rish_render import ToolView
    from rish_space3d import ToolView3D

    made, seen = hands(), []
    draw = type(made.game.app).draw

    def spy(app: Any, **options: Any) -> None:
        seen.append((app.world[ToolView3D].hidden, app.world[ToolView3D].view, app.world[ToolView].view))
        draw(app, **options)

    monkeypatch.setattr(type(made.game.app), "draw", spy)
    made.driver.step()
    assert any(deep is not None and flat.layers == frozenset() and not hidden for hidden, deep, flat in seen)
    seen.clear()
    made.panel.switch("3d")
    made.driver.step()
    assert any(hidden and deep is None and flat is not None for hidden, deep, flat in seen)
