"""Counts the bytes that a session sends and receives."""

from __future__ import annotations

import time
from collections import deque

from ..links.link import Arrived, Transport

_SECONDS = 2.0
"""The time over which bytes per second are averaged."""


class Traffic:
    """A transport that counts what another one sends and receives, without what QUIC adds.

    transport: the other one. sent, received: bytes so far. Both are cheap enough to be counted always.
    """

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.sent = self.received = 0
        self._marks: deque[tuple[float, int, int]] = deque()

    def poll(self) -> list[Arrived]:
        """Return what arrived since the last call, in order."""
        arrived = self.transport.poll()
        for each in arrived:
            self.received += len(each.data)
        self._marks.append((time.monotonic(), self.sent, self.received))
        while self._marks[-1][0] - self._marks[0][0] > _SECONDS:
            self._marks.popleft()
        return arrived

    def per_second(self) -> tuple[float, float]:
        """Return the bytes that were sent and received a second, averaged over the last two."""
        if len(self._marks) < 2:
            return 0.0, 0.0
        (then, sent, received), (now, *_) = self._marks[0], self._marks[-1]
        passed = max(now - then, 1e-6)
        return (self.sent - sent) / passed, (self.received - received) / passed

    def send(self, link: int, packet: bytes) -> None:
        """Send a packet, which may get lost."""
        self.sent += len(packet)
        self.transport.send(link, packet)

    def send_message(self, link: int, message: bytes, bulk: bool = False) -> None:
        """Send a message, which arrives completely, unless the link ends."""
        self.sent += len(message)
        self.transport.send_message(link, message, bulk)

    def drop(self, link: int, reason: str) -> None:
        """End a link."""
        self.transport.drop(link, reason)

    def close(self) -> None:
        """End all links."""
        self.transport.close()
