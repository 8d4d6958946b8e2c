"""Kernels that add lights to pixels, with the formulas of `rish_lighting.formulas`.

The GLSL in `glsl/lights.frag` does the same steps in the same order. Row 0 is the top of the target.
"""

from __future__ import annotations

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, bits, load, maximum, minimum, pick, select, splat, store, store_whole

from ...post.kernels import spot

F = np.float32


@njit(inline="always")
def _place(back, offset, column, py):
    """Return a pixel's center relative to the light, units. py: its height above the target's lower edge, pixels."""
    px = F(column) + F(0.5)
    return back[0] * px + back[1] * py + offset[0], back[2] * px + back[3] * py + offset[1]


@njit(inline="always")
def _add(out, row, column, light, lit):
    """Add the fraction `lit` of a light's color to a pixel."""
    out[row, column, 0] += light[4] * lit
    out[row, column, 1] += light[5] * lit
    out[row, column, 2] += light[6] * lit


@njit(inline="always")
def _turn(x, y, near):
    slope = y / near
    return min(F(1) + slope if x >= F(0) else F(3) - slope, F(3.9999998))


@njit(inline="always")
def _free(x, y, maps, start, bins):
    """Return 1 if no edge blocks the light at (x, y), relative to the light, otherwise 0."""
    near = abs(x) + abs(y)
    u = _turn(x, y, max(near, F(1e-20)))
    at = np.int64(u * (F(bins) * F(0.25)))
    return F(1) if near <= maps[start + at] else F(0)


@njit(borrows=True)
def _asides(count, out):
    """Fill `out` with the places, -1 to 1, of the middles of `count` equal parts, and of more behind them."""
    for k in range(len(out)):
        out[k] = (F(k) + F(0.5)) * F(2) / F(count) - F(1)


@njit(borrows=True, forceinline=True)
def _texels(x, y, wide, asides, first, maps, start, bins, q):
    """Return the texels of a shadow map, and the distances, for eight directions beside that to (x, y)."""
    aside = splat(wide) * load(asides, first)
    wx, wy = splat(x) - splat(y) * aside, splat(y) + splat(x) * aside
    near = maximum(wx, -wx) + maximum(wy, -wy)
    slope = wy / maximum(near, splat(F(1e-20)))
    turn = minimum(select(wx >= splat(F(0)), splat(F(1)) + slope, splat(F(3)) - slope), splat(F(3.9999998)))
    store_whole(q, 0, turn * splat(F(bins) * F(0.25)))
    return pick(maps, 1, start, q, 0), near


@njit(borrows=True)
def _soft(x, y, maps, start, bins, size, nearest, search, taps, scratch):
    """Return the fraction of a light source of radius `size` that is visible from (x, y).

    Percentage-closer soft shadows (Fernando 2005) in two dimensions: the mean distance of the blockers gives the
    width of the penumbra, over which the shadow map is averaged. scratch: `_asides` of search and of taps, float32 (8),
    int32 (8).
    """
    d = np.sqrt(x * x + y * y)
    if nearest >= d * F(1.42):
        return F(1)
    near_asides, far_asides, s, q = scratch
    wide = min(size * max(F(1) / max(nearest * F(0.70711), size) - F(1) / d, F(0)), F(0.5))
    total, count = F(0), F(0)
    for first in range(0, search, LANES):
        texels, near = _texels(x, y, wide, near_asides, first, maps, start, bins, q)
        far = texels / near
        if bits(far < splat(F(1))):
            store(s, 0, far)
            for k in range(min(LANES, search - first)):
                total += s[k] if s[k] < F(1) else F(0)
                count += F(1) if s[k] < F(1) else F(0)
    if count == F(0):
        return F(1)
    wide = min(size / d * max(count / total - F(1), F(0)), F(0.5))
    free = 0
    for first in range(0, taps, LANES):
        texels, near = _texels(x, y, wide, far_asides, first, maps, start, bins, q)
        seen = bits(near <= texels) & ((1 << min(LANES, taps - first)) - 1)
        while seen:
            seen &= seen - 1
            free += 1
    return F(free) / F(taps)


@njit(inline="always")
def _attenuation(d, radius, half, power, falloff, window):
    if d >= radius:
        return F(0)
    base = F(1)  # base^power · window, see `rish_lighting.formulas`
    if falloff == 0:
        base = F(1) / (F(1) + d / half)
    elif falloff == 1:
        base = max(F(1) - d / radius, F(0))
    if power != F(1):
        base = max(base, F(1e-20)) ** power
    q = d / radius
    falling = F(1) - q * q
    return base * falling * falling if window > F(0) else base


