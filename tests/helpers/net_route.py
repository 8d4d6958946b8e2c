"""A way through which all datagrams between a host and its guests go, with faults of their own.

`--net-sim` of the commands changes packets of inputs only. Here the handshake and messages are lost, too, as in a
network.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from dataclasses import replace

from rish_net import Invitation, LinkQuality, SimulatedWay


class Route:
    """Listens on a port and passes datagrams to a host and back, in a thread. cut: whether all of them get lost."""

    def __init__(self, invitation: str, quality: LinkQuality) -> None:
        there = Invitation.parse(invitation)
        self.cut = False
        self._host = there.address, there.port
        self._quality = quality
        self._front = self._socket()
        self.invitation = str(replace(there, port=self._front.getsockname()[1]))
        self._guests: dict[tuple[str, int], tuple[socket.socket, SimulatedWay, SimulatedWay]] = {}
        self._running = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the way."""
        self._running = False
        self._thread.join()
        for sock in (self._front, *(back for back, _, _ in self._guests.values())):
            sock.close()

    @staticmethod
    def _socket() -> socket.socket:
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.bind(("127.0.0.1", 0))
        sock.setblocking(False)
        return sock

    def _run(self) -> None:
        while self._running:
            backs = [back for back, _, _ in self._guests.values()]
            ready, _, _ = select.select([self._front, *backs], [], [], 0.004)
            now = time.perf_counter() * 1000
            for sock in ready:
                self._take(sock, now)
            for guest, (back, up, down) in self._guests.items():
                for data in up.arrived(now):
                    back.sendto(data, self._host)
                for data in down.arrived(now):
                    self._front.sendto(data, guest)

    def _take(self, sock: socket.socket, now: float) -> None:
        try:
            data, sender = sock.recvfrom(65536)
        except OSError:
            return  # an earlier datagram reached nobody
        if sock is self._front and sender not in self._guests:
            seed = len(self._guests)
            ways = SimulatedWay(self._quality, seed), SimulatedWay(self._quality, seed + 100)
            self._guests[sender] = self._socket(), *ways
        if self.cut:
            return
        if sock is self._front:
            self._guests[sender][1].send(data, now)
        else:
            next(down for back, _, down in self._guests.values() if back is sock).send(data, now)
