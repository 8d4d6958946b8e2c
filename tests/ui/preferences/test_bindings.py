"""Keys that a player chooses: they take effect between two ticks, and a recording replays exactly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from preferred import INPUT, Play, go
from rish_core import App, Input, Interventions, Stage, UnknownName, UsageError, WindowEvent, resource, system
from rish_history.recordings.origin import origin_of
from rish_history.recordings.recorder import Recorder
from rish_history.recordings.recording import read_recording
from rish_history.replay.replay import Player, open_recorded, verify
from rish_ui.preferences import Preferences

PLAYERS = {"input": INPUT | {"players": [{"left": ["A"]}, {"left": ["LEFT"]}]}}


@resource
class Jumps:
    """How often the player jumped."""

    count: int = 0


@system(Stage.UPDATE, reads=Input, writes=Jumps)
def count(world: Any, dt: float) -> None:
    """Count the jumps."""
    world[Jumps].count += world[Input].pressed("jump")


@system(Stage.UPDATE, reads=Input, writes=Preferences)
def choose(world: Any, dt: float) -> None:
    """Choose another key in a tick, as the screen of a game does."""
    if world.tick == 60:
        world[Preferences].bind("jump", ["J"])


PLUGIN = SimpleNamespace(rish_resources=lambda: [Jumps], rish_systems=lambda: [count, choose])


def test_a_key_takes_effect_in_the_next_tick(play: Play) -> None:
    """The actions change at the border of the tick, which is noted once; nothing changes in the tick itself."""
    app = go(play(window=False))
    chosen, keys = app.world[Preferences], app.world[Input]
    before = app.world[Interventions].count
    chosen.bind("jump", ["W", "gamepad.a"])
    assert keys.actions["jump"] == ["SPACE"]
    assert chosen.keys("jump") == ["W", "gamepad.a"]
    go(app, 3)
    assert keys.actions == INPUT | {"jump": ["W", "gamepad.a"]}
    assert app.world[Interventions].count == before + 1
    assert app.world[Interventions].reasons[-1][1] == "keys that the player chose"


def test_players_have_keys_of_their_own(play: Play) -> None:
    """A player's key changes only that player's action, also one that is shared; 0 changes it for all others."""
    app = go(play(PLAYERS, window=False))
    chosen, keys = app.world[Preferences], app.world[Input]
    chosen.bind("left", ["Q"], player=2)
    chosen.bind("jump", ["P"], player=1)
    chosen.bind("jump", ["O"])
    go(app)
    one, two = keys.players
    assert (one.actions["left"], two.actions["left"]) == (["A"], ["Q"])
    assert (keys.actions["jump"], one.actions["jump"], two.actions["jump"]) == (["O"], ["P"], ["O"])
    assert (chosen.keys("jump", 1), chosen.keys("jump", 2), chosen.keys("left", 1)) == (["P"], ["O"], ["A"])
    chosen.reset()
    go(app)
    assert (keys.actions, keys.players[0].actions) == (INPUT, INPUT | {"left": ["A"]})


@pytest.mark.parametrize(
    ("action", "keys", "player", "error", "said"),
    [
        ("jmp", ["A"], 0, UnknownName, "no action is called 'jmp'"),
        ("jump", ["SPCE"], 0, UnknownName, "did you mean 'SPACE'"),
        ("jump", "SPACE", 0, UsageError, "are a list"),
        ("jump", ["A"], 3, UnknownName, "there is no player 3"),
        ("left", ["A"], 0, UnknownName, "no action is called 'left'"),
    ],
)
def test_a_wrong_key_is_refused(play: Play, action: str, keys: Any, player: int, error: type, said: str) -> None:
    """Unknown actions, keys and players raise an error, and nothing changes."""
    app = go(play(PLAYERS, window=False))
    with pytest.raises(error, match=said):
        app.world[Preferences].bind(action, keys, player)
    assert app.world[Preferences].actions() == INPUT


def test_conflicts_are_keys_that_several_actions_got(play: Play) -> None:
    """Keys that the manifest gives to several actions are no conflict; aliases are the same key."""
    chosen = play(window=False).world[Preferences]
    assert chosen.conflicts() == {}
    chosen.bind("run", ["SPACE", "KEY_1"])
    chosen.bind("fire", ["1"])
    assert chosen.conflicts() == {"SPACE": ["jump", "run"], "KEY_1": ["run", "fire"]}


def _record(app: App, path: Path, presses: Sequence[Sequence[WindowEvent]] = ()) -> None:
    """Record a game in which jump is pressed with several keys, and gets other keys in between.

    presses: the events of the window by frame, counted from when the game is shown.
    """
    backend: Any = app.host.backend
    recorder = Recorder(app, path, origin_of(app))
    for tick in range(150):
        if tick == 100:
            app.world[Preferences].bind("jump", ["K"])  # between two ticks
        backend.send(*(presses[tick] if presses else ()))
        app.frame(seconds=app.clock.dt * 1.0001)
    recorder.finish()


PRESSED = {5: "SPACE", 30: "SPACE", 70: "J", 110: "K", 130: "J"}
"""Keys by the frame in which they go down; they go up in the next one."""
PRESSES = [
    [WindowEvent("key", PRESSED[at], down=at == tick) for at in (tick, tick - 1) if at in PRESSED]
    for tick in range(150)
]


@pytest.mark.parametrize("file", ["", "keys: {jump: [SPACE, P]}\n"], ids=["no file", "with a file"])
def test_a_recording_with_changed_keys_replays_exactly(play: Play, tmp_path: Path, file: str) -> None:
    """Keys from a file, changed in a tick and between two ticks, give the same hashes in a replay without the file."""
    path = tmp_path / "run.rish"
    app = play(file=file, window=bool(file), plugins={"mine": PLUGIN}, installed=["history"], strict=False)
    _record(app, path, PRESSES)
    assert app.world[Jumps].count == 4
    recording = read_recording(path)
    assert len(recording.segments) >= 3
    assert app.manifest.path is not None
    with open_recorded(recording, app.manifest.path.parent, headless=True, extra={"mine": PLUGIN}) as again:
        assert verify(again, recording) is None
        assert again.world[Jumps].count == app.world[Jumps].count


def test_a_replay_keeps_the_keys_of_the_recording(play: Play, tmp_path: Path) -> None:
    """While a recording is played in a window, the keys of the person who watches do not apply."""
    path = tmp_path / "run.rish"
    _record(play(window=False, plugins={"mine": PLUGIN}, installed=["history"], strict=False), path)
    app = play(file="keys: {jump: [P]}\n", plugins={"mine": PLUGIN}, installed=["history"], strict=False)
    for _, _, record in Player(app, read_recording(path)).records():
        app.tick(record)
        assert app.world[Input].actions["jump"] != ["P"]
    assert app.world[Input].actions["jump"] == ["K"]
    assert not app.world[Preferences].unsaved
