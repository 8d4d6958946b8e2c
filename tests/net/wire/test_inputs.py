"""The input of a tick as bytes."""

from __future__ import annotations

import random

import pytest

from rish_core import InputRecord, WindowEvent
from rish_core.loop import KEY_NAMES
from rish_net.wire.errors import ProtocolError
from rish_net.wire.inputs import KINDS, MAX_EVENTS, read_input, rounded, write_input
from rish_net.wire.reader import Reader, Writer


def written(record: InputRecord) -> bytes:
    """Return the bytes of a record."""
    writer = Writer()
    write_input(writer, record)
    return bytes(writer.data)


def some_event(rng: random.Random) -> WindowEvent:
    """Return an event with random fields."""
    return WindowEvent(
        rng.choice(KINDS), rng.choice([*KEY_NAMES, "", "Clicked options.back", "größe"]), rng.random() < 0.5,
        rng.choice([0.0, rng.uniform(-2000, 2000)]), rng.uniform(0, 900), rng.choice([0.0, -1.0, rng.random()]),
        rng.choice(["", "a", "漢字" * 4]), device=rng.randrange(9), touch=rng.randrange(4), start=rng.randrange(3),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(50))
def test_all_peers_use_the_same_bits(seed: int) -> None:
    """What another peer reads is exactly the record that the sender uses itself."""
    rng = random.Random(seed)
    own = rounded(InputRecord(tuple(some_event(rng) for _ in range(rng.randrange(12)))), 3)
    reader = Reader(written(own))
    assert repr(read_input(reader, 3)) == repr(own)
    assert not reader.left


def test_events_that_others_do_not_need_are_left_out() -> None:
    """The size and focus of a window and the connection of a gamepad stay on their machine."""
    events = [WindowEvent(kind) for kind in ("resize", "focus", "gamepad_connected", "close")]
    assert rounded(InputRecord((*events, WindowEvent("key", "A", True))), 2).events == (
        WindowEvent("key", "A", True, device=2),
    )


def test_a_tick_has_limits() -> None:
    """A tick with too many events is cut by its own peer, and refused from others."""
    many = InputRecord(tuple(WindowEvent("key", "A", True) for _ in range(MAX_EVENTS + 5)))
    assert len(rounded(many, 1).events) <= MAX_EVENTS
    with pytest.raises(ProtocolError, match=f"the limit is {MAX_EVENTS}"):
        written(many)
    long = InputRecord(tuple(WindowEvent("text", text="x" * 250) for _ in range(9)))
    written(rounded(long, 1))
    with pytest.raises(ProtocolError, match="bytes"):
        written(long)


def test_long_texts_are_cut_at_a_character() -> None:
    """A pasted text is cut to the limit, and is still text."""
    text = rounded(InputRecord((WindowEvent("paste", text="é" * 200),)), 1).events[0].text
    assert text == "é" * 128
