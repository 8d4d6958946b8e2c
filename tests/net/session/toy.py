"""A game of one number, which depends on every event and its tick; and a host with guests over simulated links."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from typing import Any

from rish_core import InputRecord, WindowEvent
from rish_net.links.simulated import LinkQuality, SimulatedWay
from rish_net.session.session import Session

TICK_MS = 1000 / 60


class Toy:
    """The game. x: its state. inputs: of the ticks that ran. saves: how often the state was saved."""

    def __init__(self) -> None:
        self.tick, self.x, self.inputs, self.saves = 0, 1, {}, 0

    def save(self) -> tuple[int, int]:
        """Return the state."""
        self.saves += 1
        return self.tick, self.x

    def load(self, state: tuple[int, int]) -> None:
        """Restore a state."""
        self.tick, self.x = state

    def simulate(self, record: InputRecord) -> None:
        """Run a tick."""
        self.inputs[self.tick] = record
        self.x = (self.x * 6364136223846793005 + zlib.crc32(repr((self.tick, record.events)).encode())) % (1 << 60)
        self.tick += 1

    def hash(self) -> int:
        """Return the state."""
        return self.x


class Table:
    """A host and guests that join while it plays. Each guest has a clock that is wrong by up to 1 %.

    keys: returns the input of a seat in a step. skew: by guest, what its clock is wrong by. offset: milliseconds that
    are added to the clock of a guest, or of the host (None).
    """

    def __init__(self, quality: LinkQuality, seed: int = 1, **options: Any) -> None:
        self.quality, self.options = quality, options
        self.random = random.Random(seed)
        self.host = Session(Toy(), 1, TICK_MS, **options)
        self.guests: dict[int, Session] = {}
        self.ways: dict[int, tuple[SimulatedWay, SimulatedWay]] = {}
        self.due: dict[int, float] = {}
        self.now = 0.0
        self.most_back = 0
        self.cut: set[int] = set()
        self.keys: Callable[[Session], InputRecord] = self._keys
        self.skew: dict[int, float] = {}
        self.offset: dict[int | None, float] = {}
        self.host_hook = self.guest_hook = lambda data: data

    def join(self, number: int) -> Session:
        """Let a guest in; it has no seat yet."""
        self.host.add_peer(number)
        tick, state, streams = self.host.state()
        self.host.begin_peer(number, tick, streams)
        game = Toy()
        game.load(state)
        guest = self.guests[number] = Session(game, 0, TICK_MS, begin=tick, **self.options)
        guest.add_peer(0)
        guest.begin_at(tick, streams, self.host.peers[number].epoch, self.host.course)
        self.ways[number] = (
            SimulatedWay(self.quality, self.random.randrange(9999)),
            SimulatedWay(self.quality, self.random.randrange(9999)),
        )
        self.due[number] = 0.0
        self.skew.setdefault(number, 0.01 * (number % 3 - 1))
        return guest

    def seat(self, number: int) -> int:
        """Give a guest a seat."""
        seat, tick = self.host.seat_peer(number)
        self.guests[number].take_seat(seat, tick)
        return seat

    def go_back(self, state: Any, open_seats: list[int]) -> None:
        """Let the host go on from another state, and give it to all guests."""
        self.host.game.load(state)
        self.host.begin_again(open_seats)
        for number, guest in self.guests.items():
            tick, state, streams = self.host.state()
            self.host.begin_peer(number, tick, streams)
            guest.game.load(state)
            guest.begin_at(tick, streams, self.host.peers[number].epoch, self.host.course)

    def leave(self, number: int) -> None:
        """Take a guest out."""
        self.host.remove_peer(number)
        del self.guests[number], self.ways[number]

    def run(self, steps: int) -> None:
        """Run steps of a sixtieth of a second."""
        for _ in range(steps):
            self.now += TICK_MS
            for number, guest in self.guests.items():
                up, down = self.ways[number]
                for data in up.arrived(self.now):
                    self.host.receive(number, data, self.clock(None))
                for data in down.arrived(self.now):
                    guest.receive(0, data, self.clock(number))
            self.host.unseat_silent(self.clock(None))
            self._tick(self.host)
            for number, guest in self.guests.items():
                guest.lost_seat()
                pace = guest.peers[0].pace
                self.due[number] += 4.0 if pace.ahead < -6 else pace.speed * (1 + self.skew[number])
                while self.due[number] >= 1:
                    self.due[number] -= 1
                    self._tick(guest)
                up, down = self.ways[number]
                if number in self.cut:
                    continue
                up.send(self.guest_hook(guest.packet_for(0, self.clock(number))), self.now)
                down.send(self.host_hook(self.host.packet_for(number, self.clock(None))), self.now)

    def clock(self, number: int | None) -> float:
        """Return what the clock of a peer shows, in milliseconds."""
        skew = 0.0 if number is None else self.skew[number]
        return self.now * (1 + skew) + self.offset.get(number, 0.0)

    def _tick(self, session: Session) -> None:
        before = session.rollback.rolled_back
        record = session.before_tick(self.keys(session) if session.seat else InputRecord())
        self.most_back = max(self.most_back, session.rollback.rolled_back - before)
        if record is not None:
            session.game.simulate(record)

    def _keys(self, session: Session) -> InputRecord:
        count = self.random.random() < 0.2
        events = [WindowEvent("key", self.random.choice("ABCD"), down=self.random.random() < 0.5) for _ in range(count)]
        return InputRecord(tuple(events))
