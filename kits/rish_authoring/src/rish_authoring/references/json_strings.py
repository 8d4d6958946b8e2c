"""The strings of JSON, found without reading numbers, of which maps have millions."""

from __future__ import annotations

import json
import re

from .strings import String, Syntax, joined

_SLASH = "\\/"
"""A slash as Tiled and others write it. It is also the kind of strings with such slashes."""
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[\[\]{}]')


def _scan(text: str) -> list[String]:
    strings: list[String] = []
    keys: list[str | None] = []  # by open collection: the key of the value that comes next, None in lists
    for token in _TOKEN.finditer(text):
        first = token[0][0]
        if first in "[{":
            keys.append("" if first == "{" else None)
        elif first in "]}":
            if not keys:
                raise ValueError("a bracket is closed that is not open")
            keys.pop()
        elif token[2] is not None and keys and keys[-1] is not None:
            keys[-1] = json.loads(f'"{token[1]}"', strict=False)
        else:
            value = json.loads(f'"{token[1]}"', strict=False)
            path = joined(key for key in keys if key is not None)
            strings.append(String(path, value, token.start(), token.end(1) + 1, _SLASH if _SLASH in token[1] else ""))
    if keys:
        raise ValueError("a bracket is not closed")
    return strings


def _quote(value: str, string: String, raw: str) -> str:
    quoted = json.dumps(value, ensure_ascii=False)
    return quoted.replace("/", _SLASH) if string.kind else quoted


JSON = Syntax(_scan, _quote)
"""Maps of Tiled and LDtk, sheets of Aseprite and TexturePacker, models of glTF."""
