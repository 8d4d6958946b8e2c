"""Files that another program changes or deletes, and manifests with mistakes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from rish_core import Assets, Transform, find
from rish_editor.testing import UIDriver

Open = Callable[..., Any]
GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 0]}, Shape: {size: [60, 60], color: red}}
    - {name: blue, Transform: {position: [100, 0]}, Shape: {size: [60, 60], color: blue}}
"""
MISTAKES = """rish: 1
game: {title: Torn}
plugins: [render, "nowhere"]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: red, Transform: {}, Shpae: {size: [60, 60]}}
    - {name: blue, Transform: {position: [one, two]}, Shape: {size: [60, 60]}}
"""


def rewrite(game: Any, old: str, new: str) -> None:
    """Change the game's file as another program does."""
    path = game.path / "game.yaml"
    path.write_text(path.read_text().replace(old, new))


def look(driver: UIDriver) -> None:
    """Let a second pass for the editor."""
    driver.shell.games.outside.next_look = 0.0
    driver.step(3)


def x_of(game: Any, name: str) -> float:
    """Return where an entity is."""
    return float(game.read(find(game.world, name), Transform, "position")[0])


def move(game: Any, x: float) -> None:
    """Move the blue box as a step of the history."""
    with game.edit("Move"):
        game.world.set(find(game.world, "blue"), Transform(position=(x, 0)))


def test_without_edits_the_new_file_is_loaded_at_once(driver: UIDriver, open_text: Open) -> None:
    """A file that was changed elsewhere is loaded, and what was selected stays selected."""
    game = open_text()
    game.selection.set([find(game.world, "red")])
    rewrite(game, "[-100, 0]", "[-55, 0]")
    look(driver)
    assert x_of(game, "red") == -55.0
    assert [game.name_of(handle) for handle in game.selection] == ["red"]
    assert not game.dirty


@pytest.mark.parametrize("answer", ["reload", "keep"])
def test_with_edits_the_person_is_asked(driver: UIDriver, open_text: Open, answer: str) -> None:
    """Reload drops the edits; Keep mine keeps them, and saving then overwrites the file."""
    game = open_text()
    move(game, 7.0)
    rewrite(game, "[-100, 0]", "[-55, 0]")
    look(driver)
    driver.click(f"dialog/{answer}")
    driver.step(2)
    look(driver)
    assert not driver.sees("dialog/reload")
    assert (x_of(game, "red"), x_of(game, "blue")) == ((-55.0, 100.0) if answer == "reload" else (-100.0, 7.0))
    assert game.dirty == (answer == "keep")
    driver.key("Ctrl+S")
    driver.step(2)
    text = (game.path / "game.yaml").read_text()
    assert ("[7, 0]" in text) == (answer == "keep")
    assert ("[-55, 0]" in text) == (answer == "reload")


@pytest.mark.parametrize("more", ["", ", physics"])
def test_loading_the_new_version_can_be_undone(driver: UIDriver, open_text: Open, more: str) -> None:
    """Undo brings the dropped edits back, and the plugins of before; redo loads the new version again."""
    game = open_text()
    app, path = game.app, game.path / "game.yaml"
    with game.edit("Move"):
        game.world.set(find(game.world, "red"), Transform(position=(5, 6)))
    before = game.world.hash()
    body = ", Body: {}" if more else ""
    text = path.read_text().replace("[render]", f"[render{more}]").replace("name: blue", f"name: green{body}")
    path.write_text(text)
    driver.shell.games.look(1e9)
    driver.step(3)
    driver.click("dialog/reload")
    driver.step(3)
    assert driver.shell.editor.game is game
    assert game.app is app
    assert find(game.world, "green") is not None
    assert ("physics" in app.plugins) == bool(more)
    assert not game.dirty
    after = game.world.hash()
    driver.key("Ctrl+Z")
    driver.step(2)
    assert game.world.hash() == before
    assert "physics" not in app.plugins
    assert game.dirty
    driver.key("Ctrl+Y")
    driver.step(2)
    assert game.world.hash() == after
    assert not game.dirty
    driver.key("Ctrl+Z")
    driver.key("Ctrl+S")
    driver.step(3)
    assert not driver.shell.editor.dialogs.open
    assert "position: [5, 6]" in path.read_text()
    assert "green" not in path.read_text()


