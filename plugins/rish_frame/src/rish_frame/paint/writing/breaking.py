"""Rules for where a line of text may end.

A line may end after spaces and hyphens, and next to ideographs, which are written without spaces between words. A
closing bracket, a full stop or a small kana never begins a line, and an opening bracket never ends one (the kinsoku
rules of Japanese). Unicode Standard Annex 14 has the rules for all scripts; this module has the part that the texts of
games need.
"""

from __future__ import annotations

_NOT_FIRST = frozenset(
    "!%),.:;?]}¢°’”†‡…‰℃›»"
    "、。，．・：；？！）］｝〉》」』】〕〗〙〛｠｣､｡･゛゜ーヽヾゝゞ々〜～‐゠–‼⁇⁈⁉％"
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿｧｨｩｪｫｬｭｮｯｰ"
)
_NOT_LAST = frozenset("([{‘“‹«（［｛〈《「『【〔〖〘〚｟｢＄￥￡$£¥")
_ENDING = frozenset(" \t\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u200b\u205f\u3000")
_HYPHENS = frozenset("-\u2010\u2012\u2013\u2014")
_WIDE = (
    (0x2E80, 0x303E),
    (0x3041, 0x33FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA000, 0xA4CF),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF01, 0xFFEF),
    (0x1F300, 0x1FAFF),
    (0x20000, 0x3FFFD),
)
_GLUE = frozenset("\u00a0\u2007\u202f\u2060\ufeff\u2011")


def is_ideographic(character: str) -> bool:
    """Return True for characters of scripts without spaces between words: Han, kana, Hangul, and their signs."""
    code = ord(character)
    return code >= _WIDE[0][0] and any(low <= code <= high for low, high in _WIDE)


def is_space(cluster: str) -> bool:
    """Return True if a cluster is a space, which is not shown at the end of a line."""
    return cluster in _ENDING


def may_break(before: str, after: str) -> bool:
    """Return True if a line may end between two adjacent clusters."""
    last, first = before[-1], after[0]
    if is_space(after) or first in _GLUE or last in _GLUE:
        return False
    if is_space(before):
        return True
    if first in _NOT_FIRST or before[0] in _NOT_LAST:
        return False
    if before[0] in _HYPHENS:
        return first.isalpha()
    return is_ideographic(before[0]) or is_ideographic(first)
