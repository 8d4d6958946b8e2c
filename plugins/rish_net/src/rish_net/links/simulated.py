"""A simulated link with delay, jitter, loss, reordering and duplicates, for tests and for `--net-sim`."""

from __future__ import annotations

import heapq
import random
import re
import time
from dataclasses import dataclass

from rish_core import UsageError

from .link import Arrived, Transport

_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|%)")


@dataclass(frozen=True)
class LinkQuality:
    """delay: of one way, milliseconds. jitter: packets take up to that much longer or less. loss, duplicates: 0..1."""

    delay: float = 0.0
    jitter: float = 0.0
    loss: float = 0.0
    duplicates: float = 0.0

    @classmethod
    def parse(cls, text: str) -> LinkQuality:
        """Return the quality for `"80ms 20ms 5%"`: delay of one way, jitter, loss. Raises UsageError."""
        times: list[float] = []
        shares: list[float] = []
        for part in text.split():
            match = _PART.fullmatch(part)
            if match is None:
                raise UsageError(
                    f"a link can't be simulated with {part!r}",
                    hint='Give delay, jitter and loss, such as "80ms 20ms 5%"',
                )
            (times if match[2] == "ms" else shares).append(float(match[1]))
        if not 1 <= len(times) <= 2 or len(shares) > 2 or any(share > 100 for share in shares):
            raise UsageError(f"a link can't be simulated with {text!r}", hint='Such as "80ms 20ms 5%"')
        delay, jitter = [*times, 0.0][:2]
        loss, duplicates = [*shares, 0.0, 0.0][:2]
        return cls(delay, jitter, loss / 100, duplicates / 100)


class SimulatedWay:
    """One direction of a link: `send` takes a packet, `arrived` returns those that arrived. Times are milliseconds."""

    def __init__(self, quality: LinkQuality, seed: int) -> None:
        self.quality = quality
        self._random = random.Random(seed)
        self._on_the_way: list[tuple[float, int, bytes]] = []
        self._count = 0

    def send(self, data: bytes, now: float) -> None:
        """Send a packet at a time."""
        quality, roll = self.quality, self._random.random
        copies = 0 if roll() < quality.loss else 2 if roll() < quality.duplicates else 1
        for _ in range(copies):
            late = quality.delay + quality.jitter * (2 * roll() - 1)
            self._count += 1
            heapq.heappush(self._on_the_way, (now + max(0.0, late), self._count, data))

    def arrived(self, now: float) -> list[bytes]:
        """Return the packets that arrived until `now`, in the order of their arrival."""
        packets: list[bytes] = []
        while self._on_the_way and self._on_the_way[0][0] <= now:
            packets.append(heapq.heappop(self._on_the_way)[2])
        return packets


class SimulatedTransport:
    """A transport whose outgoing packets take a simulated way; messages are not changed."""

    def __init__(self, transport: Transport, quality: LinkQuality, seed: int = 0) -> None:
        self._transport = transport
        self._quality = quality
        self._seed = seed
        self._ways: dict[int, SimulatedWay] = {}

    def poll(self) -> list[Arrived]:
        """Send what has taken its time, and return what arrived."""
        now = time.perf_counter() * 1000
        for link, way in self._ways.items():
            for packet in way.arrived(now):
                self._transport.send(link, packet)
        return self._transport.poll()

    def send(self, link: int, packet: bytes) -> None:
        """Send a packet on the simulated way."""
        if link not in self._ways:
            self._ways[link] = SimulatedWay(self._quality, self._seed + link)
        self._ways[link].send(packet, time.perf_counter() * 1000)

    def send_message(self, link: int, message: bytes, bulk: bool = False) -> None:
        """Send a message at once."""
        self._transport.send_message(link, message, bulk)

    def drop(self, link: int, reason: str) -> None:
        """End a link."""
        self._transport.drop(link, reason)

    def close(self) -> None:
        """End all links."""
        self._transport.close()
