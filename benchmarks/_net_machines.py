"""Several machines that play one game over simulated links, in one process and with a simulated clock.

Each machine is an App with its own `Net`, which runs its frames at its own times. A second of the game takes as long as
its ticks need, and every run gives the same result.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_core import Clock, open_game
from rish_history import RandomPlayer
from rish_net import Arrival, Arrived, LinkQuality, Net, Session, SimulatedWay

ROOT = Path(__file__).parents[1]


class End:
    """A transport: the end of the links of a machine. By link, it counts what it sent: bytes, packets, and the bytes of
    messages.
    """

    def __init__(self, network: Network) -> None:
        self.bytes: dict[int, int] = {}
        self.packets: dict[int, int] = {}
        self.message_bytes: dict[int, int] = {}
        self._network = network
        self._others: dict[int, tuple[End, int, SimulatedWay]] = {}
        self._arrived: list[tuple[float, int, Arrived]] = []
        self._free_at: dict[int, float] = {}

    def connect(self, other: End, here: int, there: int, quality: LinkQuality) -> None:
        """Link this end to another one."""
        for one, two, own, its in ((self, other, here, there), (other, self, there, here)):
            one._others[own] = two, its, SimulatedWay(quality, 2 * here + (one is self))
            one.bytes[own] = one.packets[own] = one.message_bytes[own] = 0
            one._put(0.0, Arrived(Arrival.OPENED, own))

    def poll(self) -> list[Arrived]:
        """Return what arrived."""
        arrived: list[Arrived] = []
        now = self._network.now
        while self._arrived and self._arrived[0][0] <= now:
            arrived.append(heapq.heappop(self._arrived)[2])
        for link, (other, there, _) in self._others.items():
            way = other._others[there][2]
            arrived += [Arrived(Arrival.PACKET, link, packet) for packet in way.arrived(now * 1000)]
        return arrived

    def send(self, link: int, packet: bytes) -> None:
        """Send a packet."""
        self.bytes[link] += len(packet)
        self.packets[link] += 1
        if self._network.on_packet is not None:
            self._network.on_packet(self, link, packet)
        self._others[link][2].send(packet, self._network.now * 1000)

    def send_message(self, link: int, message: bytes, bulk: bool = False) -> None:
        """Send a message, which arrives after the time that its bytes need, behind those before it."""
        network = self._network
        other, there, way = self._others[link]
        self.message_bytes[link] += len(message)
        sent = max(network.now, self._free_at.get(link, 0.0)) + len(message) / network.rate
        self._free_at[link] = sent
        other._put(sent + way.quality.delay / 1000, Arrived(Arrival.MESSAGE, there, message))

    def drop(self, link: int, reason: str) -> None:
        """End a link."""
        other, there, _ = self._others[link]
        other._put(self._network.now, Arrived(Arrival.CLOSED, there, reason.encode()))

    def close(self) -> None:
        """End all links."""
        for link in list(self._others):
            self.drop(link, "the game ended")

    def _put(self, at: float, arrived: Arrived) -> None:
        heapq.heappush(self._arrived, (at, self._network.count(), arrived))


class Machine:
    """A machine: its App, and what happened in it.

    rate: seconds of its clock in a second. depths: the ticks that were run again, one number for each rollback; delays:
    the input delay in each tick.
    """

    def __init__(self, network: Network, app: Any, rate: float) -> None:
        self.app, self.rate = app, rate
        self.net: Net = app.world[Net]
        self.net.clock = lambda: network.now * rate
        self.end = End(network)
        self.depths: list[int] = []
        self.delays: list[int] = []

    @property
    def session(self) -> Session:
        """The session, which has begun."""
        assert self.net.session is not None
        return self.net.session

    def frame(self) -> float:
        """Run a frame; return the seconds until the next one."""
        self.app.frame(draw=False)
        session = self.net.session
        if session is not None and session.seat:
            self.delays.append(session.delay)
        return float(self.app.world.dt / self.app.world[Clock].time_scale / self.rate)

    def observe(self) -> None:
        """Count the rollbacks from now on."""
        rollback, correct = self.session.rollback, self.session.rollback.correct

        def counted() -> int:
            depth = correct()
            if depth:
                self.depths.append(depth)
            return depth

        rollback.correct = counted  # type: ignore[method-assign]


class Network:
    """Machines and the simulated time. now: seconds. rate: bytes per second of messages. on_packet: called with every
    packet that is sent: the end, the link, the bytes.
    """

    def __init__(self, game: str | Path, *overrides: str, rate: float = float("inf"), random: bool = True) -> None:
        self.game = ROOT / game
        self.overrides = list(overrides)
        self.rate, self.random = rate, random
        self.now = 0.0
        self.machines: list[Machine] = []
        self.on_packet: Callable[[End, int, bytes], object] | None = None
        self._due: list[tuple[float, int, Machine]] = []
        self._count = 0

    def count(self) -> int:
        """Return a new number."""
        self._count += 1
        return self._count

    def add(self, quality: LinkQuality | None = None, rate: float = 1.0) -> Machine:
        """Add a machine: the first one hosts, the others join it over a link of a quality in both directions."""
        app = open_game(self.game, self.overrides, headless=True, more=["net"], personal=False)
        machine = Machine(self, app, rate)
        if self.random:
            RandomPlayer(app, len(self.machines) + 1, spare=("pause", "leave", "quit", "exit", "menu")).take_over()
        self.machines.append(machine)
        if len(self.machines) == 1:
            machine.net.host(app, machine.end)
        else:
            assert quality is not None
            self.machines[0].end.connect(machine.end, len(self.machines) - 1, 1, quality)
            machine.net.join(app, machine.end)
        heapq.heappush(self._due, (self.now + 0.003 * len(self.machines), self.count(), machine))
        return machine

    def run(self, seconds: float) -> None:
        """Run all machines."""
        until = self.now + seconds
        while self._due and self._due[0][0] < until:
            self.now, _, machine = heapq.heappop(self._due)
            if not machine.net.finished:
                heapq.heappush(self._due, (self.now + machine.frame(), self.count(), machine))
        self.now = until

    def finish(self) -> list[str]:
        """Run until all machines have the same tick; return their hashes."""
        until = max(machine.app.world.tick for machine in self.machines) + 30
        for machine in self.machines:
            machine.net.until = until
        for _ in range(300):
            if all(machine.net.finished for machine in self.machines):
                break
            self.run(0.1)
        return [machine.app.world.hash() for machine in self.machines]

    def close(self) -> None:
        """Close all games."""
        for machine in self.machines:
            machine.app.close()
