"""The kernels of holographic radiance cascades (Freeman, Sannikov and Margel 2025); `glsl/gi.frag` says the same.

The circle is cut into four quadrants, and the grid is turned so that each looks along u, across v. Level n has its
probes in every 2ⁿ-th column, and from each of them 2ⁿ + 1 rays that end in the next such column, at 2k - 2ⁿ across: the
farther, the more. Two rays of one level make one of the next (`grow`), so none is ever walked texel by texel, and what
is between its ends is known from how often it was joined: light, and the share of light that gets through.

Then, from the longest rays down, the cones between neighboring rays are filled with light (`merge`): half a cone is
what its outer ray brings, and what the probe at that ray's end sees beyond. A probe that has no column of the next
level looks one ray ahead; one that has is the mean of its own sight at that level, and of what it sees two rays ahead.

Two halves of a cone begin beside one another and part, so a strip between them is seen by neither, and what is there
counts as if it were a little smaller. Each direction has one such strip, at the level at which it is the middle of a
cone; but 0° and 45° have but one for both, and a small lamp would throw a cross of rays. So of the first levels a part
comes by the inner ray (`inner_of`), which passes on to the cone's borders just as much of the strip as they lack.

All paths of light are unbroken lines of texels that touch, so nothing leaks; and all numbers of steps follow from the
size of the grid alone, so nothing that is in it takes time.

Rays are float32 (columns, 2ⁿ + 1, 4, V): red, green, blue, and the share that gets through. Cones are float32 (columns,
2ⁿ, 3, V): their mean radiance. Innermost is v, so that eight or sixteen are done at once.
"""

from __future__ import annotations

import numpy as np

from rish_ecs.jit import njit

F = np.float32


@njit(inline="always")
def _add(out, light, clear, beyond, share):
    """out += share · (light + clear · beyond)."""
    for i in range(out.size):
        out[i] += share * (light[i] + clear[i] * beyond[i])


@njit(inline="always")
def _add_only(out, light, share):
    """out += share · light."""
    for i in range(out.size):
        out[i] += share * light[i]


@njit
def _see(near, beyond, shift, share, out):
    """Add the light along a ray, and that of the ray at its end, `shift` cells across; outside the grid it is 0."""
    count = out.shape[1]
    low, high = min(max(-shift, 0), count), max(min(count - shift, count), 0)
    high = max(high, low)
    for c in range(3):
        ours, theirs = near[c], beyond[c]
        _add(out[c, low:high], ours[low:high], near[3, low:high], theirs[low + shift : high + shift], share)
        _add_only(out[c, :low], ours[:low], share)
        _add_only(out[c, high:], ours[high:], share)


@njit
def _join(near, far, shift, share, out):
    """Join two consecutive rays into one."""
    _see(near, far, shift, share, out)
    count = out.shape[1]
    low, high = min(max(-shift, 0), count), max(min(count - shift, count), 0)
    high = max(high, low)
    through, beyond = near[3], far[3]
    ours, theirs, made = through[low:high], beyond[low + shift : high + shift], out[3, low:high]
    for i in range(made.size):
        made[i] += share * (ours[i] * theirs[i])
    _add_only(out[3, :low], through[:low], share)
    _add_only(out[3, high:], through[high:], share)


@njit
def step(free, emission, albedo, thrown, out):
    """Fill the rays from each texel to those of the next column: down across, straight, up across.

    free: float32 (U, V), 1 or 0 for solid. emission, albedo: float32 (3, U, V), 0 where free. thrown: float32 (3, U,
    V), what falls on a wall beside a free texel. out: float32 (U, 3, 4, V).
    """
    columns, count = free.shape
    for u in range(columns):
        for k in range(3):
            shift = k - 1
            made = out[u, k]
            made[:3] = F(0)
            made[3] = F(1)
            if u + 1 == columns:
                continue
            low, high = max(-shift, 0), max(min(count - shift, count), 0)
            made[3, low:high] = free[u + 1, low + shift : high + shift]
            for c in range(3):
                glow, back = (
                    emission[c, u + 1, low + shift : high + shift],
                    albedo[c, u + 1, low + shift : high + shift],
                )
                _add(made[c, low:high], glow, back, thrown[c, u, low:high], F(1))


@njit
def pair(steps, out):
    """Fill the rays of level 1: two steps the same way. out: float32 (columns, 3, 4, V)."""
    for j in range(out.shape[0]):
        for k in range(3):
            if 2 * j + 1 < steps.shape[0]:
                out[j, k] = F(0)
                _join(steps[2 * j, k], steps[2 * j + 1, k], k - 1, F(1), out[j, k])
            else:
                out[j, k] = steps[2 * j, k]


