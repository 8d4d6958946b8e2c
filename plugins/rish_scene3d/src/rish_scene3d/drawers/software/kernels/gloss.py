"""Prepares the pixels of a block for light: the way to the eye, the terms of the sheet's `gloss`, the light of the sky.

The formulas are those of `light.formulas` and `light.around`, in the same order.
"""

from __future__ import annotations

import numpy as np

from rish_jit import njit, simd
from rish_jit.simd import floor, gather4, load, maximum, minimum, select, splat, sqrt, store, store_whole

from ....layout import AMBIENT_STRENGTH, ATLAS_LEVELS, ATLAS_SIDE, EYE, ORTHOGRAPHIC, SKY_TURN
from ....light.albedo import MEANS
from ....light.formulas import COAT, MIN_ROUGHNESS
from . import slots as at

F = np.float32
LANES = simd.LANES
M0, M1, M2, M3, M4, M5 = (F(mean) for mean in MEANS)
C, REST = F(COAT), F(1 - COAT)


@njit(borrows=True, forceinline=True)
def powers(cosine):
    """Return t, t**4, t**8, t**16 and t**32 of t = 1 - cosine; the cosine is 0 to 1."""
    t = splat(F(1)) - cosine
    t4 = (t * t) * (t * t)
    t8 = t4 * t4
    t16 = t8 * t8
    return t, t4, t8, t16, t16 * t16


@njit(borrows=True, forceinline=True)
def summed(s, slots, i, t):
    """Return the sum of six slots times the powers `t`."""
    low = load(s, slots[0] + i) + load(s, slots[1] + i) * t[0] + load(s, slots[2] + i) * t[1]
    return low + (load(s, slots[3] + i) * t[2] + load(s, slots[4] + i) * t[3] + load(s, slots[5] + i) * t[4])


@njit(borrows=True)
def look_back(scene, back, n, s):
    """Fill the slots of the way to the eye, and of its cosine with the normal.

    back: float32 (3), from the scene to an orthographic camera.
    """
    for i in range(0, n, LANES):
        x = splat(scene[EYE]) - load(s, at.WX + i)
        y = splat(scene[EYE + 1]) - load(s, at.WY + i)
        z = splat(scene[EYE + 2]) - load(s, at.WZ + i)
        if scene[ORTHOGRAPHIC] > F(0.5):
            x, y, z = splat(back[0]), splat(back[1]), splat(back[2])
        length = splat(F(1)) / maximum(sqrt(x * x + y * y + z * z), splat(F(1e-20)))
        x, y, z = x * length, y * length, z * length
        store(s, at.EX + i, x)
        store(s, at.EY + i, y)
        store(s, at.EZ + i, z)
        store(s, at.NV + i, load(s, at.SX + i) * x + load(s, at.SY + i) * y + load(s, at.SZ + i) * z)


@njit(borrows=True)
def read_sky(scene, atlas, n, s, q):
    """Fill the slots of the mirrored sky. atlas: float32, flat, four numbers a texel."""
    c, d = splat(np.cos(scene[SKY_TURN])), splat(np.sin(scene[SKY_TURN]))
    zero, one, half = splat(F(0)), splat(F(1)), splat(F(0.5))
    for i in range(0, n, LANES):
        twice = load(s, at.NV + i) * splat(F(2))
        a = twice * load(s, at.SX + i) - load(s, at.EX + i)
        y = twice * load(s, at.SY + i) - load(s, at.EY + i)
        b = twice * load(s, at.SZ + i) - load(s, at.EZ + i)
        x, z = c * a - d * b, d * a + c * b
        size = maximum(x, -x) + maximum(y, -y) + maximum(z, -z)
        p, r = x / size, z / size
        outer_p = (one - maximum(r, -r)) * select(p >= zero, one, -one)
        outer_r = (one - maximum(p, -p)) * select(r >= zero, one, -one)
        most = splat(F(ATLAS_SIDE - 1))
        u = (select(y >= zero, p, outer_p) * half + half) * most
        v = (select(y >= zero, r, outer_r) * half + half) * most
        level = minimum(maximum(load(s, at.ROUGH + i), zero), one) * splat(F(ATLAS_LEVELS - 1))
        lower = minimum(floor(level), splat(F(ATLAS_LEVELS - 2)))
        left, top = minimum(floor(u), most - one), minimum(floor(v), most - one)
        side = splat(F(ATLAS_SIDE))
        store_whole(q, at.X0 + i, (lower * side + top) * side + left)
        fu, fv, part = u - left, v - top, level - lower
        parts = ((one - fu) * (one - fv), fu * (one - fv), (one - fu) * fv, fu * fv)
        red = green = blue = zero
        for k in range(2):
            share = part if k else one - part
            above = 4 * ATLAS_SIDE * ATLAS_SIDE * k
            below = above + 4 * ATLAS_SIDE
            e, f = gather4(atlas, 4, above, q, at.X0 + i), gather4(atlas, 4, above + 4, q, at.X0 + i)
            g, h = gather4(atlas, 4, below, q, at.X0 + i), gather4(atlas, 4, below + 4, q, at.X0 + i)
            red = red + (e[0] * parts[0] + f[0] * parts[1] + g[0] * parts[2] + h[0] * parts[3]) * share
            green = green + (e[1] * parts[0] + f[1] * parts[1] + g[1] * parts[2] + h[1] * parts[3]) * share
            blue = blue + (e[2] * parts[0] + f[2] * parts[1] + g[2] * parts[2] + h[2] * parts[3]) * share
        store(s, at.AR + i, red)
        store(s, at.AG + i, green)
        store(s, at.AB + i, blue)


