"""The search for the system by which two games went apart."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from net_two import link, play

from rish_core import Stage, Transform, open_game, resource, system
from rish_history import RandomPlayer, read_recording
from rish_history.replay.replay import open_recorded, verify
from rish_net.game.net import Net
from rish_net.wire.messages import DESYNC, pack

TOY = """
rish: 1
game: {title: Two}
plugins: [net, rules]
input:
  players: [{left: [A], right: [D]}, {left: [LEFT], right: [RIGHT]}]
variables: {first: 0, second: 0}
scene: play
scenes: {play: [{name: rock, Transform: {}}, {name: ball, Transform: {}}]}
on:
  tick: [{add: {first: 'axis("left", "right", 1)', second: 'axis("left", "right", 2)'}}]
"""


@resource
class Score:
    """A resource of the game."""

    points: int = 0


class Odd:
    """A plugin whose systems add `step` to the place of the ball, and `gain` to the points."""

    def __init__(self) -> None:
        self.step, self.gain = 1.0, 1

    @property
    def plugin(self) -> Any:
        """The plugin."""

        @system(Stage.UPDATE, writes=Transform, name="roll")
        def roll(world: Any, dt: float) -> None:
            table = world.table(Transform)
            table.position[-1, 1] += self.step
            table.mark()

        @system(Stage.UPDATE, writes=Score, name="count", after="odd.roll")
        def count(world: Any, dt: float) -> None:
            world[Score].points += self.gain

        return SimpleNamespace(rish_systems=lambda: [roll, count], rish_resources=lambda: [Score])


Game = tuple[Any, Odd]
Opener = Callable[..., tuple[Game, Game]]


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opener]:
    """A function that opens two games that play together; recordings are written into the folder of the test."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.yaml").write_text(TOY)
    apps: list[Any] = []

    def open_one(seed: int, is_played: bool) -> Game:
        odd = Odd()
        app = open_game(tmp_path, headless=True, more=["odd"], extra={"odd": odd.plugin})
        if is_played:
            RandomPlayer(app, seed).take_over()
        apps.append(app)
        return app, odd

    def open_two(is_played: bool = True) -> tuple[Game, Game]:
        host, guest = open_one(1, is_played), open_one(2, is_played)
        link(host[0], guest[0], frames=20)
        return host, guest

    yield open_two
    for app in apps:
        app.close()


def found(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the results in the log."""
    return re.findall(r"the games went apart at (.*?)\. Replay it", caplog.text)


def healed(apps: list[Any]) -> None:
    """Play on, and check that the games are equal at last."""
    play(apps, 150, until=apps[0].world.tick + 50)
    assert apps[0].world.hash() == apps[1].world.hash()


def test_the_system_and_the_value_are_named(two: Opener, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """A system that computes something else on one machine is named by both sides, with the tick, the field, the entity
    and both values. The recording of each side contains the sentence, and replays to the tick.
    """
    (host, _), (guest, odd) = two()
    with caplog.at_level(logging.ERROR):
        odd.step, odd.gain = 3.0, 2
        play([host, guest], 45)
        odd.step, odd.gain = 1.0, 1
        healed([host, guest])
    texts = found(caplog)
    assert len(texts) >= 2
    pattern = (
        r"tick \d+: 'odd.roll' wrote core.Transform.position first of entity \d+v\d+ 'ball': \[.*\] at the guest, \["
    )
    assert re.match(pattern, texts[0]), texts
    assert texts[0] == texts[1]
    files = {side: sorted(tmp_path.glob(f"out/desync-*-{side}.rish"))[0] for side in ("host", "guest")}
    recording = read_recording(files["host"])
    assert recording.error == read_recording(files["guest"]).error == texts[0]
    for path, step in ((files["host"], 1.0), (files["guest"], 3.0)):
        odd.step, odd.gain = step, int(step > 1) + 1
        again = read_recording(path)
        with open_recorded(again, tmp_path, headless=True, more=["odd"], extra={"odd": odd.plugin}) as app:
            assert verify(app, again) is None
    odd.step = 2.0
    with open_recorded(recording, tmp_path, headless=True, more=["odd"], extra={"odd": odd.plugin}) as app:
        divergence = verify(app, recording)
    assert divergence is not None
    assert divergence.tick == recording.segments[0].tick + 1


def test_a_value_of_a_resource_is_named(two: Opener, caplog: pytest.LogCaptureFixture) -> None:
    """The value of a resource is named by its path."""
    (host, _), (guest, odd) = two()
    with caplog.at_level(logging.ERROR):
        odd.gain = 5
        play([host, guest], 45)
        odd.gain = 1
        healed([host, guest])
    assert re.match(
        r"tick \d+: 'odd.count' wrote .*Score.* first of points: \d+ at the guest, \d+ at the host", found(caplog)[0]
    )


def test_a_change_between_two_ticks_is_no_systems_fault(two: Opener, caplog: pytest.LogCaptureFixture) -> None:
    """If the guest gets the state of the host when the ticks run again, the log says that no system is the cause."""
    (host, _), (guest, _) = two(False)  # a correction would undo the change
    table = guest.world.table(Transform)
    table.position[:, 1] += 5
    table.mark()
    with caplog.at_level(logging.ERROR):
        healed([host, guest])
    assert len(found(caplog)) == 2
    assert "Something changed it between two ticks" in found(caplog)[0]


_UNASKED: list[dict[str, Any]] = [
    {"what": "trail", "tick": 1, "steps": [3]},
    {"what": "report", "text": "\x1b[2J"},
    {"what": "search"},
    {"what": 3},
]


def test_a_message_that_nobody_asked_for_changes_nothing(two: Opener, caplog: pytest.LogCaptureFixture) -> None:
    """Messages of a search that was not begun are noted, and the game goes on."""
    (host, _), (guest, _) = two(False)
    for values in _UNASKED:
        guest.world[Net].traffic.transport.send_message(1, pack(DESYNC, **values))
    play([host, guest], 3)
    assert caplog.text.count("the search for the cause of a wrong hash ends") == len(_UNASKED)
    assert "\x1b" not in caplog.text
