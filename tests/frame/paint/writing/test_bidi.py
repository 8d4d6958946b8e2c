"""Bidirectional text is ordered by Unicode's annex 9."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_frame.paint.writing import MIRRORED, embedding_levels, needs_order, paragraph_level, visual_order

HEBREW, ARABIC = "אבגדה", "ابتثج"
LRE, RLE, PDF, LRO, RLO, LRI, RLI, FSI, PDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def letters(text: str) -> str:
    """Replace capitals by Hebrew letters, so that the expectations are readable."""
    return "".join(HEBREW["ABCDE".index(character)] if character in "ABCDE" else character for character in text)


def shown(text: str, base: int | None = None) -> str:
    """Return the visible text from left to right, in the spelling of `letters`, without controls."""
    real = letters(text)
    levels = embedding_levels(real, paragraph_level(real) if base is None else base)
    seen = (text[k] for k in visual_order(levels))
    return "".join(
        character for character in seen if character not in LRE + RLE + PDF + LRO + RLO + LRI + RLI + FSI + PDI
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc", "abc"),
        ("ABC", "CBA"),
        ("abc ABC def", "abc CBA def"),
        ("ABC abc DE", "ED abc CBA"),
        ("ABC 123", "123 CBA"),
        ("ABC 12.5%", "12.5% CBA"),
        ("a (ABC) b", "a (CBA) b"),
        ("ABC (abc) DE", "ED )abc( CBA"),
        ("abc (AB) cd (ef) CD", "abc (BA) cd (ef) DC"),
        ("A-B", "B-A"),
        ("a 1, 2 B", "a 1, 2 B"),
        ("A 1+2", "1+2 A"),
        ("A 1 + 2", "2 + 1 A"),
        (f"a {RLO}bcd{PDF} e", "a dcb e"),
        (f"A {LRO}BCD{PDF} E", "E BCD A"),
        (f"a {RLE}b (C){PDF} d", "a )C( b d"),
        (f"ab {RLI}cd DE{PDI} gh", "ab ED cd gh"),
        (f"{FSI}AB{PDI}, c", "BA, c"),
        ("", ""),
        ("   ", "   "),
    ],
)
def test_known_lines(text, expected):
    """Lines of words, numbers, signs, brackets, overrides, embeddings and isolates get the order of the annex."""
    assert shown(text) == expected


def test_the_paragraph_has_the_direction_of_its_first_strong_letter():
    """A paragraph has the direction of its first strong letter; numbers, signs and isolated text are ignored."""
    assert paragraph_level(letters("12, A b")) == 1
    assert paragraph_level(letters("12, b A")) == 0
    assert paragraph_level(letters(f"{RLI}A{PDI} b")) == 0
    assert paragraph_level("") == 0


def test_arabic_numbers_and_european_ones():
    """After Arabic letters a European number counts as an Arabic one, and its plus sign does not belong to it (W2)."""
    levels = embedding_levels(ARABIC[0] + " 1+2", 1)
    assert levels == [1, 1, 2, 1, 2]
    assert embedding_levels(HEBREW[0] + " 1+2", 1) == [1, 1, 2, 2, 2]


def test_marks_follow_their_letter():
    """A mark has the direction of its letter."""
    assert embedding_levels("aא\u05b0b", 0) == [0, 1, 1, 0]


def test_plain_writing_needs_no_order():
    """Latin, Greek and Chinese need no reordering; Hebrew letters and override controls do."""
    assert not needs_order("Hello, 世界! Ωμέγα")
    assert needs_order("a א")
    assert needs_order("\u202eabc")


def test_mirrored_signs_come_in_pairs():
    """Mirrored characters come in pairs: mirroring twice gives the original."""
    assert all(MIRRORED[MIRRORED[sign]] == sign for sign in MIRRORED)
    assert MIRRORED["("] == ")"


@settings(max_examples=long(300, 60), deadline=None)
@given(
    st.text(
        st.sampled_from(
            list("ab1 .,-+%()[]") + list("אבא\u05b0سم٣") + list(LRE + RLE + PDF + LRO + RLO + LRI + RLI + FSI + PDI)
        ),
        max_size=40,
    )
)
def test_anything_has_an_order(text):
    """Any text gets a complete visual order, and levels between the paragraph's level and the maximum."""
    base = paragraph_level(text)
    levels = embedding_levels(text, base)
    assert len(levels) == len(text)
    assert all(base <= level <= 126 for level in levels)
    assert sorted(visual_order(levels)) == list(range(len(text)))


def test_nesting_without_end_is_cut():
    """Embeddings and isolates beyond the deepest level are ignored, and deep nesting takes no long time."""
    for control in (RLE, RLO, RLI, FSI, LRI):
        levels = embedding_levels(control * 20_000 + "א", 0)
        assert max(levels) <= 126
