"""Lists the triangles that may cover a pixel: culls those that face away, and cuts those that cross the near plane.

A listed triangle is a row of `corners` int32 (T, 4): three rows of the tables of `place`, so that the triangle is
clockwise on the target (row 0 on top), and its instance; a number in `keys` int32 (T): 16 times the row of its
material, plus the bits below; and a number in `rows` int32 (T): the first row of the target that it touches, plus 65536
times the row after the last.
"""

from __future__ import annotations

import numpy as np

from rish_jit import array_at, njit

from ....layout import BLENDED, DOUBLE_SIDED, MASKED, MIRRORED, NO_SHADOWS, RUN_COUNT, RUN_FIRST, RUN_FLAGS, RUN_MESH
from ..meshes import INDICES, TRIANGLES, VERTICES
from .place import MORE, WORLD, put_place

F = np.float32
ZERO, HALF, ONE = F(0), F(0.5), F(1)
KEY_BACK, KEY_MASKED, KEY_UNSHADOWED = 1, 2, 4
"""Bits of a key: the back of the triangle is seen; alpha cuts; no shadows fall on it."""
KEY_BITS = 4
MADE, COUNT, FULL = 0, 1, 2
"""Numbers of `state`: rows of the tables that are in use, listed triangles, whether a table was too short."""


@njit(borrows=True)
def _list(state, out, places, i, j, k, flags, key, instance, clip):
    """List the triangle i, j, k if it faces the camera, or is double-sided, and its box contains a pixel's center."""
    ax, ay, bx, by = places[i, 0], places[i, 1], places[j, 0], places[j, 1]
    cx, cy = places[k, 0], places[k, 1]
    area = (np.float64(bx) - np.float64(ax)) * (np.float64(cy) - np.float64(ay)) - (np.float64(by) - np.float64(ay)) * (
        np.float64(cx) - np.float64(ax)
    )
    faces_away = (area > 0) != (flags & MIRRORED != 0)
    if area == 0 or (faces_away and flags & DOUBLE_SIDED == 0):
        return
    left = np.int64(np.ceil(min(ax, min(bx, cx)) - HALF))
    right = np.int64(np.floor(max(ax, max(bx, cx)) - HALF)) + 1
    top = max(np.int64(np.ceil(min(ay, min(by, cy)) - HALF)), clip[1])
    bottom = min(np.int64(np.floor(max(ay, max(by, cy)) - HALF)) + 1, clip[3])
    if max(left, clip[0]) >= min(right, clip[2]) or top >= bottom:
        return
    corners, keys, rows = out
    at = state[COUNT]
    if at >= rows.shape[0]:
        state[FULL] = 1
        return
    corners[at, 0], corners[at, 3] = np.int32(i), np.int32(instance)
    if area > 0:
        corners[at, 1], corners[at, 2] = np.int32(j), np.int32(k)
    else:
        corners[at, 1], corners[at, 2] = np.int32(k), np.int32(j)
    keys[at] = np.int32(key + (KEY_BACK if faces_away else 0))
    rows[at] = np.int32(top + (bottom << 16))
    state[COUNT] = at + 1


@njit(borrows=True)
def _cut(state, tables, i, j, camera, viewport):
    """Add a corner where the edge from row i to row j crosses the near plane; return its row."""
    places, world, more = tables
    at = state[MADE]
    if at >= places.shape[0]:
        state[FULL] = 1
        return np.int64(-1)
    state[MADE] = at + 1
    here = there = camera[2, 3] + camera[3, 3]
    for axis in range(3):
        slope = camera[2, axis] + camera[3, axis]
        here += slope * world[i, axis]
        there += slope * world[j, axis]
    part = here / (here - there)
    for column in range(WORLD):
        world[at, column] = world[i, column] + part * (world[j, column] - world[i, column])
    if more.shape[0]:
        for column in range(MORE):
            more[at, column] = more[i, column] + part * (more[j, column] - more[i, column])
    put_place(places, at, world[at, 0], world[at, 1], world[at, 2], ONE, camera, viewport)
    return at


@njit(borrows=True)
def _list_cut(state, out, tables, three, flags, key, instance, camera, viewport, clip, fan):
    """List the parts of a triangle in front of the near plane (Sutherland-Hodgman): none, one or two triangles."""
    places = tables[0]
    size = 0
    for side in range(3):
        i, j = three[side], three[(side + 1) % 3]
        is_visible, next_visible = places[i, 3] > ZERO, places[j, 3] > ZERO
        if is_visible:
            fan[size] = i
            size += 1
        if is_visible != next_visible:
            a, b = (i, j) if is_visible else (j, i)  # in one order, so that triangles that share an edge agree
            row = _cut(state, tables, a, b, camera, viewport)
            if row < 0:
                return
            fan[size] = row
            size += 1
    for last in range(2, size):
        _list(state, out, places, fan[0], fan[last - 1], fan[last], flags, key, instance, clip)


@njit(borrows=True)
def list_triangles(meshes, runs, blended, ints, tables, camera, viewport, clip, state, out, fan):
    """List the triangles of the runs whose flag BLENDED is as `blended` says, behind those that are listed already.

    clip: int64 (4): left, top, right, bottom of what is drawn, pixels. state: int64 (3). out: corners, keys, rows.
    fan: int64 (8), scratch. If a table is too short, state[FULL] is set, and what is listed is not complete.
    """
    places = tables[0]
    first = np.int64(0)
    three = fan[4:7]
    for run in range(runs.shape[0]):
        mesh = meshes[runs[run, RUN_MESH]]
        flags = np.int64(runs[run, RUN_FLAGS])
        begin, count = np.int64(runs[run, RUN_FIRST]), np.int64(runs[run, RUN_COUNT])
        if (flags & BLENDED != 0) != blended:
            first += mesh[VERTICES] * count
            continue
        bits = (KEY_MASKED if flags & MASKED else 0) + (KEY_UNSHADOWED if flags & NO_SHADOWS else 0)
        indices = array_at(mesh[INDICES], mesh[TRIANGLES] * 3, np.uint32)
        for instance in range(begin, begin + count):
            key = (np.int64(ints[instance, 12]) << KEY_BITS) + bits
            for t in range(mesh[TRIANGLES]):
                i = first + np.int64(indices[3 * t])
                j, k = first + np.int64(indices[3 * t + 1]), first + np.int64(indices[3 * t + 2])
                a, b, c = places[i, 3], places[j, 3], places[k, 3]
                if a > ZERO and b > ZERO and c > ZERO:
                    _list(state, out, places, i, j, k, flags, key, instance, clip)
                elif a > ZERO or b > ZERO or c > ZERO:
                    three[0], three[1], three[2] = i, j, k
                    _list_cut(state, out, tables, three, flags, key, instance, camera, viewport, clip, fan)
            first += mesh[VERTICES]
