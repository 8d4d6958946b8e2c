"""Parsing of untrusted XML."""

from __future__ import annotations

import pytest

from rish_core import AssetError
from rish_render.tiles.tiled_maps.located_xml import parse_xml

BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE map [
 <!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">
 <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
]>
<map>&b;</map>"""
OUTSIDE = b'<!DOCTYPE map [<!ENTITY x SYSTEM "file:///etc/passwd">]><map>&x;</map>'


def test_elements_know_their_lines_and_keep_their_text() -> None:
    """Elements have the line of their tag, and their text and attributes."""
    root = parse_xml(b'<map a="1">\n <layer>\n  <data>1,2\n3</data>\n </layer>\n</map>', "m.tmx")
    data = root.find("layer/data")
    assert data is not None
    assert (root.line, data.line, data.text) == (1, 3, "1,2\n3")
    assert root.attrib == {"a": "1"}


@pytest.mark.parametrize("text", [BOMB, OUTSIDE])
def test_entities_are_refused_where_they_are_declared(text: bytes) -> None:
    """Declared entities are refused; they are neither expanded nor fetched."""
    with pytest.raises(AssetError, match=r"m.tmx:\d+:\d+: .*entities"):
        parse_xml(text, "m.tmx")


def test_a_bare_document_type_is_passed_over() -> None:
    """A document type without entities, as in maps of old editors, is ignored."""
    root = parse_xml(b'<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">\n<map/>', "m.tmx")
    assert root.tag == "map"


@pytest.mark.parametrize("text", [b"", b"<map>", b"<map></layer>", b"<map a=1/>", b"\xff\xfe<", b"no map"])
def test_what_is_no_xml_is_reported_with_its_place(text: bytes) -> None:
    """Invalid XML raises AssetError with its place."""
    with pytest.raises(AssetError, match=r"m.tmx:\d+.*not valid XML"):
        parse_xml(text, "m.tmx")


def test_nesting_has_an_end() -> None:
    """Deeply nested elements are refused before Python's recursion limit."""
    with pytest.raises(AssetError, match="nested too deep"):
        parse_xml(b"<a>" * 5000 + b"</a>" * 5000, "m.tmx")
