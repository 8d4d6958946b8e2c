"""The game view: it gives input to a running game and to no other, and lets the screen's layers be arranged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Input, Transform, find
from rish_editor.testing import UIDriver
from rish_editor.ui.keys import key_code
from rish_frame import Frame
from rish_render import Shape, View

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
layers: [world, {hud: {space: screen}}]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 0]}, Shape: {size: [60, 60], color: red}}
    - {name: bar, Transform: {position: [320, 300]}, Shape: {size: [200, 20], layer: hud}}
"""
Open = Callable[..., Any]


@pytest.fixture
def game(driver: UIDriver, open_text: Open) -> Any:
    """A game whose view is in front."""
    made = open_text(GAME)
    driver.shell.editor.show("editor.game")
    driver.step(3)
    return made


def place_of(driver: UIDriver, game: Any, x: float, y: float) -> tuple[float, float]:
    """Return the point of the window that shows a logical pixel of the game."""
    frame, view = game.world[Frame], driver.place("editor.game/view")
    px, py = frame.fit.to_screen(x, y) if frame.fit is not None else (x, y)
    return view.left + px * view.size[0] / frame.size[0], view.bottom - py * view.size[1] / frame.size[1]


def press(driver: UIDriver, name: str, *, down: bool = True) -> None:
    """Press or release a key."""
    driver.window.dispatch_event("on_key_press" if down else "on_key_release", key_code(name), 0)
    driver.step(2)


def test_a_running_game_gets_the_keyboard(driver: UIDriver, game: Any) -> None:
    """Play gives the game the keyboard: it sees the key W, which chooses no tool; F8 still stops the run."""
    press(driver, "W")
    assert not game.world[Input].down("W")
    assert driver.shell.editor.view.tool == "stretch"
    press(driver, "W", down=False)
    driver.key("Q")
    driver.key("F5")
    driver.step(3)
    press(driver, "W")
    assert game.world[Input].down("W")
    assert driver.shell.editor.view.tool == "move"
    press(driver, "W", down=False)
    assert not game.world[Input].down("W")
    driver.key("F8")
    assert not game.play.running
    press(driver, "W")
    assert not game.world[Input].down("W")


def test_shift_f1_gives_the_keyboard_back_and_releases_all_keys(driver: UIDriver, game: Any) -> None:
    """The view says how to leave; after that the game holds no key, and the editor's keys work again."""
    driver.key("F5")
    driver.step(3)
    assert driver.sees("editor.game/hint")
    press(driver, "SPACE")
    assert game.world[Input].down("SPACE")
    driver.key("Shift+F1")
    driver.step(2)
    assert not game.world[Input].down("SPACE")
    driver.key("W")
    assert driver.shell.editor.view.tool == "stretch"
    driver.click(place_of(driver, game, 320, 100))
    driver.step(2)
    press(driver, "SPACE")
    assert game.world[Input].down("SPACE")


def test_a_click_elsewhere_takes_the_keyboard(driver: UIDriver, game: Any) -> None:
    """A click into another panel gives the keyboard back to the editor."""
    driver.key("F5")
    driver.step(3)
    press(driver, "A")
    place = driver.place("editor.hierarchy")
    driver.click(place.center)
    driver.step(2)
    assert not game.world[Input].down("A")
    assert not driver.shell.editor.input.focused


def test_a_hidden_view_has_no_keyboard(driver: UIDriver, game: Any) -> None:
    """When another panel comes to the front of the game view, the game loses the keyboard while it goes on."""
    driver.key("F5")
    driver.step(3)
    press(driver, "A")
    driver.shell.editor.show("editor.scene")
    driver.step(3)
    assert game.play.running
    assert not game.world[Input].down("A")
    press(driver, "W")
    assert driver.shell.editor.view.tool == "stretch"


@pytest.mark.parametrize("shape", ["free", "game", "1:1"])
def test_the_pointer_is_where_the_picture_is(driver: UIDriver, game: Any, shape: str) -> None:
    """The game's pointer is in its own pixels, whatever size and shape its screen has in the panel."""
    driver.shell.editor.panels["editor.game"].shape = shape
    driver.step(2)
    driver.key("F5")
    driver.step(3)
    driver.move(place_of(driver, game, 200, 120))
    driver.step(2)
    np.testing.assert_allclose(game.world[Input].pointer, (200, 120), atol=1.0)
    driver.press()
    driver.step()
    assert game.world[Input].down("mouse.left")
    driver.release()
    driver.step()
    assert not game.world[Input].down("mouse.left")


def test_the_scene_view_does_not_change_the_screen_of_the_game(driver: UIDriver, game: Any) -> None:
    """A scene view of another size, drawn in the same frame, does not change the size of screen that the game sees."""
    frame = game.world[Frame]
    before = frame.size, frame.fit
    game.draw((100, 50), View((100, 50), (0, 0)))
    assert (frame.size, frame.fit) == before


def test_screen_layers_are_arranged(driver: UIDriver, game: Any) -> None:
    """Before Play, a click selects a thing of the screen, and the gizmo moves it in the game's pixels."""
    bar = find(game.world, "bar")
    driver.click(place_of(driver, game, 250, 300))
    assert game.selection.handles == [bar]
    start, end = place_of(driver, game, 320, 300), place_of(driver, game, 360, 280)
    driver.drag("editor.game/move.center", by=(end[0] - start[0], end[1] - start[1]))
    np.testing.assert_allclose(game.read(bar, Transform, "position"), (360, 280), atol=0.7)
    assert [entry.name for entry in game.history.done] == ["Select", "Move bar"]


def test_things_of_the_world_are_arranged_through_the_main_camera(driver: UIDriver, game: Any) -> None:
    """A thing of the world is selected and stretched in the game view as the main camera shows it."""
    red = find(game.world, "red")
    driver.click(place_of(driver, game, 220, 180))
    assert game.selection.handles == [red]
    driver.key("W")
    driver.step()
    start, end = place_of(driver, game, 0, 0), place_of(driver, game, 30, 0)
    driver.drag("editor.game/stretch.right", by=(end[0] - start[0], 0))
    np.testing.assert_allclose(game.read(red, Shape, "size"), (90, 60), atol=0.7)


def test_the_screen_of_the_game_can_have_a_shape(driver: UIDriver, game: Any) -> None:
    """The size of the screen is chosen above the picture, and kept for the next start."""
    panel = driver.shell.editor.panels["editor.game"]
    driver.click("editor.game/shape")
    driver.step()
    driver.click("editor.game/shape:1:1")
    driver.step(2)
    width, height = driver.place("editor.game/view").size
    assert width == height
    assert game.world[Frame].size == (round(width), round(height))
    fresh = type(panel)()
    fresh.load(panel.save())
    assert fresh.shape == "1:1"


def test_the_view_fills_the_window_while_playing(driver: UIDriver, game: Any) -> None:
    """With the option, Play gives the whole window to the game, and Stop gives it back."""
    before = driver.place("editor.game").size
    driver.click("editor.game/maximize")
    driver.key("F5")
    driver.step(3)
    assert driver.place("editor.game").size[0] > 1.2 * before[0]
    press(driver, "W")
    assert game.world[Input].down("W")
    driver.key("F8")
    driver.step(3)
    assert driver.place("editor.scene").size == pytest.approx(before)
