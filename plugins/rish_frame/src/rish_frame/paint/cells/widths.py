"""The number of cells of a cluster, and the form of it that every terminal shows in that many cells.

Terminals agree about single characters: East Asian wide characters and emoji take two cells, marks none, all others
one. They disagree about sequences of emoji, so only the first emoji of a sequence is shown, without its variations.
Korean letters that make a syllable are shown as that syllable.
"""

from __future__ import annotations

import functools
import unicodedata

from ..writing.clusters import is_invisible, is_pictograph
from ..writing.markup import ICON

ICON_CELLS = 2
"""The cells of an icon, which is about a square in cells that are half as wide as they are high."""
TAB_CELLS = 4
"""The distance between tab stops, in cells."""
_MARKS = frozenset({"Mn", "Me", "Mc"})
_FLAG = range(0x1F1E6, 0x1F200)
_INNER_JAMO = frozenset(map(chr, (*range(0x1160, 0x1200), *range(0xD7B0, 0xD7FC))))
"""Korean vowels and finals, which terminals put into the cells of the consonant before them."""


@functools.lru_cache(8192)
def cells_of(cluster: str) -> int:
    """Return the number of cells of a cluster: the sum of its characters. A tab counts as one."""
    if cluster == ICON:
        return ICON_CELLS
    if cluster == "\t":
        return 1
    visible = _visible(cluster)
    if not visible:
        return 0
    if unicodedata.category(visible[0]) in _MARKS:
        return int(cluster[0] == visible[0])  # a mark without a letter is shown on a space
    if ord(visible[0]) in _FLAG:
        return min(len(visible), 2)
    return sum(map(_cells_of_one, visible))


@functools.lru_cache(8192)
def plain_form(cluster: str) -> str:
    """Return the characters to show for a cluster: its letter with its marks; empty if it shows nothing."""
    visible = _visible(cluster)
    if not visible or visible == ICON or visible.isspace():
        return ""
    if ord(visible[0]) in _FLAG:
        return visible[:2]
    if unicodedata.category(visible[0]) in _MARKS:
        return "\u00a0" + visible
    return visible


def divided(form: str) -> list[tuple[str, int]]:
    """Divide a plain form into the characters that have cells, each with its marks, and the number of their cells."""
    if ord(form[0]) in _FLAG:
        return [(form, len(form))]
    parts: list[tuple[str, int]] = []
    for character in form:
        cells = _cells_of_one(character)
        if cells or not parts:
            parts.append((character, cells))
        else:
            parts[-1] = parts[-1][0] + character, parts[-1][1]
    return parts


def _visible(cluster: str) -> str:
    """Return the characters of a cluster that are shown: composed, and of a sequence of emoji the first one."""
    visible = unicodedata.normalize("NFC", "".join(character for character in cluster if not is_invisible(character)))
    if not visible or not is_pictograph(visible[0]):
        return visible
    return visible[0] + "".join(character for character in visible[1:] if unicodedata.category(character) in _MARKS)


def _cells_of_one(character: str) -> int:
    if unicodedata.category(character) in _MARKS or character in _INNER_JAMO:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
