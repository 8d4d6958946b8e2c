"""The scene view of a game that was just opened: what it shows first, what it ignores, and what is dropped on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rish_core import Transform, named
from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver
from rish_render import Shape, Sprite

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
prefabs:
  crate: {Transform: {}, Shape: {size: [20, 20]}}
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 0]}, Shape: {size: [60, 60], color: red}}
  second:
    - {name: eye, Transform: {position: [900, 0]}, Camera: {height: 720}}
"""
Make = Callable[..., Any]


def shows(driver: UIDriver, width: float, height: float, center: tuple[float, float]) -> None:
    """Assert that the scene view shows a box of the world completely, and not much more."""
    view, camera = driver.place("editor.scene/view"), driver.shell.editor.panels["editor.scene"].views["2d"].camera
    assert camera.center == pytest.approx(center)
    across, high = width * camera.density / view.size[0], height * camera.density / view.size[1]
    assert max(across, high) == pytest.approx(0.9, abs=0.01)


@pytest.mark.slow
def test_the_view_of_the_game_is_framed_when_the_layout_has_settled(settings: Settings, tmp_path: Path) -> None:
    """A game that opens with the first frame is shown completely, as is the next scene; a view that was moved stays."""
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    shell = Shell(settings, size=(1280, 720), headless=True, marks=True)
    try:
        assert shell.open(tmp_path)
        driver = UIDriver(shell)
        driver.step(8)
        shows(driver, 640, 360, (0, 0))
        shell.editor.games.go("second")
        driver.step(3)
        shows(driver, 1280, 720, (900, 0))
        driver.scroll("editor.scene/view", 3)
        before, height = (
            shell.editor.panels["editor.scene"].views["2d"].camera.density,
            driver.place("editor.scene/view").size[1],
        )
        driver.drag((640, 491), by=(0, -80))  # the edge between two panels
        driver.step(3)
        assert driver.place("editor.scene/view").size[1] < height
        assert shell.editor.panels["editor.scene"].views["2d"].camera.density == before
    finally:
        shell.close()


@pytest.mark.parametrize("size", [(1280, 800), (1280, 620)])
def test_rulers_do_not_cover_what_the_camera_shows(tmp_path: Path, size: tuple[int, int]) -> None:
    """At twice the size of the interface too, what the camera shows lies between the rulers at first,
    and no button of the bar lies on another one.
    """
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    shell = Shell(Settings(language="en", scale=2.0), size=size, headless=True, marks=True, saves=False)
    try:
        assert shell.open(tmp_path)
        driver = UIDriver(shell)
        driver.step(8)
        area, scene = driver.place("editor.scene/view"), shell.editor.panels["editor.scene"].views["2d"].scene
        left, top = scene.to_screen((-320, 180))
        buttons = [driver.place(mark) for mark in driver.marks("editor.scene/bar/")]
        assert len({(round(each[0]), round(each[1])) for each in buttons}) == len(buttons)
        assert not any(
            a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1
            for k, a in enumerate(buttons) for b in buttons[:k]
        )  # fmt: skip
        assert left >= area[0] + 44
        assert top >= area[1] + 44
    finally:
        shell.close()


def test_views_do_not_select_locked_entities(hands: Make) -> None:
    """A locked entity is neither outlined nor selected, by a click or a box, in the scene view and the game view."""
    made = hands(GAME)
    made.game.lock([made.entity("red")])
    made.driver.click(made.at(-110, 10))
    made.driver.step(8)
    assert made.selected() == []
    assert made.panel.views["2d"].viewport.hovered is None
    made.driver.drag(made.at(-160, 60), made.at(-60, -60))
    assert made.selected() == []
    made.editor.show("editor.game")
    made.driver.step(3)
    x, y = made.editor.panels["editor.game"]._scenes[1].to_screen((-110, 10))
    made.driver.click((x, y))
    assert made.selected() == []
    made.game.lock([made.entity("red")], False)
    made.driver.click((x, y))
    assert made.selected() == ["red"]


@pytest.fixture
def dropping(hands: Make, tmp_path: Path) -> Any:
    """A person at the scene view, with the files of the game below it."""
    (tmp_path / "game" / "art").mkdir(parents=True)
    Image.new("RGB", (8, 8), "red").save(tmp_path / "game" / "art" / "hero.png")
    (tmp_path / "game" / "notes.txt").write_text("notes")
    made = hands(GAME)
    made.editor.show("editor.assets")
    made.driver.step(3)
    return made


def test_a_picture_that_is_dropped_becomes_a_sprite_there(dropping: Any) -> None:
    """A picture from the assets that is dropped on the view is shown by a new, selected entity at the pointer."""
    dropping.driver.double_click("editor.assets/files/art")
    dropping.driver.drag("editor.assets/files/art/hero.png", dropping.at(40, 30))
    dropping.driver.step(2)
    handle = named(dropping.world, "hero")
    assert dropping.selected() == ["hero"]
    assert str(dropping.game.read(handle, Sprite, "image")) == "art/hero.png"
    assert np.array_equal(dropping.game.read(handle, Transform, "position"), (40, 30))
    dropping.driver.key("Ctrl+Z")
    assert not dropping.world.alive(handle)


def test_a_prefab_that_is_dropped_is_spawned_there(dropping: Any) -> None:
    """A prefab from the assets that is dropped on the view is spawned at the pointer, on the grid while it snaps."""
    dropping.editor.settings.snap = True
    dropping.editor.settings.grid = 16.0
    dropping.driver.click("editor.assets/folders/prefabs")
    dropping.driver.drag("editor.assets/files/crate", dropping.at(30, -50))
    dropping.driver.step(2)
    handle = named(dropping.world, "crate")
    assert dropping.world.has(handle, Shape)
    assert np.array_equal(dropping.game.read(handle, Transform, "position"), (32, -48))


def test_a_file_that_no_entity_shows_is_refused(dropping: Any) -> None:
    """A file of another kind makes nothing, and the person is told what can be dropped."""
    before = dropping.game.count
    dropping.driver.drag("editor.assets/files/notes.txt", dropping.at(0, 0))
    dropping.driver.step(2)
    assert dropping.game.count == before
    assert "notes.txt" in dropping.editor.notes[-1].text
