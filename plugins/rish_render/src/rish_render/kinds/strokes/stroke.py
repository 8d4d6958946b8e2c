"""Strokes: converts a path into triangles with smooth edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rish_jit import Array

from .cells import Polygons, fans
from .difference import separate
from .path import Path
from .pieces import Style, make_pieces
from .weld import following_of, weld

__all__ = ["Strip", "Style", "make_strip"]


@dataclass(frozen=True)
class Strip:
    """Triangles: points float32 (m, 2), cover float32 m, along and across float32 m, indices int32 (k, 3).

    cover: 0..1, a factor of the opacity. along: distance from the start. across: 1 on the left, -1 right. polygon:
    int32 m, the convex polygon that each corner belongs to.
    """

    points: Array
    cover: Array
    along: Array
    across: Array
    indices: Array
    polygon: Array


def make_strip(path: Path, style: Style, pixel: float, apart: bool) -> Strip:
    """Return the triangles of a stroke. pixel: its size in units. apart: cut overlaps, for translucent strokes."""
    polygons, marks = make_pieces(path, style, pixel, 0.0 if apart else pixel)
    if not apart or len(marks) < 2:
        return _strip(polygons)
    return _fans(weld(separate(polygons, marks, 1e-3 * pixel), pixel))


def _strip(polygons: Polygons) -> Strip:
    """Return every convex polygon as a fan of triangles around its first corner."""
    corners, starts = polygons
    sizes = np.diff(starts)
    return _packed(corners, fans(starts), np.repeat(np.arange(len(sizes)), sizes))


def _fans(polygons: Polygons) -> Strip:
    """Return every convex polygon as a fan of triangles around its middle; the middles are stored after the corners."""
    corners, starts = polygons
    sizes, used = np.diff(starts), len(corners)
    count = len(sizes)
    polygon = np.repeat(np.arange(count), sizes)
    middles = np.stack([np.bincount(polygon, corners[:, k], count) for k in range(5)], axis=1)
    middles /= np.maximum(sizes, 1)[:, None]
    indices = np.stack([used + polygon, np.arange(used), following_of(starts)], axis=1).astype(np.int32)
    return _packed(np.concatenate([corners, middles]), indices, np.concatenate([polygon, np.arange(count)]))


def _packed(columns: Array, indices: Array, polygon: Array) -> Strip:
    cover, along, across = (np.ascontiguousarray(columns[:, k], np.float32) for k in (2, 3, 4))
    return Strip(columns[:, :2].astype(np.float32), cover, along, across, indices, polygon.astype(np.int32))
