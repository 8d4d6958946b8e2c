"""Makes the table of character classes in rish-frame, from the files of the Unicode Character Database 15.0.

python docs/make_breaks.py [folder]

folder: where the files are; Debian's package unicode-data 15.0.0 installs them in /usr/share/unicode. Each line of the
table is the begin of a range, the class of its characters for line breaks and their class for clusters. All lines have
the same length, so the table is searched as it is, without parsing it.

Classes for line breaks are those that rule LB1 gives, and some are divided where a rule asks for more than the class:
`OPW`, `CLW`, `CPW` and `EXW` are wide (East_Asian_Width F, W or H), `QUI` and `QUF` are initial and final quotation
marks, `IDX` are pictographs that have no character yet, `BAH` is the hyphen U+2010.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

VERSION = "15.0.0"
FOLDER = Path("/usr/share/unicode")
TABLE = Path(__file__).parents[1] / "plugins/rish_frame/src/rish_frame/paint/writing/classes.txt"
COUNT = 0x110000
_HEAD = f"""\
# Classes of characters for clusters and for line breaks, from Unicode {VERSION}; written by docs/make_breaks.py.
# Copyright 1991-2022 Unicode, Inc. All rights reserved. Terms of use: https://www.unicode.org/terms_of_use.html

"""
_CLUSTERS = {
    "CR": "r", "LF": "n", "Control": "c", "Extend": "E", "ZWJ": "Z", "SpacingMark": "M", "Prepend": "P",
    "Regional_Indicator": "R", "L": "L", "V": "V", "T": "T", "LV": "l", "LVT": "t",
}  # fmt: skip
"""The letters of Grapheme_Cluster_Break; the others are X for pictographs, K and k for consonants and signs that join
them, w for the sign that keeps them apart, o for all else."""
_CONJUNCTS = ("DEVANAGARI", "BENGALI", "GUJARATI", "ORIYA", "TELUGU", "MALAYALAM")
"""The scripts whose conjuncts are one cluster (property Indic_Conjunct_Break of Unicode 15.1)."""
_APART, _HYPHEN = 0x200C, 0x2010
_BY_DEFAULT = {"AI": "AL", "SG": "AL", "XX": "AL", "CJ": "NS"}


def rows(folder: Path, name: str) -> Iterator[tuple[range, str]]:
    """Yield the ranges of a file of properties, each with its value."""
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        codes, semicolon, value = line.partition("#")[0].partition(";")
        if semicolon:
            first, _, last = codes.strip().partition("..")
            yield range(int(first, 16), int(last or first, 16) + 1), value.partition(";")[0].strip()


def values(folder: Path, name: str, default: str) -> list[str]:
    """Return the value of each code point in a file of properties."""
    found = [default] * COUNT
    for codes, value in rows(folder, name):
        found[codes.start : codes.stop] = [value] * len(codes)
    return found


def categories(folder: Path) -> tuple[list[str], list[str]]:
    """Return the general category and the name of each code point."""
    category, names = ["Cn"] * COUNT, [""] * COUNT
    first = 0
    for line in (folder / "UnicodeData.txt").read_text(encoding="utf-8").splitlines():
        code, name, value = line.split(";")[:3]
        start = first if name.endswith(", Last>") else int(code, 16)
        first = int(code, 16)
        category[start : first + 1] = [value] * (first + 1 - start)
        names[first] = name
    return category, names


def clusters(folder: Path, names: list[str], pictographs: set[int]) -> list[str]:
    """Return the class of each code point for clusters."""
    found = [_CLUSTERS.get(value, "o") for value in values(folder, "auxiliary/GraphemeBreakProperty.txt", "")]
    for code in pictographs:
        assert found[code] == "o"
        found[code] = "X"
    for codes, value in rows(folder, "IndicSyllabicCategory.txt"):
        letter = {"Consonant": "K", "Virama": "k"}.get(value)
        for code in codes if letter else ():
            if names[code].startswith(_CONJUNCTS):
                found[code] = str(letter)
    found[_APART] = "w"
    return found


def lines(folder: Path, category: list[str], pictographs: set[int]) -> list[str]:
    """Return the class of each code point for line breaks."""
    found = values(folder, "LineBreak.txt", "XX")
    width = values(folder, "EastAsianWidth.txt", "N")
    for code, value in enumerate(found):
        value = _BY_DEFAULT.get(value, value)
        if value == "SA":
            value = "CM" if category[code] in ("Mn", "Mc") else "AL"
        elif value in ("OP", "CL", "CP", "EX") and width[code] in ("F", "W", "H"):
            value += "W"
        elif value == "QU" and category[code] in ("Pi", "Pf"):
            value += category[code][1].upper()
        elif code in pictographs and category[code] == "Cn":
            assert value == "ID"
            value = "IDX"
        found[code] = value
    found[_HYPHEN] = "BAH"
    return found


def make(folder: Path) -> str:
    """Return the table as text."""
    category, names = categories(folder)
    pictographs = {
        code
        for codes, value in rows(folder, "emoji/emoji-data.txt")
        if value == "Extended_Pictographic"
        for code in codes
    }
    pairs = list(zip(clusters(folder, names, pictographs), lines(folder, category, pictographs), strict=True))
    starts = [code for code in range(COUNT) if not code or pairs[code] != pairs[code - 1]]
    return _HEAD + "".join(f"{code:06X} {pairs[code][1]:3} {pairs[code][0]}\n" for code in starts)


if __name__ == "__main__":
    TABLE.write_text(make(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER), encoding="utf-8")
    print(f"{TABLE}: {TABLE.stat().st_size:,} bytes")
