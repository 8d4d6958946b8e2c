"""A guest that sends what no guest should: it is refused or cut, and the others play on."""

from __future__ import annotations

import gc
import logging
import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from net_two import Wire, play

from long_runs import long
from rish_core import InputRecord, WindowEvent, open_game
from rish_history import RandomPlayer
from rish_net.game.net import Net
from rish_net.game.seating import Seats
from rish_net.links.link import Arrival, Arrived
from rish_net.session import limits
from rish_net.session.limits import MOST_REFUSED
from rish_net.wire.messages import HELLO, WELCOME, pack
from rish_net.wire.packets import MAX_SEATS, InputPacket, Span

PACKETS = long(20_000, 600)
TOY = """
rish: 1
game: {title: Hostile}
plugins: [net, rules]
input:
  players: [{left: [A], right: [D]}, {left: [LEFT], right: [RIGHT]}, {left: [J], right: [L]}]
variables: {third: 0}
scene: play
scenes: {play: [{name: thing, Transform: {}}]}
on:
  tick: [{add: {third: 'axis("left", "right", 3)'}}]
"""


class Listening(Wire):
    """The transport of a host, which is told when it has ended a link."""

    def drop(self, link: int, reason: str) -> None:
        """End a link on both sides."""
        super().drop(link, reason)
        if link in self.ends:
            other, there = self.ends.pop(link)
            other.ends.pop(there, None)
            self.arrived.append(Arrived(Arrival.CLOSED, link))


class Spy(Wire):
    """The transport of a hostile guest: it notes what a sound guest would send, and sends other things."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.rng = random.Random(seed)
        self.packets: list[bytes] = [bytes(40)]
        self.messages: list[bytes] = [pack(HELLO, origin={}, token="", have=[])]

    def send(self, link: int, packet: bytes) -> None:
        """Note a packet, and send it."""
        self.packets = [*self.packets[-200:], packet]
        super().send(link, packet)

    def send_message(self, link: int, message: bytes, bulk: bool = False) -> None:
        """Note a message, and send it."""
        self.messages = [*self.messages[-50:], message]
        super().send_message(link, message, bulk)

    def attack(self) -> None:
        """Send one packet or message: a replayed, damaged, random, huge or forged one."""
        rng = self.rng
        packet = bytearray(rng.choice(self.packets))
        what = rng.choices(range(6), (20, 20, 10, 20, 0.03, 0.03))[
            0
        ]  # a bad message ends the link, a bad packet does not
        if what == 1:
            for _ in range(rng.randrange(1, 5)):
                packet[rng.randrange(len(packet))] = rng.randrange(256)
        elif what == 2:
            packet = bytearray(rng.randbytes(rng.randrange(1, 3000)))
        elif what == 3:
            packet = bytearray(self.forged())
        elif what == 4:
            message = bytearray(rng.choice(self.messages))
            message[rng.randrange(len(message))] = rng.randrange(256)
            self._give(1, Arrival.MESSAGE, bytes(message))
            return
        elif what == 5:
            self._give(1, Arrival.MESSAGE, bytes([rng.randrange(16)]) + rng.randbytes(rng.randrange(200)))
            return
        self._give(1, Arrival.PACKET, bytes(packet))

    def forged(self) -> bytes:
        """Return a packet with input of any seat, commands of the session, and numbers that can't be."""
        rng = self.rng
        tick, seat = rng.choice([0, 1, 100, 5000, 1 << 40, (1 << 62) - 1]), rng.randrange(1, MAX_SEATS + 1)
        event = rng.choice(
            [
                WindowEvent("key", "J", down=True, device=seat),
                WindowEvent("command", "net.open", device=1, touch=seat, start=rng.randrange(1 << 31)),
                WindowEvent("command", "net.close", device=1, touch=rng.randrange(1, 9), start=0),
                WindowEvent("text", text="x" * 200, device=seat),
            ]
        )
        known = {number: rng.choice([0, tick, 1 << 50]) for number in range(1, rng.randrange(1, MAX_SEATS + 1))}
        span = Span(seat, min(tick, 1 << 60), [InputRecord((event,))] * rng.randrange(1, 20))
        hashed = rng.choice([0, 30, 60, tick])
        return InputPacket(tick, tick, rng.randrange(9), 0, known, hashed, rng.getrandbits(60), 1, [span]).to_bytes()


@pytest.fixture
def games(tmp_path: Path) -> Iterator[list[Any]]:
    """A host, a guest, and a hostile one; the last of them has the game too."""
    (tmp_path / "game.yaml").write_text(TOY)
    apps = [open_game(tmp_path, headless=True) for _ in range(3)]
    for seed, app in enumerate(apps):
        RandomPlayer(app, seed).take_over()
    yield apps
    for app in apps:
        app.close()


