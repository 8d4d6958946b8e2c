"""The relay, without sockets."""

from __future__ import annotations

import random

from rish_net.relay.client import PING_SECONDS, SILENT_SECONDS, RelayClient
from rish_net.relay.packets import (
    CHANNEL,
    COOKIE,
    DATA,
    GUEST,
    HELLO_BYTES,
    HOST,
    KEY_BYTES,
    OPEN,
    REASONS,
    UNKNOWN,
    hello,
    session_of,
)  # fmt: skip
from rish_net.relay.relay import COOKIE_SECONDS, Address, Relay, RelayLimits

KEY = bytes(range(KEY_BYTES))
SESSION = session_of(KEY)
HOST_AT: Address = ("10.0.0.1", 1000)


def talk(relay: Relay, client: RelayClient, address: Address, now: float = 0.0) -> None:
    """Exchange packets of a client and the relay until neither has one to send."""
    for _ in range(4):
        for packet in client.due(now):
            for answer, to in relay.receive(packet, address, now):
                assert to == address
                client.receive(answer, now)


def opened(relay: Relay, role: int, key: bytes, address: Address, now: float = 0.0) -> RelayClient:
    """Return a client that said hello."""
    client = RelayClient(role, key, now)
    talk(relay, client, address, now)
    return client


def guest_at(number: int) -> Address:
    """Return an address of its own for a guest."""
    return f"10.0.{number // 200}.{2 + number % 200}", 2000


def test_packets_pass_unchanged() -> None:
    """What guests and host send each other arrives as it was; guests of one session are told apart."""
    relay = Relay()
    host = opened(relay, HOST, KEY, HOST_AT)
    guests = [opened(relay, GUEST, SESSION, guest_at(number)) for number in range(3)]
    for number, guest in enumerate(guests):
        packet = bytes([number]) * 1200
        [(there, to)] = relay.receive(guest.data(packet), guest_at(number), 0.0)
        assert to == HOST_AT
        arrived = host.receive(there, 0.0)
        assert arrived is not None
        assert arrived[1] == packet
        [(back, to)] = relay.receive(host.data(b"answer", arrived[0]), HOST_AT, 0.0)
        assert to == guest_at(number)
        assert guest.receive(back, 0.0) == (0, b"answer")


def test_an_address_that_did_not_answer_gets_no_more_than_it_sent() -> None:
    """Nothing that the relay sends to an address without a cookie is larger than what it sent, nor more packets."""
    relay, rng = Relay(), random.Random(1)
    opened(relay, HOST, KEY, HOST_AT)
    packets = [hello(GUEST, SESSION), hello(HOST, KEY), bytes([3]), bytes([4])]
    packets += [rng.randbytes(rng.randrange(1, 1500)) for _ in range(500)]
    for packet in packets:
        for kind in range(256):
            data = bytes([kind]) + packet[1:]
            answers = relay.receive(data, ("10.9.9.9", 9), 0.0)
            assert all(to == ("10.9.9.9", 9) for _, to in answers)
            assert sum(len(answer) for answer, _ in answers) <= len(data)


def test_a_cookie_is_of_one_address_and_one_time() -> None:
    """A cookie of another address, or an old one, opens nothing."""
    relay = Relay()
    opened(relay, HOST, KEY, HOST_AT)
    [(answer, _)] = relay.receive(hello(GUEST, SESSION), guest_at(0), 0.0)
    cookie = answer[1:]
    for address, now in ((guest_at(1), 0.0), (("10.0.0.2", 2001), 0.0), (guest_at(0), 2 * COOKIE_SECONDS)):
        assert relay.receive(hello(GUEST, SESSION, cookie), address, now)[0][0][0] == COOKIE
    assert relay.receive(hello(GUEST, SESSION, cookie), guest_at(0), COOKIE_SECONDS)[0][0][0] == OPEN


def test_nobody_takes_the_session_of_another_host() -> None:
    """Who knows a session, as each guest does, can't register it; the host can, from another address too."""
    relay = Relay()
    opened(relay, HOST, KEY, HOST_AT)
    guest = opened(relay, GUEST, SESSION, guest_at(0))
    opened(relay, HOST, SESSION, ("10.0.7.7", 7))
    assert relay.receive(guest.data(b"packet"), guest_at(0), 0.0)[0][1] == HOST_AT
    opened(relay, HOST, KEY, ("10.0.8.8", 8))
    assert relay.receive(guest.data(b"packet"), guest_at(0), 0.0)[0][1] == ("10.0.8.8", 8)


