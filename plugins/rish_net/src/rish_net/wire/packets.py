"""The packet of inputs, which peers send each other many times a second.

A packet contains inputs that the receiver has not confirmed yet, each of them several times in a row, so a lost packet
needs no answer. It also confirms what was received, and carries the sender's tick, two stamps that measure the round
trip, and at times the newest final hash. Ticks are written as differences from the sender's tick.
"""

from __future__ import annotations

from collections.abc import Iterable
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
        for number in (self.tick, self.stamp, self.echo, self.held, self.epoch, self.hash):
            writer.number(number)
        if self.hash:
            writer.near(self.hashed, self.tick)
        _write_seats(writer, self.known)
        for _, tick in sorted(self.known.items()):
            writer.near(tick, self.tick)
        spans = {span.seat: span for span in self.spans}
        _write_seats(writer, spans)
        for index, (_, span) in enumerate(sorted(spans.items())):
            _write_span(writer, span, self.tick, DATAGRAM - 12 * (len(spans) - index - 1))
        return bytes(writer.data)

    @staticmethod
    def from_bytes(data: bytes) -> InputPacket:
        """Return the packet of these bytes. Raises ProtocolError."""
        if len(data) > 2 * DATAGRAM:
            raise ProtocolError(f"a packet of inputs has {len(data)} bytes, and the limit is {2 * DATAGRAM}")
        reader = Reader(data)
        tick, stamp, echo, held, epoch, digest = (reader.number() for _ in range(6))
        hashed = reader.near(tick) if digest else 0
        known = {seat: reader.near(tick) for seat in _read_seats(reader)}
        spans = [_read_span(reader, seat, tick) for seat in _read_seats(reader)]
        reader.end()
        return InputPacket(tick, stamp, echo, held, known, hashed, digest, epoch, spans)


def _write_seats(writer: Writer, seats: Iterable[int]) -> None:
    """Append a set of seats as a number with a bit for each."""
    writer.number(sum(1 << (seat - 1) for seat in seats))


def _read_seats(reader: Reader) -> list[int]:
    """Return a set of seats, ascending."""
    bits = reader.number((1 << MAX_SEATS) - 1)
    return [seat for seat in range(1, MAX_SEATS + 1) if bits >> (seat - 1) & 1]


def _write_span(writer: Writer, span: Span, tick: int, limit: int) -> None:
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
    writer.near(span.first, tick)
    writer.number(2 * count + (filled > 0))
    if filled:
        writer.number(filled)
    writer.data += body.data


def _read_span(reader: Reader, seat: int, tick: int) -> Span:
    first = reader.near(tick, MAX_NUMBER - MAX_SPAN)
    count, has_inputs = divmod(reader.number(2 * MAX_SPAN + 1), 2)
    records = [NOTHING] * count
    past = -1
    for _ in range(reader.number(count) if has_inputs else 0):
        offset = reader.number(count - 1)
        if offset <= past:
            raise ProtocolError("the ticks of a packet are out of order")
        past = offset
        records[offset] = read_input(reader, seat)
    return Span(seat, first, records)
