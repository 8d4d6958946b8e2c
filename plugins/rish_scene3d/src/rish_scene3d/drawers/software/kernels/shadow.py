"""Looks pixels of a block up in shadow maps; the formulas are those of `light.shadowing`.

A row of `shades` int64 (3) is the address of a map, float32 (height, width) with the top row first, its height and its
width.
"""

from __future__ import annotations

import numpy as np

from rish_jit import array_at, njit, simd
from rish_jit.simd import bits, floor, gather4, load, maximum, minimum, select, splat, sqrt, store, store_whole

from ....layout import (
    LAMP_ANGLE,
    LAMP_BIAS,
    LAMP_MATRIX,
    LAMP_PLACE,
    LAMP_RANGE,
    LAMP_SIZE,
    LAMP_TEXEL,
    SUN_BIAS,
    SUN_CASCADES,
    SUN_FADE,
    SUN_FAR,
    SUN_MATRICES,
    SUN_SIZE,
    SUN_TEXELS,
)  # fmt: skip
from ....light.shadowing import FACE_MARGIN
from . import slots as at

F = np.float32
ALL = (1 << simd.LANES) - 1


@njit(borrows=True, forceinline=True)
def _weight(part, step):
    """Return the weight of the texel before (-1), at (0) or behind (1) a place; part: where in its texel it is."""
    if step == 0:
        return F(0.5) + part * (F(1) - part)
    far = part if step > 0 else F(1) - part
    return F(0.5) * far * far


@njit(borrows=True)
def _lit_lane(texels, high, wide, s, k, side, q):
    """Return the share of light of one pixel near the edge of a square: its numbers are in slots, see `_lit`."""
    x, y = s[at.TEMP[0] + k], s[at.TEMP[1] + k]
    depth, first = s[at.TEMP[2] + k], np.int64(s[at.TEMP[3] + k])
    column, row = np.int64(q[at.X1 + k]), np.int64(q[at.Y1 + k])
    x, y = x - F(column), y - F(row)
    total = F(0)
    for dy in range(-1, 2):
        line = (high - 1 - min(max(row + dy, 0), side - 1)) * wide
        for dx in range(-1, 2):
            if depth <= texels[line + first + min(max(column + dx, 0), side - 1)]:
                total += _weight(x, dx) * _weight(y, dy)
    return total


@njit(borrows=True)
def lit(shade, x, y, depth, first, side, s, q, i):
    """Return the share of light of eight pixels: nine texels are compared and weighted.

    x, y: texels from the left bottom of a square of `side` texels that begins at the column `first`, a vector.
    """
    high, wide = shade[1], shade[2]
    texels = array_at(shade[0], high * wide, np.float32)
    zero, one, half, width = splat(F(0)), splat(F(1)), splat(F(0.5)), splat(F(side))
    x, y = minimum(maximum(x, zero), width), minimum(maximum(y, zero), width)
    column, row = minimum(floor(x), width - one), minimum(floor(y), width - one)
    store_whole(q, at.X1 + i, column)
    store_whole(q, at.Y1 + i, row)
    store_whole(q, at.Y0 + i, first)
    inner = (column >= one) & (column < width - one - one) & (row >= one) & (row < width - one)
    if bits(inner) != ALL:
        store(s, at.TEMP[0] + i, x)
        store(s, at.TEMP[1] + i, y)
        store(s, at.TEMP[2] + i, depth)
        store(s, at.TEMP[3] + i, first)
        for k in range(i, i + simd.LANES):
            s[at.LOD + k] = _lit_lane(texels, high, wide, s, k, side, q)
        return load(s, at.LOD + i)
    for k in range(i, i + simd.LANES):
        line = (np.int32(high) - np.int32(2) - q[at.Y1 + k]) * np.int32(wide)
        q[at.X0 + k] = line + q[at.Y0 + k] + q[at.X1 + k] - np.int32(1)  # the texel left above
    fx, fy = x - column, y - row
    a, b, c = half * (one - fx) * (one - fx), half + fx * (one - fx), half * fx * fx
    up, down = half * fy * fy, half * (one - fy) * (one - fy)
    t, p = texels, at.X0 + i
    d, e, f = gather4(t, 1, 0, q, p), gather4(t, 1, wide, q, p), gather4(t, 1, 2 * wide, q, p)  # the fourth is not used
    total = select(depth <= d[0], a, zero) + select(depth <= d[1], b, zero) + select(depth <= d[2], c, zero)
    middle = select(depth <= e[0], a, zero) + select(depth <= e[1], b, zero) + select(depth <= e[2], c, zero)
    bottom = select(depth <= f[0], a, zero) + select(depth <= f[1], b, zero) + select(depth <= f[2], c, zero)
    return total * up + middle * (half + fy * (one - fy)) + bottom * down


