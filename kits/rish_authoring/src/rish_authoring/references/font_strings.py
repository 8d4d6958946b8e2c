"""The strings of BMFont's text files: `page id=0 file="letters.png"`."""

from __future__ import annotations

import re

from .strings import String, Syntax, joined
from .xml_strings import XML

_PAIR = re.compile(r'(\w+)=("[^"\r\n]*"|\S+)')
_LINE = re.compile(r"^(\w+)[ \t]+(.*)$", re.MULTILINE)


def _scan(text: str) -> list[String]:
    if text.lstrip().startswith("<"):
        return XML.scan(text)
    if not text.startswith("info"):
        raise ValueError("it is no text file of BMFont")
    return [
        String(joined([line[1], pair[1]]), pair[2].strip('"'), pair.start(2), pair.end(2), "line")
        for line in _LINE.finditer(text)
        for pair in _PAIR.finditer(text, line.start(2), line.end(2))
    ]


def _quote(value: str, string: String, raw: str) -> str:
    return f'"{value}"' if string.kind == "line" else XML.quote(value, string, raw)


BMFONT = Syntax(_scan, _quote)
"""Fonts of BMFont, in text or XML; binary ones are refused."""
