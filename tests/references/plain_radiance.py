"""The reference for the cascades: light computed by brute force, ray by ray, for each texel.

The model: texels are free or solid. Solid ones emit radiance, the same in all directions, and reflect part of the light
that falls on their faces, as matt surfaces do. Steps of texels approximate a smooth wall: where a ray meets one, the
normal is the one that `kernels.face` computes at the free texel before it. The result for a free texel is its fluence,
the mean radiance over all directions at its middle. Light bounces once: the light of solid texels, and the light of
lamps. The direct light of lamps is not part of the fluence, because it has been drawn already.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_jit import njit
from rish_lighting.gi.cascades import FACE
from rish_lighting.gi.kernels import face

Array = npt.NDArray[Any]
F = np.float32


def fluence(
    solid: Array, emission: Array, albedo: Array, places: Array, rays: int = 256, bounces: int = 4, lamps: Any = ()
) -> Array:
    """Return the mean radiance at the middles of texels, float32 (n, 3).

    solid: uint8 (h, w). emission, albedo: float32 (h, w, 3), of solid texels. places: int64 (n, 2), column and row.
    rays: directions from each place, evenly spread and turned at random. bounces: rays from each wall that is met.
    lamps: (m, 6), x, y, radius in texels, and a linear color: points that light walls but are not visible themselves.
    """
    spun = np.random.default_rng(7).random((len(places), 2)).astype(np.float32)
    turn = np.arange(4096) * (2 * np.pi / 4096)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1).astype(np.float32)
    out, normals = np.zeros((len(places), 3), np.float32), np.empty((*solid.shape, 2), np.float32)
    face(solid, normals)
    table = np.asarray(lamps, np.float32).reshape(-1, 6)
    _trace(solid, emission, albedo, places, spun, circle, rays, bounces, table, normals, out)
    return out


def fallen(solid: Array, lamps: Any) -> Array:
    """Return the light of lamps on the wall beside each free texel, float32 (h, w, 3), ray by ray; lamps: as above."""
    normals, out = np.empty((*solid.shape, 2), np.float32), np.zeros((*solid.shape, 3), np.float32)
    face(solid, normals)
    _light_faces(solid, normals, np.asarray(lamps, np.float32).reshape(-1, 6), out)
    return out


@njit
def _trace(solid, emission, albedo, places, spun, circle, rays, bounces, lamps, normals, out):
    high, wide = solid.shape
    far = F(2 * (high + wide))
    hit, met, direct = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(3, np.float32)
    golden = F(0.618034)
    for k in range(places.shape[0]):
        x, y = F(places[k, 0]) + F(0.5), F(places[k, 1]) + F(0.5)
        seed = spun[k, 1]
        for r in range(rays):
            turn = (F(r) + spun[k, 0]) / F(rays)
            at = int(turn * F(4096)) % 4096
            dx, dy = circle[at, 0], circle[at, 1]
            if not march(solid, x, y, x + dx * far, y + dy * far, hit):
                continue
            i, j = hit[0], hit[1]
            for c in range(3):
                out[k, c] += emission[j, i, c]
            beside = 0 <= hit[2] < wide and 0 <= hit[3] < high
            if not beside or bounces == 0 or albedo[j, i, 0] + albedo[j, i, 1] + albedo[j, i, 2] == F(0):
                continue
            nx, ny = normals[hit[3], hit[2], 0], normals[hit[3], hit[2], 1]
            if nx == F(0) and ny == F(0):
                continue
            px, py = F(hit[2]) + F(0.5), F(hit[3]) + F(0.5)
            _shine(solid, px, py, nx, ny, lamps, met, direct)
            for c in range(3):
                out[k, c] += albedo[j, i, c] * direct[c]
            for b in range(bounces):
                seed += golden
                seed -= np.floor(seed)
                sine = F(2) * (F(b) + seed) / F(bounces) - F(1)  # uniform in the sine: weighted by the cosine
                cosine = np.sqrt(max(F(1) - sine * sine, F(0)))
                ox, oy = nx * cosine - ny * sine, ny * cosine + nx * sine
                if march(solid, px, py, px + ox * far, py + oy * far, met):
                    for c in range(3):
                        out[k, c] += albedo[j, i, c] * emission[met[1], met[0], c] / F(bounces)
        for c in range(3):
            out[k, c] /= F(rays)


@njit
def _light_faces(solid, normals, lamps, out):
    hit = np.zeros(4, np.int64)
    for j in range(solid.shape[0]):
        for i in range(solid.shape[1]):
            if normals[j, i, 0] != F(0) or normals[j, i, 1] != F(0):
                _shine(solid, F(i) + F(0.5), F(j) + F(0.5), normals[j, i, 0], normals[j, i, 1], lamps, hit, out[j, i])


@njit
def _shine(solid, x, y, nx, ny, lamps, hit, out):
    """Compute the light of lamps, attenuated as in `formulas`, on a wall with a normal: see `cascades.FACE`."""
    out[0] = out[1] = out[2] = F(0)
    for k in range(lamps.shape[0]):
        dx, dy, radius = lamps[k, 0] - x, lamps[k, 1] - y, lamps[k, 2]
        far = np.sqrt(dx * dx + dy * dy)
        facing = nx * dx + ny * dy
        if far >= radius or facing <= F(0) or march(solid, x, y, lamps[k, 0], lamps[k, 1], hit):
            continue
        left = F(1) - (far / radius) * (far / radius)
        light = left * left / (F(1) + F(4) * far / radius) * (facing / far) * FACE
        for c in range(3):
            out[c] += lamps[k, 3 + c] * light


@njit
def march(solid, x, y, to_x, to_y, hit):
    """Walk from one place to another, texel by texel (Amanatides and Woo); return True if a solid texel is met.

    solid: uint8 (h, w). Places are in texels; texel (i, j) covers i..i+1, j..j+1 in x and y. hit: int64 4, filled if a
    solid texel is met: its column and row, and those of the free texel before it; -1 if the ray began in it. Outside
    the grid everything is free and dark.
    """
    high, wide = solid.shape
    i, j = int(np.floor(x)), int(np.floor(y))
    dx, dy = to_x - x, to_y - y
    step_i, step_j = (1 if dx > F(0) else -1), (1 if dy > F(0) else -1)
    huge = F(1e30)
    across = abs(F(1) / dx) if dx != F(0) else huge
    down = abs(F(1) / dy) if dy != F(0) else huge
    next_i = (F(i + 1) - x if dx > F(0) else x - F(i)) * across if dx != F(0) else huge
    next_j = (F(j + 1) - y if dy > F(0) else y - F(j)) * down if dy != F(0) else huge
    before_i, before_j = -1, -1
    while True:
        if 0 <= i < wide and 0 <= j < high:
            if solid[j, i]:
                hit[0], hit[1], hit[2], hit[3] = i, j, before_i, before_j
                return True
        elif (
            (i < 0 and dx <= F(0)) or (i >= wide and dx >= F(0)) or (j < 0 and dy <= F(0)) or (j >= high and dy >= F(0))
        ):
            return False
        before_i, before_j = i, j
        if next_i < next_j:
            if next_i > F(1):
                return False
            i += step_i
            next_i += across
        else:
            if next_j > F(1):
                return False
            j += step_j
            next_j += down
