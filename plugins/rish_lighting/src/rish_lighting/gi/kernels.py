"""The kernels of radiance cascades (Sannikov 2023), with the bilinear fix; `glsl/cascade.frag` says the same.

The first cascade has a probe in each texel, the second one every four, and from there the distance doubles; each looks
in four times as many directions as the one before. A ray covers the stretch from tₙ to tₙ₊₁, four times as long as that
of the cascade before. What it finds is merged, from the widest cascade down, with what the four probes around it in the
next cascade see beyond. Plain mixing of these would see through walls and around corners; so a ray is sent to each of
the four, from where the stretch of the one begins to where that of the other does (the bilinear fix). Every path of
light is then an unbroken line: nothing leaks.
"""

from __future__ import annotations

import numpy as np

from rish_core.jit import njit

from .trace import march

F = np.float32


@njit
def merge(solid, emission, albedo, thrown, spacing, ratio, begin, end, circle, upper, last, out):
    """Fill a cascade.

    solid: uint8 (h, w). emission, albedo, thrown: float32 (h, w, 3), the last what falls on a wall beside each free
    texel. spacing: texels between its probes; ratio: how many of these lie between those of the next. begin, end:
    texels, its stretch. circle: float32 (d, 2), its directions. upper: float32 (H, W, 4·d, 3), the next cascade; last:
    there is none. out: float32 (h', w', d, 3).
    """
    hit, light = np.zeros(4, np.int64), np.zeros(3, np.float32)
    rows, columns, count = out.shape[0], out.shape[1], out.shape[2]
    for row in range(rows):
        y = (F(row) + F(0.5)) * spacing
        v = (F(row) + F(0.5)) / ratio - F(0.5)
        j0 = int(np.floor(v))
        fy = v - F(j0)
        for column in range(columns):
            x = (F(column) + F(0.5)) * spacing
            u = (F(column) + F(0.5)) / ratio - F(0.5)
            i0 = int(np.floor(u))
            fx = u - F(i0)
            for d in range(count):
                dx, dy = circle[d, 0], circle[d, 1]
                from_x, from_y = x + dx * begin, y + dy * begin
                light[0] = light[1] = light[2] = F(0)
                if last:
                    if march(solid, from_x, from_y, x + dx * end, y + dy * end, hit):
                        _met(emission, albedo, thrown, hit, F(1), light)
                else:
                    for corner in range(4):
                        right, above = corner % 2, corner // 2
                        share = (fx if right else F(1) - fx) * (fy if above else F(1) - fy)
                        i = min(max(i0 + right, 0), upper.shape[1] - 1)
                        j = min(max(j0 + above, 0), upper.shape[0] - 1)
                        to_x = (F(i) + F(0.5)) * spacing * ratio + dx * end
                        to_y = (F(j) + F(0.5)) * spacing * ratio + dy * end
                        if march(solid, from_x, from_y, to_x, to_y, hit):
                            _met(emission, albedo, thrown, hit, share, light)
                        else:
                            quarter = share * F(0.25)
                            for k in range(4 * d, 4 * d + 4):
                                light[0] += upper[j, i, k, 0] * quarter
                                light[1] += upper[j, i, k, 1] * quarter
                                light[2] += upper[j, i, k, 2] * quarter
                out[row, column, d, 0], out[row, column, d, 1], out[row, column, d, 2] = light[0], light[1], light[2]


@njit
def _met(emission, albedo, thrown, hit, share, light):
    """Add what comes from something solid."""
    i, j, near_i, near_j = hit[0], hit[1], hit[2], hit[3]
    beside = 0 <= near_i < thrown.shape[1] and 0 <= near_j < thrown.shape[0]
    for c in range(3):
        light[c] += emission[j, i, c] * share
        if beside:
            light[c] += albedo[j, i, c] * thrown[near_j, near_i, c] * share


@njit
def gather(solid, cascade, circle, out, thrown):
    """What each free texel gets, and what falls on the walls beside it.

    cascade: float32 (h, w, d, 3), the first one. out: float32 (h, w, 3), the mean over all directions. thrown: float32
    (h, w, 3), the light by the cosine to the normal of what is solid around; 0 where nothing is.
    """
    count = circle.shape[0]
    facing = np.zeros(count, np.float32)
    for j in range(solid.shape[0]):
        for i in range(solid.shape[1]):
            for c in range(3):
                out[j, i, c] = thrown[j, i, c] = F(0)
            if solid[j, i]:
                continue
            beside = _facing(solid, i, j, circle, facing)
            for d in range(count):
                for c in range(3):
                    out[j, i, c] += cascade[j, i, d, c] / F(count)
                    if beside:
                        thrown[j, i, c] += cascade[j, i, d, c] * facing[d]


@njit
def _facing(solid, i, j, circle, facing):
    """The share of each direction in what falls on a wall beside a texel; whether there is one."""
    high, wide = solid.shape
    nx = ny = F(0)
    for b in range(max(j - 1, 0), min(j + 2, high)):
        for a in range(max(i - 1, 0), min(i + 2, wide)):
            if solid[b, a]:
                nx -= F(a - i)
                ny -= F(b - j)
    if nx == F(0) and ny == F(0):
        return False
    total = F(0)
    for d in range(facing.size):
        facing[d] = max(nx * circle[d, 0] + ny * circle[d, 1], F(0))
        total += facing[d]
    for d in range(facing.size):
        facing[d] /= total
    return True
