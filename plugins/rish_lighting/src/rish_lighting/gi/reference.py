"""What cascades must agree with: light found by brute force, ray by ray, for each texel.

The model: texels are free or solid. Solid ones emit radiance, the same in all directions, and throw back part of what
falls on their faces, as matt surfaces do. What a free texel gets is its fluence, the mean radiance over all directions
at its middle. Light bounces once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core.jit import njit

from .trace import march

Array = npt.NDArray[Any]
F = np.float32


def fluence(solid: Array, emission: Array, albedo: Array, places: Array, rays: int = 256, bounces: int = 4) -> Array:
    """float32 (n, 3): the mean radiance at the middles of texels.

    solid: uint8 (h, w). emission, albedo: float32 (h, w, 3), of solid texels. places: int64 (n, 2), column and row.
    rays: directions from each place, evenly spread and turned at random. bounces: rays from each wall that is met.
    """
    spun = np.random.default_rng(7).random((len(places), 2)).astype(np.float32)
    turn = np.arange(4096) * (2 * np.pi / 4096)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1).astype(np.float32)
    out = np.zeros((len(places), 3), np.float32)
    _trace(solid, emission, albedo, places, spun, circle, rays, bounces, out)
    return out


@njit
def _trace(solid, emission, albedo, places, spun, circle, rays, bounces, out):
    high, wide = solid.shape
    far = F(2 * (high + wide))
    hit, met = np.zeros(4, np.int64), np.zeros(4, np.int64)
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
            if hit[2] < 0 or bounces == 0 or albedo[j, i, 0] + albedo[j, i, 1] + albedo[j, i, 2] == F(0):
                continue
            nx, ny = F(hit[2] - i), F(hit[3] - j)
            # the place on the face where the ray came in, a hair before it
            if nx != F(0):
                px = F(i) + (F(-0.001) if nx < F(0) else F(1.001))
                py = y + dy * ((px - x) / dx)
                py = min(max(py, F(j) + F(0.001)), F(j) + F(0.999))
            else:
                py = F(j) + (F(-0.001) if ny < F(0) else F(1.001))
                px = x + dx * ((py - y) / dy)
                px = min(max(px, F(i) + F(0.001)), F(i) + F(0.999))
            for b in range(bounces):
                seed += golden
                seed -= np.floor(seed)
                sine = F(2) * (F(b) + seed) / F(bounces) - F(1)  # even in the sine: a cosine's share of each direction
                cosine = np.sqrt(max(F(1) - sine * sine, F(0)))
                ox, oy = nx * cosine - ny * sine, ny * cosine + nx * sine
                if march(solid, px, py, px + ox * far, py + oy * far, met):
                    for c in range(3):
                        out[k, c] += albedo[j, i, c] * emission[met[1], met[0], c] / F(bounces)
        for c in range(3):
            out[k, c] /= F(rays)
