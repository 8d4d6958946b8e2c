"""Picking of paths: which lists of points are near the region, and how wide a path is along its way."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array

from ...drawables.extraction import Seen
from ...drawables.pick_scene import PickScene
from .mesh import bounds_of, scale_of


def reach_of_paths(scene: PickScene, seen: Seen) -> Array:
    """Return how far a line may be away, in units of the space of each thing."""
    away = np.where(scene.stack.screen[seen.numbers], scene.reach(True), scene.reach(False))
    return away / np.maximum(scale_of(seen.matrix), 1e-9)


def in_box(table: Any, name: str, spans: Array, local: Array, reach: Array) -> list[int]:
    """Return the indices of those point lists whose box, widened by `reach`, meets the box of the region."""
    some = np.flatnonzero((spans[:, 1] > 0) & np.isfinite(local).all(axis=(1, 2)))
    if not len(some):
        return []
    points = table.pool_of(name).gather(spans[some]).reshape(-1, 2)
    low, high = bounds_of(points, spans[some, 1].astype(np.int64))
    first, last = local[some].min(axis=1), local[some].max(axis=1)
    wide = reach[some][:, None]
    return some[((first <= high + wide) & (last >= low - wide)).all(axis=1)].tolist()


def tapered(points: Array, first: float, last: float) -> Array:
    """Return the width at each point of a path, which changes evenly along it."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points.astype(np.float64), axis=0).T))])
    return first + (last - first) * along / max(along[-1], 1e-12)
