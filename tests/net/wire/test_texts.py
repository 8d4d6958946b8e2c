"""Names and lines of chat from other machines."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from rish_net.wire.texts import MAX_LINE, MAX_NAME, clean_line, clean_name


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30).map(lambda text: text * 12))
def test_any_text_becomes_a_short_clean_line(text: str) -> None:
    """Whatever arrives: one line within the limits, without controls, and clean texts stay as they are."""
    line = clean_line(text)
    assert len(line) <= MAX_LINE
    assert not any(unicodedata.category(c)[0] == "C" and c not in "\u200c\u200d" for c in line)
    assert clean_line(line) == line
    name = clean_name(text)
    assert len(name) <= MAX_NAME
    assert not set("[]{}$") & set(name)


def test_what_is_removed() -> None:
    """Line ends become spaces; overrides of the direction and towers of marks go; letters of all scripts stay."""
    assert clean_line(" a\n\tb\x1b[31m ") == "a b[31m"
    assert clean_line("\u202eevil\u2066") == "evil"
    assert clean_line("e" + "\u0301" * 40) == "e" + "\u0301" * 3
    assert clean_name("[red]{x}$") == "(red)(x)S"
    assert clean_name("雨 नि 👩‍🚀") == "雨 नि 👩‍🚀"
