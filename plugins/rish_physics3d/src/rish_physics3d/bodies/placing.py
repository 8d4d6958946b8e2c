"""Kernels that compute the poses of entities and of shapes in the world, in float64.

The results have the bits of `quaternions.normalized`, `product` and `turned`, with which `poses.world_poses` computes
them in numpy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

_ROUNDING = 1e-6
"""By how much the square of the length of a unit quaternion may differ from 1."""


@njit(borrows=True, inline="always")
def product(ax: Any, ay: Any, az: Any, aw: Any, bx: Any, by: Any, bz: Any, bw: Any) -> Any:
    """Return the product of two quaternions."""
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


@njit(borrows=True, inline="always")
def _turned(x: Any, y: Any, z: Any, w: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a vector that a unit quaternion has turned."""
    u, v, t = y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c
    return a + 2.0 * (y * t - z * v), b + 2.0 * (z * u - x * t), c + 2.0 * (x * v - y * u)


@njit(borrows=True, inline="always")
def unit(x: Any, y: Any, z: Any, w: Any) -> Any:
    """Return a quaternion with length 1; one without a length is returned as it is."""
    largest = max(max(abs(x), abs(y)), max(abs(z), abs(w)))
    if not largest > 0.0:
        return x, y, z, w
    x, y, z, w = x / largest, y / largest, z / largest, w / largest
    length = np.sqrt(x * x + y * y + z * z + w * w)
    return x / length, y / length, z / length, w / length


@njit(borrows=True)
def place_entities(rows: Array, parents: Array, columns: Any, position: Array, rotation: Array, scale: Array) -> None:
    """Write the positions, rotations and scales in the world of some rows of Transform3D, float64 (3, 4 and 3 each).

    rows: int64. parents: the row of the parent of each row of the table, below 0 for none; empty if no entity has one.
    columns: of the table: position, rotation and scale, flat.
    """
    positions, rotations, scales = columns
    for k in range(len(rows)):
        p, q = 3 * k, 4 * k
        depth, row = 0, rows[k]
        while len(parents) > 0 and parents[row] >= 0:
            depth, row = depth + 1, parents[row]
        for level in range(depth, -1, -1):  # from the root down to the entity itself
            row = rows[k]
            for _ in range(level):
                row = parents[row]
            a, b, c = (
                np.float64(positions[3 * row]),
                np.float64(positions[3 * row + 1]),
                np.float64(positions[3 * row + 2]),
            )
            u, v, t = np.float64(scales[3 * row]), np.float64(scales[3 * row + 1]), np.float64(scales[3 * row + 2])
            x, y, z, w = unit(
                np.float64(rotations[4 * row]), np.float64(rotations[4 * row + 1]), np.float64(rotations[4 * row + 2]),
                np.float64(rotations[4 * row + 3]),
            )  # fmt: skip
            if not abs(x * x + y * y + z * z + w * w - 1.0) < _ROUNDING:
                x, y, z, w = 0.0, 0.0, 0.0, 1.0
            if level < depth:
                px, py, pz, pw = rotation[q], rotation[q + 1], rotation[q + 2], rotation[q + 3]
                a, b, c = _turned(px, py, pz, pw, a * scale[p], b * scale[p + 1], c * scale[p + 2])
                a, b, c = position[p] + a, position[p + 1] + b, position[p + 2] + c
                x, y, z, w = product(px, py, pz, pw, x, y, z, w)
                u, v, t = u * scale[p], v * scale[p + 1], t * scale[p + 2]
            position[p], position[p + 1], position[p + 2] = a, b, c
            rotation[q], rotation[q + 1], rotation[q + 2], rotation[q + 3] = x, y, z, w
            scale[p], scale[p + 1], scale[p + 2] = u, v, t


@njit(borrows=True)
def place_shapes(
    position: Array, rotation: Array, layout: Any, away: Any, centers: Array, pose: Array, poses: Array
) -> None:
    """Write the poses of shapes in the world, float64 (8 each: x, y, z, 0, quaternion).

    position, rotation: of the entities of all bodies but body 0. layout: frames of the bodies, forms and places of the
    shapes, flat. away: see `poses.AWAY`. centers: working memory, float64, 8 a body: their poses. pose: float32, as the
    kernels of the step have them.
    """
    frames, form, place = layout
    for n in range(len(centers) // 8):
        o, p, q = 8 * n, 3 * (n - 1), 4 * (n - 1)
        for k in range(8):
            centers[o + k] = 0.0
        centers[o + 7] = 1.0
        if n > 0:
            x, y, z, w = rotation[q], rotation[q + 1], rotation[q + 2], rotation[q + 3]
            a, b, c = _turned(x, y, z, w, np.float64(frames[o]), np.float64(frames[o + 1]), np.float64(frames[o + 2]))
            centers[o], centers[o + 1], centers[o + 2] = position[p] + a, position[p + 1] + b, position[p + 2] + c
            for k in range(3):
                if not abs(centers[o + k]) <= away:  # also where it is not finite
                    centers[o + k] = away
            centers[o + 4], centers[o + 5], centers[o + 6], centers[o + 7] = product(
                x, y, z, w, np.float64(frames[o + 4]), np.float64(frames[o + 5]), np.float64(frames[o + 6]),
                np.float64(frames[o + 7]),
            )  # fmt: skip
        for k in range(8):
            pose[o + k] = centers[o + k]
    for s in range(len(form) // 3):
        o, b = 8 * s, 8 * np.int64(form[3 * s + 1])
        x, y, z, w = centers[b + 4], centers[b + 5], centers[b + 6], centers[b + 7]
        u, v, t = _turned(x, y, z, w, np.float64(place[o]), np.float64(place[o + 1]), np.float64(place[o + 2]))
        poses[o], poses[o + 1], poses[o + 2], poses[o + 3] = centers[b] + u, centers[b + 1] + v, centers[b + 2] + t, 0.0
        x, y, z, w = product(
            x, y, z, w, np.float64(place[o + 4]), np.float64(place[o + 5]), np.float64(place[o + 6]),
            np.float64(place[o + 7]),
        )  # fmt: skip
        poses[o + 4], poses[o + 5], poses[o + 6], poses[o + 7] = unit(x, y, z, w)
