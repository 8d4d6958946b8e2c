"""Meshes: triangles in the local space of an entity, transformed and joined into batches.

A stroke is cut into triangles in its local space, for a pixel size that is rounded to steps of a fifth. So it is cut
again only when it changes, or when the camera zooms by a larger amount; moving it only transforms its corners.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import Batch
from rish_jit import Array

from ...drawables.drawables import BLENDS, FILTERS

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction, Seen


_STEP = math.log(1.2)


@dataclass(frozen=True)
class Mesh:
    """Triangles: points float32 (m, 2) and rgba uint8 (m, 4), not premultiplied; indices int32 (k, 3).

    uv: float32 (m, 2), column and line on the page, or None.
    """

    points: Array
    rgba: Array
    indices: Array
    uv: Array | None = None


def pixel_levels(density: Array) -> Array:
    """Return pixels per unit as a rounded exponent of 1.2, int64 n; 0 for unusable numbers."""
    usable = np.isfinite(density) & (density > 1e-6) & (density < 1e6)
    return np.round(np.log(np.where(usable, density, 1)) / _STEP).astype(np.int64)


def pixel_of(level: int) -> float:
    """Return the size of a pixel in units, at a level."""
    return math.exp(-_STEP * level)


def state_of(blend: Array, sampling: Array | int = 0, page: Array | int = -1) -> Array:
    """Pack blend mode, filter and page (-1: none) into one number for Drawables, int64 n."""
    return blend.astype(np.int64) | np.int64(sampling) << 4 | (np.int64(page) + 1) << 8


def scale_of(matrix: Array) -> Array:
    """Return by how much matrices (n, 6) enlarge lengths, the geometric mean of both axes, float32 n."""
    return np.sqrt(np.abs(matrix[:, 0] * matrix[:, 3] - matrix[:, 1] * matrix[:, 2]))


def in_view(scene: Extraction, seen: Seen, low: Array, high: Array) -> Array:
    """Return bool n: whose box touches the view. low, high: float32 (n, 2), the box's corners in local space.

    A box with NaN touches nothing.
    """
    m = seen.matrix
    with np.errstate(invalid="ignore", over="ignore"):
        middle, reach = (low + high) / 2, (high - low) / 2
        center, half = np.empty_like(middle), np.empty_like(reach)
        for k in (0, 1):
            center[:, k] = m[:, k] * middle[:, 0] + m[:, 2 + k] * middle[:, 1] + m[:, 4 + k]
            half[:, k] = np.abs(m[:, k]) * reach[:, 0] + np.abs(m[:, 2 + k]) * reach[:, 1]
        return scene.seen(center, half, seen.numbers)


def bounds_of(points: Array, lengths: Array) -> tuple[Array, Array]:
    """Return least and greatest x and y, float32 (n, 2) each, of n runs of points, one after another; none is empty."""
    finite = np.nan_to_num(points, posinf=0, neginf=0)
    starts = np.cumsum(lengths) - lengths
    return np.minimum.reduceat(finite, starts), np.maximum.reduceat(finite, starts)


def boxes_of_points(table: Any, rows: Array, width: Array) -> Array:
    """Return the boxes around lists of points, float64 (n, 4), widened by half a width n; NaN for empty lists."""
    spans = table.column("points")[rows]
    box = np.full((len(rows), 4), np.nan)
    some = np.flatnonzero(spans[:, 1] > 0)
    if len(some):
        points = table.pool_of("points").gather(spans[some]).reshape(-1, 2)
        low, high = bounds_of(points, spans[some, 1].astype(np.int64))
        half = width[some, None] / 2
        box[some] = np.concatenate([low - half, high + half], axis=1)
    return box


class Meshes:
    """The meshes of visible entities. matrix: float32 (n, 6), from their local spaces to the pass's."""

    def __init__(self, meshes: Sequence[Mesh], matrix: Array, source: str = "render") -> None:
        self.meshes, self.matrix, self.source = meshes, matrix, source

    def batch(self, some: Array | slice, state: int) -> Batch:
        """Return the batch of some meshes, all of one state."""
        chosen = np.arange(len(self.meshes))[some]
        parts = [self.meshes[i] for i in chosen]
        sizes = [len(part.points) for part in parts]
        local = np.concatenate([part.points for part in parts])
        owner = np.repeat(np.arange(len(parts)), sizes)
        m = [np.ascontiguousarray(column).take(owner) for column in self.matrix[chosen].T]
        positions = np.zeros((len(local), 3), np.float32)
        positions[:, 0] = m[0] * local[:, 0] + m[2] * local[:, 1] + m[4]
        positions[:, 1] = m[1] * local[:, 0] + m[3] * local[:, 1] + m[5]
        first = np.repeat(np.cumsum(sizes) - sizes, [len(part.indices) for part in parts])
        indices = np.concatenate([part.indices for part in parts]) + first[:, None].astype(np.int32)
        arrays = {
            "positions": positions,
            "colors": np.concatenate([part.rgba for part in parts]),
            "indices": np.ascontiguousarray(indices, np.int32),
        }
        page = (state >> 8) - 1
        if page >= 0:
            arrays["uv"] = np.concatenate([part.uv for part in parts if part.uv is not None])
        blend, filtering = BLENDS[state & 15], FILTERS[state >> 4 & 15]
        texture = page if page >= 0 else None
        return Batch("mesh", arrays, blend=blend, filter=filtering, texture=texture, source=self.source)
