"""A relay on a UDP port."""

from __future__ import annotations

import asyncio
from typing import Any

from .relay import Relay

_EXPIRE_SECONDS = 5.0
_MAX_BUFFER = 1 << 20
"""Packets are dropped while so many bytes wait to be sent."""


class RelaySocket(asyncio.DatagramProtocol):
    """The UDP socket of a relay; packets are forwarded when they arrive."""

    def __init__(self, relay: Relay) -> None:
        self.relay = relay
        self._loop = asyncio.get_running_loop()
        self._socket: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the socket, and begin to forget who has left (called by asyncio)."""
        self._socket = transport
        self._loop.call_later(_EXPIRE_SECONDS, self._expire)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        """Take a packet (called by asyncio)."""
        for packet, address in self.relay.receive(data, addr, self._loop.time()):
            if self._socket.get_write_buffer_size() < _MAX_BUFFER:
                self._socket.sendto(packet, address)

    def _expire(self) -> None:
        self.relay.expire(self._loop.time())
        self._loop.call_later(_EXPIRE_SECONDS, self._expire)


async def serve_relay(relay: Relay, address: str, port: int) -> tuple[asyncio.DatagramTransport, int]:
    """Begin to serve; return the socket and its port. Raises OSError."""
    socket, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: RelaySocket(relay), local_addr=(address, port)
    )
    return socket, int(socket.get_extra_info("sockname")[1])
