"""Kernels of the software backend that several effects use: sampling, decoding, encoding, blurring.

Images are float32 (h, w, 4), linear and premultiplied, top row first. Eight-bit images are uint8 (h, w, 4); their
rows need not be contiguous.
"""

from __future__ import annotations

import numpy as np

from rish_jit import njit

_unit24 = np.float32(1 / 16777216)
_1, _2, _3 = np.uint64(1), np.uint64(2), np.uint64(3)


@njit(inline="always")
def spot(x, size):
    """Return the two texels to interpolate between, and the fraction from the first; clamped to the edge.

    x: position in texels from the edge. The indices are unsigned, so that numba adds no check for negative ones.
    """
    x = min(max(x - np.float32(0.5), np.float32(0)), np.float32(size - 1))
    first = np.uint64(x)
    return first, min(first + np.uint64(1), np.uint64(size - 1)), x - np.float32(first)


@njit
def sample(picture, at, out):
    """Set `out[y, x]` to the image at `at[y, x]`, 0..1 from the bottom left corner, bilinear."""
    height, width = picture.shape[0], picture.shape[1]
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            x0, x1, fx = spot(at[y, x, 0] * np.float32(width), width)
            y0, y1, fy = spot((np.float32(1) - at[y, x, 1]) * np.float32(height), height)
            for c in range(4):
                upper = picture[y0, x0, c] + (picture[y0, x1, c] - picture[y0, x0, c]) * fx
                lower = picture[y1, x0, c] + (picture[y1, x1, c] - picture[y1, x0, c]) * fx
                out[y, x, c] = upper + (lower - upper) * fy


@njit
def decode_rows(picture, table, out):
    """Convert rows of sRGB bytes to linear light; alpha is 1."""
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            out[y, x, 0] = table[picture[y, x, 0]]
            out[y, x, 1] = table[picture[y, x, 1]]
            out[y, x, 2] = table[picture[y, x, 2]]
            out[y, x, 3] = np.float32(1)


@njit
def places_of(row, steps, maximum, places):
    """Compute for each linear value the nearest index of a table with even steps of its square root; NaN gives 0."""
    for i in range(places.size):
        light = row[i]
        light = light if light > np.float32(0) else np.float32(0)
        light = light if light < maximum else maximum
        places[i] = np.int32(np.sqrt(light) * steps + np.float32(0.5))


@njit
def encode_rows(colors, table, top, dither, out):
    """Encode rows of linear light to opaque eight-bit rows.

    top: the index of the first row. dither: amplitude of the noise, levels.

    table: float32, levels at even steps of the square root of light.
    """
    width, steps = out.shape[1], np.float32(len(table) - 1)
    places = np.empty(4 * width, np.int32)
    for y in range(out.shape[0]):
        places_of(colors[y].reshape(-1), steps, np.float32(1), places)
        row = out[y]
        if dither > np.float32(0):
            for x in range(width):
                scatter = (random(x, top + y, np.int64(0)) - np.float32(0.5)) * dither + np.float32(0.5)
                for c in range(3):
                    level = table[places[4 * x + c]] + scatter
                    row[x, c] = np.uint8(min(max(level, np.float32(0)), np.float32(255)))
        else:
            for x in range(width):
                row[x, 0] = np.uint8(table[places[4 * x]] + np.float32(0.5))
                row[x, 1] = np.uint8(table[places[4 * x + 1]] + np.float32(0.5))
                row[x, 2] = np.uint8(table[places[4 * x + 2]] + np.float32(0.5))
        for x in range(width):
            row[x, 3] = np.uint8(255)


@njit(inline="always")
def mixed(h):
    """Return a hash of 32 bits ("lowbias32" by Chris Wellons)."""
    h = np.uint32(h)
    h ^= h >> np.uint32(16)
    h = np.uint32(h * np.uint32(0x7FEB352D))
    h ^= h >> np.uint32(15)
    h = np.uint32(h * np.uint32(0x846CA68B))
    return np.uint32(h ^ (h >> np.uint32(16)))


@njit
def random(x, y, z):
    """Return a random number from 0 to below 1 for each integer cell (x, y, z)."""
    h = mixed(np.uint32(z & 0xFFFFFFFF))
    h = mixed(np.uint32((np.uint32(y & 0xFFFFFFFF) + h) & np.uint32(0xFFFFFFFF)))
    h = mixed(np.uint32((np.uint32(x & 0xFFFFFFFF) + h) & np.uint32(0xFFFFFFFF)))
    return np.float32(h >> np.uint32(8)) * _unit24


