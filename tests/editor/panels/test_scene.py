"""The scene view: selecting, moving the view, and what lies over the picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_editor.testing import LEFT, MIDDLE, RIGHT
from rish_render import Shape

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
layers: [world, {hud: {space: screen}}]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 0]}, Shape: {size: [60, 60], color: red}}
    - {name: blue, Transform: {position: [100, 0]}, Shape: {size: [60, 60], color: blue}}
    - {name: low, Transform: {position: [0, -100]}, Shape: {size: [80, 80]}}
    - {name: high, Transform: {position: [0, -100]}, Shape: {size: [40, 40], color: red, z: 1}}
    - {name: score, Transform: {position: [320, 340]}, Text: {text: SCORE, layer: hud}}
"""
Make = Callable[..., Any]


def test_a_click_selects_and_a_click_into_the_empty_selects_nothing(hands: Make) -> None:
    """A click selects the thing below the pointer instead of what was selected; each is a step that undo takes back."""
    made = hands(GAME)
    made.driver.click(made.at(-120, 20))
    assert made.selected() == ["red"]
    made.driver.click(made.at(120, 20))
    assert made.selected() == ["blue"]
    made.driver.click(made.at(-30, 120))
    assert made.selected() == []
    made.driver.key("Ctrl+Z")
    assert made.selected() == ["blue"]


def test_ctrl_toggles_and_shift_adds(hands: Make) -> None:
    """Ctrl with a click adds or removes an entity, Shift only adds."""
    made = hands(GAME)
    made.driver.click(made.at(-120, 20))
    made.driver.click(made.at(120, 20), held="ctrl")
    assert made.selected() == ["red", "blue"]
    made.driver.click(made.at(-120, 20), held="ctrl")
    assert made.selected() == ["blue"]
    for _ in range(2):
        made.driver.click(made.at(-120, 20), held="shift")
        assert made.selected() == ["blue", "red"]


@pytest.mark.slow
def test_clicks_at_one_place_go_deeper(hands: Make) -> None:
    """The first click selects what is on top, the next one what lies below it, then it begins again."""
    made = hands(GAME)
    for name in ("high", "low", "high"):
        made.driver.click(made.at(12, -88))
        made.driver.step(30)
        assert made.selected() == [name]


@pytest.mark.slow
def test_the_gizmo_does_not_hide_what_lies_below(hands: Make) -> None:
    """A click without a drag on the middle of the gizmo goes deeper too, and is no step that moves."""
    made = hands(GAME)
    for name in ("high", "low", "high"):
        made.driver.click(made.at(0, -100))
        made.driver.step(30)
        assert made.selected() == [name]
    assert {entry.name for entry in made.game.history.done} == {"Select"}


def test_a_box_selects_what_it_touches(hands: Make) -> None:
    """A drag over the empty part selects all that the box touches; Shift adds to what is selected."""
    made = hands(GAME)
    made.driver.drag(made.at(-140, 60), made.at(-80, -10))
    assert made.selected() == ["red"]
    made.driver.drag(made.at(60, 60), made.at(90, -10), held="shift")
    assert made.selected() == ["red", "blue"]
    made.driver.drag(made.at(-150, 60), made.at(150, -150))
    assert sorted(made.selected()) == ["blue", "camera", "high", "low", "red"]


def test_escape_cancels_a_box(hands: Make) -> None:
    """A box that Escape ends selects nothing, whatever the pointer touches until the button goes up."""
    made = hands(GAME)
    made.driver.move(made.at(-150, 60))
    made.driver.press()
    made.driver.move(made.at(-60, 0))
    made.driver.key("Escape")
    made.driver.move(made.at(-60, -10))
    made.driver.release()
    assert made.selected() == []
    assert not made.game.history.done


def test_escape_deselects(hands: Make) -> None:
    """Escape selects nothing when the view has the keyboard."""
    made = hands(GAME)
    made.driver.click(made.at(-120, 20))
    made.driver.key("Escape")
    assert made.selected() == []


@pytest.mark.parametrize("button", [RIGHT, MIDDLE])
def test_dragging_with_another_button_moves_the_view(hands: Make, button: int) -> None:
    """The point that was grabbed stays below the pointer; nothing is selected and no menu opens."""
    made = hands(GAME)
    before = made.at(-100, 0)
    made.driver.drag(before, by=(70, 40), button=button)
    np.testing.assert_allclose(made.at(-100, 0), (before[0] + 70, before[1] + 40), atol=0.6)
    assert made.selected() == []
    assert not made.driver.marks("editor.scene/menu")


def test_space_and_the_left_button_move_the_view(hands: Make) -> None:
    """While Space is held, the left button moves the view instead of selecting."""
    made = hands(GAME)
    before = made.at(-100, 0)
    code = 32
    made.driver.window.dispatch_event("on_key_press", code, 0)
    made.driver.step()
    made.driver.drag(before, by=(50, 30))
    made.driver.window.dispatch_event("on_key_release", code, 0)
    made.driver.step()
    np.testing.assert_allclose(made.at(-100, 0), (before[0] + 50, before[1] + 30), atol=0.6)
    assert made.selected() == []


