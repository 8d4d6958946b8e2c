"""Reads textures for the pixels of a block: four texels of one level, mixed.

A row of `maps` int64 (COLUMNS) describes one texture of a material: CLASS is its row in `levels`, -1 for none; LAYER
its number there; WRAP_U, WRAP_V as in the layout; SET the texture coordinates; WIDE, HIGH the size of the first level,
LAST the number of the last level. `levels` int64 (k, LEVELS) are the addresses of the levels' texels, uint8 (layers,
height, width, 4), top row first.
"""

from __future__ import annotations

import numpy as np

from rish_jit import array_at, instructions, njit, simd
from rish_jit.simd import floor, gather4, load, maximum, minimum, pick, select, splat, store, store_whole

from ....layout import MAP_MATRIX, WRAP_CLAMP
from . import slots as at

F = np.float32
LANES = simd.LANES
CLASS, LAYER, WRAP_U, WRAP_V, SET, WIDE, HIGH, LAST = range(8)
LEVELS = 16


@instructions
def mix_texels(builder, ir, texels, a, b, c, d, x, y, out, at):
    """Write the mean of four texels of a flat uint32 array, at these places, as four numbers from out[at] on.

    x, y: float32, the weights of b and d against a and c, and of c and d against a and b.
    """
    bytes4, floats4 = ir.VectorType(ir.IntType(8), 4), ir.VectorType(ir.FloatType(), 4)
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), 4), [0] * 4)

    def texel(index):
        word = builder.load(builder.gep(texels, [index]), align=4)
        return builder.uitofp(builder.bitcast(word, bytes4), floats4)

    def mixed(low, high, part):
        whole = builder.insert_element(ir.Constant(floats4, ir.Undefined), part, ir.Constant(ir.IntType(32), 0))
        part4 = builder.shuffle_vector(whole, whole, zeros)
        return builder.fadd(low, builder.fmul(builder.fsub(high, low), part4))

    value = mixed(mixed(texel(a), texel(b), x), mixed(texel(c), texel(d), x), y)
    place = builder.bitcast(builder.gep(out, [at]), floats4.as_pointer())
    builder.store(value, place, align=4)


@mix_texels.plain
def _mix_texels(texels, a, b, c, d, x, y, out, at):
    four = [np.array([texels[i] >> (8 * k) & 255 for k in range(4)], np.float32) for i in (a, b, c, d)]
    above, below = four[0] + (four[1] - four[0]) * x, four[2] + (four[3] - four[2]) * x
    out[at : at + 4] = above + (below - above) * y


@njit(borrows=True, forceinline=True)
def _wrapped(i, side, mode):
    """Return whole numbers of texels, wrapped into 0..side - 1."""
    if mode == WRAP_CLAMP:
        return minimum(maximum(i, splat(F(0))), side - splat(F(1)))
    period = side * splat(F(1 + mode))
    i = i - period * floor(i / period)
    return select(i < side, i, period - splat(F(1)) - i)


@njit(borrows=True)
def _levels(wide, high, last, n, s, bits, q):
    """Fill the slot LEVEL from the slopes in TEMP; bits: `s` as int32."""
    w, h = splat(F(wide)), splat(F(high))
    for i in range(0, n, LANES):
        ax, bx = load(s, at.TEMP[0] + i) * w, load(s, at.TEMP[1] + i) * h
        ay, by = load(s, at.TEMP[2] + i) * w, load(s, at.TEMP[3] + i) * h
        most = maximum(ax * ax + bx * bx, ay * ay + by * by)
        store(s, at.LOD + i, minimum(maximum(most, splat(F(1e-20))), splat(F(1e20))))
    for i in range(n):  # round(log2(√lod)) from the exponent of the number
        q[at.LEVEL + i] = min(
            max((bits[at.LOD + i] - np.int32(126 << 23)) >> np.int32(24), np.int32(0)), np.int32(last)
        )


@njit(borrows=True)
def read_map(entry, numbers, levels, halves, n, s, bits, q):
    """Fill the rows of TEXEL with the values, 0 to 255, of a texture.

    entry: a row of `maps`. numbers: the material's row from the texture's first column on. halves: float32 (LEVELS), 1,
    1/2, 1/4...
    """
    first = at.U1 if entry[SET] else at.U0
    m = numbers[MAP_MATRIX:]
    wide, high = entry[WIDE], entry[HIGH]
    for i in range(0, n, LANES):
        a, b, c = splat(m[0]), splat(m[1]), splat(m[2])
        d, e, f = splat(m[3]), splat(m[4]), splat(m[5])
        u, v = load(s, first + i), load(s, first + at.BLOCK + i)
        store(s, at.MU + i, a * u + b * v + c)
        store(s, at.MV + i, d * u + e * v + f)
        u, v = load(s, first + 2 * at.BLOCK + i), load(s, first + 3 * at.BLOCK + i)
        store(s, at.TEMP[0] + i, a * u + b * v)
        store(s, at.TEMP[1] + i, d * u + e * v)
        u, v = load(s, first + 4 * at.BLOCK + i), load(s, first + 5 * at.BLOCK + i)
        store(s, at.TEMP[2] + i, a * u + b * v)
        store(s, at.TEMP[3] + i, d * u + e * v)
    _levels(wide, high, entry[LAST], n, s, bits, q)
    for i in range(0, n, LANES):
        half = pick(halves, 1, 0, q, at.LEVEL + i)
        w, h = maximum(splat(F(wide)) * half, splat(F(1))), maximum(splat(F(high)) * half, splat(F(1)))
        u, v = load(s, at.MU + i) * w - splat(F(0.5)), load(s, at.MV + i) * h - splat(F(0.5))
        left, top = floor(u), floor(v)
        store(s, at.FX + i, u - left)
        store(s, at.FY + i, v - top)
        store_whole(q, at.X0 + i, _wrapped(left, w, entry[WRAP_U]))
        store_whole(q, at.X1 + i, _wrapped(left + splat(F(1)), w, entry[WRAP_U]))
        store_whole(q, at.Y0 + i, _wrapped(top, h, entry[WRAP_V]))
        store_whole(q, at.Y1 + i, _wrapped(top + splat(F(1)), h, entry[WRAP_V]))
    for i in range(n):
        level = np.int64(q[at.LEVEL + i])
        w, h = max(wide >> level, 1), max(high >> level, 1)
        texels = array_at(levels[entry[CLASS], level] + 4 * w * h * entry[LAYER], w * h, np.uint32)
        x0, x1 = np.int64(q[at.X0 + i]), np.int64(q[at.X1 + i])
        above, below = np.int64(q[at.Y0 + i]) * w, np.int64(q[at.Y1 + i]) * w
        mix_texels(
            texels, above + x0, above + x1, below + x0, below + x1, s[at.FX + i], s[at.FY + i], s, at.TEXEL + 4 * i
        )  # fmt: skip


@njit(borrows=True, forceinline=True)
def texels_of(s, q, i):
    """Return what `read_map` read for eight pixels: four vectors."""
    return gather4(s, 4, at.TEXEL, q, at.EACH + i)


@njit(borrows=True, forceinline=True)
def decoded(level, table, q, i):
    """Return the linear light of encoded values, 0 to 255; table: float32 (257)."""
    store_whole(q, at.X0 + i, level)
    here, there = pick(table, 1, 0, q, at.X0 + i), pick(table, 1, 1, q, at.X0 + i)
    return here + (there - here) * (level - floor(level))
