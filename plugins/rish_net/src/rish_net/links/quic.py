"""Links over QUIC (RFC 9000), by aioquic: encrypted, datagrams for inputs (RFC 9221), a stream for messages.

A guest checks the fingerprint of the host's certificate, and then sends the key of the invitation. Until it came, the
host sends nothing, and after a wrong one it ends the link.
"""

from __future__ import annotations

import asyncio
import datetime
import hmac
import socket
import ssl
import struct
import threading
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from typing import Any

from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.asyncio.server import serve
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import (
    ConnectionTerminated,
    DatagramFrameReceived,
    HandshakeCompleted,
    QuicEvent,
    StreamDataReceived,
)
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from rish_core import RishError

from .invitation import Invitation, fingerprint, new_key
from .link import Arrival, Arrived

PROTOCOL = "rish/1"
"""The name of the protocol and its version; peers with another one do not connect."""
MAX_MESSAGE = 64 << 20
"""The greatest size of a message in bytes; larger ones end the link."""
MAX_QUESTION = 1 << 20
"""The greatest size of a message from a guest."""
MAX_WAITING = 256
"""The greatest number of packets and messages of a link that wait for the game: later packets are dropped, a later
message ends the link."""
IDLE_SECONDS = 30.0
"""The time without any packet after which a link has ended."""
MAX_LINKS = 32
"""The greatest number of links of a host."""
_LENGTH = struct.Struct("<I")
_CONNECT_SECONDS = 10.0
_CLOSE_SECONDS = 0.05
"""The time in which the other sides are told of the end."""
_DATAGRAM_FRAME = 65536


class LinkError(RishError):
    """A host can't listen, or can't be reached."""


