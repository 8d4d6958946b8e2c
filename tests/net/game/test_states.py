"""States that travel in slices, and guests whose link is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from net_two import Wire

from rish_core import open_game
from rish_history import RandomPlayer
from rish_net.game import states
from rish_net.game.net import Net
from rish_net.game.seating import Seats
from rish_net.links.link import Arrival, Arrived
from rish_net.wire import slices
from rish_net.wire.messages import READY, STATE, TAKEN, WELCOME, pack

TOY = """
rish: 1
game: {title: Slices}
plugins: [net, rules]
input:
  players: [{left: [A], right: [D]}, {left: [LEFT], right: [RIGHT]}, {left: [J], right: [L]}]
variables: {sum: 0}
scene: play
scenes: {play: [{name: thing, Transform: {}}]}
on:
  tick: [{add: {sum: 'axis("left", "right", 1) + 2 * axis("left", "right", 2) + 3 * axis("left", "right", 3)'}}]
"""


class Recorded(Wire):
    """A transport that notes the messages that it sends."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[int, int]] = []

    def send_message(self, link: int, message: bytes, bulk: bool = False) -> None:
        """Note the link and the kind of a message, and send it."""
        if link in self.ends:
            self.sent.append((link, message[0]))
        assert bulk == (message[0] in (STATE, WELCOME))
        super().send_message(link, message, bulk)

    def count(self, link: int, kind: int) -> int:
        """Return how many messages of a kind a link got."""
        return self.sent.count((link, kind))


