"""The fonts inside the editor: small, complete for its texts, and quick to load."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from long_runs import only_long
from rish_editor.look import icons
from rish_editor.look.fonts import _ICONS, SHIPPED, system_font
from rish_editor.look.language import NAMES, catalog
from rish_render.kinds.text.fonts import FontFile
from tools import needs

DOCS = Path(__file__).parents[3] / "docs"
FILES = ("NotoSans-Regular.ttf", "NotoSans-SemiBold.ttf", "NotoSansTC-common.otf")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script that makes the fonts."""
    sys.path.insert(0, str(DOCS))
    spec = importlib.util.spec_from_file_location("docs_make_editor_font", DOCS / "make_editor_font.py")
    made = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(made)
    finally:
        sys.path.remove(str(DOCS))
        sys.modules.pop("make_font", None)
    return made


def covered() -> set[str]:
    """Return all characters of the shipped fonts that both weights have."""
    regular, bold, chinese = (FontFile(SHIPPED / name).coverage for name in FILES)
    return {
        chr(code)
        for code in range(0x20, 0x30000)
        if (chr(code) in regular and chr(code) in bold) or chr(code) in chinese
    }


@pytest.mark.slow
def test_they_have_every_character_of_the_editors_texts(script) -> None:
    """All texts in all languages, in the catalogs and in the code, are in the shipped fonts."""
    texts = [
        *NAMES.values(),
        *(text for code in NAMES for pair in catalog(code).items() for text in pair),
        script.chinese(),
    ]
    lacking = {character for text in texts for character in text} - covered()
    assert not lacking, f"run: python docs/make_editor_font.py ({''.join(sorted(lacking))})"


@pytest.mark.slow
def test_they_have_the_common_characters_of_chinese(script) -> None:
    """The characters of level 1 of Big5 (5,401) and of GB 2312 (3,755) are there."""
    common = covered()
    assert len(common & set(script.chinese())) >= 6_900
    assert (
        set("的一是不了人我在有他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得于着下自之年過發後作里")
        <= common
    )


def test_they_are_small_and_their_license_lies_beside_them() -> None:
    """All three files have fewer than 3 MB, and the Open Font License lies in the same folder."""
    assert sum((SHIPPED / name).stat().st_size for name in FILES) < 3_000_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (SHIPPED / "OFL.txt").read_text(encoding="utf-8")


@only_long
def test_they_are_made_the_same_way_each_time(script) -> None:
    """A run of the script gives the committed files."""
    needs("fontTools", "fonts")
    needs("noto_cjk_sans_otc", "fonts")
    made = script.make()
    assert sorted(made) == sorted(FILES)
    for name, data in made.items():
        assert data == (SHIPPED / name).read_bytes(), name


def test_icons_are_of_one_family() -> None:
    """Each icon is one character of Font Awesome 6 Solid in the private area, which no text face has."""
    coverage = FontFile(_ICONS).coverage
    for name in icons.names():
        icon = icons.by_name(name)
        assert len(icon) == 1, name
        assert "\ue000" <= icon <= "\uf8ff", name
        assert icon in coverage, name


def test_a_font_of_the_system_is_a_file() -> None:
    """If the operating system has a font for more characters, it is a file of moderate size."""
    path = system_font()
    assert path is None or (path.is_file() and path.stat().st_size <= 40 * 2**20)


@pytest.mark.gl
def test_they_load_in_a_moment(studio) -> None:
    """Fonts and style are there in less than 150 ms; at the second of three starts at the latest."""
    assert min(studio((320, 200)).seconds for _ in range(3)) < 0.15


@pytest.mark.gl
def test_each_face_has_text_icons_and_chinese(studio) -> None:
    """Letters, Chinese and icons are in all three faces."""
    fonts = studio((320, 200)).fonts
    for face in (fonts.regular, fonts.bold, fonts.mono):
        for character in ("A", "層", icons.SAVE):
            assert face.is_glyph_in_font(ord(character))
