"""Keeping changes of a run: after Stop a note offers them, and a panel lists them to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Transform, named
from rish_editor.testing import UIDriver


@pytest.fixture
def game(driver: UIDriver, open_text: Callable[..., Any]) -> Any:
    """A game that was played and stopped, with three changes, and the list of them in front."""
    made = open_text()
    red, blue = named(made.world, "red"), named(made.world, "blue")
    driver.click("toolbar/play.start")
    made.set([red, blue], Transform, "position", (5.0, 7.0))
    made.set([red], Transform, "rotation", 1.5)
    driver.step(2)
    driver.click("toolbar/play.stop")
    driver.step(2)
    return made


def _show(driver: UIDriver) -> None:
    driver.click(next(mark for mark in driver.marks() if mark.endswith("note0")))
    driver.step(3)


def test_stop_restores_and_offers_the_changes(driver: UIDriver, game: Any) -> None:
    """Stop brings the edited state back; a note with a button shows what can be kept, and nothing waits for it."""
    assert game.world.get(named(game.world, "red"), Transform).position == (-100, 0)
    assert len(driver.shell.editor.kept) == 3
    assert not driver.sees("editor.changes")
    _show(driver)
    assert driver.sees("editor.changes/keep")


def test_chosen_changes_are_kept_as_one_step(driver: UIDriver, game: Any) -> None:
    """Ticked changes are written into the edited game as one step that can be undone; the others are not."""
    before = game.world.hash()
    _show(driver)
    driver.click("editor.changes/change0")
    driver.click("editor.changes/keep")
    driver.step(2)
    red, blue = (game.world.get(named(game.world, name), Transform) for name in ("red", "blue"))
    assert red.position == (-100, 0)
    assert red.rotation == pytest.approx(1.5)
    assert blue.position == (5, 7)
    assert [entry.name for entry in game.history.done] == ["Keep changes of the run"]
    assert not driver.sees("editor.changes")
    game.undo()
    assert game.world.hash() == before


def test_all_ticks_and_unticks(driver: UIDriver, game: Any) -> None:
    """The first box ticks all changes or none; with none, there is nothing to keep."""
    _show(driver)
    driver.click("editor.changes/all")
    assert [change.kept for change in driver.shell.editor.kept] == [False, False, False]
    assert not driver.place("editor.changes/keep").enabled
    driver.click("editor.changes/all")
    assert all(change.kept for change in driver.shell.editor.kept)


def test_discard_forgets_them(driver: UIDriver, game: Any) -> None:
    """Discard closes the list and changes nothing; so does the next run."""
    before = game.world.hash()
    _show(driver)
    driver.click("editor.changes/discard")
    driver.step(2)
    assert driver.shell.editor.kept == []
    assert game.world.hash() == before
    assert not game.history.done
