"""Clusters, line ends and the order of directions are those of Unicode's own test files, of version 15.0.

The folder `unicode` has unchanged copies of the files `GraphemeBreakTest`, `LineBreakTest`, `BidiCharacterTest` and
`emoji-test`, compressed. Games differ from the second one in the rules of `OWN_RULES`.
"""

from __future__ import annotations

import itertools
import lzma
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unicodedata import bidirectional

from long_runs import long
from rish_frame.paint.cells import CellTypesetter
from rish_frame.paint.typesetting import TextLook
from rish_frame.paint.writing import UNICODE, clusters_of, embedding_levels, line_ends, paragraph_level, visual_order

FILES = Path(__file__).parent / "unicode"
_MARKS = "[\u0308\u200d]*"
OWN_RULES = {
    "an icon is a letter": (rf"\ufffc{_MARKS}", rf"{_MARKS}\ufffc", 64),
    "a soft hyphen is part of its word": ("\u00ad", "", 6),
    "only opening quotation marks hold a bracket after spaces": (rf'"{_MARKS} +', "[(\u2329]", 4),
    "a hyphen at the begin of a word holds it": (rf"^-{_MARKS}", "", 10),
    "a number holds the colon, comma or full stop before it": (rf"[.,]{_MARKS}", "[0-9]", 14),
}
"""By the name of a rule in which games differ: what is before such a place, what is after it, in how many lines.

The reasons are in `rish_frame/paint/writing/breaking.py`. The file has no quotation mark beside an ideograph.
"""


def lines_of(name: str) -> Iterator[str]:
    """Yield the lines of a file without their comments."""
    for line in lzma.decompress((FILES / f"{name}.txt.xz").read_bytes()).decode().splitlines():
        content = line.partition("#")[0].strip()
        if content:
            yield content


def characters(codes: str) -> str:
    """Return the text of code points in hexadecimal."""
    return "".join(chr(int(code, 16)) for code in codes.replace("×", " ").split())


def pieces_of(name: str) -> Iterator[list[str]]:
    """Yield the texts of a file of breaks, divided where the file says so."""
    for line in lines_of(name):
        yield [characters(part) for part in line.split("÷") if part.strip()]


def test_the_files_are_of_the_version_of_the_tables() -> None:
    """The copies are of the version of Unicode that the code states."""
    for name in ("GraphemeBreakTest", "LineBreakTest", "BidiCharacterTest"):
        head = lzma.decompress((FILES / f"{name}.txt.xz").read_bytes())[:60].decode()
        assert f"{name}-{UNICODE}.txt" in head


def test_clusters_are_those_of_the_file() -> None:
    """All texts of GraphemeBreakTest are divided as the file says."""
    wrong = [
        pieces for pieces in pieces_of("GraphemeBreakTest") if clusters_of("".join(pieces), shaped=False) != pieces
    ]
    assert not wrong


def test_no_emoji_is_divided() -> None:
    """Every emoji of emoji-test is one cluster, which is drawn as one, and no line ends in it."""
    emoji = [characters(line.partition(";")[0]) for line in lines_of("emoji-test")]
    assert len(emoji) == 4733
    assert [one for one in emoji if clusters_of(one) != [one] or line_ends(one)] == []


def test_lines_end_where_the_file_says_or_an_own_rule() -> None:
    """Lines end where LineBreakTest says; each other place has the form of an own rule, in a known number of lines."""
    found: Counter[str] = Counter()
    for pieces in pieces_of("LineBreakTest"):
        text = "".join(pieces)
        ends = set(itertools.accumulate(map(len, pieces[:-1])))
        reasons = {_reason(text, place) for place in ends.symmetric_difference(line_ends(text))}
        found.update(reasons)
    assert found == {name: count for name, (_, _, count) in OWN_RULES.items()}


def _reason(text: str, place: int) -> str:
    """Return the name of the own rule that a place has the form of, otherwise the text."""
    for name, (before, after, _) in OWN_RULES.items():
        both = name == "an icon is a letter"
        left = re.search(f"{before}$", text[:place]) is not None
        right = re.match(after, text[place:]) is not None
        if left or right if both else left and right:
            return name
    return f"{text!r} at {place}"


def test_directions_are_those_of_the_file() -> None:
    """The levels and the visual order of BidiCharacterTest, of which a sample is tested, are those of the file."""
    wrong = [
        line for line in itertools.islice(lines_of("BidiCharacterTest"), 0, None, long(1, 101)) if not _agrees(line)
    ]
    assert not wrong


def _agrees(line: str) -> bool:
    """Return whether a line of BidiCharacterTest has the levels and the order that it should have."""
    codes, direction, base, levels, order = line.split(";")
    text = characters(codes)
    level = paragraph_level(text) if direction == "2" else int(direction)
    if level != int(base):
        return False
    found = _at_the_end(text, embedding_levels(text, level), level)
    expected = levels.split()
    shown = [k for k, one in enumerate(expected) if one != "x"]
    if [str(found[k]) for k in shown] != [expected[k] for k in shown]:
        return False
    return not shown or [shown[k] for k in visual_order([found[k] for k in shown])] == [int(k) for k in order.split()]


def _at_the_end(text: str, levels: list[int], base: int) -> list[int]:
    """Return the levels with spaces at the end of a line and before separators at the level of the paragraph (L1)."""
    found, resets = list(levels), True
    for k in range(len(text) - 1, -1, -1):
        kind = bidirectional(text[k])
        resets = kind in ("S", "B") or (resets and kind in _KEPT_AT_THE_END)
        if resets:
            found[k] = base
    return found


_KEPT_AT_THE_END = {"WS", "FSI", "LRI", "RLI", "PDI", "BN", "LRE", "RLE", "LRO", "RLO", "PDF"}


def test_no_line_ends_inside_a_cluster() -> None:
    """However narrow a text is, each line begins with a whole cluster, for all texts of GraphemeBreakTest."""
    setter = CellTypesetter((8.0, 16.0))
    for pieces in pieces_of("GraphemeBreakTest"):
        text = "".join(piece for piece in pieces if piece.isprintable())
        starts = set(itertools.accumulate(map(len, clusters_of(text, shaped=False)), initial=0))
        typeset = setter.typeset(None, text, TextLook(wrap=8.0))
        assert {typeset.index_at(-1.0, 16.0 * line) for line in range(typeset.lines)} <= starts
