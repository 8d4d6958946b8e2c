"""Games of several processes, here as several Apps that exchange packets."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_core import open_game
from rish_history import RandomPlayer
from rish_net.game.net import Net
from rish_net.game.seating import Joined, Seats
from rish_net.links.link import Arrival, Arrived

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


class Wire:
    """A transport without sockets. Packets get lost at random."""

    def __init__(self, loss: float = 0.0) -> None:
        self.arrived: list[Arrived] = []
        self.ends: dict[int, tuple[Wire, int]] = {}
        self._random, self._loss = random.Random(3), loss

    def connect(self, other: Wire, here: int, there: int) -> None:
        """Link two ends."""
        self.ends[here], other.ends[there] = (other, there), (self, here)
        self.arrived.append(Arrived(Arrival.OPENED, here))
        other.arrived.append(Arrived(Arrival.OPENED, there))

    def poll(self) -> list[Arrived]:
        """Return what arrived."""
        arrived, self.arrived = self.arrived, []
        return arrived

    def send(self, link: int, packet: bytes) -> None:
        """Send a packet."""
        if self._random.random() >= self._loss:
            self._give(link, Arrival.PACKET, packet)

    def send_message(self, link: int, message: bytes) -> None:
        """Send a message."""
        self._give(link, Arrival.MESSAGE, message)

    def drop(self, link: int, reason: str) -> None:
        """End a link."""
        self._give(link, Arrival.CLOSED, reason.encode())

    def close(self) -> None:
        """End all links."""
        for link in list(self.ends):
            self.drop(link, "the game ended")

    def _give(self, link: int, what: Arrival, data: bytes) -> None:
        if link in self.ends:
            other, there = self.ends[link]
            other.arrived.append(Arrived(what, there, data))


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


def play(apps: list[Any], frames: int, until: int | None = None) -> None:
    """Run frames of all games in turn."""
    for app in apps:
        app.world[Net].until = until
    for _ in range(frames):
        for app in apps:
            app.frame(draw=False)


def joined(open_toy: Opener, loss: float = 0.0) -> tuple[Any, Any]:
    """Return a host and a guest that has a seat."""
    host, guest = open_toy(1), open_toy(2)
    here, there = Wire(loss), Wire(loss)
    host.world[Net].host(host, here)
    play([host], 20)
    here.connect(there, 1, 1)
    guest.world[Net].join(guest, there)
    play([host, guest], 40)
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
    evil, here = Wire(), host.world[Net]._transport
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
