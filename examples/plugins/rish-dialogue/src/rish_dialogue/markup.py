"""Texts that are revealed letter by letter, without cutting their colours: `[gold]words[/]`."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\[\[|\[[^\[\]\n]*\]|.", re.DOTALL)


def visible_length(text: str) -> int:
    """Return the number of characters that a reader sees."""
    return sum(_width(token) for token in _TOKEN.findall(text))


def revealed(text: str, count: int) -> str:
    """Return the beginning of a text with `count` visible characters, with all marks of colours before its end."""
    found: list[str] = []
    for token in _TOKEN.findall(text):
        count -= _width(token)
        if count < 0:
            break
        found.append(token)
    return "".join(found)


def _width(token: str) -> int:
    return 0 if len(token) > 2 or token == "[]" else 1
