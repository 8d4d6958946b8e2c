"""Where a line of text may end: the rules of Unicode Standard Annex 14, revision 51, with the tables of `classes.py`.

The names of rules (LB8a, LB25) are those of the annex. As in its tests, numbers follow the regular expression of
section 8.2, example 7. Games differ in six rules:

- An icon (U+FFFC) is a letter, not a place to break: it belongs to the number or the word beside it (LB20).
- A soft hyphen is part of its word, since no hyphen is drawn where a line ends (LB21).
- A line may end before an opening quotation mark after an ideograph or a wide sign, and after a closing one before
  these, as in Chinese, which has no spaces there; revision 53 allows this too (LB19a).
- Spaces between a straight or closing quotation mark and an opening bracket are a place to break, as they are in
  revision 53: only opening quotation marks hold what follows (LB15a).
- A hyphen at the beginning of a word holds it, as in "->" and "-x", also as in revision 53 (LB20a), and as in "-$5".
- A number holds the colon, comma or full stop before it, as in "Score:10", which example 7 leaves out (LB25).

Within a cluster a line never ends, whatever the rules say: see `clusters.py`. Words of Thai, Lao, Khmer and Burmese
have no spaces between them, and finding them needs a dictionary; their lines end at spaces, or at the last cluster that
fits.
"""

from __future__ import annotations

from typing import NamedTuple

from .classes import Classes

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
_ENDING = frozenset(" \t\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u200b\u205f\u3000")

_KINDS = Classes(lines=True)
_KINDS.update({0xFFFC: "AL", 0x00AD: "CM"})  # the icon and the soft hyphen, see above
_HARD = frozenset({"BK", "CR", "LF", "NL"})
_CLOSING, _QUOTES = frozenset({"CL", "CLW", "CP", "CPW"}), frozenset({"QU", "QUI", "QUF"})
_HYPHENS = frozenset({"HY", "BA", "BAH"})
_LETTERS, _AFFIXES = frozenset({"AL", "HL"}), frozenset({"PR", "PO"})
_IDEOGRAPHS, _HANGUL = frozenset({"ID", "IDX", "EB", "EM"}), frozenset({"JL", "JV", "JT", "H2", "H3"})
_AFTER_QUOTES = _IDEOGRAPHS | {"H2", "H3", "OPW"}
_BEFORE_QUOTES = _IDEOGRAPHS | {"H2", "H3", "NS", "CLW", "CPW", "EXW"}
_WORD_BEGINS = _HARD | {"", "SP", "ZW", "CB", "GL"}
_SYLLABLES = {
    "JL": {"JL", "JV", "H2", "H3"}, "JV": {"JV", "JT"}, "H2": {"JV", "JT"}, "JT": {"JT"}, "H3": {"JT"},
}  # fmt: skip


def is_ideographic(character: str) -> bool:
    """Return True for characters of scripts without spaces between words: Han, kana, Hangul, and their signs."""
    code = ord(character)
    return code >= _WIDE[0][0] and any(low <= code <= high for low, high in _WIDE)


def is_space(cluster: str) -> bool:
    """Return True if a cluster is a space, which is not shown at the end of a line."""
    return cluster in _ENDING


def line_ends(text: str) -> list[int]:
    """Return the indices inside a text, rising, before which a new line may begin."""
    indices: list[int] = []
    state = _START
    for index, code in enumerate(map(ord, text)):
        kind = _KINDS[code]
        state, ends, undoes = state.after.get(kind) or state.follow(kind)
        if ends:
            indices.append(index)
        elif undoes:
            indices.pop()
    return indices


class _Place(NamedTuple):
    """The properties of the text before a place that the rules use.

    last: the class of the last character, without marks after it; "" at the beginning of a text. spaces: whether spaces
    follow it. joiner: whether a joiner does. memory: the kind of text before it: `number`, `closed number`, `affix`
    before an opening bracket, `Hebrew` or the `begin` of a word before a hyphen, an `odd` number of halves of flags.
    """

    last: str = ""
    spaces: bool = False
    joiner: bool = False
    memory: str = ""


class _State:
    """A place, and a table by the class of the next character: the next state, and whether a line may end before it.

    The third value tells that a line may not end before the last character either. States are created when texts need
    them.
    """

    def __init__(self, place: _Place) -> None:
        self.place = place
        self.after: dict[str, tuple[_State, bool, bool]] = {}

    def follow(self, kind: str) -> tuple[_State, bool, bool]:
        """Compute and store the entry for a class that did not follow this place before."""
        place = self.place
        mark = kind in ("CM", "ZWJ")
        if mark and not place.spaces and place.last not in _HARD | {"", "ZW"}:  # LB9
            following, ends, undoes = place._replace(joiner=kind == "ZWJ"), False, False
        else:
            effective_kind = "AL" if mark else kind  # LB10
            ends = _may_end(place, effective_kind)
            undoes = place.memory == "affix" and effective_kind == "NU" and not place.spaces
            following = _next(place, effective_kind)._replace(joiner=kind == "ZWJ")
        state = _STATES.setdefault(following, _State(following))
        result = self.after[kind] = state, ends, undoes
        return result


