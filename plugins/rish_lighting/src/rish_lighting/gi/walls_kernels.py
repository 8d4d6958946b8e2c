"""Kernels that rasterize walls to texels, and compute the light of solid texels."""

from __future__ import annotations

import numpy as np

from rish_jit import njit

from ..post.kernels import spot

F = np.float32


@njit
def rasterize(edges, closed, out):
    """Set the texels inside closed outlines, and those that any edge touches.

    edges: float64 4·n, in texels. closed: bool n, edges of outlines whose inside is on the left. out: uint8 (h, w).
    """
    high, wide = out.shape
    turns = np.zeros((high, wide + 1), np.int32)
    for e in range(closed.size):
        x0, y0, x1, y1 = edges[4 * e], edges[4 * e + 1], edges[4 * e + 2], edges[4 * e + 3]
        if max(y0, y1) < 0.0 or min(y0, y1) > high or min(x0, x1) > wide:
            continue
        if closed[e] and y0 != y1:
            begin = max(int(np.ceil(max(min(y0, y1) - 0.5, 0.0))), 0)
            end = min(int(np.ceil(min(max(y0, y1) - 0.5, float(high)))), high)
            for row in range(begin, end):
                x = x0 + (row + 0.5 - y0) * ((x1 - x0) / (y1 - y0))
                column = int(np.ceil(min(max(x - 0.5, 0.0), float(wide))))
                turns[row, column] += 1 if y1 < y0 else -1
        if max(x0, x1) >= 0.0:
            _line(x0, y0, x1, y1, out)
    for row in range(high):
        inside = 0
        for column in range(wide):
            inside += turns[row, column]
            if inside > 0:
                out[row, column] = 1


@njit
def _line(x0, y0, x1, y1, out):
    """Set the texels that a line touches: in each row all texels between the line's entry and exit."""
    high, wide = out.shape
    if y0 > y1:
        x0, y0, x1, y1 = x1, y1, x0, y0
    first, last = max(int(np.floor(max(y0, 0.0))), 0), min(int(np.floor(min(y1, float(high)))), high - 1)
    for row in range(first, last + 1):
        low, top = max(float(row), y0), min(row + 1.0, y1)
        slope = (x1 - x0) / (y1 - y0) if y1 > y0 else 0.0
        a, b = (x0 + (low - y0) * slope, x0 + (top - y0) * slope) if y1 > y0 else (x0, x1)
        begin, end = int(np.floor(max(min(a, b), 0.0))), int(np.floor(min(max(a, b), float(wide))))
        for column in range(max(begin, 0), min(end, wide - 1) + 1):
            out[row, column] = 1


@njit
def shrink(emission, decode_table, factor, out):
    """Downsample emission to texels: a texel emits light and is solid if at least a quarter of it is covered.

    emission: uint8 (H, W, 4), premultiplied. out: float32 (h, w, 4), the color that a texel emits, and alpha 1 for
    solid ones. Both have their top row first; texels are counted from the bottom, as on a graphics card.
    """
    high, wide = out.shape[0], out.shape[1]
    tall, broad = emission.shape[0], emission.shape[1]
    for j in range(high):
        top, end = tall - (j + 1) * tall // high, tall - j * tall // high
        for i in range(wide):
            left, right = i * broad // wide, (i + 1) * broad // wide
            red = green = blue = cover = F(0)
            count = 0
            for y in range(top, end):
                for x in range(left, right):
                    alpha = F(emission[y, x, 3])
                    count += 1
                    if alpha > F(0):
                        cover += alpha
                        share = F(255) / alpha
                        red += decode_table[int(min(F(emission[y, x, 0]) * share, F(255)))] * alpha
                        green += decode_table[int(min(F(emission[y, x, 1]) * share, F(255)))] * alpha
                        blue += decode_table[int(min(F(emission[y, x, 2]) * share, F(255)))] * alpha
            if cover > F(63) * F(count) and red + green + blue > F(0):
                texel = out[high - 1 - j, i]
                texel[0], texel[1], texel[2] = red / cover * factor, green / cover * factor, blue / cover * factor
                texel[3] = F(1)


@njit
def fill(solid, light, reach, out):
    """Copy `light` to `out` and fill in the solid texels.

    A solid texel has the mean light of the free texels within `reach`, weighted by 1/distance², and faded with its
    depth in the wall.
    """
    high, wide = solid.shape
    for j in range(high):
        for i in range(wide):
            if not solid[j, i]:
                out[j, i] = light[j, i]
                continue
            total, nearest = F(0), reach * reach + 1
            out[j, i] = F(0)
            for b in range(max(j - reach, 0), min(j + reach + 1, high)):
                for a in range(max(i - reach, 0), min(i + reach + 1, wide)):
                    far = (a - i) * (a - i) + (b - j) * (b - j)
                    if not solid[b, a] and far <= reach * reach:
                        share = F(1) / F(far * far)
                        for c in range(3):
                            out[j, i, c] += light[b, a, c] * share
                        total += share
                        nearest = min(nearest, far)
            if total > F(0):
                fade = F(1) - (np.sqrt(F(nearest)) - F(1)) / F(reach)
                for c in range(3):
                    out[j, i, c] *= fade / total


@njit
def add(light, strength, out, left, top, broad, tall):
    """Add light, bottom row first, to a part of a larger target, top row first, with bilinear interpolation.

    light: float32 (h, w, 3). out: float32 (H, W, 4). left, top, broad, tall: position and size of the part, pixels.
    """
    high, wide = light.shape[0], light.shape[1]
    for y in range(tall):
        j0, j1, t = spot((F(tall - 1 - y) + F(0.5)) * F(high) / F(tall), high)
        for x in range(broad):
            i0, i1, s = spot((F(x) + F(0.5)) * F(wide) / F(broad), wide)
            for c in range(3):
                below = light[j0, i0, c] + (light[j0, i1, c] - light[j0, i0, c]) * s
                above = light[j1, i0, c] + (light[j1, i1, c] - light[j1, i0, c]) * s
                out[top + y, left + x, c] += (below + (above - below) * t) * strength
