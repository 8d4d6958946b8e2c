"""Bounds: the box around everything that some batches draw, so that the area outside of it can be skipped."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rish_frame import Batch, PerVersion
from rish_frame.frame import find_kind
from rish_jit import Array

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in the space of a pass."""
EMPTY: Box = (float("inf"), float("inf"), float("-inf"), float("-inf"))


def bounds_of(batches: Iterable[Batch], known: PerVersion[Box] | None = None) -> Box | None:
    """Return the box around batches; None if one of their kinds does not tell its bounds.

    known: the boxes of batches with a version, from frame to frame.
    """
    known = PerVersion() if known is None else known
    x0, y0, x1, y1 = EMPTY
    for batch in batches:
        kind = find_kind(batch.kind)
        if kind is None or kind.bounds is None:
            return None
        place = batch.origin, batch.unit
        box = known.get(batch, place) or known.put(batch, _box(*kind.bounds(batch)), place)
        x0, y0, x1, y1 = min(x0, box[0]), min(y0, box[1]), max(x1, box[2]), max(y1, box[3])
    return x0, y0, x1, y1


def _box(low: Array, high: Array) -> Box:
    """Return the box around the boxes of things, without those that have NaN."""
    if not len(low):
        return EMPTY
    with np.errstate(invalid="ignore"):
        x0, y0 = np.fmin(EMPTY[:2], np.fmin.reduce(low, axis=0)).tolist()
        x1, y1 = np.fmax(EMPTY[2:], np.fmax.reduce(high, axis=0)).tolist()
    return x0, y0, x1, y1
