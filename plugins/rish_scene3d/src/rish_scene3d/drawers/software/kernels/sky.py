"""Draws the sky; the formulas are those of `light.around`."""

from __future__ import annotations

import numpy as np

from rish_jit import njit, simd
from rish_jit.simd import floor, gather4, load, maximum, minimum, select, splat, sqrt, store, store_whole

from ....layout import DISC, FAR, ORTHOGRAPHIC, SKY_LIGHT, SKY_TURN, STARS, SUN_AXIS, SUN_COLOR
from ....light.environment_light import DISC_LIGHT, MAX_STAR_RADIUS, STAR_CELLS, STAR_RADIUS, STAR_SHARE
from . import slots as at
from .light import finish

F = np.float32
LANES = simd.LANES
TURN, HALF_TURN, QUARTER = F(2 * np.pi), F(np.pi), F(np.pi / 2)
SEEN_X, SEEN_Y, SEEN_Z = at.SX, at.SY, at.SZ
"""Slots of directions as the sky sees them."""


@njit(borrows=True)
def arc(y, x):
    """Return the angle of (x, y) for eight points, within 1e-6: Abramowitz and Stegun 1964, formula 4.4.49."""
    zero, one = splat(F(0)), splat(F(1))
    ax, ay = maximum(x, -x), maximum(y, -y)
    t = minimum(ax, ay) / maximum(maximum(ax, ay), splat(F(1e-30)))
    t2 = t * t
    sum_ = splat(F(-0.0161657367)) + t2 * splat(F(0.0028662257))
    sum_ = splat(F(-0.0752896400)) + t2 * (splat(F(0.0429096138)) + t2 * sum_)
    sum_ = splat(F(-0.1420889944)) + t2 * (splat(F(0.1065626393)) + t2 * sum_)
    sum_ = splat(F(-0.3333314528)) + t2 * (splat(F(0.1999355085)) + t2 * sum_)
    angle = t * (one + t2 * sum_)
    angle = select(ay > ax, splat(QUARTER) - angle, angle)
    angle = select(x < zero, splat(HALF_TURN) - angle, angle)
    return select(y < zero, -angle, angle)


@njit(borrows=True)
def _aim(row, left, n, scene, view, s):
    """Fill the slots of the directions of pixels in a row, of the ways to them, and of what the sky sees."""
    viewport, lens, back = view[2], view[3], view[4]
    c, d = splat(np.cos(scene[SKY_TURN])), splat(np.sin(scene[SKY_TURN]))
    up = F(1) - (F(row) + F(0.5) - viewport[1]) / viewport[3] * F(2)
    for i in range(n):
        s[at.PX + i] = (F(left + i) + F(0.5) - viewport[0]) / viewport[2] * F(2) - F(1)
    for i in range(0, n, LANES):
        rx = (load(s, at.PX + i) + splat(lens[2])) / splat(lens[0])
        ry, rz = splat((up + lens[6]) / lens[5]), splat(F(-1))
        if scene[ORTHOGRAPHIC] > F(0.5):
            rx, ry = splat(F(0)), splat(F(0))
        x = splat(back[0]) * rx + splat(back[1]) * ry + splat(back[2]) * rz
        y = splat(back[4]) * rx + splat(back[5]) * ry + splat(back[6]) * rz
        z = splat(back[8]) * rx + splat(back[9]) * ry + splat(back[10]) * rz
        length = splat(F(1)) / sqrt(x * x + y * y + z * z)
        x, y, z = x * length, y * length, z * length
        store(s, at.EX + i, x)
        store(s, at.EY + i, y)
        store(s, at.EZ + i, z)
        store(s, SEEN_X + i, c * x - d * z)
        store(s, SEEN_Y + i, y)
        store(s, SEEN_Z + i, d * x + c * z)
        far = splat(scene[FAR])
        store(s, at.WX + i, splat(scene[0]) + x * far)
        store(s, at.WY + i, splat(scene[1]) + y * far)
        store(s, at.WZ + i, splat(scene[2]) + z * far)


@njit(borrows=True)
def _read_picture(picture, high, wide, light, n, s, q):
    """Set the light to that of the picture. picture: float32, flat, four numbers a texel. light: a factor."""
    one, half, zero = splat(F(1)), splat(F(0.5)), splat(F(0))
    w, h = splat(F(wide)), splat(F(high))
    for i in range(0, n, LANES):
        x, y, z = load(s, SEEN_X + i), load(s, SEEN_Y + i), load(s, SEEN_Z + i)
        u = zero
        if wide > 1:
            u = (arc(x, -z) / splat(TURN) + half) * w - half
        fall = arc(sqrt(maximum(one - y * y, zero)), y) / splat(HALF_TURN)
        v = minimum(maximum(fall * h - half, zero), h - one)
        left, top = floor(u), floor(v)
        fu, fv = u - left, v - top
        right, below = left + one, minimum(top + one, h - one)
        left, right = left - w * floor(left / w), right - w * floor(right / w)
        store_whole(q, at.X0 + i, top * w + left)
        store_whole(q, at.X1 + i, top * w + right)
        store_whole(q, at.Y0 + i, below * w + left)
        store_whole(q, at.Y1 + i, below * w + right)
        a, b = gather4(picture, 4, 0, q, at.X0 + i), gather4(picture, 4, 0, q, at.X1 + i)
        c, d = gather4(picture, 4, 0, q, at.Y0 + i), gather4(picture, 4, 0, q, at.Y1 + i)
        p, r, t, o = (one - fu) * (one - fv), fu * (one - fv), (one - fu) * fv, fu * fv
        store(s, at.LR + i, (a[0] * p + b[0] * r + c[0] * t + d[0] * o) * splat(light))
        store(s, at.LG + i, (a[1] * p + b[1] * r + c[1] * t + d[1] * o) * splat(light))
        store(s, at.LB + i, (a[2] * p + b[2] * r + c[2] * t + d[2] * o) * splat(light))


