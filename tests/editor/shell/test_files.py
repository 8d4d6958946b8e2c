"""The File menu: new, open, recent, save, save as, reload, close, and the question about unsaved edits."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_authoring import remove_component
from rish_core import Name, Tags, Transform, find
from rish_editor.commands.forms import folder_name
from rish_editor.session.settings import Settings, read_settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver

Open = Callable[..., Any]


def move(game: Any, name: str, x: float) -> None:
    """Move an entity as a step of the history."""
    with game.edit("Move"):
        game.world.set(find(game.world, name), Transform(position=(x, 0)))


def fill(driver: UIDriver, field: str, text: str) -> None:
    """Replace the content of a field, without Enter, which accepts a form."""
    driver.double_click(field)
    driver.key("Ctrl+A")
    driver.type(text)


def text_of(game: Any) -> str:
    """Return the text of the game's file."""
    return (game.path / "game.yaml").read_text(encoding="utf-8")


def test_new_makes_a_game_in_a_folder_and_opens_it(driver: UIDriver, tmp_path: Path) -> None:
    """New asks for title, folder and template, writes the game, and opens it without unsaved edits."""
    driver.click("welcome/file.new")
    driver.step(3)
    fill(driver, "dialog/title", "My Yard")
    fill(driver, "dialog/folder", str(tmp_path / "yard"))
    driver.click("dialog/template:platformer")
    driver.click("dialog/create")
    driver.step(3)
    game = driver.shell.editor.game
    assert game is not None
    assert game.title == "My Yard"
    assert game.path.resolve() == (tmp_path / "yard").resolve()
    assert not game.dirty
    assert driver.shell.editor.settings.recent == [str((tmp_path / "yard").resolve())]


def test_new_names_a_folder_that_is_not_empty(driver: UIDriver, tmp_path: Path) -> None:
    """A folder with other files is refused in the form, which stays open."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    driver.key("Ctrl+N")
    driver.step(3)
    driver.enter("dialog/folder", str(tmp_path / "full"))
    driver.step(2)
    assert driver.sees("dialog/create")
    assert driver.shell.editor.game is None
    assert (tmp_path / "full" / "notes.txt").read_text() == "mine"


def test_the_folder_of_a_new_game_follows_the_title(
    driver: UIDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the present folder, named after the title while that is typed, until the person types a folder."""
    monkeypatch.chdir(tmp_path)
    driver.key("Ctrl+N")
    driver.step(3)
    form = driver.shell.editor.dialogs.shown
    assert Path(form.folder) == tmp_path / "my-game"
    fill(driver, "dialog/title", "Björn's 2nd Yard!")
    assert Path(form.folder) == tmp_path / "björn-s-2nd-yard"
    fill(driver, "dialog/folder", str(tmp_path / "mine"))
    fill(driver, "dialog/title", "Another")
    driver.click("dialog/create")
    driver.step(3)
    game = driver.shell.editor.game
    assert game is not None
    assert (game.title, game.path.resolve()) == ("Another", (tmp_path / "mine").resolve())


