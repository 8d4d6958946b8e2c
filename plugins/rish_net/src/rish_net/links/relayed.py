"""A UDP socket that sends and receives by a relay, for the host's QUIC server or a guest's connection."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

from ..relay.client import RelayClient

_TICK_SECONDS = 0.25


class RelayError(ConnectionError):
    """A relay does not answer, or refuses."""


class RelayedSocket(asyncio.DatagramProtocol):
    """Stands between a UDP socket and `target`, which takes and sends QUIC packets.

    To the target it is the socket, with addresses `("relay", number of the guest)`. changed: called with the reason
    when the relay refuses or does not answer, and with "" when it forwards packets again.
    """

    def __init__(self, role: int, key: bytes, changed: Callable[[str], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._client = RelayClient(role, key, self._loop.time())
        self._changed = changed
        self._said: str | None = None
        self._socket: Any = None
        self._timer: asyncio.TimerHandle | None = None
        self.target: asyncio.DatagramProtocol | None = None
        self.opened: asyncio.Future[None] = self._loop.create_future()
        self.where = ""

    @classmethod
    async def open(
        cls, address: str, port: int, role: int, key: bytes, changed: Callable[[str], None]
    ) -> RelayedSocket:
        """Return a socket that the relay knows. Raises OSError; RelayError is one."""
        loop = asyncio.get_running_loop()
        _, protocol = await loop.create_datagram_endpoint(
            lambda: cls(role, key, changed), remote_addr=(address, port), family=socket.AF_UNSPEC
        )
        protocol.where = f"{address}:{port}"
        protocol._tick()
        try:
            await protocol.opened
        except BaseException:
            protocol.close()
            raise
        return protocol

    def attach(self, target: asyncio.DatagramProtocol) -> None:
        """Pass packets to a target, which sends with this socket."""
        self.target = target
        target.connection_made(self)  # type: ignore[arg-type]

    # From asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the socket."""
        self._socket = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        """Take a packet of the relay."""
        arrived = self._client.receive(data, self._loop.time())
        if not self._client.is_open:
            self._ask()
        self._tell()
        if arrived is not None and self.target is not None:
            number, packet = arrived
            self.target.datagram_received(packet, ("relay", number))

    def error_received(self, exc: Exception) -> None:
        """Ignore that a port is closed: a relay that does not answer is noticed by its silence."""

    def _ask(self) -> None:
        for packet in self._client.due(self._loop.time()):
            self._socket.sendto(packet)

    def _tick(self) -> None:
        self._ask()
        self._tell()
        self._timer = self._loop.call_later(_TICK_SECONDS, self._tick)

    def _tell(self) -> None:
        """Tell of a change."""
        client, reason = self._client, ""
        if client.refused:
            reason = f"the relay at {self.where} refuses: {client.refused}"
        elif client.is_silent(self._loop.time()):
            reason = f"the relay at {self.where} does not answer"
        elif not client.is_open:
            return
        if not self.opened.done() and reason:
            self.opened.set_exception(RelayError(reason))
        elif not self.opened.done():
            self.opened.set_result(None)
        elif self._said is not None and reason != self._said:
            self._changed(reason)
        self._said = reason

    # To the target

    def sendto(self, data: bytes, addr: Any) -> None:
        """Send a packet to a guest or to the host."""
        if self._client.is_open and not self.is_closing():
            self._socket.sendto(self._client.data(data, addr[1]))

    def is_closing(self) -> bool:
        """Return whether the socket is closed."""
        return bool(self._socket.is_closing())

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what asyncio knows of the socket."""
        return self._socket.get_extra_info(name, default)

    def close(self) -> None:
        """Leave the relay."""
        if self._timer is not None:
            self._timer.cancel()
        if not self.is_closing():
            self._socket.sendto(self._client.bye())
            self._socket.close()
