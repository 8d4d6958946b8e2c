"""The classes of characters for clusters and for line breaks: the table `classes.txt`, of Unicode 15.0.

`docs/make_breaks.py` writes the table from Unicode's files and describes the classes. It is read when the first
character is looked up, and each character that occurs is kept.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from pathlib import Path

UNICODE = "15.0.0"
"""The version of Unicode whose tables are used."""
_TABLE = Path(__file__).with_name("classes.txt")


_LINE = len("00003F EX  o\n")
_CODE, _NAME, _LETTER = 6, slice(7, 10), slice(11, 12)
"""The parts of a line of the table: how many digits the code point has at which a range begins, and the two classes."""


class Classes(dict[int, str]):
    """The class of each code point that was looked up; it may be given to `str.translate`.

    lines: whether it is the class for line breaks, a name; otherwise that for clusters, a letter.
    """

    def __init__(self, *, lines: bool) -> None:
        super().__init__()
        self._part = _NAME if lines else _LETTER

    def __missing__(self, code: int) -> str:
        table = _table()
        code_point = f"{code:06X}"
        lines = range(len(table) // _LINE)
        line = bisect_right(lines, code_point, key=lambda k: table[k * _LINE : k * _LINE + _CODE]) - 1
        name = self[code] = table[line * _LINE : (line + 1) * _LINE][self._part].rstrip()
        return name


@functools.cache
def _table() -> str:
    return _TABLE.read_text(encoding="ascii").partition("\n\n")[2]
