"""Autotiles: chooses the piece of a terrain for each cell, so that its edges and corners fit.

Two conventions are supported. With `edges` a piece is chosen by which of the four neighbors belong to the terrain: 16
pieces, numbered by the sum of N 1, E 2, S 4, W 8. With `blob` the corners count as well, each only if both its edges
belong to the terrain: of the 256 sums of N 1, NE 2, E 4, SE 8, S 16, SW 32, W 64, NW 128 only 47 remain, and the pieces
are numbered in the order of their sums. (The blob set and its numbering are described on cr31's "Wang tiles" pages.)
"""

from __future__ import annotations

import numpy as np

from rish_ecs import UsageError
from rish_jit import Array

FORMS = ("edges", "blob")
PIECES = {"edges": 16, "blob": 47}
"""The number of pieces of each form."""

_EDGES = ((-1, 0, 1), (0, 1, 4), (1, 0, 16), (0, -1, 64))  # step down, step right, value in `blob`
_CORNERS = ((-1, 1, 2, 1 | 4), (1, 1, 8, 4 | 16), (1, -1, 32, 16 | 64), (-1, -1, 128, 64 | 1))


def _sums() -> Array:
    """Return the sums of `blob` that can occur, in ascending order."""
    every = np.arange(256)
    good = np.ones(256, np.bool_)
    for _, _, worth, needs in _CORNERS:
        good &= ((every & worth) == 0) | ((every & needs) == needs)
    return every[good]


BLOB_SUMS = _sums()
"""int64 47: the sum of each piece of `blob`."""
_PIECE_OF = np.full(256, -1, np.int16)
_PIECE_OF[BLOB_SUMS] = np.arange(len(BLOB_SUMS))


def autotile(mask: Array, form: str = "edges", outside: bool = True) -> Array:
    """Return the number of the piece for each cell of a terrain, int16 (h, w); -1 for cells without the terrain.

    mask: bool (h, w), the cells with the terrain, the top row first. form: `edges` or `blob`. outside: whether the area
    beyond the map counts as terrain. Raises UsageError for an unknown form.
    """
    if form not in FORMS:
        raise UsageError(f"no autotile is called {form!r}", given=form, choices=FORMS)
    mask = np.asarray(mask, np.bool_)
    height, width = mask.shape
    wide = np.full((height + 2, width + 2), outside, np.bool_)
    wide[1:-1, 1:-1] = mask

    def beside(down: int, right: int) -> Array:
        return wide[1 + down : 1 + down + height, 1 + right : 1 + right + width]

    if form == "edges":
        pieces = np.zeros(mask.shape, np.int16)
        for bit, (down, right, _) in enumerate(_EDGES):
            pieces += beside(down, right).astype(np.int16) << bit
    else:
        total = np.zeros(mask.shape, np.uint8)
        for down, right, worth in _EDGES:
            total += beside(down, right) * np.uint8(worth)
        for down, right, worth, needs in _CORNERS:
            total += (beside(down, right) & ((total & needs) == needs)) * np.uint8(worth)
        pieces = _PIECE_OF[total]
    return np.where(mask, pieces, np.int16(-1))
