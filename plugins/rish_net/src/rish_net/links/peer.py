"""One end of a QUIC connection: datagrams, messages on two streams, and the limits of what the other side may send."""

from __future__ import annotations

import asyncio
import struct
from typing import Any, Protocol

from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.quic.events import (
    ConnectionTerminated,
    DatagramFrameReceived,
    HandshakeCompleted,
    QuicEvent,
    StreamDataReceived,
)

from ..wire.rate import Rate
from .certificate import der_of

MAX_PACKETS = 1000.0
"""The packets that a side may send in a second, twice as many at once; a game sends one in each frame."""
MAX_BYTES = 256e3
"""The bytes of messages that a guest may send in a second, `MAX_BURST` at once."""
MAX_BURST = 2 << 20
_STREAMS = 2
"""The streams of a side: messages, and states."""
_LENGTH = struct.Struct("<I")


class PeerOwner(Protocol):
    """What a peer tells its transport, in the thread of the links."""

    def handshaken(self, peer: Peer) -> None:
        """A handshake is complete."""
        ...

    def packet_arrived(self, peer: Peer, packet: bytes) -> None:
        """A datagram arrived."""
        ...

    def message_arrived(self, peer: Peer, message: bytes) -> None:
        """A message is complete."""
        ...

    def largest(self, peer: Peer) -> int:
        """Return the greatest size of a message that a peer may send now, in bytes."""
        ...

    def ended(self, peer: Peer, reason: str, is_final: bool) -> None:
        """A link ended. is_final: whether the other side, or this one, ended it with a reason."""
        ...


class Peer(QuicConnectionProtocol):
    """One end of a link. number: of the link. admitted: whether both sides have proved what they have to."""

    def __init__(self, owner: PeerOwner, *arguments: Any, is_guest: bool = False, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.number = 0
        self.admitted = False
        self.heard = self._loop.time()
        self.admission: asyncio.Future[None] = self._loop.create_future()
        self._owner = owner
        self._packets = Rate(MAX_PACKETS, 2 * MAX_PACKETS)
        self._bytes = Rate(MAX_BYTES, MAX_BURST) if is_guest else None
        self._buffers: dict[int, bytearray] = {}
        self._streams: dict[bool, int] = {}

    def datagram_received(self, data: bytes | str, addr: Any) -> None:
        """Take a UDP packet (called by asyncio)."""
        self.heard = self._loop.time()
        super().datagram_received(data, addr)

    def quic_event_received(self, event: QuicEvent) -> None:
        """Handle an event of the connection (called by aioquic)."""
        if isinstance(event, HandshakeCompleted):
            self._owner.handshaken(self)
        elif isinstance(event, DatagramFrameReceived):
            if not self._packets.take(1, self._loop.time()):
                self.end("too many packets")
            elif self.admitted:
                self._owner.packet_arrived(self, event.data)
        elif isinstance(event, StreamDataReceived):
            self._read(event.stream_id, event.data)
        elif isinstance(event, ConnectionTerminated):
            self._owner.ended(self, event.reason_phrase or "the link ended", event.frame_type is None)

    def _read(self, stream: int, data: bytes) -> None:
        """Append data of a stream, and pass on the messages that are complete."""
        if self._bytes is not None and not self._bytes.take(len(data), self._loop.time()):
            self.end("too much data")
            return
        if stream not in self._buffers and len(self._buffers) >= _STREAMS:
            self.end("too many streams")
            return
        buffer = self._buffers.setdefault(stream, bytearray())
        buffer += data
        while len(buffer) >= _LENGTH.size:
            size = _LENGTH.unpack_from(buffer)[0]
            if size > self._owner.largest(self):
                self.end("a message is too large")
                return
            if len(buffer) < _LENGTH.size + size:
                return
            message = bytes(buffer[_LENGTH.size : _LENGTH.size + size])
            del buffer[: _LENGTH.size + size]
            self._owner.message_arrived(self, message)

    def send_message(self, message: bytes, bulk: bool = False) -> None:
        """Send a message. bulk: on the stream of its own for states, so that other messages do not wait for it."""
        if bulk not in self._streams:
            self._streams[bulk] = self._quic.get_next_available_stream_id()
        self._quic.send_stream_data(self._streams[bulk], _LENGTH.pack(len(message)) + message)
        self.transmit()

    def send_packet(self, packet: bytes) -> None:
        """Send a datagram."""
        self._quic.send_datagram_frame(packet)
        self.transmit()

    def ask(self) -> None:
        """Send a packet that the other side answers."""
        self._quic.send_ping(0)
        self.transmit()

    def end(self, reason: str) -> None:
        """Close the connection; the other side reads the reason."""
        self._quic.close(error_code=0, reason_phrase=reason)
        self.transmit()

    def certificate(self) -> bytes:
        """Return the certificate of the other side in DER; empty if there is none."""
        return der_of(getattr(self._quic.tls, "_peer_certificate", None))