class Party:
    """A host and its guests. now: what the host's clock shows."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self.folder, self.apps = folder, list[Any]()
        self.host, self.wire = self.open(1), Recorded()
        net: Net = self.host.world[Net]
        net.clock = lambda: self.now
        net.host(self.host, self.wire)
        self.play([self.host], 5)

    def open(self, seed: int) -> Any:
        """Open a game with a random player."""
        app = open_game(self.folder, headless=True)
        RandomPlayer(app, seed).take_over()
        self.apps.append(app)
        return app

    def join(self, link: int) -> tuple[Any, Wire]:
        """Let a guest join."""
        guest, wire = self.open(10 + link), Wire()
        self.wire.connect(wire, link, 1)
        guest.world[Net].join(guest, wire)
        return guest, wire

    def play(self, apps: list[Any], frames: int) -> None:
        """Play frames of 1/60 s."""
        for _ in range(frames):
            self.now += 1 / 60
            for app in apps:
                app.frame(draw=False)


@pytest.fixture
def party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Party]]:
    """A function that begins a game whose state needs many slices."""
    monkeypatch.setattr(slices, "SLICE", 64)
    monkeypatch.setattr(states, "WINDOW", 256)
    (tmp_path / "game.yaml").write_text(TOY)
    parties: list[Party] = []

    def begin() -> Party:
        parties.append(Party(tmp_path))
        return parties[-1]

    yield begin
    for app in [app for one in parties for app in one.apps]:
        app.close()


def ended(party: Party, apps: list[Any]) -> bool:
    """Play until all games have run the same ticks; return whether they are equal."""
    until = max(app.world.tick for app in apps) + 15
    for app in apps:
        app.world[Net].until = until
    party.play(apps, 40)
    return all(app.world.tick == until for app in apps) and len({app.world.hash() for app in apps}) == 1


@pytest.mark.slow
def test_a_state_in_slices_does_not_stop_the_others(party: Callable[[], Party]) -> None:
    """While a guest gets the state, one slice in each frame, the host runs a tick in each frame; then all are equal."""
    game = party()
    guest, _ = game.join(1)
    for _ in range(20):
        sent, tick = game.wire.count(1, STATE), game.host.world.tick
        game.play([game.host, guest], 1)
        assert game.wire.count(1, STATE) <= sent + 1
        assert game.host.world.tick == tick + 1
    game.play([game.host, guest], 60)
    assert game.wire.count(1, STATE) > 20
    assert game.host.world[Seats].open == [1, 2]
    assert ended(game, [game.host, guest])


@pytest.mark.slow
@pytest.mark.parametrize("noticed", [False, True])
def test_a_state_goes_on_after_a_cut(party: Callable[[], Party], noticed: bool) -> None:
    """A guest whose link is cut while the state arrives gets the rest of it on the next link, whether the host had
    noticed the end of the first one or not.
    """
    game = party()
    guest, wire = game.join(1)
    game.play([game.host, guest], 15)
    have = guest.world[Net]._arriving.have
    wire.cut(1)
    game.play([game.host, guest], 10)
    assert guest.world[Net].lost == "cut"
    if noticed:
        game.wire.arrived.append(Arrived(Arrival.CLOSED, 1, b"idle"))
    game.play([game.host], 60)
    game.wire.connect(wire, 2, 1)
    game.play([game.host, guest], 60)
    assert game.wire.count(2, WELCOME) == 0
    size = len(game.host.world.snapshot().to_bytes())
    assert game.wire.count(2, STATE) <= (size - have[1]) // 64 + 20
    assert guest.world[Net].lost == ""
    assert ended(game, [game.host, guest])


def test_a_state_waits_half_a_minute(party: Callable[[], Party]) -> None:
    """A guest that comes later than that gets a new state, and the host has forgotten the first one."""
    game = party()
    guest, wire = game.join(1)
    game.play([game.host, guest], 15)
    wire.cut(1)
    game.play([game.host], 1)
    game.now += states.PATIENCE + 1
    game.play([game.host], 1)
    assert not game.host.world[Net].session.peers
    game.wire.connect(wire, 2, 1)
    game.play([game.host, guest], 100)
    assert game.wire.count(2, WELCOME) == 1
    assert ended(game, [game.host, guest])


def test_links_that_were_cut_keep_nobody_out(party: Callable[[], Party], monkeypatch: pytest.MonkeyPatch) -> None:
    """States that wait for guests whose link was cut give way, oldest first, to guests that are there."""
    monkeypatch.setattr(states, "MOST", 1)
    game = party()
    for link in (1, 2):
        guest, wire = game.join(link)
        game.play([game.host, guest], 10)
        assert game.wire.count(link, STATE) > 0
        assert list(game.host.world[Net].session.peers) == [link]
        wire.cut(1)
        game.wire.arrived.append(Arrived(Arrival.CLOSED, link, b"idle"))
        game.play([game.host], 1)


@pytest.mark.slow
def test_a_guest_comes_back(party: Callable[[], Party], monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest that plays, and whose link is cut for longer than the host waits, joins again and gets its seat back."""
    monkeypatch.setattr(slices, "SLICE", 4096)
    monkeypatch.setattr(states, "WINDOW", 4096)
    game = party()
    (guest, wire), (other, _) = game.join(1), game.join(2)
    game.play([game.host, guest, other], 40)
    seat = guest.world[Net].session.seat
    assert seat
    wire.cut(1)
    game.play([game.host, guest, other], 130)
    game.wire.arrived.append(Arrived(Arrival.CLOSED, 1, b"idle"))
    assert seat not in game.host.world[Seats].open
    game.wire.connect(wire, 3, 1)
    game.play([game.host, guest, other], 70)
    assert guest.world[Net].session.seat == seat
    assert game.host.world[Seats].open == [1, 2, 3]
    assert ended(game, [game.host, guest, other])


@pytest.mark.parametrize("message", [pack(TAKEN, have=[]), pack(TAKEN, have=[1, "a"]), pack(TAKEN), pack(READY)])
def test_a_guest_that_takes_nothing_is_cut(party: Callable[[], Party], message: bytes) -> None:
    """A guest that says what can't be, or takes nothing of its state for half a minute, loses its link."""
    game = party()
    guest, wire = game.join(1)
    game.play([game.host, guest], 10)
    wire.send_message(1, message)
    game.play([game.host], 1)
    game.now += states.PATIENCE + 1
    game.play([game.host], 2)
    assert [arrived for arrived in wire.arrived if arrived.what is Arrival.CLOSED]
    assert not game.host.world[Net].session.peers
