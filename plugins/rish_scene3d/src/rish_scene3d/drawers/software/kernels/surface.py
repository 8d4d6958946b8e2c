"""Fills the slots that describe the surface of the pixels of a block: color, roughness, normal and so on."""

from __future__ import annotations

import numpy as np

from rish_jit import njit, simd
from rish_jit.simd import load, maximum, splat, sqrt, store

from ....layout import (
    BASE,
    EMISSIVE,
    METALLIC,
    MODEL,
    NORMAL_SCALE,
    OCCLUSION,
    PHONG,
    ROUGHNESS,
    SHININESS,
    SPECULAR,
)  # fmt: skip
from . import slots as at
from .maps import decoded, texels_of

F = np.float32
LANES = simd.LANES
LEVEL = F(1 / 255)


@njit(borrows=True)
def start_surface(row, n, s):
    """Fill the slots from BR to SZ with the numbers of a material, and the normal with the mesh's.

    row: float32 (MATERIAL). The slots from BR to BA hold the vertex color times the tint before.
    """
    phong = row[MODEL] == F(PHONG)
    metallic = splat(row[SPECULAR] if phong else row[METALLIC])
    rough = splat(row[SHININESS] if phong else row[ROUGHNESS])
    for i in range(0, n, LANES):
        for k in range(4):
            to = k * at.BLOCK + i
            store(s, at.BR + to, load(s, at.BR + to) * splat(row[BASE + k]))
        for k in range(3):
            to = k * at.BLOCK + i
            store(s, at.ER + to, splat(row[EMISSIVE + k]))
            store(s, at.SX + to, load(s, at.NX + to))
        store(s, at.METAL + i, metallic)
        store(s, at.ROUGH + i, rough)
        store(s, at.OCCLUSION + i, splat(F(1)))


@njit(borrows=True)
def _bump(scale, n, s, q):
    """Set the normal from a normal map that was read."""
    one, tiny = splat(F(1)), splat(F(1e-20))
    for i in range(0, n, LANES):
        texel = texels_of(s, q, i)
        to_slope = splat(F(2) * LEVEL)
        px, py, pz = texel[0] * to_slope - one, texel[1] * to_slope - one, texel[2] * to_slope - one
        side = load(s, at.SIDE + i)
        nx, ny, nz = load(s, at.NX + i) * side, load(s, at.NY + i) * side, load(s, at.NZ + i) * side
        tx, ty, tz = load(s, at.TX + i), load(s, at.TY + i), load(s, at.TZ + i)
        length = one / maximum(sqrt(tx * tx + ty * ty + tz * tz), tiny)
        tx, ty, tz = tx * length, ty * length, tz * length
        px, py = px * splat(scale), py * splat(scale)
        sign = load(s, at.TS + i) * py
        x = tx * px + (ny * tz - nz * ty) * sign + nx * pz
        y = ty * px + (nz * tx - nx * tz) * sign + ny * pz
        z = tz * px + (nx * ty - ny * tx) * sign + nz * pz
        length = side / maximum(sqrt(x * x + y * y + z * z), tiny)
        store(s, at.SX + i, x * length)
        store(s, at.SY + i, y * length)
        store(s, at.SZ + i, z * length)


@njit(borrows=True)
def use_map(k, row, decode, n, s, q):
    """Change the slots from BR to SZ by the texture k of a material, which was read. decode: float32 (257)."""
    if k == 2:
        _bump(row[NORMAL_SCALE], n, s, q)
        return
    first = at.BR if k == 0 else at.ER
    level = splat(LEVEL)
    for i in range(0, n, LANES):
        t = texels_of(s, q, i)
        if k == 1 and row[MODEL] != F(PHONG):
            store(s, at.METAL + i, load(s, at.METAL + i) * t[2] * level)
            store(s, at.ROUGH + i, load(s, at.ROUGH + i) * t[1] * level)
        elif k == 3:
            store(s, at.OCCLUSION + i, splat(F(1)) + splat(row[OCCLUSION]) * (t[0] * level - splat(F(1))))
        elif k == 0 or k == 4:
            store(s, first + i, load(s, first + i) * decoded(t[0], decode, q, i))
            store(s, first + at.BLOCK + i, load(s, first + at.BLOCK + i) * decoded(t[1], decode, q, i))
            store(s, first + 2 * at.BLOCK + i, load(s, first + 2 * at.BLOCK + i) * decoded(t[2], decode, q, i))
        if k == 0:
            store(s, at.BA + i, load(s, at.BA + i) * t[3] * level)