def test_saving_over_a_changed_file_asks_first(driver: UIDriver, open_text: Open) -> None:
    """Between two looks at the files, saving itself notices the change."""
    game = open_text()
    move(game, 7.0)
    driver.shell.games.outside.next_look = 1e12
    rewrite(game, "[-100, 0]", "[-55, 0]")
    driver.key("Ctrl+S")
    driver.step(2)
    assert "[-55, 0]" in (game.path / "game.yaml").read_text()
    driver.click("dialog/overwrite")
    driver.step(2)
    assert "[7, 0]" in (game.path / "game.yaml").read_text()
    assert not game.dirty


def test_a_deleted_file_loses_nothing(driver: UIDriver, open_text: Open) -> None:
    """A deleted game file is named; the game stays open, and saving writes the file again with the edits."""
    game = open_text()
    (game.path / "game.yaml").unlink()
    look(driver)
    assert driver.sees("dialog/close")
    driver.click("dialog/close")
    driver.step(2)
    look(driver)
    assert not driver.sees("dialog/close")
    move(game, 7.0)
    driver.key("Ctrl+S")
    driver.step(3)
    text = (game.path / "game.yaml").read_text()
    assert "[7, 0]" in text
    assert "name: red" in text


def test_a_changed_file_with_mistakes_keeps_the_game(driver: UIDriver, open_text: Open) -> None:
    """A file that is broken outside is not loaded: the game stays, the mistakes are listed, and a repair is loaded."""
    game = open_text()
    rewrite(game, "Shape: {size: [60, 60], color: red}", "Shpae: {}")
    look(driver)
    assert driver.shell.editor.game is game
    assert find(game.world, "red") is not None
    assert driver.shell.editor.problems
    rewrite(game, "Shpae: {}", "Shape: {size: [61, 60]}")
    look(driver)
    assert not driver.shell.editor.problems


def details(driver: UIDriver) -> str:
    """Return the title, the text and the details of the dialogue that is shown."""
    shown = driver.shell.editor.dialogs.shown
    return "\n".join([shown.title, shown.text, *shown.details])


def test_one_dialogue_follows_the_files(driver: UIDriver, open_text: Open) -> None:
    """While it is open, further changes, mistakes and a deletion bring the one dialogue up to date; it closes itself
    when the file is as it was.
    """  # fmt: skip
    game = open_text()
    before = (game.path / "game.yaml").read_text()
    move(game, 7.0)
    rewrite(game, "[-100, 0]", "[-55, 0]")
    look(driver)
    first = driver.shell.editor.dialogs.shown
    assert driver.sees("dialog/reload")
    rewrite(game, "scenes:", "scenes: [")
    look(driver)
    assert not driver.sees("dialog/reload")
    assert "game.yaml:6:5" in details(driver)
    assert "<text>" not in details(driver)
    (game.path / "game.yaml").unlink()
    look(driver)
    assert "was deleted" in details(driver)
    (game.path / "game.yaml").write_text(before.replace("[-100, 0]", "[-50, 0]"))
    look(driver)
    assert driver.sees("dialog/reload")
    assert driver.shell.editor.dialogs.shown is first
    (game.path / "game.yaml").write_text(before)
    look(driver)
    assert not driver.shell.editor.dialogs.open
    assert not driver.shell.editor.problems
    assert x_of(game, "blue") == 7.0
    assert game.dirty


def test_a_broken_file_is_named_with_its_mistakes(driver: UIDriver, open_text: Open) -> None:
    """Without unsaved edits the dialogue has the file and the mistake, and closes when the mended file is loaded."""
    game = open_text()
    rewrite(game, "Shape: {size: [60, 60], color: red}", "Shpae: {}")
    look(driver)
    assert "game.yaml:7:" in details(driver)
    assert "Shpae" in details(driver)
    rewrite(game, "Shpae: {}", "Shape: {size: [61, 60]}")
    look(driver)
    assert not driver.shell.editor.dialogs.open
    assert not driver.shell.editor.problems
    assert not game.dirty


