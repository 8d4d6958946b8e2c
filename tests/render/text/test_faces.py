"""Each cluster finds a font: the named one, those that come along, the system's; or a box, and one line."""

from __future__ import annotations

import logging

import pytest

from rish_render.text import faces as module
from rish_render.text.faces import Faces, default_font, packaged

CJK = pytest.mark.skipif(
    packaged("noto_cjk_sans_otc", "NotoSansCJK-Regular.ttc") is None, reason="the extra rish-render[cjk] is not here"
)


def test_the_default_font_has_the_letters_of_europe():
    """Latin with all accents, Greek, Cyrillic; it comes by a package."""
    assert all(character in default_font().coverage for character in "Az09éőłßçŞħΩέЖѓ€“—")


def test_the_named_font_comes_first(made_font):
    """What it has is taken from it, the rest from the default."""
    faces, bars = Faces(search=False), made_font([0x41])
    assert faces.pick("A", bars) is bars
    assert faces.pick("B", bars) is faces.default


def test_other_scripts_and_signs_have_fonts_that_come_along():
    """Hebrew, Arabic, India's scripts, Thai, symbols and emoji."""
    faces = Faces(search=False)
    for character in "אبनส♪→😀":
        face = faces.pick(character, faces.default)
        assert face is not None, character
        assert character in face.coverage


def test_a_cluster_prefers_a_font_with_all_of_it(made_font):
    """A letter whose mark the first font lacks is drawn by one that has both; if none has, by one with the letter."""
    faces, bars = Faces(search=False), made_font([0x41])
    assert faces.pick("A\u0301", bars) is faces.default
    assert faces.pick("A\u20e3\U0001d165", bars) is bars


def test_what_has_no_look_needs_no_font(made_font):
    """A joiner that stands alone stays with the first font."""
    bars = made_font([0x41])
    assert Faces(search=False).pick("\u200d", bars) is bars


@CJK
@pytest.mark.slow
def test_the_extra_brings_chinese_japanese_and_korean():
    """In the forms of the language that the settings name."""
    for character in "漢字かなカナ한글":
        assert Faces(search=False).pick(character, default_font()) is not None
    japanese, chinese = (Faces(language, search=False) for language in ("ja", "zh-Hant"))
    one, other = (faces.pick("直", faces.default) for faces in (japanese, chinese))
    assert one.index != other.index
    assert one.draw(48, "直").pixels.tobytes() != other.draw(48, "直").pixels.tobytes()


def test_a_missing_ideograph_names_the_extra_once(monkeypatch, caplog):
    """One line for all of them, and one for all others that are missing."""
    monkeypatch.setattr(module, "_CJK_PACKAGE", "no_such_package")
    faces = Faces(search=False)
    with caplog.at_level(logging.WARNING):
        assert faces.pick("漢", faces.default) is None
        assert faces.pick("字", faces.default) is None
        assert faces.pick("\u0378", faces.default) is None
    assert [("rish-render[cjk]" in record.getMessage()) for record in caplog.records] == [True, False]


def test_the_fonts_of_the_system_come_last(made_font, monkeypatch, tmp_path):
    """The first file that has the character, whatever else lies there; what is no font is passed over."""
    (tmp_path / "a_broken.ttf").write_bytes(b"\x00\x01\x00\x00" + bytes(30))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b_bars.ttf").write_bytes(made_font([0x10400]).source)
    monkeypatch.setattr(module, "_folders", lambda: [tmp_path, tmp_path / "none"])
    faces = Faces()
    face = faces.pick("\U00010400", faces.default)
    assert face is not None
    assert face.name == "b_bars.ttf"
    assert faces.pick("\U00010401", faces.default) is None


def test_without_its_package_the_default_is_the_font_inside_pillow(monkeypatch, caplog):
    """Letters are still shown, and one line says what is missing."""
    monkeypatch.setattr(module, "_PACKAGE", "no_such_package")
    faces = Faces(search=False)
    assert "A" in faces.default.coverage
    assert faces.pick("א", faces.default) is None
    assert "manimgx-fonts" in caplog.text
