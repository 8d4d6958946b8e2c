"""The queries of a tree of boxes in numpy, which compare everything with everything, with the same results."""

from __future__ import annotations

import numpy as np

from rish_jit import Array


def plain_distances(rays: Array, reach: Array, boxes: Array) -> Array:
    """Return float32 (rays, boxes): where each ray enters each box, infinite for a miss; see `casting.meet`.

    rays: float32 (n, 6), origins and inverse directions. reach: float32 (n,). boxes: float32 (m, 6).
    """
    near = np.zeros((len(rays), len(boxes)), np.float32)
    far = np.repeat(reach[:, None], len(boxes), axis=1)
    with np.errstate(all="ignore"):
        for c in range(3):
            start, turn = rays[:, c, None], rays[:, c + 3, None]
            entry, exit_ = (boxes[None, :, c] - start) * turn, (boxes[None, :, c + 3] - start) * turn
            entry, exit_ = np.where(turn < 0, exit_, entry), np.where(turn < 0, entry, exit_)
            near = np.where(entry > near, entry, near)
            far = np.where(exit_ < far, exit_, far)
    return np.where(near <= far, near, np.float32(np.inf))


def plain_touching(planes: Array, boxes: Array) -> Array:
    """Return bool (regions, boxes): whether boxes (m, 6) touch regions of planes (n, k, 4); see `regions.touches`."""
    touch = np.repeat((boxes[:, 0] <= boxes[:, 3])[None], len(planes), axis=0)
    with np.errstate(all="ignore"):
        for p in range(planes.shape[1]):
            total = np.repeat(planes[:, p, 3, None], len(boxes), axis=1)
            for c in range(3):
                n = planes[:, p, c, None]
                corner = np.where(n > 0, boxes[None, :, c + 3], boxes[None, :, c])
                total = np.where(n == 0, total, total + n * corner)
            touch &= ~(total < 0)
    return touch
