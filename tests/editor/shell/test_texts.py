"""Source texts and the game: saving, hot reload, other programs, questions, and what a crash has left."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest

from rish_core import Transform, find
from rish_editor.session.texts.copies import folder
from rish_editor.shell.dialogs import Choice
from rish_editor.shell.files.texts import Texts
from rish_editor.testing import UIDriver

Open = Callable[..., Any]
CODE = """from rish_core import component
from rish_scripts import Script


@component
class Walker(Script):
    pace: float = 1.0

    def on_fixed_update(self, dt):
        self.world.get(self.entity, Transform)


def rish_scripts():
    return [Walker]
"""
GAME = """rish: 1
game: {title: Texts}
plugins: [render, scripts]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: red, Transform: {}, Shape: {}, Walker: {}}
"""
LATER = count(10**9, 1000)
"""Times of looks at the files, seconds."""


@pytest.fixture
def game(driver: UIDriver, open_text: Open, tmp_path: Path) -> Any:
    """A game with a script."""
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "plugin.py").write_text(CODE.replace("Transform)", "type(self))"))
    return open_text(GAME)


def opened(driver: UIDriver, path: Path) -> Any:
    """Open a file in the panel Text."""
    driver.shell.editor.open_source(path)
    driver.step(4)
    return driver.shell.editor.texts.active


def look(driver: UIDriver) -> None:
    """Let some seconds pass, in which the editor looks at the files."""
    now = next(LATER)
    driver.shell.games.look(now)
    driver.shell.editor.texts.look(now)
    driver.step(4)


def pace_of(game: Any) -> float:
    """Return the default pace of the script in use."""
    return game.world.kind("Walker").__kind__.fields["pace"].default


def test_a_question_is_shown_while_a_text_takes_the_keyboard(driver: UIDriver, game: Any) -> None:
    """Whenever a text wants the keyboard, before, with or after a question, the question is shown and answered."""
    text = opened(driver, game.path / "plugin.py")
    editor = driver.shell.editor
    for before, after in product(range(4), range(4)):
        got: list[str] = []
        text.field.focus()
        driver.step(before)
        editor.dialogs.ask("Title", "Text", [Choice("yes", "Yes", "primary"), Choice("no", "No")], got.append)
        driver.step(after)
        text.field.focus()
        driver.step(4)
        driver.click("dialog/yes")
        driver.step(2)
        assert got == ["yes"], (before, after)


def test_saved_code_is_in_force_at_once_also_in_a_run(driver: UIDriver, game: Any) -> None:
    """Ctrl+S in a script loads it while the game is edited and while it runs; after Stop the edits are as before."""
    text = opened(driver, game.path / "plugin.py")
    text.field.replace(text.field.text.replace("1.0", "2.5"))
    driver.key("Ctrl+S")
    driver.step(3)
    assert pace_of(game) == 2.5
    driver.key("F5")
    driver.step(3)
    assert game.play.running
    opened(driver, game.path / "plugin.py")
    text.field.replace(text.field.text.replace("2.5", "4.0"))
    driver.key("Ctrl+S")
    driver.step(4)
    assert game.play.running
    assert pace_of(game) == 4.0
    driver.key("F8")
    driver.step(3)
    assert pace_of(game) == 4.0
    assert not game.dirty
    assert find(game.world, "red") is not None


def test_mistakes_of_saved_code_stand_at_their_lines(driver: UIDriver, game: Any) -> None:
    """A mistake in saved code is shown at its line, and the text keeps the keyboard; mended code removes it."""
    text = opened(driver, game.path / "plugin.py")
    right = text.field.text
    text.field.replace(right.replace("    pace: float = 1.0", "    pace: float = ("))
    driver.key("Ctrl+S")
    driver.step(6)
    [mark] = text.field.marks
    assert mark.line == 6
    assert driver.shell.editor.panels.focused == "editor.text"
    text.field.replace(right)
    driver.key("Ctrl+S")
    driver.step(4)
    assert not text.field.marks


def test_failures_of_a_run_stand_at_their_lines(driver: UIDriver, game: Any) -> None:
    """The line at which a script fails in a run is marked, until the text is saved again."""
    text = opened(driver, game.path / "plugin.py")
    text.field.replace(text.field.text.replace("type(self))", "1 / 0)"))
    driver.key("Ctrl+S")
    driver.step(3)
    driver.key("F5")
    driver.wait(lambda: bool(text.field.marks))
    assert {mark.line for mark in text.field.marks} == {9}
    assert "division" in text.field.marks[0].text
    driver.key("F8")
    opened(driver, game.path / "plugin.py")
    text.field.replace(text.field.text.replace("1 / 0)", "1)"))
    driver.key("Ctrl+S")
    driver.step(3)
    assert not text.field.marks


def test_a_saved_manifest_is_taken_over_without_a_question(driver: UIDriver, game: Any) -> None:
    """Saving game.yaml in the panel changes the game, if that has no unsaved edits; otherwise there is one question."""
    text = opened(driver, game.path / "game.yaml")
    text.field.replace(text.field.text.replace("name: red", "name: green"))
    driver.key("Ctrl+S")
    look(driver)
    assert find(game.world, "green") is not None
    assert not driver.shell.editor.dialogs.open
    with game.edit("Move"):
        game.world.set(find(game.world, "green"), Transform(position=(5, 0)))
    text.field.replace(text.field.text.replace("name: green", "name: blue"))
    driver.key("Ctrl+S")
    look(driver)
    assert driver.sees("dialog/keep")
    driver.click("dialog/keep")
    driver.step(3)
    look(driver)
    assert not driver.shell.editor.dialogs.open


def test_changes_of_other_programs(driver: UIDriver, game: Any) -> None:
    """A text without changes follows its file, and can be undone; one with changes asks once, about all files."""
    one, two = game.path / "one.txt", game.path / "two.txt"
    for path in (one, two):
        path.write_text("a\nb\n")
    first, second = opened(driver, one), opened(driver, two)
    one.write_text("a\nB\n")
    look(driver)
    assert first.field.text == "a\nB\n"
    assert not first.dirty
    first.field.undo()
    assert first.field.text == "a\nb\n"
    assert first.dirty
    second.field.replace("mine\n")
    one.write_text("theirs\n")
    two.write_text("theirs\n")
    look(driver)
    driver.click("dialog/keep")
    driver.step(3)
    look(driver)
    assert not driver.shell.editor.dialogs.open
    assert second.field.text == "mine\n"
    assert second.dirty
    two.unlink()
    look(driver)
    driver.key("Ctrl+S")
    driver.step(2)
    assert two.read_text() == "mine\n"


@pytest.mark.parametrize(("answer", "written", "stays"), [
    ("save", "mine\n", False), ("discard", "a\n", False), ("cancel", "a\n", True),
])  # fmt: skip
@pytest.mark.parametrize("way", ["Ctrl+W", "Ctrl+Q"])
def test_unsaved_text_is_asked_about(
    driver: UIDriver, game: Any, way: str, answer: str, written: str, stays: bool
) -> None:
    """Closing the tab or the window asks about unsaved text, and does what the answer says."""
    path = game.path / "a.txt"
    path.write_text("a\n")
    text = opened(driver, path)
    text.field.replace("mine\n")
    driver.key(way)
    driver.step(3)
    driver.click(f"dialog/{answer}")
    driver.step(3)
    assert path.read_text() == written
    editor = driver.shell.editor
    assert (text in editor.texts.open_ones and text.dirty) == stays
    if way == "Ctrl+Q":
        assert editor.closing != stays


def test_unsaved_text_survives_a_crash(driver: UIDriver, game: Any) -> None:
    """A second after typing there is a copy; the next editor offers it, and the file is as it was until it is saved."""
    editor, path = driver.shell.editor, game.path / "a.txt"
    editor.settings.autosave = 20.0
    path.write_text("a\n")
    text = opened(driver, path)
    driver.type("typed ")
    for _ in range(2):
        look(driver)
    editor.texts.end(keep=True)  # waits for the copy
    [copy] = folder().glob("*.json")
    assert json.loads(copy.read_text())["texts"] == {str(path): "typed a\n"}
    copy.rename(copy.with_name("0.json"))
    editor.texts = Texts(editor)
    driver.step(3)
    driver.click("dialog/recover")
    driver.step(3)
    again = editor.texts.of(path)
    assert again is not None
    assert again.field.text == "typed a\n"
    assert again.dirty
    assert path.read_text() == "a\n"
    assert [each.name for each in folder().glob("*.json")] == [f"{os.getpid()}.json"]
    editor.texts.save(again)
    editor.texts.end(keep=True)
    assert list(folder().glob("*.json")) == []
    assert text is not again


@pytest.mark.parametrize("answer", ["save", "discard", "cancel"])
def test_one_question_for_edits_and_texts(driver: UIDriver, game: Any, answer: str) -> None:
    """Closing a game with unsaved edits and texts asks once, with all files; the answer is that for all of them."""
    paths = [game.path / name for name in ("a.txt", "b.txt")]
    for path in paths:
        path.write_text("old\n")
        opened(driver, path).field.replace("new\n")
    game.set(game.named(["red"]), Transform, "position", (7.0, 7.0))
    driver.shell.editor.games.leave(driver.shell.editor.close_game)
    driver.step(3)
    question = driver.shell.editor.dialogs.shown
    assert [Path(each).name for each in question.details] == ["game.yaml", "a.txt", "b.txt"]
    driver.click(f"dialog/{answer}")
    driver.step(3)
    assert not driver.shell.editor.dialogs.open
    assert {path.read_text() for path in paths} == {"new\n" if answer == "save" else "old\n"}
    assert ("[7, 7]" in (game.path / "game.yaml").read_text()) == (answer == "save")
    assert (driver.shell.editor.game is None) == (answer != "cancel")
    assert bool(driver.shell.editor.texts.unsaved) == (answer == "cancel")


def test_a_file_that_can_t_be_written_is_named(driver: UIDriver, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that can't be saved stays unsaved, with the name of its file, and its tab does not close."""
    path = game.path / "a.txt"
    path.write_text("a\n")
    text = opened(driver, path)
    text.field.replace("mine\n")
    monkeypatch.setattr("os.replace", _refuse)
    driver.key("Ctrl+W")
    driver.step(3)
    driver.click("dialog/save")
    driver.step(3)
    assert text in driver.shell.editor.texts.open_ones
    assert text.dirty
    assert path.read_text() == "a\n"
    assert any("a.txt" in note.text and note.level == "error" for note in driver.shell.editor.notes)


