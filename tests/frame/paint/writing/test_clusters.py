"""A text is split into clusters that are drawn as a unit, and lines break only where they may."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_frame.paint.writing import LONGEST_WORD, MAX_MARKS, clean, clusters_of, may_break


@pytest.mark.parametrize(
    ("text", "clusters"),
    [
        ("abc", ["a", "b", "c"]),
        ("office", ["o", "ffi", "c", "e"]),
        ("ff fl f", ["ff", " ", "fl", " ", "f"]),
        ("e\u0301a", ["e\u0301", "a"]),
        ("fi\u0301", ["f", "i\u0301"]),
        ("שָׁלוֹם", ["שָׁ", "ל", "וֹ", "ם"]),
        ("سلام عليكم", ["سلام", " ", "عليكم"]),
        ("नमस्ते", ["नमस्ते"]),
        ("漢字かな", ["漢", "字", "か", "な"]),
        ("\u1112\u1161\u11ab", ["\u1112\u1161\u11ab"]),
        ("👨‍👩‍👧x", ["👨‍👩‍👧", "x"]),
        ("👍🏽", ["👍🏽"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        ("a\nb", ["a", "\n", "b"]),
        ("", []),
    ],
)
def test_pieces(text, clusters):
    """Letters with marks, words of joined writing, ligatures, flags and emoji families are one cluster each."""
    assert clusters_of(text) == clusters


def test_without_shaping_letters_stand_alone():
    """Without shaping there are no words or ligatures, but marks stay with their letter."""
    assert clusters_of("office", shaped=False) == list("office")
    assert clusters_of("سلام", shaped=False) == list("سلام")
    assert clusters_of("e\u0301", shaped=False) == ["e\u0301"]


def test_no_piece_grows_without_end():
    """Ten thousand marks, or a word of as many letters, are split into clusters of limited length."""
    assert max(map(len, clusters_of("a" + "\u0301" * 10_000))) <= MAX_MARKS + 1
    assert max(map(len, clusters_of("س" * 10_000))) <= LONGEST_WORD
    assert max(map(len, clusters_of("👨\u200d" * 1000))) < 30


@settings(max_examples=long(200, 40), deadline=None)
@given(st.text(max_size=80))
def test_nothing_is_lost(text):
    """The clusters of any text, joined, are the text."""
    text = clean(text)
    for shaped in (True, False):
        assert "".join(clusters_of(text, shaped=shaped)) == text


def test_cleaning():
    """Cleaning unifies line breaks and replaces invalid characters; tabs and joiners stay."""
    assert clean("a\r\nb\rc\x0bd\u2028e") == "a\nb\nc\nd\ne"
    assert clean("a\0b\x1b\ud800\ufffe") == "a\ufffdb\ufffd\ufffd\ufffd"
    assert clean("a\tb\u200dc") == "a\tb\u200dc"


@pytest.mark.parametrize("pair", ["a b"[1:], " b", "-b", "漢字", "漢a", "a漢", "。漢", "」「", "かな"])
def test_lines_may_end(pair):
    """A line may break after spaces and hyphens, between ideographs, and after closing signs."""
    assert may_break(pair[0], pair[1])


@pytest.mark.parametrize(
    "pair",
    [
        "ab",
        "a ",
        "  ",
        "漢。",
        "漢、",
        "漢」",
        "「漢",
        "(漢",
        "漢ー",
        "漢っ",
        "漢！",
        "-1",
        "漢\u00a0",
        "\u00a0漢",
        "a-",
    ],
)
def test_lines_may_not_end(pair):
    """Lines may not break in words, before closing signs or small kana, after opening signs, at no-break spaces."""
    assert not may_break(pair[0], pair[1])
