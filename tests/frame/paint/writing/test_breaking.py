"""Lines end only where they may; `test_unicode_files.py` compares all rules with Unicode's test file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_frame.paint.writing import line_ends


def divided(text: str) -> str:
    """Return a text with a bar at each place where a line may end."""
    ends = set(line_ends(text))
    return "".join("|" * (k in ends) + letter for k, letter in enumerate(text))


@pytest.mark.parametrize(
    "shown",
    [
        "one |two  |three",
        "well-|known |x-1 |- |a",
        "漢|字|か|な|漢|a",
        "漢。|漢、|漢」|「漢|(漢)|漢ー|漢っ|漢！",
        "1\u00a0000 |1\u202f000 |a\u2060b |foot\u2011note",
        "100% |$5 |-$(1,234.5)% |10:30 |3/4",
        "a\u200b|b",
        "한|국|어",
        "🇩🇪|🇫🇷|👨\u200d👩\u200d👧|👍🏽",
        "น้ำใจ |ดี",
        "བཀྲ་|ཤིས་",
        "שלום |עולם",
        "Wait—|what",
    ],
)
def test_where_lines_may_end(shown: str) -> None:
    """After spaces, hyphens and signs, between ideographs and syllables; not in words, numbers, emoji and flags."""
    shown = shown.replace("Wait—|", "Wait|—|")
    assert divided(shown.replace("|", "")) == shown


@pytest.mark.parametrize(
    "shown",
    [
        "pay |\ufffc12 |or |\ufffcgold",  # an icon is a letter (LB20)
        "Donau\u00addampf\u00adschiff",  # no hyphen would be drawn (LB21)
        "他|说|“你|好”|然|后|走|了，|‘是。’|（“完！”）：|“a”",  # quotation marks beside ideographs (LB19)
        '"Sword" |(rare) |«a» |[b] |“ (c)',  # only an opening quotation mark holds a bracket (LB15)
        "a |-> |b |-x |\u2010x",  # a hyphen at the beginning of a word (LB20a)
        "Score:10 |Ver.2 |a,5",  # a number holds what is before it (LB25)
    ],
)
def test_rules_of_games(shown: str) -> None:
    """Each of the six rules in which games differ from Unicode does what its reason says."""
    assert divided(shown.replace("|", "")) == shown


@settings(max_examples=long(200, 40), deadline=None)
@given(st.text('a1 -.,:(“”"漢、ーส้ำ\u200b\u200d\u00a0\u0301👍🏽🇩$%/\t', max_size=16), st.integers(0, 15))
def test_lines_end_inside_the_text_in_rising_order(text: str, place: int) -> None:
    """The places rise, are inside the text, and those of a beginning of it are the same, except at its end."""
    ends = line_ends(text)
    assert ends == sorted(set(ends))
    assert all(0 < end < len(text) for end in ends)
    assert set(line_ends(text[:place])) >= {end for end in ends if end < place - 1}
