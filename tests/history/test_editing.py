"""What rish_history brings for the editor: the panel Timeline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from editing import Desk, desk
from rish_core import Transform
from rish_history import History

GAME = """rish: 1
game: {title: History, size: [640, 360]}
plugins: [render, physics, history]
settings: {physics: {gravity: [0, 0]}}
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - name: ball
      Transform: {position: [-200, 0]}
      Body: {velocity: [120, 0]}
      Collider: {shape: circle, size: [30, 30]}
      Shape: {shape: circle, size: [30, 30], color: orange}
"""
PANEL = "history.timeline"


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor for all tests of this file."""
    with desk(tmp_path_factory.mktemp("history")) as made:
        yield made


@pytest.fixture
def game(at: Desk) -> Any:
    """A game that has run for two seconds."""
    made = at.open(GAME)
    at.show(PANEL)
    at.editor.run("play.start")
    at.driver.step(120)
    return made


def x_of(at: Desk, game: Any) -> float:
    """Return where the ball is."""
    return float(game.read(at.entity("ball"), Transform, "position")[0])


@pytest.mark.slow
def test_dragging_the_line_goes_back_in_time(at: Desk, game: Any) -> None:
    """Dragging to the left pauses the run and restores the past; the ticks after it stay in reach."""
    then, tick = x_of(at, game), game.world.tick
    assert then > 0
    place = at.driver.place(f"{PANEL}/line")
    at.driver.drag(at.driver.place(f"{PANEL}/now").center, (place.left + 40, place.center[1]))
    assert game.play.state.value == "paused"
    assert game.world.tick < tick / 4
    assert x_of(at, game) == pytest.approx(-200 + 120 * game.world.tick / 60, abs=1)
    at.driver.click(f"{PANEL}/last")
    assert game.world.tick >= tick
    assert x_of(at, game) >= then


@pytest.mark.slow
def test_steps_go_back_and_forward_by_one_tick(at: Desk, game: Any) -> None:
    """A step back and a step forward give the same state, bit for bit; beyond the end the game runs a tick."""
    at.editor.run("play.pause")
    at.driver.step(2)
    tick, before = game.world.tick, game.world.hash()
    at.driver.click(f"{PANEL}/back")
    assert game.world.tick == tick - 1
    at.driver.click(f"{PANEL}/forward")
    assert (game.world.tick, game.world.hash()) == (tick, before)
    at.driver.click(f"{PANEL}/forward")
    at.driver.step(2)
    assert game.world.tick == tick + 1


@pytest.mark.slow
def test_the_run_goes_on_from_the_chosen_tick(at: Desk, game: Any) -> None:
    """After going back, the game continues from there, and the later ticks are forgotten."""
    at.driver.click(f"{PANEL}/first")
    first = game.world.tick
    at.driver.click(f"{PANEL}/continue")
    at.driver.step(10)
    assert game.play.state.value == "playing"
    assert first < game.world.tick < first + 20
    assert game.world[History].newest == game.world.tick


@pytest.mark.slow
def test_a_second_run_begins_with_an_empty_past(at: Desk, game: Any) -> None:
    """After Stop and Play the timeline has only the ticks of the new run, and Stop restores the edited World."""
    at.editor.run("play.stop")
    at.driver.step(2)
    edited = game.world.hash()
    assert not at.driver.sees(f"{PANEL}/line")
    at.editor.run("play.start")
    at.driver.step(30)
    history = game.world[History]
    assert history.newest == game.world.tick
    assert history.newest - history.oldest <= 31
    at.driver.click(f"{PANEL}/first")
    assert x_of(at, game) < -190
    at.editor.run("play.stop")
    at.driver.step(2)
    assert game.world.hash() == edited
