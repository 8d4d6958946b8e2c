"""Draws the rows of surfaces: finds what is seen, shades it, and blends what is transparent over it."""

from __future__ import annotations

import numpy as np

from rish_ecs.jit import njit

from .cover import MARK, PROBE, cover, cover_triangle
from .shade import SHADE, shade_box


@njit(borrows=True)
def _clear(ids, box):
    """Set the numbers in a box to -1."""
    for y in range(box[1], box[3]):
        for x in range(box[0], box[2]):
            ids[y, x] = np.int32(-1)


@njit(borrows=True)
def _box_of(places, corners, t, clip, top, bottom, box):
    """Set `box` to the pixels that a triangle may cover in the rows top up to bottom."""
    i, j, k = 4 * np.int64(corners[t, 0]), 4 * np.int64(corners[t, 1]), 4 * np.int64(corners[t, 2])
    left, right = min(places[i], min(places[j], places[k])), max(places[i], max(places[j], places[k]))
    box[0], box[1] = max(np.int64(np.floor(left)), clip[0]), top
    box[2], box[3] = min(np.int64(np.ceil(right)) + 1, clip[2]), bottom


@njit(borrows=True)
def _blend(box, counts, rows, targets, geometry, looks, lights, view, images, scratch):
    """Blend the triangles from counts[0] up to counts[1], in order, over the rows of the box.

    Triangles wait until one covers the same pixels; then what waits there is shaded first.
    """
    depth, ids = targets
    uv, part = scratch[5], scratch[6][1]
    for t in range(counts[0], counts[1]):
        top, bottom = max(np.int64(rows[t] & 0xFFFF), box[1]), min(np.int64(rows[t] >> 16), box[3])
        if top >= bottom:
            continue
        if cover_triangle(PROBE, t, box, top, bottom, depth, ids, geometry, looks, uv):
            _box_of(geometry[0], geometry[3], t, box, top, bottom, part)
            shade_box(0, part, ids, geometry, looks, lights, view, images, scratch)
            _clear(ids, part)
        cover_triangle(MARK, t, box, top, bottom, depth, ids, geometry, looks, uv)
    shade_box(0, box, ids, geometry, looks, lights, view, images, scratch)


@njit(borrows=True)
def draw_rows(mode, box, counts, rows, targets, geometry, looks, lights, view, images, scratch):  # noqa: PLR0917
    """Draw the part of a batch that is in a box, int64 (4): left, top, right, bottom, pixels, row 0 on top.

    counts: int64 (2), the number of opaque triangles, and of all. rows: see `triangles`. targets: depth, ids. The other
    arguments are described in `shade`.
    """
    depth, ids = targets
    if mode != SHADE:
        _clear(ids, box)
        cover(box[1], box[3], box, counts[0], rows, depth, ids, geometry, looks, scratch[5])
    shade_box(mode, box, ids, geometry, looks, lights, view, images, scratch)
    if counts[1] > counts[0]:
        _clear(ids, box)
        _blend(box, counts, rows, targets, geometry, looks, lights, view, images, scratch)


@njit(borrows=True)
def draw_depths(box, counts, rows, targets, geometry, looks, eye, uv, picture):  # noqa: PLR0917
    """Draw depths into the box of a picture, float32 (h, w, 1): 0 near to 1 far, or distances from a point.

    eye: float32 (4): a point, and the distance that is drawn as 1; 0 there: the depth of clip space is drawn. uv: float32
    (6), scratch.
    """
    depth, ids = targets
    _clear(ids, box)
    cover(box[1], box[3], box, counts[1], rows, depth, ids, geometry, looks, uv)
    places, world, corners = geometry[0], geometry[1], geometry[3]
    half, one = np.float32(0.5), np.float32(1)
    for y in range(box[1], box[3]):
        for x in range(box[0], box[2]):
            if ids[y, x] < 0:
                continue
            if eye[3] <= np.float32(0):
                picture[y, x, 0] = depth[y, x] * half + half
                continue
            t = ids[y, x]
            i, j, k = np.int64(corners[t, 0]), np.int64(corners[t, 1]), np.int64(corners[t, 2])
            px, py = np.float32(x) + half, np.float32(y) + half
            ax, ay, bx, by = places[4 * i] - px, places[4 * i + 1] - py, places[4 * j] - px, places[4 * j + 1] - py
            cx, cy = places[4 * k] - px, places[4 * k + 1] - py
            a, b = (bx * cy - by * cx) * places[4 * i + 3], (cx * ay - cy * ax) * places[4 * j + 3]
            c = (ax * by - ay * bx) * places[4 * k + 3]
            inverse, total = one / (a + b + c), np.float32(0)
            for axis in range(3):
                here = a * world[8 * i + axis] + b * world[8 * j + axis] + c * world[8 * k + axis]
                away = here * inverse - eye[axis]
                total += away * away
            picture[y, x, 0] = min(np.sqrt(total) / eye[3], one)
