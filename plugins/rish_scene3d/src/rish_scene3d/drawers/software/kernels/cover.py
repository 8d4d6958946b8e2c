"""Finds which triangle is nearest in each pixel: the visibility buffer.

`ids` int32 (rows, w or more), whose first row is the top of the box that is drawn, gets the number of the triangle,
`depth` float32 (h, w) the depth of clip space. Edges are computed in whole numbers, so that a pixel's center belongs to
exactly one of two triangles that share an edge; centers on an edge belong to the triangle whose top or left edge it is,
as on a GPU.
"""

from __future__ import annotations

import numpy as np

from rish_jit import array_at, njit
from rish_jit.simd import LANES, bits, gather4, load, minimum, select, splat, sqrt, store

from ....layout import BASE, CUTOFF, MAP_MATRIX, MAPS, WRAP_CLAMP
from .maps import CLASS, HIGH, LAST, LAYER, SET, WIDE, WRAP_U, WRAP_V
from .place import GRID, MORE, WORLD
from .triangles import KEY_BITS, KEY_MASKED

F = np.float32
ZERO, HALF = F(0), F(0.5)
OPAQUE, MASKED, MARK, ERASE = range(4)
LANE, FIRST, SECOND, THIRD, END = range(8, 48, 8)
"""Where the scratch has the numbers 0 to 7, and corners of eight triangles; its length."""
HIGHEST = 1024 << 8
"""Triangles that are less high, in 1/256 pixel, and at most eight pixels wide have exact edges in float32."""


def scratch_of():
    """Return the scratch arrays of this module: float32 (END), and the same as int32."""
    numbers = np.arange(-LANE, END - LANE, dtype=np.float32)
    return numbers, numbers.view(np.int32)


def targets_of(depth, ids):
    """Return the tuple `targets` of `cover`: depth and numbers, and both flat, the numbers as float32."""
    return depth, ids, depth.reshape(-1), ids.view(np.float32).reshape(-1)


@njit(borrows=True, forceinline=True)
def whole(pixel):
    """Return a position on the grid as a whole number of 1/256 pixel."""
    return np.int64(pixel * GRID)


@njit(borrows=True, forceinline=True)
def _limits(c, slope, left, right):
    """Return the part of left..right in which c + slope·x is not negative; all numbers are whole."""
    if slope > 0:
        return max(left, -np.int64(np.floor(np.float64(c) / np.float64(slope)))), right
    if slope < 0:
        return left, min(right, np.int64(np.floor(np.float64(c) / np.float64(-slope))) + 1)
    return left, right if c >= 0 else left


@njit(borrows=True, forceinline=True)
def _edge(ax, ay, bx, by):
    """Return the edge function of a to b, in 1/256 pixel²: the value at the center of pixel (0, 0), steps in x, y."""
    value = (bx - ax) * (128 - ay) - (by - ay) * (128 - ax)
    if not (ay > by or (ay == by and ax < bx)):
        value -= 1
    return value, -(by - ay), bx - ax


