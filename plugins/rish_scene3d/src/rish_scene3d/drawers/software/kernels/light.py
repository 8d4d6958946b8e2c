"""Adds the light of suns and lamps to the pixels of a block, then fog; the formulas are those of `light.formulas`."""

from __future__ import annotations

import numpy as np

from rish_jit import njit, simd
from rish_jit.simd import bits, load, maximum, minimum, select, splat, sqrt, store

from ....layout import (
    EXPOSURE,
    EYE,
    FOG_BASE,
    FOG_COLOR,
    FOG_DENSITY,
    FOG_FALL,
    LAMP_ANGLE,
    LAMP_AXIS,
    LAMP_COLOR,
    LAMP_INNER,
    LAMP_MAP,
    LAMP_PLACE,
    LAMP_RANGE,
    ORTHOGRAPHIC,
    SUN_AXIS,
    SUN_COLOR,
    SUN_MAP,
)  # fmt: skip
from . import slots as at
from .gloss import powers, summed
from .shadow import lamp_share, sun_share

F = np.float32
LANES = simd.LANES


@njit(borrows=True)
def _reflect(s, i, way, nl, share, color):
    """Add to the light of eight pixels what they reflect of a light, by GGX.

    way: three vectors, the direction to the light. nl: its cosine with the normal, not below 0. share: of the light
    that arrives. color: float32 (3 or more).
    """
    zero, one = splat(F(0)), splat(F(1))
    x, y, z = load(s, at.EX + i) + way[0], load(s, at.EY + i) + way[1], load(s, at.EZ + i) + way[2]
    length = one / maximum(sqrt(x * x + y * y + z * z), splat(F(1e-20)))
    x, y, z = x * length, y * length, z * length
    nh = load(s, at.SX + i) * x + load(s, at.SY + i) * y + load(s, at.SZ + i) * z
    vh = load(s, at.EX + i) * x + load(s, at.EY + i) * y + load(s, at.EZ + i) * z
    nh, t = minimum(maximum(nh, zero), one), one - minimum(maximum(vh, zero), one)
    fresnel = (t * t) * (t * t) * t
    nv, alpha = maximum(load(s, at.NV + i), splat(F(1e-4))), load(s, at.ALPHA + i)
    a2 = alpha * alpha
    below = nh * nh * (a2 - one) + one
    masked = nl * sqrt(nv * nv * (one - a2) + a2) + nv * sqrt(nl * nl * (one - a2) + a2)
    shine = a2 * splat(F(0.5)) / (maximum(below * below, splat(F(1e-12))) * maximum(masked, splat(F(1e-7))))
    parts = powers(minimum(nl, one))
    matt, more = maximum(summed(s, at.MATT, i, parts), zero), maximum(summed(s, at.MORE, i, parts), zero)
    share = share * nl
    for channel in range(3):
        to = channel * at.BLOCK + i
        f0 = load(s, at.F0R + to)
        part = load(s, at.DR + to) * matt + shine * (f0 + (one - f0) * fresnel) + load(s, at.MR + to) * more
        store(s, at.LR + to, load(s, at.LR + to) + part * share * splat(color[channel]))


@njit(borrows=True)
def _reflect_phong(s, i, way, nl, share, color):
    """Add to the light of eight pixels what they reflect of a light, by Phong; otherwise like `_reflect`."""
    zero = splat(F(0))
    twice = splat(F(2)) * nl
    along = (twice * load(s, at.SX + i) - way[0]) * load(s, at.EX + i)
    along = along + (twice * load(s, at.SY + i) - way[1]) * load(s, at.EY + i)
    along = along + (twice * load(s, at.SZ + i) - way[2]) * load(s, at.EZ + i)
    store(s, at.ALPHA + i, select(nl > zero, along, zero))
    for k in range(i, i + LANES):
        along_one = s[at.ALPHA + k]
        s[at.ALPHA + k] = s[at.METAL + k] * along_one ** s[at.ROUGH + k] if along_one > F(0) else F(0)
    shine = load(s, at.ALPHA + i)
    for channel in range(3):
        to = channel * at.BLOCK + i
        part = (load(s, at.BR + to) * nl + shine) * share
        store(s, at.LR + to, load(s, at.LR + to) + part * splat(color[channel]))


@njit(borrows=True)
def add_sun(sun, shades, shaded, phong, n, s, q):
    """Add the light of a sun."""
    zero = splat(F(0))
    way = (splat(-sun[SUN_AXIS]), splat(-sun[SUN_AXIS + 1]), splat(-sun[SUN_AXIS + 2]))
    for i in range(0, n, LANES):
        nl = load(s, at.SX + i) * way[0] + load(s, at.SY + i) * way[1] + load(s, at.SZ + i) * way[2]
        nl = maximum(nl, zero)
        if bits(nl > zero) == 0:
            continue
        share = splat(F(1))
        if shaded and sun[SUN_MAP] >= F(0):
            share = sun_share(sun, shades[np.int64(sun[SUN_MAP])], s, q, i)
            if bits(share > zero) == 0:
                continue
        if phong:
            _reflect_phong(s, i, way, nl, share, sun[SUN_COLOR:])
        else:
            _reflect(s, i, way, nl, share, sun[SUN_COLOR:])


