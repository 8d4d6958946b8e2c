"""Renaming, moving and deleting files in the panel: uses follow, what can't is listed, and all can be undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from rish_core import named
from rish_core.manifest import on_progress
from rish_editor.session.files import renaming
from rish_editor.testing import RIGHT, UIDriver
from rish_editor.ui.keys import key_code
from rish_render import Sprite

GAME = """rish: 1
game: {title: Files, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: hero, Transform: {position: [10, 0]}, Sprite: {image: art/hero.png}}   # the hero
    - {name: says, Transform: {}, Text: {text: art/hero.png}}
    - {name: stone, Transform: {}, Sprite: {image: art/deep/stone.png}}
"""
FILES = "editor.assets/files/"


@pytest.fixture
def game(open_text: Callable[..., Any], tmp_path: Path, driver: UIDriver, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A game with a few files, whose panel is in front; the person's trash is in a folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "game"
    (folder / "art" / "deep").mkdir(parents=True)
    for name in ("art/hero.png", "art/deep/stone.png"):
        Image.new("RGB", (8, 8), "red").save(folder / name)
    (folder / "notes.txt").write_text("notes")
    opened = open_text(GAME)
    driver.shell.editor.show("editor.assets")
    driver.step(3)
    return opened


def image(game: Any, name: str = "hero") -> str:
    """Return the picture of an entity."""
    return str(game.world.get(named(game.world, name), Sprite).image)


def rename(driver: UIDriver, path: str, name: str) -> None:
    """Choose a file that is shown, press F2 and type a name."""
    driver.click(FILES + path)
    driver.step(20)
    driver.key("F2")
    driver.step(3)
    driver.key("Ctrl+A")
    driver.type(name)
    driver.key("Enter")
    driver.step(4)


def answer(driver: UIDriver, name: str) -> None:
    """Press a button of the dialogue that is open."""
    driver.step(2)
    driver.click(next(mark for mark in driver.marks() if mark.endswith(f"dialog/{name}")))
    driver.step(4)


def test_f2_renames_in_place_and_uses_follow(driver: UIDriver, game: Any) -> None:
    """The name is typed in its place; scene, World and file have the new one; Ctrl+Z brings the old ones back.

    That an entity is selected does not matter, because the panel of files has the keyboard.
    """
    game.selection.set([named(game.world, "hero")])
    driver.double_click(FILES + "art")
    driver.step()
    driver.double_click(FILES + "art/deep")
    driver.step(2)
    rename(driver, "art/deep/stone.png", "rock.png")
    assert (game.path / "art/deep/rock.png").is_file()
    assert image(game, "stone") == "art/deep/rock.png"
    assert "image: art/deep/rock.png" in (game.path / "game.yaml").read_text()
    assert driver.sees(FILES + "art/deep/rock.png")
    assert not game.dirty
    assert not driver.shell.editor.dialogs.open
    assert any("1 use follows" in note.text for note in driver.shell.editor.notes)
    driver.key("Ctrl+Z")
    driver.step(4)
    assert (game.path / "game.yaml").read_text() == GAME
    assert image(game, "stone") == "art/deep/stone.png"
    assert driver.sees(FILES + "art/deep/stone.png")
    assert not game.dirty


def test_escape_leaves_the_name(driver: UIDriver, game: Any) -> None:
    """Escape while a name is typed changes nothing; names that no file can have are refused with a note."""
    driver.click(FILES + "notes.txt", button=RIGHT)
    driver.click("editor.assets/file/rename")
    driver.step(3)
    driver.type("other.txt")
    driver.key("Escape")
    driver.step(3)
    assert (game.path / "notes.txt").is_file()
    rename(driver, "notes.txt", "a/b.txt")
    assert (game.path / "notes.txt").is_file()
    assert any("a/b.txt" in note.text for note in driver.shell.editor.notes)


def test_what_may_be_meant_is_asked(driver: UIDriver, game: Any) -> None:
    """A text that is equal by chance follows only if it is ticked; Cancel changes nothing."""
    driver.double_click(FILES + "art")
    driver.step(2)
    rename(driver, "art/hero.png", "knight.png")
    answer(driver, "cancel")
    assert (game.path / "art/hero.png").is_file()
    rename(driver, "art/hero.png", "knight.png")
    driver.click(next(mark for mark in driver.marks() if mark.endswith("unsure:0")))
    answer(driver, "rename")
    assert (game.path / "game.yaml").read_text() == GAME.replace("art/hero.png", "art/knight.png")


def test_a_file_is_dragged_into_a_folder(driver: UIDriver, game: Any) -> None:
    """Dropped onto a folder, a file and a folder move there with their uses."""
    driver.double_click(FILES + "art")
    driver.step(2)
    driver.drag(FILES + "art/deep", "editor.assets/folders/game")
    driver.step(4)
    assert image(game, "stone") == "deep/stone.png"
    assert "image: deep/stone.png" in (game.path / "game.yaml").read_text()
    driver.key("Ctrl+Z")
    driver.step(4)
    assert (game.path / "game.yaml").read_text() == GAME


def test_unsaved_edits_stay_unsaved_and_follow(driver: UIDriver, game: Any) -> None:
    """The file on the disk has the new name and not the unsaved edits; saving then writes both."""
    game.set([named(game.world, "stone")], Sprite, "image", "art/hero.png")
    driver.double_click(FILES + "art")
    driver.step(2)
    rename(driver, "art/hero.png", "knight.png")
    answer(driver, "rename")
    assert game.dirty
    assert image(game, "stone") == "art/knight.png"
    assert (game.path / "game.yaml").read_text().count("art/knight.png") == 1
    driver.key("Ctrl+S")
    driver.step(4)
    assert "stone, Transform: {}, Sprite: {image: art/knight.png}" in (game.path / "game.yaml").read_text()
    assert not game.dirty


def test_delete_lists_uses_and_the_trash_gives_back(driver: UIDriver, game: Any, tmp_path: Path) -> None:
    """The question lists the uses with file and line; the file goes to the trash; the note's button brings it back."""
    driver.double_click(FILES + "art")
    driver.step(2)
    driver.click(FILES + "art/hero.png")
    driver.key("Delete")
    driver.step(3)
    question: Any = driver.shell.editor.dialogs._shown
    assert [line.split()[0] for line in question.details] == ["game.yaml:7", "game.yaml:8"]
    assert named(game.world, "hero")
    answer(driver, "delete")
    assert not (game.path / "art/hero.png").exists()
    assert (tmp_path / "data/Trash/files/hero.png").is_file()
    note = driver.shell.editor.notes[-1]
    assert note.action is not None
    note.action[1]()
    driver.step(3)
    assert (game.path / "art/hero.png").is_file()
    assert not list((tmp_path / "data").rglob("*hero*"))


