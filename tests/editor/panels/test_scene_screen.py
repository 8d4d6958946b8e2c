"""The scene view of scenes whose things are on the screen, such as menus of widgets."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver
from rish_ui import Layout

MENU = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render, ui]
scenes:
  main:
    - name: menu
      Screen: {}
      Widget: {}
      Layout: {align: center, justify: center, gap: [0, 12]}
      children:
        - {name: title, Widget: {}, Layout: {}, Label: {text: Title}}
        - {name: play, Widget: {}, Layout: {size: [200, 60]}, Button: {text: Play}}
  hud:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 0]}, Shape: {size: [60, 60], color: red}}
    - {name: blue, Transform: {position: [100, 0]}, Shape: {size: [60, 60], color: blue}}
    - {name: score, Screen: {}, Widget: {}, Layout: {}}
"""
Make = Callable[..., Any]


def colors(driver: UIDriver) -> int:
    """Return how many colors the picture has in the middle of the scene view."""
    place = driver.place("editor.scene/view")
    x, y = (round(part) for part in place.center)
    part = driver.picture()[y - 120 : y + 120, x - 120 : x + 120, :3]
    return len(np.unique(part.reshape(-1, 3), axis=0))


def test_a_scene_of_widgets_begins_with_the_screen(open_text: Make, driver: UIDriver) -> None:
    """A scene of widgets shows the whole screen with them; one that mostly draws in the world shows the world."""
    game = open_text(MENU)
    panel = driver.shell.editor.panels["editor.scene"]
    assert panel.shown == "screen"
    driver.step(2)
    left, top, width, height = panel.views["screen"].area(*_place(driver))
    view = driver.place("editor.scene/view")
    assert width / height == pytest.approx(640 / 360)
    assert max(width / view.size[0], height / view.size[1]) == pytest.approx(0.9, abs=0.01)
    assert (left + width / 2, top + height / 2) == pytest.approx(view.center, abs=1.0)
    assert colors(driver) > 10
    driver.shell.editor.games.go("hud")
    driver.step(3)
    assert panel.shown != "screen"
    assert game.scene == "hud"


def test_widgets_are_selected_and_resized_in_it(open_text: Make, driver: UIDriver) -> None:
    """A click on a widget selects it, and its lower right handle changes its size by what the pointer shows."""
    game = open_text(MENU)
    driver.step(2)
    panel, editor = driver.shell.editor.panels["editor.scene"], driver.shell.editor
    driver.click(panel.views["screen"].scene.to_screen((320.0, 145.0)))
    driver.step(8)
    assert [game.name_of(handle) for handle in game.selection] == ["play"]
    [play] = game.selection.handles
    density = panel.views["screen"].camera.density
    driver.drag(f"editor.scene/layout.{play}.bottom_right", by=(40 * density, 20 * density))
    assert np.allclose(game.read(play, Layout, "size"), (240, 80), atol=1.5)
    driver.scroll("editor.scene/view", 3)
    assert panel.views["screen"].camera.density > density
    editor.run("view.frame")
    driver.step()
    assert panel.views["screen"].camera.density == pytest.approx(density, rel=0.02)


def test_the_screen_is_a_view_of_any_scene(open_text: Make, driver: UIDriver) -> None:
    """Key 2 shows the screen and the plane again; things of the world are selected in both, at what the game shows."""
    game = open_text(MENU)
    driver.shell.editor.games.go("hud")
    driver.step(3)
    panel = driver.shell.editor.panels["editor.scene"]
    driver.click("editor.scene/view")
    driver.key("2")
    driver.step(3)
    assert panel.shown == "screen"
    driver.click(panel.views["screen"].scene.to_screen((420.0, 180.0)))
    driver.step(8)
    assert [game.name_of(handle) for handle in game.selection] == ["blue"]
    driver.key("2")
    driver.step(2)
    assert panel.shown != "screen"


def _place(driver: UIDriver) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the left top corner and the size of the scene view."""
    place = driver.place("editor.scene/view")
    return (place.left, place.top), place.size


@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1280, 720)])
def test_all_buttons_of_the_bar_are_in_a_small_view(settings: Settings, tmp_path: Path, size: tuple[int, int]) -> None:
    """The bar has as many lines as it needs: no button is beyond the edge of the view."""
    (tmp_path / "game.yaml").write_text(MENU, encoding="utf-8")
    shell = Shell(settings, size=size, headless=True, marks=True, drawn=False, saves=False)
    driver = UIDriver(shell)
    try:
        assert shell.open(tmp_path)
        driver.step(5)
        view = driver.place("editor.scene/view")
        names = driver.marks("editor.scene/bar/")
        assert len(names) >= 8
        for name in names:
            place = driver.place(name)
            assert view.left <= place.left < place.right <= view.right, name
            assert view.top <= place.top < place.bottom <= view.bottom, name
    finally:
        shell.close()


def test_numbers_of_both_rulers_are_written_across(hands: Make) -> None:
    """The number of a line at the left ruler has the same pixels as at the upper one, whatever the number."""
    made = hands()
    left, top, *_ = made.driver.place("editor.scene/view")
    picture = made.driver.picture()[..., :3].astype(int)
    for number in (100, -100):
        x, y = (math.floor(part) for part in (made.at(number, 0)[0], made.at(0, number)[1]))
        above = picture[round(top) + 2 : round(top) + 14, x + 4 : x + 26]
        beside = picture[y + 2 : y + 14, round(left) + 4 : round(left) + 26]
        assert np.ptp(above) > 60
        assert np.array_equal(above, beside), number
