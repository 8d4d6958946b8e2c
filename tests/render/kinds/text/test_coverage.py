"""The characters of a font are read from its file."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_render.kinds.text.coverage import read_coverage
from rish_render.kinds.text.faces import default_font
from rish_render.kinds.text.fonts import FontFile
from tools import needs


def test_a_made_font_has_what_it_was_made_of(made_font):
    """The coverage contains the codes of the font, near and far, and not those beside them."""
    codes = [0x41, 0x42, 0x5D0, 0x4E00, 0x4E01, 0x1F600, 0x20000]
    coverage = made_font(codes).coverage
    assert all(chr(code) in coverage for code in codes)
    assert all(chr(code + 2) not in coverage for code in codes)


@pytest.mark.parametrize("font", [default_font, FontFile])
def test_fonts_that_come_along(font):
    """The coverage of the included fonts equals that found by fontTools."""
    ttlib = needs("fontTools.ttLib", "fonts")
    import io

    face = font()
    data = face.at(16).font_bytes if face.source is None else Path(face.source).read_bytes()
    known = set(ttlib.TTFont(io.BytesIO(data)).getBestCmap())
    assert known == {code for code in range(0x20000) if chr(code) in face.coverage}


@settings(max_examples=long(100, 20), deadline=None)
@given(st.integers(0, 2000), st.binary(min_size=1, max_size=12))
def test_a_damaged_font_is_read_or_empty(place, junk):
    """Reading a font with any bytes overwritten raises nothing and takes no long time."""
    data = bytearray(FontFile().at(16).font_bytes)
    data[place : place + len(junk)] = junk
    read_coverage(bytes(data))


def test_what_is_no_font_covers_nothing(tmp_path):
    """Invalid fonts, missing files and tables that claim huge runs have an empty coverage."""
    assert not read_coverage(b"")
    assert not read_coverage(b"ttcf" + bytes(8))
    assert not read_coverage(tmp_path / "none.ttf")
    runs = struct.pack(">HHLLL", 12, 0, 0, 0, 60_000) + struct.pack(">LLL", 0, 0x10FFFF, 0) * 60_000
    cmap = struct.pack(">HHHHL", 0, 1, 3, 10, 12) + runs
    head = b"\x00\x01\x00\x00" + struct.pack(">HHHH", 1, 0, 0, 0) + struct.pack(">4sLLL", b"cmap", 0, 28, len(cmap))
    assert not read_coverage(head + cmap)
