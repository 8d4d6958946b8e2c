"""Each cluster gets a font: the named one, an included one or one of the system."""

from __future__ import annotations

import pytest

from rish_render.kinds.text import faces as module
from rish_render.kinds.text.faces import Faces, default_font
from tools import needing

CJK = needing(module.CJK[0], "fonts")


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


@pytest.mark.parametrize(
    ("language", "own"), [("zh-Hant", True), ("zh-HK", True), ("zh-Hant-TW", True), ("ja", False), ("", False)]
)
def test_the_shipped_font_comes_first_only_in_its_language(made_font, monkeypatch, tmp_path, language, own):
    """Without the CJK extra, Traditional Chinese uses the shipped font and other languages the system's, if any."""
    monkeypatch.setattr(module, "CJK", ("no_such_package", ""))
    (tmp_path / "bars.ttf").write_bytes(made_font([0x958B]).source)
    monkeypatch.setattr(module, "font_folders", lambda: [tmp_path])
    faces = Faces(language)
    assert faces.pick("開", faces.default).name == (module.SHIPPED.name if own else "bars.ttf")
    assert faces.pick("始", faces.default).name == module.SHIPPED.name


def test_the_system_font_of_the_language_comes_first(made_font, monkeypatch, tmp_path):
    """Of several system fonts with a character, the one whose name belongs to the language is used."""
    monkeypatch.setattr(module, "CJK", ("no_such_package", ""))
    for name in ("msyh.ttf", "YuGothR.ttf", "malgun.ttf"):
        (tmp_path / name).write_bytes(made_font([0x9F98]).source)
    monkeypatch.setattr(module, "font_folders", lambda: [tmp_path])
    for language, name in (("ja", "YuGothR.ttf"), ("ko-KR", "malgun.ttf"), ("zh-Hans", "msyh.ttf")):
        faces = Faces(language)
        assert faces.pick("龘", faces.default).name == name


def test_the_fonts_of_the_system_come_last(made_font, monkeypatch, tmp_path):
    """The system's fonts are searched last, also in subfolders; files that are no fonts are skipped."""
    (tmp_path / "a_broken.ttf").write_bytes(b"\x00\x01\x00\x00" + bytes(30))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b_bars.ttf").write_bytes(made_font([0x10400]).source)
    monkeypatch.setattr(module, "font_folders", lambda: [tmp_path, tmp_path / "none"])
    faces = Faces()
    face = faces.pick("\U00010400", faces.default)
    assert face is not None
    assert face.name == "b_bars.ttf"
    assert faces.pick("\U00010401", faces.default) is None


def test_without_its_package_the_default_is_the_font_inside_pillow(monkeypatch, caplog):
    """Without the font package the default is Pillow's font, and one log line names the package."""
    monkeypatch.setattr(module, "DEFAULT", ("no_such_package", ""))
    faces = Faces(search=False)
    assert "A" in faces.default.coverage
    assert faces.pick("א", faces.default) is None
    assert "manimgx-fonts" in caplog.text