@njit(borrows=True)
def _ambient(ambient, channel, x, y, z):
    """Return the light of the sky of one channel on a matt surface."""
    three, one, a = splat(F(3)), splat(F(1)), ambient[:, channel]
    total = splat(a[0]) + splat(a[1]) * y + splat(a[2]) * z + splat(a[3]) * x + splat(a[4]) * (x * y)
    total = total + splat(a[5]) * (y * z) + splat(a[6]) * (three * z * z - one)
    total = total + splat(a[7]) * (x * z) + splat(a[8]) * (x * x - y * y)
    return maximum(total, splat(F(0)))


@njit(borrows=True)
def prepare_phong(scene, ambient, n, s):
    """Set the light to that of the sky, by Phong."""
    for i in range(0, n, LANES):
        x, y, z = load(s, at.SX + i), load(s, at.SY + i), load(s, at.SZ + i)
        share = load(s, at.OCCLUSION + i) * splat(scene[AMBIENT_STRENGTH])
        for channel in range(3):
            place = channel * at.BLOCK + i
            store(s, at.LR + place, _ambient(ambient, channel, x, y, z) * load(s, at.BR + place) * share)


@njit(borrows=True)
def _mix_albedo(albedo, n, s, q):
    """Fill the slots MATT and MORE with the factors of E and B for the roughness of each pixel."""
    uniform = True
    for i in range(1, n):
        uniform = uniform and s[at.ROUGH + i] == s[at.ROUGH]
    if uniform:
        place = min(max(s[at.ROUGH], F(MIN_ROUGHNESS)), F(1)) * F(31)
        row = min(np.int64(place), 30)
        part = place - F(row)
        for k in range(12):
            mixed = splat(albedo[12 * row + k] * (F(1) - part) + albedo[12 * row + 12 + k] * part)
            for i in range(0, n, LANES):
                store(s, at.MATT[0] + k * at.BLOCK + i, mixed)
        return
    for i in range(0, n, LANES):
        rough = minimum(maximum(load(s, at.ROUGH + i), splat(F(MIN_ROUGHNESS))), splat(F(1)))
        place = rough * splat(F(31))
        row = minimum(floor(place), splat(F(30)))
        part = place - row
        left = splat(F(1)) - part
        store_whole(q, at.X0 + i, row)
        for k in range(0, 12, 4):
            a, b = gather4(albedo, 12, k, q, at.X0 + i), gather4(albedo, 12, 12 + k, q, at.X0 + i)
            to = at.MATT[0] + k * at.BLOCK + i
            store(s, to, a[0] * left + b[0] * part)
            store(s, to + at.BLOCK, a[1] * left + b[1] * part)
            store(s, to + 2 * at.BLOCK, a[2] * left + b[2] * part)
            store(s, to + 3 * at.BLOCK, a[3] * left + b[3] * part)


