"""What both backends do in the same way before they draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from rish_ecs import UnknownName
from rish_frame import BackendError, Batch, Target
from rish_jit import Array

LEAVES_CHANNELS = frozenset({"add", "multiply", "screen"})
"""Blend modes in which a batch without an image for a channel does not change it; in the others it is drawn black."""

BLACK_SCREEN = Target("screen", clear=((0.0, 0.0, 0.0, 1.0),))
"""The screen before the first frame."""


class Unable(Exception):
    """The reason why a batch can't be drawn, as a clause for the statistics."""


def check_page(page: int, pixels: Array) -> None:
    """Raise BackendError if the pixels of a page are not uint8 (h, w, 4)."""
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 4:
        raise BackendError(f"page {page} must be uint8 (h, w, 4), not {pixels.dtype} {pixels.shape}")


def find_surface(surfaces: Mapping[str, Any], name: str) -> Any:
    """Return the surface of a target. Raises UnknownName."""
    surface = surfaces.get(name)
    if surface is None:
        raise UnknownName(f"no target is called '{name}'", given=name, choices=["screen", *surfaces])
    return surface


def read_target(surfaces: Mapping[str, Any], target: str) -> Array:
    """Return a copy of a target, or of one of its attachments: `name:1`. Raises UnknownName."""
    base, _, attachment = target.partition(":")
    surface = find_surface(surfaces, base)
    picture = surface.read(int(attachment or 0))
    if surface.opaque and not attachment:
        picture[..., 3] = 255
    return picture


def line_boxes(points: Array, width: Array) -> tuple[Array, Array, Array]:
    """Return lines as boxes whose corners are rounded by half their width: their sides, centers and sizes.

    points: float64 (n, 4). width: float64 n. The results: (n, 4), the first two columns of a matrix; (n, 2); (n, 4),
    half width, half height, corner radius and outline width.
    """
    along = points[:, 2:] - points[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    ahead = along / np.where(length > 0, length, 1)[:, None]
    ahead[length == 0] = (1, 0)
    whole = length + width
    sides = np.column_stack([ahead * whole[:, None], -ahead[:, 1] * width, ahead[:, 0] * width])
    sizes = np.column_stack([whole / 2, width / 2, width / 2, np.zeros(len(width))])
    return sides, (points[:, :2] + points[:, 2:]) / 2, sizes


def triangles_of(batch: Batch) -> tuple[Array, Array, Array]:
    """Return the positions (m, 3), colors (m, 4) and indices (k, 3) of a mesh, or of polygons that have uv.

    Triangles that contain NaN or infinity are left out.
    """
    arrays = batch.arrays
    if batch.kind == "mesh":
        positions, colors, indices = arrays["positions"], arrays["colors"], arrays["indices"]
    else:
        owner = np.repeat(np.arange(len(arrays["rgba"])), np.diff(arrays["starts"]))
        positions = np.column_stack([arrays["points"], np.zeros(len(owner), np.float32)])
        colors, indices = arrays["rgba"][owner], arrays["triangles"]
    fine = cast("Array", np.isfinite(positions).all(axis=1))
    if not fine.all():
        indices = np.ascontiguousarray(indices[fine[indices].all(axis=1)])
        positions = np.where(fine[:, None], positions, 0)
    return positions, colors, indices
