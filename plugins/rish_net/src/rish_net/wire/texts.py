"""Texts that people write: names and lines of chat. They come from other machines, so they are cleaned before use."""

from __future__ import annotations

import unicodedata

MAX_NAME = 20
"""The greatest number of characters of a name."""
MAX_LINE = 200
"""The greatest number of characters of a line of chat."""
_MAX_MARKS = 3
"""The greatest number of marks on one letter; more of them would cover the lines above and below."""
_JOINERS = "\u200c\u200d"
"""Format characters that words of some scripts and emoji need."""
_MARKUP = str.maketrans("[]{}$", "()()S")


def clean_line(text: str, most: int = MAX_LINE) -> str:
    """Return a text of at most `most` characters in one line, without control, format and unassigned characters."""
    kept: list[str] = []
    marks = 0
    for character in text[: 4 * most]:
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if category[0] == "Z" or character in "\t\n\r":
            kept.append(" ")
        elif (category[0] != "C" or character in _JOINERS) and marks <= _MAX_MARKS:
            kept.append(character)
    return " ".join("".join(kept).split())[:most].strip()


def clean_name(text: str) -> str:
    """Return a name: a clean line without the characters of markup and templates, so that a game may show it as is."""
    return clean_line(text, MAX_NAME).translate(_MARKUP)
