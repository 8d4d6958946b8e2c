"""Kernels that draw sheets with their light onto the frame; `glsl/lay.frag` has the same formulas.

Colors are decoded and encoded with tables and linear interpolation. DECODE has one entry for each level of sRGB. ENCODE
has one for each 1/1024 of the square root of linear light; as a function of the root the curve is nowhere steep, while
as a function of the light it is steep near 0.
"""

from __future__ import annotations

import numpy as np

from rish_jit import njit

from ...formulas import decode, encode
from ...post.kernels import spot

F = np.float32
STEPS = 1024
DECODE = decode(np.minimum(np.arange(258), 255) / 255).astype(np.float32)
ENCODE = (encode((np.minimum(np.arange(STEPS + 2), STEPS) / STEPS) ** 2) * 255).astype(np.float32)


@njit(inline="always")
def decoded(level, table):
    """Return the linear light of an encoded level, 0..255."""
    at = np.int64(level)
    return table[at] + (table[at + 1] - table[at]) * (level - F(at))


@njit(inline="always")
def encoded(linear, table):
    """Return the encoded level, 0..255, of linear light, which is clamped to 0..1."""
    root = np.sqrt(min(max(linear, F(0)), F(1))) * F(1024)
    at = np.int64(root)
    return table[at] + (table[at + 1] - table[at]) * (root - F(at))


@njit
def _spread(light, row, height, width, out):
    """Fill `out`, float32 3·width, with a row of light, interpolated bilinearly to a larger image."""
    high, wide = light.shape[0], light.shape[1]
    y0, y1, ty = spot((F(row) + F(0.5)) * F(high) / F(height), high)
    for column in range(width):
        x0, x1, tx = spot((F(column) + F(0.5)) * F(wide) / F(width), wide)
        for c in range(3):
            above = light[y0, x0, c] + (light[y0, x1, c] - light[y0, x0, c]) * tx
            below = light[y1, x0, c] + (light[y1, x1, c] - light[y1, x0, c]) * tx
            out[3 * column + c] = above + (below - above) * ty


@njit(inline="always")
def _lit(level, alpha, bright, cover, shine, glow, table):
    """Return the linear light of a channel of a sheet: its lit color plus its emission. level, glow: encoded,
    0..255.
    """
    linear = decoded(min(level / alpha * F(255), F(255)), table) * bright
    if cover > F(0):
        linear += decoded(min(shine * F(255) / cover, F(255)), table) * cover / F(255) * glow
    return linear


@njit
def lay_encoded(out, sheet, light, emission, glows, glow, clip, decode_table, encode_table):
    """Draw a lit sheet onto an encoded image.

    out, sheet, emission: uint8 (h, w, 4), premultiplied, of one size. light: float32 (H, W, 4). clip: int64 (4).
    """
    bright = np.empty(3 * sheet.shape[1], np.float32)
    for row in range(clip[1], clip[3]):
        _spread(light, row, sheet.shape[0], sheet.shape[1], bright)
        for column in range(clip[0], clip[2]):
            pixel = sheet[row, column]
            if pixel[0] | pixel[1] | pixel[2] | pixel[3] == 0:
                continue
            alpha = F(pixel[3])
            share = alpha / F(255)
            for c in range(3):
                level = F(sheet[row, column, c])
                value = F(out[row, column, c]) * (F(1) - share)
                if alpha > F(0):
                    cover = F(emission[row, column, 3]) if glows else F(0)
                    shine = F(emission[row, column, c]) if glows else F(0)
                    linear = _lit(min(level, alpha), alpha, bright[3 * column + c], cover, shine, glow, decode_table)
                    value += encoded(linear, encode_table) * share
                if level > alpha:  # additive light has more color than alpha
                    value += encoded(decoded(level - alpha, decode_table) * bright[3 * column + c], encode_table)
                out[row, column, c] = np.uint8(min(value, F(255)) + F(0.5))
            out[row, column, 3] = np.uint8(alpha + F(out[row, column, 3]) * (F(1) - share) + F(0.5))


@njit
def lay_linear(out, sheet, light, lit, emission, glows, glow, clip, decode_table, encode_table):
    """Draw a sheet onto an image in linear light, float32 (h, w, 4). lit: whether `light` is applied."""
    bright = np.ones(3 * sheet.shape[1], np.float32)
    for row in range(clip[1], clip[3]):
        if lit:
            _spread(light, row, sheet.shape[0], sheet.shape[1], bright)
        for column in range(clip[0], clip[2]):
            pixel = sheet[row, column]
            if pixel[0] | pixel[1] | pixel[2] | pixel[3] == 0:
                continue
            alpha = F(pixel[3])
            share, below = alpha / F(255), out[row, column, 3]
            total_alpha = share + below * (F(1) - share)
            for c in range(3):
                level = F(sheet[row, column, c])
                cover = F(emission[row, column, 3]) if glows else F(0)
                shine = F(emission[row, column, c]) if glows else F(0)
                mixed = over = F(0)
                if alpha > F(0):
                    linear = _lit(min(level, alpha), alpha, bright[3 * column + c], cover, shine, glow, decode_table)
                    if alpha == F(255):
                        out[row, column, c] = linear
                        continue
                    mixed = encoded(linear, encode_table) * share
                    over = max(linear - F(1), F(0)) * share
                if level > alpha:  # additive light has more color than alpha
                    mixed += encoded(decoded(level - alpha, decode_table) * bright[3 * column + c], encode_table)
                elif alpha == F(0):
                    continue
                if below > F(0):
                    straight = out[row, column, c] / below
                    mixed += encoded(straight, encode_table) * below * (F(1) - share)
                    over += max(straight - F(1), F(0)) * below * (F(1) - share)
                value = min(mixed / max(total_alpha, F(1e-6)), F(255))
                out[row, column, c] = decoded(value, decode_table) * total_alpha + over
            out[row, column, 3] = total_alpha
