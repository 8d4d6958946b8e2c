"""Texts that are revealed letter by letter, without cutting their colors: `[gold]words[/]`."""

from __future__ import annotations

import re

from rish_frame.paint.writing import clusters_of

_MARK = re.compile(r"(\[\[|\[[^\[\]\n]*\])")
_CLEAR = "[#00000000]"


def visible_length(text: str) -> int:
    """Return the number of letters that a reader sees; a letter with its marks, or an emoji, is one."""
    return sum(map(_width, _divided(text)))


def revealed(text: str, count: int) -> str:
    """Return the beginning of a text with `count` visible letters, with all marks before its end."""
    return "".join(_tokens(text, count)[0])


def veiled(text: str, count: int) -> str:
    """Return the complete text with only the first `count` letters seen, so that its lines break as usual."""
    visible, hidden = _tokens(text, count)
    tokens, opened = [*visible, _CLEAR], 0
    for token in hidden:
        if token == "[/]" and not opened:
            tokens += ["[/]", "[/]", _CLEAR]  # it ends a mark of the part that is seen
            continue
        if _width(token) == 0 and token != "[/]":
            opened += 1
            token = token if "=" in token else _CLEAR
        elif token == "[/]":
            opened -= 1
        tokens.append(token)
    return "".join([*tokens, "[/]"])


def _tokens(text: str, count: int) -> tuple[list[str], list[str]]:
    """Return the tokens of the first visible letters, and all others."""
    tokens = _divided(text)
    for k, token in enumerate(tokens):
        count -= _width(token)
        if count < 0:
            return tokens[:k], tokens[k:]
    return tokens, []


def _divided(text: str) -> list[str]:
    """Return the tokens of a text: marks, and letters between them."""
    tokens: list[str] = []
    for k, part in enumerate(_MARK.split(text)):
        tokens += [part] if k % 2 else clusters_of(part, shaped=False)
    return tokens


def _width(token: str) -> int:
    return int(not (token[0] == "[" and token[-1] == "]"))
