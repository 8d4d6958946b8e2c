"""Two games in one process: a transport without sockets, and how a guest joins a host."""

from __future__ import annotations

import random
from typing import Any

from rish_net.game.net import Net
from rish_net.links.link import Arrival, Arrived


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

    def send_message(self, link: int, message: bytes, bulk: bool = False) -> None:
        """Send a message."""
        self._give(link, Arrival.MESSAGE, message)

    def drop(self, link: int, reason: str) -> None:
        """End a link."""
        self._give(link, Arrival.CLOSED, reason.encode())

    def cut(self, link: int) -> None:
        """Cut a guest's link: the guest notices it, the host does not."""
        other, there = self.ends.pop(link)
        del other.ends[there]
        self.arrived.append(Arrived(Arrival.LOST, link, b"cut"))

    def close(self) -> None:
        """End all links."""
        for link in list(self.ends):
            self.drop(link, "the game ended")

    def _give(self, link: int, what: Arrival, data: bytes) -> None:
        if link in self.ends:
            other, there = self.ends[link]
            other.arrived.append(Arrived(what, there, data))


def play(apps: list[Any], frames: int, until: int | None = None) -> None:
    """Run frames of all games in turn, each a sixtieth of a second by its clock. until: a tick at which they end; then
    fewer frames may be enough.
    """
    for app in apps:
        app.world[Net].until = until
        app.world[Net].clock = lambda app=app: app.clock.frame / 60
    for _ in range(frames):
        for app in apps:
            app.frame(draw=False)
        if all(app.world[Net].finished for app in apps):
            return


def link(host: Any, guest: Any, loss: float = 0.0, frames: int = 40) -> None:
    """Let a game host, and another one join and get a seat."""
    here, there = Wire(loss), Wire(loss)
    host.world[Net].host(host, here)
    play([host], 20)
    here.connect(there, 1, 1)
    guest.world[Net].join(guest, there)
    play([host, guest], frames)