def welcome(evil: Any, wire: Spy, here: Wire, link: int) -> None:
    """Let the hostile game join, as any guest does."""
    evil.world[Net].leave()
    here.connect(wire, link, 1)
    evil.world[Net].join(evil, wire)


@pytest.mark.slow
def test_nobody_can_harm_a_session(games: list[Any], caplog: pytest.LogCaptureFixture) -> None:
    """Malformed, forged, replayed and disordered packets and messages (20,000 with RISH_LONG=1) raise no exception; the
    host needs no more memory at the end than in the middle, and the other player's game goes on, equal to the host's.
    """
    host, guest, evil = games
    here, there = Listening(), Wire()
    host.world[Net].host(host, here)
    here.connect(there, 1, 1)
    guest.world[Net].join(guest, there)
    play([host, guest], 60)
    assert host.world[Seats].open == [1, 2]
    caplog.set_level(logging.CRITICAL)  # records of the log would be counted as memory
    sent, link, memory, cuts, seated = 0, 2, [0, 0], 0, 0
    wire = Spy(1)
    welcome(evil, wire, here, link)
    tracemalloc.start()
    while sent < PACKETS:
        tick = host.world.tick
        for _ in range(20):
            wire.attack()
        sent += 20
        play([host, guest, evil], 1)
        assert host.world.tick == tick + 1
        assert guest.world.tick >= tick - 12
        session = host.world[Net].session
        seated += link in session.peers and session.peers[link].seat > 0
        if link not in here.ends or evil.world[Net].ended:  # it was cut, and comes again
            link, cuts = link + 1, cuts + 1
            wire = Spy(link)
            welcome(evil, wire, here, link)
        if sent in (PACKETS // 2, PACKETS):
            gc.collect()
            memory[sent == PACKETS] = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert seated > PACKETS // 20 // 5  # of the frames: it got through to where input is used
    assert cuts >= PACKETS // 2000
    assert memory[1] < memory[0] + 2e6
    assert 1 in here.ends
    wire.close()
    until = host.world.tick + 30
    play([host, guest], 200, until=until)
    assert host.world.tick == guest.world.tick == until
    assert host.world.hash() == guest.world.hash()


def test_a_guest_does_not_play_for_others(games: list[Any]) -> None:
    """Input of another player's seat, and commands of the session, reach no game."""
    host, guest, _ = games
    here, there = Wire(), Spy(1)
    host.world[Net].host(host, here)
    here.connect(there, 1, 1)
    guest.world[Net].join(guest, there)
    play([host, guest], 60)
    session = host.world[Net].session
    for seat in (1, 3, 8):
        for name in ("net.open", "net.close"):
            first = session.streams[seat].next if seat in session.streams else host.world.tick
            forged = InputRecord((WindowEvent("command", name, device=1, touch=5, start=first),))
            span = Span(seat, first, [forged] * 8)
            there._give(1, Arrival.PACKET, InputPacket(host.world.tick, 9, 0, 0, {}, 0, 0, 1, [span]).to_bytes())
    refused = session.peers[1].refused
    play([host, guest], 60)
    assert session.peers[1].refused == refused + 6
    assert host.world[Seats].open == [1, 2]
    assert 5 not in session.streams


def test_a_flood_of_packets_that_are_none(games: list[Any]) -> None:
    """A guest that sends hundreds of packets which can't be read is cut; a few are ignored."""
    host, guest, _ = games
    here, there = Listening(), Wire()
    host.world[Net].host(host, here)
    here.connect(there, 1, 1)
    guest.world[Net].join(guest, there)
    play([host, guest], 20)
    for count in (100, MOST_REFUSED):
        assert 1 in host.world[Net].session.peers
        for _ in range(count):
            there.send(1, b"nonsense")
        play([host], 1)
    assert 1 not in host.world[Net].session.peers


def test_a_guest_that_stays_behind(games: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest that confirms no input is cut, so that the host need not keep all inputs for it."""
    monkeypatch.setattr(limits, "MOST_BEHIND", 6)
    host, guest, _ = games
    here, there = Listening(), Wire()
    host.world[Net].host(host, here)
    here.connect(there, 1, 1)
    guest.world[Net].join(guest, there)
    play([host, guest], 70)
    assert 1 in host.world[Net].session.peers
    play([host], 60)
    assert 1 not in host.world[Net].session.peers


def test_a_host_with_a_bomb(games: list[Any]) -> None:
    """A guest whose host announces a state of an impossible size leaves, and stores none of it."""
    _, guest, _ = games
    here, there = Wire(), Wire()
    here.connect(there, 1, 1)
    guest.world[Net].join(guest, there)
    bomb = pack(WELCOME, streams=[[1, 0, 1 << 62]], epoch=1, course=0, state="a", size=1 << 40)
    here.send_message(1, bomb)
    play([guest], 1)
    assert any(arrived.what is Arrival.CLOSED for arrived in here.arrived)
    assert not guest.world[Net]._arriving.have
