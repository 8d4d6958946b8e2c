"""Makes the fonts of rish-editor: Noto Sans in two weights, and the common characters of Chinese.

python docs/make_editor_font.py

The outlines of Latin, Greek and Cyrillic are those of the package manimgx-fonts, those of Chinese of noto-cjk-sans-otc.
The results are the same on every machine for the versions of these packages and of fontTools in `uv.lock`.

ImGui scales a font so that ascent and descent together have the size that is asked for. Noto's are large and differ
between the two sources, so both are set here: the ems of Latin are 0.87 of the size, those of Chinese 0.93, and
capitals are in the middle of the line.
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from make_font import subset, traditional, written

from rish_render import strings_of

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[1]
EDITOR = ROOT / "plugins" / "rish_editor" / "src" / "rish_editor"
SHIPPED = EDITOR / "look" / "shipped"
WEIGHTS = {"NotoSans-Regular.ttf": 400, "NotoSans-SemiBold.ttf": 600}
CHINESE = "NotoSansTC-common.otf"
_LATIN = [
    (0x20, 0x24F),
    (0x2B0, 0x2FF),
    (0x370, 0x52F),
    (0x1E00, 0x1EFF),
    (0x2000, 0x206F),
    (0x20A0, 0x20BF),
    (0x2100, 0x22FF),
]
"""Latin with its extensions, Greek, Cyrillic, punctuation, currencies, and letter-like and mathematical signs."""
_BIG5 = ((0xA1, 0xA3), (0xA4, 0xC6))
"""Lead bytes of Big5: punctuation and symbols, and the characters of level 1."""
_GB2312 = (0xB0, 0xD7)
"""Lead bytes of the characters of level 1 of GB 2312."""
_LATIN_METRICS, _CHINESE_METRICS = (0.934, 0.216), (0.88, 0.195)
"""Ascent and descent, ems."""


def latin() -> str:
    """Return the characters that the two weights of Noto Sans have at most."""
    return "".join(chr(code) for first, last in _LATIN for code in range(first, last + 1))


def chinese() -> str:
    """Return the characters of the Chinese font, sorted: Big5 level 1, GB 2312 level 1, and those of the editor."""
    found = {character for first, last in _BIG5 for character in _of_codec("big5", first, last)}
    found |= set(_of_codec("gb2312", *_GB2312))
    found.update(*strings_of(EDITOR))
    return "".join(sorted(character for character in found if _is_wide(character)))


def _of_codec(codec: str, first: int, last: int) -> str:
    """Return the characters of a double-byte encoding whose lead byte is from `first` to `last`."""
    pairs = [bytes((lead, trail)) for lead in range(first, last + 1) for trail in range(0x40, 0xFF)]
    if codec == "big5":
        pairs = [pair for pair in pairs if pair <= b"\xc6\x7e"]
    return "".join(pair.decode(codec, "ignore") for pair in pairs)


def _is_wide(character: str) -> bool:
    """Return True for characters of East Asia as wide as an ideograph (UAX 11), which Noto Sans lacks."""
    return len(character) == 1 and ord(character) >= 0x2E80 and unicodedata.east_asian_width(character) in "WF"


def make() -> dict[str, bytes]:
    """Return the font files, by name."""
    made = {name: _weight(weight) for name, weight in WEIGHTS.items()}
    made[CHINESE] = written(_measured(subset(traditional(), chinese(), desubroutinize=False), *_CHINESE_METRICS))
    return made


def _weight(weight: int) -> bytes:
    """Return Noto Sans of one weight."""
    import manimgx_fonts
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    path = Path(manimgx_fonts.__file__).parent / "NotoSans[wght].ttf"
    font = instancer.instantiateVariableFont(
        TTFont(path, recalcTimestamp=False), {"wght": weight}, updateFontNames=True
    )
    return written(_measured(subset(font, latin(), desubroutinize=True), *_LATIN_METRICS))


def _measured(font: TTFont, ascent: float, descent: float) -> TTFont:
    """Return a font with another ascent and descent, ems."""
    em = font["head"].unitsPerEm
    above, below = round(ascent * em), round(descent * em)
    for table, names in (("hhea", ("ascent", "descent")), ("OS/2", ("sTypoAscender", "sTypoDescender"))):
        setattr(font[table], names[0], above)
        setattr(font[table], names[1], -below)
    font["hhea"].lineGap = font["OS/2"].sTypoLineGap = 0
    font["OS/2"].usWinAscent, font["OS/2"].usWinDescent = above, below
    return font


if __name__ == "__main__":
    SHIPPED.mkdir(parents=True, exist_ok=True)
    for name, data in make().items():
        (SHIPPED / name).write_bytes(data)
        print(f"{name}: {len(data) / 1000:.0f} kB", file=sys.stderr)
