"""The packet of inputs."""

from __future__ import annotations

import random

import pytest

from rish_core import InputRecord, WindowEvent
from rish_core.loop import NOTHING
from rish_net.wire.errors import ProtocolError
from rish_net.wire.messages import GAME, kind_of, pack, unpack
from rish_net.wire.packets import DATAGRAM, InputPacket, Span


def some_packet(rng: random.Random, ticks: int = 12) -> InputPacket:
    """Return a packet of random inputs."""

    def record(seat: int) -> InputRecord:
        if rng.random() < 0.7:
            return NOTHING
        return InputRecord((WindowEvent("key", rng.choice("ABC"), rng.random() < 0.5, device=seat),))

    spans = [Span(seat, rng.randrange(9999), [record(seat) for _ in range(rng.randrange(ticks))]) for seat in (1, 2, 5)]
    return InputPacket(rng.randrange(99999), 5, 4, 3, {2: 7, 1: 900}, 60, rng.getrandbits(62), 9, spans)


@pytest.mark.parametrize("seed", range(30))
def test_a_packet_is_read_as_it_was_written(seed: int) -> None:
    """The bytes of a packet give the same packet again."""
    packet = some_packet(random.Random(seed))
    assert InputPacket.from_bytes(packet.to_bytes()) == packet


def test_a_packet_fits_into_a_datagram() -> None:
    """Of more inputs than fit, the earliest ones are sent: the receiver can use them, and gets the others later."""
    packet = some_packet(random.Random(1), ticks=2000)
    data = packet.to_bytes()
    assert len(data) <= DATAGRAM
    for sent, whole in zip(InputPacket.from_bytes(data).spans, packet.spans, strict=True):
        assert (sent.seat, sent.first) == (whole.seat, whole.first)
        assert sent.records == whole.records[: len(sent.records)]
    assert InputPacket.from_bytes(data).spans[0].records


def test_nobody_can_send_bytes_that_fail() -> None:
    """20,000 damaged packets are read or refused with a ProtocolError, whatever was changed in them."""
    rng = random.Random(7)
    refused = 0
    sound = [some_packet(rng).to_bytes() for _ in range(20)]
    for _ in range(20_000):
        data = bytearray(rng.choice(sound))
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if rng.random() < 0.3:
            del data[rng.randrange(len(data)) :]
        try:
            InputPacket.from_bytes(bytes(data))
        except ProtocolError:
            refused += 1
    assert refused > 2000


@pytest.mark.parametrize("message", [b"", b"\0", b"\xff{}"])
def test_messages_of_no_known_kind_are_refused(message: bytes) -> None:
    """The first byte of a message says what it is."""
    with pytest.raises(ProtocolError, match="no known kind"):
        kind_of(message)


@pytest.mark.parametrize("body", [b"", b"[]", b'{"title": 3}', b'{"title": true}', b"[" * 99999, b"\xff" * 2_000_000])
def test_malformed_messages_are_refused(body: bytes) -> None:
    """A message without JSON, of a great size, or with values of other types raises ProtocolError."""
    with pytest.raises(ProtocolError):
        unpack(bytes([GAME]) + body, title=str)


def test_a_message_is_read_as_it_was_written() -> None:
    """Values of a message keep their types."""
    message = pack(GAME, title="Ä", count=3)
    assert kind_of(message) == GAME
    assert unpack(message, title=str, count=int) == {"title": "Ä", "count": 3}
