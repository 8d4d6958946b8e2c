"""Rewind can be solved with its rewind and not without, and its autopilot plays it from the first level to the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from long_runs import long, only_long
from played_game import SharedGame, without
from rish_core import App, InputRecord, Name, Scenes, Transform, WindowEvent, open_game
from rish_history import History, Recorder, origin_of, read_recording, verify
from rish_history.replay.replay import open_recorded

REWIND = Path(__file__).parents[2] / "games" / "rewind"
PIT = ["scene=pit"]
HASH = "776e62d369038615cd319d354f97475c"


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedGame]:
    """The game without sound, opened once."""
    with open_game(REWIND, PIT, headless=True, policy="raise", installed=without("audio")) as app:
        yield SharedGame(app)


@pytest.fixture
def app(shared: SharedGame) -> App:
    """The game at the beginning of its first level, headless."""
    return shared.again("pit")


def scenes_until(app: App, scene: str, frames: int) -> list[str]:
    """Run frames until a scene begins; return the scenes that were seen."""
    seen = [app.world[Scenes].current]
    for _ in range(frames):
        app.frame(draw=False)
        if app.world[Scenes].current != seen[-1]:
            seen.append(app.world[Scenes].current)
        if seen[-1] == scene:
            break
    return seen


def press(name: str, down: bool = True) -> InputRecord:
    """Return the input of a key that is pressed or released."""
    return InputRecord((WindowEvent("key", name, down=down),))


def hold(app: Any, name: str, ticks: int) -> None:
    """Hold a key for a number of ticks."""
    app.tick(press(name))
    for _ in range(ticks - 1):
        app.tick(InputRecord())
    app.tick(press(name, False))


def hero(app: Any) -> tuple[float, float]:
    """Return the position of the hero."""
    world = app.world
    entity = next(e for e in world.query(Name).entities.tolist() if world.get(e, Name).value == "hero")
    x, y = world.get(entity, Transform).position
    return float(x), float(y)


def taken(app: Any) -> bool:
    """Return True if the hero has the key."""
    return bool(app.world[app.world.kind("game.Key")].taken.all())


def test_its_state_is_pinned() -> None:
    """The state after 200 ticks of the first level without a player is the same on every machine."""
    with open_game(REWIND, PIT, headless=True, policy="raise") as app:
        app.run(200, draw=False)
        assert app.world.hash() == HASH


def test_a_person_solves_the_first_level(app: Any) -> None:
    """The first level is solved by going into the pit, rewinding with the key, and going through the door."""
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
    """The walls of the pit are higher than a jump."""
    hold(app, "RIGHT", 100)
    for side in ("LEFT", "RIGHT"):
        app.tick(press(side))
        for _ in range(4):
            hold(app, "SPACE", 40)
        app.tick(press(side, False))
        assert hero(app)[1] < 140


@only_long
@pytest.mark.slow
def test_the_autopilot_plays_to_the_end(app: App) -> None:
    """Without input the autopilot solves every level, one after another."""
    seen: list[str] = []
    for _ in range(1500):
        app.frame(draw=False)
        if not seen or app.world[Scenes].current != seen[-1]:
            seen.append(app.world[Scenes].current)
    assert seen[:4] == ["pit", "gate", "both", "end"]


@pytest.mark.slow
def test_the_autopilot_solves_the_last_level() -> None:
    """Without input the autopilot solves the level with both puzzles, which takes two rewinds."""
    with open_game(REWIND, ["scene=both"], headless=True, policy="raise", installed=without("audio")) as app:
        assert scenes_until(app, "end", 500) == ["both", "end"]


def test_time_ends_where_a_level_begins(app: Any) -> None:
    """A rewind never leads into the previous level."""
    app.world[Scenes].go("gate")
    for _ in range(30):
        app.tick(InputRecord())
    hold(app, "R", 60)
    assert app.world[Scenes].current == "gate"
    assert app.world[History].oldest >= 0


@pytest.mark.slow
def test_a_recording_of_it_is_the_same_again(tmp_path: Path) -> None:
    """The autopilot solves the first level; a replay is the same, with each rewind as a segment.

    Timeless entities do not go back, and the replay is the same all the same.
    """
    with open_game(REWIND, PIT, headless=True, policy="raise") as app:
        recorder = Recorder(app, tmp_path / "run.rish", origin_of(app, PIT))
        assert scenes_until(app, "gate", 400) == ["pit", "gate"]
        app.run(long(400, 5), draw=False)
        recorder.finish()
    recording = read_recording(tmp_path / "run.rish")
    assert len(recording.segments) >= long(3, 2)
    with open_recorded(recording, REWIND, headless=True) as app:
        assert verify(app, recording) is None


def test_it_shows_that_time_runs_backwards() -> None:
    """Lines are drawn over the frame during a rewind."""
    with open_game(REWIND, PIT, headless=True, pixels=True, policy="raise") as app:
        app.run(60, draw=False)
        app.frame()
        before = app.pixels().copy()
        app.world[History].hold()
        app.frame()
        during = app.pixels()
        assert np.mean(before[20:60, 30:120] != during[20:60, 30:120]) > 0.1
