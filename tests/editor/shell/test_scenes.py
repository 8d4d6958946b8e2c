"""The scenes of a game, and its settings: title, size, layers and plugins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Transform, find
from rish_editor.testing import UIDriver

Open = Callable[..., Any]
GAME = """rish: 1
game: {title: Two, size: [640, 360]}
plugins: [render]
layers: [back, front]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: red, Transform: {position: [1, 0]}, Shape: {size: [60, 60], color: red}}
  cellar:
    - {name: rat, Transform: {position: [2, 0]}, Shape: {size: [60, 60], color: blue}}
"""


@pytest.fixture
def game(open_text: Open) -> Any:
    """A game with two scenes and two layers."""
    return open_text(GAME)


def move(game: Any, name: str, x: float) -> None:
    """Move an entity as a step of the history."""
    with game.edit("Move"):
        game.world.set(find(game.world, name), Transform(position=(x, 0)))


def text_of(game: Any) -> str:
    """Return the text of the game's file."""
    return (game.path / "game.yaml").read_text(encoding="utf-8")


def go(driver: UIDriver, scene: str) -> None:
    """Choose a scene in the toolbar."""
    driver.click("toolbar/scene")
    driver.step(2)
    driver.click(next(mark for mark in driver.marks() if mark.endswith(f"scene:{scene}")))
    driver.step(3)


def form(driver: UIDriver) -> None:
    """Open the settings of the game."""
    driver.shell.editor.run("file.settings")
    driver.step(3)


def test_edits_of_two_scenes_are_kept_and_saved_together(driver: UIDriver, game: Any) -> None:
    """Changing the scene keeps unsaved edits; saving writes both."""
    move(game, "red", 11.0)
    go(driver, "cellar")
    assert game.scene == "cellar"
    assert game.dirty
    move(game, "rat", 22.0)
    go(driver, "main")
    assert game.read(find(game.world, "red"), Transform, "position")[0] == 11.0
    driver.key("Ctrl+S")
    driver.step(2)
    assert "[11, 0]" in text_of(game)
    assert "[22, 0]" in text_of(game)
    assert not game.dirty


def test_undo_goes_back_through_scenes(driver: UIDriver, game: Any) -> None:
    """Undo takes back edits, then the change of scene, then the edits before it."""
    before = game.world.hash()
    move(game, "red", 11.0)
    go(driver, "cellar")
    move(game, "rat", 22.0)
    for _ in range(3):
        driver.key("Ctrl+Z")
        driver.step()
    assert game.scene == "main"
    assert game.world.hash() == before


def test_only_looking_at_another_scene_is_no_edit(driver: UIDriver, game: Any) -> None:
    """Going to another scene and back leaves nothing to save."""
    before = text_of(game)
    go(driver, "cellar")
    assert not game.dirty
    go(driver, "main")
    assert not game.dirty
    assert text_of(game) == before


def test_add_rename_and_delete_a_scene(driver: UIDriver, game: Any) -> None:
    """A new scene is empty and shown; it can be renamed and deleted, and all of that is undone in steps."""
    before = text_of(game)
    driver.shell.editor.run("file.add_scene")
    driver.step(3)
    driver.enter("dialog/name", "attic")
    driver.step(3)
    assert game.scenes == ("main", "cellar", "attic")
    assert game.scene == "attic"
    form(driver)
    driver.click("dialog/scene:attic/rename")
    driver.step(3)
    driver.enter("dialog/name", "roof")
    driver.step(3)
    assert game.scenes == ("main", "cellar", "roof")
    driver.click("dialog/scene:roof/delete")
    driver.step(3)
    assert game.scenes == ("main", "cellar")
    driver.click("dialog/close")
    driver.step(2)
    while game.history.done:
        driver.shell.editor.run("edit.undo")
    assert "".join(game.project.text.plain.values()) == before
    assert game.scene == "main"


def test_a_taken_name_is_refused_in_the_form(driver: UIDriver, game: Any) -> None:
    """A scene with a name that is taken is not added; the form says so and stays."""
    driver.shell.editor.run("file.add_scene")
    driver.step(3)
    driver.enter("dialog/name", "cellar")
    driver.step(3)
    assert driver.sees("dialog/ok")
    assert game.scenes == ("main", "cellar")


def test_title_size_layers_and_first_scene(driver: UIDriver, game: Any) -> None:
    """The form edits the text of the game; Save writes it."""
    form(driver)
    driver.enter("dialog/title", "Three")
    driver.enter("dialog/width", "800")
    driver.click("dialog/scene:cellar/first")
    driver.click("dialog/layer:0/down")
    driver.step(3)
    driver.click("dialog/layer:0/screen")
    driver.step(2)
    driver.click("dialog/close")
    driver.step(2)
    driver.key("Ctrl+S")
    driver.step(2)
    text = text_of(game)
    assert "title: Three" in text
    assert "size: [800, 360]" in text
    assert "scene: cellar" in text
    assert "layers: [front: {space: screen}, back]" in text or "layers: [{front: {space: screen}}, back]" in text
    assert not driver.shell.editor.failures


def test_a_new_plugin_begins_in_the_open_game(driver: UIDriver, game: Any) -> None:
    """Adding physics keeps the game, its edits, which stay unsaved, and its history; its components can be used."""
    move(game, "red", 11.0)
    game.selection.set([find(game.world, "red")])
    steps = list(game.history.done)
    form(driver)
    driver.scroll("dialog/form", -100)
    driver.step(2)
    driver.scroll("dialog/form", 3)  # physics is some lines above the end of the list
    driver.step(2)
    driver.click("dialog/plugin:physics")
    driver.step(6)
    now = driver.shell.editor.game
    assert now is game
    assert "physics" in now.app.plugins
    assert now.read(find(now.world, "red"), Transform, "position")[0] == 11.0
    assert [now.name_of(handle) for handle in now.selection] == ["red"]
    assert now.history.done[: len(steps)] == steps
    assert now.dirty
    driver.click("dialog/close")
    driver.step(2)
    driver.key("Ctrl+S")
    driver.step(2)
    assert "plugins: [render, physics]" in text_of(now)
    assert "[11, 0]" in text_of(now)