def test_numbers_are_limited() -> None:
    """A relay has a greatest number of sessions, of guests in each, and of both from one address; it says which."""
    relay = Relay(RelayLimits(sessions=3, guests=4, each=2))
    hosts = [opened(relay, HOST, bytes([n]) * KEY_BYTES, ("10.0.0.1", n)) for n in range(3)]
    assert [host.is_open for host in hosts] == [True, True, False]
    assert hosts[2].refused == REASONS[3]
    opened(relay, HOST, KEY, ("10.0.0.3", 1))
    assert opened(relay, HOST, bytes([9]) * KEY_BYTES, ("10.0.0.4", 1)).refused == REASONS[1]
    assert [opened(relay, GUEST, SESSION, ("10.1.0.1", n)).is_open for n in range(3)] == [True, True, False]
    assert [opened(relay, GUEST, SESSION, guest_at(n)).refused for n in range(3)] == ["", "", REASONS[2]]
    assert opened(relay, GUEST, bytes(KEY_BYTES), guest_at(50)).refused == REASONS[0]


def test_rates_are_limited() -> None:
    """A guest that floods loses its own packets, and the others' pass."""
    relay = Relay(RelayLimits(rate=10_000, burst=20_000))
    opened(relay, HOST, KEY, HOST_AT)
    flood, calm = (opened(relay, GUEST, SESSION, guest_at(number)) for number in range(2))
    passed = sum(len(relay.receive(flood.data(bytes(1000)), guest_at(0), 0.0)) for _ in range(100))
    assert passed == 19
    assert relay.dropped == 81
    assert relay.receive(calm.data(bytes(1000)), guest_at(1), 0.0)
    assert relay.receive(flood.data(bytes(1000)), guest_at(0), 1.0)


def test_who_is_silent_is_forgotten() -> None:
    """A session ends with its host, and a guest whose host has gone is told when it sends."""
    relay = Relay(RelayLimits(idle=30))
    host = opened(relay, HOST, KEY, HOST_AT)
    guest = opened(relay, GUEST, SESSION, guest_at(0))
    relay.receive(guest.data(b"packet"), guest_at(0), 20.0)
    relay.expire(31.0)
    assert not relay.sessions
    assert not relay.guests
    [(answer, _)] = relay.receive(guest.data(b"packet"), guest_at(0), 32.0)
    assert answer == bytes([UNKNOWN])
    guest.receive(answer, 32.0)
    talk(relay, guest, guest_at(0), 33.0)
    assert guest.refused == REASONS[0]
    host.receive(answer, 33.0)
    talk(relay, host, HOST_AT, 34.0)
    talk(relay, guest, guest_at(0), 36.0)
    assert guest.is_open  # the session has the same name again


def test_a_relay_that_does_not_answer_is_noticed() -> None:
    """A client asks after two seconds without a packet, and knows after four and a half."""
    relay = Relay()
    host = opened(relay, HOST, KEY, HOST_AT)
    assert host.due(PING_SECONDS - 0.1) == []
    assert len(host.due(PING_SECONDS + 0.1)) == 1
    assert not host.is_silent(SILENT_SECONDS)
    assert host.is_silent(SILENT_SECONDS + 0.1)
    assert len(host.due(SILENT_SECONDS + 0.1)[0]) == HELLO_BYTES


def test_a_relay_stays_small() -> None:
    """Thousands of random packets from thousands of addresses leave nothing behind, and no packet of theirs arrives."""
    relay, rng = Relay(), random.Random(2)
    opened(relay, HOST, KEY, HOST_AT)
    opened(relay, GUEST, SESSION, guest_at(0))
    for number in range(5000):
        data = bytes([rng.randrange(12)]) + rng.randbytes(rng.randrange(1600))
        address = f"10.2.{rng.randrange(256)}.{rng.randrange(256)}", number
        assert all(to == address for _, to in relay.receive(data, address, number / 1000))
    for data in (CHANNEL.pack(DATA, 7) + b"packet", bytes([DATA]), CHANNEL.pack(DATA, 1)):
        assert relay.receive(data, HOST_AT, 5.0) == []
    assert (len(relay.sessions), relay.guests) == (1, 1)
