"""The relay itself, without sockets and clock: it takes a packet and returns those to send.

It knows hosts and guests by their addresses. What it forwards is encrypted between guest and host, and is neither read
nor stored. An address gets larger packets, or more of them, than it sent only after it has returned a cookie; so nobody
can make the relay send to a third one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from itertools import count

from ..wire.rate import Rate
from .packets import (
    BYE,
    CHANNEL,
    COOKIE,
    DATA,
    GUEST,
    HELLO,
    HELLO_BYTES,
    HOST,
    KEY_BYTES,
    MAX_DATA,
    NO_ROOM,
    NO_ROOM_IN_SESSION,
    NO_SESSION,
    OPEN,
    PING,
    PONG,
    REFUSED,
    TOO_MANY,
    UNKNOWN,
    session_of,
)  # fmt: skip

Address = tuple[str, int]
"""An IP address and a port; what follows them in IPv6 is of the receiver's system."""
Sent = list[tuple[bytes, Address]]
"""Packets to send, with their receivers."""
COOKIE_SECONDS = 20.0
"""A cookie is valid for one to two times as long."""
_NUMBERS = 1 << 16
"""Guests have smaller numbers, from 1 on."""
_SMALLEST = 500
"""A forwarded packet counts as at least so many bytes, because each costs time."""


@dataclass(frozen=True)
class RelayLimits:
    """sessions: at once. guests: of a session. each: sessions, and links of guests, from one IP address.

    rate: bytes per second that each side of a link may send; burst: bytes at once. idle: seconds without a packet after
    which somebody has left. answers: packets per second to addresses that are not known.
    """

    sessions: int = 256
    guests: int = 16
    each: int = 16
    rate: float = 1e6
    burst: float = 2e6
    idle: float = 60.0
    answers: float = 500.0


@dataclass
class _Guest:
    number: int
    address: Address
    session: _Session
    rate: Rate
    rate_back: Rate
    seen: float

    @property
    def name(self) -> bytes:
        return self.session.name


@dataclass
class _Session:
    name: bytes
    address: Address
    seen: float
    guests: dict[int, _Guest] = field(default_factory=dict[int, _Guest])
    last: int = 0


class Relay:
    """Forwards packets between hosts and their guests."""

    def __init__(self, limits: RelayLimits | None = None) -> None:
        self.limits = limits or RelayLimits()
        self.sessions: dict[bytes, _Session] = {}
        self.dropped = 0
        self._hosts: dict[Address, _Session] = {}
        self._guests: dict[Address, _Guest] = {}
        self._secret = secrets.token_bytes(32)
        self._answers = Rate(self.limits.answers, self.limits.answers)

    @property
    def guests(self) -> int:
        """The number of guests in all sessions."""
        return len(self._guests)

    def receive(self, data: bytes, address: Address, now: float) -> Sent:
        """Take a packet; return the packets to send. now: seconds of a clock that never goes back."""
        if not 0 < len(data) <= MAX_DATA:
            return []
        host, guest = self._hosts.get(address), self._guests.get(address)
        if host is not None:
            host.seen = now
        if guest is not None:
            guest.seen = now
        if data[0] == HELLO:
            return self._hello(data, address, now)
        if data[0] == PING and len(data) == 1 and (host or guest):
            return [(bytes([PONG]), address)]
        if data[0] == BYE and len(data) == 1:
            self._leave(address)
            return []
        if data[0] == DATA and host is not None:
            return self._from_host(host, data, now)
        if data[0] == DATA and guest is not None:
            return self._from_guest(guest, data, now)
        is_lost = data[0] in (DATA, PING) and self._answers.take(1, now)
        return [(bytes([UNKNOWN]), address)] if is_lost else []

    def expire(self, now: float) -> None:
        """Forget who has sent nothing for too long. Call it every few seconds."""
        until = now - self.limits.idle
        gone = [a for a, session in self._hosts.items() if session.seen < until]
        gone += [a for a, guest in self._guests.items() if guest.seen < until]
        for address in gone:
            self._leave(address)

    # Coming and leaving

    def _hello(self, data: bytes, address: Address, now: float) -> Sent:
        if len(data) != HELLO_BYTES or data[1] not in (HOST, GUEST):
            return []
        key, cookie = data[2 : 2 + KEY_BYTES], data[2 + KEY_BYTES : 2 + 2 * KEY_BYTES]
        period = int(now / COOKIE_SECONDS)
        if not any(hmac.compare_digest(cookie, self._cookie(address, then)) for then in (period, period - 1)):
            known = self._answers.take(1, now)
            return [(bytes([COOKIE]) + self._cookie(address, period), address)] if known else []
        name = session_of(key) if data[1] == HOST else key
        known = self._hosts.get(address) if data[1] == HOST else self._guests.get(address)
        if known is None or known.name != name:
            self._leave(address)
        refused = self._register(name, address, now) if data[1] == HOST else self._enter(name, address, now)
        return [(bytes([OPEN]) if refused is None else bytes([REFUSED, refused]), address)]

    def _cookie(self, address: Address, period: int) -> bytes:
        text = f"{address[0]} {address[1]} {period}".encode()
        return hmac.digest(self._secret, text, hashlib.sha256)[:KEY_BYTES]

    def _register(self, name: bytes, address: Address, now: float) -> int | None:
        """Begin the session of a host, or go on with it from another address; return why not."""
        session = self.sessions.get(name)
        if session is None:
            if len(self.sessions) >= self.limits.sessions:
                return NO_ROOM
            if sum(other[0] == address[0] for other in self._hosts) >= self.limits.each:
                return TOO_MANY
            session = self.sessions[name] = _Session(name, address, now)
        self._hosts.pop(session.address, None)
        self._hosts[address] = session
        session.address, session.seen = address, now
        return None

    def _enter(self, name: bytes, address: Address, now: float) -> int | None:
        """Let a guest into a session; return why not."""
        session = self.sessions.get(name)
        if session is None:
            return NO_SESSION
        if address in self._guests:
            return None
        if len(session.guests) >= self.limits.guests:
            return NO_ROOM_IN_SESSION
        if sum(other[0] == address[0] for other in self._guests) >= self.limits.each:
            return TOO_MANY
        session.last = next(n for n in count(session.last + 1) if n % _NUMBERS and n % _NUMBERS not in session.guests)
        session.last %= _NUMBERS
        guest = _Guest(session.last, address, session, self._new_rate(), self._new_rate(), now)
        self._guests[address] = session.guests[guest.number] = guest
        return None

    def _new_rate(self) -> Rate:
        return Rate(self.limits.rate, self.limits.burst)

    def _leave(self, address: Address) -> None:
        """Forget a guest, or a host with its session and guests."""
        session, guest = self._hosts.pop(address, None), self._guests.pop(address, None)
        if guest is not None:
            del guest.session.guests[guest.number]
        if session is not None:
            del self.sessions[session.name]
            for other in session.guests.values():
                del self._guests[other.address]

    # Forwarding

    def _from_host(self, session: _Session, data: bytes, now: float) -> Sent:
        if len(data) <= CHANNEL.size:
            return []
        guest = session.guests.get(CHANNEL.unpack_from(data)[1])
        if guest is None or not guest.rate_back.take(max(len(data), _SMALLEST), now):
            self.dropped += 1
            return []
        return [(bytes([DATA]) + data[CHANNEL.size :], guest.address)]

    def _from_guest(self, guest: _Guest, data: bytes, now: float) -> Sent:
        if not guest.rate.take(max(len(data), _SMALLEST), now):
            self.dropped += 1
            return []
        return [(CHANNEL.pack(DATA, guest.number) + data[1:], guest.session.address)]
