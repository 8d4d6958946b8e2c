"""Draws shapes: boxes, rounded boxes and ellipses with smooth edges, computed per pixel and not sampled.

For each pixel near an edge, the signed distance to the shape's border, in pixels, gives the covered part of the pixel.
Boxes with sharp corners use the exact area instead, so that a box on whole pixels is crisp. The inside, where coverage
is one and only the fill is visible, is one span per row; in a box that is not turned, the span is all of a row except
its corners, and in a circle a chord. Lines are boxes rounded by half their width.

The outline is inside the border, on top of the fill. The fill may fade from one color at the top to another at the
bottom. The modes that replace or mask the target work on whole pixels: those that are covered by half or more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .affine_sprites import reach, span
from .blend import REPLACE, blend_span, fill_span, over, scale, unchanged
from .gather import mix
from .numbers import HALF, ONE, ZERO, f32, i32, u32, u64

BOX, ELLIPSE = 0, 1

_FLAT = np.float32(1e-9)
_FAR = np.float32(1e7)
_SLANT = np.float32(0.70710678)
_NOTHING = np.uint32(0)
_255 = np.float32(255)
_256 = np.float32(256)


@njit(inline="always")
def _clamp(x: Any) -> Any:
    return min(max(x, ZERO), ONE)


@njit
def _coverage(x: Any, y: Any, half_x: Any, half_y: Any, corner: Any, kind: Any) -> Any:
    """Return the covered part, 0..1, of the pixel at (x, y), measured from the center along the shape's own axes."""
    if half_x <= ZERO or half_y <= ZERO:
        return ZERO
    if kind == BOX and corner <= ZERO:
        # How much of the pixel is within -half..half along each axis.
        wide = max(min(x + HALF, half_x) - max(x - HALF, -half_x), ZERO)
        return wide * max(min(y + HALF, half_y) - max(y - HALF, -half_y), ZERO)
    # The signed distance from the border, negative inside.
    if kind == BOX:
        corner = min(corner, min(half_x, half_y))
        u, v = abs(x) - half_x + corner, abs(y) - half_y + corner
        distance = (max(u, v) if u <= ZERO or v <= ZERO else np.sqrt(u * u + v * v)) - corner
    else:
        # With k = |(x/a, y/b)|, it is k·(k - 1) / |(x/a², y/b²)|: exact for a circle, to first order near any border.
        u, v = x / half_x, y / half_y
        k = np.sqrt(u * u + v * v)
        u, v = u / half_x, v / half_y
        steep = np.sqrt(u * u + v * v)
        distance = -min(half_x, half_y) if steep < _FLAT else k * (k - ONE) / steep
    return min(_clamp(HALF - distance), min(f32(2) * min(half_x, half_y), ONE))


@njit
def _sum(fill: Any, cover: Any, edge: Any, rim: Any) -> Any:
    """Return fill·cover + (edge over fill)·rim for premultiplied pixels; the two parts of a pixel do not overlap."""
    edge = over(fill, edge)
    whole = u32(i32(_clamp(cover + rim) * _255 + HALF))
    part = u32(min(i32(_clamp(rim) * _255 + HALF), i32(whole)))
    return u32(scale(fill, u32(whole - part)) + scale(edge, part))


@njit
def _inset(half: Any, line: Any, corner: Any, kind: Any) -> Any:
    """Return the distance from the border, per axis, beyond which only the fill is visible."""
    deep = line + f32(1.5)
    if kind == ELLIPSE:
        return half - max(half - deep, ZERO) * _SLANT
    return max(deep, corner - max(corner - deep, ZERO) * _SLANT)


@njit
def _chord(u: Any, v: Any, gx: Any, gy: Any, radius: Any) -> Any:
    """Return the first and the last t for which (u + gx·t, v + gy·t) is in a circle around 0; 1 and 0 if none is."""
    a, b = gx * gx + gy * gy, gx * u + gy * v
    root = b * b - a * (u * u + v * v - radius * radius)
    if not root > ZERO:
        return ONE, ZERO
    root = np.sqrt(root)
    return (-b - root) / a, (root - b) / a


