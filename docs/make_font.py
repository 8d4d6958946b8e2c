"""Makes the font of Traditional Chinese in rish-render: the characters of its word list and of all shipped strings.

python docs/make_font.py

The outlines are those of Noto Sans CJK TC, which the package noto-cjk-sans-otc has. The result is the same on every
machine for the versions of that package and of fontTools in `uv.lock`.
"""

from __future__ import annotations

import io
from pathlib import Path

from rish_render.plugin.strings import strings_of
from rish_render.text.faces import CJK, SHIPPED, packaged
from rish_render.text.scripts import is_cjk

ROOT = Path(__file__).parents[1]
WORDS = SHIPPED.parent / "words.txt"
SOURCES = [*ROOT.glob("games/*"), *ROOT.glob("docs/scenes/*"), *ROOT.glob("plugins/*/src/*")]
TABLES = SHIPPED.parents[1]
"""The code of text itself: its strings are ranges of characters, not words."""
_TRADITIONAL = 3
"""The index of the font with the forms of Traditional Chinese in the collection."""
_NAMES = [0, 1, 2, 4, 5, 6, 13, 14]
"""Records of the table `name` that are kept: copyright, family, style, full name, version, file and licence."""


def characters() -> str:
    """Return the characters that the font must have, sorted."""
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    texts = [line for line in lines if not line.startswith("#")]
    texts += [text for folder in SOURCES for text in strings_of(folder, without=TABLES)]
    return "".join(sorted({character for text in texts for character in text if is_cjk(character)}))


def make() -> bytes:
    """Return the font as an OpenType file."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    font = TTFont(packaged(*CJK), fontNumber=_TRADITIONAL, recalcTimestamp=False)
    options = subset.Options(desubroutinize=True, layout_features=[], name_IDs=_NAMES, notdef_outline=True)
    options.drop_tables += ["BASE", "GDEF", "GPOS", "GSUB", "VORG", "vhea", "vmtx"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters())
    subsetter.subset(font)
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


if __name__ == "__main__":
    made = make()
    SHIPPED.write_bytes(made)
    print(f"{SHIPPED.name}: {len(characters())} characters, {len(made) / 1000:.0f} kB")
