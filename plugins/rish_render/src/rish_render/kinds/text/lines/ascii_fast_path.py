"""Sets short plain texts quickly: one line of printable ASCII characters, such as a score that counts up.

The measurements of a font are kept from text to text. The result is that of `Setter`; a text with ligatures, with a
line that is too long or with anything else that needs more work is left to it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rish_frame.paint.writing import line_ends

from .setter import REFERENCE, Pick, Piece, Setter

if TYPE_CHECKING:
    from ..fonts import FontFile

_LIGATURE = re.compile("f[fijlt]")
_LONGEST = 200
_ROOM = 1e-3


class QuickLine(NamedTuple):
    """One line: pieces, pens in ems and places of its visible letters, its width, and that of its widest word."""

    which: list[int]
    x: list[float]
    place: list[int]
    width: float
    narrowest: float


class QuickSetter:
    """The measurements of the ASCII characters of a font.

    ascent, descent: of the font, ems. lacking: whether no font has one of them.
    """

    def __init__(self, face: FontFile, pick: Pick) -> None:
        self._setter = Setter(face, pick, frozenset(), (0.0, 0.0), justify=False)
        self._shaping = face.shaping
        self.ascent, self.descent = (side / REFERENCE for side in face.metrics(REFERENCE))
        self.lacking = False
        self._letters: dict[str, tuple[int, float, bool, bool]] = {}
        self._pairs: dict[int, float] = {}

    @property
    def pieces(self) -> list[Piece]:
        """The pieces measured so far; further ones are added at the end."""
        return self._setter.pieces

    def line(self, text: str, wrap: float, spacing: float) -> QuickLine | None:
        """Return the line of a text; None if it needs more work. wrap, spacing: ems."""
        if not 0 < len(text) <= _LONGEST or not (text.isascii() and text.isprintable()):
            return None
        if self._shaping and not spacing and "f" in text and _LIGATURE.search(text):
            return None
        letters, pairs, ends = self._letters, self._pairs, frozenset(line_ends(text))
        which: list[int] = []
        x: list[float] = []
        place: list[int] = []
        pen = right = start = narrowest = 0.0
        before = -1
        for index, letter in enumerate(text):
            number, width, seen, space = letters.get(letter) or self._letter(letter)
            if before >= 0:
                kern = pairs.get(before << 8 | number)
                pen += self._pair(before, number) if kern is None else kern
                if index in ends:
                    narrowest, start = max(narrowest, right - start), pen
            if seen:
                which.append(number)
                x.append(pen)
                place.append(index)
            pen += width
            if not space:
                right = pen
            pen += spacing
            before = number
        if wrap > 0 and right > wrap + _ROOM:
            return None
        return QuickLine(which, x, place, right, max(narrowest, right - start))

    def _letter(self, letter: str) -> tuple[int, float, bool, bool]:
        """Measure a character: its piece, its width, whether it is visible, and whether it is a space."""
        number, width, seen = self._setter.measured(letter)
        self.lacking = self.lacking or self._setter.pieces[number].face is None
        entry = self._letters[letter] = number, width, seen, letter == " "
        return entry

    def _pair(self, a: int, b: int) -> float:
        """Measure the kerning of a pair of pieces."""
        kerning = self._pairs[a << 8 | b] = self._setter.kerning(a, b)
        return kerning