@pytest.mark.parametrize("notches", [1, 5, -4])
def test_the_wheel_keeps_the_point_below_the_pointer(hands: Make, notches: int) -> None:
    """Zooming by the wheel changes the density, and the point below the pointer stays there."""
    made = hands(GAME)
    place = tuple(np.round(made.at(-80, 20)))
    point = made.panel.views["2d"].scene.to_world(place)
    made.driver.scroll(place, notches)
    assert (made.panel.views["2d"].camera.density > 1.0) == (notches > 0)
    np.testing.assert_allclose(made.at(*point), place, atol=1e-6)


def test_f_frames_the_selection_or_everything(hands: Make) -> None:
    """F shows what is selected in the middle of the view and large; without a selection, everything that is drawn."""
    made = hands(GAME)
    made.select("red")
    made.driver.key("F")
    assert made.panel.views["2d"].camera.center == pytest.approx((-100, 0))
    low, high = made.at(-130, -30), made.at(-70, 30)
    place = made.driver.place("editor.scene/view")
    assert 0.5 < (low[1] - high[1]) / place.size[1] < 0.9
    made.select()
    made.driver.key("F")
    assert made.panel.views["2d"].camera.center == pytest.approx((0, -55))


def test_a_double_click_frames(hands: Make) -> None:
    """A double click on an entity selects and frames it."""
    made = hands(GAME)
    made.driver.double_click(made.at(110, 10))
    assert made.selected() == ["blue"]
    assert made.panel.views["2d"].camera.center == pytest.approx((100, 0))


def test_a_right_click_opens_the_menu_of_commands(hands: Make) -> None:
    """A right click without a drag selects what is below and opens a menu with the commands of Edit."""
    made = hands(GAME)
    made.driver.click(made.at(-120, 20))
    made.driver.click(made.at(120, 20), button=RIGHT)
    made.driver.step(2)
    assert made.selected() == ["blue"]
    made.driver.click("editor.scene/menu/edit.undo")
    made.driver.step(2)
    assert made.selected() == ["red"]


def test_the_bar_switches_what_is_shown(hands: Make) -> None:
    """The bar zooms, frames, and switches light, gizmos and grid; without gizmos nothing can be dragged."""
    made = hands(GAME)
    made.driver.click("editor.scene/bar/view.zoom_in")
    assert made.panel.views["2d"].camera.density > 1.0
    made.driver.click("editor.scene/bar/view.zoom_reset")
    assert made.panel.views["2d"].camera.density == 1.0
    made.driver.click("editor.scene/bar/view.light")
    assert not made.editor.view.light
    made.select("red")
    assert made.driver.sees("editor.scene/move.x")
    made.driver.click("editor.scene/bar/view.gizmos")
    made.driver.step()
    assert not made.driver.sees("editor.scene/move.x")
    made.driver.click("editor.scene/bar/view.grid")
    assert not made.editor.settings.show_grid
    assert made.selected() == ["red"]


def test_the_pointer_outlines_what_a_click_would_select(hands: Make) -> None:
    """The entity below the pointer is outlined in the picture, and known to the view."""
    made = hands(GAME)
    made.driver.move(made.at(-30, 140))
    made.driver.step()
    before = made.driver.picture()
    made.driver.move(made.at(100, 0))
    made.driver.step()
    assert made.panel.views["2d"].viewport.hovered == made.entity("blue")
    left, top = (int(v) for v in made.at(70, 30))
    changed = np.abs(made.driver.picture().astype(int) - before)[top + 10 : top + 20, left - 2 : left + 3, :3]
    assert changed.sum(axis=2).max() > 60


def test_things_on_screen_layers_are_arranged_in_the_game_view(hands: Make) -> None:
    """A selected thing in screen space has no handles here; a link leads to the game view, where it has them."""
    made = hands(GAME)
    made.select("score")
    assert not made.driver.sees("editor.scene/move.x")
    made.driver.click("editor.scene/screen")
    made.driver.step(3)
    assert made.driver.sees("editor.game/move.x")


def test_a_gizmo_that_raises_is_named_and_set_aside(hands: Make) -> None:
    """The error of a drawer is reported once, and the others go on."""
    made = hands(GAME)

    def broken(scene: Any, editor: Any, handles: Any) -> None:
        raise ValueError("no ink")

    made.editor.gizmos = [(Shape, broken), *made.editor.gizmos]
    made.select("red")
    made.driver.step(3)
    assert made.editor.failures == 1
    assert made.driver.sees("editor.scene/move.x")


@pytest.mark.parametrize("panel", ["editor.scene", "editor.game"])
@pytest.mark.parametrize("button", [LEFT, MIDDLE, RIGHT])
def test_a_held_button_takes_the_keys(hands: Make, panel: str, button: int) -> None:
    """While a button of the mouse is held in a view, no key is a shortcut: no tool, no deleting, no undo, no run."""
    made = hands()
    driver, editor, game = made.driver, made.editor, made.game
    made.select("red")
    editor.show(panel)
    driver.step(3)
    driver.move(f"{panel}/view")
    driver.press(button)
    before = editor.view.tool, game.count, len(game.history.done), game.play.state
    for key in ("W", "E", "R", "Q", "H", "Delete", "F5", "Ctrl+Z", "Ctrl+D", "Ctrl+A"):
        driver.key(key)
    assert (editor.view.tool, game.count, len(game.history.done), game.play.state) == before
    driver.release(button)
    driver.step(2)
    driver.key("Escape")
    driver.key("Delete")
    driver.key("E")
    assert editor.view.tool != before[0]
