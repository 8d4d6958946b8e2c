"""Links over QUIC, on this machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from rish_net.links.link import Arrival, Arrived
from rish_net.links.quic import LinkError, QuicTransport

SECONDS = 10.0


@pytest.fixture
def host() -> Iterator[QuicTransport]:
    """A host that listens on this machine only."""
    transport = QuicTransport.listen()
    yield transport
    transport.close()


def wait_for(transport: QuicTransport, what: Arrival) -> Arrived:
    """Return the first thing of a kind that arrives."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        for arrived in transport.poll():
            if arrived.what is what:
                return arrived
        time.sleep(0.005)
    raise AssertionError(f"{what} did not arrive")


def test_packets_and_messages_arrive(host: QuicTransport) -> None:
    """A guest with the invitation gets a link; packets and large messages arrive in both directions."""
    guest = QuicTransport.join(host.invitation)
    link = wait_for(host, Arrival.OPENED).link
    guest.send(1, b"packet")
    assert wait_for(host, Arrival.PACKET) == Arrived(Arrival.PACKET, link, b"packet")
    state = bytes(range(256)) * 2000
    host.send_message(link, state)
    assert wait_for(guest, Arrival.MESSAGE).data == state
    host.send(link, b"answer")
    assert wait_for(guest, Arrival.PACKET).data == b"answer"
    guest.close()
    assert wait_for(host, Arrival.CLOSED) == Arrived(Arrival.CLOSED, link, b"the game ended")


def test_nobody_comes_in_without_the_key(host: QuicTransport) -> None:
    """A guest with another key gets nothing, and the host does not notice it."""
    guest = QuicTransport.join(replace(host.invitation, key=bytes(16)))
    assert wait_for(guest, Arrival.CLOSED).data == b"a wrong key"
    assert not host.poll()
    guest.close()


def test_a_guest_talks_to_no_other_host(host: QuicTransport) -> None:
    """A host without the certificate of the invitation does not get the key."""
    with pytest.raises(LinkError, match="not the one that wrote the invitation"):
        QuicTransport.join(replace(host.invitation, fingerprint=bytes(32)))
    assert not host.poll()


def test_a_port_that_is_in_use(host: QuicTransport) -> None:
    """Two hosts on one port are an error that names it."""
    with pytest.raises(LinkError, match=str(host.invitation.port)):
        QuicTransport.listen(port=host.invitation.port)
