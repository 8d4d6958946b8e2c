"""Fills polygons of any shape by exact area coverage.

Each edge adds to a row of differences how much of every pixel is to its right. The running sum along the row is the
exact covered part of each pixel. No triangles and no sub-samples are needed, so concave polygons have no seams. A
polygon that overlaps itself is still filled there, unless the overlapping parts have opposite orientations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .blend import REPLACE, blend_span, scale, unchanged
from .numbers import f32, i32, u32, u64


@njit
def _row_part(cover: Any, at: Any, size: Any, x0: Any, x1: Any, height: Any) -> None:
    """Add a piece of an edge within one row, from x0 to x1 (x0 <= x1).

    height: the signed part of the row's height that it spans.
    """
    wide = f32(size)
    if x0 < f32(0):
        outside = height if x1 <= f32(0) else height * (-x0 / (x1 - x0))
        cover[at] += outside
        height -= outside
        x0, x1 = f32(0), max(x1, f32(0))
    if x1 > wide:
        if x0 >= wide:
            return
        height *= (wide - x0) / (x1 - x0)
        x1 = wide
    first = i32(x0)
    last = i32(np.ceil(x1))
    start = at + u64(first)
    left = x0 - f32(first)
    if last <= first + 1:
        middle = f32(0.5) * (x0 + x1) - f32(first)
        cover[start] += height - height * middle
        cover[start + u64(1)] += height * middle
        return
    # The integral of the edge up to each pixel's right side; each pixel gets the difference from the previous one.
    slope = f32(1) / (x1 - x0)
    rest = f32(1) - left
    before = f32(0.5) * slope * rest * rest
    cover[start] += height * before
    for k in range(first + 1, last):
        right = min(f32(k + 1), x1)
        done = slope * (f32(0.5) * (f32(k) + right) - x0) * (right - f32(k)) + (f32(k + 1) - right)
        cover[at + u64(k)] += height * (done - before)
        before = done
    cover[at + u64(last)] += height * (f32(1) - before)


@njit
def _within(x: Any, low: Any, high: Any) -> Any:
    """Return x clamped from low to high; a NaN becomes low."""
    return min(x, high) if x >= low else low


@njit
def _edge(cover: Any, stride: Any, size: Any, y0: Any, y1: Any, ax: Any, ay: Any, bx: Any, by: Any) -> None:
    """Add one edge to the differences of the rows y0 to y1, of `size` pixels; x is relative to the first pixel.

    The crossing of the edge with a row is computed from the edge's upper end, so it does not depend on y0 and y1.
    """
    sign = f32(1)
    if ay > by:
        ax, ay, bx, by, sign = bx, by, ax, ay, f32(-1)
    if ay == by or by <= f32(y0) or ay >= f32(y1):
        return
    slope = (bx - ax) / (by - ay)
    for y in range(max(i32(max(np.floor(ay), f32(y0))), y0), i32(min(np.ceil(by), f32(y1)))):
        top, bottom = max(ay, f32(y)), min(by, f32(y + 1))
        above = _within(ax + slope * (top - ay), min(ax, bx), max(ax, bx))
        below = _within(ax + slope * (bottom - ay), min(ax, bx), max(ax, bx))
        row = u64(y - y0) * stride
        _row_part(cover, row, size, min(above, below), max(above, below), (bottom - top) * sign)


@njit
def draw_polygons(
    target: Any, y0: Any, y1: Any, clip: Any, points: Any, starts: Any, colors: Any, mode: Any
) -> None:  # fmt: skip
    """Fill the rows y0 up to y1 of n polygons, in order.

    target: uint32 (h, w). clip: int64 (4) x0 y0 x1 y1 in pixels. points: float32 (m, 2) in pixels, y down. starts:
    int32 (n+1), polygon i has the points starts[i] up to starts[i+1]. colors: uint32 n, premultiplied.
    """
    flat = target.reshape(-1)
    minimum, maximum = max(clip[1], y0), min(clip[3], y1)
    for i in range(colors.shape[0]):
        first, last = starts[i], starts[i + 1]
        if last - first < 3:
            continue
        low_x = high_x = points[first, 0]
        low_y = high_y = points[first, 1]
        for k in range(first, last):
            low_x, high_x = min(low_x, points[k, 0]), max(high_x, points[k, 0])
            low_y, high_y = min(low_y, points[k, 1]), max(high_y, points[k, 1])
        x0, x1 = max(np.floor(low_x), f32(clip[0])), min(np.ceil(high_x), f32(clip[2]))
        top, bottom = max(np.floor(low_y), f32(minimum)), min(np.ceil(high_y), f32(maximum))
        if not (x0 < x1 and top < bottom):
            continue
        size, rows = i32(x1 - x0), i32(bottom - top)
        stride = u64(size + 2)
        cover = np.zeros((size + 2) * rows, np.float32)
        row = np.empty(size, np.uint32)
        for k in range(first, last):
            j = k + 1 if k + 1 < last else first
            _edge(
                cover, stride, size, i32(top), i32(bottom),
                points[k, 0] - x0, points[k, 1], points[j, 0] - x0, points[j, 1],
            )  # fmt: skip
        for y in range(rows):
            base = u64(y) * stride
            at = u64(i32(top) + y) * u64(target.shape[1]) + u64(i32(x0))
            total = f32(0)
            for p in range(u64(size)):
                total += cover[base + p]
                part = u32(i32(min(abs(total), f32(1)) * f32(255) + f32(0.5)))
                if mode < REPLACE:
                    row[p] = scale(colors[i], part)
                else:
                    row[p] = colors[i] if part >= u32(128) else unchanged(flat[at + p], mode)
            blend_span(flat, at, row, u64(0), u64(size), mode)
