"""Bounds: the box around everything that some batches draw, so that the area outside of it can be skipped."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rish_frame import Batch
from rish_frame.frame import find_kind

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in the space of a pass."""
EMPTY: Box = (float("inf"), float("inf"), float("-inf"), float("-inf"))


def bounds_of(batches: Iterable[Batch]) -> Box | None:
    """Return the box around batches; None if one of their kinds does not tell its bounds."""
    x0, y0, x1, y1 = EMPTY
    for batch in batches:
        kind = find_kind(batch.kind)
        if kind is None or kind.bounds is None:
            return None
        low, high = kind.bounds(batch)
        if len(low):
            with np.errstate(invalid="ignore"):
                x0, y0 = np.fmin((x0, y0), np.fmin.reduce(low, axis=0)).tolist()
                x1, y1 = np.fmax((x1, y1), np.fmax.reduce(high, axis=0)).tolist()
    return x0, y0, x1, y1
