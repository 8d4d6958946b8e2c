"""Languages: tags, which one replaces another, names, directions, plural forms and that of the system."""

from __future__ import annotations

import pytest
from babel import Locale
from babel.core import get_global

from rish_ui.locales import direction, languages, own_name, plural_form, system_language
from rish_ui.locales.languages import chain, matching, plural_forms, tag_of


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("zh_TW.UTF-8", "zh-TW"), ("zh-hant-tw", "zh-Hant-TW"), ("EN", "en"), ("de_DE@euro", "de-DE"),
        ("ca-ES-valencia", "ca-ES"), ("es-419", "es-419"), ("klingon", None), ("x", None), ("", None),
    ],
)  # fmt: skip
def test_tags_have_one_spelling(text: str, tag: str | None) -> None:
    """A tag is spelled as usual whatever its case, separators and encoding; other text is no tag."""
    assert tag_of(text) == tag


@pytest.mark.parametrize(
    ("wanted", "available", "found"),
    [
        ("zh-HK", ["en", "zh-Hant", "zh-Hans"], ["zh-Hant"]),
        ("zh-TW", ["zh-Hant", "zh"], ["zh-Hant"]),
        ("zh-Hant", ["zh-TW", "zh-CN"], ["zh-TW"]),
        ("zh-HK", ["zh-TW", "zh-HK"], ["zh-HK", "zh-TW"]),
        ("zh", ["zh-Hant", "zh-Hans"], ["zh-Hans"]),
        ("de-AT", ["de", "en", "de-CH", "de-AT"], ["de-AT", "de", "de-CH"]),
        ("de-AT", ["de-DE"], ["de-DE"]),
        ("pt", ["pt-PT", "pt-BR"], ["pt-BR", "pt-PT"]),
        ("sr-Latn", ["sr"], []),
        ("fr", ["en"], []),
        ("xx", ["en", "xx"], ["xx"]),
    ],
)
def test_a_language_is_replaced_by_those_that_its_readers_read(
    wanted: str, available: list[str], found: list[str]
) -> None:
    """Another region of the same language and script replaces a language, another script does not."""
    assert matching(wanted, available) == found


def test_the_chain_ends_with_the_fallback() -> None:
    """A text is looked up in the language, in what replaces it, and in the fallback language."""
    assert chain("zh-HK", "en", ["en", "zh-Hant", "ja"]) == ["zh-Hant", "en"]
    assert chain("de-AT", "en-GB", ["en", "de", "de-AT"]) == ["de-AT", "de", "en"]
    assert chain("en", "en", ["en"]) == ["en"]


def test_languages_are_named_in_themselves() -> None:
    """Names begin with a capital letter where the script has them; an unknown tag is its own name."""
    names = [own_name(tag) for tag in ("en", "zh-Hant", "zh-Hans", "fr", "pt-BR", "xx")]
    assert names == ["English", "繁體中文", "简体中文", "Français", "Português (Brasil)", "xx"]


def test_directions_are_those_of_cldr() -> None:
    """Languages, scripts and regions have the direction that babel's data say: one region may write another script."""
    tags = [
        "en",
        "en-US",
        "zh-Hant",
        "ar",
        "he-IL",
        "fa",
        "yi",
        "ks",
        "ks-Deva",
        "ks-IN",
        "sd",
        "sd-IN",
        "uz",
        "uz-Arab",
        "pa-PK",
        "az-IR",
        "ku",
        "kk-CN",
        "ff-Adlm",
        "ms-Arab",
    ]
    assert {tag: direction(tag) for tag in tags} == {tag: Locale.parse(tag, sep="-").text_direction for tag in tags}


def test_scripts_that_depend_on_the_region_are_those_of_cldr() -> None:
    """The languages for which a region may mean another script are those of babel's table."""
    scripts: dict[str, set[str]] = {}
    for tag, likely in get_global("likely_subtags").items():
        language, *parts = tag.split("_")
        if not parts or len(parts[0]) != 4:
            scripts.setdefault(language, set()).add(likely.split("_")[1])
    assert {language for language, several in scripts.items() if len(several) > 1} - {
        "und"
    } == languages._SEVERAL_SCRIPTS


def test_some_languages_are_written_from_right_to_left() -> None:
    """Arabic, Hebrew and Persian are written from right to left, an unknown language is not."""
    assert [direction(tag) for tag in ("ar", "he", "fa", "ar-EG", "en", "zh-Hant", "xx")] == ["rtl"] * 4 + ["ltr"] * 3


@pytest.mark.parametrize(
    ("tag", "forms"),
    [
        ("en", {0: "other", 1: "one", 1.5: "other", 2: "other"}),
        ("zh-Hant", {0: "other", 1: "other", 2: "other"}),
        ("ru", {1: "one", 3: "few", 5: "many", 21: "one", 1.5: "other"}),
        ("ar", {0: "zero", 1: "one", 2: "two", 3: "few", 11: "many", 100: "other"}),
        ("xx", {1: "other"}),
    ],
)
def test_plural_forms_are_those_of_cldr(tag: str, forms: dict[float, str]) -> None:
    """A number gets the form of its language; a whole float counts as a whole number."""
    assert plural_form("en", 1.0) == "one"
    assert {number: plural_form(tag, number) for number in forms} == forms


def test_the_forms_of_a_language_are_known() -> None:
    """The forms that a translation needs are listed in the order of CLDR."""
    assert plural_forms("en") == ["one", "other"]
    assert plural_forms("zh-Hant") == ["other"]
    assert plural_forms("pl") == ["one", "few", "many", "other"]


def test_the_language_of_the_system_is_that_of_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """LANGUAGE wins over LC_ALL, LC_MESSAGES and LANG; `C` and `POSIX` are no languages."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("locale.getlocale", lambda: (None, None))
    monkeypatch.setattr("sys.platform", "linux")
    assert system_language() == ""
    monkeypatch.setenv("LANG", "zh_TW.UTF-8")
    assert system_language() == "zh-TW"
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert system_language() == "zh-TW"
    monkeypatch.setenv("LANGUAGE", "de_AT:de")
    assert system_language() == "de-AT"
