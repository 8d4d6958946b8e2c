"""Clusters: the pieces of a text that are drawn as one picture.

Most are a letter with the marks above and below it. Writing whose letters join or move round one another (Arabic, the
scripts of India) is drawn by the word, and so are the few sequences that fonts replace by a ligature (ffi), for only
the font's own shaping knows how they look; Raqm does it where Pillow has it. Everything else stays apart: then a
letter is drawn once, wherever it stands.
"""

from __future__ import annotations

import functools
import re
import unicodedata

LONGEST_WORD = 48
MAX_MARKS = 12
"""What is beyond these is drawn apart, so that no picture grows without end."""

_JOINED = "؀-؋؍-ؚ؞ؠ-ۓە-ܯݐ-ݿࢠ-ࣿﭐ-﷿ﹰ-ﻼ"  # Arabic
_JOINED += "ܐ-ݏ߀-ߪࡀ-࡛᠇ᠠ-ᡸ"  # Syriac, N'Ko, Mandaic, Mongolian
_JOINED += "ऀ-ॣ०-෿ༀ-࿿က-႟ក-៓ꧠ-ꧾ"  # India's scripts, Tibetan, Burmese, Khmer
_LIGATURES = "ff[ijlt]|f[fijlt]"
_INVISIBLE = frozenset("\u00ad\u061c\u180e\u200b\u200c\u200d\u2060\ufeff" + "".join(map(chr, range(0xFE00, 0xFE10))))
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_ODD = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\ufff9-\ufffb]")


def clean(text: str) -> str:
    """A text with one kind of line break; what is no character at all becomes the sign for that."""
    if text.isascii() and text.isprintable():
        return text
    return _ODD.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def clusters_of(text: str, *, shaped: bool = True) -> list[str]:
    """The clusters of a text, which make it up when joined. shaped: whether words and ligatures can be drawn."""
    if text.isascii() and (not shaped or "f" not in text):
        return list(text)
    return _pattern(shaped).findall(text)


def is_word(cluster: str) -> bool:
    """Whether a cluster is a piece of joined writing."""
    return not cluster.isascii() and _joined().match(cluster) is not None


def is_invisible(character: str) -> bool:
    """Whether a character has no look of its own: joiners, variation selectors, and what turns the writing."""
    return character in _INVISIBLE or unicodedata.category(character) in ("Cf", "Cc")


@functools.cache
def _joined() -> re.Pattern[str]:
    return re.compile(f"[{_JOINED}]")


@functools.cache
def _pattern(shaped: bool) -> re.Pattern[str]:
    """What a cluster looks like."""
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
    """All combining marks, as they are written in a class of a regular expression."""
    runs: list[list[int]] = []
    for code in range(0x300, 0x1F000):
        if unicodedata.category(chr(code)) in ("Mn", "Me", "Mc"):
            if runs and runs[-1][1] == code - 1:
                runs[-1][1] = code
            else:
                runs.append([code, code])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in runs)