_START = _State(_Place())
_STATES = {_START.place: _START}


def _next(place: _Place, kind: str) -> _Place:
    """Return the place after a character of a class."""
    if kind == "SP":
        return _Place("" if place.last in _HARD else place.last, True)
    near = "SP" if place.spaces else place.last
    memory = ""
    if kind == "NU" or (kind in ("SY", "IS") and place.memory == "number" and not place.spaces):
        memory = "number"
    elif kind in _CLOSING and place.memory == "number" and not place.spaces:
        memory = "closed number"
    elif kind in ("OP", "OPW") and near in _AFFIXES:
        memory = "affix"
    elif kind in _HYPHENS and near == "HL":
        memory = "Hebrew"
    elif kind in ("HY", "BAH") and near in _WORD_BEGINS:
        memory = "begin"
    elif kind == "RI" and (near != "RI" or place.memory != "odd"):
        memory = "odd"
    return _Place(kind, memory=memory)


def _may_end(place: _Place, kind: str) -> bool:
    """Return whether a line may end between a place and a character of a class: the first rule that says so."""
    for rules in (_of_ends, _of_spaces, _of_signs, _of_words, _of_numbers, _of_letters):
        may_end = rules(place, kind)
        if may_end is not None:
            return may_end
    return True


def _of_ends(place: _Place, kind: str) -> bool | None:
    """LB2 to LB8a: the beginning, line ends, zero-width spaces and joiners."""
    last = place.last
    if last in _HARD:
        return not (last == "CR" and kind == "LF")
    if (not last and not place.spaces) or kind in _HARD or kind in ("SP", "ZW"):
        return False
    if last == "ZW":
        return True
    return False if place.joiner and not place.spaces else None


def _of_spaces(place: _Place, kind: str) -> bool | None:
    """LB11 to LB18: characters that may not be parted from their neighbors, also across spaces."""
    last, spaces = place.last, place.spaces
    if kind == "WJ" or kind in _CLOSING or kind in ("EX", "EXW", "IS", "SY"):
        return False
    if not spaces and (last in ("WJ", "GL") or (kind == "GL" and last not in _HYPHENS)):
        return False
    if last in ("OP", "OPW") or (last == "QUI" and kind in ("OP", "OPW")):  # LB15 for opening quotation marks
        return False
    if (last in _CLOSING and kind == "NS") or (last == kind == "B2"):
        return False
    return True if spaces else None


def _of_signs(place: _Place, kind: str) -> bool | None:
    """LB19 to LB22: quotation marks, hyphens, small kana, ellipses."""
    last = place.last
    if kind in _QUOTES or last in _QUOTES:
        return (kind == "QUI" and last in _BEFORE_QUOTES) or (last == "QUF" and kind in _AFTER_QUOTES)
    if "CB" in (last, kind):
        return True
    if place.memory == "begin" and kind in ("AL", "PR"):  # LB20a, and "-$5"
        return False
    if (
        kind in _HYPHENS
        or kind in ("NS", "IN")
        or last == "BB"
        or place.memory == "Hebrew"
        or (last, kind) == ("SY", "HL")
    ):
        return False
    return None


def _of_words(place: _Place, kind: str) -> bool | None:
    """LB23 and LB24: letters beside numbers, and signs beside letters and ideographs."""
    last = place.last
    if "NU" in (last, kind) and (last in _LETTERS or kind in _LETTERS):
        return False
    if (last == "PR" and kind in _IDEOGRAPHS) or (last in _IDEOGRAPHS and kind == "PO"):
        return False
    return False if (last in _AFFIXES and kind in _LETTERS) or (last in _LETTERS and kind in _AFFIXES) else None


def _of_numbers(place: _Place, kind: str) -> bool | None:
    """LB25: numbers with their signs, as in "-$(1,234.5)%"."""
    if kind == "NU" and (place.memory == "number" or place.last in ("PR", "PO", "HY", "IS")):
        return False
    return False if kind in _AFFIXES and place.memory in ("number", "closed number") else None


def _of_letters(place: _Place, kind: str) -> bool | None:
    """LB26 to LB30b: Korean syllables, letters, brackets beside them, flags, emoji with a color of skin."""
    last = place.last
    if kind in _SYLLABLES.get(last, ()) or (last in _HANGUL and kind == "PO") or (last == "PR" and kind in _HANGUL):
        return False
    if kind in _LETTERS and (last in _LETTERS or last == "IS"):
        return False
    if (kind == "OP" and (last in _LETTERS or last == "NU")) or (last == "CP" and (kind in _LETTERS or kind == "NU")):
        return False
    if last == kind == "RI":
        return place.memory != "odd"
    return False if kind == "EM" and last in ("EB", "IDX") else None
