"""Clusters: the pieces of a text that are drawn as one image each.

Most clusters are a letter with the marks above and below it. Scripts whose letters join or change places (Arabic, the
scripts of India) are drawn as complete words, and so are the few sequences that fonts replace by a ligature (ffi),
because only the font's shaping data defines their form. Raqm does the shaping if Pillow has it. All other letters stay
separate, so that a letter is drawn only once for all its places.
"""

from __future__ import annotations

import functools
import re
import unicodedata

LONGEST_WORD = 48
MAX_MARKS = 12
"""The most combining marks of a cluster. Further ones are drawn separately, which limits the size of a glyph."""

_JOINED = (
    "؀-؋؍-ؚ؞ؠ-ۓە-ܯݐ-ݿࢠ-ࣿﭐ-﷿ﹰ-ﻼ"  # Arabic
    "ܐ-ݏ߀-ߪࡀ-࡛᠇ᠠ-ᡸ"  # Syriac, N'Ko, Mandaic, Mongolian
    "ऀ-ॣ०-෿ༀ-࿿က-႟ក-៓ꧠ-ꧾ"  # India's scripts, Tibetan, Burmese, Khmer
)
_LIGATURES = "ff[ijlt]|f[fijlt]"
_INVISIBLE = frozenset("\u00ad\u061c\u180e\u200b\u200c\u200d\u2060\ufeff" + "".join(map(chr, range(0xFE00, 0xFE10))))
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_ODD = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\ufff9-\ufffb]")


def clean(text: str) -> str:
    """Return the text with "\\n" as its only line break; invalid characters become U+FFFD."""
    if text.isascii() and text.isprintable():
        return text
    return _ODD.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def clusters_of(text: str, *, shaped: bool = True) -> list[str]:
    """Split a text into its clusters; joined they give the text. shaped: whether words and ligatures can be drawn."""
    if text.isascii() and (not shaped or "f" not in text):
        return list(text)
    return _pattern(shaped).findall(text)


def is_word(cluster: str) -> bool:
    """Return True if a cluster is part of a joined script."""
    return not cluster.isascii() and _joined().match(cluster) is not None


def is_invisible(character: str) -> bool:
    """Return True for characters that draw nothing: joiners, variation selectors, direction controls."""
    return character in _INVISIBLE or unicodedata.category(character) in ("Cf", "Cc")


@functools.cache
def _joined() -> re.Pattern[str]:
    return re.compile(f"[{_JOINED}]")


@functools.cache
def _pattern(shaped: bool) -> re.Pattern[str]:
    """Return the pattern that matches one cluster."""
    marks = rf"[{_marks()}\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
    flag = "[\U0001f1e6-\U0001f1ff]{2}"
    hangul = "[\u1100-\u115f\ua960-\ua97f]+[\u1160-\u11a7\ud7b0-\ud7c6]+[\u11a8-\u11ff\ud7cb-\ud7fb]*"
    emoji = "[\u231a-\u2bff\U0001f000-\U0001faff]"
    family = rf"{emoji}[\ufe0f\U0001f3fb-\U0001f3ff]*(?:\u200d{emoji}[\ufe0f\U0001f3fb-\U0001f3ff]*){{1,7}}"
    plain = rf"[^\n]{marks}{{0,{MAX_MARKS}}}|\n"
    word = rf"[{_JOINED}](?:[{_JOINED}\u200c]|{marks}){{0,{LONGEST_WORD - 1}}}"
    kinds = [flag, hangul, family, plain]
    if shaped:
        kinds = [word, rf"(?:{_LIGATURES})(?!{marks})", *kinds]
    return re.compile("|".join(kinds))


@functools.cache
def _marks() -> str:
    """Return all combining marks as ranges for a character class of a regular expression."""
    runs: list[list[int]] = []
    for code in range(0x300, 0x1F000):
        if unicodedata.category(chr(code)) in ("Mn", "Me", "Mc"):
            if runs and runs[-1][1] == code - 1:
                runs[-1][1] = code
            else:
                runs.append([code, code])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in runs)
