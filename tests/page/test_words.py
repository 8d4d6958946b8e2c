"""The page's own words in several languages."""

from __future__ import annotations

from pathlib import Path

import pytest

import rish_page
from rish_core.manifest import load_yaml
from rish_page.words import Words

FILES = sorted((Path(rish_page.__file__).parent / "texts").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_languages_have_all_words_with_the_same_places(path: Path) -> None:
    """A translation lacks no word, and no value that is put into one."""
    english = load_yaml(FILES[0]).data
    theirs = load_yaml(path).data
    assert FILES[0].stem == "en"
    assert theirs.keys() == english.keys()
    for name, text in english.items():
        assert {part.partition("}")[0] for part in text.split("{")[1:]} == {
            part.partition("}")[0] for part in theirs[name].split("{")[1:]
        }


@pytest.mark.parametrize(
    ("language", "word", "direction"),
    [("en", "Download", "ltr"), ("zh-Hant", "下載", "ltr"), ("ZH-TW", "下載", "ltr"), ("ar", "Download", "rtl")],
)
def test_a_language_has_its_words_or_english_ones(language: str, word: str, direction: str) -> None:
    """Languages that are written from right to left are known."""
    words = Words(language)
    assert (words("download"), words.direction) == (word, direction)


def test_the_author_can_write_other_words() -> None:
    """Values are put in once: a title with braces stays as it is."""
    words = Words("en", {"by": "von {author}"})
    assert words("by", author="{author} {title}") == "von {author} {title}"
    assert words("license", license="MIT") == "License: MIT"
