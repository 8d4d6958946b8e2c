"""Makes the font of Traditional Chinese in rish-render: the characters of its word list and of all shipped strings.

python docs/make_font.py

The outlines are those of Noto Sans CJK TC, which the package noto-cjk-sans-otc has. The result is the same on every
machine for the versions of that package and of fontTools in `uv.lock`.
"""

from __future__ import annotations

import io
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from rish_render import strings_of

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "plugins" / "rish_render" / "src" / "rish_render"
WORDS = PACKAGE / "kinds" / "text" / "shipped" / "words.txt"
FONT = WORDS.parent / "NotoSansTC-subset.otf"
PLUGINS = [folder for folder in ROOT.glob("plugins/*/src/*") if folder.name != "rish_editor"]
"""All plugins except the editor, which has fonts of its own (`make_editor_font.py`)."""
SOURCES = [*ROOT.glob("games/*"), *ROOT.glob("docs/scenes/*"), *PLUGINS]
TABLES = [PACKAGE / "kinds" / "text", ROOT / "plugins" / "rish_frame" / "src" / "rish_frame" / "paint" / "writing"]
"""The code of text itself: its strings are ranges of characters, not words."""
FOR_THE_EDITOR = [*ROOT.glob("plugins/*/src/**/editing*"), *ROOT.glob("plugins/*/src/**/profiler")]
"""What plugins bring for the editor."""
_TRADITIONAL = 3
"""The index of the font with the forms of Traditional Chinese in the collection."""
_NAMES = [0, 1, 2, 4, 5, 6, 13, 14]
"""Records of the table `name` that are kept: copyright, family, style, full name, version, file and license."""


def characters() -> str:
    """Return the characters that the font must have, sorted."""
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    texts = [line for line in lines if not line.startswith("#")]
    texts += [text for folder in SOURCES for text in strings_of(folder, without=[*TABLES, *FOR_THE_EDITOR])]
    return "".join(sorted({character for text in texts for character in text if _is_wide(character)}))


def _is_wide(character: str) -> bool:
    """Return True for the characters of East Asia as wide as an ideograph (UAX 11), False for emoji."""
    return 0x2E80 <= ord(character) < 0x1F000 and unicodedata.east_asian_width(character) in "WF"


def make() -> bytes:
    """Return the font as an OpenType file."""
    return written(subset(traditional(), characters(), desubroutinize=True))


def traditional() -> TTFont:
    """Return Noto Sans CJK TC."""
    import noto_cjk_sans_otc
    from fontTools.ttLib import TTFont

    path = Path(noto_cjk_sans_otc.__file__).parent / "NotoSansCJK-Regular.ttc"
    return TTFont(path, fontNumber=_TRADITIONAL, recalcTimestamp=False)


def subset(font: TTFont, text: str, desubroutinize: bool) -> TTFont:
    """Return a font with only the characters of a text and without layout tables.

    desubroutinize: whether shared parts of outlines are written out, which is larger and drawn faster.
    """
    from fontTools import subset

    options = subset.Options(desubroutinize=desubroutinize, layout_features=[], name_IDs=_NAMES, notdef_outline=True)
    options.drop_tables += ["BASE", "GDEF", "GPOS", "GSUB", "VORG", "vhea", "vmtx"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=text)
    subsetter.subset(font)
    return font


def written(font: TTFont) -> bytes:
    """Return the file of a font."""
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


if __name__ == "__main__":
    made = make()
    FONT.write_bytes(made)
    print(f"{FONT.name}: {len(characters())} characters, {len(made) / 1000:.0f} kB")
