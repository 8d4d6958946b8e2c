"""Each cluster gets a font: the named one, an included one or one of the system; otherwise a box and a log line."""

from __future__ import annotations

import logging

import pytest

from rish_render.text import faces as module
from rish_render.text.faces import Faces, default_font, packaged

CJK = pytest.mark.skipif(
    packaged("noto_cjk_sans_otc", "NotoSansCJK-Regular.ttc") is None, reason="the extra rish-render[cjk] is not here"
)


def test_the_default_font_has_the_letters_of_europe():
    """The default font, from a package, has Latin with all accents, Greek and Cyrillic."""
    assert all(character in default_font().coverage for character in "Az09éőłßçŞħΩέЖѓ€“—")


def test_the_named_font_comes_first(made_font):
    """Characters that the named font has are taken from it, the others from the default font."""
    faces, bars = Faces(search=False), made_font([0x41])
    assert faces.pick("A", bars) is bars
    assert faces.pick("B", bars) is faces.default


def test_other_scripts_and_signs_have_fonts_that_come_along():
    """Included fonts cover Hebrew, Arabic, Indian scripts, Thai, symbols and emoji."""
    faces = Faces(search=False)
    for character in "אبनส♪→😀":
        face = faces.pick(character, faces.default)
        assert face is not None, character
        assert character in face.coverage


def test_a_cluster_prefers_a_font_with_all_of_it(made_font):
    """A cluster is drawn by a font that has all of it; if none has, by one that has its letter."""
    faces, bars = Faces(search=False), made_font([0x41])
    assert faces.pick("A\u0301", bars) is faces.default
    assert faces.pick("A\u20e3\U0001d165", bars) is bars


def test_what_has_no_look_needs_no_font(made_font):
    """A single joiner is invisible and stays with the first font."""
    bars = made_font([0x41])
    assert Faces(search=False).pick("\u200d", bars) is bars


@CJK
@pytest.mark.slow
def test_the_extra_brings_chinese_japanese_and_korean():
    """The CJK extra covers Chinese, Japanese and Korean, in the forms of the language in the settings."""
    for character in "漢字かなカナ한글":
        assert Faces(search=False).pick(character, default_font()) is not None
    japanese, chinese = (Faces(language, search=False) for language in ("ja", "zh-Hant"))
    one, other = (faces.pick("直", faces.default) for faces in (japanese, chinese))
    assert one.index != other.index
    assert one.draw(48, "直").pixels.tobytes() != other.draw(48, "直").pixels.tobytes()


def test_a_missing_ideograph_names_the_extra_once(monkeypatch, caplog):
    """All missing ideographs give one log line that names the extra, and all other missing characters give one."""
    monkeypatch.setattr(module, "_CJK_PACKAGE", "no_such_package")
    faces = Faces(search=False)
    with caplog.at_level(logging.WARNING):
        assert faces.pick("漢", faces.default) is None
        assert faces.pick("字", faces.default) is None
        assert faces.pick("\u0378", faces.default) is None
    assert [("rish-render[cjk]" in record.getMessage()) for record in caplog.records] == [True, False]


def test_the_fonts_of_the_system_come_last(made_font, monkeypatch, tmp_path):
    """The system's fonts are searched last, also in subfolders; files that are no fonts are skipped."""
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
    """Without the font package the default is Pillow's font, and one log line names the package."""
    monkeypatch.setattr(module, "_PACKAGE", "no_such_package")
    faces = Faces(search=False)
    assert "A" in faces.default.coverage
    assert faces.pick("א", faces.default) is None
    assert "manimgx-fonts" in caplog.text
