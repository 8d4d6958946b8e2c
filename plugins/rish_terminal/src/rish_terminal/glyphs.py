"""The characters that cover the picture, as numbers for the kernel that writes cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rish_frame.paint import Label
from rish_frame.paint.writing import typed_text
from rish_jit import Array

NONE = 0
"""The number of a cell that shows two pixels of the picture."""
SECOND = -1
"""The number of a cell that is the right half of a wide character."""
MAX_BYTES = 48
"""The greatest number of bytes of the characters in a cell; further marks are left out."""
_MAX_GLYPHS = 4096
_UNSURE = 2
"""Terminals may disagree about the width of characters with this many code points or more; then the cursor is placed
again."""


class Overlay(NamedTuple):
    """The characters over a picture: the number of each cell's glyph, int32 (rows, columns), and its color, uint8."""

    number: Array
    ink: Array


class Glyphs:
    """Numbers the characters that cells show, from 1."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {}
        self._bytes = bytearray()
        self._rows: list[tuple[int, int, int]] = [(0, 0, 1)]
        self._table: tuple[Array, Array] | None = None

    def trim(self) -> bool:
        """Forget all characters if there are too many; return whether the numbers have changed."""
        full = len(self._rows) > _MAX_GLYPHS
        if full:
            self._forget()
        return full

    @property
    def table(self) -> tuple[Array, Array]:
        """The UTF-8 of all glyphs, uint8, and a row for each glyph, int64 (n, 3): its end in the bytes, its cells, and
        1 if their number is certain."""
        if self._table is None:
            self._table = np.array(self._bytes or [0], np.uint8), np.array(self._rows, np.int64)
        return self._table

    def overlay(self, labels: Sequence[Label], under: Array) -> Overlay:
        """Place labels over a picture of one color a cell, uint8 (rows, columns, 3); labels outside are left out."""
        rows, columns = under.shape[:2]
        number = np.zeros((rows, columns), np.int32)
        ink = under.copy()
        for label in labels:
            last = label.column + label.cells
            if not (0 <= label.row < rows and label.column >= 0 and last <= columns):
                continue
            number[label.row, label.column : last] = SECOND
            number[label.row, label.column] = self._number(label.text, label.cells)
            *color, alpha = label.color
            background = under[label.row, label.column].astype(np.int32)
            ink[label.row, label.column : last] = background + ((np.array(color) - background) * alpha + 127) // 255
        return Overlay(number, ink)

    def _number(self, text: str, cells: int) -> int:
        number = self._numbers.get((text, cells))
        if number is None:
            visible = typed_text(text) or " " * cells
            data = visible.encode(errors="replace")
            while len(data) > MAX_BYTES:
                visible = visible[:-1]
                data = visible.encode(errors="replace")
            self._bytes += data
            number = self._numbers[text, cells] = len(self._rows)
            self._rows.append((len(self._bytes), cells, int(len(visible) < _UNSURE)))
            self._table = None
        return number
