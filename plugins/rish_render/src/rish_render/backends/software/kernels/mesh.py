"""Draws meshes: triangles in three dimensions, with perspective, a color at each corner, and an optional depth test.

Corners are given in homogeneous clip coordinates. A triangle that crosses the near plane is cut there into one or two
triangles. Colors are interpolated with perspective: values divided by w are interpolated, and the result is divided by
the interpolated 1/w.

The work that does not depend on the rows is done once: `place_triangles` computes the corners on the target and the
triangles that cover pixels, and `list_triangles` lists them by the bands of rows that they touch. `draw_mesh` then
draws one band, or all rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .blend import blend_pixel, modulate
from .numbers import f32, f64, i32, i64, u32

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
    """Return True if pixel centers exactly on the edge from a to b belong to the triangle: on top and left edges."""
    return ay > by or (ay == by and ax < bx)


@njit
def _pixels(a: Any, b: Any, c: Any, first: Any, last: Any) -> Any:
    """Return the pixels whose centers are between the least and the greatest of three numbers, clamped to first..last.

    The result is a range; it is empty if the first number is not below the second. Works for any float.
    """
    begin, end = np.ceil(min(a, min(b, c)) - f32(0.5)), np.floor(max(a, max(b, c)) - f32(0.5)) + f32(1)
    return i64(min(max(begin, f32(first)), f32(last))), i64(min(max(end, f32(first)), f32(last)))


@njit
def _triangle(
    target: Any, y0: Any, y1: Any, depth: Any, test: Any, clip: Any, corners: Any, i: Any, j: Any, k: Any,
    texels: Any, picture: Any, mode: Any, mask: Any,
) -> None:  # fmt: skip
    """Draw the triangle i, j, k of `corners`, see `place_triangles`; its area is above 0."""
    ax, ay, bx, by = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
    cx, cy = corners[k, 0], corners[k, 1]
    area = _side(ax, ay, bx, by, cx, cy)
    x0, x1 = _pixels(ax, bx, cx, clip[0], clip[2])
    top, bottom = _pixels(ay, by, cy, max(clip[1], y0), min(clip[3], y1))
    own_a, own_b, own_c = _owns(bx, by, cx, cy), _owns(cx, cy, ax, ay), _owns(ax, ay, bx, by)
    # Edge functions: u, v, w are the barycentric weights of a pixel center, times the doubled area.
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
    """Convert a corner from clip coordinates (4) and six values to a row of `corners`, and store it at `at`."""
    inverse = f32(1) / clip[3]
    x = viewport[0] + (clip[0] * inverse + f32(1)) * f32(0.5) * viewport[2]
    y = viewport[1] + (f32(1) - clip[1] * inverse) * f32(0.5) * viewport[3]
    corners[at, 0], corners[at, 1] = f32(np.round(x * _GRID) / _GRID), f32(np.round(y * _GRID) / _GRID)
    corners[at, 2] = clip[2] * inverse
    corners[at, 3] = inverse
    for k in range(6):
        corners[at, 4 + k] = values[k] * inverse


@njit
def _keep(triangles: Any, rows: Any, count: Any, corners: Any, i: Any, j: Any, k: Any, clip: Any) -> Any:
    """Store the triangle i, j, k, counter-clockwise, if it may cover a pixel; return the number of triangles."""
    ax, ay, bx, by = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
    cx, cy = corners[k, 0], corners[k, 1]
    area = _side(ax, ay, bx, by, cx, cy)
    turned = area < f64(0)
    if not (turned or area > f64(0)):
        return count
    x0, x1 = _pixels(ax, bx, cx, clip[0], clip[2])
    top, bottom = _pixels(ay, by, cy, clip[1], clip[3])
    if x0 < x1 and top < bottom:
        triangles[count, 0] = i32(i)
        triangles[count, 1], triangles[count, 2] = (i32(k), i32(j)) if turned else (i32(j), i32(k))
        rows[count, 0], rows[count, 1] = i32(top), i32(bottom)
        count += i64(1)
    return count


@njit
def place_triangles(
    positions: Any, values: Any, indices: Any, viewport: Any, clip: Any, corners: Any, triangles: Any, rows: Any
) -> Any:
    """Place the triangles on the target, in order; return how many may cover a pixel.

    positions: float32 (m, 4), clip coordinates. values: float32 (m, 6), premultiplied color 0..255, then column and
    line in the image. indices: int32 (k, 3). viewport: float32 (4) x y w h in pixels, y down. clip: int64 (4) in
    pixels. Filled are corners: float32 (m + 2·k, 10), x y (pixels) z (depth) 1/w, then four channels of color, u and
    v, all times 1/w; triangles: int32 (2·k, 3), rows of `corners`; rows: int32 (2·k, 2), the rows of the target that a
    triangle touches.
    """
    point, between = np.empty(4, np.float32), np.empty(6, np.float32)
    fan = np.empty(4, np.int64)
    corner, count = i64(positions.shape[0]), i64(0)
    for i in range(positions.shape[0]):
        if positions[i, 3] + positions[i, 2] > f32(0):
            _to_screen(corners, i, positions[i], values[i], viewport)
    for t in range(indices.shape[0]):
        # Clip at the near plane z = -w (Sutherland-Hodgman); the result is a fan of one or two triangles.
        size = i64(0)
        for side in range(3):
            i, j = i64(indices[t, side]), i64(indices[t, (side + 1) % 3])
            here, there = positions[i, 3] + positions[i, 2], positions[j, 3] + positions[j, 2]
            if here > f32(0):
                fan[size] = i
                size += i64(1)
            if (here > f32(0)) != (there > f32(0)):
                part = here / (here - there)
                for axis in range(4):
                    point[axis] = positions[i, axis] + part * (positions[j, axis] - positions[i, axis])
                for k in range(6):
                    between[k] = values[i, k] + part * (values[j, k] - values[i, k])
                _to_screen(corners, corner, point, between, viewport)
                fan[size] = corner
                size, corner = size + i64(1), corner + i64(1)
        for last in range(2, size):
            count = _keep(triangles, rows, count, corners, fan[0], fan[last - 1], fan[last], clip)
    return count


@njit
def list_triangles(rows: Any, count: Any, shift: Any, starts: Any, listed: Any) -> Any:
    """List the first `count` triangles by bands of 2^shift rows, in order; return the length of all lists.

    rows: int32 (n, 2), see `place_triangles`. starts: int64 (bands + 1), set to the start of each band's list and the
    end of the last. listed: int32, filled with the numbers of triangles; if it is too short, nothing is written to it.
    """
    bands = starts.shape[0] - 1
    for band in range(bands + 1):
        starts[band] = i64(0)
    for t in range(count):
        for band in range(i64(rows[t, 0]) >> shift, (i64(rows[t, 1] - i32(1)) >> shift) + 1):
            starts[band + 1] += i64(1)
    for band in range(bands):
        starts[band + 1] += starts[band]
    total = starts[bands]
    if total > listed.shape[0]:
        return total
    for t in range(count):
        for band in range(i64(rows[t, 0]) >> shift, (i64(rows[t, 1] - i32(1)) >> shift) + 1):
            listed[starts[band]] = i32(t)
            starts[band] += i64(1)
    for band in range(bands, 0, -1):  # each start is now the end of its list, so they move on by one
        starts[band] = starts[band - 1]
    starts[0] = i64(0)
    return total


@njit
def draw_mesh(
    target: Any, y0: Any, y1: Any, clip: Any, depth: Any, test: Any, corners: Any, triangles: Any, bands: Any,
    texels: Any, picture: Any, mode: Any, mask: Any,
) -> None:  # fmt: skip
    """Draw the rows y0 up to y1 of triangles, in order: the rows of one band, or rows of any bands.

    target: uint32 (h, w). clip: int64 (4) in pixels. depth: float32 (h, w). test: see NO_TEST. corners, triangles: see
    `place_triangles`. bands: shift, starts and listed, see `list_triangles`. picture: int64 (4), the image's first
    texel, stride, width and height; width 0 for none. mask: the bits of the pixels that count.
    """
    shift, starts, listed = bands
    band = i64(y0) >> shift
    if (i64(y1) - i64(1)) >> shift == band:
        for place in range(starts[band], starts[band + 1]):
            t = listed[place]
            i, j, k = i64(triangles[t, 0]), i64(triangles[t, 1]), i64(triangles[t, 2])
            _triangle(target, y0, y1, depth, test, clip, corners, i, j, k, texels, picture, mode, mask)
        return
    for t in range(triangles.shape[0]):
        i, j, k = i64(triangles[t, 0]), i64(triangles[t, 1]), i64(triangles[t, 2])
        _triangle(target, y0, y1, depth, test, clip, corners, i, j, k, texels, picture, mode, mask)