def _refuse(*_: Any) -> None:
    raise PermissionError(13, "Permission denied")


def test_a_broken_manifest_is_mended_without_a_game(driver: UIDriver, tmp_path: Path) -> None:
    """A click on a mistake of a game that can't be opened shows the line; the mended game then opens."""
    (tmp_path / "torn").mkdir()
    path = tmp_path / "torn" / "game.yaml"
    path.write_text("rish: 1\nscenes: {main: [\n")
    assert not driver.shell.open(tmp_path / "torn")
    driver.step(3)
    driver.click("dialog/close")
    driver.step(3)
    driver.click("editor.problems/problem:0")
    driver.step(4)
    text = driver.shell.editor.texts.of(path)
    assert text is not None
    text.field.replace("rish: 1\nscenes: {main: []}\n")
    driver.key("Ctrl+S")
    driver.step(2)
    assert driver.shell.open(tmp_path / "torn")


def test_ctrl_s_in_a_saved_text_saves_the_game(driver: UIDriver, game: Any) -> None:
    """The text in front comes first; if nothing of it is unsaved, the game is saved."""
    driver.shell.editor.run("entity.create.box")
    text = opened(driver, game.path / "plugin.py")
    text.field.replace(text.field.text + "# end\n")
    driver.key("Ctrl+S")
    driver.step(4)
    assert not text.dirty
    assert game.dirty
    driver.key("Ctrl+S")
    driver.step(6)
    assert not game.dirty
    assert "Box" in (game.path / "game.yaml").read_text()


def test_without_a_game_the_start_screen_is_not_covered(driver: UIDriver, game: Any) -> None:
    """The panel Text that was open goes with the game; the recent games are there to be clicked."""
    opened(driver, game.path / "plugin.py")
    driver.key("Ctrl+S")
    driver.shell.editor.run("file.close")
    driver.step(5)
    assert driver.shell.editor.game is None
    assert not driver.shell.editor.panels.is_visible("editor.text")
    assert driver.sees("welcome/file.new")
