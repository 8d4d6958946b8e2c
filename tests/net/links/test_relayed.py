"""Links by a relay, on this machine."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from rish_net.links.errors import LinkError
from rish_net.links.link import Arrival, Arrived
from rish_net.links.quic import QuicTransport
from rish_net.relay.relay import Relay

Wait = Callable[[QuicTransport, Arrival], Arrived]
RelayOn = Callable[..., AbstractContextManager[tuple[Relay, int]]]


@pytest.mark.slow
def test_a_relay_that_ends_and_begins_again(host: QuicTransport, wait_for: Wait, relay_on: RelayOn) -> None:
    """Guests come by the relay that the invitation names. When it ends, both sides are told which one does not answer;
    when it begins again, host and guest are linked again, and the guest's link has the same number.
    """
    with relay_on() as (_, port):
        host.register("127.0.0.1", port)
        guest = QuicTransport.join(host.invitation)
        wait_for(host, Arrival.OPENED)
        state = bytes(range(256)) * 1000
        guest.send_message(1, state)
        assert wait_for(host, Arrival.MESSAGE).data == state
    reason = f"the relay at 127.0.0.1:{port} does not answer"
    assert wait_for(guest, Arrival.LOST) == Arrived(Arrival.LOST, 1, reason.encode())
    assert wait_for(host, Arrival.LOST) == Arrived(Arrival.LOST, 0, reason.encode())
    with relay_on(port):
        assert wait_for(guest, Arrival.OPENED).link == 1
        guest.send(1, b"packet")
        assert wait_for(host, Arrival.PACKET).data == b"packet"
        host.close()
        assert wait_for(guest, Arrival.CLOSED).data == b"the game ended"
        guest.close()


@pytest.mark.slow
def test_a_relay_that_is_not_there(host: QuicTransport, relay_on: RelayOn) -> None:
    """A host that can't register says so; a guest whose host has left learns it from the relay."""
    with relay_on() as (_, port):
        host.register("127.0.0.1", port)
        host.close()
        with pytest.raises(LinkError, match="the host has left"):
            QuicTransport.join(host.invitation)
    other = QuicTransport.listen()
    with pytest.raises(LinkError, match=f"the relay at 127.0.0.1:{port} does not answer"):
        other.register("127.0.0.1", port)