def test_several_files_are_in_one_dialogue(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """Two changed files of a game make one dialogue that names both."""
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "more.yaml").write_text("prefabs: {crate: {Transform: {}, Shape: {}}}\n")
    game = open_text(GAME.replace("scenes:", "include: [more.yaml]\nscenes:"))
    move(game, 7.0)
    rewrite(game, "[-100, 0]", "[-55, 0]")
    (game.path / "more.yaml").write_text("prefabs: {crate: {Transform: {}, Shape: {size: [9, 9]}}}\n")
    look(driver)
    assert "game.yaml" in details(driver)
    assert "more.yaml" in details(driver)
    driver.click("dialog/reload")
    driver.step(2)
    assert not driver.shell.editor.dialogs.open
    assert x_of(game, "red") == -55.0


def test_a_file_that_is_new_outside_can_be_edited(driver: UIDriver, open_text: Open) -> None:
    """A file that the changed manifest includes belongs to the game at once: edits of it are saved into it."""
    game = open_text()
    entry = "- {name: far, Transform: {position: [1, 2]}, Shape: {}}"
    (game.path / "more.yaml").write_text(f"scenes:\n  cave:\n    {entry}\n")
    rewrite(game, "scenes:", "include: [more.yaml]\nscenes:")
    look(driver)
    driver.shell.games.go("cave")
    with game.edit("Move"):
        game.world.set(find(game.world, "far"), Transform(position=(8, 9)))
    driver.key("Ctrl+S")
    driver.step(2)
    assert "[8, 9]" in (game.path / "more.yaml").read_text()
    assert not game.dirty


def test_keep_mine_holds_for_the_change_that_was_seen(driver: UIDriver, open_text: Open) -> None:
    """A later change outside is asked about again, also by Save."""
    game = open_text()
    move(game, 7.0)
    rewrite(game, "[-100, 0]", "[-55, 0]")
    look(driver)
    driver.click("dialog/keep")
    driver.step(2)
    driver.shell.games.outside.next_look = 1e12
    rewrite(game, "[-55, 0]", "[-54.25, 0]")
    driver.key("Ctrl+S")
    driver.step(2)
    assert driver.sees("dialog/overwrite")


def test_a_manifest_that_changes_in_a_run_waits(driver: UIDriver, open_text: Open) -> None:
    """A run goes on as it began, and says that the file has changed; after it the file is loaded."""
    game = open_text()
    driver.click("toolbar/play.start")
    driver.step(2)
    rewrite(game, "[-100, 0]", "[-55, 0]")
    look(driver)
    assert x_of(game, "red") == -100.0
    assert any("when the run ends" in note.text for note in driver.shell.editor.notes)
    driver.click("toolbar/play.stop")
    look(driver)
    assert x_of(game, "red") == -55.0
    assert not game.dirty


def test_a_file_that_goes_back_behind_the_last_save_is_loaded(driver: UIDriver, open_text: Open) -> None:
    """The text that the game was opened with, written again after a save, is a change like any other."""
    game = open_text()
    before = (game.path / "game.yaml").read_text()
    move(game, 7.0)
    driver.key("Ctrl+S")
    driver.step(2)
    (game.path / "game.yaml").write_text(before)
    look(driver)
    assert x_of(game, "blue") == 100.0
    assert game.project.changed_outside() == []
    assert not game.dirty