@njit(borrows=True, forceinline=True)
def _wrapped(i, side, mode):
    """Return the number of a texel, wrapped into 0..side - 1."""
    if mode == WRAP_CLAMP:
        return min(max(i, 0), side - 1)
    period = side * (1 + mode)
    i -= period * (i // period)
    return i if i < side else period - 1 - i


@njit(borrows=True)
def _map_alpha(entry, numbers, levels, uv):
    """Return the opacity of a texture; uv: float32 (6), as the slots from U0 on."""
    m = numbers[MAP_MATRIX:]
    wide, high = entry[WIDE], entry[HIGH]
    ax, bx = (m[0] * uv[2] + m[1] * uv[3]) * F(wide), (m[3] * uv[2] + m[4] * uv[3]) * F(high)
    ay, by = (m[0] * uv[4] + m[1] * uv[5]) * F(wide), (m[3] * uv[4] + m[4] * uv[5]) * F(high)
    square = max(ax * ax + bx * bx, ay * ay + by * by)
    level = 0
    while square >= F(2) and level < entry[LAST]:
        square *= F(0.25)
        level += 1
    w, h = max(wide >> level, 1), max(high >> level, 1)
    u = (m[0] * uv[0] + m[1] * uv[1] + m[2]) * F(w) - HALF
    v = (m[3] * uv[0] + m[4] * uv[1] + m[5]) * F(h) - HALF
    left, top = np.int64(np.floor(u)), np.int64(np.floor(v))
    fx, fy = u - F(left), v - F(top)
    x0, x1 = _wrapped(left, w, entry[WRAP_U]), _wrapped(left + 1, w, entry[WRAP_U])
    y0, y1 = _wrapped(top, h, entry[WRAP_V]) * w, _wrapped(top + 1, h, entry[WRAP_V]) * w
    texels = array_at(levels[entry[CLASS], level] + 4 * w * h * entry[LAYER], w * h, np.uint32)
    a, b = F(texels[y0 + x0] >> np.uint32(24)), F(texels[y0 + x1] >> np.uint32(24))
    c, d = F(texels[y1 + x0] >> np.uint32(24)), F(texels[y1 + x1] >> np.uint32(24))
    above, below = a + (b - a) * fx, c + (d - c) * fx
    return (above + (below - above) * fy) * F(1 / 255)


@njit(borrows=True)
def _is_there(x, y, number, geometry, looks, uv):
    """Return whether alpha does not cut away a pixel of a triangle; geometry, looks: see `shade`."""
    places, world, more, corners, keys, ints = geometry
    materials, maps, levels = looks[0], looks[1], looks[2]
    i, j, k = np.int64(corners[number, 0]), np.int64(corners[number, 1]), np.int64(corners[number, 2])
    material = np.int64(keys[number]) >> KEY_BITS
    px, py = F(x) + HALF, F(y) + HALF
    ax, ay, aw = places[4 * i], places[4 * i + 1], places[4 * i + 3]
    bx, by, bw = places[4 * j], places[4 * j + 1], places[4 * j + 3]
    cx, cy, cw = places[4 * k], places[4 * k + 1], places[4 * k + 3]
    a = ((bx - px) * (cy - py) - (by - py) * (cx - px)) * aw
    b = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) * bw
    c = ((ax - px) * (by - py) - (ay - py) * (bx - px)) * cw
    inverse = F(1) / (a + b + c)
    a, b, c = a * inverse, b * inverse, c * inverse
    alpha = materials[material, BASE + 3]
    if more.shape[0]:
        alpha *= a * more[MORE * i + 3] + b * more[MORE * j + 3] + c * more[MORE * k + 3]
    alpha *= F((np.int64(ints[corners[number, 3], 13]) >> 24) & 255) / F(255)
    entry = maps[material, 0]
    if entry[CLASS] >= 0:
        table, wide = (more, MORE) if entry[SET] else (world, WORLD)
        ra, rb, rc = (by - cy) * aw * inverse, (cy - ay) * bw * inverse, (ay - by) * cw * inverse
        da, db, dc = (cx - bx) * aw * inverse, (ax - cx) * bw * inverse, (bx - ax) * cw * inverse
        for axis in range(2):
            column = wide - 2 + axis
            at_a, at_b, at_c = table[wide * i + column], table[wide * j + column], table[wide * k + column]
            here = a * at_a + b * at_b + c * at_c
            uv[axis] = here
            uv[2 + axis] = ra * at_a + rb * at_b + rc * at_c - here * (ra + rb + rc)
            uv[4 + axis] = da * at_a + db * at_b + dc * at_c - here * (da + db + dc)
        alpha *= _map_alpha(entry, materials[material, MAPS:], levels, uv)
    return alpha >= materials[material, CUTOFF]


@njit(borrows=True, forceinline=True)
def _cover_narrow(rows, first, targets, edges, plane, scratch):
    """Draw the rows of an opaque triangle that is in the eight columns from `first` on.

    rows: the first, that after the last, and the first of `ids`. edges: see `_edge`, for three edges. plane: a point's
    depth and row, what its column adds, steps to the right and down. scratch: the bits of the triangle's number, lanes.
    """
    (ca, sa, da), (cb, sb, db), (cc, sc, dc) = edges
    depth, row, aside, across, down = plane
    depths, ids, wide, stride = targets[2], targets[3], targets[0].shape[1], targets[1].shape[1]
    lanes, number, zero = load(scratch, LANE), splat(scratch[0]), splat(ZERO)
    columns, top = (splat(F(first)) + lanes) * splat(across), rows[0]
    a = splat(F((ca >> 8) + da * top + sa * first)) + lanes * splat(F(sa))
    b = splat(F((cb >> 8) + db * top + sb * first)) + lanes * splat(F(sb))
    c = splat(F((cc >> 8) + dc * top + sc * first)) + lanes * splat(F(sc))
    down_a, down_b, down_c = splat(F(da)), splat(F(db)), splat(F(dc))
    for y in range(top, rows[1]):
        z = depth + (F(y) + HALF - row) * down + aside
        here, at, to = splat(z) + columns, y * wide + first, (y - rows[2]) * stride + first
        near = load(depths, at)
        seen = (a >= zero) & (b >= zero) & (c >= zero) & (here < near)
        store(depths, at, select(seen, here, near))
        store(ids, to, select(seen, number, load(ids, to)))
        a, b, c = a + down_a, b + down_b, c + down_c  # whole numbers, so the sums are exact