class _Peer(QuicConnectionProtocol):
    """One end of a link: passes what arrives to its transport."""

    transport_of: QuicTransport
    number = 0
    admitted = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._buffer = bytearray()
        self._stream: int | None = None

    def quic_event_received(self, event: QuicEvent) -> None:
        """Handle an event of the connection (called by aioquic)."""
        if isinstance(event, HandshakeCompleted):
            self.transport_of.handshaken(self)
        elif isinstance(event, DatagramFrameReceived):
            if self.admitted:
                self.transport_of.arrived(Arrival.PACKET, self.number, event.data)
        elif isinstance(event, StreamDataReceived):
            self._read(event.data)
        elif isinstance(event, ConnectionTerminated):
            self.transport_of.ended(self, event.reason_phrase or "the link ended")

    def _read(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= _LENGTH.size:
            size = _LENGTH.unpack_from(self._buffer)[0]
            if size > self.transport_of.largest(self):
                self.end("a message is too large")
                return
            if len(self._buffer) < _LENGTH.size + size:
                return
            message = bytes(self._buffer[_LENGTH.size : _LENGTH.size + size])
            del self._buffer[: _LENGTH.size + size]
            self.transport_of.message_arrived(self, message)

    def send_message(self, message: bytes) -> None:
        """Send a message on the stream of this side."""
        if self._stream is None:
            self._stream = self._quic.get_next_available_stream_id()
        self._quic.send_stream_data(self._stream, _LENGTH.pack(len(message)) + message)
        self.transmit()

    def send_packet(self, packet: bytes) -> None:
        """Send a datagram."""
        self._quic.send_datagram_frame(packet)
        self.transmit()

    def end(self, reason: str) -> None:
        """Close the connection; the other side reads the reason."""
        self._quic.close(error_code=0, reason_phrase=reason)
        self.transmit()

    def certificate(self) -> bytes:
        """Return the certificate of the other side in DER; empty if there is none."""
        certificate = getattr(self._quic.tls, "_peer_certificate", None)
        return b"" if certificate is None else certificate.public_bytes(serialization.Encoding.DER)


class QuicTransport:
    """A host that listens or a guest; use `listen` or `join`."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._arrived: deque[Arrived] = deque()
        self._waiting: Counter[int] = Counter()
        self._peers: dict[int, _Peer] = {}
        self._numbers = 0
        self._server: Any = None
        self._client: Any = None
        self._expected = b""
        self._key = b""
        self._thread = threading.Thread(target=self._loop.run_forever, name="rish-net", daemon=True)
        self._thread.start()
        self.invitation: Invitation

    # Making

    @classmethod
    def listen(cls, address: str = "127.0.0.1", port: int = 0, shown: str = "") -> QuicTransport:
        """Return a host that listens. address, port: of UDP; port 0: any free one. shown: address in the invitation.

        Raises LinkError.
        """
        transport = cls()
        certificate, private_key = _new_certificate()
        configuration = _configuration(is_client=False)
        configuration.certificate, configuration.private_key = certificate, private_key
        transport._key = new_key()

        async def start() -> int:
            transport._server = await serve(
                address, port, configuration=configuration, create_protocol=transport._protocol
            )
            return int(transport._server._transport.get_extra_info("sockname")[1])

        try:
            bound = transport._call(start())
        except OSError as error:
            transport.close()
            raise LinkError(f"no game can be hosted at {address}:{port}: {error.strerror or error}") from None
        der = certificate.public_bytes(serialization.Encoding.DER)
        transport.invitation = Invitation(shown or address, bound, fingerprint(der), transport._key)
        return transport

    @classmethod
    def join(cls, invitation: Invitation) -> QuicTransport:
        """Return a guest with a link to the host of an invitation. Raises LinkError."""
        transport = cls()
        transport.invitation = invitation
        transport._expected, transport._key = invitation.fingerprint, invitation.key
        configuration = _configuration(is_client=True)
        configuration.verify_mode = ssl.CERT_NONE  # the fingerprint is checked instead

        async def start() -> None:
            loop = transport._loop
            found = await loop.getaddrinfo(invitation.address, invitation.port, type=socket.SOCK_DGRAM)
            family, _, _, _, address = found[0]
            endpoint, peer = await loop.create_datagram_endpoint(
                lambda: transport._protocol(QuicConnection(configuration=configuration)), family=family
            )
            transport._client = endpoint
            peer.connect(address)
            await peer.wait_connected()

        where = f"{invitation.address}:{invitation.port}"
        try:
            transport._call(asyncio.wait_for(start(), _CONNECT_SECONDS))
        except (OSError, ConnectionError, TimeoutError, socket.gaierror) as error:
            transport.close()
            hint = "Is the game still hosted there, and does its firewall let UDP in?"
            raise LinkError(f"the host at {where} does not answer: {error or 'no answer'}", hint=hint) from None
        if not transport._peers:
            transport.close()
            raise LinkError(f"the host at {where} is not the one that wrote the invitation")
        return transport

    def _protocol(self, *arguments: Any, **options: Any) -> _Peer:
        peer = _Peer(*arguments, **options)
        peer.transport_of = self
        return peer

    # For the game's thread

    def poll(self) -> list[Arrived]:
        """Return what arrived since the last call, in order."""
        arrived: list[Arrived] = []
        while self._arrived:
            arrived.append(self._arrived.popleft())
            self._waiting[arrived[-1].link] -= 1
        return arrived

    def send(self, link: int, packet: bytes) -> None:
        """Send a packet, which may get lost."""
        self._later(link, lambda peer: peer.send_packet(packet))

    def send_message(self, link: int, message: bytes) -> None:
        """Send a message, which arrives completely and in order, unless the link ends."""
        self._later(link, lambda peer: peer.send_message(message))

    def drop(self, link: int, reason: str) -> None:
        """End a link."""
        self._later(link, lambda peer: peer.end(reason))

    def close(self) -> None:
        """End all links and the thread."""
        if not self._thread.is_alive():
            return

        async def stop() -> None:
            for peer in list(self._peers.values()):
                peer.end("the game ended")
            if self._server is not None:
                self._server.close()
            await asyncio.sleep(_CLOSE_SECONDS)
            if self._client is not None:
                self._client.close()
            await asyncio.sleep(0)

        self._call(stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _call(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _later(self, link: int, work: Callable[[_Peer], None]) -> None:
        peer = self._peers.get(link)
        if peer is not None:
            self._loop.call_soon_threadsafe(work, peer)

    # For the thread of the links

    def handshaken(self, peer: _Peer) -> None:
        """A handshake is complete: a guest checks the host and shows its key."""
        if not self._expected:
            if len(self._peers) >= MAX_LINKS:
                peer.end("the game is full")
            return
        if not hmac.compare_digest(fingerprint(peer.certificate()), self._expected):
            peer.end("another host")
            return
        self._admit(peer)
        peer.send_message(self._key)

    def message_arrived(self, peer: _Peer, message: bytes) -> None:
        """A message arrived; the first one at a host has to be the key."""
        if peer.admitted:
            self.arrived(Arrival.MESSAGE, peer.number, message)
        elif hmac.compare_digest(message, self._key):
            self._admit(peer)
        else:
            peer.end("a wrong key")

    def _admit(self, peer: _Peer) -> None:
        self._numbers += 1
        peer.number, peer.admitted = self._numbers, True
        self._peers[peer.number] = peer
        self.arrived(Arrival.OPENED, peer.number)

    def arrived(self, what: Arrival, link: int, data: bytes = b"") -> None:
        """Store what arrived until the game asks."""
        self._waiting[link] += 1
        if self._waiting[link] <= MAX_WAITING or what is Arrival.CLOSED:
            self._arrived.append(Arrived(what, link, data))
        elif what is Arrival.MESSAGE and link in self._peers:
            self._peers[link].end("too many messages")

    def largest(self, peer: _Peer) -> int:
        """Return the greatest size of a message that a peer may send now, in bytes."""
        return 256 if not peer.admitted else MAX_MESSAGE if self._expected else MAX_QUESTION

    def ended(self, peer: _Peer, reason: str) -> None:
        """A link ended."""
        if self._peers.pop(peer.number, None) is not None:
            self.arrived(Arrival.CLOSED, peer.number, reason.encode())


def _configuration(*, is_client: bool) -> QuicConfiguration:
    return QuicConfiguration(
        alpn_protocols=[PROTOCOL], is_client=is_client, max_datagram_frame_size=_DATAGRAM_FRAME,
        idle_timeout=IDLE_SECONDS,
    )  # fmt: skip


def _new_certificate() -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Return a certificate that is valid for a day, and its key, which never leaves the process."""
    private_key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "rish")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder(
        issuer_name=name, subject_name=name, public_key=private_key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=now - datetime.timedelta(days=1), not_valid_after=now + datetime.timedelta(days=30),
    )  # fmt: skip
    return builder.sign(private_key, hashes.SHA256()), private_key