@njit(borrows=True)
def _star(x, y, z, brightness, pixel):
    """Return the light of the stars in one direction."""
    ax, ay, az = abs(x), abs(y), abs(z)
    if ax >= ay and ax >= az:
        face, depth, up = (0, ax, y) if x >= 0 else (1, ax, y)
        right = z if x >= 0 else -z
    elif ay >= az:
        face, depth, right = (2, ay, x) if y >= 0 else (3, ay, x)
        up = z if y >= 0 else -z
    else:
        face, depth, up = (4, az, y) if z >= 0 else (5, az, y)
        right = -x if z >= 0 else x
    right, up = right / depth, up / depth
    cells = F(STAR_CELLS)
    column = min(max((right * F(0.5) + F(0.5)) * cells, F(0)), cells - F(1))
    row = min(max((up * F(0.5) + F(0.5)) * cells, F(0)), cells - F(1))
    column, row = np.floor(column), np.floor(row)
    number = (face * STAR_CELLS + np.int64(row)) * STAR_CELLS + np.int64(column)
    state = (number * 747796405 + 2891336453) & 0xFFFFFFFF
    word = (((state >> ((state >> 28) + 4)) ^ state) * 277803737) & 0xFFFFFFFF
    bits = (word >> 22) ^ word
    if bits & 255 >= STAR_SHARE:
        return F(0)
    cell_x = column + F(0.25) + F((bits >> 8) & 255) / F(512)
    cell_y = row + F(0.25) + F((bits >> 16) & 255) / F(512)
    a, b = cell_x / cells * F(2) - F(1) - right, cell_y / cells * F(2) - F(1) - up
    stretch = F(1) + right * right + up * up
    along = a * right + b * up
    across = (a * a + b * b - along * along / stretch) / stretch
    radius = min(max(F(STAR_RADIUS), pixel), F(MAX_STAR_RADIUS))
    power = F((bits >> 24) & 255) / F(255)
    spot = min(max(F(1) - across / (radius * radius), F(0)), F(1))
    share = F(STAR_RADIUS) / radius
    return power * power * power * share * share * spot * spot * min(max(y * F(6), F(0)), F(1)) * brightness


@njit(borrows=True)
def _add_discs(suns, radius, pixel, n, s):
    """Add the discs of suns."""
    power = min(F(1) / (radius * radius), F(DISC_LIGHT))
    half, one, zero = splat(F(0.5)), splat(F(1)), splat(F(0))
    for k in range(suns.shape[0]):
        for i in range(0, n, LANES):
            x = load(s, at.EX + i) + splat(suns[k, SUN_AXIS])
            y = load(s, at.EY + i) + splat(suns[k, SUN_AXIS + 1])
            z = load(s, at.EZ + i) + splat(suns[k, SUN_AXIS + 2])
            inside = (splat(radius) - sqrt(x * x + y * y + z * z)) / splat(pixel) + half
            inside = minimum(maximum(inside, zero), one) * splat(power)
            for channel in range(3):
                to = at.LR + channel * at.BLOCK + i
                store(s, to, load(s, to) + inside * splat(suns[k, SUN_COLOR + channel]))


@njit(borrows=True)
def sky_rows(box, picture, size, suns, scene, view, out, s, q):
    """Draw the sky into a box, int64 (4): left, top, right, bottom, of `out`, float32 (h, w, 4).

    picture: float32, flat, four numbers a texel; size: its height and width. view: see `shade`. s, q: see `slots`.
    """
    pixel = F(2) / (view[3][5] * view[2][3])
    for k in range(3):
        for i in range(at.BLOCK):
            s[at.ER + k * at.BLOCK + i] = F(0)
    for y in range(box[1], box[3]):
        for left in range(box[0], box[2], at.BLOCK):
            count = min(box[2] - left, at.BLOCK)
            n = (count + LANES - 1) // LANES * LANES
            _aim(y, left, n, scene, view, s)
            _read_picture(picture, size[0], size[1], scene[SKY_LIGHT], n, s, q)
            if scene[STARS] > F(0):
                for i in range(count):
                    seen_y = s[SEEN_Y + i]
                    if seen_y > F(0):
                        light = _star(s[SEEN_X + i], seen_y, s[SEEN_Z + i], scene[STARS], pixel)
                        s[at.LR + i] += light
                        s[at.LG + i] += light
                        s[at.LB + i] += light
            if scene[DISC] > F(0):
                _add_discs(suns, scene[DISC], pixel, n, s)
            for i in range(n):  # fog begins at the eye, for an orthographic camera as well
                s[at.DEPTH + i] = -scene[FAR]
            finish(scene, n, s)
            for i in range(count):
                shown = out[y, left + i]
                shown[0], shown[1], shown[2], shown[3] = s[at.LR + i], s[at.LG + i], s[at.LB + i], F(1)
