"""Texts that are revealed letter by letter, without cutting their colours: `[gold]words[/]`."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\[\[|\[[^\[\]\n]*\]|.", re.DOTALL)
_CLEAR = "[#00000000]"


def visible_length(text: str) -> int:
    """Return the number of characters that a reader sees."""
    return sum(_width(token) for token in _TOKEN.findall(text))


def revealed(text: str, count: int) -> str:
    """Return the beginning of a text with `count` visible characters, with all marks before its end."""
    return "".join(_tokens(text, count)[0])


def veiled(text: str, count: int) -> str:
    """Return the complete text with only the first `count` characters seen, so that its lines break as usual."""
    shown, rest = _tokens(text, count)
    made, opened = [*shown, _CLEAR], 0
    for token in rest:
        if token == "[/]" and not opened:
            made += ["[/]", "[/]", _CLEAR]  # it ends a mark of the part that is seen
            continue
        if _width(token) == 0 and token != "[/]":
            opened += 1
            token = token if "=" in token else _CLEAR
        elif token == "[/]":
            opened -= 1
        made.append(token)
    return "".join([*made, "[/]"])


def _tokens(text: str, count: int) -> tuple[list[str], list[str]]:
    """Return the tokens of the first visible characters, and all others."""
    found: list[str] = _TOKEN.findall(text)
    for k, token in enumerate(found):
        count -= _width(token)
        if count < 0:
            return found[:k], found[k:]
    return found, []


def _width(token: str) -> int:
    return 0 if len(token) > 2 or token == "[]" else 1