@njit(borrows=True, forceinline=True)
def _cover_span(y, left, right, top, targets, z, across, scratch):
    """Draw a part of a row of an opaque triangle, eight pixels at a time; return the first pixel of the rest.

    top: the first row of `ids`. z: the depth at x = 0. scratch: see `_cover_narrow`.
    """
    depths, ids, wide, stride = targets[2], targets[3], targets[0].shape[1], targets[1].shape[1]
    lanes, number = load(scratch, LANE), splat(scratch[0])
    for x in range(left, right - LANES + 1, LANES):
        here, at, to = splat(z) + (splat(F(x)) + lanes) * splat(across), y * wide + x, (y - top) * stride + x
        near = load(depths, at)
        seen = here < near
        if bits(seen):
            store(depths, at, select(seen, here, near))
            store(ids, to, select(seen, number, load(ids, to)))
    return max(right - (right - left) % LANES, left)


# To pass so many arrays takes as long as a small triangle: 300,000 take 34 ms in a call of its own, and 26 ms inlined.
@njit(borrows=True, forceinline=True)
def cover_triangle(mode, number, clip, top, bottom, targets, geometry, looks, scratch):
    """Draw a triangle where it is nearer than the depth, in the rows top up to bottom.

    mode: OPAQUE writes its depth and its number, MASKED does so where alpha does not cut, MARK writes the number only
    and returns True at the first pixel that has one already, and ERASE removes its number. scratch: see `scratch_of`.
    """
    depth, ids = targets[0], targets[1]
    places, corners = geometry[0], geometry[3]
    i, j, k = 4 * np.int64(corners[number, 0]), 4 * np.int64(corners[number, 1]), 4 * np.int64(corners[number, 2])
    ax, ay, bx, by = whole(places[i]), whole(places[i + 1]), whole(places[j]), whole(places[j + 1])
    cx, cy = whole(places[k]), whole(places[k + 1])
    ca, sa, da = _edge(bx, by, cx, cy)
    cb, sb, db = _edge(cx, cy, ax, ay)
    cc, sc, dc = _edge(ax, ay, bx, by)
    high = (max(ax, max(bx, cx)) - 128) >> 8
    low = -((128 - min(ax, min(bx, cx))) >> 8)
    begin, end = max(low, clip[0]), min(high + 1, clip[2])
    area = F(np.float64((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)))
    zb, zc = places[j + 2] - places[i + 2], places[k + 2] - places[i + 2]
    across = (zb * F(cy - ay) - zc * F(by - ay)) / area * GRID
    down = (zc * F(bx - ax) - zb * F(cx - ax)) / area * GRID
    aside = (HALF - places[i]) * across
    first = min(low, depth.shape[1] - LANES)
    narrow = high - low < LANES and low == begin and high < end and first >= 0
    if mode == OPAQUE and narrow and max(ay, max(by, cy)) - min(ay, min(by, cy)) < HIGHEST:
        edges = ((ca, sa, da), (cb, sb, db), (cc, sc, dc))
        plane = (places[i + 2], places[i + 1], aside, across, down)
        _cover_narrow((top, bottom, clip[1]), first, targets, edges, plane, scratch[0])
        return False
    for y in range(top, bottom):
        left, right = _limits((ca + 256 * da * y) >> 8, sa, begin, end)
        left, right = _limits((cb + 256 * db * y) >> 8, sb, left, right)
        left, right = _limits((cc + 256 * dc * y) >> 8, sc, left, right)
        z = places[i + 2] + (F(y) + HALF - places[i + 1]) * down + aside
        near, shown = depth[y], ids[y - clip[1]]
        if mode == OPAQUE:
            for x in range(_cover_span(y, left, right, clip[1], targets, z, across, scratch[0]), right):
                here = z + F(x) * across
                if here < near[x]:
                    near[x] = here
                    shown[x] = np.int32(number)
        elif mode == MASKED:
            for x in range(left, right):
                here = z + F(x) * across
                if here < near[x] and _is_there(x, y, number, geometry, looks, scratch[0]):
                    near[x] = here
                    shown[x] = np.int32(number)
        else:
            for x in range(left, right):
                if mode == ERASE:
                    if shown[x] == number:
                        shown[x] = np.int32(-1)
                elif z + F(x) * across < near[x]:
                    if shown[x] >= 0:
                        return True
                    shown[x] = np.int32(number)
    return False


