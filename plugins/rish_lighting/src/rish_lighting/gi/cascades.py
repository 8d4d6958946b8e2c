"""Holographic radiance cascades in memory: the software version, which also checks the passes on the graphics card.

Texels are free or solid, and solid texels emit and reflect light. The tests compare the result with a slow and simple
version, `plain_radiance`.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from rish_jit import Array

FACE = np.float32(np.pi / 2)
"""The irradiance of a wall that faces a lamp, per unit of the lamp's light at that point.

The brightness of a floor is twice the mean radiance over all directions, so a half circle of radiance 1 lights it like
white light. A lamp that lights the floor equally, but from a single direction, gives a wall that faces it as much light
as a half circle of radiance π/2.
"""
EIGHTHS = ((7, 0), (2, 1), (4, 3), (5, 6))
"""The eighths of the circle, counter-clockwise from the right, that belong to each quadrant: right, up, left, down."""


def depth_of(size: tuple[int, ...]) -> int:
    """Return the depth in texels to which walls are lit, for a grid of this size (h, w)."""
    return max(2, round(max(size) / 32))


def levels_of(length: int) -> int:
    """Return the lowest level whose rays cross a grid of this length, in texels."""
    return max(2, (length - 1).bit_length())


@cache
def circle() -> Array:
    """Return the directions at which the eighths of the circle begin, float32 (9, 2)."""
    turn = np.arange(9) * (np.pi / 4)
    return np.stack([np.cos(turn), np.sin(turn)], axis=1).astype(np.float32)


@cache
def shares(level: int) -> Array:
    """Return for each cone of level n + 1 its fraction, by angle, of the cone of level n that contains it; float32
    (2·2ⁿ,).
    """
    slope = (np.arange(2 << level) + 0.5) / (1 << level) - 1
    cover = 1 / (1 + slope**2)
    return (cover / np.repeat(cover[::2] + cover[1::2], 2)).astype(np.float32)


def inner_of(level: int) -> np.float32:
    """Return the weight of the inner ray of half a cone in odd columns; in even columns it is twice that. See
    `kernels`.
    """
    return np.float32(0.25 / (1 << level)) if level < 3 else np.float32(0)


def illuminate(solid: Array, emission: Array, albedo: Array, lamps: Array | None = None, bounces: int = 1) -> Array:
    """Return the mean radiance over all directions at each free texel, float32 (h, w, 3).

    solid: uint8 (h, w), 1 where light is blocked. emission, albedo: float32 (h, w, 3), of solid texels, linear. lamps:
    float32 (h, w, 3), the irradiance by lamps of a wall beside each free texel: FACE times their light times the cosine
    to the normal that `kernels.face` gives. bounces: the number of reflections by walls.
    """
    from . import kernels

    blocked = solid > 0
    free = np.where(blocked, np.float32(0), np.float32(1))
    glow, back = (np.where(blocked, each.transpose(2, 0, 1), np.float32(0)) for each in (emission, albedo))
    thrown = np.zeros_like(glow)
    fallen = thrown if lamps is None else np.where(blocked, np.float32(0), lamps.transpose(2, 0, 1))
    weights = np.empty((8, *solid.shape), np.float32)
    if bounces:
        normals = np.empty((*solid.shape, 2), np.float32)
        kernels.face(solid, normals)
        kernels.weigh(normals, circle(), weights)
    for _ in range(bounces):
        dark = not glow.any() and not thrown.any()
        thrown = fallen if dark else fallen + _light(free, glow, back, thrown, weights)
    weights[:] = free / 8
    return np.ascontiguousarray(_light(free, glow, back, thrown, weights).transpose(1, 2, 0))


def _light(free: Array, emission: Array, albedo: Array, thrown: Array, weights: Array) -> Array:
    """Return the weighted sum of the light that arrives at each texel from the eighths of the circle, (3, h, w)."""
    out = np.zeros_like(emission)
    for quadrant, eighths in enumerate(EIGHTHS):
        parts = [_turned(each, quadrant) for each in (free, emission, albedo, thrown, weights[list(eighths)])]
        light_of_quadrant = _quadrant(*parts)
        out += _turned_back(light_of_quadrant, quadrant)
    return out


def _turned(planes: Array, quadrant: int) -> Array:
    """Rotate planes (..., h, w) to (..., U, V), with u in the direction of a quadrant."""
    planes = planes if quadrant % 2 else planes.swapaxes(-1, -2)
    return np.ascontiguousarray(planes[..., ::-1, :] if quadrant > 1 else planes)


def _turned_back(planes: Array, quadrant: int) -> Array:
    planes = planes[..., ::-1, :] if quadrant > 1 else planes
    return planes if quadrant % 2 else planes.swapaxes(-1, -2)


def _quadrant(free: Array, emission: Array, albedo: Array, thrown: Array, weights: Array) -> Array:
    """Return the light that arrives from one quadrant, float32 (3, U, V)."""
    from . import kernels

    length, width = free.shape
    top = levels_of(length)

    def made(level: int, each: int, parts: int) -> Array:
        return np.empty((-(-length >> level), each, parts, width), np.float32)

    steps = np.empty((length, 3, 4, width), np.float32)
    kernels.step(free, emission, albedo, thrown, steps)
    rays = [steps, made(1, 3, 4)]
    kernels.pair(steps, rays[1])
    for level in range(2, top + 1):
        rays.append(made(level, (1 << level) + 1, 4))
        kernels.grow(rays[level - 1], rays[level])
    cones = np.zeros((0, 2 << top, 3, width), np.float32)
    for level in range(top - 1, 0, -1):
        wider = made(level, 1 << level, 3)
        last = level == top - 1
        inner = np.float32(0) if last else inner_of(level)
        kernels.merge(rays[level], rays[level + 1], cones, shares(level), inner, last, wider)
        cones = wider
    out = np.zeros((3, length, width), np.float32)
    kernels.gather(steps, cones, weights, out)
    return out
