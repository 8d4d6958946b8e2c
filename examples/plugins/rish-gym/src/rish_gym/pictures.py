"""Reduces pictures: each pixel of the result is the mean of the pixels that it covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rish_jit import Array

_LUMA = np.array([0.299, 0.587, 0.114], np.float32)
"""The weights of red, green and blue in a gray value (ITU-R BT.601)."""


def least_size(game: tuple[int, int], sizes: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the smallest size of the game's form whose width and height are at least those of all pictures.

    game: the size of the game, which is the largest.
    """
    factor = min(1.0, max(max(width / game[0], height / game[1]) for width, height in sizes))
    return round(game[0] * factor), round(game[1] * factor)


def reduced(picture: Array, size: tuple[int, int], *, gray: bool = False) -> Array:
    """Return a picture uint8 (h, w, 3) in another size (width, height), uint8 (height, width, 3), or 1 if gray.

    A larger size repeats pixels.
    """
    width, height = size
    values = picture.astype(np.float32)
    if gray:
        values = (values @ _LUMA)[..., None]
    rows, columns = _spans(picture.shape[0], height), _spans(picture.shape[1], width)
    sums = np.add.reduceat(np.add.reduceat(values, rows[0], axis=0), columns[0], axis=1)
    area = rows[1][:, None] * columns[1][None, :]
    return np.rint(sums / area[..., None]).astype(np.uint8)


def _spans(old: int, new: int) -> tuple[Array, Array]:
    """Return the first pixel and the number of pixels that each new pixel covers; at least one."""
    edges = np.arange(new + 1) * old // new
    # for equal indices, reduceat gives the single element
    return edges[:-1], np.maximum(np.diff(edges), 1)
