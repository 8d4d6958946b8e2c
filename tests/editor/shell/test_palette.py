"""The command palette: everything by some letters of its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import find
from rish_editor.shell.palette import score
from rish_editor.testing import UIDriver

Open = Callable[..., Any]


def rows(driver: UIDriver) -> list[str]:
    """Return the names of the shown rows."""
    return [mark.partition("row:")[2] for mark in driver.marks("palette/row:")]


def ask(driver: UIDriver, query: str) -> list[str]:
    """Open the palette, type, and return the rows."""
    driver.key("Ctrl+P")
    driver.step(2)
    driver.type(query)
    return rows(driver)


def test_enter_runs_the_best_command(driver: UIDriver, open_text: Open) -> None:
    """Some letters find a command, Enter runs it, and the palette is closed."""
    game = open_text()
    assert ask(driver, "play")[0] == "play.start"
    driver.key("Enter")
    driver.step(2)
    assert game.play.running
    assert not driver.sees("palette/query")


def test_arrows_choose_another_row(driver: UIDriver, open_text: Open) -> None:
    """Down and Up move the choice, and Enter runs it."""
    open_text()
    found = ask(driver, "layout")
    driver.key("Down")
    driver.key("Down")
    driver.key("Up")
    driver.key("Enter")
    driver.step(3)
    assert driver.shell.editor.commands.recent[0] == found[1]


def test_commands_that_were_used_come_first(driver: UIDriver, open_text: Open) -> None:
    """Without a query, the last commands are at the top."""
    open_text()
    driver.key("G")
    driver.key("Q")
    assert ask(driver, "")[:2] == ["tool.move", "view.grid"]


def test_escape_closes_it_and_nothing_runs(driver: UIDriver, open_text: Open) -> None:
    """Escape closes the palette."""
    game = open_text()
    ask(driver, "play")
    driver.key("Escape")
    driver.step(2)
    assert not driver.sees("palette/query")
    assert not game.play.running


def test_a_click_runs_a_row(driver: UIDriver, open_text: Open) -> None:
    """A row can be clicked."""
    open_text()
    ask(driver, "grid")
    before = driver.shell.editor.settings.show_grid
    driver.click("palette/row:view.grid")
    driver.step(2)
    assert driver.shell.editor.settings.show_grid != before


def test_panels_and_scenes_are_found(driver: UIDriver, open_text: Open) -> None:
    """Panels are opened and scenes are shown by their names."""
    game = open_text("rish: 1\nplugins: [render]\nscenes: {main: [], cellar: []}\n")
    assert "scene:cellar" in ask(driver, "cellar")
    driver.key("Enter")
    driver.step(3)
    assert game.scene == "cellar"
    ask(driver, "settings")
    driver.click("palette/row:panel:editor.settings")
    driver.step(3)
    assert driver.sees("editor.settings/appearance/theme")


def test_entities_are_found_after_the_sign(driver: UIDriver, open_text: Open) -> None:
    """`@` and a name selects the entity."""
    game = open_text()
    assert ask(driver, "@blu") == ["entity:blue"]
    driver.key("Enter")
    driver.step(2)
    assert game.selection.handles == [find(game.world, "blue")]


def test_titles_are_found_in_both_languages(driver: UIDriver, open_text: Open) -> None:
    """In another language, the translated and the English titles are searched."""
    open_text()
    driver.shell.editor.settings.language = "zh-TW"
    driver.step(2)
    assert "edit.undo" in ask(driver, "復原")
    driver.key("Escape")
    driver.step(2)
    assert "edit.undo" in ask(driver, "undo")


def test_a_command_that_cant_run_is_shown_last_and_does_nothing(driver: UIDriver, open_text: Open) -> None:
    """Commands that can't run now are below the others, and Enter does not run them."""
    open_text()
    found = ask(driver, "save")
    assert found[-1] == "file.save"
    driver.click("palette/row:file.save")
    driver.step(2)
    assert driver.sees("palette/query")
    assert driver.shell.editor.failures == 0


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("save", "Save", "Save as…"),
        ("sl", "Save layout…", "Select all"),
        ("undo", "Undo", "Ungroup and do"),
        ("resl", "Reset layout", "Presets of all"),
        ("grid", "Grid", "Snap to grid"),
    ],
)
def test_better_titles_have_better_scores(query: str, better: str, worse: str) -> None:
    """Beginnings of words, letters side by side and short titles count more."""
    assert score(query, better) > score(query, worse)


def test_letters_have_to_be_there_in_their_order() -> None:
    """A title without the letters in their order does not fit."""
    assert score("vas", "Save") == 0
    assert score("xyz", "Save") == 0
    assert score("se", "Save") > 0
