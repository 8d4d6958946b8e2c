"""Bands of rows: what the drawers in memory draw at a time, on all threads of the backend."""

from __future__ import annotations

PIXELS = 1 << 15
"""Pixels of a band: 500 kB of an image in linear light, so that the data between two steps stays in the processor's
cache."""


def bands_of(first: int, last: int, width: int) -> list[tuple[int, int]]:
    """Return the bands of the rows `first` up to `last` of an image, as first rows and rows after the last."""
    step = max(PIXELS // max(width, 1), 1)
    return [(row, min(row + step, last)) for row in range(first, last, step)]
