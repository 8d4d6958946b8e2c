"""Draws lines in space, and develops pictures in linear light."""

from __future__ import annotations

import numpy as np

from rish_jit import njit, simd
from rish_jit.simd import floor, gather4, maximum, minimum, pick, select, splat, sqrt, store, store_whole

from . import slots as at

LANES = simd.LANES
F = np.float32
ZERO, HALF, ONE = F(0), F(0.5), F(1)
STEPS = 1024
"""Steps of the table that encodes; see `encode_table`."""
RANKS = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.float32)
"""The order in which the pixels of a square of 4 times 4 get the next level, rows from the bottom, so that slow changes
of light show no bands. Source: Bayer 1973."""


def encode_table():
    """Return float32 (STEPS + 2): the encoded level, 0 to 255, of linear light, in equal steps of its square root.

    Over the square root the curve has no steep part.
    """
    light = (np.minimum(np.arange(STEPS + 2), STEPS) / STEPS) ** 2
    encoded = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055)
    return (encoded * 255).astype(np.float32)


@njit(borrows=True)
def _develop(source, tone, exposure, table, n, s, q):
    """Fill the slots LR, LG, LB and BA with levels, premultiplied, and opacity, for pixels of a flat picture.

    The slot FIRST holds the numbers of the pixels.
    """
    zero, one = splat(ZERO), splat(ONE)
    for i in range(0, n, LANES):
        pixel = gather4(source, 4, 0, q, at.FIRST + i)
        alpha = minimum(maximum(pixel[3], zero), one)
        share = select(alpha > zero, splat(exposure) / alpha, zero)
        store(s, at.BA + i, alpha)
        for c in range(3):
            light = minimum(maximum(pixel[c], zero) * share, splat(F(1e6)))
            if tone == 1:
                light = light * splat(F(0.6))
                over = light * (splat(F(2.51)) * light + splat(F(0.03)))
                light = over / (light * (splat(F(2.43)) * light + splat(F(0.59))) + splat(F(0.14)))
            root = sqrt(minimum(light, one)) * splat(F(STEPS))
            store_whole(q, at.X0 + i, root)
            here, there = pick(table, 1, 0, q, at.X0 + i), pick(table, 1, 1, q, at.X0 + i)
            store(s, at.LR + c * at.BLOCK + i, (here + (there - here) * (root - floor(root))) * alpha)


@njit(borrows=True)
def develop_rows(box, shift, source, exposure, tone, table, out, s, q):
    """Draw a picture, tone mapped and encoded, over a box, int64 (4), of `out`, uint8 (h, w, 4).

    source: float32, flat, four numbers a pixel. shift: int64 (3): what to take from a column and a row of `out` for
    those of the source, and the width of the source. tone: 1 for ACES. s, q: see `slots`.
    """
    for y in range(box[1], box[3]):
        for left in range(box[0], box[2], at.BLOCK):
            count = min(box[2] - left, at.BLOCK)
            n = (count + LANES - 1) // LANES * LANES
            first = (y - shift[1]) * shift[2] + left - shift[0]
            for i in range(n):
                q[at.FIRST + i] = np.int32(first + min(i, count - 1))
            _develop(source, tone, exposure, table, n, s, q)
            ranks = RANKS[(out.shape[0] - 1 - y) & 3]
            for i in range(count):
                shown, rest = out[y, left + i], ONE - s[at.BA + i]
                half = HALF + (ranks[(left + i) & 3] - F(7.5)) * F(1 / 16) * s[at.BA + i]
                shown[0] = np.uint8(s[at.LR + i] + F(shown[0]) * rest + half)
                shown[1] = np.uint8(s[at.LG + i] + F(shown[1]) * rest + half)
                shown[2] = np.uint8(s[at.LB + i] + F(shown[2]) * rest + half)
                shown[3] = np.uint8(s[at.BA + i] * F(255) + F(shown[3]) * rest + HALF)


@njit(borrows=True)
def _along(value, slope, minimum, maximum, left, right):
    """Return the part of left..right in which value + slope·x is between two numbers."""
    if abs(slope) < F(1e-6):
        return (left, right) if minimum <= value <= maximum else (left, left)
    a, b = (minimum - value) / slope, (maximum - value) / slope
    low, high = min(a, b), max(a, b)
    low, high = min(max(low, F(left)), F(right)), min(max(high, F(left)), F(right))
    return np.int64(np.floor(low)), np.int64(np.ceil(high))


@njit(borrows=True)
def draw_lines(box, lines, colors, tested, depth, out):
    """Draw lines into a box of `out`, float32 (h, w, 4), blended, in order.

    lines: float32 (n, 7): x, y (pixels, row 0 on top) and depth of both ends, and the distance from the middle at which
    the coverage is 0. colors: float32 (n, 4), linear, straight. tested: only where nothing nearer is.
    """
    for k in range(lines.shape[0]):
        ax, ay, az = lines[k, 0], lines[k, 1], lines[k, 2]
        dx, dy, dz, covers = lines[k, 3] - ax, lines[k, 4] - ay, lines[k, 5] - az, lines[k, 6]
        length = np.sqrt(dx * dx + dy * dy)
        ux, uy = (dx / length, dy / length) if length > F(1e-6) else (ONE, ZERO)
        reach = covers + ONE
        top = max(np.int64(max(min(ay, ay + dy) - reach, F(box[1]))), box[1])
        bottom = min(np.int64(min(max(ay, ay + dy) + reach, F(box[3]))) + 1, box[3])
        for y in range(top, bottom):
            py = F(y) + HALF - ay
            across, along = -uy * (HALF - ax) + ux * py, ux * (HALF - ax) + uy * py
            left, right = _along(across, -uy, -covers, covers, box[0], box[2])
            left, right = _along(along, ux, -HALF, length + HALF, left, right)
            for x in range(left, right):
                away, part = across - uy * F(x), along + ux * F(x)
                if part < -HALF or part > length + HALF:
                    continue
                alpha = colors[k, 3] * min(max(covers - abs(away), ZERO), ONE)
                z = az + dz * min(max(part / max(length, F(1e-6)), ZERO), ONE)
                if alpha <= ZERO or (tested and not z < depth[y, x]):
                    continue
                shown, rest = out[y, x], ONE - alpha
                for c in range(3):
                    shown[c] = colors[k, c] * alpha + shown[c] * rest
                shown[3] = alpha + shown[3] * rest
