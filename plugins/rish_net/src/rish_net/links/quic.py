"""Links over QUIC (RFC 9000), by aioquic: encrypted, datagrams for inputs (RFC 9221), streams for messages.

A guest checks the fingerprint of the host's certificate, and then sends the key of the invitation. Until it came, the
host sends nothing, and after a wrong one it ends the link. The host answers with a digest of the key, so a guest knows
that the host has it too.

A guest whose link is lost tries to connect again, with the same number of the link.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ssl
import threading
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from typing import Any

from aioquic.asyncio.server import QuicServer
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet import QuicProtocolVersion

from ..relay.packets import GUEST, HOST, session_of
from .certificate import der_of, new_certificate
from .errors import LinkError
from .invitation import Invitation, fingerprint, new_key
from .link import Arrival, Arrived
from .peer import Peer
from .relayed import RelayedSocket, RelayError

PROTOCOL = "rish/1"
"""The name of the protocol and its version; peers with another one do not connect."""
MAX_MESSAGE = 1 << 20
"""The greatest size of a message in bytes; larger ones end the link. States travel in slices."""
MAX_WAITING = 256
"""The greatest number of packets and messages of a link that wait for the game: later packets are dropped, a later
message ends the link."""
MAX_LINKS = 32
"""The greatest number of links of a host."""
MAX_PENDING = 64
"""The greatest number of connections of a host that have not shown the key yet."""
PENDING_SECONDS = 5.0
"""The time in which a guest has to show the key."""
IDLE_SECONDS = 30.0
"""The time without any packet after which a host forgets a link."""
SILENT_SECONDS = 5.0
"""The time without any packet after which a guest has lost its link."""
RETURN_SECONDS = 60.0
"""The time for which a guest without a link tries to connect again."""
_KEY_SIZE = 64
_CONNECT_SECONDS = 10.0
_CLOSE_SECONDS = 0.05
"""The time in which the other sides are told of the end."""
_WATCH_SECONDS = 0.5
_DATAGRAM_FRAME = 65536
_FLOW = 2 << 20
"""Bytes of streams that may be on their way to a peer without being read, in all and for each stream."""


class _Full(Exception):
    """Too many connections wait for their key."""


class _Server(QuicServer):
    def datagram_received(self, data: bytes | str, addr: Any) -> None:
        try:
            super().datagram_received(data, addr)
        except _Full:
            return


class QuicTransport:
    """A host that listens or a guest; use `listen` or `join`."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._arrived: deque[Arrived] = deque()
        self._waiting: Counter[int] = Counter()
        self._peers: dict[int, Peer] = {}
        self._pending: set[Peer] = set()
        self._numbers = 0
        self._configuration: QuicConfiguration
        self._servers: list[_Server] = []
        self._sockets: list[Any] = []
        self._watch: asyncio.Task[None] | None = None
        self._returning: asyncio.Task[None] | None = None  # asyncio itself holds tasks weakly
        self._keys: list[bytes] = []
        self._is_guest = False
        self._closing = False
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
        certificate, private_key = new_certificate()
        transport._configuration = _configuration(is_client=False)
        transport._configuration.certificate, transport._configuration.private_key = certificate, private_key
        key = new_key()
        transport._keys = [key]

        async def start() -> int:
            endpoint, server = await transport._loop.create_datagram_endpoint(
                lambda: transport._server(retry=True), local_addr=(address, port)
            )
            transport._servers.append(server)
            return int(endpoint.get_extra_info("sockname")[1])

        try:
            bound = transport._call(start())
        except OSError as error:
            transport.close()
            raise LinkError(f"no game can be hosted at {address}:{port}: {error.strerror or error}") from None
        transport.invitation = Invitation(shown or address, bound, fingerprint(der_of(certificate)), key)
        return transport

    def register(self, address: str, port: int) -> None:
        """Let guests come by a relay too; from now on the invitation names it. Raises LinkError.

        When the relay does not answer later, `poll` returns `LOST` for link 0, and `OPENED` when it answers again.
        """
        key = new_key()

        def changed(reason: str) -> None:
            self._put(Arrived(Arrival.LOST if reason else Arrival.OPENED, 0, reason.encode()))

        async def start() -> None:
            relayed = await RelayedSocket.open(address, port, HOST, key, changed)
            server = self._server()
            relayed.attach(server)
            self._servers.append(server)

        self._connect_with(start, f"the relay at {address}:{port}")
        old = self.invitation
        self.invitation = Invitation(address, port, old.fingerprint, old.key, session_of(key))

    def also_accept(self, key: bytes) -> None:
        """Let in who shows this key, as those with the key of the invitation."""
        self._keys.append(key)

    @classmethod
    def join(cls, invitation: Invitation) -> QuicTransport:
        """Return a guest with a link to the host of an invitation. Raises LinkError."""
        transport = cls()
        transport._is_guest = True
        transport.invitation = invitation
        transport._keys = [invitation.key]
        transport._configuration = _configuration(is_client=True)
        transport._configuration.verify_mode = ssl.CERT_NONE  # the fingerprint is checked instead
        transport._connect_with(transport._connect, f"the host at {invitation.address}:{invitation.port}")
        transport._call(transport._begin_watch())
        return transport

    def _connect_with(self, connect: Callable[[], Coroutine[Any, Any, None]], who: str) -> None:
        """Connect within a time, or close everything and raise LinkError."""
        try:
            self._call(asyncio.wait_for(connect(), _CONNECT_SECONDS))
        except LinkError:
            self.close()
            raise
        except RelayError as error:
            self.close()
            raise LinkError(str(error)) from None
        except (OSError, TimeoutError) as error:
            self.close()
            hint = "Is the game still hosted there, and does its firewall let UDP in?"
            reason = f": {error}" if str(error) else ""
            raise LinkError(f"{who} does not answer{reason}", hint=hint) from None

    def _server(self, retry: bool = False) -> _Server:
        return _Server(configuration=self._configuration, create_protocol=self._new_peer, retry=retry)

    def _new_peer(self, *arguments: Any, **options: Any) -> Peer:
        if len(self._pending) >= MAX_PENDING:
            raise _Full
        peer = Peer(self, *arguments, is_guest=not self._is_guest, **options)
        self._pending.add(peer)
        self._loop.call_later(PENDING_SECONDS, self._expire, peer)
        return peer

    def _expire(self, peer: Peer) -> None:
        if peer in self._pending:
            self._pending.discard(peer)
            peer.end("no key came")

    async def _connect(self) -> None:
        """Connect a guest to its host. Raises OSError and LinkError."""
        invitation = self.invitation
        peer = Peer(self, QuicConnection(configuration=self._configuration))
        self._close_sockets()
        try:
            if invitation.session:
                relayed = await RelayedSocket.open(
                    invitation.address, invitation.port, GUEST, invitation.session, self._lose
                )
                self._sockets.append(relayed)
                relayed.attach(peer)
                peer.connect(("relay", 0))
            else:
                endpoint, _ = await self._loop.create_datagram_endpoint(
                    lambda: peer, remote_addr=(invitation.address, invitation.port)
                )
                self._sockets.append(endpoint)
                peer.connect(endpoint.get_extra_info("peername"))
            await peer.admission
        except BaseException:
            peer.admission.cancel()
            self._close_sockets()
            raise

    # A guest's link that is lost

    async def _begin_watch(self) -> None:
        self._watch = self._loop.create_task(self._watch_link())

    async def _watch_link(self) -> None:
        """Notice when the host does not answer any more."""
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            peer = self._peers.get(1)
            if peer is None:
                continue
            silent = self._loop.time() - peer.heard
            if silent > SILENT_SECONDS:
                self._lose(f"no packet from the host for {SILENT_SECONDS:.0f} seconds")
            elif silent > 2 * _WATCH_SECONDS:
                peer.ask()

    def _lose(self, reason: str) -> None:
        """Give up a guest's link, and try to connect again."""
        peer = self._peers.pop(1, None) if reason and not self._closing else None
        if peer is not None:
            peer.end("the guest has lost the link")
            self._put(Arrived(Arrival.LOST, 1, reason.encode()))
            self._returning = self._loop.create_task(self._return(reason))

    async def _return(self, reason: str) -> None:
        until = self._loop.time() + RETURN_SECONDS
        while self._loop.time() < until:
            try:
                await asyncio.wait_for(self._connect(), _CONNECT_SECONDS)
                return
            except LinkError as error:
                reason = str(error)
                break
            except (OSError, TimeoutError) as error:
                reason = str(error) or reason
                await asyncio.sleep(_WATCH_SECONDS)
        self._put(Arrived(Arrival.CLOSED, 1, f"the link is lost: {reason}".encode()))

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

    def send_message(self, link: int, message: bytes, bulk: bool = False) -> None:
        """Send a message, which arrives completely and in order, unless the link ends."""
        self._later(link, lambda peer: peer.send_message(message, bulk))

    def drop(self, link: int, reason: str) -> None:
        """End a link."""
        self._later(link, lambda peer: peer.end(reason))

    def close(self) -> None:
        """End all links and the thread."""
        if not self._thread.is_alive():
            return
        self._call(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _stop(self) -> None:
        self._closing = True
        for peer in [*self._peers.values(), *self._pending]:
            peer.end("the game ended")
        for server in self._servers:
            server.close()
        await asyncio.sleep(_CLOSE_SECONDS)
        self._close_sockets()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)

    def _close_sockets(self) -> None:
        while self._sockets:
            self._sockets.pop().close()

    def _call(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _later(self, link: int, work: Callable[[Peer], None]) -> None:
        peer = self._peers.get(link)
        if peer is not None:
            self._loop.call_soon_threadsafe(work, peer)

    # For the thread of the links

    def handshaken(self, peer: Peer) -> None:
        """A handshake is complete: a guest checks the host and shows its key."""
        if not self._is_guest:
            if len(self._peers) >= MAX_LINKS:
                peer.end("the game is full")
        elif not hmac.compare_digest(fingerprint(peer.certificate()), self.invitation.fingerprint):
            self._refuse(peer, "it is not the one that wrote the invitation")
        else:
            peer.send_message(self._keys[0])

    def message_arrived(self, peer: Peer, message: bytes) -> None:
        """A message arrived; the first one at a host has to be a key, the first one at a guest its digest."""
        if peer.admitted:
            self._store(Arrival.MESSAGE, peer, message)
            return
        wanted = [_digest(key) for key in self._keys] if self._is_guest else self._keys
        key = next((key for key in wanted if hmac.compare_digest(message, key)), None)
        if key is None or peer.admission.done():
            self._refuse(peer, "a wrong key")
            return
        self._numbers = 1 if self._is_guest else self._numbers + 1
        peer.number, peer.admitted = self._numbers, True
        self._pending.discard(peer)
        self._peers[peer.number] = peer
        peer.admission.set_result(None)
        if not self._is_guest:
            peer.send_message(_digest(key))
        self._put(Arrived(Arrival.OPENED, peer.number))

    def _refuse(self, peer: Peer, reason: str) -> None:
        peer.end(reason)
        if self._is_guest and not peer.admission.done():
            peer.admission.set_exception(self._refusal(reason))

    def _refusal(self, reason: str) -> LinkError:
        return LinkError(f"no link to the host at {self.invitation.address}:{self.invitation.port}: {reason}")

    def packet_arrived(self, peer: Peer, packet: bytes) -> None:
        """A datagram arrived."""
        self._store(Arrival.PACKET, peer, packet)

    def _store(self, what: Arrival, peer: Peer, data: bytes) -> None:
        if self._peers.get(peer.number) is not peer:
            return  # the link ended
        if self._waiting[peer.number] < MAX_WAITING:
            self._put(Arrived(what, peer.number, data))
        elif what is Arrival.MESSAGE:
            peer.end("too many messages")

    def _put(self, arrived: Arrived) -> None:
        """Store what arrived until the game asks."""
        self._waiting[arrived.link] += 1
        self._arrived.append(arrived)

    def largest(self, peer: Peer) -> int:
        """Return the greatest size of a message that a peer may send now, in bytes."""
        return MAX_MESSAGE if peer.admitted else _KEY_SIZE

    def ended(self, peer: Peer, reason: str, is_final: bool) -> None:
        """A link ended."""
        self._pending.discard(peer)
        if self._is_guest and not peer.admission.done():
            peer.admission.set_exception(self._refusal(reason) if is_final else ConnectionError(reason))
        elif self._peers.get(peer.number) is peer:
            if self._is_guest and not is_final:
                self._lose(reason)
                return
            del self._peers[peer.number]
            self._put(Arrived(Arrival.CLOSED, peer.number, reason.encode()))


def _digest(key: bytes) -> bytes:
    return hmac.digest(key, b"rish host", hashlib.sha256)


def _configuration(*, is_client: bool) -> QuicConfiguration:
    return QuicConfiguration(
        alpn_protocols=[PROTOCOL], is_client=is_client, max_datagram_frame_size=_DATAGRAM_FRAME,
        idle_timeout=IDLE_SECONDS, max_data=_FLOW, max_stream_data=_FLOW,
        supported_versions=[QuicProtocolVersion.VERSION_1],
    )  # fmt: skip