@njit(inline="always")
def _facing(x, y, height, normals, px, py):
    """Return Lambert's cosine of the light's direction and the normal of a pixel, mixed with 1 where the normal covers
    only a part of the pixel.

    normals: float32 (h, w, 4), the unit vector and the fraction of the pixel that has one.
    """
    cover = normals[py, px, 3]
    if cover <= F(0):
        return F(1)
    length = max(np.sqrt(x * x + y * y + height * height), F(1e-20))
    cosine = (normals[py, px, 2] * height - normals[py, px, 0] * x - normals[py, px, 1] * y) / length
    return F(1) + (max(cosine, F(0)) - F(1)) * cover


@njit
def add_points(out, light, maps, normals, bumpy, back, offset, clip, search, taps, cookie, textured):
    """Add a point light, a spot, or a textured light. light: float32 (COLUMNS).

    back: float32 4, the matrix from pixels to units by rows; offset: float32 2, the position of pixel (0, 0), relative
    to the light. clip: int64 4, x0 y0 x1 y1 with row 0 on top. cookie: float32 (s, s, 4), linear color times opacity.
    """
    height = out.shape[0]
    radius, kind = light[2], np.int64(light[3])
    start, bins, shadow = np.int64(light[16]), np.int64(light[17]), np.int64(light[18])
    half, power, falloff, window = light[8], light[9], np.int64(light[10]), light[11]
    near_asides, far_asides = np.empty(search + LANES, np.float32), np.empty(taps + LANES, np.float32)
    _asides(search, near_asides)
    _asides(taps, far_asides)
    scratch = near_asides, far_asides, np.empty(LANES, np.float32), np.empty(LANES, np.int32)
    for row in range(clip[1], clip[3]):
        py = F(height - row) - F(0.5)
        for column in range(clip[0], clip[2]):
            x, y = _place(back, offset, column, py)
            d = np.sqrt(x * x + y * y)
            if d >= radius:
                continue
            lit = F(1)
            if shadow == 1:
                if _free(x, y, maps, start, bins) == F(0):
                    continue
            elif shadow == 2:
                lit = _soft(x, y, maps, start, bins, light[19], light[20], search, taps, scratch)
            lit *= _attenuation(d, radius, half, power, falloff, window)
            if kind == 1:  # a spot's cone: smoothstep of the cosine between the outer and the inner angle
                t = ((x * light[12] + y * light[13]) / max(d, F(1e-20)) - light[14]) / (light[15] - light[14])
                t = min(max(t, F(0)), F(1))
                lit *= t * t * (F(3) - F(2) * t)
            if bumpy:
                lit *= _facing(x, y, light[7], normals, column, row)
            if not textured:
                _add(out, row, column, light, lit)
            else:
                # place in the image, rotated with the light, then bilinear interpolation
                s = (x * light[12] + y * light[13]) / (F(2) * radius) + F(0.5)
                t = F(0.5) - (y * light[12] - x * light[13]) / (F(2) * radius)
                side = cookie.shape[0]
                (cx, nx, wx), (cy, ny, wy) = spot(s * F(side), side), spot(t * F(side), side)
                for c in range(3):
                    out[row, column, c] += light[4 + c] * lit * _mixed(cookie, cx, cy, nx, ny, wx, wy, c)


@njit(inline="always")
def _mixed(cookie, x, y, nx, ny, wx, wy, part):
    above = cookie[y, x, part] + (cookie[y, nx, part] - cookie[y, x, part]) * wx
    below = cookie[ny, x, part] + (cookie[ny, nx, part] - cookie[ny, x, part]) * wx
    return above + (below - above) * wy


@njit
def add_area(out, light, maps, normals, bumpy, back, offset, clip):
    """Add an area light: the mean of point lights on a line."""
    height, rows = out.shape[0], np.int64(light[15])
    start, bins, shadow = np.int64(light[16]), np.int64(light[17]), np.int64(light[18])
    line_x, line_y = -light[13] * light[14], light[12] * light[14]
    for row in range(clip[1], clip[3]):
        py = F(height - row) - F(0.5)
        for column in range(clip[0], clip[2]):
            x, y = _place(back, offset, column, py)
            total = F(0)
            for k in range(rows):
                share = (F(k) + F(0.5)) / F(rows) * F(2) - F(1)
                wx, wy = x - line_x * share, y - line_y * share
                d = np.sqrt(wx * wx + wy * wy)
                part = _attenuation(d, light[2], light[8], light[9], np.int64(light[10]), light[11])
                if part <= F(0):
                    continue
                if bumpy:
                    part *= _facing(wx, wy, light[7], normals, column, row)
                if shadow > 0:
                    part *= _free(wx, wy, maps, start + k * bins, bins)
                total += part
            _add(out, row, column, light, total / F(rows))