@njit(borrows=True)
def add_lamp(lamp, shades, shaded, phong, n, s, q):
    """Add the light of a lamp or a spot."""
    zero, one = splat(F(0)), splat(F(1))
    reach = splat(F(1) / (lamp[LAMP_RANGE] * lamp[LAMP_RANGE]))
    spot = lamp[LAMP_ANGLE] > F(-1)
    for i in range(0, n, LANES):
        x = splat(lamp[LAMP_PLACE]) - load(s, at.WX + i)
        y = splat(lamp[LAMP_PLACE + 1]) - load(s, at.WY + i)
        z = splat(lamp[LAMP_PLACE + 2]) - load(s, at.WZ + i)
        square = maximum(x * x + y * y + z * z, splat(F(1e-12)))
        ratio = square * reach
        nl = load(s, at.SX + i) * x + load(s, at.SY + i) * y + load(s, at.SZ + i) * z
        if bits((ratio < one) & (nl > zero)) == 0:
            continue
        length = one / sqrt(square)
        way = (x * length, y * length, z * length)
        nl = maximum(nl * length, zero)
        window = maximum(one - ratio * ratio, zero)
        share = window * window / maximum(square, splat(F(1e-4)))
        if spot:
            cosine = way[0] * splat(lamp[LAMP_AXIS]) + way[1] * splat(lamp[LAMP_AXIS + 1])
            cosine = -(cosine + way[2] * splat(lamp[LAMP_AXIS + 2]))
            wide = splat(F(1) / (lamp[LAMP_INNER] - lamp[LAMP_ANGLE]))
            cone = minimum(maximum((cosine - splat(lamp[LAMP_ANGLE])) * wide, zero), one)
            share = share * cone * cone
            if bits(share > zero) == 0:
                continue
        if shaded and lamp[LAMP_MAP] >= F(0):
            share = share * lamp_share(lamp, shades[np.int64(lamp[LAMP_MAP])], s, q, i)
            if bits(share > zero) == 0:
                continue
        if phong:
            _reflect_phong(s, i, way, nl, share, lamp[LAMP_COLOR:])
        else:
            _reflect(s, i, way, nl, share, lamp[LAMP_COLOR:])


@njit(borrows=True, forceinline=True)
def exponential(x):
    """Return e**x for x from -80 to 40: a series for x/256, squared eight times; relative error below 1e-4."""
    y = x * splat(F(1 / 256))
    y2 = y * y
    e = splat(F(1)) + y + y2 * (splat(F(0.5)) + y * splat(F(1 / 6)) + y2 * (splat(F(1 / 24)) + y * splat(F(1 / 120))))
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    return e * e


@njit(borrows=True)
def finish(scene, n, s):
    """Add the emitted light, then fog, and multiply by the exposure."""
    zero, one = splat(F(0)), splat(F(1))
    fall = splat(scene[FOG_FALL])
    for i in range(0, n, LANES):
        share = one
        if scene[FOG_DENSITY] > F(0):
            x, y, z = load(s, at.WX + i), load(s, at.WY + i), load(s, at.WZ + i)
            ex, ey, ez = splat(scene[EYE]), splat(scene[EYE + 1]), splat(scene[EYE + 2])
            if scene[ORTHOGRAPHIC] > F(0.5):
                depth = load(s, at.DEPTH + i)
                ex, ey = x + load(s, at.EX + i) * depth, y + load(s, at.EY + i) * depth
                ez = z + load(s, at.EZ + i) * depth
            x, z = x - ex, z - ez
            wy = y - ey
            length, rise = sqrt(x * x + wy * wy + z * z), fall * wy
            ahead = fall * (ey - splat(scene[FOG_BASE]))
            start = exponential(-minimum(maximum(ahead, splat(F(-40))), splat(F(40))))
            level = maximum(rise, -rise) < splat(F(1e-3))
            safe = select(level, one, minimum(maximum(rise, splat(F(-40))), splat(F(40))))
            mean = select(level, one - rise * splat(F(0.5)), (one - exponential(-safe)) / safe)
            thick = splat(scene[FOG_DENSITY]) * start * mean * length
            share = exponential(-minimum(thick, splat(F(80))))
        for channel in range(3):
            to = channel * at.BLOCK + i
            light = load(s, at.LR + to) + load(s, at.ER + to)
            light = light * share + splat(scene[FOG_COLOR + channel]) * (one - share)
            store(s, at.LR + to, maximum(light * splat(scene[EXPOSURE]), zero))
