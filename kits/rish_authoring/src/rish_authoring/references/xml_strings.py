"""The strings of XML: the values of attributes."""

from __future__ import annotations

import re
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from .strings import String, Syntax, joined

_ATTRIBUTE = re.compile(r"""[^\s=<>/]+\s*=\s*("[^"]*"|'[^']*')""")
_TAG = re.compile(r"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""")


def _scan(text: str) -> list[String]:
    data = text.encode("utf-8", "surrogatepass")
    parser: Any = expat.ParserCreate("utf-8")
    parser.ordered_attributes = True
    strings: list[String] = []
    tags: list[str] = []
    state = {"bytes": 0, "characters": 0}

    def begin(name: str, attributes: list[str]) -> None:
        position = parser.CurrentByteIndex
        state["characters"] += len(data[state["bytes"] : position].decode())
        state["bytes"] = position
        tags.append(name)
        tag = _TAG.match(text, state["characters"])
        assert tag is not None
        values = list(_ATTRIBUTE.finditer(text, tag.start(), tag.end()))
        for key, value, where in zip(attributes[::2], attributes[1::2], values, strict=True):
            strings.append(String(joined([*tags, key]), value, where.start(1), where.end(1), where[1][0]))

    def end(name: str) -> None:
        tags.pop()

    def refuse(*_: Any) -> None:
        raise ValueError("entities are not supported")

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from None
    return strings


def _quote(value: str, string: String, raw: str) -> str:
    if string.kind == "'" and "'" not in value:
        return f"'{escape(value)}'"
    return quoteattr(value)


XML = Syntax(_scan, _quote)
"""Maps, tilesets and templates of Tiled, and fonts of BMFont in XML."""