@njit(borrows=True)
def cover(blended, box, begin, end, rows, targets, geometry, looks, scratch):
    """Draw the triangles from `begin` up to `end` in a box, int64 (4): left, top, right, bottom. rows: see `triangles`.

    targets, scratch: see `targets_of` and `scratch_of`. blended: only numbers are written, and the first triangle that
    covers a pixel with a number is not drawn. Returns the number of that triangle, or `end`.
    """
    keys = geometry[4]
    for t in range(begin, end):
        top, bottom = max(np.int64(rows[t] & 0xFFFF), box[1]), min(np.int64(rows[t] >> 16), box[3])
        if top >= bottom:
            continue
        mode = MASKED if keys[t] & KEY_MASKED else OPAQUE
        scratch[1][0] = np.int32(t)
        for step in range(2):
            if blended:
                mode = MARK + step
            met = cover_triangle(mode, t, box, top, bottom, targets, geometry, looks, scratch)
            if step:
                return t
            if not met:
                break
    return end


@njit(borrows=True)
def _distances(row, x, y, geometry, eye, scratch):
    """Return the distances of eight pixels from a point, as parts of its range; any where a pixel has no triangle."""
    places, world, corners = geometry[0], geometry[1], geometry[3]
    numbers, words = scratch
    for lane in range(LANES):
        t = max(np.int64(row[x + lane]), 0)
        words[FIRST + lane], words[SECOND + lane] = corners[t, 0], corners[t, 1]
        words[THIRD + lane] = corners[t, 2]
    px, py = splat(F(x) + HALF) + load(numbers, LANE), splat(F(y) + HALF)
    ax, ay, _, aw = gather4(places, 4, 0, words, FIRST)
    bx, by, _, bw = gather4(places, 4, 0, words, SECOND)
    cx, cy, _, cw = gather4(places, 4, 0, words, THIRD)
    ax, ay, bx, by, cx, cy = ax - px, ay - py, bx - px, by - py, cx - px, cy - py
    a, b, c = (bx * cy - by * cx) * aw, (cx * ay - cy * ax) * bw, (ax * by - ay * bx) * cw
    inverse = splat(F(1)) / (a + b + c)
    ix, iy, iz, _ = gather4(world, WORLD, 0, words, FIRST)
    jx, jy, jz, _ = gather4(world, WORLD, 0, words, SECOND)
    kx, ky, kz, _ = gather4(world, WORLD, 0, words, THIRD)
    away_x = (a * ix + b * jx + c * kx) * inverse - splat(eye[0])
    away_y = (a * iy + b * jy + c * ky) * inverse - splat(eye[1])
    away_z = (a * iz + b * jz + c * kz) * inverse - splat(eye[2])
    length = sqrt(away_x * away_x + away_y * away_y + away_z * away_z) / splat(eye[3])
    return minimum(length, splat(F(1)))


@njit(borrows=True)
def resolve_depths(box, targets, geometry, eye, scratch, picture):
    """Draw depths into the box of a flat picture, at least eight wide: 0 near to 1 far, or distances from a point.

    eye: float32 (4): a point, and the distance that is drawn as 1; 0 there: the depth of clip space is drawn. The
    numbers in the box are -1 afterwards.
    """
    depths, ids, wide, stride = targets[2], targets[3], targets[0].shape[1], targets[1].shape[1]
    zero, half = splat(ZERO), splat(HALF)
    scratch[1][0] = np.int32(-1)
    for y in range(box[1], box[3]):
        row = targets[1][y - box[1]]
        for x in range(box[0], box[2], LANES):
            left = min(x, wide - LANES)
            at, to = y * wide + left, (y - box[1]) * stride + left
            seen = load(ids, to) >= zero  # the bits of -1 are those of no number
            if bits(seen) == 0:
                continue
            value = load(depths, at) * half + half
            if eye[3] > ZERO:
                value = _distances(row, left, y, geometry, eye, scratch)
            store(picture, at, select(seen, value, load(picture, at)))
            store(ids, to, splat(scratch[0][0]))
