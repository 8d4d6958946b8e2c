"""One rule says which characters are text, for what is typed, pasted and drawn."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_frame.paint.writing import clean, is_text, text_in_lines, text_in_one_line, typed_text

NONCHARACTERS = [*range(0xFDD0, 0xFDF0), *(plane << 16 | last for plane in range(17) for last in (0xFFFE, 0xFFFF))]
CODES = sorted({*range(0x20000), *range(0xE0000, 0xE0200), *NONCHARACTERS})
"""The code points of the planes that have characters of many kinds, and all noncharacters."""
LAYOUT = "\t\n\x0b\x0c\r\u2028\u2029"
ODD = st.text(st.sampled_from("a \t\n\r\x0b\x85\u2028\x00\x1b\ud800\ufffe\ufdd0\u200c\u200d\u3000é👨"), max_size=20)


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",  # the joiner of Persian that keeps apart
        "👨\u200d👩\u200d👧 👍🏽 ❤\ufe0f",
        "ශ්\u200dරී",
        "姓\u3000名",
        "1\u00a0000 1\u202f000 a\u2009b",
        "\u200fא\u200e \u061cع \u2066x\u2069 \u202bא\u202c",
        "Donau\u00addampf \u2060\u200b",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "㐂\U000e0100 \U0001fae9 \ue000 \ufffc \ufeff",
    ],
)
def test_what_people_type_is_text(text: str) -> None:
    """Spaces, joiners, direction marks, soft hyphens, selectors, tags, private and new characters are all kept."""
    assert typed_text(text) == text_in_one_line(text) == text_in_lines(text) == clean(text) == text
    assert all(map(is_text, text))


def test_the_rule_is_by_category() -> None:
    """Of all code points, only controls, surrogates, noncharacters, line ends and annotation marks are no text."""
    kept = set(map(ord, typed_text("".join(map(chr, CODES)))))
    lacking = [code for code in CODES if code not in kept]
    controls = [*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000), 0x2028, 0x2029, *range(0xFFF9, 0xFFFC)]
    assert lacking == sorted(controls + NONCHARACTERS)
    assert {unicodedata.category(chr(code)) for code in controls} == {"Cc", "Cs", "Cf", "Zl", "Zp"}


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\t", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_pasted_layout_is_a_space_in_one_line(end: str) -> None:
    """A tab or a line end in a pasted text is one space in a field with one line, and stays in one with lines."""
    assert text_in_one_line(f"one{end}two") == "one two"
    assert text_in_lines(f"one{end}two") == ("one\ttwo" if end == "\t" else "one\ntwo")
    assert typed_text(f"one{end}two") == "onetwo"


@given(ODD)
def test_the_rules_agree(text: str) -> None:
    """Each rule keeps what it has kept, one line has no layout, and drawing shows each lacking character as U+FFFD."""
    line, lines = text_in_one_line(text), text_in_lines(text)
    assert text_in_one_line(line) == line == typed_text(line)
    assert text_in_lines(lines) == lines
    assert not set(line) & set(LAYOUT)
    assert line == lines.replace("\n", " ").replace("\t", " ")
    assert clean(text).replace("\ufffd", "") == lines


def test_cleaning() -> None:
    """A text to draw has "\\n" as its only line end, and U+FFFD for what is no text."""
    assert clean("a\r\nb\rc\x0bd\u2028e") == "a\nb\nc\nd\ne"
    assert clean("a\0b\x1b\ud800\ufffe") == "a\ufffdb\ufffd\ufffd\ufffd"
    assert clean("a\tb\u200dc") == "a\tb\u200dc"
