"""Clusters: the pieces of a text that are drawn as one image each, and that a caret and BACKSPACE treat as one letter.

Most clusters are a letter with the marks above and below it: the extended grapheme clusters of Unicode Standard Annex
29, with the tables of `classes.py` and the rule for conjuncts of India's scripts (GB9c) that revision 43 added. Scripts
whose letters join or change places (Arabic, the scripts of India) are drawn as complete words, and so are the few
sequences that fonts replace by a ligature (ffi), because only the font's shaping data defines their form; such a piece
is made of whole clusters. Raqm does the shaping if Pillow has it. All other letters stay separate, so that a letter is
drawn only once for all its places.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence

from .breaking import line_ends
from .classes import Classes

MAX_WORD = 48
MAX_MARKS = 12
"""The greatest number of combining marks of a cluster. Further ones are drawn separately, which limits the size of a
glyph."""
_MAX_JOINED = 7
"""The greatest number of emoji after the first one in a cluster, and of consonants in a conjunct."""

_CLASSES = Classes(lines=False)
_JOINED = (
    "؀-؋؍-ؚ؞ؠ-ۓە-ܯݐ-ݿࢠ-ࣿﭐ-﷿ﹰ-ﻼ"  # Arabic
    "ܐ-ݏ߀-ߪࡀ-࡛᠇ᠠ-ᡸ"  # Syriac, N'Ko, Mandaic, Mongolian
    "ऀ-ॣ०-෿ༀ-࿿က-႟ក-៓ꧠ-ꧾ"  # India's scripts, Tibetan, Burmese, Khmer
)
_LIGATURES = {"f": "fijlt", "ff": "ijlt"}
"""The letters that may follow in a ligature."""
_INVISIBLE = frozenset("\u00ad\u061c\u180e\u200b\u200c\u200d\u2060\ufeff" + "".join(map(chr, range(0xFE00, 0xFE10))))


def clusters_of(text: str, *, shaped: bool = True) -> list[str]:
    """Split a text into its clusters; joined they give the text. shaped: whether words and ligatures can be drawn."""
    if text.isascii() and "\r\n" not in text:
        parts = list(text)
    else:
        classes = text.translate(_CLASSES)
        parts = [text[match.start() : match.end()] for match in _cluster().finditer(classes)]
    if shaped and "f" in text:
        parts = list(_ligatures(parts))
    if shaped and not text.isascii() and _joined().search(text):
        parts = list(_words(parts, line_ends(text)))
    return parts


def beginning(text: str, max_length: int) -> str:
    """Return the beginning of a text with at most `max_length` characters, cut between two clusters."""
    if len(text) <= max_length:
        return text
    ends = itertools.accumulate(map(len, clusters_of(text, shaped=False)))
    return text[: max(itertools.takewhile(lambda end: end <= max_length, ends), default=0)]


def is_word(cluster: str) -> bool:
    """Return True if a cluster is part of a joined script."""
    return not cluster.isascii() and _joined().match(cluster) is not None


def is_invisible(character: str) -> bool:
    """Return True for characters that draw nothing: joiners, variation selectors, direction controls.

    The signs that stand before a number in Arabic and similar scripts (U+0600) are visible, though of category Cf.
    """
    if character in _INVISIBLE or unicodedata.category(character) == "Cc":
        return True
    return unicodedata.category(character) == "Cf" and _CLASSES[ord(character)] != "P"


def is_pictograph(character: str) -> bool:
    """Return True for emoji and other pictographs, which joiners combine."""
    return _CLASSES[ord(character)] == "X"


def _ligatures(parts: Sequence[str]) -> Iterator[str]:
    """Yield the clusters, with those of a ligature joined."""
    before = ""
    for part in parts:
        if part in _LIGATURES.get(before, ()):
            before += part
            continue
        if before:
            yield before
        before = part
    if before:
        yield before


def _words(parts: Sequence[str], ends: Sequence[int]) -> Iterator[str]:
    """Yield the clusters, with those of a word of a joined script joined. ends: where a line may end."""
    allowed = set(ends)
    word, at = "", 0
    for part in parts:
        joins = is_word(part)
        if word and (not joins or at in allowed or len(word) + len(part) > MAX_WORD):
            yield word
            word = ""
        at += len(part)
        if joins:
            word += part
        else:
            yield part
    if word:
        yield word


@functools.cache
def _joined() -> re.Pattern[str]:
    return re.compile(f"[{_JOINED}]")


@functools.cache
def _cluster() -> re.Pattern[str]:
    """Return the pattern of one cluster in a string of classes; the letters are those of `docs/make_breaks.py`.

    It is the regular expression of annex 29, table 1c, with a limit for each repetition.
    """
    marks = f"{{0,{MAX_MARKS}}}"
    joined = f"{{0,{_MAX_JOINED}}}"
    hangul = f"L{marks}(?:lV{marks}|t|V{{1,{MAX_MARKS}}})T{marks}|L{{1,{MAX_MARKS}}}|T{{1,{MAX_MARKS}}}"
    conjunct = f"K(?:[EZ]{marks}k[EZk]{marks}K){joined}"
    family = f"X(?:[Ekw]{marks}ZX){joined}"
    core = f"RR|{hangul}|{conjunct}|{family}|[^rnc]"
    return re.compile(f"rn|[rnc]|P{marks}(?:{core})[EkwZM]{marks}", re.DOTALL)