@njit
def add_sun(out, light, maps, normals, bumpy, back, offset, clip):
    """Add a directional light."""
    height, rows = out.shape[0], np.int64(light[15])
    start, bins, shadow = np.int64(light[16]), np.int64(light[17]), np.int64(light[18])
    ux, uy = light[12], light[13]
    for row in range(clip[1], clip[3]):
        py = F(height - row) - F(0.5)
        for column in range(clip[0], clip[2]):
            x, y = _place(back, offset, column, py)
            lit = F(1)
            if shadow > 0:
                # distance along the light, and the number of the strip across it; see `shadows.kernels.cast_sun`
                t, s = x * ux + y * uy + light[22], (y * ux - x * uy + light[20]) / light[21]
                strip = min(max(np.int64(s), 0), bins - 1)
                stretch = min(max(np.int64(t / light[23]), 0), rows - 1)
                if maps[start + 2 * stretch * bins + strip] < t:
                    continue
                if stretch > 0 and maps[start + (2 * stretch - 1) * bins + strip] >= t - light[23]:
                    continue
            if bumpy:
                lit *= _facing(ux * light[7], uy * light[7], light[7], normals, column, row)
            _add(out, row, column, light, lit)


@njit
def add_gradient(out, light, back, offset, clip):
    """Add ambient light with a linear gradient from one color to another."""
    height = out.shape[0]
    wx, wy = light[14] - light[12], light[15] - light[13]
    length = max(wx * wx + wy * wy, F(1e-20))
    for row in range(clip[1], clip[3]):
        py = F(height - row) - F(0.5)
        for column in range(clip[0], clip[2]):
            x, y = _place(back, offset, column, py)
            x, y = x - light[12], y - light[13]  # projected onto the axis of the gradient
            share = min(max((x * wx + y * wy) / length, F(0)), F(1))
            for c in range(3):
                out[row, column, c] += light[8 + c] + (light[4 + c] - light[8 + c]) * share


@njit
def read_normals(source, first, last, out):
    """Fill rows of `out`, float32 (H, W, 4), with a unit vector and its coverage for each pixel of light.

    first, last: the rows, without the last. source: the channel `normal`, uint8 (h, w, 4), interpolated bilinearly. Its
    red and green are x and y, 0.5 for 0; blue is the fraction of the pixel that has a normal. Red and green are
    premultiplied by blue.
    """
    high, wide = out.shape[0], out.shape[1]
    same = source.shape[0] == high and source.shape[1] == wide
    for row in range(first, last):
        fy = (F(row) + F(0.5)) * F(source.shape[0]) / F(high) - F(0.5)
        y0 = np.int64(np.floor(fy))
        ty = fy - F(y0)
        y1 = min(y0 + 1, source.shape[0] - 1)
        y0 = max(y0, 0)
        for column in range(wide):
            fx = (F(column) + F(0.5)) * F(source.shape[1]) / F(wide) - F(0.5)
            x0 = np.int64(np.floor(fx))
            tx = fx - F(x0)
            x1 = min(x0 + 1, source.shape[1] - 1)
            x0 = max(x0, 0)
            for c in range(3):
                if same:
                    out[row, column, c] = F(source[row, column, c]) / F(255)
                    continue
                above = F(source[y0, x0, c]) * (F(1) - tx) + F(source[y0, x1, c]) * tx
                below = F(source[y1, x0, c]) * (F(1) - tx) + F(source[y1, x1, c]) * tx
                out[row, column, c] = (above * (F(1) - ty) + below * ty) / F(255)
            cover = out[row, column, 2]
            out[row, column, 3] = cover
            if cover <= F(0):
                continue
            nx, ny = out[row, column, 0] / cover * F(2) - F(1), out[row, column, 1] / cover * F(2) - F(1)
            nz = np.sqrt(max(F(1) - nx * nx - ny * ny, F(0)))
            length = max(np.sqrt(nx * nx + ny * ny + nz * nz), F(1e-20))
            out[row, column, 0], out[row, column, 1], out[row, column, 2] = nx / length, ny / length, nz / length
