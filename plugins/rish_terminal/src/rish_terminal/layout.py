"""Computes the place of a frame in a terminal, and the size at which it is drawn.

A character cell shows two pixels, one above the other, so a terminal of 100x40 cells shows 100x80 pixels. A game is
shown as large as that allows, never larger than its own size, with its aspect ratio, in the middle. It is drawn a few
times larger than it is shown and averaged, so that thin lines and small letters do not disappear.
"""

from __future__ import annotations

from dataclasses import dataclass

FINEST = 3
"""The greatest number of drawn pixels per shown pixel, along each side."""


@dataclass(frozen=True)
class Layout:
    """The place and the size of a frame in a terminal.

    shown: width and height in shown pixels, half a cell high each. fine: drawn pixels per shown pixel along each side.
    left, top: the first column and row of cells that it covers, from 0.
    """

    shown: tuple[int, int]
    fine: int
    left: int
    top: int

    @property
    def drawn(self) -> tuple[int, int]:
        """Width and height at which the frame is drawn: the screen's size for the game."""
        return self.shown[0] * self.fine, self.shown[1] * self.fine

    @property
    def rows(self) -> int:
        """The number of rows of cells that it covers."""
        return (self.shown[1] + 1) // 2

    def pixel(self, column: int, row: int) -> tuple[float, float]:
        """Return the middle of a cell (from 0) in drawn pixels of the screen, y up; it may be outside."""
        x = column - self.left + 0.5
        y = self.shown[1] - (2 * (row - self.top) + 1)
        return x * self.fine, float(y * self.fine)


def fit(wished: tuple[int, int], columns: int, rows: int) -> Layout:
    """Return the layout of a frame with a requested size in pixels, in a terminal of `columns` x `rows` cells."""
    width, height = max(1, wished[0]), max(1, wished[1])
    scale = min(1.0, columns / width, 2 * rows / height)
    size = min(columns, max(1, round(width * scale))), min(2 * rows, max(1, round(height * scale)))
    fine = max(1, min(FINEST, width // size[0], height // size[1]))
    return Layout(size, fine, (columns - size[0]) // 2, (rows - (size[1] + 1) // 2) // 2)
