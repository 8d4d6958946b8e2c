"""The bytes that a tty sends become messages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core import Input
from rish_core.loop.input import check_key
from rish_terminal import keys
from rish_terminal.keys import ALT, CTRL, SHIFT
from rish_terminal.parser import Answer, Focus, Key, Parser, Pasted, Pointer, Typed


def read(data: str | bytes, *, wait: bool = False) -> list[object]:
    """Return the messages of some bytes; wait: with those after the time limit."""
    parser = Parser()
    found = parser.feed(data if isinstance(data, bytes) else data.encode(), 0.0)
    return [*found, *(parser.feed(b"", 1.0) if wait else [])]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("a", [Key("A"), Typed("a")]),
        ("A", [Key("A", SHIFT), Typed("A")]),
        ("7", [Key("KEY_7"), Typed("7")]),
        (" ", [Key("SPACE"), Typed(" ")]),
        ("?", [Key("QUESTION"), Typed("?")]),
        ("é", [Typed("é")]),
        ("字", [Typed("字")]),
        ("\u200c", [Typed("\u200c")]),
        ("\u3000", [Typed("\u3000")]),
        ("\ufdd0", []),
        ("\r", [Key("ENTER")]),
        ("\t", [Key("TAB")]),
        ("\x7f", [Key("BACKSPACE")]),
        ("\x01", [Key("A", CTRL)]),
        ("\x00", [Key("SPACE", CTRL)]),
        ("\x1b[A", [Key("UP")]),
        ("\x1bOD", [Key("LEFT")]),
        ("\x1b[1;2C", [Key("RIGHT", SHIFT)]),
        ("\x1b[1;5H", [Key("HOME", CTRL)]),
        ("\x1b[3~", [Key("DELETE")]),
        ("\x1b[15;3~", [Key("F5", ALT)]),
        ("\x1bOP", [Key("F1")]),
        ("\x1b[[B", [Key("F2")]),
        ("\x1b[Z", [Key("TAB", SHIFT)]),
        ("\x1bOq", [Key("NUM_1")]),
        ("\x1bx", [Key("X", ALT)]),
        ("\x1b[I\x1b[O", [Focus(True), Focus(False)]),
        ("\x1b[?31u", [Answer("kitty")]),
        ("\x1b[?0u", []),
        ("\x1b[?62;4c", [Answer("here")]),
        ("\x1b[0n", [Answer("ready")]),
        ("\x1bP1$r48:2::1:2:3m\x1b\\", [Answer("true")]),
        ("\x1bP1$r0;48;2;1;2;3m\x1b\\", [Answer("true")]),
        ("\x1bP1$r0;48;5;16m\x1b\\", []),
        ("\x1bP0$r\x1b\\", []),
    ],
)
def test_what_every_terminal_sends(data: str, expected: list[object]) -> None:
    """The parser reads keys with their modifiers, text, focus and answers."""
    assert read(data) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("\x1b[97;1:1;97u", [Key("A"), Typed("a")]),
        ("\x1b[97;2:1;65u", [Key("A", SHIFT), Typed("A")]),
        ("\x1b[97;1:2;97u", [Key("A", 0, "repeat"), Typed("a")]),
        ("\x1b[97;1:3u", [Key("A", 0, "release")]),
        ("\x1b[1092::97;1:1;1092u", [Key("A"), Typed("ф")]),
        ("\x1b[128104;;128104:8205:128105:7:55296u", [Typed("👨\u200d👩")]),
        ("\x1b[99;5u", [Key("C", CTRL)]),
        ("\x1b[1;1:3D", [Key("LEFT", 0, "release")]),
        ("\x1b[5;1:2~", [Key("PAGEUP", 0, "repeat")]),
        ("\x1b[57441;2:1u", [Key("LSHIFT", SHIFT)]),
        ("\x1b[57400;1:3u", [Key("NUM_1", 0, "release")]),
        ("\x1b[27u", [Key("ESCAPE")]),
        ("\x1b[13;1:1u", [Key("ENTER")]),
    ],
)
def test_what_the_kitty_protocol_adds(data: str, expected: list[object]) -> None:
    """The parser reads the kitty protocol: releases, repeats, text, key positions of other layouts."""
    assert read(data) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("\x1b[<0;5;7M", Pointer(4, 6, "mouse.left", True)),
        ("\x1b[<0;5;7m", Pointer(4, 6, "mouse.left", False)),
        ("\x1b[<2;1;1M", Pointer(0, 0, "mouse.right", True)),
        ("\x1b[<35;9;3M", Pointer(8, 2)),
        ("\x1b[<32;9;3M", Pointer(8, 2)),
        ("\x1b[<64;9;3M", Pointer(8, 2, wheel=(0, 1))),
        ("\x1b[<81;9;3M", Pointer(8, 2, wheel=(0, -1))),
        ("\x1b[<128;9;3M", Pointer(8, 2, "mouse.back", True)),
    ],
)
def test_the_mouse(data: str, expected: object) -> None:
    """Mouse messages have cells from 0, buttons and the wheel, with any modifiers."""
    assert read(data) == [expected]


def test_escape_is_a_key_when_nothing_follows() -> None:
    """A lone escape is a key after a short time, since a sequence may arrive in pieces."""
    parser = Parser()
    assert parser.feed(b"\x1b", 5.0) == []
    assert parser.feed(b"", 5.01) == []
    assert parser.feed(b"", 5.1) == [Key("ESCAPE")]
    assert read("\x1b\x1b[A") == [Key("ESCAPE"), Key("UP")]
    assert read("\x1b[", wait=True) == [Key("BRACKETLEFT", ALT)]


@pytest.mark.parametrize("data", ["\x1b[1;2A", "\x1b[<0;12;34M", "字", "\x1bP1$r48;2;1;2;3m\x1b\\", "\x1b[97;1:3u"])
def test_pieces_of_any_size_say_the_same(data: str) -> None:
    """Input in single bytes gives the same messages."""
    parser = Parser()
    pieces = [message for byte in data.encode() for message in parser.feed(bytes([byte]), 0.0)]
    assert pieces == read(data)


def test_pasted_text_is_one_text() -> None:
    """A paste is one text without control characters, however it is split, and the input after it is read."""
    pasted = b"a\x1b[200~rm -rf\r\n\xc3\xa9\x1b[A\x03\x1b[201~b"
    assert read(pasted) == [Key("A"), Typed("a"), Pasted("rm -rf\né[A"), Key("B"), Typed("b")]
    assert read(b"\x1b[200~\x1b[201~b") == [Key("B"), Typed("b")]
    persian = "می\u200cخواهم\t1\u202f000\u3000👨\u200d👩"
    assert read(f"\x1b[200~{persian}\x1b[201~") == [Pasted(persian)]
    assert read(b"\x1b[200~" + b"x" * 70_000 + b"\x1b[201~") == [Pasted("x" * 65_536)]
    parser = Parser()
    found = [message for byte in pasted for message in parser.feed(bytes([byte]), 0.0)]
    assert found == read(pasted)


def test_a_paste_that_never_ends_is_given_up() -> None:
    """An unfinished paste is abandoned; text that arrives much later is read as typed."""
    parser = Parser()
    assert parser.feed(b"\x1b[200~abc", 0.0) == []
    assert parser.feed(b"d", 5.0)[-1:] == [Typed("d")]


@settings(max_examples=long(200, 40), deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=12), st.sampled_from([b"\x1b[", b"\x1b", b"\x1bP", b";", b"9" * 300]))))
@pytest.mark.slow
def test_nothing_that_arrives_raises(pieces: list[bytes]) -> None:
    """Random bytes raise nothing, give only keys that exist, and always end."""
    parser = Parser()
    for number, piece in enumerate(pieces):
        for message in parser.feed(piece, number * 0.02):
            assert not isinstance(message, Key) or check_key(message.name)
    parser.feed(b"", 1e6)
    assert parser.feed(b"z", 2e6)[-1:] == [Typed("z")]


def test_half_a_character_after_an_escape_is_given_up() -> None:
    """An incomplete character after an escape is dropped, and the keys after it are read."""
    parser = Parser()
    assert parser.feed(b"\x1b\xc3", 0.0) == []
    assert parser.feed(b"", 1.0) == []
    assert parser.feed(b"z", 2.0) == [Key("Z"), Typed("z")]


def test_endless_sequences_are_given_up() -> None:
    """A sequence without an end is dropped, and the keys after it are read."""
    for noise in (b"\x1b]" + b"0" * 5000, b"\x1bPxxxx", b"\x1b[1;2;"):
        parser = Parser()
        assert parser.feed(noise, 0.0) == []
        assert parser.feed(b"", 1.0) == []
        assert parser.feed(b"a", 2.0) == [Key("A"), Typed("a")]


def test_every_name_is_a_key_of_the_kernel() -> None:
    """Every key name of the parser exists in the kernel; an unknown one would be lost."""
    tables = (keys.CHARACTERS, keys.FINALS, keys.PAD_FINALS, keys.NUMBERED, keys.PRIVATE, keys.BUTTONS)
    for table in tables:
        for name in table.values():
            assert check_key(name), name
    assert all(Input().knows(name) for _, name in keys.MODIFIERS)