@njit(borrows=True)
def sun_share(sun, shade, s, q, i):
    """Return the share of a sun's light that arrives at eight pixels."""
    count, side = np.int64(sun[SUN_CASCADES]), np.int64(sun[SUN_SIZE])
    x, y, z = load(s, at.WX + i), load(s, at.WY + i), load(s, at.WZ + i)
    nx, ny, nz = load(s, at.NX + i), load(s, at.NY + i), load(s, at.NZ + i)
    depth, last = load(s, at.DEPTH + i), sun[SUN_FAR + count - 1]
    u = v = w = first = splat(F(0))
    passed = depth > splat(F(-1e30))
    for c in range(count):
        here = passed
        if c < count - 1:
            passed = depth > splat(sun[SUN_FAR + c])
        if bits(here) == 0:
            break
        shift = splat(sun[SUN_BIAS] * sun[SUN_TEXELS + c])
        px, py, pz = x + nx * shift, y + ny * shift, z + nz * shift
        m = sun[SUN_MATRICES + 12 * c :]
        u = select(here, splat(m[0]) * px + splat(m[1]) * py + splat(m[2]) * pz + splat(m[3]), u)
        v = select(here, splat(m[4]) * px + splat(m[5]) * py + splat(m[6]) * pz + splat(m[7]), v)
        w = select(here, splat(m[8]) * px + splat(m[9]) * py + splat(m[10]) * pz + splat(m[11]), w)
        first = select(here, splat(F(c * side)), first)
    one, width = splat(F(1)), splat(F(side))
    share = lit(shade, u * width, v * width, minimum(w, one), first, side, s, q, i)
    strength = (splat(last) - depth) / splat(max(sun[SUN_FADE] * last, F(1e-6)))
    return one - minimum(maximum(strength, splat(F(0))), one) * (one - share)


@njit(borrows=True, forceinline=True)
def _face(x, y, z):
    """Return the number of a cube's face in each direction, the place on it, and the depth."""
    zero = splat(F(0))
    ax, ay, az = maximum(x, -x), maximum(y, -y), maximum(z, -z)
    on_x, y_first = (ax >= ay) & (ax >= az), ay >= az
    depth = maximum(select(on_x, ax, select(y_first, ay, az)), splat(F(1e-12)))
    face_x = select(x >= zero, zero, splat(F(1)))
    face_y = select(y >= zero, splat(F(2)), splat(F(3)))
    face_z = select(z >= zero, splat(F(4)), splat(F(5)))
    face = select(on_x, face_x, select(y_first, face_y, face_z))
    right = select(on_x, select(x >= zero, z, -z), select(y_first, x, select(z >= zero, -x, x)))
    up = select(on_x, y, select(y_first, select(y >= zero, z, -z), y))
    return face, right / depth, up / depth, depth


@njit(borrows=True)
def lamp_share(lamp, shade, s, q, i):
    """Return the share of a lamp's light that arrives at eight pixels."""
    side, offset = np.int64(lamp[LAMP_SIZE]), splat(lamp[LAMP_BIAS] * lamp[LAMP_TEXEL])
    x, y, z = load(s, at.WX + i), load(s, at.WY + i), load(s, at.WZ + i)
    nx, ny, nz = load(s, at.NX + i), load(s, at.NY + i), load(s, at.NZ + i)
    lx, ly, lz = splat(lamp[LAMP_PLACE]), splat(lamp[LAMP_PLACE + 1]), splat(lamp[LAMP_PLACE + 2])
    first = splat(F(0))
    if lamp[LAMP_ANGLE] > F(-1):
        m = lamp[LAMP_MATRIX:]
        depth = splat(m[12]) * x + splat(m[13]) * y + splat(m[14]) * z + splat(m[15])
        offset = offset * maximum(depth, first)
        x, y, z = x + nx * offset, y + ny * offset, z + nz * offset
        w = splat(m[12]) * x + splat(m[13]) * y + splat(m[14]) * z + splat(m[15])
        w = splat(F(1)) / maximum(w, splat(F(1e-6)))
        across = (splat(m[0]) * x + splat(m[1]) * y + splat(m[2]) * z + splat(m[3])) * w
        up = (splat(m[4]) * x + splat(m[5]) * y + splat(m[6]) * z + splat(m[7])) * w
    else:
        offset = offset * _face(x - lx, y - ly, z - lz)[3]
        x, y, z = x + nx * offset, y + ny * offset, z + nz * offset
        face, across, up, _ = _face(x - lx, y - ly, z - lz)
        slope = splat(F(side - 2 * FACE_MARGIN) / F(side))
        across, up, first = across * slope, up * slope, face * splat(F(side))
    x, y, z = x - lx, y - ly, z - lz
    distance = minimum(sqrt(x * x + y * y + z * z) * splat(F(1) / lamp[LAMP_RANGE]), splat(F(1)))
    half, width = splat(F(0.5)), splat(F(side))
    return lit(shade, (across * half + half) * width, (up * half + half) * width, distance, first, side, s, q, i)
