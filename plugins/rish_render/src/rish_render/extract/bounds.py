"""Bounds: the box around everything that some batches draw, so that the area outside of it can be skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_frame import Batch
from rish_frame.frame import affine_of

Array = npt.NDArray[Any]
Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in the space of a pass."""
EMPTY: Box = (float("inf"), float("inf"), float("-inf"), float("-inf"))


def bounds_of(batches: Iterable[Batch]) -> Box | None:
    """Return the box around batches; None if the extent of one of their kinds is not known here."""
    x0, y0, x1, y1 = EMPTY
    for batch in batches:
        measure = _MEASURES.get(batch.kind)
        if measure is None:
            return None
        low, high = measure(batch)
        if len(low):
            with np.errstate(invalid="ignore"):
                x0, y0 = np.fmin((x0, y0), np.fmin.reduce(low, axis=0)).tolist()
                x1, y1 = np.fmax((x1, y1), np.fmax.reduce(high, axis=0)).tolist()
    return x0, y0, x1, y1


def _around(matrix: Array) -> tuple[Array, Array]:
    """Return the least and greatest corners of unit squares around 0 under matrices (n, 6)."""
    reach = (np.abs(matrix[:, 0:2]) + np.abs(matrix[:, 2:4])) / 2
    return matrix[:, 4:6] - reach, matrix[:, 4:6] + reach


def _sprites(batch: Batch) -> tuple[Array, Array]:
    return _around(affine_of(batch.arrays["instances"], batch.origin, batch.unit))


def _matrices(batch: Batch) -> tuple[Array, Array]:
    return _around(batch.arrays["matrix"])


def _lines(batch: Batch) -> tuple[Array, Array]:
    points, half = batch.arrays["points"], batch.arrays["width"][:, None] / 2
    return np.fmin(points[:, :2], points[:, 2:]) - half, np.fmax(points[:, :2], points[:, 2:]) + half


def _tiles(batch: Batch) -> tuple[Array, Array]:
    rows, columns = batch.arrays["cells"].shape
    a, b, c, d, x, y = batch.arrays["grid"]
    corners = np.array([[i * a + j * c + x, i * b + j * d + y] for i in (0, columns) for j in (0, rows)], np.float32)
    return corners, corners


_MEASURES: dict[str, Callable[[Batch], tuple[Array, Array]]] = {
    "sprites": _sprites,
    "sprites_wide": _matrices,
    "shapes": _matrices,
    "lines": _lines,
    "polygons": lambda batch: (batch.arrays["points"], batch.arrays["points"]),
    "tiles": _tiles,
}
