"""Fonts made by the tests, so that no test depends on installed fonts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from rish_render.kinds.text.fonts import FontFile
from tools import needs


@pytest.fixture(scope="session")
def made_font() -> Callable[[Iterable[int]], FontFile]:
    """Make a font: `made_font(codes)`; each character is a bar whose height and place identify it."""
    needs("fontTools", "fonts")
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    def bar(code: int) -> object:
        pen = TTGlyphPen(None)
        left, top = 50 + code % 23 * 20, 200 + code // 23 % 29 * 20
        pen.moveTo((left, 0))
        pen.lineTo((left, top))
        pen.lineTo((left + 300, top))
        pen.lineTo((left + 300, 0))
        pen.closePath()
        return pen.glyph()

    def make(codes: Iterable[int]) -> FontFile:
        import io

        names = {code: f"u{code:X}" for code in codes}
        builder = FontBuilder(1000, isTTF=True)
        builder.setupGlyphOrder([".notdef", *names.values()])
        builder.setupCharacterMap(names)
        builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), **{name: bar(code) for code, name in names.items()}})
        builder.setupHorizontalMetrics(dict.fromkeys([".notdef", *names.values()], (1000, 0)))
        builder.setupHorizontalHeader(ascent=880, descent=-120)
        builder.setupNameTable({"familyName": "Bars", "styleName": "Regular"})
        builder.setupOS2(sTypoAscender=880, sTypoDescender=-120, usWinAscent=880, usWinDescent=120)
        builder.setupPost()
        file = io.BytesIO()
        builder.save(file)
        return FontFile(file.getvalue(), "bars.ttf")

    return make
