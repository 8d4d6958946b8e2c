"""The number of cells of a cluster, and the form of it that every terminal shows in that many cells.

Terminals agree about single characters: East Asian wide characters and emoji take two cells, marks none, all others
one. They disagree about sequences of emoji, so only the first emoji of a sequence is shown, without its variations.
"""

from __future__ import annotations

import functools
import unicodedata

from ..writing.clusters import is_invisible
from ..writing.markup import ICON

ICON_CELLS = 2
"""The cells of an icon, which is about a square in cells that are half as wide as they are high."""
TAB_CELLS = 4
"""The distance between tab stops, in cells."""
_MARKS = frozenset({"Mn", "Me", "Mc"})
_FLAG = range(0x1F1E6, 0x1F200)


@functools.lru_cache(8192)
def cells_of(cluster: str) -> int:
    """Return the number of cells of a cluster, 0 to 2: that of its first visible character. A tab counts as one."""
    if cluster == ICON:
        return ICON_CELLS
    if cluster == "\t":
        return 1
    first = next((one for one in cluster if not is_invisible(one)), "")
    if not first or first == "\n":
        return 0
    if unicodedata.category(first) in _MARKS:
        return int(cluster[0] == first)  # a mark without a letter is shown on a space
    flag = ord(first) in _FLAG and len(cluster) > 1
    return 2 if flag or unicodedata.east_asian_width(first) in "WF" else 1


@functools.lru_cache(8192)
def plain_form(cluster: str) -> str:
    """Return the characters to show for a cluster: its letter with its marks; empty if it shows nothing."""
    visible = "".join(one for one in cluster if not is_invisible(one))
    if not visible or visible == ICON or visible.isspace():
        return ""
    if ord(visible[0]) in _FLAG:
        return visible[:2]
    if unicodedata.category(visible[0]) in _MARKS:
        return "\u00a0" + visible
    composed = unicodedata.normalize("NFC", visible)
    return composed[0] + "".join(one for one in composed[1:] if unicodedata.category(one) in _MARKS)
