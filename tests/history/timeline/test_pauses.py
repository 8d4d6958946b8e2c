"""Pauses of the whole game: a rewind leaves them out, a seek and a recording have them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import Input, InputRecord, Layers, Stage, Transform, WindowEvent, system
from rish_history import History, Recorder, origin_of, read_recording, verify

GAME = {
    "input": {"pause": ["P"], "rewind": ["R"]},
    "settings": {"history": {"speed": 4}},
    "scenes": {"main": [{"name": "hero", "Transform": {}}]},
}


@system(Stage.INPUT, reads=Input, writes=Layers)
def pause(world: Any, dt: float) -> None:
    """Pause the game by a key, or let it go on."""
    if world[Input].pressed("pause"):
        world[Layers].pause_all(not world[Layers].all_paused)


@system(Stage.STEP, writes=Transform)
def walk(world: Any, dt: float) -> None:
    """Move the hero by one unit in each tick."""
    world[Transform].position[:, 0] += 1


@pytest.fixture
def walker(rish_app: Any) -> Any:
    """A function that makes the game."""
    plugin = SimpleNamespace(rish_systems=lambda: [pause, walk])
    return lambda: rish_app(GAME, plugins={"walker": plugin}, installed=["history"])


def play(app: Any, ticks: int, *keys: str) -> list[str]:
    """Press keys in a tick and play some more; return the hash after each tick."""
    hashes: list[str] = []
    for k in range(ticks):
        events = [WindowEvent("key", key, down) for key in keys if k == 0 for down in (True, False)]
        app.tick(InputRecord(tuple(events)))
        hashes.append(app.world.hash())
    return hashes


def rewound(app: Any, frames: int) -> list[int]:
    """Rewind for some frames; return the tick after each."""
    app.world[History].hold()
    ticks: list[int] = []
    for _ in range(frames):
        app.tick(InputRecord())
        ticks.append(app.world.tick)
    app.world[History].hold(False)
    return ticks


def test_a_rewind_leaves_pauses_out(walker: Any) -> None:
    """The ticks of a pause do not count in a rewind, none of them is shown, and the game goes on from before it."""
    app = walker()
    hashes = play(app, 30) + play(app, 100, "P") + play(app, 10, "P")
    assert rewound(app, 5) == [136, 132, 28, 24, 20]
    assert app.world.hash() == hashes[19]
    play(app, 20)
    assert app.world[Transform].position[0, 0] == 40


def test_a_rewind_ends_a_pause(walker: Any) -> None:
    """A rewind during a pause goes on from before the pause."""
    app = walker()
    play(app, 30)
    play(app, 100, "P")
    assert rewound(app, 1) == [27]
    assert not app.world[Layers].all_paused


def test_a_rewind_to_a_tick_of_a_pause_stops_before_it(walker: Any) -> None:
    """Code that rewinds to a tick in which the game was paused gets the state before the pause."""
    app = walker()
    play(app, 30)
    play(app, 100, "P")
    play(app, 10, "P")
    app.world[History].rewind(80)
    while app.world.tick > 80:
        play(app, 1)
    assert app.world.tick == 30
    play(app, 1)
    assert app.world.tick == 31


def test_a_rewind_stops_if_only_a_pause_is_left(walker: Any) -> None:
    """If nothing older than a pause is kept, a rewind does not enter it, and the game goes on."""
    app = walker()
    play(app, 1, "P")
    app.world[History].forget()
    play(app, 60)
    play(app, 3, "P")
    app.world[History].rewind(0)
    play(app, 2)
    assert app.world.tick == 62
    play(app, 1)
    assert (app.world.tick, app.world[History].rewinding) == (63, False)


def test_a_seek_reaches_the_ticks_of_a_pause(walker: Any) -> None:
    """A seek restores each tick in a pause bit for bit, as the line of an editor needs it."""
    app = walker()
    hashes = play(app, 30) + play(app, 100, "P") + play(app, 10, "P")
    history = app.world[History]
    assert (history.oldest, history.newest) == (0, 140)
    for tick in (31, 90, 130, 131, 12):
        history.seek(tick)
        assert (app.world.tick, app.world.hash()) == (tick, hashes[tick - 1])


def test_a_pause_of_a_past_that_was_replaced_does_not_count(walker: Any) -> None:
    """After a seek the game goes on without the later pause, and a rewind counts every tick."""
    app = walker()
    play(app, 30)
    play(app, 100, "P")
    app.world[History].seek(20)
    play(app, 40)
    assert rewound(app, 8) == [56, 52, 48, 44, 40, 36, 32, 28]


def test_a_recording_with_a_rewind_over_a_pause_replays(walker: Any, tmp_path: Any) -> None:
    """A recording has the pause, and its replay gives equal hashes also after the rewind."""
    app = walker()
    recorder = Recorder(app, tmp_path / "run.rish", origin_of(app))
    play(app, 30)
    play(app, 100, "P")
    play(app, 10, "P")
    assert rewound(app, 3)[-1] == 28
    play(app, 50)
    recorder.finish()
    recording = read_recording(tmp_path / "run.rish")
    assert recording.segments[0].end == 140
    assert verify(walker(), recording) is None