def test_the_button_takes_back_what_the_history_has_dropped(driver: UIDriver, game: Any) -> None:
    """After code was loaded again, which drops the steps, the note's button still renames and restores."""
    rename(driver, "notes.txt", "other.txt")
    action = driver.shell.editor.notes[-1].action
    game.history.clear()
    action[1]()
    driver.step(3)
    assert (game.path / "notes.txt").is_file()
    driver.click(FILES + "notes.txt")
    driver.key("Delete")
    answer(driver, "delete")
    action = driver.shell.editor.notes[-1].action
    game.history.clear()
    action[1]()
    assert (game.path / "notes.txt").is_file()


def test_the_manifest_keeps_its_name(driver: UIDriver, game: Any) -> None:
    """`game.yaml` has neither Rename nor Delete in its menu, and F2 does nothing."""
    driver.click(FILES + "game.yaml", button=RIGHT)
    driver.step()
    assert not driver.sees("editor.assets/file/rename")
    assert not driver.sees("editor.assets/file/delete")
    driver.key("Escape")
    rename(driver, "game.yaml", "other.yaml")
    assert (game.path / "game.yaml").is_file()


def test_a_rename_that_breaks_the_game_is_refused(driver: UIDriver, game: Any) -> None:
    """A picture with the suffix of a text is refused with the mistakes that the game would have."""
    driver.double_click(FILES + "art")
    driver.step(2)
    rename(driver, "art/hero.png", "hero.txt")
    question: Any = driver.shell.editor.dialogs._shown
    assert any("art/hero.txt" in line for line in question.details)
    answer(driver, "close")
    assert (game.path / "art/hero.png").is_file()


