"""Links over QUIC, on this machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rish_net.links import peer, quic
from rish_net.links.errors import LinkError
from rish_net.links.link import Arrival, Arrived
from rish_net.links.quic import QuicTransport

Wait = Callable[[QuicTransport, Arrival], Arrived]


def test_packets_and_messages_arrive(host: QuicTransport, wait_for: Wait) -> None:
    """A guest with the invitation gets a link; packets and large messages arrive in both directions."""
    guest = QuicTransport.join(host.invitation)
    link = wait_for(host, Arrival.OPENED).link
    guest.send(1, b"packet")
    assert wait_for(host, Arrival.PACKET) == Arrived(Arrival.PACKET, link, b"packet")
    state = bytes(range(256)) * 2000
    host.send_message(link, state, bulk=True)
    assert wait_for(guest, Arrival.MESSAGE).data == state
    host.send(link, b"answer")
    assert wait_for(guest, Arrival.PACKET).data == b"answer"
    guest.close()
    assert wait_for(host, Arrival.CLOSED) == Arrived(Arrival.CLOSED, link, b"the game ended")


def test_nobody_comes_in_without_the_key(host: QuicTransport) -> None:
    """A guest with another key gets nothing, and the host does not notice it."""
    with pytest.raises(LinkError, match="a wrong key"):
        QuicTransport.join(replace(host.invitation, key=bytes(16)))
    assert not host.poll()


def test_a_guest_talks_to_no_other_host(host: QuicTransport) -> None:
    """A host without the certificate of the invitation does not get the key."""
    with pytest.raises(LinkError, match="not the one that wrote the invitation"):
        QuicTransport.join(replace(host.invitation, fingerprint=bytes(32)))
    assert not host.poll()


def test_a_host_proves_that_it_has_the_key(host: QuicTransport, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that lets everybody in, without the key, is left by the guest."""
    monkeypatch.setattr("hmac.compare_digest", lambda one, other: len(one) == len(other))
    monkeypatch.setattr(quic, "_digest", lambda key: b"?" * (31 + (key == host.invitation.key)))
    with pytest.raises(LinkError, match="a wrong key"):
        QuicTransport.join(replace(host.invitation, key=bytes(16)))


def test_a_port_that_is_in_use(host: QuicTransport) -> None:
    """Two hosts on one port are an error that names it."""
    with pytest.raises(LinkError, match=str(host.invitation.port)):
        QuicTransport.listen(port=host.invitation.port)


def test_connections_without_a_key_are_few(host: QuicTransport, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host with too many connections that did not show the key takes no more, until they have."""
    monkeypatch.setattr(quic, "MAX_PENDING", 0)
    monkeypatch.setattr(quic, "_CONNECT_SECONDS", 0.3)
    with pytest.raises(LinkError, match="does not answer"):
        QuicTransport.join(host.invitation)
    monkeypatch.setattr(quic, "MAX_PENDING", 1)
    monkeypatch.setattr(quic, "_CONNECT_SECONDS", 10)
    QuicTransport.join(host.invitation).close()


@pytest.mark.slow
def test_a_guest_that_floods_is_cut(host: QuicTransport, wait_for: Wait, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many packets, too much data or a message that is too large end the link of a guest, and no other one."""
    monkeypatch.setattr(peer, "MAX_PACKETS", 10.0)  # a busy machine sends few packets in a second
    monkeypatch.setattr(peer, "MAX_BYTES", 1e3)
    monkeypatch.setattr(peer, "MAX_BURST", 200_000)
    calm = QuicTransport.join(host.invitation)
    calm_link = wait_for(host, Arrival.OPENED).link
    for reason in ("too many packets", "too much data", "a message is too large"):
        guest = QuicTransport.join(host.invitation)
        wait_for(host, Arrival.OPENED)
        if reason == "too many packets":
            for _ in range(200):
                guest.send(1, b"packet")
        elif reason == "too much data":
            for _ in range(4):
                guest.send_message(1, bytes(100_000))
        else:
            guest.send_message(1, bytes(quic.MAX_MESSAGE + 1))
        assert wait_for(host, Arrival.CLOSED).data.decode() in (reason, "too many messages")
        guest.close()
    calm.send(1, b"packet")
    assert wait_for(host, Arrival.PACKET) == Arrived(Arrival.PACKET, calm_link, b"packet")
    calm.close()
