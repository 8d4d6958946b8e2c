"""Rays and moved convex shapes against single shapes, in the frame of the shape, float64.

Each function returns the share of the way at which the shape is entered, and the normal there: a share of `MISS` if it
is not entered; a share of 0 and the normal 0 if the start is inside.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ..geometry.collide.gjk import distance

MISS = 2.0
_NEAR = 1e-6
"""A moved shape has arrived when it is this near, m."""
_STEPS = 64
"""The greatest number of steps of conservative advancement; a few are enough unless a shape passes by closely."""


@njit(borrows=True)
def ray_ball(x: Any, y: Any, z: Any, u: Any, v: Any, w: Any, radius: Any) -> Any:
    """Return where a ray from outside enters a sphere around the origin."""
    a, b, c = u * u + v * v + w * w, x * u + y * v + z * w, x * x + y * y + z * z - radius * radius
    root = b * b - a * c
    if b >= 0.0 or root < 0.0:
        return MISS
    return c / (np.sqrt(root) - b)


@njit(borrows=True)
def ray_capsule(x: Any, y: Any, z: Any, u: Any, v: Any, w: Any, half: Any, radius: Any) -> Any:
    """Cast a ray against a capsule along y, or a sphere if half is 0: two balls and a cylinder without its ends."""
    cy = max(min(y, half), -half)
    if x * x + (y - cy) * (y - cy) + z * z <= radius * radius:
        return 0.0, 0.0, 0.0, 0.0
    share = ray_ball(x, y - half, z, u, v, w, radius)
    if half > 0.0:
        share = min(share, ray_ball(x, y + half, z, u, v, w, radius))
        a, b, c = u * u + w * w, x * u + z * w, x * x + z * z - radius * radius
        root = b * b - a * c
        if b < 0.0 and root >= 0.0 and c > 0.0:
            side = c / (np.sqrt(root) - b)
            if abs(y + side * v) <= half:
                share = min(share, side)
    x, y, z = x + share * u, y + share * v, z + share * w
    y -= max(min(y, half), -half)
    scale = 1.0 / radius
    return share, x * scale, y * scale, z * scale


@njit(borrows=True)
def ray_planes(planes: Array, first: Any, count: Any, x: Any, y: Any, z: Any, u: Any, v: Any, w: Any) -> Any:
    """Cast a ray against a hull, the common part of half spaces (Cyrus and Beck, 1978)."""
    near, far, face = -1.0, MISS, -1
    for k in range(first, first + count):
        o = 4 * k
        a, b, c = np.float64(planes[o]), np.float64(planes[o + 1]), np.float64(planes[o + 2])
        gap, speed = a * x + b * y + c * z - planes[o + 3], a * u + b * v + c * w
        if speed >= 0.0:
            if gap > 0.0:
                return MISS, 0.0, 0.0, 0.0
            if speed > 0.0:
                far = min(far, -gap / speed)
        elif gap > 0.0 and -gap / speed > near:
            near, face = -gap / speed, o
    if near > far:
        return MISS, 0.0, 0.0, 0.0
    if face < 0:
        return 0.0, 0.0, 0.0, 0.0
    return near, np.float64(planes[face]), np.float64(planes[face + 1]), np.float64(planes[face + 2])


@njit(borrows=True)
def ray_triangle(corners: Array, o: Any, speed: Any, nx: Any, ny: Any, nz: Any, x: Any, y: Any, z: Any, u: Any, v: Any,
                 w: Any) -> Any:  # fmt: skip
    """Return where a ray meets the front of a triangle whose corners begin at o. speed: of the ray along its normal.

    The sign of the volume between the ray and a side is exactly opposite for both triangles at the side, so no ray
    passes between them (A. Woop et al., "Watertight Ray/Triangle Intersection", 2013).
    """
    if speed >= 0.0:
        return MISS
    for k in range(3):
        p, q = o + 3 * k, o + 3 * ((k + 1) % 3)
        ax, ay, az = corners[p] - x, corners[p + 1] - y, corners[p + 2] - z
        bx, by, bz = corners[q] - x, corners[q + 1] - y, corners[q + 2] - z
        if u * (ay * bz - az * by) + v * (az * bx - ax * bz) + w * (ax * by - ay * bx) > 0.0:
            return MISS
    share = (nx * (corners[o] - x) + ny * (corners[o + 1] - y) + nz * (corners[o + 2] - z)) / speed
    return share if share >= 0.0 else MISS


@njit(borrows=True)
def move_to(wide: Array, count: Any, radius: Any, corners: Array, n: Any, u: Any, v: Any, w: Any, far: Any,
            memory: Any) -> Any:  # fmt: skip
    """Move a convex shape toward another one by conservative advancement (B. Mirtich, 1996).

    wide: `count` points of the shape at rest, corners: `n` points of the other at its start, 3 numbers each. radius:
    the sum of both. far: the greatest share of the way u, v, w. memory: points of the moved shape, and that of
    `distance`.
    """
    moved, simplex, near = memory
    share, a, b, c = 0.0, 0.0, 0.0, 0.0
    for step in range(_STEPS):
        for k in range(n):
            moved[3 * k] = corners[3 * k] + share * u
            moved[3 * k + 1] = corners[3 * k + 1] + share * v
            moved[3 * k + 2] = corners[3 * k + 2] + share * w
        gap = distance(wide, 0, count, moved, 0, n, simplex, near)
        if gap > _NEAR:  # between nearer points the direction is rounding
            a, b, c = (near[3] - near[0]) / gap, (near[4] - near[1]) / gap, (near[5] - near[2]) / gap
        elif step == 0:
            return 0.0, 0.0, 0.0, 0.0
        gap -= radius
        if step == 0 and gap <= 0.0:
            return 0.0, 0.0, 0.0, 0.0
        speed = -(a * u + b * v + c * w)
        if speed <= 0.0:
            return MISS, 0.0, 0.0, 0.0
        if gap <= _NEAR:
            break
        share += gap / speed
        if share > far:
            return MISS, 0.0, 0.0, 0.0
    return share, a, b, c