@njit(borrows=True)
def prepare_gloss(scene, ambient, albedo, n, s, q):
    """Fill the slots of `gloss`, and set the light to that of the sky. albedo: float32, flat, 12 numbers a row."""
    zero, one, tiny = splat(F(0)), splat(F(1)), splat(F(1e-4))
    coat, rest = splat(C), splat(REST)
    _mix_albedo(albedo, n, s, q)
    for i in range(0, n, LANES):
        rough = minimum(maximum(load(s, at.ROUGH + i), splat(F(MIN_ROUGHNESS))), one)
        store(s, at.ALPHA + i, rough * rough)
        w0, w1, w2 = load(s, at.MATT[0] + i), load(s, at.MATT[1] + i), load(s, at.MATT[2] + i)
        w3, w4, w5 = load(s, at.MATT[3] + i), load(s, at.MATT[4] + i), load(s, at.MATT[5] + i)
        b0, b1, b2 = load(s, at.MORE[0] + i), load(s, at.MORE[1] + i), load(s, at.MORE[2] + i)
        b3, b4, b5 = load(s, at.MORE[3] + i), load(s, at.MORE[4] + i), load(s, at.MORE[5] + i)
        m0, m1, m2 = splat(M0), splat(M1), splat(M2)
        m3, m4, m5 = splat(M3), splat(M4), splat(M5)
        lost = (one - w0) * m0 - w1 * m1 - w2 * m2 - w3 * m3 - w4 * m4 - w5 * m5
        t0, t1, t2 = one - coat * w0 - rest * b0, zero - coat * w1 - rest * b1, zero - coat * w2 - rest * b2
        t3, t4, t5 = zero - coat * w3 - rest * b3, zero - coat * w4 - rest * b4, zero - coat * w5 - rest * b5
        through = t0 * m0 + t1 * m1 + t2 * m2 + t3 * m3 + t4 * m4 + t5 * m5
        lost, through = maximum(lost, tiny), maximum(through, tiny)
        f, g = one / sqrt(through), one / sqrt(lost)
        t0, t1, t2, t3, t4, t5 = t0 * f, t1 * f, t2 * f, t3 * f, t4 * f, t5 * f
        o0, o1, o2, o3, o4, o5 = (one - w0) * g, -w1 * g, -w2 * g, -w3 * g, -w4 * g, -w5 * g
        store(s, at.MATT[0] + i, t0)
        store(s, at.MATT[1] + i, t1)
        store(s, at.MATT[2] + i, t2)
        store(s, at.MATT[3] + i, t3)
        store(s, at.MATT[4] + i, t4)
        store(s, at.MATT[5] + i, t5)
        store(s, at.MORE[0] + i, o0)
        store(s, at.MORE[1] + i, o1)
        store(s, at.MORE[2] + i, o2)
        store(s, at.MORE[3] + i, o3)
        store(s, at.MORE[4] + i, o4)
        store(s, at.MORE[5] + i, o5)
        p1, p4, p8, p16, p32 = powers(minimum(maximum(load(s, at.NV + i), tiny), one))
        matt = maximum(t0 + t1 * p1 + t2 * p4 + t3 * p8 + t4 * p16 + t5 * p32, zero)
        more = maximum(o0 + o1 * p1 + o2 * p4 + o3 * p8 + o4 * p16 + o5 * p32, zero)
        whole = minimum(maximum(w0 + w1 * p1 + w2 * p4 + w3 * p8 + w4 * p16 + w5 * p32, zero), one)
        bright = minimum(maximum(b0 + b1 * p1 + b2 * p4 + b3 * p8 + b4 * p16 + b5 * p32, zero), one)
        passed = one - coat * whole - rest * bright
        x, y, z = load(s, at.SX + i), load(s, at.SY + i), load(s, at.SZ + i)
        metal, kept = load(s, at.METAL + i), one - lost
        share = load(s, at.OCCLUSION + i) * splat(scene[AMBIENT_STRENGTH])
        for channel in range(3):
            to = channel * at.BLOCK + i
            base = load(s, at.BR + to)
            diffuse, f0 = base * (one - metal), coat * (one - metal) + base * metal
            mean = (splat(F(20)) * f0 + one) / splat(F(21))
            tint = mean * mean * kept / (one - mean * (one - kept))
            store(s, at.F0R + to, f0)
            store(s, at.DR + to, diffuse * matt)
            store(s, at.MR + to, tint * more)
            once = f0 * maximum(whole - bright, zero) + bright
            sky = _ambient(ambient, channel, x, y, z) * (tint * (one - whole) + diffuse * passed)
            store(s, at.LR + to, (load(s, at.AR + to) * once + sky) * share)
