"""Meshes from code: their arrays are checked, and missing normals are computed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rish_core import UsageError
from rish_jit import Array

from .model_library import MeshData

MADE = "made:"
"""The prefix of the name of a model that code has made."""


def mesh_of(
    name: str, positions: npt.ArrayLike, indices: npt.ArrayLike, normals: npt.ArrayLike | None = None,
    uv: npt.ArrayLike | None = None, colors: npt.ArrayLike | None = None,
) -> MeshData:  # fmt: skip
    """Return a mesh; see `Models3D.put`. Raises UsageError that names the array at fault."""
    corners = _rows(name, "positions", positions, 3)
    faces = np.asarray(indices, np.int64).reshape(-1, 3)
    if len(faces) and not (faces.min() >= 0 and faces.max() < len(corners)):
        message = f"{name}: indices reach from {faces.min()} to {faces.max()}, but there are {len(corners)} positions"
        raise UsageError(message, hint="Each index is a row of positions, from 0")
    directions = smooth_normals(corners, faces) if normals is None else _rows(name, "normals", normals, 3, len(corners))
    bounds = np.stack([corners.min(0), corners.max(0)]) if len(corners) else np.zeros((2, 3), np.float32)
    return MeshData(
        name, np.ascontiguousarray(faces, np.uint32), corners, directions, bounds,
        uv0=None if uv is None else _rows(name, "uv", uv, 2, len(corners)),
        colors=None if colors is None else _rows(name, "colors", colors, 4, len(corners)),
    )  # fmt: skip


def smooth_normals(positions: Array, faces: Array) -> Array:
    """Return for each corner the mean normal of its triangles, weighted by their areas, float32 (n, 3)."""
    a, b, c = (positions[faces[:, k]].astype(np.float64) for k in range(3))
    areas = np.cross(b - a, c - a)
    total = np.zeros((len(positions), 3))
    for k in range(3):
        np.add.at(total, faces[:, k], areas)
    length = np.sqrt((total**2).sum(axis=1, keepdims=True))
    return np.where(length > 0, total / np.where(length > 0, length, 1.0), [0.0, 1.0, 0.0]).astype(np.float32)


def _rows(name: str, what: str, values: npt.ArrayLike, width: int, count: int | None = None) -> Array:
    """Return a copy as float32 (n, width)."""
    rows = np.array(values, np.float32)
    if rows.ndim != 2 or rows.shape[1] != width or (count is not None and len(rows) != count):
        expected = f"({'n' if count is None else count}, {width})"
        raise UsageError(f"{name}: {what} must be {expected}, not {rows.shape}", hint="Give a row for each corner")
    if not np.isfinite(rows).all():
        raise UsageError(f"{name}: {what} must be finite numbers", hint="Look for NaN in what computes them")
    return rows
