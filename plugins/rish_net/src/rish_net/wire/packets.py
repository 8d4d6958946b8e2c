"""The packet of inputs, which peers send each other many times a second.

Every packet contains all inputs that the receiver has not confirmed yet, so a lost packet needs no answer. It also
confirms what was received, and carries the sender's tick, two stamps that measure the round trip, and the newest final
hash.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rish_core import InputRecord
from rish_core.loop import NOTHING

from .errors import ProtocolError
from .inputs import read_input, write_input
from .reader import MAX_NUMBER, Reader, Writer

MAX_SEATS = 8
"""The greatest number of players."""
MAX_SPAN = 1024
"""The greatest number of ticks of a seat in a packet."""
DATAGRAM = 1100
"""The greatest size of a packet; QUIC sends 1,200 bytes without fragments on any network."""
_HEAD = 16
"""The greatest size of the head of a span."""


@dataclass
class Span:
    """Inputs of a seat: `records` of the ticks from `first` on."""

    seat: int
    first: int
    records: list[InputRecord]


@dataclass
class InputPacket:
    """A packet of inputs.

    tick: that the sender runs next. stamp: the sender's time in milliseconds. echo, held: the newest stamp that the
    sender received, and for how many milliseconds it had it. known: by seat, the first tick that the sender has no
    input of. hashed, hash: the tick of the sender's newest final hash, and 63 bits of it; 0, 0 for none. epoch: how
    many states the host has sent to the guest of this link: ticks of different states are not comparable.
    """

    tick: int
    stamp: int
    echo: int = 0
    held: int = 0
    known: dict[int, int] = field(default_factory=dict[int, int])
    hashed: int = 0
    hash: int = 0
    epoch: int = 0
    spans: list[Span] = field(default_factory=list[Span])

    def to_bytes(self) -> bytes:
        """Return the packet as at most `DATAGRAM` bytes: inputs that do not fit are left out, latest first."""
        writer = Writer()
        head = self.tick, self.stamp, self.echo, self.held, self.hashed, self.hash, self.epoch
        for number in (*head, len(self.known)):
            writer.number(number)
        for seat, tick in sorted(self.known.items()):
            writer.number(seat)
            writer.number(tick)
        writer.number(len(self.spans))
        for index, span in enumerate(self.spans):
            _write_span(writer, span, DATAGRAM - 12 * (len(self.spans) - index - 1))
        return bytes(writer.data)

    @staticmethod
    def from_bytes(data: bytes) -> InputPacket:
        """Return the packet of these bytes. Raises ProtocolError."""
        if len(data) > 2 * DATAGRAM:
            raise ProtocolError(f"a packet of inputs has {len(data)} bytes, and the limit is {2 * DATAGRAM}")
        reader = Reader(data)
        tick, stamp, echo, held, hashed, digest, epoch = (reader.number() for _ in range(7))
        known: dict[int, int] = {}
        for _ in range(reader.number(MAX_SEATS)):
            seat = _seat(reader)
            known[seat] = reader.number()
        spans = [_read_span(reader) for _ in range(reader.number(MAX_SEATS))]
        reader.end()
        return InputPacket(tick, stamp, echo, held, known, hashed, digest, epoch, spans)


def _write_span(writer: Writer, span: Span, limit: int) -> None:
    """Append as many of a span's ticks as fit below `limit` bytes: their number, and each input with its tick."""
    body, filled = Writer(), 0
    count = min(len(span.records), MAX_SPAN)
    for offset, record in enumerate(span.records[:count]):
        if record.events:
            size = len(body.data)
            body.number(offset)
            write_input(body, record)
            if len(writer.data) + len(body.data) + _HEAD > limit:
                del body.data[size:]
                count = offset
                break
            filled += 1
    for number in (span.seat, span.first, count, filled):
        writer.number(number)
    writer.data += body.data


def _read_span(reader: Reader) -> Span:
    seat, first = _seat(reader), reader.number(MAX_NUMBER - MAX_SPAN)
    count = reader.number(MAX_SPAN)
    records = [NOTHING] * count
    past = -1
    for _ in range(reader.number(count)):
        offset = reader.number(count - 1)
        if offset <= past:
            raise ProtocolError("the ticks of a packet are out of order")
        past = offset
        records[offset] = read_input(reader, seat)
    return Span(seat, first, records)


def _seat(reader: Reader) -> int:
    seat = reader.number(MAX_SEATS)
    if not seat:
        raise ProtocolError("a packet names seat 0, and seats begin with 1")
    return seat