def test_files_stay_while_the_game_is_played(driver: UIDriver, game: Any) -> None:
    """During a run files are neither renamed nor deleted, and a note says why."""
    game.play.start()
    rename(driver, "notes.txt", "other.txt")
    game.play.stop()
    assert (game.path / "notes.txt").is_file()
    assert any("Stop the game" in note.text for note in driver.shell.editor.notes)


def test_undo_does_not_replace_a_file_that_has_the_old_name_now(driver: UIDriver, game: Any) -> None:
    """If another file has the old name meanwhile, a note says so, and nothing changes."""
    rename(driver, "notes.txt", "read me.txt")
    (game.path / "notes.txt").write_text("new")
    driver.key("Ctrl+Z")
    driver.step(3)
    assert (game.path / "read me.txt").read_text() == "notes"
    assert len(game.history.done) == 1
    assert any("exists already" in note.text for note in driver.shell.editor.notes)


@pytest.mark.parametrize("after", [0, 2, 4])
def test_a_cancelled_rename_changes_no_file(driver: UIDriver, game: Any, after: int) -> None:
    """Renaming that is cancelled while it reports how far it is leaves every file as it was, and makes no step."""
    driver.double_click(FILES + "art")
    driver.step(3)
    before = {path: path.read_bytes() for path in sorted(game.path.rglob("*")) if path.is_file()}
    driver.shell.working.patience = driver.shell.working.share = 0.0
    steps, reports = len(game.history.done), 0

    def cancel(what: str, done: int, total: int) -> None:
        nonlocal reports
        reports += 1
        if reports > after:
            driver.window.dispatch_event("on_key_press", key_code("ESCAPE"), 0)
            driver.window.dispatch_event("on_key_release", key_code("ESCAPE"), 0)

    stop = on_progress(cancel)
    try:
        rename(driver, "art/deep", "low")
    finally:
        stop()
    driver.step(2)
    assert reports > after
    assert {path: path.read_bytes() for path in sorted(game.path.rglob("*")) if path.is_file()} == before
    assert len(game.history.done) == steps
    assert image(game, "stone") == "art/deep/stone.png"
    rename(driver, "art/deep", "low")
    assert image(game, "stone") == "art/low/stone.png"


def _reds(driver: UIDriver) -> int:
    """Return how many pixels of the window have the red of the pictures."""
    driver.step(3)
    driver.shell.editor.notes.clear()  # they lie over the view
    shown = driver.picture()
    return int(((shown[..., 0] > 200) & (shown[..., 1] < 60) & (shown[..., 2] < 60)).sum())


def test_a_deleted_picture_is_seen_no_more(driver: UIDriver, game: Any) -> None:
    """What shows a file that was deleted shows the pattern of missing pictures at once, also after a rename; undoing
    brings the picture and the name back, step by step.
    """
    editor = driver.shell.editor
    editor.show("editor.scene")
    editor.panels["editor.scene"].views["2d"].camera.density = 8.0
    first = _reds(driver)
    plan = renaming.planned(editor, "art/hero.png", "art/boss.png")
    assert plan is not None
    assert renaming.rename(editor, plan)
    assert _reds(driver) == first
    assert renaming.delete(editor, "art/boss.png")
    assert _reds(driver) < first - 1000
    driver.key("Ctrl+Z")
    assert _reds(driver) == first
    driver.key("Ctrl+Z")
    assert _reds(driver) == first
    assert image(game) == "art/hero.png"
    assert (game.path / "art/hero.png").is_file()
