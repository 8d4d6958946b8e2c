"""What a host or a guest knows of its relay, without sockets and clock."""

from __future__ import annotations

from .packets import (
    BYE,
    CHANNEL,
    COOKIE,
    DATA,
    HOST,
    KEY_BYTES,
    NO_COOKIE,
    OPEN,
    PING,
    REASONS,
    REFUSED,
    UNKNOWN,
    hello,
)  # fmt: skip

RETRY_SECONDS = 0.5
"""The time after which a hello is repeated."""
PING_SECONDS = 2.0
"""The time without a packet from the relay after which it is asked whether it is there."""
SILENT_SECONDS = 4.5
"""The time without a packet from the relay after which it is gone."""


class RelayClient:
    """The side of a host or a guest. role: of `packets`. key: of a host its secret, of a guest the session.

    is_open: whether the relay forwards packets. refused: why it does not, "" for no reason. Times are seconds of a
    clock that never goes back.
    """

    def __init__(self, role: int, key: bytes, now: float) -> None:
        self.role = role
        self.is_open = False
        self.refused = ""
        self._key, self._cookie = key, NO_COOKIE
        self._heard = now
        self._asked = -RETRY_SECONDS

    def is_silent(self, now: float) -> bool:
        """Return whether the relay is gone."""
        return now - self._heard > SILENT_SECONDS

    def receive(self, data: bytes, now: float) -> tuple[int, bytes] | None:
        """Take a packet of the relay; return the number of the guest, 0 for the host, and the data, if it has some."""
        kind = data[0] if data else 0
        self._heard = now
        if kind == COOKIE and len(data) == 1 + KEY_BYTES:
            if self._cookie == NO_COOKIE:
                self._asked = now - RETRY_SECONDS  # answer at once
            self._cookie = data[1:]
        elif kind == OPEN:
            self.is_open, self.refused = True, ""
        elif kind == REFUSED and len(data) == 2:
            self.is_open, self.refused = False, REASONS[data[1]] if data[1] < len(REASONS) else "it refuses"
        elif kind == UNKNOWN:
            self.is_open, self._cookie = False, NO_COOKIE
        elif kind == DATA and self.role != HOST:
            return 0, data[1:]
        elif kind == DATA and len(data) > CHANNEL.size:
            return CHANNEL.unpack_from(data)[1], data[CHANNEL.size :]
        return None

    def due(self, now: float) -> list[bytes]:
        """Return the packets to send to the relay now. Call it several times a second."""
        if self.is_silent(now):
            self.is_open, self._cookie = False, NO_COOKIE
        quiet = now - self._heard > PING_SECONDS
        wait = PING_SECONDS if self.is_open or self.refused else RETRY_SECONDS
        if (self.is_open and not quiet) or now - self._asked < wait:
            return []
        self._asked = now
        return [bytes([PING])] if self.is_open else [hello(self.role, self._key, self._cookie)]

    def data(self, packet: bytes, number: int = 0) -> bytes:
        """Return a packet of data. number: of the guest, for a host."""
        return (CHANNEL.pack(DATA, number) if self.role == HOST else bytes([DATA])) + packet

    def bye(self) -> bytes:
        """Return the packet that says that this side leaves."""
        return bytes([BYE])
