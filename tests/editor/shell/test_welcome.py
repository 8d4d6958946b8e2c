"""The games on the start screen: those that were opened last, and those that come with the editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_editor.shell import welcome
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver

GAME = "rish: 1\ngame: {title: Yard}\nplugins: [render]\nscenes: {main: []}\n"


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell) -> Path:
    """Return the folder of the games that come with the editor, with two games in it."""
    folder = tmp_path / "games"
    for name in ("attic", "yard"):
        (folder / name).mkdir(parents=True)
        (folder / name / "game.yaml").write_text(GAME)
    monkeypatch.setattr(welcome, "examples", lambda: folder)
    shell.welcome.forget()
    return folder


def test_a_copy_of_a_game_goes_where_the_person_is_and_opens(
    shipped: Path, driver: UIDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game itself is as it was, and the copy has a title of its own."""
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path / "mine")
    driver.step(2)
    driver.click("welcome/games/1/copy")
    driver.step(3)
    game = driver.shell.editor.game
    assert game is not None
    assert game.path.resolve() == (tmp_path / "mine" / "yard-2").resolve()
    assert game.title == "Yard 2"
    assert (shipped / "yard" / "game.yaml").read_text() == GAME


def test_a_click_on_the_card_opens_the_game(shipped: Path, driver: UIDriver) -> None:
    """The buttons on the card have places of their own."""
    driver.step(2)
    driver.click("welcome/games/0/open")
    driver.step(3)
    assert driver.shell.editor.game is not None
    assert driver.shell.editor.game.path.resolve() == (shipped / "attic").resolve()


def test_a_game_that_fails_outside_of_the_editor_is_reported(
    shipped: Path, driver: UIDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of its output is shown after an error, once, and the editor goes on while it is played."""
    answers: list[list[str] | None] = [None, None, ["it was the butler"]]

    class Played:
        def __init__(self, game: Path) -> None:
            self.name = game.name

        def ended(self) -> list[str] | None:
            return answers.pop(0)

    monkeypatch.setattr(welcome, "PlayedGame", Played)
    driver.step(2)
    driver.click("welcome/games/1/play")
    assert not driver.sees("dialog/close")
    driver.step(5)
    assert driver.sees("dialog/close")
    assert answers == []
    assert driver.shell.editor.game is None
