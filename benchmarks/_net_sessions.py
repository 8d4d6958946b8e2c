"""Sessions of a game that is one number, over simulated links: what packets contain and how far a game goes back does
not depend on the game.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

from rish_core import InputRecord, WindowEvent
from rish_net import LinkQuality, Session, SimulatedWay

TICK_MS = 1000 / 60
FAR = LinkQuality(delay=75, jitter=15, loss=0.05)
"""A round trip of 150 ms with 30 ms more or less, and 5 % loss."""


class Number:
    """A game whose state depends on every event and its tick."""

    def __init__(self) -> None:
        self.tick, self.x = 0, 1

    def save(self) -> tuple[int, int]:
        """Return the state."""
        return self.tick, self.x

    def load(self, state: tuple[int, int]) -> None:
        """Restore a state."""
        self.tick, self.x = state

    def simulate(self, record: InputRecord) -> None:
        """Run a tick."""
        self.x = (self.x * 6364136223846793005 + zlib.crc32(repr((self.tick, record.events)).encode())) % (1 << 60)
        self.tick += 1

    def hash(self) -> int:
        """Return the state."""
        return self.x


@dataclass
class Side:
    """One end of a link: the session, the packets on their way to the other end, and the share of a tick that is due.

    packets, bytes: of the packets that were sent.
    """

    session: Session
    way: SimulatedWay
    due: float = 0.0
    packets: int = 0
    bytes: int = 0


@dataclass
class Table:
    """A host with guests. players: of all of them. on_packet, on_tick: called with each packet, and after each step of
    a player, for pictures.
    """

    players: int
    quality: LinkQuality
    seed: int = 1
    back: int = 8
    delay: int = 3
    keys: float = 0.12
    moves: float = 0.15
    now: float = 0.0
    on_packet: Callable[[int, int, bytes, float], object] | None = None
    on_tick: Callable[[int, float, int], object] | None = None
    depths: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        """Let all guests join and sit down."""
        self._random = random.Random(self.seed)
        self.host = self._session(1)
        self.links: list[tuple[Side, Side]] = []
        for number in range(self.players - 1):
            self.host.add_peer(number)
            tick, state, streams = self.host.state()
            self.host.begin_peer(number, tick, streams)
            guest = self._session(0)
            guest.game.load(state)
            guest.begin_at(tick, streams, self.host.peers[number].epoch)
            guest.add_peer(0).epoch = self.host.peers[number].epoch
            ways = [SimulatedWay(self.quality, self._random.randrange(9999)) for _ in range(2)]
            self.links.append((Side(self.host, ways[0]), Side(guest, ways[1])))
            self.run(80)

    def _session(self, seat: int) -> Session:
        return Session(Number(), seat, TICK_MS, most_back=self.back, most_delay=self.delay)

    def run(self, steps: int) -> None:
        """Run steps of a sixtieth of a second."""
        for _ in range(steps):
            self.now += TICK_MS
            for number, (down, up) in enumerate(self.links):
                for data in up.way.arrived(self.now):
                    self.host.receive(number, data, self.now)
                for data in down.way.arrived(self.now):
                    up.session.receive(0, data, self.now)
            self.host.unseat_silent(self.now)
            self._tick(self.host, 0)
            for number, (down, up) in enumerate(self.links):
                self._sit(up.session, number)
                host = up.session.peers[0]
                is_late = up.session.game.tick < host.tick - 3
                up.due = 4.0 if is_late else up.due + host.pace.speed
                while up.due >= 1:
                    up.due -= 1
                    self._tick(up.session, number + 1)
                self._send(up, up.session.packet_for(0, self.now), number + 1, 0)
                self._send(down, self.host.packet_for(number, self.now), 0, number + 1)

    def _sit(self, guest: Session, number: int) -> None:
        """Give a guest a seat that has none and is not late."""
        guest.lost_seat()
        host = guest.peers[0]
        if not guest.seat and not self.host.peers[number].seat and 0 < host.tick <= guest.game.tick + 3:
            guest.take_seat(*self.host.seat_peer(number))

    def _send(self, side: Side, packet: bytes, sender: int, receiver: int) -> None:
        side.packets += 1
        side.bytes += len(packet)
        if self.on_packet is not None:
            self.on_packet(sender, receiver, packet, self.now)
        side.way.send(packet, self.now)

    def _tick(self, session: Session, number: int) -> None:
        before = session.rollback.rolled_back
        record = session.before_tick(self._input() if session.seat else InputRecord())
        depth = session.rollback.rolled_back - before
        if depth:
            self.depths.append(depth)
        if record is not None:
            session.game.simulate(record)
        if self.on_tick is not None:
            self.on_tick(number, self.now, depth if record is not None else -1)

    def _input(self) -> InputRecord:
        """Return what a player does in a tick: as often as `rish_history.RandomPlayer`."""
        roll, events = self._random.random, list[WindowEvent]()
        if roll() < self.keys:
            events.append(WindowEvent("key", self._random.choice("ABCD"), down=roll() < 0.5))
        if roll() < self.moves:
            events.append(WindowEvent("mouse_move", x=round(960 * roll(), 1), y=round(540 * roll(), 1)))
        return InputRecord(tuple(events))
