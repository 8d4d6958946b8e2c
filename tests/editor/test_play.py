"""Playing in the editor: the game runs on a copy, and stopping brings the edited state back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_core import Scenes, Transform, find
from rish_editor.testing import UIDriver
from rish_history import Saves

GAME = """rish: 1
game: {title: Ball, size: [640, 360]}
plugins: [render, physics]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: ball, at: [0, 100], Shape: {shape: circle, radius: 20}, Body: {}, Collider: {radius: 20}}
"""


def test_play_moves_the_ball_and_stop_brings_the_first_hash_back(
    driver: UIDriver, open_text: Callable[..., Any]
) -> None:
    """Play moves the ball; Stop restores the state from before, and it is no step of the history."""
    game = open_text(GAME)
    before = game.world.hash()
    driver.click("toolbar/play.start")
    driver.step(30)
    assert game.world.tick > 20
    assert game.world.hash() != before
    driver.click("toolbar/play.stop")
    assert game.world.hash() == before
    assert not game.history.done
    assert not game.dirty


SAVED = """rish: 1
game: {title: Saved, size: [640, 360]}
plugins: [render, scripts, history]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: hero, Transform: {}, Walker: {}}
  attic:
    - {name: lamp, Transform: {}}
"""
WALKER = """from rish_core import Transform
from rish_scripts import Script


class Walker(Script):
    pace: float = 1.0

    def on_update(self, dt):
        self.get(Transform).position += (self.pace, 0)


def rish_scripts():
    return [Walker]
"""


def test_save_games_of_a_run_leave_the_edited_state(
    driver: UIDriver, open_text: Callable[..., Any], tmp_path: Path
) -> None:
    """A run that saves, goes to another scene and loads save games, also one from before the edits, is undone by Stop:
    the World, the text, the open scene and what is unsaved are as before.
    """  # fmt: skip
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "plugin.py").write_text(WALKER)
    game = open_text(SAVED)
    early, late = tmp_path / "early.rishsave", tmp_path / "late.rishsave"
    driver.key("F5")
    driver.step(4)
    game.world[Saves].save(early)
    driver.key("F8")
    driver.shell.editor.run("entity.create.empty")
    game.set([find(game.world, "hero")], Transform, "position", (50.0, 7.0))
    driver.step(2)
    before = game.world.hash(), game.project.text.plain, game.app.manifest, game.scene, game.count
    steps = [*game.history.done]
    for _ in range(2):
        driver.key("F5")
        driver.step(5)
        game.world[Saves].save(late)
        game.world[Scenes].go("attic")
        driver.step(3)
        assert find(game.world, "lamp") is not None
        game.world[Saves].load(late)
        driver.step(3)
        assert game.read(find(game.world, "hero"), Transform, "position")[1] == 7
        game.world[Saves].load(early)
        driver.step(3)
        assert game.read(find(game.world, "hero"), Transform, "position")[1] == 0
        driver.key("F8")
        driver.step(2)
        assert (game.world.hash(), game.project.text.plain, game.app.manifest, game.scene, game.count) == before
        assert game.history.done == steps
        assert game.dirty
    driver.key("Ctrl+S")
    driver.step(2)
    assert not driver.shell.editor.dialogs.open
    assert "position: [50, 7]" in (game.path / "game.yaml").read_text()


def test_code_that_is_loaded_in_a_run_stays(driver: UIDriver, open_text: Callable[..., Any], tmp_path: Path) -> None:
    """After Stop the edited World has the new code: its fields, defaults and methods; text and edits are as before."""
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "plugin.py").write_text(WALKER)
    game = open_text(SAVED)
    hero = find(game.world, "hero")
    game.set([hero], Transform, "position", (50.0, 7.0))
    driver.step(2)
    text = game.project.text.plain, (game.path / "game.yaml").read_text()
    driver.key("F5")
    driver.step(3)
    code = WALKER.replace("pace: float = 1.0", "pace: float = 3.0\n    lift: float = 2.5").replace(
        ", 0)", ", self.lift)"
    )
    (game.path / "plugin.py").write_text(code)
    driver.shell.games.outside.note([game.path / "plugin.py"])
    driver.step(5)
    assert game.read(hero, Transform, "position")[1] > 7
    driver.key("F8")
    driver.step(2)
    walker = game.world.kind("Walker")
    assert game.read(hero, walker, "lift") == 2.5
    assert game.read(hero, walker, "pace") == 3
    assert game.read(hero, Transform, "position").tolist() == [50, 7]
    assert (game.project.text.plain, (game.path / "game.yaml").read_text()) == text
    driver.key("F5")
    driver.step(3)
    assert game.read(hero, Transform, "position")[1] > 7
    driver.key("F8")
    driver.key("Ctrl+Z")
    assert game.read(hero, Transform, "position").tolist() == [0, 0]