@njit
def noise(x, y, seed):
    """Return value noise from 0 to 1 that is smooth between integers (fifth-order curve of Perlin's improved noise)."""
    low_x, low_y = np.floor(x), np.floor(y)
    fx, fy = x - low_x, y - low_y
    fx = fx * fx * fx * (fx * (fx * np.float32(6) - np.float32(15)) + np.float32(10))
    fy = fy * fy * fy * (fy * (fy * np.float32(6) - np.float32(15)) + np.float32(10))
    cx, cy = np.int64(low_x), np.int64(low_y)
    lower = random(cx, cy, seed) + (random(cx + 1, cy, seed) - random(cx, cy, seed)) * fx
    upper = random(cx, cy + 1, seed) + (random(cx + 1, cy + 1, seed) - random(cx, cy + 1, seed)) * fx
    return lower + (upper - lower) * fy


@njit(inline="always")
def smoothstep(low, high, x):
    """Return the same as `smoothstep` of GLSL."""
    t = min(max((x - low) / (high - low), np.float32(0)), np.float32(1))
    return t * t * (np.float32(3) - np.float32(2) * t)


@njit
def resample(picture, top, height, out):
    """Fill rows with an image resized to another size, bilinear. top: the first row; height: of the complete result."""
    high, wide, width = picture.shape[0], picture.shape[1], out.shape[1]
    line = np.empty(wide * 4, np.float32)
    first, second, share = np.empty(width, np.uint64), np.empty(width, np.uint64), np.empty(width, np.float32)
    for x in range(width):
        a, b, share[x] = spot(np.float32((x + 0.5) * wide / width), wide)
        first[x], second[x] = np.uint64(4) * a, np.uint64(4) * b
    for y in range(out.shape[0]):
        y0, y1, fy = spot(np.float32((top + y + 0.5) * high / height), high)
        upper, lower = picture[y0].reshape(-1), picture[y1].reshape(-1)
        for i in range(wide * 4):
            line[i] = upper[i] + (lower[i] - upper[i]) * fy
        row = out[y]
        for x in range(width):
            a, b, f = first[x], second[x], share[x]
            row[x, 0] = line[a] + (line[b] - line[a]) * f
            row[x, 1] = line[a + _1] + (line[b + _1] - line[a + _1]) * f
            row[x, 2] = line[a + _2] + (line[b + _2] - line[a + _2]) * f
            row[x, 3] = line[a + _3] + (line[b + _3] - line[a + _3]) * f


@njit
def soften_across(picture, top, weights, out):
    """Blur rows of an image in x. weights[k]: of the two neighbors at the distance k."""
    width, reach = out.shape[1], len(weights) - 1
    line = np.empty((width + 2 * reach) * 4, np.float32)
    for y in range(out.shape[0]):
        row, total = picture[top + y].reshape(-1), out[y].reshape(-1)
        for x in range(reach):
            for c in range(4):
                line[4 * x + c] = row[c]
                line[4 * (width + reach + x) + c] = row[4 * (width - 1) + c]
        line[4 * reach : 4 * (reach + width)] = row
        weight = weights[0]
        for i in range(width * 4):
            total[i] = row[i] * weight
        for k in range(1, reach + 1):
            weight = weights[k]
            left, right = line[4 * (reach - k) :], line[4 * (reach + k) :]
            for i in range(width * 4):
                total[i] += (left[i] + right[i]) * weight


@njit
def soften_upright(picture, top, weights, out):
    """Blur rows of an image in y. weights[k]: of the two neighbors at the distance k."""
    width, last = out.shape[1], picture.shape[0] - 1
    for y in range(out.shape[0]):
        row, total = picture[top + y].reshape(-1), out[y].reshape(-1)
        weight = weights[0]
        for i in range(width * 4):
            total[i] = row[i] * weight
        for k in range(1, len(weights)):
            weight = weights[k]
            above, below = picture[max(top + y - k, 0)].reshape(-1), picture[min(top + y + k, last)].reshape(-1)
            for i in range(width * 4):
                total[i] += (above[i] + below[i]) * weight
