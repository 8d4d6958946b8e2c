"""Which characters are text: what a player may type or paste, and what a text may contain.

Text is every character except controls, surrogates, the code points that Unicode keeps free for programs
(noncharacters), and the marks of interlinear annotations. So it includes all spaces, the joiners of Persian, of
India's scripts and of emoji, direction marks, soft hyphens, variation selectors, characters for private use, and
characters that are newer than the tables of this Python. Tabs and line ends are text only where a text has lines.
"""

from __future__ import annotations

import re

_LINE_ENDS = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_LAST_TWO = "".join(map(chr, (plane << 16 | last for plane in range(17) for last in (0xFFFE, 0xFFFF))))
_NO_TEXT = "\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb" + _LAST_TWO
_ODD = re.compile(f"[{_NO_TEXT}]")
_ODD_OR_LAYOUT = re.compile(f"[{_NO_TEXT}\t-\r\u2028\u2029]")


def is_text(character: str) -> bool:
    """Return True for a character that may be in a line of text; tabs and line ends may not."""
    return not _ODD_OR_LAYOUT.match(character)


def typed_text(text: str) -> str:
    """Return the characters of a text that keys may type: without controls, tabs and line ends, which are keys."""
    return text if text.isascii() and text.isprintable() else _ODD_OR_LAYOUT.sub("", text)


def text_in_one_line(text: str) -> str:
    """Return a pasted text for a field with one line: each tab and each line end becomes a space."""
    return typed_text(text_in_lines(text).replace("\t", " ").replace("\n", " "))


def text_in_lines(text: str) -> str:
    """Return a pasted text for a field with lines: "\\n" is its only line end, and tabs stay."""
    return text if text.isascii() and text.isprintable() else _ODD.sub("", _LINE_ENDS.sub("\n", text))


def clean(text: str) -> str:
    """Return a text to draw: "\\n" is its only line end, and characters that are no text become U+FFFD."""
    return text if text.isascii() and text.isprintable() else _ODD.sub("\ufffd", _LINE_ENDS.sub("\n", text))
