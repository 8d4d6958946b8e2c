"""Texts for messages: what a name or an exception contains never reaches a terminal, and asking for it never fails."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_ecs import Place, Problem, UnknownName, describe_error, message_of, printable, repr_of, text_of

TURNS = ("RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI", "FSI", "PDI")
ANY = st.text(st.characters(exclude_categories=()))


@given(ANY, st.booleans())
def test_a_printable_text_controls_no_terminal(text: str, one_line: bool) -> None:
    """No control characters, lone surrogates or changes of direction are left; it is stable and can be encoded."""
    shown = printable(text, one_line=one_line)
    shown.encode("utf-8")
    kept = "" if one_line else "\n\t"
    assert all(unicodedata.category(each) not in ("Cc", "Cs", "Zl", "Zp") or each in kept for each in shown)
    assert not any(
        unicodedata.bidirectional(each) in ("RLO", "LRO", "RLE", "LRE", "RLI", "LRI", "FSI") for each in shown
    )
    assert printable(shown, one_line=one_line) == shown


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs", "M"))))
def test_a_harmless_text_stays_as_it_is(text: str) -> None:
    """Letters, marks, digits, signs and spaces of all scripts are shown as they are."""
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("a\x9b31m", r"a\x9b31m"),
        ("gnp\u202e.exe", r"gnp\u202e.exe"),
        ("a\rb", r"a\rb"),
        ("caf\udcc3\udca9", "café"),
        ("\udcff.png", r"\xff.png"),
        ("\ud800", r"\ud800"),
        ("👨‍👩‍👧 a\nb", "👨‍👩‍👧 a\nb"),
    ],
)
def test_what_is_escaped_is_readable(text: str, shown: str) -> None:
    """Escapes are those of Python; bytes that Python could not decode are shown as the characters that they are."""
    assert printable(text) == shown


def test_messages_stay_in_their_lines() -> None:
    """A line feed in a file name, a key, a mistake or the text of an exception begins no line of its own."""
    odd = "a\nERROR forged\x1b[2J"
    problem = Problem(Place(odd, 3), odd, f"no component is called {odd}")
    for said in (str(problem), str(Place(odd)), describe_error(ValueError(odd)), text_of(odd), repr_of(odd)):
        assert "\n" not in said
        assert "\x1b" not in said
    assert "\n" not in str(UnknownName("no file", given="b", choices=[odd]))


def test_the_text_of_an_exception_is_limited() -> None:
    """A text of a million characters is cut off, with its length."""
    said = describe_error(ValueError("x" * 1_000_000))
    assert len(said) < 2100
    assert said.endswith("x… (1,000,000 characters)")


def test_an_exception_that_has_no_text_has_its_type() -> None:
    """Without a text, the type stands alone; a text that can't be read is remarked."""

    class Broken(UnknownName):
        def __str__(self) -> str:
            raise SystemExit

    assert describe_error(ValueError()) == "ValueError"
    assert describe_error(Broken("x")) == "Broken: <Broken, whose str() raises SystemExit>"
    assert message_of(Broken("x")) == "<Broken, whose str() raises SystemExit>"
    assert message_of(UnknownName("no a\nno b")) == "no a\nno b"
