"""The view of space: its camera, moved with mouse and keys, and what it shows when a scene opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_editor.testing import LEFT, MIDDLE, RIGHT, UIDriver
from space_hands import SpaceHands

Hands = Callable[..., SpaceHands]


def test_scenes_in_space_open_in_space(hands: Hands, open_text: Callable[..., Any]) -> None:
    """A scene with things in space only opens there, framed; one of the plane opens flat, and a command switches."""
    made = hands()
    made.panel.space = type(made.panel.space)()
    made.driver.step(2)
    for x in (-2.0, 2.0):
        px, py = made.at(x, 0, 0)
        place = made.driver.place("editor.scene/view")
        assert place.left < px < place.right
        assert place.top < py < place.bottom
    open_text(name="flat")
    assert not made.panel.in_space
    assert not made.editor.run("view.space")
    assert not made.editor.commands.enabled("view.top", made.editor)


def test_a_command_switches_between_plane_and_space(hands: Hands) -> None:
    """The key 3 shows the plane, and space again."""
    made = hands()
    made.driver.key("3")
    assert not made.panel.in_space
    assert not made.driver.sees("editor.scene/compass.top")
    made.driver.key("3")
    made.driver.step()
    assert made.panel.in_space
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
    """A new thing in space appears at the pivot, selected, as one step."""
    made = hands()
    made.panel.space.camera = made.camera.fly((1, 2, 0))
    assert made.editor.run("entity.create.empty3d")
    made.driver.step()
    assert made.selected() == ["Entity"]
    assert made.read("Entity", "position") == pytest.approx([1, 2, 0])
    assert made.game.undo() == "Create Empty in Space"


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
    made.panel.switch()
    made.driver.step()
    assert any(hidden and deep is None and flat is not None for hidden, deep, flat in seen)
