"""Shortcuts in every panel, in text fields and below popups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from long_runs import long
from rish_core import Transform, named
from rish_editor.testing import RIGHT, UIDriver

Open = Callable[..., Any]
LEAVING = {"file.quit", "file.close"}
"""Commands after which there is no game."""


def select(driver: UIDriver, game: Any, *names: str) -> None:
    """Select entities by name."""
    with game.edit("Select"):
        game.selection.set([named(game.world, name) for name in names])
    driver.step(3)


@pytest.mark.slow
@pytest.mark.parametrize("playing", [False, True])
def test_every_shortcut_in_every_panel(driver: UIDriver, open_text: Open, playing: bool) -> None:
    """No shortcut raises, whichever panel has the keyboard, with and without a selection, and the game stays open."""
    game = open_text()
    editor = driver.shell.editor
    keys = [editor.commands.shortcut(command.id) for command in editor.commands if command.id not in LEAVING]
    for number, panel in enumerate(long([held.id for held in editor.panels], ["editor.scene", "editor.log"])):
        editor.show(panel)
        driver.step(3)
        select(driver, game, *(["red"] if number % 2 else []))
        if playing:
            editor.run("play.start")
        for key in filter(None, keys):
            driver.key(key)
            if editor.dialogs.open or driver.marks("popup:"):
                driver.key("Escape")
        assert not editor.dialogs.open
        if game.play.running:
            game.play.stop()
        while game.history.done:
            game.undo()
    assert editor.failures == 0, [line.text for line in driver.shell.log.lines]
    assert editor.game is game


@pytest.fixture
def typing(driver: UIDriver, open_text: Open) -> Any:
    """The game of a person who has typed 77 into a field of the inspector and not yet pressed Enter."""
    game = open_text()
    select(driver, game, "red")
    driver.double_click("editor.inspector/Transform/position.x")
    driver.key("Ctrl+A")
    driver.type("77")
    assert driver.shell.editor.ui.typing
    return game


def test_keys_that_edit_a_text_belong_to_the_field(driver: UIDriver, typing: Any) -> None:
    """Delete, letters and Ctrl+Z change the text that is typed, no entity and no step."""
    before = typing.world.hash(), len(typing.history.done)
    for key in ("Home", "Delete", "Ctrl+Z", "Ctrl+A", "Ctrl+C", "Backspace"):
        driver.key(key)
    assert (typing.world.hash(), len(typing.history.done)) == before
    assert driver.shell.editor.ui.typing


def test_a_shortcut_enters_what_is_typed_first(driver: UIDriver, typing: Any) -> None:
    """Ctrl+S in a field saves the number that is being typed."""
    driver.key("Ctrl+S")
    driver.step(4)
    assert typing.read(named(typing.world, "red"), Transform, "position")[0] == 77
    assert "77" in (typing.path / "game.yaml").read_text(encoding="utf-8")
    assert not typing.dirty


def test_plain_keys_rest_below_a_popup(driver: UIDriver, open_text: Open) -> None:
    """While a menu is open, Delete removes no entity, an arrow selects no other, and Ctrl+Z closes it and undoes."""
    game = open_text()
    select(driver, game, "red")
    driver.click("editor.hierarchy/rows/red", button=RIGHT)
    driver.step(2)
    before = game.world.hash(), game.selection.handles
    for key in ("Delete", "Down", "Up", "H"):
        driver.key(key)
    assert (game.world.hash(), game.selection.handles) == before
    assert driver.marks("popup:") == ["popup:editor.hierarchy/entities"]
    driver.key("Ctrl+Z")
    driver.step(2)
    assert driver.marks("popup:") == []
    assert game.selection.handles != before[1]
