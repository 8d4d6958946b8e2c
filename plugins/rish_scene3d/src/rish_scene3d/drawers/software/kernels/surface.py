"""Fills the slots that describe the surface of the pixels of a block: colour, roughness, normal and so on."""

from __future__ import annotations

import numpy as np

from rish_ecs.jit import njit, simd
from rish_ecs.jit.simd import load, maximum, splat, sqrt, store

from ....layout import (
    BASE, EMISSIVE, MAP_SIZE, MAPS, METALLIC, MODEL, NORMAL_SCALE, OCCLUSION, PHONG, ROUGHNESS, SHININESS, SPECULAR,
)  # fmt: skip
from . import slots as at
from .maps import CLASS, decoded, read_map, texels_of

F = np.float32
LANES = simd.LANES
LEVEL = F(1 / 255)


@njit(borrows=True)
def _base(row, decode, n, s, q, textured):
    """Multiply the vertex colour in the slots by the base colour, and by the texture that was read."""
    for i in range(0, n, LANES):
        r, g = load(s, at.BR + i) * splat(row[BASE]), load(s, at.BG + i) * splat(row[BASE + 1])
        b, a = load(s, at.BB + i) * splat(row[BASE + 2]), load(s, at.BA + i) * splat(row[BASE + 3])
        if textured:
            t = texels_of(s, q, i)
            r, g, b = r * decoded(t[0], decode, q, i), g * decoded(t[1], decode, q, i), b * decoded(t[2], decode, q, i)
            a = a * t[3] * splat(LEVEL)
        store(s, at.BR + i, r)
        store(s, at.BG + i, g)
        store(s, at.BB + i, b)
        store(s, at.BA + i, a)


@njit(borrows=True)
def _fill(row, n, s):
    """Set metallic, roughness, occlusion and emitted light to the numbers of the material, the normal to the mesh's."""
    phong = row[MODEL] == F(PHONG)
    metallic = splat(row[SPECULAR] if phong else row[METALLIC])
    rough = splat(row[SHININESS] if phong else row[ROUGHNESS])
    for i in range(0, n, LANES):
        store(s, at.METAL + i, metallic)
        store(s, at.ROUGH + i, rough)
        store(s, at.OCCLUSION + i, splat(F(1)))
        store(s, at.ER + i, splat(row[EMISSIVE]))
        store(s, at.EG + i, splat(row[EMISSIVE + 1]))
        store(s, at.EB + i, splat(row[EMISSIVE + 2]))
        store(s, at.SX + i, load(s, at.NX + i))
        store(s, at.SY + i, load(s, at.NY + i))
        store(s, at.SZ + i, load(s, at.NZ + i))


@njit(borrows=True)
def _bump(scale, n, s, q):
    """Set the normal from a normal map that was read."""
    one, tiny = splat(F(1)), splat(F(1e-20))
    for i in range(0, n, LANES):
        texel = texels_of(s, q, i)
        to_slope = splat(F(2) * LEVEL)
        px, py, pz = texel[0] * to_slope - one, texel[1] * to_slope - one, texel[2] * to_slope - one
        nx, ny, nz = load(s, at.NX + i), load(s, at.NY + i), load(s, at.NZ + i)
        tx, ty, tz = load(s, at.TX + i), load(s, at.TY + i), load(s, at.TZ + i)
        length = one / maximum(sqrt(tx * tx + ty * ty + tz * tz), tiny)
        tx, ty, tz = tx * length, ty * length, tz * length
        px, py = px * splat(scale), py * splat(scale)
        sign = load(s, at.TS + i) * py
        x = tx * px + (ny * tz - nz * ty) * sign + nx * pz
        y = ty * px + (nz * tx - nx * tz) * sign + ny * pz
        z = tz * px + (nx * ty - ny * tx) * sign + nz * pz
        length = one / maximum(sqrt(x * x + y * y + z * z), tiny)
        store(s, at.SX + i, x * length)
        store(s, at.SY + i, y * length)
        store(s, at.SZ + i, z * length)


@njit(borrows=True)
def _emit(decode, n, s, q):
    """Multiply the emitted light by a texture that was read."""
    for i in range(0, n, LANES):
        t = texels_of(s, q, i)
        store(s, at.ER + i, load(s, at.ER + i) * decoded(t[0], decode, q, i))
        store(s, at.EG + i, load(s, at.EG + i) * decoded(t[1], decode, q, i))
        store(s, at.EB + i, load(s, at.EB + i) * decoded(t[2], decode, q, i))


@njit(borrows=True)
def read_surface(row, entries, levels, tables, n, s, bits, q):
    """Fill the slots from BR to SZ for pixels of one material.

    row: float32 (MATERIAL). entries: int64 (5, 8), see `maps`. tables: `decode` and `halves`, see `maps`. The slots from
    BR to BA hold the vertex colour times the tint before.
    """
    decode, halves = tables
    for k in range(5):
        textured = entries[k, CLASS] >= 0
        if textured:
            read_map(entries[k], row[MAPS + k * MAP_SIZE :], levels, halves, n, s, bits, q)
        if k == 0:
            _base(row, decode, n, s, q, textured)
            _fill(row, n, s)
        elif not textured:
            continue
        elif k == 1:
            if row[MODEL] != F(PHONG):
                for i in range(0, n, LANES):
                    texel = texels_of(s, q, i)
                    store(s, at.METAL + i, load(s, at.METAL + i) * texel[2] * splat(LEVEL))
                    store(s, at.ROUGH + i, load(s, at.ROUGH + i) * texel[1] * splat(LEVEL))
        elif k == 2:
            _bump(row[NORMAL_SCALE], n, s, q)
        elif k == 3:
            for i in range(0, n, LANES):
                texel = texels_of(s, q, i)
                share = splat(row[OCCLUSION]) * (texel[0] * splat(LEVEL) - splat(F(1)))
                store(s, at.OCCLUSION + i, splat(F(1)) + share)
        else:
            _emit(decode, n, s, q)
