"""A simulated link with delay, jitter, loss, reordering, duplicates and cuts, for tests and for `--net-sim`."""

from __future__ import annotations

import heapq
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from rish_core import UsageError

from .link import Arrived, Transport

_TIME = re.compile(r"(\d+(?:\.\d+)?)ms")
_SHARE = re.compile(r"(?:(loss|reorder|duplicates)=)?(\d+(?:\.\d+)?)%")
_CUT = re.compile(r"cut=(\d+(?:\.\d+)?)s-(\d+(?:\.\d+)?)s")
_EXAMPLE = 'Such as "80ms 20ms 5%" or "80ms 20ms 5% reorder=10% duplicates=2% cut=5s-6.5s"'


@dataclass(frozen=True)
class LinkQuality:
    """delay: of one way, milliseconds. jitter: packets take up to that much longer or less. loss, duplicates, reorder:
    the shares of packets that get lost, arrive twice, and arrive after the packet that was sent next, 0..1. cut: the
    milliseconds from which and until which everything gets lost, counted from the first packet.
    """

    delay: float = 0.0
    jitter: float = 0.0
    loss: float = 0.0
    duplicates: float = 0.0
    reorder: float = 0.0
    cut: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def parse(cls, text: str) -> LinkQuality:
        """Return the quality for `"80ms 20ms 5%"`: delay of one way, jitter, loss; then, in any order,
        `duplicates=2%`, `reorder=10%` and `cut=5s-6.5s`. Raises UsageError.
        """
        times: list[float] = []
        shares: dict[str, float] = {}
        cut = 0.0, 0.0
        for part in text.split():
            if match := _TIME.fullmatch(part):
                times.append(float(match[1]))
            elif match := _CUT.fullmatch(part):
                cut = float(match[1]) * 1000, float(match[2]) * 1000
            elif (match := _SHARE.fullmatch(part)) and (match[1] or "loss") not in shares and float(match[2]) <= 100:
                shares[match[1] or "loss"] = float(match[2]) / 100
            else:
                raise UsageError(f"a link can't be simulated with {part!r}", hint=_EXAMPLE)
        if not 1 <= len(times) <= 2 or cut[0] > cut[1]:
            raise UsageError(f"a link can't be simulated with {text!r}", hint=_EXAMPLE)
        delay, jitter = [*times, 0.0][:2]
        return cls(delay, jitter, cut=cut, **shares)


class SimulatedWay:
    """One direction of a link: `send` takes a packet, `arrived` returns those that arrived. Times are milliseconds."""

    def __init__(self, quality: LinkQuality, seed: int) -> None:
        self.quality = quality
        self._random = random.Random(seed)
        self._on_the_way: list[tuple[float, int, bytes]] = []
        self._late: list[bytes] = []
        self._count = 0
        self._begin: float | None = None

    def send(self, data: bytes, now: float) -> None:
        """Send a packet at a time."""
        self._begin = now if self._begin is None else self._begin
        quality, roll = self.quality, self._random.random
        late, self._late = self._late, []
        if quality.cut[0] <= now - self._begin < quality.cut[1]:
            return
        copies = 0 if roll() < quality.loss else 2 if roll() < quality.duplicates else 1
        if copies and quality.reorder and roll() < quality.reorder:
            self._late = [data] * copies
            copies = 0
        arrival = now + quality.delay
        for _ in range(copies):
            arrival = now + max(0.0, quality.delay + quality.jitter * (2 * roll() - 1))
            self._push(arrival, data)
        for packet in late:
            self._push(arrival, packet)

    def _push(self, arrival: float, data: bytes) -> None:
        self._count += 1
        heapq.heappush(self._on_the_way, (arrival, self._count, data))

    def arrived(self, now: float) -> list[bytes]:
        """Return the packets that arrived until `now`, in the order of their arrival."""
        packets: list[bytes] = []
        while self._on_the_way and self._on_the_way[0][0] <= now:
            packets.append(heapq.heappop(self._on_the_way)[2])
        return packets


class SimulatedTransport:
    """A transport whose outgoing packets take a simulated way; messages are not changed.

    clock: returns seconds, of any clock that never goes back.
    """

    def __init__(
        self, transport: Transport, quality: LinkQuality, seed: int = 0, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._transport = transport
        self._quality = quality
        self._seed = seed
        self._clock = clock
        self._ways: dict[int, SimulatedWay] = {}

    def poll(self) -> list[Arrived]:
        """Send what has taken its time, and return what arrived."""
        now = self._clock() * 1000
        for link, way in self._ways.items():
            for packet in way.arrived(now):
                self._transport.send(link, packet)
        return self._transport.poll()

    def send(self, link: int, packet: bytes) -> None:
        """Send a packet on the simulated way."""
        if link not in self._ways:
            self._ways[link] = SimulatedWay(self._quality, self._seed + link)
        self._ways[link].send(packet, self._clock() * 1000)

    def send_message(self, link: int, message: bytes, bulk: bool = False) -> None:
        """Send a message at once."""
        self._transport.send_message(link, message, bulk)

    def drop(self, link: int, reason: str) -> None:
        """End a link."""
        self._transport.drop(link, reason)

    def close(self) -> None:
        """End all links."""
        self._transport.close()