@njit
def draw_shapes(
    target: Any, y0: Any, y1: Any, clip: Any, matrices: Any, sizes: Any, kinds: Any, fills: Any, fills2: Any,
    edges: Any, mode: Any,
) -> None:  # fmt: skip
    """Draw the rows y0 up to y1 of n shapes, in order.

    target: uint32 (h, w). clip: int64 (4) x0 y0 x1 y1 in pixels. matrices: float32 (n, 6) from the unit square (y up)
    to pixels (y down). sizes: float32 (n, 4) half width, half height, corner radius and outline width, all in one unit.
    kinds: uint8 n. fills, fills2, edges: uint32 n, premultiplied: the fill at the top, at the bottom, the outline.
    mode: the blend mode.
    """
    x0, y0, x1, y1 = clip[0], max(clip[1], y0), clip[2], min(clip[3], y1)
    width = u64(target.shape[1])
    flat = target.reshape(-1)
    row = np.empty(max(x1 - x0, 1), np.uint32)
    for i in range(matrices.shape[0]):
        a, b, c, d = matrices[i, 0], matrices[i, 1], matrices[i, 2], matrices[i, 3]
        tx, ty = matrices[i, 4], matrices[i, 5]
        area = a * d - b * c
        if abs(area) < _FLAT or sizes[i, 0] <= ZERO or sizes[i, 1] <= ZERO:
            continue
        kind, fill, fill2, edge = kinds[i], fills[i], fills2[i], edges[i]
        density = np.sqrt(abs(area) / (f32(4) * sizes[i, 0] * sizes[i, 1]))
        half_x, half_y = sizes[i, 0] * density, sizes[i, 1] * density
        corner, line = sizes[i, 2] * density, sizes[i, 3] * density
        if edge == _NOTHING:
            line = ZERO
        graded = fill != fill2
        one = f32(2) / area
        gx, gy, hx, hy = d * one * half_x, -b * one * half_y, -c * one * half_x, a * one * half_y
        outer_x, outer_y = half_x + ONE, half_y + ONE
        straight = kind == BOX and b == ZERO and c == ZERO
        circle = kind == ELLIPSE and half_x == half_y
        inner_x, inner_y = half_x - _inset(half_x, line, corner, kind), half_y - _inset(half_y, line, corner, kind)
        plain = inner_x > ZERO and inner_y > ZERO
        slanting = graded and abs(gy) > _FLAT
        if straight:
            inner_x, inner_y = half_x - max(corner, line) - ONE, outer_y
            plain = inner_x > ZERO
        ix, far_x = reach(gx, outer_x)
        iy, far_y = reach(gy, outer_y)
        near_x, near_y = far_x * inner_x / outer_x, far_y * inner_y / outer_y
        extent = (abs(b) * (ONE + ONE / half_x) + abs(d) * (ONE + ONE / half_y)) * HALF
        first = i32(max(min(np.floor(ty - extent), _FAR), f32(y0)))
        last = i32(max(min(np.ceil(ty + extent), f32(y1)), -_FAR))
        for y in range(first, last):
            down = f32(y) + HALF - ty
            begin, end = _chord(hx * down, hy * down, gx, gy, outer_x)
            if not circle:
                begin, end = span(hx * down, ix, far_x, outer_x)
                begin2, end2 = span(hy * down, iy, far_y, outer_y)
                begin, end = max(begin, begin2), min(end, end2)
            begin, end = begin + tx - HALF, end + tx - HALF
            if not begin < end:  # skips NaN, too
                continue
            left = i32(np.ceil(min(max(begin, f32(x0)), f32(x1))))
            right = i32(np.ceil(min(max(end, f32(x0)), f32(x1))))
            if left >= right:
                continue
            inner_left, inner_right = right, right
            if plain:
                begin, end = _chord(hx * down, hy * down, gx, gy, half_x - line - f32(1.5))
                if not circle:
                    begin, end = span(hx * down, ix, near_x, inner_x)
                    begin2, end2 = span(hy * down, iy, near_y, inner_y)
                    begin, end = max(begin, begin2), min(end, end2)
                begin, end = begin + tx - HALF, end + tx - HALF
                if begin < end:
                    inner_left = i32(np.ceil(min(max(begin, f32(left)), f32(right))))
                    inner_right = i32(np.ceil(min(max(end, f32(inner_left)), f32(right))))
            at = u64(y) * width
            color = fill
            x = left
            while x < right:
                if x == inner_left and inner_left < inner_right:
                    if slanting:
                        for p in range(x, inner_right):
                            row[u64(p - x)] = _shade(fill, fill2, gy * (f32(p) + HALF - tx) + hy * down, half_y)
                        blend_span(flat, at + u64(x), row, u64(0), u64(inner_right - x), mode)
                        x = inner_right
                        continue
                    if graded:
                        color = _shade(fill, fill2, hy * down, half_y)
                    if straight:
                        cover = _coverage(ZERO, hy * down, half_x, half_y, corner, kind)
                        inner = cover
                        if line > ZERO:
                            inner = _coverage(ZERO, hy * down, half_x - line, half_y - line, ZERO, kind)
                        if mode < REPLACE:
                            color = _sum(color, inner, edge, cover - inner)
                        elif inner < HALF:
                            color = edge
                    if (color != _NOTHING) if mode < REPLACE else (not straight or cover >= HALF):
                        fill_span(flat, at + u64(x), u64(inner_right - x), color, mode)
                    color = fill
                    x = inner_right
                    continue
                stop = inner_left if x < inner_left else right
                for p in range(x, stop):
                    across = f32(p) + HALF - tx
                    px, py = gx * across + hx * down, gy * across + hy * down
                    cover = _coverage(px, py, half_x, half_y, corner, kind)
                    inner = cover
                    if line > ZERO:
                        inner = _coverage(px, py, half_x - line, half_y - line, max(corner - line, ZERO), kind)
                    if graded:
                        color = _shade(fill, fill2, py, half_y)
                    if mode < REPLACE:
                        row[u64(p - x)] = _sum(color, inner, edge, cover - inner)
                    elif cover < HALF:
                        row[u64(p - x)] = unchanged(flat[at + u64(p)], mode)
                    else:
                        row[u64(p - x)] = color if inner >= HALF else edge
                blend_span(flat, at + u64(x), row, u64(0), u64(stop - x), mode)
                x = stop


@njit
def _shade(fill: Any, fill2: Any, y: Any, half: Any) -> Any:
    """Return the color of a fading fill at height y above the center."""
    return mix(fill, fill2, u32(i32(_clamp(HALF - y / (half + half)) * _256)))