@pytest.mark.parametrize("plays", [False, True])
def test_a_changed_picture_is_loaded_at_once(driver: UIDriver, open_text: Open, tmp_path: Path, plays: bool) -> None:
    """An asset that another program writes or deletes is read again, while the game is edited and while it runs."""
    (tmp_path / "game").mkdir()
    Image.new("RGB", (4, 4), "red").save(tmp_path / "game" / "hero.png")
    game = open_text(GAME.replace("Shape: {size: [60, 60], color: red}", "Sprite: {texture: hero.png}"))
    assets = game.world[Assets]
    loaded: list[str] = []
    assets.load("hero.png")
    assets.on_reload(loaded.append)

    def tell() -> None:
        driver.shell.games.outside.note([game.path / "hero.png"])
        driver.shell.games.look(0.0)

    if plays:
        driver.click("toolbar/play.start")
    Image.new("RGB", (8, 4), "red").save(game.path / "hero.png")
    tell()
    assert loaded == ["hero.png"]
    (game.path / "hero.png").unlink()
    tell()
    assert loaded == ["hero.png"] * 2
    assert assets.load("hero.png").shape != (4, 8, 4)
    Image.new("RGB", (8, 4), "red").save(game.path / "hero.png")
    tell()
    assert assets.load("hero.png").shape == (4, 8, 4)


@pytest.mark.slow
def test_real_files_are_watched(
    driver: UIDriver, open_text: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor with a window notices a file that is really saved, until the game is closed."""
    (tmp_path / "game").mkdir()
    Image.new("RGB", (4, 4), "red").save(tmp_path / "game" / "hero.png")
    monkeypatch.setattr(driver.shell.editor, "headless", False)
    game = open_text()
    assets, watcher = game.world[Assets], driver.shell.games.outside._watcher
    assets.load("hero.png")
    assert watcher.ready.wait(20)
    Image.new("RGB", (8, 4), "red").save(game.path / "hero.png")
    end = time.monotonic() + 20
    while assets.load("hero.png").shape != (4, 8, 4) and time.monotonic() < end:
        driver.step(1)
    assert assets.load("hero.png").shape == (4, 8, 4)
    driver.shell.games.close()
    assert not watcher._thread.is_alive()


def test_a_broken_manifest_opens_as_far_as_it_is_understood(driver: UIDriver, open_text: Open) -> None:
    """Each mistake is listed with its place; what is understood is there, and saving keeps the rest."""
    game = open_text(MISTAKES)
    driver.step(3)
    problems = driver.shell.editor.problems
    assert len(problems) == 3
    assert len(driver.marks("editor.problems/problem:")) == 3
    assert find(game.world, "red") is not None
    assert "Shpae" in game.raw[find(game.world, "red")]
    with game.edit("Move"):
        game.world.set(find(game.world, "red"), Transform(position=(9, 9)))
    driver.key("Ctrl+S")
    driver.step(3)
    text = (game.path / "game.yaml").read_text()
    assert "position: [9, 9]" in text
    assert "Shpae: {size: [60, 60]}" in text


def test_a_click_on_a_problem_opens_its_source_and_selects_its_entity(
    driver: UIDriver, open_text: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command of the settings gets file and line."""
    from rish_editor.session.files import sources

    started: list[list[str]] = []
    monkeypatch.setattr(sources, "_start", lambda parts: started.append(parts) or True)
    game = open_text(MISTAKES)
    driver.shell.editor.settings.open_with = "code -g {file}:{line}"
    driver.step(3)
    at = next(k for k, problem in enumerate(driver.shell.editor.problems) if "Shpae" in problem.what)
    driver.click(f"editor.problems/problem:{at}")
    driver.step(2)
    assert started[0][:2] == ["code", "-g"]
    assert started[0][2].endswith("game.yaml:7")
    assert [game.name_of(handle) for handle in game.selection] == ["red"]


def test_an_unreadable_manifest_is_named_on_the_start_screen(driver: UIDriver, tmp_path: Path) -> None:
    """A file that is no YAML opens nothing: a dialogue names the mistake, and the start screen stays."""
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "game.yaml").write_text("rish: 1\nscenes: {main: [\n")
    assert not driver.shell.open(tmp_path / "torn")
    driver.step(3)
    assert driver.sees("dialog/close")
    driver.click("dialog/close")
    driver.step(2)
    assert driver.shell.editor.game is None
    assert driver.sees("welcome/file.open")


def test_a_folder_without_a_game_keeps_the_open_one(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """Opening something that is no game says so, and the open game stays."""
    game = open_text()
    assert not driver.shell.open(tmp_path / "nothing")
    driver.step(3)
    assert driver.sees("dialog/close")
    assert driver.shell.editor.game is game
