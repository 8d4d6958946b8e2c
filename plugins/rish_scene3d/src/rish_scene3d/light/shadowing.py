"""Lookups of points in shadow maps, in plain numpy; the drawers follow them line by line.

A map is float (height, width), its rows counted from the bottom: the texel (x, y) covers x to x + 1 and y to y + 1 of
clip space scaled to texels. A drawer whose images have the top row first only reverses the row number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import layout as at
from .formulas import Array, dot

Ints = npt.NDArray[np.int64]

FACE_MARGIN = 2
"""Texels around a face of a cube that show what lies beyond its 90 degrees, so that no tap leaves the face."""


def weights(part: Array) -> Array:
    """Return the weights (..., 3) of three texels in a row for a point at `part` (0 to 1) of the middle one.

    They are those of a quadratic B-spline: smooth, and their sum is 1.
    """
    return np.stack([0.5 * (1 - part) ** 2, 0.5 + part * (1 - part), 0.5 * part**2], axis=-1)


def lit_share(shadow_map: Array, x: Array, y: Array, depth: Array, first: Ints, side: int) -> Array:
    """Return which share (n,) of the light arrives: nine texels are compared and weighted.

    x, y: texels from the left bottom of the square of the map that begins at column `first` and has `side` columns and
    rows. depth: of the points, as in the map; a texel lets light through where it is not smaller.
    """
    x, y = np.clip(x, 0, side), np.clip(y, 0, side)
    column = np.minimum(np.floor(x), side - 1).astype(np.int64)
    row = np.minimum(np.floor(y), side - 1).astype(np.int64)
    across, up = weights(x - column), weights(y - row)
    total = np.zeros(np.shape(x), np.float64)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            tap = shadow_map[np.clip(row + dy, 0, side - 1), first + np.clip(column + dx, 0, side - 1)]
            total += across[..., dx + 1] * up[..., dy + 1] * (depth <= tap)
    return total


def sun_share(shadow_map: Array, sun: Array, point: Array, normal: Array, depth: Array) -> Array:
    """Return which share (n,) of a sun's light arrives at points (n, 3).

    normal: of the mesh, before the normal map, on the side that is seen. depth: meters along the view. The first
    cascade that ends behind the point is taken; beyond the last one all is lit, and before its end shadows fade.
    """
    count, side = int(sun[at.SUN_CASCADES]), int(sun[at.SUN_SIZE])
    ends = sun[at.SUN_FAR : at.SUN_FAR + count]
    cascade = np.minimum((depth[..., None] > ends).sum(-1), count - 1)
    texel = sun[at.SUN_TEXELS + cascade]
    shifted = point + normal * (sun[at.SUN_BIAS] * texel)[..., None]
    matrices = sun[at.SUN_MATRICES :].reshape(4, 3, 4)[cascade]
    position = np.einsum("...ij,...j->...i", matrices[..., :3], shifted) + matrices[..., 3]
    inside = np.minimum(position[..., 2], 1)
    share = lit_share(shadow_map, position[..., 0] * side, position[..., 1] * side, inside, cascade * side, side)
    last = ends[-1]
    strength = np.clip((last - depth) / np.maximum(sun[at.SUN_FADE] * last, 1e-6), 0, 1)
    return 1 - strength * (1 - share)


def face_of(way: Array) -> tuple[Ints, Array, Array, Array]:
    """Return the face of a cube in each direction (n, 3), the place on it (-1 to 1 to the right and up), and the depth.

    Faces: +x -x +y -y +z -z. Up is +y; on +y it is +z, on -y it is -z. depth: the part of `way` along the axis.
    """
    x, y, z = way[..., 0], way[..., 1], way[..., 2]
    ax, ay, az = np.abs(x), np.abs(y), np.abs(z)
    on_x = (ax >= ay) & (ax >= az)
    on_y = ~on_x & (ay >= az)
    cases = [on_x & (x >= 0), on_x, on_y & (y >= 0), on_y, z >= 0]
    face = np.select(cases, [0, 1, 2, 3, 4], 5)
    depth = np.maximum(np.select([on_x, on_y], [ax, ay], az), 1e-12)
    right = np.select(cases, [z, -z, x, x, -x], x)
    up = np.select(cases, [y, y, z, -z, y], y)
    return face, right / depth, up / depth, depth


def face_slope(side: int) -> float:
    """Return the tangent of half the angle of view of a cube's face of `side` texels, with its margin."""
    return side / (side - 2 * FACE_MARGIN)


def lamp_share(shadow_map: Array, lamp: Array, point: Array, normal: Array) -> Array:
    """Return which share (n,) of the light of a lamp or spot arrives at points (n, 3); `normal` as in `sun_share`."""
    position, side = lamp[at.LAMP_PLACE : at.LAMP_PLACE + 3], int(lamp[at.LAMP_SIZE])
    offset = lamp[at.LAMP_BIAS] * lamp[at.LAMP_TEXEL]
    if lamp[at.LAMP_ANGLE] > -1:
        matrix = lamp[at.LAMP_MATRIX : at.LAMP_MATRIX + 16].reshape(4, 4)
        depth = point @ matrix[3, :3] + matrix[3, 3]
        shifted = point + normal * (offset * np.maximum(depth, 0))[..., None]
        clip = shifted @ matrix[:, :3].T + matrix[:, 3]
        across = clip[..., 0] / np.maximum(clip[..., 3], 1e-6)
        up = clip[..., 1] / np.maximum(clip[..., 3], 1e-6)
        first = np.zeros(np.shape(depth), np.int64)
    else:
        shifted = point + normal * (offset * face_of(point - position)[3])[..., None]
        face, across, up, _ = face_of(shifted - position)
        across, up = across / face_slope(side), up / face_slope(side)
        first = face * side
    from_lamp = shifted - position
    distance = np.minimum(np.sqrt(dot(from_lamp, from_lamp)) / lamp[at.LAMP_RANGE], 1)
    return lit_share(shadow_map, (across * 0.5 + 0.5) * side, (up * 0.5 + 0.5) * side, distance, first, side)
