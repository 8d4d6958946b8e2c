"""Languages: their tags, names, directions and plural forms, by the data of CLDR in babel (imported when needed)."""

from __future__ import annotations

import locale
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from rish_system import system_locale

_TAG = re.compile(
    r"(?P<language>[A-Za-z]{2,3})(?:[-_](?P<script>[A-Za-z]{4}))?(?:[-_](?P<region>[A-Za-z]{2}|\d{3}))?"
    r"(?:[.@].*|[-_][A-Za-z0-9]{4,8})*\Z"
)
FORMS = ("zero", "one", "two", "few", "many", "other")
"""The plural forms of CLDR."""
_RIGHT_TO_LEFT = frozenset({"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"})
"""The scripts that are written from right to left."""
_LANGUAGES_RIGHT_TO_LEFT = frozenset({
    "apc", "ar", "ary", "bal", "bgn", "bqi", "brh", "ckb", "dv", "fa", "he", "ks", "lrc", "mzn", "nqo", "ps", "rhg",
    "sd", "sdh", "skr", "syr", "trw", "ug", "ur", "yi",
})  # fmt: skip
"""The languages that are usually written in one of them. babel knows them as well, but reads much for each language."""


_SEVERAL_SCRIPTS = frozenset({
    "abq", "az", "ha", "hak", "kk", "ku", "ky", "lzz", "mey", "mn", "ms", "nan", "pa", "pi", "pnt", "sd", "sr", "stu",
    "tg", "ug", "unr", "uz", "yue", "zh",
})  # fmt: skip
"""The languages whose script depends on the region."""


def tag_of(text: str) -> str | None:
    """Return the usual spelling of a language tag (`zh_tw.UTF-8`: `zh-TW`), or None for other text."""
    match = _TAG.match(text)
    if match is None:
        return None
    script, region = match["script"], match["region"]
    parts = [match["language"].lower(), script.title() if script else "", region.upper() if region else ""]
    return "-".join(filter(None, parts))


@cache
def complete(tag: str) -> tuple[str, str, str]:
    """Return language, script and region of a tag; missing parts are the most likely ones: `zh-HK` gives zh, Hant,
    HK."""
    from babel.core import get_global

    match = _TAG.match(tag)
    if match is None:
        return tag, "", ""
    language, script, region = match["language"], match["script"] or "", match["region"] or ""
    likely: Mapping[str, str] = get_global("likely_subtags")
    for parts in ((language, script, region), (language, region), (language, script), (language,)):
        guess = _TAG.match(likely.get("_".join(filter(None, parts)), ""))
        if guess is not None:
            return language, script or guess["script"] or "", region or guess["region"] or ""
    return language, script, region


def matching(tag: str, available: Iterable[str]) -> list[str]:
    """Return the available languages for a reader of `tag`, the best first: same tag, same script, others."""
    language = _language_of(tag)
    candidates = [other for other in available if _language_of(other) == language]
    if candidates == [language] and language not in _SEVERAL_SCRIPTS and not _script_of(tag):
        return candidates
    ranked: list[tuple[int, str]] = []
    for other in candidates:
        if other == tag:
            ranked.append((0, other))
        elif complete(other)[1] == complete(tag)[1]:
            region = complete(other)[2]
            ranked.append((1 if region == complete(tag)[2] else 2 if "-" + region not in other else 3, other))
    return [other for _, other in sorted(ranked)]


def _language_of(tag: str) -> str:
    match = _TAG.match(tag)
    return match["language"] if match is not None else tag


def _script_of(tag: str) -> str:
    match = _TAG.match(tag)
    return (match["script"] or "") if match is not None else ""


def chain(tag: str, fallback: str, available: Iterable[str]) -> list[str]:
    """Return the available languages in which a text is looked up, in order."""
    tags = list(available)
    return list(dict.fromkeys([*matching(tag, tags), *matching(fallback, tags)]))


def direction(tag: str) -> str:
    """Return `rtl` for a language that is written from right to left, otherwise `ltr`."""
    script, language = _script_of(tag), _language_of(tag)
    if not script and language != tag and language in _SEVERAL_SCRIPTS:
        script = complete(tag)[1]
    is_rtl = script in _RIGHT_TO_LEFT if script else language in _LANGUAGES_RIGHT_TO_LEFT
    return "rtl" if is_rtl else "ltr"


def own_name(tag: str) -> str:
    """Return the name of a language in itself: `English`, `繁體中文`; the tag if it is unknown."""
    locale = _locale(tag)
    if locale is None:
        return tag
    name = locale.languages.get(tag.replace("-", "_")) or locale.get_display_name() or tag
    return name[:1].upper() + name[1:]


@lru_cache(1024)
def plural_form(tag: str, number: float) -> str:
    """Return the form of a number, one of FORMS; `other` for a language without rules."""
    locale = _locale(tag)
    if locale is None:
        return "other"
    return locale.plural_form(int(number) if number == int(number) else number)


def plural_forms(tag: str) -> list[str]:
    """Return the forms that a language distinguishes, in the order of FORMS."""
    locale = _locale(tag)
    tags = locale.plural_form.tags if locale is not None else ()
    return [form for form in FORMS if form in tags or form == "other"]


def system_language() -> str:
    """Return the tag of the system's language, or an empty text if it has none.

    On POSIX the variables LANGUAGE, LC_ALL, LC_MESSAGES and LANG are read, in this order.
    """
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for text in os.environ.get(name, "").split(":"):
            if text and text.partition(".")[0] not in ("C", "POSIX"):
                return tag_of(text) or ""
    return tag_of(system_locale() or locale.getlocale()[0] or "") or ""


@cache
def _locale(tag: str) -> Any:
    """Return babel's data of a language, or None."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(tag, sep="-")
    except (ValueError, UnknownLocaleError):
        return None
