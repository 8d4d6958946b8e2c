"""The history panel: all steps, where one is, and going to another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Transform, named
from rish_editor.testing import UIDriver


@pytest.fixture
def game(driver: UIDriver, open_text: Callable[..., Any]) -> Any:
    """A game with five steps, and the panel in front."""
    made = open_text()
    red = named(made.world, "red")
    for number in range(5):
        with made.edit(f"Move {number}"):
            made.world.set(red, Transform(position=(number, 0)))
    driver.shell.editor.show("editor.history")
    driver.step(3)
    return made


def _x(game: Any) -> float:
    return game.world.get(named(game.world, "red"), Transform).position[0]


def test_a_click_goes_to_a_step(driver: UIDriver, game: Any) -> None:
    """A click on a step undoes or redoes all steps on the way; the first row is the opened game."""
    first = _hash_of_first(driver, game)
    driver.click("editor.history/step2")
    assert _x(game) == 1
    assert len(game.history.undone) == 3
    driver.click("editor.history/step5")
    assert _x(game) == 4
    driver.click("editor.history/step0")
    assert game.world.hash() == first


def _hash_of_first(driver: UIDriver, game: Any) -> str:
    while game.undo():
        pass
    first = game.world.hash()
    while game.redo():
        pass
    driver.step(2)
    return first


def test_the_saved_step_is_marked(driver: UIDriver, game: Any) -> None:
    """The step after which the game was saved has a mark, at first the opened game."""
    top = driver.place("editor.history/step0").top
    assert abs(driver.place("editor.history/saved").top - top) < 8
    game.saved = game.history.done[-1]
    driver.step()
    assert abs(driver.place("editor.history/saved").top - driver.place("editor.history/step5").top) < 8


def test_while_playing_it_shows_the_changes_of_the_run(driver: UIDriver, game: Any) -> None:
    """During play the steps are the person's changes of the run; a click takes back the later ones."""
    driver.click("toolbar/play.start")
    red = named(game.world, "red")
    for x in (10.0, 20.0, 30.0):
        game.set([red], Transform, "rotation", x)
    driver.step(2)
    assert driver.sees("editor.history/step3")
    driver.click("editor.history/step1")
    assert game.world.get(red, Transform).rotation == pytest.approx(10.0)
    assert len(game.play.steps) == 1
