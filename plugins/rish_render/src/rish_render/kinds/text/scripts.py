"""Scripts: the names of writing systems, and where a font for them can be had."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rish_frame.paint.writing import is_ideographic
from rish_system import current

WRITINGS = {
    "Latin": ("", "Aéłß"),
    "Greek": ("", "Ωλ"),
    "Cyrillic": ("", "Жя"),
    "Hebrew": ("", "אש"),
    "Arabic": ("", "عس"),
    "Devanagari": ("", "नम"),
    "Thai": ("", "สท"),
    "symbols": ("", "♪→☂"),
    "emoji": ("", "😀👍"),
    "Traditional Chinese": ("zh-Hant", "鬱籲鱷"),
    "Simplified Chinese": ("zh-Hans", "简体龙"),
    "Japanese": ("ja", "ひらカナ働"),
    "Korean": ("ko", "한글"),
}
"""By the name of a kind of writing: its language, "" if that does not matter, and characters that a font for it has."""
_EMOJI = range(0x1F000, 0x20000)
_LANGUAGES = {
    "ja": "Japanese", "ko": "Korean", "zh": "Simplified Chinese", "zh-cn": "Simplified Chinese",
    "zh-hans": "Simplified Chinese", "zh-hant": "Traditional Chinese", "zh-tw": "Traditional Chinese",
    "zh-hk": "Traditional Chinese of Hong Kong",
}  # fmt: skip
_LOCAL = "put a font with these characters into the game's folder and name it in Text.font"
_MAX_NAMED = 12


def is_cjk(character: str) -> bool:
    """Return True for characters of Chinese, Japanese and Korean, which need a font of their own; False for emoji."""
    return is_ideographic(character) and ord(character) not in _EMOJI


def missing_line(characters: Iterable[str], language: str) -> str:
    """Return a sentence that names characters without a font, the first ones with their numbers, and their script.

    language: the setting, which says what Han characters are meant for.
    """
    missing = list(characters)
    named = ", ".join(
        f"{character} (U+{ord(character):04X})" for character in missing[:_MAX_NAMED] if _shown(character)
    )
    hidden = ", ".join(f"U+{ord(character):04X}" for character in missing[:_MAX_NAMED] if not _shown(character))
    more = f" and {len(missing) - _MAX_NAMED} more" if len(missing) > _MAX_NAMED else ""
    scripts = ", ".join(dict.fromkeys(_script(character, language) for character in missing))
    return f"no font has {', '.join(part for part in (named, hidden) if part)}{more} ({scripts})"


def way_to_get(characters: Iterable[str]) -> str:
    """Return what to install for characters that no font has."""
    missing = list(characters)
    ways = ["pip install noto-cjk-sans-otc"] if any(map(is_cjk, missing)) else []
    if current() == "linux":
        assigned = any(
            not is_cjk(character) and unicodedata.category(character) not in ("Cn", "Co") for character in missing
        )
        packages = ["fonts-noto-cjk"] * bool(ways) + ["fonts-noto-core"] * assigned
        ways += [f"apt install {' '.join(packages)}"] if packages else []
    return ", or ".join([*ways, _LOCAL])


def _shown(character: str) -> bool:
    """Return True if a character can be printed."""
    return character.isprintable() and not unicodedata.combining(character)


def _script(character: str, language: str) -> str:
    """Return the name of a character's script, from its Unicode name."""
    word = unicodedata.name(character, "unknown").partition(" ")[0].partition("-")[0].capitalize()
    if word in ("Cjk", "Ideographic", "Fullwidth"):
        return _LANGUAGES.get(language.lower(), "Chinese or Japanese")
    return {"Hangul": "Korean", "Hiragana": "Japanese", "Katakana": "Japanese", "Unknown": "unknown"}.get(word, word)
