"""What rish_rules brings for the editor: the panel Rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from editing import Desk, desk
from rish_expressions import Variables

GAME = """rish: 1
game: {title: Rules, size: [640, 360]}
plugins: [render, rules]
variables: {score: 3, speed: 1.5, hero: bob, ready: false}
on:
  every 0.1:
    - set: {score: score + 1}
  scene main:
    - do:
        - wait: 60
        - set: {ready: true}
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
"""
PANEL = "rules.panel"


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor for all tests of this file."""
    with desk(tmp_path_factory.mktemp("rules")) as made:
        yield made


@pytest.fixture
def game(at: Desk) -> Any:
    """The game of these tests, opened anew, with its panel."""
    made = at.open(GAME)
    at.show(PANEL)
    return made


def test_variables_are_live_and_can_be_changed_while_playing(at: Desk, game: Any) -> None:
    """A typed value is used by the rules at once; Stop restores the World of before."""
    before = game.world.hash()
    at.editor.run("play.start")
    at.driver.step(20)
    assert game.world[Variables]["score"] > 3
    at.driver.enter(f"{PANEL}/variables/speed", "9.5")
    assert game.world[Variables]["speed"] == 9.5
    at.driver.click(f"{PANEL}/variables/ready")
    assert game.world[Variables]["ready"] is True
    at.editor.run("play.stop")
    at.driver.step(2)
    assert game.world.hash() == before


def test_variables_of_a_game_that_stands_still_are_only_shown(at: Desk, game: Any) -> None:
    """While the game is edited, the variables have the values of the manifest and can't be changed here."""
    at.driver.click(f"{PANEL}/variables/ready")
    assert game.world[Variables]["ready"] is False


def test_rules_that_wait_are_listed(at: Desk, game: Any) -> None:
    """A rule in a `wait` is shown with the time that is left."""
    assert not at.driver.sees(f"{PANEL}/waiting/wait.0:label")
    at.editor.run("play.start")
    at.driver.step(10)
    if not at.driver.sees(f"{PANEL}/waiting/wait.0:label"):
        at.driver.click(f"{PANEL}/waiting")
    at.driver.step(3)
    assert at.driver.sees(f"{PANEL}/waiting/wait.0:label")
    at.editor.run("play.stop")