def test_a_folder_that_is_taken_is_told_in_the_form(
    driver: UIDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proposed title has a free folder; a title or folder that clashes is told at once, and can't be created."""
    monkeypatch.chdir(tmp_path)
    for name in ("my-game", "yard"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.yaml").write_text(f"# {name}\n")
    (tmp_path / "notes").write_text("mine")
    driver.key("Ctrl+N")
    driver.step(3)
    form = driver.shell.editor.dialogs.shown
    assert (form.name, Path(form.folder)) == ("My game 2", tmp_path / "my-game-2")
    assert not driver.sees("dialog/wrong")
    for title in ("Yard", "Notes"):
        fill(driver, "dialog/title", title)
        assert driver.sees("dialog/wrong")
        driver.key("Enter")
        driver.step(2)
        assert driver.shell.editor.game is None
    fill(driver, "dialog/title", "Garden")
    assert not driver.sees("dialog/wrong")
    assert (tmp_path / "yard" / "game.yaml").read_text() == "# yard\n"


@pytest.mark.parametrize("title", ["My Game", "", "...", "../a/b\\c", "CON", "x" * 500, "a. b? ", "Straße 7", "果園"])
def test_a_title_gives_a_usable_name_of_a_folder(title: str) -> None:
    """The name is never empty, a device of Windows, or long, and has no separators, dots or spaces."""
    name = folder_name(title)
    assert 0 < len(name) <= 90
    assert not re.search(r'[\s./\\:*?"<>|]', name)
    assert name.casefold() not in {"con", "prn", "aux", "nul", "com1", "lpt9"}


def test_open_with_the_own_browser(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """Without a dialogue of the system, folders are entered by clicks, and a click on a game opens it."""
    open_text(name="first")
    other = tmp_path / "shelf" / "second"
    other.mkdir(parents=True)
    (other / "game.yaml").write_text(text_of(driver.shell.editor.game))
    driver.key("Ctrl+O")
    driver.click("dialog/entry:shelf")
    driver.step()
    driver.click("dialog/entry:second")
    driver.step(3)
    assert driver.shell.editor.game.path.name == "second"


def test_ctrl_s_saves_and_clears_the_unsaved_mark(driver: UIDriver, open_text: Open) -> None:
    """An edit shows the mark, Ctrl+S writes it as a person would and removes the mark; undo shows it again."""
    game = open_text()
    assert not driver.sees("menu/unsaved")
    move(game, "red", 12.0)
    driver.step(2)
    assert driver.sees("menu/unsaved")
    driver.key("Ctrl+S")
    driver.step(2)
    assert "- {name: red, Transform: {position: [12, 0]}" in text_of(game)
    assert not driver.sees("menu/unsaved")
    driver.key("Ctrl+Z")
    driver.step(2)
    assert driver.sees("menu/unsaved")


def test_selecting_is_no_unsaved_edit(open_text: Open) -> None:
    """The selection is part of the history, but nothing that has to be saved."""
    game = open_text()
    with game.edit("Select"):
        game.selection.set([find(game.world, "red")])
    assert game.history.done
    assert not game.dirty


@pytest.mark.parametrize("answer", ["save", "discard", "cancel"])
def test_closing_asks_about_unsaved_edits(driver: UIDriver, open_text: Open, answer: str) -> None:
    """Save writes and closes, Don't save closes, Cancel keeps the game open with its edits."""
    game = open_text()
    path = game.path / "game.yaml"
    move(game, "red", 12.0)
    driver.key("Ctrl+W")
    driver.click(f"dialog/{answer}")
    driver.step(2)
    assert ("[12, 0]" in path.read_text()) == (answer == "save")
    assert (driver.shell.editor.game is None) == (answer != "cancel")
    assert answer != "cancel" or game.dirty


def test_quit_of_the_window_asks_too(driver: UIDriver, open_text: Open) -> None:
    """The window's own button asks about unsaved edits; Escape cancels."""
    move(open_text(), "red", 12.0)
    driver.window.dispatch_event("on_close")
    driver.step(3)
    assert driver.sees("dialog/save")
    driver.key("Escape")
    driver.step(2)
    assert not driver.shell.editor.closing
    driver.window.dispatch_event("on_close")
    driver.step(3)
    driver.click("dialog/discard")
    driver.step(2)
    assert driver.shell.editor.closing


def test_save_as_copies_the_folder_with_its_edits(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """Save as copies all files of the game to a new folder, with the edits, and opens the copy; the first stays."""
    game = open_text()
    (game.path / "hero.png").write_bytes(b"picture")
    before = text_of(game)
    move(game, "red", 12.0)
    driver.key("Ctrl+Shift+S")
    driver.enter("dialog/name", "copy")
    driver.click("dialog/ok")
    driver.step(3)
    now = driver.shell.editor.game
    assert now.path.name == "copy"
    assert not now.dirty
    assert "[12, 0]" in text_of(now)
    assert (tmp_path / "copy" / "hero.png").read_bytes() == b"picture"
    assert (tmp_path / "game" / "game.yaml").read_text() == before


def test_recent_games_open_and_missing_ones_are_grayed(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """The menu lists the last games, the latest first; one that is gone can't be chosen."""
    open_text(name="one")
    open_text(name="two")
    settings = driver.shell.editor.settings
    assert [Path(path).name for path in settings.recent] == ["two", "one"]
    settings.recent.append(str(tmp_path / "gone"))
    driver.click("menu/File")
    driver.move("menu/File/recent")
    driver.step(20)
    assert not driver.place("menu/File/recent/2").enabled
    driver.click("menu/File/recent/1")
    driver.step(4)
    assert driver.shell.editor.game.path.name == "one"
    assert [Path(path).name for path in settings.recent] == ["one", "two", "gone"]


def test_what_has_no_text_is_listed_and_the_rest_is_saved(driver: UIDriver, open_text: Open) -> None:
    """An edit that a manifest can't describe is named by entity and component; Save the rest saves all others, and the
    game stays unsaved.
    """  # fmt: skip
    game = open_text()
    move(game, "red", 12.0)
    with game.edit("Point at nothing that has a name"):
        nameless = game.world.spawn(Transform())
        game.world.set(find(game.world, "blue"), Transform(parent=nameless))
    driver.key("Ctrl+S")
    driver.step(2)
    assert driver.sees("dialog/rest")
    assert "Not saved — blue: parent" in driver.shell.editor.dialogs.shown.details
    assert "[12, 0]" not in text_of(game)
    driver.click("dialog/rest")
    driver.step(2)
    assert "[12, 0]" in text_of(game)
    assert game.dirty
    assert any("blue: parent" in note.text for note in driver.shell.editor.notes)


def test_what_goes_from_the_file_is_listed(driver: UIDriver, open_text: Open) -> None:
    """If not everything can be saved, the question also lists what the file has now and would not have any more."""
    game = open_text()
    with game.edit("Delete, and point at nothing that has a name"):
        game.world.despawn(find(game.world, "red"))
        remove_component(game.app, [find(game.world, "blue")], Tags)
        nameless = game.world.spawn(Transform())
        game.world.set(find(game.world, "blue"), Transform(parent=nameless))
    driver.key("Ctrl+S")
    driver.step(2)
    details = driver.shell.editor.dialogs.shown.details
    assert details[0] == "Not saved — blue: parent"
    assert any(line.startswith("Removed from the file — red") and "whole entity" in line for line in details)
    assert "Removed from the file — blue: Tags" in details
    driver.key("Escape")
    assert "name: red" in text_of(game)


def test_save_as_lists_what_has_no_text_too(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """A copy of the game is not written before the person knows what it lacks."""
    game = open_text()
    with game.edit("Point at nothing that has a name"):
        nameless = game.world.spawn(Transform())
        game.world.set(find(game.world, "blue"), Transform(parent=nameless))
    driver.shell.games.saving.save_as(tmp_path / "copy")
    driver.step(3)
    assert not (tmp_path / "copy").exists()
    driver.click("dialog/rest")
    driver.step(3)
    assert driver.shell.editor.game.path == tmp_path / "copy"


def test_an_edit_after_saving_is_unsaved_although_it_goes_on(driver: UIDriver, open_text: Open) -> None:
    """Saving ends the step: the same drag after it makes the game unsaved again."""
    game = open_text()
    red = find(game.world, "red")
    game.set([red], Transform, "rotation", 1.0, merge="drag")
    driver.key("Ctrl+S")
    driver.step(2)
    game.set([red], Transform, "rotation", 2.0, merge="drag")
    assert game.dirty


def test_what_code_made_is_listed_and_can_be_included(driver: UIDriver, open_text: Open) -> None:
    """Entities without an entry are not saved; in the review they can be ticked, and then they are."""
    game = open_text()
    game.world.spawn(Name(value="spark"), Transform())
    game.history.take_outside()
    driver.key("Ctrl+S")
    driver.step(2)
    assert "spark" not in text_of(game)
    driver.shell.editor.run("file.review")
    driver.step(2)
    driver.click("dialog/made:0")
    driver.click("dialog/save")
    driver.step(3)
    assert "name: spark" in text_of(game)


def test_a_file_that_cant_be_written_loses_nothing(
    driver: UIDriver, open_text: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk gives a dialogue with the reason; the edits stay, and Retry saves them once there is room."""
    from rish_authoring import GameText

    game = open_text()
    before = text_of(game)
    move(game, "red", 12.0)
    save = GameText.save

    def full(self: Any, **_: Any) -> Any:
        def write(path: Path, data: bytes) -> None:
            raise OSError(28, "No space left on device")

        return save(self, write=write)

    monkeypatch.setattr(GameText, "save", full)
    driver.key("Ctrl+S")
    driver.step(2)
    assert driver.sees("dialog/retry")
    assert text_of(game) == before
    assert game.dirty
    monkeypatch.setattr(GameText, "save", save)
    driver.click("dialog/retry")
    driver.step(2)
    assert "[12, 0]" in text_of(game)
    assert not game.dirty


def test_a_game_is_not_saved_while_it_is_played(driver: UIDriver, open_text: Open) -> None:
    """Ctrl+S in a run writes nothing and says why: the World is that of the run."""
    game = open_text()
    before = text_of(game)
    move(game, "red", 12.0)
    driver.click("toolbar/play.start")
    driver.key("Ctrl+S")
    driver.step(2)
    assert text_of(game) == before
    assert any("Stop the game" in note.text for note in driver.shell.editor.notes)


def test_the_title_of_the_window_has_the_game_and_its_unsaved_mark(
    driver: UIDriver, open_text: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caption names the game, and has a dot while there are unsaved edits."""
    captions: list[str] = []
    monkeypatch.setattr(driver.window, "set_caption", captions.append)
    game = open_text()
    move(game, "red", 3.0)
    driver.step(2)
    driver.key("Ctrl+S")
    driver.step(2)
    assert captions == ["Test — Rish", "• Test — Rish", "Test — Rish"]


def test_a_picture_of_the_game_is_kept_for_the_start_screen(tmp_path: Path, open_text: Open, driver: UIDriver) -> None:
    """The start screen shows the picture that a game's folder has; a damaged one is left out."""
    open_text(name="one")
    open_text(name="two")
    driver.shell.editor.close_game()
    (tmp_path / "one" / ".rish").mkdir()
    (tmp_path / "one" / ".rish" / "picture.png").write_bytes(b"no picture")
    driver.step(3)
    driver.click("welcome/1/open")
    driver.step(3)
    assert driver.shell.editor.game.path.name == "one"


def test_settings_survive_a_restart(settings: Settings, open_text: Open, driver: UIDriver) -> None:
    """What a person chose is in the file of settings after the window was closed."""
    open_text()
    driver.shell.editor.settings.grid = 24.0
    settings.save()
    assert read_settings().grid == 24.0
    assert read_settings().recent == settings.recent


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs permissions that are obeyed")
def test_a_read_only_file_is_named(driver: UIDriver, open_text: Open) -> None:
    """A file that must not be written gives a dialogue with its name, and nothing is lost."""
    game = open_text()
    (game.path / "game.yaml").chmod(0o444)
    move(game, "red", 12.0)
    driver.key("Ctrl+S")
    driver.step(2)
    assert driver.sees("dialog/retry")
    assert game.dirty


def test_a_person_without_a_game_can_still_use_the_settings(shell: Shell, driver: UIDriver) -> None:
    """Panels that need no game are shown on the start screen."""
    driver.key("Ctrl+Comma")
    driver.step(3)
    assert driver.sees("editor.settings/appearance/theme")
    assert driver.sees("welcome/file.new")
