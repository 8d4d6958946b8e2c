"""Kernels of holographic radiance cascades (Freeman, Sannikov and Margel 2025); `glsl/gi.frag` has the same
formulas.

The circle is divided into four quadrants. For each, the grid is rotated so that the quadrant is in the direction of u,
and v is across. Level n has its probes in every 2ⁿ-th column. Each probe has 2ⁿ + 1 rays that end in the next such
column, at the offsets 2k - 2ⁿ in v. So longer rays have more directions. Two rays of one level are joined to one of the
next (`grow`), so no ray is traced texel by texel. A ray stores the light along it, and the fraction of light that
passes through it.

Then, from the longest rays down, the cones between neighboring rays are filled with light (`merge`). Half a cone has
the light of its outer ray, plus the light that the probe at the end of that ray receives from beyond. A probe whose
column does not exist in the next level uses the probe one ray ahead. Otherwise it takes the mean of its own cones at
the next level, and of those two rays ahead.

The two halves of a cone start side by side and diverge, so neither covers a strip between them, and a light in the
strip appears a little smaller. Each direction has one such strip, at the level at which it is the middle of a cone. But
0° and 45° have one strip for both sides, so a small lamp would show a cross of rays. Therefore on the first levels a
part of the light is taken along the inner ray (`inner_of`), which adds the missing part of the strip to the cone's
borders.

All paths of light are unbroken lines of adjacent texels, so no light leaks. The number of steps depends only on the
size of the grid, so the time does not depend on its content.

Rays are float32 (columns, 2ⁿ + 1, 4, V): red, green, blue, and the fraction that passes through. Cones are float32
(columns, 2ⁿ, 3, V): their mean radiance. v is the innermost axis, so that eight or sixteen values are computed
together.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array, njit

F = np.float32


@njit(inline="always")
def _add(out, light, clear, beyond, share):
    """Add share · (light + clear · beyond) to `out`."""
    for i in range(out.size):
        out[i] += share * (light[i] + clear[i] * beyond[i])


@njit(inline="always")
def _add_only(out, light, share):
    """Add share · light to `out`."""
    for i in range(out.size):
        out[i] += share * light[i]


@njit
def _see(near, beyond, shift, share, out):
    """Add to `out` the light along a ray and the light of the ray that begins at its end, `shift` cells away in v;
    light from outside the grid is 0.
    """
    count = out.shape[1]
    low, high = min(max(-shift, 0), count), max(min(count - shift, count), 0)
    high = max(high, low)
    for c in range(3):
        near_rays, far_rays = near[c], beyond[c]
        _add(out[c, low:high], near_rays[low:high], near[3, low:high], far_rays[low + shift : high + shift], share)
        _add_only(out[c, :low], near_rays[:low], share)
        _add_only(out[c, high:], near_rays[high:], share)


@njit
def _join(near, far, shift, share, out):
    """Join two consecutive rays into one, and add it with a weight to `out`."""
    _see(near, far, shift, share, out)
    count = out.shape[1]
    low, high = min(max(-shift, 0), count), max(min(count - shift, count), 0)
    high = max(high, low)
    through, beyond = near[3], far[3]
    near_rays, far_rays, transmission = through[low:high], beyond[low + shift : high + shift], out[3, low:high]
    for i in range(transmission.size):
        transmission[i] += share * (near_rays[i] * far_rays[i])
    _add_only(out[3, :low], through[:low], share)
    _add_only(out[3, high:], through[high:], share)


@njit
def step(free, emission, albedo, thrown, out):
    """Fill the rays from each texel to three of the next column: one down, straight, one up in v.

    free: float32 (U, V), 1, or 0 for solid. emission, albedo: float32 (3, U, V), 0 for free texels. thrown: float32
    (3, U, V), the irradiance of a wall beside a free texel. out: float32 (U, 3, 4, V).
    """
    columns, count = free.shape
    for u in range(columns):
        for k in range(3):
            shift = k - 1
            ray = out[u, k]
            ray[:3] = F(0)
            ray[3] = F(1)
            if u + 1 == columns:
                continue
            low, high = max(-shift, 0), max(min(count - shift, count), 0)
            ray[3, low:high] = free[u + 1, low + shift : high + shift]
            for c in range(3):
                glow, back = (
                    emission[c, u + 1, low + shift : high + shift],
                    albedo[c, u + 1, low + shift : high + shift],
                )
                _add(ray[c, low:high], glow, back, thrown[c, u, low:high], F(1))


@njit
def pair(steps, out):
    """Fill the rays of level 1: two steps in the same direction. out: float32 (columns, 3, 4, V)."""
    for j in range(out.shape[0]):
        for k in range(3):
            if 2 * j + 1 < steps.shape[0]:
                out[j, k] = F(0)
                _join(steps[2 * j, k], steps[2 * j + 1, k], k - 1, F(1), out[j, k])
            else:
                out[j, k] = steps[2 * j, k]


@njit
def grow(rays, out):
    """Fill the rays of the next level by joining two consecutive rays.

    An odd ray is between two directions and is the mean of both orders of joining them.
    """
    size = rays.shape[1] - 1
    for j in range(out.shape[0]):
        for k in range(2 * size + 1):
            a, b = k // 2, (k + 1) // 2
            ray = out[j, k]
            ray[:] = F(0)
            if 2 * j + 1 < rays.shape[0]:
                near, far = rays[2 * j], rays[2 * j + 1]
                _join(near[a], far[b], 2 * a - size, F(0.5), ray)
                _join(near[b], far[a], 2 * b - size, F(0.5), ray)
            else:
                for c in range(4):
                    _add_only(ray[c], rays[2 * j, a, c], F(0.5))
                    _add_only(ray[c], rays[2 * j, b, c], F(0.5))


@njit
def merge(rays, longer, cones, shares, inner, last, out):
    """Fill the cones of a level.

    rays: of this level; longer: of the next. cones: of the next. shares: float32, the fraction of each cone of the
    next level in the cone that contains it. inner: the weight of the inner ray in half a cone. last: there is no next
    level of cones.
    """
    size = rays.shape[1] - 1
    for j in range(out.shape[0]):
        for i in range(size):
            cone = out[j, i]
            cone[:] = F(0)
            for m in range(2 * i, 2 * i + 2):
                k = m - i
                other = 2 * i + 1 - k
                if j % 2:
                    _ahead(rays[j, k], cones, (j + 1) // 2, m, 2 * k - size, shares[m] * (F(1) - inner), cone)
                    if inner > F(0):
                        _ahead(rays[j, other], cones, (j + 1) // 2, m, 2 * other - size, shares[m] * inner, cone)
                    continue
                near = F(0) if last else shares[m] * F(0.5)
                far = shares[m] - near
                outer, middle = longer[j // 2, 2 * k], longer[j // 2, 2 * i + 1]
                _ahead(outer, cones, j // 2 + 1, m, 4 * k - 2 * size, far * (F(1) - F(2) * inner), cone)
                if inner > F(0):
                    shift = 4 * i + 2 - 2 * size
                    _ahead(middle, cones, j // 2 + 1, m, shift, far * F(2) * inner, cone)
                if not last:
                    for c in range(3):
                        _add_only(cone[c], cones[j // 2, m, c], near)


@njit
def _ahead(ray, cones, column, cone, shift, share, out):
    """Add the light of a ray, and the light of the cone of the probe at its end."""
    if column < cones.shape[0]:
        _see(ray, cones[column, cone], shift, share, out)
    else:
        for c in range(3):
            _add_only(out[c], ray[c], share)


@njit
def gather(steps, cones, weights, out):
    """Add the light that arrives at each texel from both eighths of the quadrant to `out`.

    steps: float32 (U, 3, 4, V). cones: of level 1. weights: float32 (2, U, V), of each eighth. out: float32 (3, U, V).
    The light of an eighth is the mean over the path through the texel ahead and the path through the diagonal one; in
    even columns both paths lead to the same texel one step farther, and the texel's own cone is added with half the
    weight.
    """
    columns, count = steps.shape[0], steps.shape[3]
    ahead = np.int64(0)  # a literal would compile all below it once more
    light_seen, way = np.zeros((3, count), np.float32), np.zeros((4, count), np.float32)
    for u in range(columns):
        for side in range(2):
            aside, turned = 2 * side - 1, steps[u, 2 * side]
            light_seen[:] = F(0)
            if u % 2:
                _ahead(turned, cones, (u + 1) // 2, side, aside, F(0.5), light_seen)
                _ahead(steps[u, 1], cones, (u + 1) // 2, side, ahead, F(0.5), light_seen)
            else:
                way[:] = F(0)
                if u + 1 < columns:
                    _join(steps[u, 1], steps[u + 1, 2 * side], ahead, F(0.5), way)
                    _join(turned, steps[u + 1, 1], aside, F(0.5), way)
                _ahead(way, cones, u // 2 + 1, side, aside, F(0.5), light_seen)
                for c in range(3):
                    _add_only(light_seen[c], cones[u // 2, side, c], F(0.5))
            for c in range(3):
                row, weight, light = out[c, u], weights[side, u], light_seen[c]
                for v in range(count):
                    row[v] += weight[v] * light[v]


def face(solid: Array, out: Array) -> None:
    """Fill `out`, float32 (h, w, 2), with the unit normals of walls beside free texels, 0 if there is no wall."""
    blocked = np.pad(solid > 0, 1).astype(np.int8)
    upright = blocked[:-2] + blocked[1:-1] + blocked[2:]
    across = blocked[:, :-2] + blocked[:, 1:-1] + blocked[:, 2:]
    out[..., 0], out[..., 1] = upright[:, :-2] - upright[:, 2:], across[:-2] - across[2:]
    out[solid > 0] = 0
    length = np.sqrt(out[..., :1] ** 2 + out[..., 1:] ** 2)
    np.divide(out, length, out=out, where=length > 0)


@njit
def weigh(normals, circle, out):
    """Fill `out`, float32 (8, h, w), with the weight of each eighth of the circle for the irradiance of a wall.

    The weights of a wall sum to 1. circle: float32 (9, 2), the directions at which the eighths begin. The weight is the
    integral of the cosine to the normal over the eighth, halved: (t - s) / 2 for directions with the sines s and t.
    """
    for e in range(8):
        ax, ay, bx, by = circle[e, 0], circle[e, 1], circle[e + 1, 0], circle[e + 1, 1]
        for j in range(normals.shape[0]):
            for i in range(normals.shape[1]):
                nx, ny = normals[j, i, 0], normals[j, i, 1]
                if nx == F(0) and ny == F(0):
                    out[e, j, i] = F(0)
                    continue
                left = nx * (ay + by) - ny * (ax + bx) > F(0)
                behind = F(1) if left else F(-1)
                s = nx * ay - ny * ax if nx * ax + ny * ay >= F(0) else behind
                t = nx * by - ny * bx if nx * bx + ny * by >= F(0) else behind
                out[e, j, i] = (t - s) * F(0.5)
