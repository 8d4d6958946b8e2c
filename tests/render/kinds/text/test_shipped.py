"""The font inside rish-render: small, complete for all shipped strings, and opened only when a text needs it."""

from __future__ import annotations

import functools
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from long_runs import only_long
from rish_frame.paint.writing import clean, clusters_of, is_invisible
from rish_render import Text, strings_of
from rish_render.kinds.text import faces as module
from rish_render.kinds.text import fonts
from rish_render.kinds.text.faces import SHIPPED, Faces, packaged
from rish_render.kinds.text.fonts import FontFile
from rish_render.kinds.text.scripts import WRITINGS
from tools import needing, needs

ROOT = Path(__file__).parents[4]
CJK = needing(module.CJK[0], "fonts")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script that makes the font; it reads all sources once."""
    spec = importlib.util.spec_from_file_location("docs_make_font", ROOT / "docs" / "make_font.py")
    made = importlib.util.module_from_spec(spec)
    sys.modules["docs_make_font"] = made
    spec.loader.exec_module(made)
    made.characters = functools.cache(made.characters)
    return made


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the CJK extra and the fonts of the system."""
    monkeypatch.setattr(module, "CJK", ("no_such_package", ""))
    monkeypatch.setattr(module, "font_folders", list)


@pytest.mark.slow
def test_it_has_exactly_the_characters_of_the_list(script):
    """The font has the characters of the word list and of all games and packages, and no others."""
    coverage = FontFile(SHIPPED).coverage
    lacking = [character for character in script.characters() if character not in coverage]
    assert not lacking, f"run: python docs/make_font.py ({''.join(lacking)})"
    assert len(coverage) == len(script.characters())


def test_it_is_small_and_its_license_lies_beside_it():
    """The font has fewer than 300 kB, and the Open Font License lies in the same folder."""
    assert SHIPPED.stat().st_size < 300_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (SHIPPED.parent / "OFL.txt").read_text(encoding="utf-8")


@pytest.mark.slow
@CJK
def test_its_letters_are_those_of_noto_in_traditional_form(script):
    """At 13 and 40 pixels each character has the pixels and the advance that Noto Sans CJK TC gives it."""
    shipped, whole = FontFile(SHIPPED), FontFile(packaged(*module.CJK), index=3)
    assert shipped.metrics(100) == whole.metrics(100)
    for character in script.characters():
        assert shipped.advance(40, character) == whole.advance(40, character)
        for size in (13, 40):
            one, other = shipped.draw(size, character), whole.draw(size, character)
            assert (one is None) == (other is None)
            assert one is None or (one[1:] == other[1:] and np.array_equal(one.pixels, other.pixels)), character


@only_long
@CJK
@pytest.mark.slow
def test_it_is_made_the_same_way_each_time(script):
    """A run of the script gives the committed file, so that it changes only with its list."""
    needs("fontTools", "fonts")
    same = script.make() == SHIPPED.read_bytes()  # pytest would compare unequal files for a minute
    assert same, "run: python docs/make_font.py"


@pytest.mark.slow
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("language", ["", "ja", "zh-Hant"])
def test_no_shipped_string_misses_a_glyph(script, language):
    """Without the extra and system fonts, every cluster of all shipped strings has a font with its characters."""
    loading = ROOT / "plugins" / "rish_render" / "src" / "rish_render" / "plugin"
    texts = script.WORDS.read_text(encoding="utf-8").splitlines()
    texts += [
        text for folder in [*ROOT.glob("games/*"), *ROOT.glob("docs/scenes/*"), loading] for text in strings_of(folder)
    ]
    faces = Faces(language)
    missing = set()
    for cluster in {cluster for text in texts for cluster in clusters_of(clean(text))} - {"\n"}:
        face = faces.pick(cluster, faces.default)
        wanted = [character for character in cluster if not is_invisible(character)]
        if face is None or not all(character in face.coverage for character in wanted):
            missing.add(cluster)
    assert not missing


def test_samples_of_chinese_tell_it_from_a_complete_font():
    """The samples of the doctor for Chinese, Japanese and Korean are not in the shipped font."""
    coverage = FontFile(SHIPPED).coverage
    for name in ("Traditional Chinese", "Simplified Chinese", "Japanese", "Korean"):
        assert not any(character in coverage for character in WRITINGS[name][1])


@pytest.mark.usefixtures("alone")
def test_only_a_text_that_needs_it_opens_it(studio, monkeypatch):
    """A game in English, with signs and emoji, does not read the file; the first ideograph does."""
    opened = []
    module.packaged_font.cache_clear()
    read = fonts.read_coverage
    monkeypatch.setattr(fonts, "read_coverage", lambda source, index: opened.append(source) or read(source, index))
    stage = studio((200, 100), settings={"render": {"language": "zh-Hant"}})
    sign = stage.put(100, 50, Text(text="Score: 12 → “é” ♪ 😀"))
    stage.shoot()
    assert opened
    assert SHIPPED not in opened
    stage.world.get(sign, Text).text = "分數：12"
    stage.shoot()
    assert SHIPPED in opened