@njit
def grow(rays, out):
    """Fill the rays of the next level: of each two that follow one another, or of both ways round to between two."""
    size = rays.shape[1] - 1
    for j in range(out.shape[0]):
        for k in range(2 * size + 1):
            a, b = k // 2, (k + 1) // 2
            made = out[j, k]
            made[:] = F(0)
            if 2 * j + 1 < rays.shape[0]:
                near, far = rays[2 * j], rays[2 * j + 1]
                _join(near[a], far[b], 2 * a - size, F(0.5), made)
                _join(near[b], far[a], 2 * b - size, F(0.5), made)
            else:
                for c in range(4):
                    _add_only(made[c], rays[2 * j, a, c], F(0.5))
                    _add_only(made[c], rays[2 * j, b, c], F(0.5))


@njit
def merge(rays, longer, cones, shares, inner, last, out):
    """Fill the cones of a level.

    rays: of this level; longer: of the next. cones: of the next. shares: float32, of each of these in the cone around
    it. inner: how much of half a cone its inner ray brings. last: there is nothing beyond.
    """
    size = rays.shape[1] - 1
    for j in range(out.shape[0]):
        for i in range(size):
            made = out[j, i]
            made[:] = F(0)
            for m in range(2 * i, 2 * i + 2):
                k = m - i
                other = 2 * i + 1 - k
                if j % 2:
                    _ahead(rays[j, k], cones, (j + 1) // 2, m, 2 * k - size, shares[m] * (F(1) - inner), made)
                    if inner > F(0):
                        _ahead(rays[j, other], cones, (j + 1) // 2, m, 2 * other - size, shares[m] * inner, made)
                    continue
                near = F(0) if last else shares[m] * F(0.5)
                far = shares[m] - near
                outer, middle = longer[j // 2, 2 * k], longer[j // 2, 2 * i + 1]
                _ahead(outer, cones, j // 2 + 1, m, 4 * k - 2 * size, far * (F(1) - F(2) * inner), made)
                if inner > F(0):
                    shift = 4 * i + 2 - 2 * size
                    _ahead(middle, cones, j // 2 + 1, m, shift, far * F(2) * inner, made)
                if not last:
                    for c in range(3):
                        _add_only(made[c], cones[j // 2, m, c], near)


@njit
def _ahead(ray, cones, column, cone, shift, share, out):
    """Add what a ray brings, and what the probe at its end sees."""
    if column < cones.shape[0]:
        _see(ray, cones[column, cone], shift, share, out)
    else:
        for c in range(3):
            _add_only(out[c], ray[c], share)


@njit
def gather(steps, cones, weights, out):
    """Add up what comes to each texel from both eighths of the circle.

    steps: float32 (U, 3, 4, V). cones: of level 1. weights: float32 (2, U, V), of each eighth. out: float32 (3, U, V).
    An eighth is seen by way of the texel ahead and of that ahead and aside, in even columns by way of both to the one
    that lies a step farther.
    """
    columns, count = steps.shape[0], steps.shape[3]
    seen, way = np.zeros((3, count), np.float32), np.zeros((4, count), np.float32)
    for u in range(columns):
        for side in range(2):
            aside, turned = 2 * side - 1, steps[u, 2 * side]
            seen[:] = F(0)
            if u % 2:
                _ahead(turned, cones, (u + 1) // 2, side, aside, F(0.5), seen)
                _ahead(steps[u, 1], cones, (u + 1) // 2, side, 0, F(0.5), seen)
            else:
                way[:] = F(0)
                if u + 1 < columns:
                    _join(steps[u, 1], steps[u + 1, 2 * side], 0, F(0.5), way)
                    _join(turned, steps[u + 1, 1], aside, F(0.5), way)
                _ahead(way, cones, u // 2 + 1, side, aside, F(0.5), seen)
                for c in range(3):
                    _add_only(seen[c], cones[u // 2, side, c], F(0.5))
            for c in range(3):
                made, weight, light = out[c, u], weights[side, u], seen[c]
                for v in range(count):
                    made[v] += weight[v] * light[v]


@njit
def face(solid, out):
    """The normals of walls beside free texels: float32 (h, w, 2), unit vectors, 0 where there is none."""
    high, wide = solid.shape
    for j in range(high):
        for i in range(wide):
            nx = ny = 0
            if not solid[j, i]:
                for b in range(max(j - 1, 0), min(j + 2, high)):
                    for a in range(max(i - 1, 0), min(i + 2, wide)):
                        if solid[b, a]:
                            nx -= a - i
                            ny -= b - j
            length = np.sqrt(F(nx * nx + ny * ny))
            out[j, i, 0] = F(nx) / length if length > F(0) else F(0)
            out[j, i, 1] = F(ny) / length if length > F(0) else F(0)


@njit
def weigh(normals, circle, out):
    """How much each eighth of the circle counts for what falls on a wall: float32 (8, h, w); all of it is 1.

    circle: float32 (9, 2), where the eighths begin. An eighth counts by the mean of the cosine to the normal: between
    directions that are seen at sines s and t that is |s - t| by the angle.
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
