"""Recordings of network games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from net_two import link, play

from rish_core import open_game
from rish_history import History, RandomPlayer, origin_of, read_recording
from rish_history.replay.replay import open_recorded, verify
from rish_net.game.net import Net
from rish_net.game.recording import SessionRecorder

TOY = """
rish: 1
game: {title: Two}
plugins: [net, history, rules]
input:
  players: [{left: [A], right: [D]}, {left: [LEFT], right: [RIGHT]}]
variables: {first: 0.0, second: 0.0}
scene: play
scenes: {play: [{name: thing, Transform: {}}]}
on:
  tick:
    - {add: {first: 'axis("left", "right", 1) * random(0, 1)', second: 'axis("left", "right", 2)'}}
    - {set: {thing.Transform.position.x: first, thing.Transform.position.y: second}}
"""


@pytest.fixture
def open_toy(tmp_path: Path) -> Iterator[Callable[[int], Any]]:
    """A function that opens the game with a random player of a seed, and records it."""
    (tmp_path / "game.yaml").write_text(TOY)
    apps: list[Any] = []

    def open_one(seed: int) -> Any:
        app = open_game(tmp_path, headless=True)
        RandomPlayer(app, seed).take_over()
        app.world[Net].recorder = SessionRecorder(tmp_path / f"{seed}.rish", origin_of(app))
        apps.append(app)
        return app

    yield open_one
    for app in apps:
        app.close()


def finished(app: Any, tmp_path: Path) -> Any:
    """End the recording of a game, check that a replay has all its hashes, and return it."""
    net: Net = app.world[Net]
    assert net.recorder is not None
    net.recorder.finish(net.session)
    recording = read_recording(net.recorder.path)
    with open_recorded(recording, tmp_path, headless=True) as again:
        assert verify(again, recording) is None
        assert again.world.tick == app.world.tick
        assert again.world.hash() == app.world.hash()
    return recording


def test_both_sides_record_the_same_game(open_toy: Callable[[int], Any], tmp_path: Path) -> None:
    """The recording of each side has the final inputs of all seats from its first tick on, and replays to its end,
    although ticks ran again; the guest's begins with the state that it got.
    """
    host, guest = open_toy(1), open_toy(2)
    link(host, guest, loss=0.3)
    play([host, guest], 250, until=200)
    assert host.world[Net].session.rollback.times > 3
    first, second = finished(host, tmp_path), finished(guest, tmp_path)
    assert (first.segments[0].tick, first.ticks) == (0, 200)
    assert second.segments[0].tick == 200 - second.ticks > 0
    late = {tick: record for tick, record in first.segments[0].inputs.items() if tick >= second.segments[0].tick}
    assert second.segments[0].inputs == late
    assert {event.device for record in late.values() for event in record.events} == {1, 2}
    assert len(first.segments[0].hashes) == 7


def test_a_rewind_is_a_segment(open_toy: Callable[[int], Any], tmp_path: Path) -> None:
    """After a rewind of the host, the recordings of both sides go on with the state of the older tick."""
    host, guest = open_toy(1), open_toy(2)
    link(host, guest)
    play([host, guest], 40)
    host.world[History].rewind(host.world.tick - 20)
    play([host, guest], 120, until=130)
    for app in (host, guest):
        segments = finished(app, tmp_path).segments
        assert len(segments) == 2
        assert segments[1].tick < segments[0].end
        assert segments[1].end == 130
