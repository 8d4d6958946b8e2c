"""A text is split into clusters that are drawn as a unit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_frame.paint.writing import MAX_MARKS, MAX_WORD, beginning, clean, clusters_of, line_ends


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
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("བཀྲ་ཤིས་", ["བཀྲ་", "ཤིས་"]),
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


@pytest.mark.parametrize(
    ("text", "clusters"),
    [
        ("น้ำใจ", ["น้ำ", "ใ", "จ"]),  # SARA AM of Thai
        ("ກຳ", ["ກຳ"]),  # and of Lao
        ("क्षत्रिय", ["क्ष", "त्रि", "य"]),
        ("क्\u200cष", ["क्\u200c", "ष"]),
        ("ශ්\u200dරී", ["ශ්\u200d", "රී"]),
        ("می\u200cخ", ["م", "ی\u200c", "خ"]),
        ("\u1112\u1161\u11ab\u1100\u116e", ["\u1112\u1161\u11ab", "\u1100\u116e"]),
        ("가\u11a8\u1100각", ["가\u11a8", "\u1100각"]),
        (
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!",
            ["🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "!"],
        ),
        ("1\ufe0f\u20e32", ["1\ufe0f\u20e3", "2"]),
        ("🇩🇪🇫", ["🇩🇪", "🇫"]),
        ("\u0600١", ["\u0600١"]),
        ("\r\n\t\u0301", ["\r\n", "\t", "\u0301"]),
    ],
)
def test_a_caret_stops_between_clusters_of_unicode(text, clusters):
    """What a caret and BACKSPACE treat as one are the extended grapheme clusters of Unicode, conjuncts included."""
    assert clusters_of(text, shaped=False) == clusters


@settings(max_examples=long(200, 40), deadline=None)
@given(st.text(st.sampled_from("af iकष्\u094dि\u200c\u200dสำسل་བ👨🇩가ᄀ\u11a8\u0301"), max_size=20))
def test_words_are_made_of_whole_clusters(text):
    """What is drawn as one image begins and ends between clusters, and no line may end inside it."""
    stops = [0]
    for cluster in clusters_of(text, shaped=False):
        stops.append(stops[-1] + len(cluster))
    drawn = [0]
    for piece in clusters_of(text):
        drawn.append(drawn[-1] + len(piece))
    assert set(drawn) <= set(stops)
    assert set(line_ends(text)) & set(stops) <= set(drawn)


@given(st.text(st.sampled_from("aस्त👨\u200dสำ\u0301"), max_size=20), st.integers(0, 20))
def test_the_beginning_of_a_text_has_whole_clusters(text, most):
    """A text that is cut has at most so many characters, and no cluster more would have room."""
    begun = beginning(text, most)
    parts = clusters_of(text, shaped=False)
    count = len(clusters_of(begun, shaped=False))
    assert len(begun) <= most
    assert "".join(parts[:count]) == begun
    assert count == len(parts) or len(begun) + len(parts[count]) > most


def test_no_piece_grows_without_end():
    """Ten thousand marks, or a word of as many letters, are split into clusters of limited length."""
    assert max(map(len, clusters_of("a" + "\u0301" * 10_000))) <= MAX_MARKS + 1
    assert max(map(len, clusters_of("س" * 10_000))) <= MAX_WORD
    assert max(map(len, clusters_of("👨\u200d" * 1000))) < 30


@settings(max_examples=long(200, 40), deadline=None)
@given(st.text(max_size=80))
def test_nothing_is_lost(text):
    """The clusters of any text, joined, are the text."""
    text = clean(text)
    for shaped in (True, False):
        assert "".join(clusters_of(text, shaped=shaped)) == text
