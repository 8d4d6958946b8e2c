"""Draws meshes: triangles in three dimensions, with perspective, a colour at each corner, and an optional depth test.

Corners are given in homogeneous clip coordinates. A triangle that crosses the near plane is cut there into one or two
triangles. Colours are interpolated with perspective: values divided by w are interpolated, and the result is divided by
the interpolated 1/w.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.jit import njit

from .blend import blend_pixel, modulate
from .numbers import f32, f64, i64, u32

_GRID = np.float32(256)
"""Corners are rounded to a grid of this many steps per pixel, as on a GPU, so that shared edges are equal."""
NO_TEST, TEST, TEST_ONLY = 0, 1, 2
"""The depth modes: no test; test and write the depth; test without writing."""


@njit
def _side(ax: Any, ay: Any, bx: Any, by: Any, px: Any, py: Any) -> Any:
    """Return twice the signed area of a, b, p; exact for points on the grid."""
    return (f64(bx) - f64(ax)) * (f64(py) - f64(ay)) - (f64(by) - f64(ay)) * (f64(px) - f64(ax))


@njit
def _owns(ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    """Return True if pixel centres exactly on the edge from a to b belong to the triangle: on top and left edges."""
    return ay > by or (ay == by and ax < bx)


@njit
def _from_to(low: Any, high: Any, first: Any, last: Any) -> Any:
    """Return the pixels from low to high as a range, clamped to first..last; works for any float."""
    begin, end = np.floor(low), np.ceil(high)
    return int(min(max(begin, f32(first)), f32(last))), int(min(max(end, f32(first)), f32(last)))


@njit
def _triangle(
    target: Any, y0: Any, y1: Any, depth: Any, test: Any, clip: Any, corners: Any, j: Any, k: Any, texels: Any,
    picture: Any, mode: Any, mask: Any,
) -> None:  # fmt: skip
    """Draw the triangle 0, j, k of `corners`.

    corners: float32 (n, 10), x y (pixels) z (depth) 1/w, then four channels of colour and u, v, all times 1/w.
    """
    i = 0
    if _side(corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1], corners[k, 0], corners[k, 1]) < f64(0):
        j, k = k, j
    ax, ay, bx, by = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
    cx, cy = corners[k, 0], corners[k, 1]
    area = _side(ax, ay, bx, by, cx, cy)
    if not area > f64(0):
        return
    x0, x1 = _from_to(min(ax, min(bx, cx)), max(ax, max(bx, cx)), clip[0], clip[2])
    top, bottom = _from_to(min(ay, min(by, cy)), max(ay, max(by, cy)), max(clip[1], y0), min(clip[3], y1))
    own_a, own_b, own_c = _owns(bx, by, cx, cy), _owns(cx, cy, ax, ay), _owns(ax, ay, bx, by)
    # Edge functions: u, v, w are the barycentric weights of a pixel centre, times the doubled area.
    for y in range(top, bottom):
        py = f32(y) + f32(0.5)
        for x in range(x0, x1):
            px = f32(x) + f32(0.5)
            u, v, w = _side(bx, by, cx, cy, px, py), _side(cx, cy, ax, ay, px, py), _side(ax, ay, bx, by, px, py)
            if u < 0 or v < 0 or w < 0 or (u == 0 and not own_a) or (v == 0 and not own_b) or (w == 0 and not own_c):
                continue
            u, v, w = f32(u / area), f32(v / area), f32(w / area)
            z = u * corners[i, 2] + v * corners[j, 2] + w * corners[k, 2]
            if z < f32(-1) or z > f32(1) or (test and z >= depth[y, x]):
                continue
            if test == 1:
                depth[y, x] = z
            near = f32(1) / (u * corners[i, 3] + v * corners[j, 3] + w * corners[k, 3])
            pixel = u32(0)
            for channel in range(4):
                value = u * corners[i, 4 + channel] + v * corners[j, 4 + channel] + w * corners[k, 4 + channel]
                value = min(max(value * near, f32(0)), f32(255)) + f32(0.5)
                pixel = u32(pixel | u32(u32(value) << u32(8 * channel)))
            if picture[2] > 0:
                column = u * corners[i, 8] + v * corners[j, 8] + w * corners[k, 8]
                line = u * corners[i, 9] + v * corners[j, 9] + w * corners[k, 9]
                column = min(max(np.floor(column * near), f32(0)), f32(picture[2] - 1))
                line = min(max(np.floor(line * near), f32(0)), f32(picture[3] - 1))
                pixel = modulate(pixel, texels[picture[0] + int(line) * picture[1] + int(column)])
            pixel = u32(pixel & mask)
            target[y, x] = blend_pixel(target[y, x], pixel, mode)


@njit
def _to_screen(corners: Any, at: Any, clip: Any, values: Any, viewport: Any) -> None:
    """Convert a corner from clip coordinates (4) and six values to the form of `_triangle`, and store it at `at`."""
    inverse = f32(1) / clip[3]
    x = viewport[0] + (clip[0] * inverse + f32(1)) * f32(0.5) * viewport[2]
    y = viewport[1] + (f32(1) - clip[1] * inverse) * f32(0.5) * viewport[3]
    corners[at, 0], corners[at, 1] = f32(np.round(x * _GRID) / _GRID), f32(np.round(y * _GRID) / _GRID)
    corners[at, 2] = clip[2] * inverse
    corners[at, 3] = inverse
    for k in range(6):
        corners[at, 4 + k] = values[k] * inverse


@njit
def draw_mesh(
    target: Any, y0: Any, y1: Any, clip: Any, depth: Any, test: Any, viewport: Any, positions: Any, values: Any,
    indices: Any, texels: Any, picture: Any, mode: Any, mask: Any,
) -> None:  # fmt: skip
    """Draw the rows y0 up to y1 of triangles, in order.

    target: uint32 (h, w). clip: int64 (4) in pixels. depth: float32 (h, w). test: see NO_TEST. viewport: float32 (4) x
    y w h in pixels, y down. positions: float32 (m, 4), clip coordinates. values: float32 (m, 6), premultiplied colour
    0..255, then column and line in the image. indices: int32 (k, 3). picture: int64 (4), the image's first texel,
    stride, width and height; width 0 for none. mask: the bits of the pixels that count.
    """
    corners = np.empty((4, 10), np.float32)
    point = np.empty(4, np.float32)
    between = np.empty(6, np.float32)
    for t in range(indices.shape[0]):
        # Clip at the near plane z = -w (Sutherland-Hodgman); the result is a fan of one or two triangles.
        count = i64(0)
        for side in range(3):
            i, j = indices[t, side], indices[t, (side + 1) % 3]
            here, there = positions[i, 3] + positions[i, 2], positions[j, 3] + positions[j, 2]
            if here > f32(0):
                _to_screen(corners, count, positions[i], values[i], viewport)
                count += 1
            if (here > f32(0)) != (there > f32(0)):
                part = here / (here - there)
                for axis in range(4):
                    point[axis] = positions[i, axis] + part * (positions[j, axis] - positions[i, axis])
                for k in range(6):
                    between[k] = values[i, k] + part * (values[j, k] - values[i, k])
                _to_screen(corners, count, point, between, viewport)
                count += 1
        for k in range(2, count):
            _triangle(target, y0, y1, depth, test, clip, corners, k - 1, k, texels, picture, mode, mask)
