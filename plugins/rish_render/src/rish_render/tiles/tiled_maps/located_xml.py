"""Parses untrusted XML into a tree whose elements have line numbers, and rejects XML bombs.

Entities can expand a kilobyte to gigabytes, or read other files. No map needs them, so a document that declares
entities is rejected at the declaration. A bare document type, which old maps have, is ignored. Each element stores its
line, which the standard parser does not keep.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any
from xml.parsers import expat

from rish_core import AssetError
from rish_ecs import Place

MAX_DEPTH = 64
MAX_ELEMENTS = 1_000_000


class Element(ET.Element):
    """An element with its line number, from 1."""

    line: int = 0


class _Builder:
    def __init__(self, name: str) -> None:
        self.name = name
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.buffer_size = 1 << 18
        self.stack: list[Element] = []
        self.root: Element | None = None
        self.text: list[str] = []
        self.count = 0
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text.append
        self.parser.StartDoctypeDeclHandler = self.document_type
        self.parser.EntityDeclHandler = self.refuse

    @property
    def place(self) -> Place:
        return Place(self.name, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)

    def document_type(self, name: str, system: str | None, public: str | None, declares: int) -> None:
        if declares:
            self.refuse()

    def refuse(self, *_: Any) -> None:
        what = "the document declares entities or elements, which is not allowed"
        raise AssetError(f"{self.place}: {what}", hint="Delete the declaration")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.settle()
        element = Element(tag, attributes)
        element.line = self.parser.CurrentLineNumber
        self.count += 1
        if len(self.stack) >= MAX_DEPTH or self.count > MAX_ELEMENTS:
            raise AssetError(f"{self.place}: there are too many elements, or they are nested too deep")
        if self.stack:
            self.stack[-1].append(element)
        else:
            self.root = element
        self.stack.append(element)

    def end(self, tag: str) -> None:
        self.settle()
        self.stack.pop()

    def settle(self) -> None:
        """Give the collected text to the current element; text after an inner element is only white space in maps."""
        if self.stack and self.text and not len(self.stack[-1]):
            self.stack[-1].text = "".join(self.text)
        self.text.clear()


def parse_xml(data: bytes, name: str) -> Element:
    """Return the root of a document. Raises AssetError with line and column if it is damaged or malicious."""
    builder = _Builder(name)
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as error:
        at = Place(name, error.lineno, error.offset + 1)
        raise AssetError(f"{at}: not valid XML: {expat.ErrorString(error.code)}", hint="Save the map again") from None
    assert builder.root is not None
    return builder.root
