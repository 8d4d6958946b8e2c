"""Games of several processes, here as several Apps that exchange packets."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from net_two import Wire, link, play

from rish_core import open_game
from rish_history import RandomPlayer
from rish_net.game.net import Net
from rish_net.game.seating import Joined, Seats
from rish_net.links.link import Arrival

TOY = """
rish: 1
game: {title: Two}
plugins: [net, rules]
input:
  players: [{left: [A], right: [D]}, {left: [LEFT], right: [RIGHT]}]
variables: {first: 0, second: 0}
scene: play
scenes: {play: [{name: thing, Transform: {}}]}
on:
  tick:
    - {add: {first: 'axis("left", "right", 1)', second: 'axis("left", "right", 2)'}}
    - {set: {thing.Transform.position.x: first, thing.Transform.position.y: second}}
"""


Opener = Callable[[int], Any]


@pytest.fixture
def open_toy(tmp_path: Path) -> Iterator[Opener]:
    """A function that opens the game with a random player of a seed."""
    (tmp_path / "game.yaml").write_text(TOY)
    apps: list[Any] = []

    def open_one(seed: int) -> Any:
        app = open_game(tmp_path, headless=True)
        RandomPlayer(app, seed).take_over()
        apps.append(app)
        return app

    yield open_one
    for app in apps:
        app.close()


def joined(open_toy: Opener, loss: float = 0.0) -> tuple[Any, Any]:
    """Return a host and a guest that has a seat."""
    host, guest = open_toy(1), open_toy(2)
    link(host, guest, loss)
    return host, guest


def test_two_players_play_one_game(open_toy: Opener) -> None:
    """A guest who joins later has the host's state, each one's keys move the own player, and the hashes are equal."""
    host, guest = joined(open_toy, loss=0.2)
    play([host, guest], 400, until=300)
    assert host.world[Net].finished
    assert guest.world[Net].finished
    assert host.world.hash() == guest.world.hash()
    assert host.world[Seats].open == guest.world[Seats].open == [1, 2]
    position = host.world.table(next(cls for cls in host.world.tables if cls.__name__ == "Transform")).position
    assert (position[:, :2] != 0).all()


def test_the_end_of_the_host_is_no_error_for_a_guest_that_has_all_ticks(open_toy: Opener) -> None:
    """A guest that learns in one frame that the host has all ticks, and that it has ended, has played to the end."""
    host, guest = joined(open_toy)
    play([host, guest], 100, until=100)
    guest.world[Net]._at_end.clear()
    host.world[Net].close()
    play([guest], 2, until=100)
    assert guest.world[Net].finished
    assert not guest.world[Net].ended


def test_a_host_waits_for_a_guest_that_was_silent(open_toy: Opener) -> None:
    """A guest whose packets got lost for more than two seconds, and that is back, also plays to the end."""
    host, guest = joined(open_toy)
    wires = [app.world[Net]._transport.transport for app in (host, guest)]
    for wire in wires:
        wire._loss = 1.0
    play([host, guest], 150)
    assert host.world[Seats].open == [1]
    for wire in wires:
        wire._loss = 0.0
    play([host, guest], 5)
    play([host], 100, until=host.world.tick + 20)
    assert not host.world[Net].finished
    play([host, guest], 200, until=host.world[Net].until)
    assert host.world[Net].finished
    assert host.world.hash() == guest.world.hash()


def test_a_host_waits_for_its_guests(open_toy: Opener) -> None:
    """A host that awaits a guest runs no tick without it, and does not end before a guest has all ticks, even if that
    got no seat.
    """
    host, guest, here, there = open_toy(1), open_toy(2), Wire(), Wire()
    host.world[Net].host(host, here)
    host.world[Net].awaited = 1
    play([host], 20, until=3)
    assert host.world.tick == 0
    here.connect(there, 1, 1)
    guest.world[Net].join(guest, there)
    play([host, guest], 2, until=3)
    play([host], 30, until=3)
    assert host.world.tick == 3
    assert not host.world[Net].finished
    play([host, guest], 30, until=3)
    assert host.world[Net].finished
    assert host.world.hash() == guest.world.hash()


def test_a_wrong_state_is_named_and_replaced(open_toy: Opener, caplog: pytest.LogCaptureFixture) -> None:
    """A guest whose state differs gets that of the host, and the log names the field and the entity."""
    host, guest = joined(open_toy)
    table = guest.world.table(next(cls for cls in guest.world.tables if cls.__name__ == "Transform"))
    table.position[:, 1] += 5
    table.mark()
    with caplog.at_level(logging.ERROR):
        play([host, guest], 120)
        play([host, guest], 200, until=300)
    assert host.world.hash() == guest.world.hash()
    assert caplog.text.count("the state of the host replaces that of this game") == 1


def test_a_guest_who_leaves_frees_the_seat(open_toy: Opener) -> None:
    """When a link ends, the seat is closed as an event of the game, and the host plays on."""
    host, guest = joined(open_toy)
    guest.world[Net].close()
    tick = host.world.tick
    play([host], 60)
    assert host.world.tick == tick + 60
    assert host.world[Seats].open == [1]


def test_another_game_is_refused(open_toy: Opener, tmp_path: Path) -> None:
    """A guest with another game gets a sentence that names the difference, and no state."""
    host, here, there = open_toy(1), Wire(), Wire()
    host.world[Net].host(host, here)
    (tmp_path / "game.yaml").write_text(TOY.replace("first: 0", "first: 1"))
    guest = open_toy(2)
    here.connect(there, 1, 1)
    guest.world[Net].join(guest, there)
    play([host, guest], 5)
    assert "game.yaml has changed" in guest.world[Net].ended
    assert guest.world.tick == 0


def test_a_hostile_guest_is_dropped(open_toy: Opener) -> None:
    """Messages that no guest sends end its link; the others play on."""
    host, guest = joined(open_toy)
    evil, here = Wire(), host.world[Net].traffic.transport
    here.connect(evil, 2, 1)
    for message in (b"", b"\xff", b"\2{}", b"\2" + b"[" * 10, b"\5\xff", b"\3{}", b"\4" + bytes(99)):
        evil.send_message(1, message)
        evil.send(1, bytes(40))
    play([host, guest], 200, until=250)
    assert any(arrived.what is Arrival.CLOSED for arrived in evil.arrived)
    assert not any(arrived.what is Arrival.MESSAGE and arrived.data[0] == 4 for arrived in evil.arrived)
    assert host.world.hash() == guest.world.hash()


def test_who_joins_is_an_event(open_toy: Opener) -> None:
    """A game learns of a player in the tick in which the host opens the seat."""
    host, _ = joined(open_toy)
    assert host.world.queues[Joined].end == 2
