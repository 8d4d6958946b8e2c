"""Rays and view volumes from camera matrices.

A camera matrix is float32 (4, 4), `projection @ view`, for column vectors: after division by w the visible space
reaches from -1 to 1 in each axis, with z = -1 at the near plane, as `rish_frame` has it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rish_core import UsageError
from rish_jit import Array

from .quaternions import normalized


def camera_rays(matrix: npt.ArrayLike, points: npt.ArrayLike, size: tuple[int, int]) -> tuple[Array, Array]:
    """Return the origins and directions, float32 (n, 3) each, of rays through points of a camera's picture.

    matrix: of the camera. points: (n, 2), pixels from the bottom left; the middle of a pixel is at .5. size: of the
    picture in pixels. Origins are on the near plane, directions have length 1. Raises UsageError for a matrix without
    an inverse or an empty picture.
    """
    camera = np.asarray(matrix, np.float64)
    if min(size) < 1:
        raise UsageError(f"a picture of {size} has no pixels for rays", hint="Give its width and height")
    try:
        inverse = np.linalg.inv(camera)
    except np.linalg.LinAlgError:
        inverse = np.full((4, 4), np.nan)
    if not np.isfinite(inverse).all():
        raise UsageError(f"a camera matrix without an inverse has no rays: {camera.tolist()}")
    pixels = np.asarray(points, np.float64).reshape(-1, 2) * [2 / size[0], 2 / size[1]] - 1
    ends = np.ones((2, len(pixels), 4))
    ends[:, :, :2], ends[0, :, 2] = pixels, -1
    near, far = ends @ inverse.T
    # homogeneous points: their difference without division, so that a far plane at infinity (w = 0) has a direction
    direction = far[:, :3] * near[:, 3:] - near[:, :3] * far[:, 3:]
    direction *= np.where(near[:, 3:] * far[:, 3:] < 0, -1.0, 1.0)
    origins = near[:, :3] / near[:, 3:]
    return origins.astype(np.float32), normalized(direction).astype(np.float32)


def frustum_planes(matrix: npt.ArrayLike) -> Array:
    """Return float32 (6, 4): the planes left, right, bottom, top, near, far of a camera's volume of view.

    A point p is inside if `n · p + d >= 0` for each plane `n d`. Normals have length 1, except those of a plane at
    infinity, which are 0. Source: Gribb and Hartmann, "Fast Extraction of Viewing Frustum Planes", 2001.
    """
    m = np.asarray(matrix, np.float64)
    planes = np.empty((6, 4))
    planes[::2], planes[1::2] = m[3] + m[:3], m[3] - m[:3]
    length = np.sqrt((planes[:, :3] ** 2).sum(axis=1, keepdims=True))
    return (planes / np.where(length > 0, length, 1.0)).astype(np.float32)
