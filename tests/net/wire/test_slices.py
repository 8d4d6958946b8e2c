"""States in slices."""

from __future__ import annotations

import random
import struct
import zlib

import pytest

from rish_history import MAX_STATE
from rish_net.wire.errors import ProtocolError
from rish_net.wire.slices import SLICE, IncomingState, OutgoingState

STATE = random.Random(1).randbytes(SLICE) * 2 + bytes(SLICE) + b"end"


@pytest.mark.parametrize("size", [1, SLICE - 1, SLICE, SLICE + 1, len(STATE)])
def test_slices_give_the_state_again(size: int) -> None:
    """A state of any size arrives as it was, in slices that are each smaller than a message may be."""
    outgoing, incoming = OutgoingState(STATE[:size]), IncomingState("a", size)
    while not incoming.is_complete:
        message = outgoing.next()
        assert len(message) < SLICE + 200
        incoming.add(message)
        outgoing.take(len(incoming.data))
    assert incoming.data == STATE[:size]
    assert outgoing.is_taken


def test_a_state_goes_on_after_a_cut() -> None:
    """What was on its way when the link was cut is sent again, and nothing else."""
    outgoing, incoming = OutgoingState(STATE), IncomingState("a", len(STATE))
    incoming.add(outgoing.next())
    outgoing.next()
    outgoing.resume(len(incoming.data))
    rest = [outgoing.next() for _ in range(3)]
    for message in rest:
        incoming.add(message)
    assert incoming.data == STATE


@pytest.mark.parametrize("size", [0, -1, MAX_STATE + 1, 1 << 62])
def test_a_state_is_not_larger_than_a_save_game(size: int) -> None:
    """A state of an impossible size is refused before any of it is stored."""
    with pytest.raises(ProtocolError, match="are the most"):
        IncomingState("a", size)


@pytest.mark.parametrize(
    "body",
    [
        zlib.compress(bytes(1000 * SLICE), 9),
        zlib.compress(bytes(SLICE - 1)),
        zlib.compress(bytes(SLICE))[:-4],
        zlib.compress(bytes(SLICE)) + b"more",
        b"",
        b"no zlib",
    ],
)
def test_a_slice_that_is_a_bomb(body: bytes) -> None:
    """A slice that unpacks to more or less than it should, or not at all, is refused; no more than that is unpacked."""
    incoming = IncomingState("a", 10 * SLICE)
    with pytest.raises(ProtocolError, match="a slice of a state"):
        incoming.add(struct.pack("<BI", 4, 0) + body)
    assert not incoming.data


def test_slices_are_taken_in_order() -> None:
    """A slice that was left out, or comes twice, is refused."""
    outgoing, incoming = OutgoingState(STATE), IncomingState("a", len(STATE))
    first, second = outgoing.next(), outgoing.next()
    with pytest.raises(ProtocolError, match="not the next one"):
        incoming.add(second)
    incoming.add(first)
    for message in (first, b"", b"\4"):
        with pytest.raises(ProtocolError, match="not the next one"):
            incoming.add(message)


@pytest.mark.parametrize("count", [-1, 5, SLICE + 1, 2 * SLICE])
def test_nobody_has_more_than_was_sent(count: int) -> None:
    """A guest that says that it has what was not sent, or part of a slice, is refused."""
    outgoing = OutgoingState(STATE)
    outgoing.next()
    with pytest.raises(ProtocolError):
        outgoing.resume(count)
    with pytest.raises(ProtocolError):
        outgoing.take(count if count != 5 else SLICE + 5)
