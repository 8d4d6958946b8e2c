"""Rewind: solvable with its rewind, not without, and played by its autopilot from the first level to the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_core import InputRecord, Name, Scenes, Transform, WindowEvent, open_game
from rish_history import History, Recorder, origin_of, read_recording, verify
from rish_history.replay.replay import open_recorded

REWIND = Path(__file__).parents[2] / "games" / "rewind"


@pytest.fixture
def app() -> Any:
    """The game, headless."""
    with open_game(REWIND, headless=True, policy="raise") as app:
        yield app


def press(name: str, down: bool = True) -> InputRecord:
    """A key goes down or up."""
    return InputRecord((WindowEvent("key", name, down=down),))


def hold(app: Any, name: str, ticks: int) -> None:
    """Hold a key for so many ticks."""
    app.tick(press(name))
    for _ in range(ticks - 1):
        app.tick(InputRecord())
    app.tick(press(name, False))


def hero(app: Any) -> tuple[float, float]:
    """Where the hero is."""
    world = app.world
    entity = next(e for e in world.query(Name).entities.tolist() if world.get(e, Name).value == "hero")
    x, y = world.get(entity, Transform).position
    return float(x), float(y)


def taken(app: Any) -> bool:
    """Whether the key is the hero's."""
    return bool(app.world[app.world.kind("game.Key")].taken.all())


def test_a_person_solves_the_first_level(app: Any) -> None:
    """Into the pit, back in time with the key, through the door."""
    hold(app, "RIGHT", 92)
    for _ in range(40):
        app.tick(InputRecord())
    assert hero(app)[1] < 60
    assert taken(app)
    hold(app, "R", 66)
    assert hero(app)[1] > 160
    assert taken(app)
    hold(app, "LEFT", 60)
    assert app.world[Scenes].current == "gate" or app.world[Scenes].requested == "gate"


def test_there_is_no_other_way_out_of_the_pit(app: Any) -> None:
    """The walls are higher than a jump."""
    hold(app, "RIGHT", 100)
    for side in ("LEFT", "RIGHT"):
        app.tick(press(side))
        for _ in range(4):
            hold(app, "SPACE", 40)
        app.tick(press(side, False))
        assert hero(app)[1] < 140


@pytest.mark.slow
def test_the_autopilot_plays_to_the_end(app: Any) -> None:
    """Nobody touches a key, and every level is solved."""
    seen: list[str] = []
    for _ in range(1500):
        app.frame(draw=False)
        if not seen or app.world[Scenes].current != seen[-1]:
            seen.append(app.world[Scenes].current)
    assert seen[:4] == ["pit", "gate", "both", "end"]


def test_time_ends_where_a_level_begins(app: Any) -> None:
    """A rewind never leads into the level before."""
    app.world[Scenes].go("gate")
    for _ in range(30):
        app.tick(InputRecord())
    hold(app, "R", 60)
    assert app.world[Scenes].current == "gate"
    assert app.world[History].oldest >= 0


@pytest.mark.slow
def test_a_recording_of_it_is_the_same_again(tmp_path: Path) -> None:
    """With every rewind as a segment of its own, although what is amber did not go back."""
    with open_game(REWIND, headless=True, policy="raise") as app:
        recorder = Recorder(app, tmp_path / "run.rish", origin_of(app))
        app.run(700, draw=False)
        recorder.finish()
    recording = read_recording(tmp_path / "run.rish")
    assert len(recording.segments) >= 3
    with open_recorded(recording, REWIND, headless=True) as app:
        assert verify(app, recording) is None


def test_it_shows_that_time_runs_backwards() -> None:
    """Lines lie over the picture as long as it does."""
    with open_game(REWIND, headless=True, pixels=True, policy="raise") as app:
        app.run(60, draw=False)
        app.frame()
        before = app.pixels().copy()
        app.world[History].hold()
        app.frame()
        during = app.pixels()
        assert np.mean(before[20:60, 30:120] != during[20:60, 30:120]) > 0.1
